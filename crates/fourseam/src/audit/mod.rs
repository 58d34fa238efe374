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

use crate::file::{self, make_folder};
use crate::home::Home;
use crate::nets::Note;
use chain::Chain;
use fourseam_core::record::Record;
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use export::Format;
pub(crate) use filter::Filter;
pub(crate) use follow::Follow;
pub(crate) use kept::KeptHead;
use own::Own;
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
/// What could not be written, and why; also what was wrong where the record could be kept.
pub(crate) fn append(home: &Home, record: &Record) -> Result<(), String> {
    let troubles = append_within(home, record, &Limits::NONE)?;
    if troubles.is_empty() { Ok(()) } else { Err(troubles.join("; ")) }
}

/// Appends a record, and keeps the log within its limits. Gives back what is wrong with the log though the record is
/// kept.
///
/// # Errors
/// When the record is lost, and why.
pub(crate) fn append_within(home: &Home, record: &Record, limits: &Limits) -> Result<Vec<String>, String> {
    let folder = Folder::of(home);
    let place = |trouble: &dyn Display| format!("audit log `{}`: {trouble}", folder.0.display());
    let troubles = folder.write(record, limits).map_err(|error| place(&error))?;
    Ok(troubles.iter().map(|trouble| place(trouble)).collect())
}

/// Where, and in which bytes, a crash is to be noted; the next call merges it. `None` when there is no place for it.
pub(crate) fn note(home: &Home, record: &Record) -> Option<Note> {
    spool::prepare(&Folder::of(home), record).ok()
}

/// Opens the files of a log that are there, as a call does.
///
/// # Errors
/// When a call could not.
pub(crate) fn try_open(home: &Home) -> io::Result<()> {
    let folder = Folder::of(home);
    for path in [folder.lock(), folder.head(), folder.log()] {
        if path.symlink_metadata().is_ok() {
            open(&path, OpenOptions::new().append(true))?;
        }
    }
    Ok(())
}

/// Records that could not be read when they were to be put into the log.
pub(crate) fn damaged(home: &Home) -> Vec<PathBuf> {
    spool::damaged(&Folder::of(home))
}

/// The folder of the log.
#[derive(Clone)]
struct Folder(PathBuf);

impl Folder {
    fn of(home: &Home) -> Self {
        Self(home.audit())
    }

    /// Puts a record at the end of the log, or into the spool where the log cannot be had. Gives back what is wrong.
    fn write(&self, record: &Record, limits: &Limits) -> io::Result<Vec<String>> {
        make_folder(&self.0)?;
        match self.hold() {
            Ok(Some(mut held)) => {
                let damaged = held.merge(self)?;
                held.chain.push(record)?;
                held.chain.write()?;
                // The record is safe; that old files could not be moved is no reason to call it lost.
                let _ = held.chain.keep_within(limits);
                Ok(damaged)
            }
            Ok(None) => spool::put(self, record).map(|()| Vec::new()),
            Err(error) => match spool::put(self, record) {
                Ok(()) => Ok(vec![format!("{error}; until that is mended, records wait in `spool`")]),
                Err(_) => Err(error),
            },
        }
    }

    /// The log, open at its end and locked. `None` when another holds the lock for too long.
    fn hold(&self) -> io::Result<Option<Held>> {
        let lock = open(&self.lock(), OpenOptions::new().write(true))?;
        if !locked(&lock)? {
            return Ok(None);
        }
        Ok(Some(Held { chain: Chain::open(self)?, lock }))
    }

    fn lock(&self) -> PathBuf {
        self.0.join("lock")
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

/// The log, with its lock.
struct Held {
    chain: Chain,
    #[expect(dead_code, reason = "closing the file lets the lock go")]
    lock: File,
}

impl Held {
    /// Puts what waits in the spool into the log. Gives back what could not be read.
    fn merge(&mut self, folder: &Folder) -> io::Result<Vec<String>> {
        let mut troubles = Vec::new();
        for waiting in spool::waiting(folder) {
            waiting.records.iter().try_for_each(|record| self.chain.push(record))?;
            if let Some(why) = &waiting.damage {
                let file = waiting.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                troubles.push(format!("`spool/{file}.jsonl` is damaged, and kept as `{file}.damaged`: {why}"));
                self.chain.push(&Own::SpoolDamaged { file, why: why.clone() }.record())?;
            }
            self.chain.write()?;
            if let Err(error) = waiting.done() {
                // The call's own record is not to be lost for that.
                troubles.push(format!("`spool` cannot be emptied, so records come into the log twice: {error}"));
                break;
            }
        }
        Ok(troubles)
    }
}

/// The lock, for as long as it takes to look where the log ends. Where it cannot be had, looking goes without: at
/// worst a line that is being written looks torn.
fn lock_to_read(folder: &Folder) -> Option<File> {
    let lock = files::read_only(&folder.lock()).ok()?;
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

/// Opens a regular file that only the user can read, made if it is missing. Never follows a link at its place, and
/// never waits for the other end of a pipe.
fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    let opened = how.create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path);
    let regular = opened.and_then(|file| file::regular(&file).map(|_| file));
    let name = path.file_name().unwrap_or_default().display();
    regular.map_err(|error| io::Error::new(error.kind(), format!("`{name}`: {error}")))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod verify_tests;
