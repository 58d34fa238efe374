//! Records that could not wait for the lock, or for a log that could be opened: one file each, without a place in the
//! chain yet. What is damaged among them is set aside for a person to look at, never dropped.

use super::Folder;
use crate::file;
use crate::nets::Note;
use fourseam_core::record::Record;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Largest file that is merged; a record is far smaller.
const LARGEST: usize = 4 * 1024 * 1024;

/// Files merged by one call, so that no call pays for all the others.
const BATCH: usize = 64;

/// What the name of a file ends in that waits, that a signal handler has not written to its end, that is damaged.
const WAITS: &str = "jsonl";
const HALF: &str = "half";
const DAMAGED: &str = "damaged";

/// A file that waits to be merged.
pub(super) struct Waiting {
    /// The file.
    pub(super) path: PathBuf,
    /// The records that could be read.
    pub(super) records: Vec<Record>,
    /// Why others could not be.
    pub(super) damage: Option<String>,
}

/// Puts a record aside for the next holder of the lock.
pub(super) fn put(folder: &Folder, record: &Record) -> io::Result<()> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    file::replace(&name(folder), line.as_bytes())
}

/// A place and the bytes of a record, for a signal handler to write: it can do no more than that.
pub(super) fn prepare(folder: &Folder, record: &Record) -> io::Result<Note> {
    file::make_folder(&folder.spool())?;
    let path = name(folder);
    let half = CString::new(path.with_extension(HALF).into_os_string().into_vec())?;
    let path = CString::new(path.into_os_string().into_vec())?;
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(Note { half, path, line })
}

/// A name that sorts by time and that no other process has.
fn name(folder: &Folder) -> PathBuf {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    folder.spool().join(format!("{nanos:020}-{}.{WAITS}", std::process::id()))
}

/// How many records wait to be merged.
pub(super) fn count(folder: &Folder) -> usize {
    files(folder, WAITS).len()
}

/// The files that were set aside since they are damaged.
pub(super) fn damaged(folder: &Folder) -> Vec<PathBuf> {
    files(folder, DAMAGED)
}

/// What waits to be merged, oldest first.
pub(super) fn waiting(folder: &Folder) -> impl Iterator<Item = Waiting> {
    files(folder, WAITS).into_iter().take(BATCH).map(read)
}

impl Waiting {
    /// Takes the file away, its records being in the log. A damaged one is set aside.
    pub(super) fn done(self) -> io::Result<()> {
        match self.damage {
            None => std::fs::remove_file(self.path),
            Some(_) => {
                let aside = self.path.with_extension(DAMAGED);
                std::fs::rename(self.path, aside)
            }
        }
    }
}

fn read(path: PathBuf) -> Waiting {
    let bytes = match file::read(&path, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) => return Waiting { path, records: Vec::new(), damage: Some(error.to_string()) },
    };
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let records: Vec<Record> = lines.iter().filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let damage = match lines.len() - records.len() {
        _ if lines.is_empty() => Some("it is empty".to_owned()),
        0 => None,
        bad => Some(format!("{bad} of its {} lines are no records", lines.len())),
    };
    Waiting { path, records, damage }
}

fn files(folder: &Folder, end: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.spool()) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| ends_in(path, end)).collect();
    paths.sort();
    paths
}

fn ends_in(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|extension| extension == end)
}
