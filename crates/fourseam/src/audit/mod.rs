//! The audit log: one line a hook call, one chain a machine. Writing never fails a call: what goes wrong comes back
//! as a text for standard error.
//!
//! `audit/log.jsonl` is the chain; `audit/head` says where its end is; `audit/lock` is held while the chain grows;
//! `audit/spool/` takes the records of calls that could not wait for the lock, and the next holder merges them.

mod chain;
mod export;
mod files;
mod filter;
mod follow;
mod kept;
mod own;
mod replay;
mod report;
mod retention;
mod rows;
mod spool;
mod verify;

use crate::file::make_folder;
use crate::home::Home;
use fourseam_core::record::Record;
use std::ffi::CString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use export::Format;
pub(crate) use filter::Filter;
pub(crate) use follow::Follow;
pub(crate) use kept::KeptHead;
pub(crate) use own::of_fourseam;
pub(crate) use replay::{Again, Said, find, replay};
pub(crate) use retention::Limits;
pub(crate) use rows::{Broken, Row, Rows, rows};
pub(crate) use verify::verify;

/// How long a call waits for the lock.
const PATIENCE: Duration = Duration::from_millis(50);

/// Appends a record.
///
/// # Errors
/// What could not be written, and why.
pub(crate) fn append(home: &Home, record: &Record) -> Result<(), String> {
    append_within(home, record, &Limits::NONE)
}

/// Appends a record, and keeps the log within its limits.
///
/// # Errors
/// As [`append`].
pub(crate) fn append_within(home: &Home, record: &Record, limits: &Limits) -> Result<(), String> {
    let folder = Folder::of(home);
    folder.write(record, limits).map_err(|error| format!("audit log `{}`: {error}", folder.0.display()))
}

/// Where, and in which bytes, a crash is to be noted; the next call merges it. `None` when there is no place for it.
pub(crate) fn note(home: &Home, record: &Record) -> Option<(CString, Vec<u8>)> {
    spool::prepare(&Folder::of(home), record).ok()
}

/// The folder of the log.
#[derive(Clone)]
struct Folder(PathBuf);

impl Folder {
    fn of(home: &Home) -> Self {
        Self(home.audit())
    }

    fn write(&self, record: &Record, limits: &Limits) -> io::Result<()> {
        make_folder(&self.0)?;
        let lock = open(&self.0.join("lock"), OpenOptions::new().write(true))?;
        if !locked(&lock)? {
            return spool::put(self, record);
        }
        let mut chain = chain::Chain::open(self)?;
        for (path, records) in spool::waiting(self) {
            records.iter().try_for_each(|record| chain.push(record))?;
            chain.write()?;
            std::fs::remove_file(path)?;
        }
        chain.push(record)?;
        chain.write()?;
        // The record is safe; that old files could not be moved is no reason to call it lost.
        let _ = chain.keep_within(limits);
        Ok(())
    }

    fn log(&self) -> PathBuf {
        self.0.join("log.jsonl")
    }

    fn head(&self) -> PathBuf {
        self.0.join("head")
    }

    fn spool(&self) -> PathBuf {
        self.0.join("spool")
    }
}

/// The lock, for as long as it takes to look where the log ends. Where it cannot be had, looking goes without: at
/// worst a line that is being written looks torn.
fn lock_to_read(folder: &Folder) -> Option<File> {
    let lock = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(folder.0.join("lock")).ok()?;
    (0..40).any(|_| matches!(locked(&lock), Ok(true) | Err(_))).then_some(lock)
}

/// Tries for the lock; it is let go when the file is closed, also by a crash.
fn locked(lock: &File) -> io::Result<bool> {
    let end = Instant::now() + PATIENCE;
    let mut pause = Duration::from_micros(200);
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if Instant::now() + pause < end => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Opens a file that only the user can read, made if it is missing. Never follows a link at its place, and never
/// waits for the other end of a pipe.
fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    how.create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod verify_tests;
