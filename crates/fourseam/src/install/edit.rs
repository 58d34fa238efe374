//! The change of one file of another program: written whole or not at all, through links, with the mode and owner it
//! had, and only if nobody else has changed it since it was read.

use crate::{file, nets};
use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

/// Largest file that is edited.
const LARGEST: usize = 8 * 1024 * 1024;

/// A file before and after. `None`: no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// Absolute path, as the program that owns the file names it.
    pub(crate) path: PathBuf,
    /// Its bytes when it was read.
    pub(crate) before: Option<Vec<u8>>,
    /// The bytes it is to have.
    pub(crate) after: Option<Vec<u8>>,
}

impl Edit {
    /// Whether there is anything to do.
    pub(crate) fn changes(&self) -> bool {
        self.before != self.after
    }

    /// The folders that have to be made first, outermost first.
    pub(crate) fn missing_folders(&self) -> Vec<PathBuf> {
        let above = self.path.ancestors().skip(1).take_while(|folder| !folder.is_dir());
        let mut missing: Vec<PathBuf> = above.map(Path::to_owned).collect();
        missing.reverse();
        missing
    }

    /// Makes the change.
    ///
    /// # Errors
    /// When the file is not as it was read, or cannot be written; then it is as it was.
    pub(crate) fn write(&self) -> io::Result<()> {
        let target = resolve(&self.path)?.unwrap_or_else(|| self.path.clone());
        let folder = target.parent().ok_or(ErrorKind::InvalidInput)?;
        let Some(bytes) = &self.after else {
            self.check(&target)?;
            std::fs::remove_file(&target)?;
            if target != self.path {
                // The link led to nothing but our own.
                let _ = std::fs::remove_file(&self.path);
            }
            return sync(folder);
        };
        DirBuilder::new().recursive(true).create(folder)?;
        forget_halves(&target);
        let half = half_of(&target, std::process::id());
        let written = self.write_half(&half, &target, bytes).and_then(|()| {
            nets::stop_at("written");
            self.check(&target)?;
            std::fs::rename(&half, &target)
        });
        if written.is_err() {
            let _ = std::fs::remove_file(&half);
        }
        written?;
        nets::stop_at("renamed");
        sync(folder)
    }

    fn write_half(&self, half: &Path, target: &Path, bytes: &[u8]) -> io::Result<()> {
        let facts = target.metadata().ok();
        let mode = facts.as_ref().map_or(0o644, |facts| facts.mode() & 0o7777);
        // Never wider than it will be: the file may hold secrets.
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode & 0o644).open(half)?;
        let (start, end) = bytes.split_at(bytes.len() / 2);
        file.write_all(start)?;
        nets::stop_at("half");
        file.write_all(end)?;
        if let Some(facts) = &facts {
            keep_owner_and_mode(&file, facts)?;
        }
        file.sync_all()
    }

    /// Another program may have written the file since it was read.
    fn check(&self, target: &Path) -> io::Result<()> {
        if read(target)? == self.before {
            return Ok(());
        }
        Err(io::Error::new(ErrorKind::ResourceBusy, "it was changed meanwhile; run the command again"))
    }
}

/// The bytes of a file; `None` when there is none.
///
/// # Errors
/// When it is no regular file, too large, a link to nothing, or cannot be read.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match resolve(path)? {
        Some(target) => file::read(&target, LARGEST).map(Some),
        None => Ok(None),
    }
}

/// Where a file really is, links followed; `None` when there is nothing.
fn resolve(path: &Path) -> io::Result<Option<PathBuf>> {
    match path.symlink_metadata() {
        Ok(facts) if facts.is_symlink() => path.canonicalize().map(Some).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "it is a link to nothing"),
            _ => error,
        }),
        Ok(_) => Ok(Some(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn keep_owner_and_mode(file: &File, facts: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (facts.uid(), facts.gid()) {
        fchown(file, Some(facts.uid()), Some(facts.gid()))?;
    }
    file.set_permissions(facts.permissions())
}

/// Name of the file that is written first. In the same folder, so that it can take the other's place at once.
fn half_of(target: &Path, process: u32) -> PathBuf {
    let mut name = half_prefix(target);
    name.push(process.to_string());
    target.with_file_name(name)
}

fn half_prefix(target: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push(".fourseam-");
    prefix
}

/// Takes away what a run that was killed left behind. Nobody else writes now: the lock is held.
pub(super) fn forget_halves(target: &Path) {
    let prefix = half_prefix(target);
    let Some(entries) = target.parent().and_then(|folder| std::fs::read_dir(folder).ok()) else { return };
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// So that the new name outlives a power cut. Some file systems cannot do it for folders.
fn sync(folder: &Path) -> io::Result<()> {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}
