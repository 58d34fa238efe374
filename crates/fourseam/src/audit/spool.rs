//! Records that could not wait for the lock: one file each, without a place in the chain yet.

use super::Folder;
use crate::file;
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

/// Puts a record aside for the next holder of the lock.
pub(super) fn put(folder: &Folder, record: &Record) -> io::Result<()> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    file::replace(&name(folder), line.as_bytes())
}

/// A name and the bytes of a record, for a signal handler to write: it can do no more than that.
pub(super) fn prepare(folder: &Folder, record: &Record) -> io::Result<(CString, Vec<u8>)> {
    file::make_folder(&folder.spool())?;
    let path = CString::new(name(folder).into_os_string().into_vec())?;
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok((path, line))
}

/// A name that sorts by time and that no other process has.
fn name(folder: &Folder) -> PathBuf {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    folder.spool().join(format!("{nanos:020}-{}.jsonl", std::process::id()))
}

/// How many records wait to be merged.
pub(super) fn count(folder: &Folder) -> usize {
    files(folder).len()
}

/// What waits to be merged, oldest first. Files that cannot be read are left alone.
pub(super) fn waiting(folder: &Folder) -> Vec<(PathBuf, Vec<Record>)> {
    files(folder)
        .into_iter()
        .take(BATCH)
        .filter_map(|path| Some((records(&path)?, path)))
        .map(|(r, p)| (p, r))
        .collect()
}

fn files(folder: &Folder) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.spool()) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    paths.sort();
    paths
}

fn records(path: &Path) -> Option<Vec<Record>> {
    let text = file::read_text(path, LARGEST).ok()?;
    Some(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
