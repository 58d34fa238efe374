//! The chain of the log: each line names the hash of the line before. Repairs forward: a torn last line is closed
//! and stays, so that what was written is never changed.

use super::files::name_aside;
use super::{Folder, open};
use fourseam_core::record::{Link, Record, hash};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A log past this size is set aside, and the chain goes on in a new file.
const ROTATE_AT: u64 = 64 * 1024 * 1024;

/// Bytes read at the end of a log whose head is missing or behind.
const TAIL: u64 = 4 * 1024 * 1024;

/// The log, open at its end, its lock held.
pub(super) struct Chain {
    log: File,
    head_file: File,
    head: Head,
    pending: String,
}

/// Where the chain ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// Place of the next line.
    next: Link,
    /// Bytes of the log so far.
    length: u64,
}

impl Chain {
    /// Opens the log and finds its end.
    pub(super) fn open(folder: &Folder) -> io::Result<Self> {
        let mut head_file = open(&folder.head(), OpenOptions::new().read(true).write(true))?;
        let mut text = String::new();
        head_file.read_to_string(&mut text)?;
        let known: Option<Head> = serde_json::from_str(&text).ok();
        let mut log = open_log(folder)?;
        let length = log.metadata()?.len();
        let mut head = match known {
            Some(head) if head.length == length => head,
            known => end_of(&mut log, length, known)?,
        };
        if head.length > ROTATE_AT {
            std::fs::rename(folder.log(), name_aside(folder, head.next.seq - 1))?;
            log = open_log(folder)?;
            head.length = 0;
        }
        Ok(Self { log, head_file, head, pending: String::new() })
    }

    /// Puts a record at the end, to be written by [`Chain::write`].
    pub(super) fn push(&mut self, record: &Record) -> io::Result<()> {
        let line = record.line(&self.head.next)?;
        self.head.next = self.head.next.after(line.as_bytes());
        self.pending.push_str(&line);
        Ok(())
    }

    /// Writes what was pushed, in one go, then the head.
    pub(super) fn write(&mut self) -> io::Result<()> {
        self.log.write_all(self.pending.as_bytes())?;
        self.head.length += self.pending.len() as u64;
        self.pending.clear();
        let head = serde_json::to_string(&self.head)?;
        self.head_file.seek(SeekFrom::Start(0))?;
        // Blanks at the end cover what a longer head left behind.
        self.head_file.write_all(format!("{head:<160}\n").as_bytes())
    }
}

fn open_log(folder: &Folder) -> io::Result<File> {
    open(&folder.log(), OpenOptions::new().read(true).append(true))
}

/// The end of a log that a crash left behind its head, or whose head is lost. A torn last line is closed.
///
/// A log shorter than its head was cut: the chain goes on from the head, so that the hole can be seen.
fn end_of(log: &mut File, mut length: u64, known: Option<Head>) -> io::Result<Head> {
    if let Some(head) = known
        && head.length > length
    {
        return Ok(Head { next: head.next, length });
    }
    log.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    log.take(TAIL).read_to_end(&mut tail)?;
    if tail.last().is_some_and(|last| *last != b'\n') {
        log.write_all(b"\n")?;
        tail.push(b'\n');
        length += 1;
    }
    Ok(Head { next: next_link(&tail), length })
}

/// The place after the last line: its number is one more than that of the last whole record, and a torn line counts
/// as none.
fn next_link(tail: &[u8]) -> Link {
    let mut lines = tail.split_inclusive(|byte| *byte == b'\n').rev();
    let Some(last) = lines.next() else { return Link::first() };
    let seq = std::iter::once(last).chain(lines).find_map(|line| serde_json::from_slice::<Numbered>(line).ok());
    Link { seq: seq.map_or(0, |line| line.seq) + 1, prev: hash(last) }
}

#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}
