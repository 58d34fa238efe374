//! The files of the log, oldest first, and their lines. Reads only; knows nothing of what a line says.

use super::Folder;
use crate::file;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Take};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Longest line that is read; a record is far shorter.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;

/// The lines of the log as it was when it was opened. Holds one line in memory.
pub(super) struct Lines {
    /// Files still to be read, the next one last.
    files: Vec<Source>,
    open: Option<(Rc<Path>, BufReader<Take<File>>)>,
    number: u64,
    buffer: Vec<u8>,
}

/// One line.
pub(super) struct Line<'a> {
    /// Its file.
    pub(super) file: &'a Rc<Path>,
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// Its bytes with the line feed, if it has one: the last line of a file may be torn.
    pub(super) bytes: &'a [u8],
}

/// A file that could not be read on, and why.
pub(super) type Unreadable = (Rc<Path>, io::Error);

struct Source {
    path: PathBuf,
    /// The newest file is opened before the others are listed, so that none is missed or read twice when it is set aside
    /// meanwhile. What is appended to it later is left out.
    open: Option<Take<File>>,
}

impl Lines {
    /// The log of a folder. A missing log has no lines.
    ///
    /// # Errors
    /// When the log or its folder cannot be read.
    pub(super) fn open(folder: &Folder) -> io::Result<Self> {
        let mut files = Vec::new();
        let mut newest = None;
        if let Some(file) = if_present(read_only(&folder.log()))? {
            let facts = file.metadata()?;
            files.push(Source { path: folder.log(), open: Some(file.take(facts.len())) });
            newest = Some(Identity::of(&facts));
        }
        for path in set_aside(folder)?.into_iter().rev() {
            if newest.is_none() || identity(&path) != newest {
                files.push(Source { path, open: None });
            }
        }
        Ok(Self { files, open: None, number: 0, buffer: Vec::new() })
    }

    /// The two newest files: where the log ends, also when the newest has just been begun.
    ///
    /// # Errors
    /// As [`Lines::open`].
    pub(super) fn newest(folder: &Folder) -> io::Result<Self> {
        let mut lines = Self::open(folder)?;
        lines.files.truncate(2);
        Ok(lines)
    }

    /// The next line, or why a file ends before its end.
    pub(super) fn next(&mut self) -> Option<Result<Line<'_>, Unreadable>> {
        loop {
            if self.open.is_none() {
                let Source { path, open } = self.files.pop()?;
                let path: Rc<Path> = path.into();
                match open.map_or_else(|| Ok(read_only(&path)?.take(u64::MAX)), Ok) {
                    Ok(file) => self.open = Some((path, BufReader::with_capacity(256 * 1024, file))),
                    Err(error) => return Some(Err((path, error))),
                }
                self.number = 0;
            }
            self.buffer.clear();
            let (_, reader) = self.open.as_mut()?;
            match reader.take(LONGEST_LINE).read_until(b'\n', &mut self.buffer) {
                Ok(0) => self.open = None,
                Ok(_) => break,
                Err(error) => return self.open.take().map(|(path, _)| Err((path, error))),
            }
        }
        self.number += 1;
        let (file, _) = self.open.as_ref()?;
        Some(Ok(Line { file, number: self.number, bytes: &self.buffer }))
    }
}

/// What a file is whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    pub(super) fn of(facts: &Metadata) -> Self {
        Self { device: facts.dev(), inode: facts.ino() }
    }
}

/// The identity of the file at a path, if there is one.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    path.metadata().ok().map(|facts| Identity::of(&facts))
}

/// The files that were set aside, oldest first: their names end in the number of their last record.
pub(super) fn set_aside(folder: &Folder) -> io::Result<Vec<PathBuf>> {
    let Some(entries) = if_present(std::fs::read_dir(&folder.0))? else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if let Some(last) = last_number(&path) {
            files.push((last, path));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// The name of the file that takes the records up to a number.
pub(super) fn name_aside(folder: &Folder, last: u64) -> PathBuf {
    folder.0.join(format!("log-{last:012}.jsonl"))
}

/// The number of the last record of a file that was set aside; `None` for any other file.
pub(super) fn last_number(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix("log-")?.strip_suffix(".jsonl")?.parse().ok()
}

/// Opens a regular file without waiting, and without following a link in its place.
pub(super) fn read_only(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    file::regular(&file).map(|_| file)
}

fn if_present<T>(opened: io::Result<T>) -> io::Result<Option<T>> {
    match opened {
        Ok(opened) => Ok(Some(opened)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
