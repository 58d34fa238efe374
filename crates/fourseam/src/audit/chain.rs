//! The chain of the log: each line names the hash of the line before. Repairs forward: a torn last line is closed
//! and stays, so that what was written is never changed.

use super::files::{name_aside, read_only, set_aside};
use super::own::Own;
use super::retention::{self, Limits};
use super::{Folder, open};
use crate::{clock, file};
use fourseam_core::record::{Link, Record, hash};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Bytes read at the end of a log whose head is missing or behind.
const TAIL: u64 = 4 * 1024 * 1024;

/// Longest head that is read.
const LARGEST_HEAD: u64 = 4096;

/// Seconds between two looks at old files.
const DAY: u64 = 86_400;

/// The log, open at its end, its lock held.
pub(super) struct Chain {
    folder: Folder,
    log: File,
    head_file: File,
    head: Head,
    pending: String,
}

/// Where the chain ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// Place of the next line.
    pub(super) next: Link,
    /// Bytes of the log so far.
    pub(super) length: u64,
    /// When the file of the log was begun, in seconds since 1970.
    #[serde(default)]
    pub(super) began: u64,
    /// When old files were last looked for, in seconds since 1970.
    #[serde(default)]
    pub(super) looked: u64,
}

/// The head, if it is there and whole.
pub(super) fn read_head(folder: &Folder) -> Option<Head> {
    serde_json::from_slice(&file::read(&folder.head(), usize::try_from(LARGEST_HEAD).ok()?).ok()?).ok()
}

impl Chain {
    /// Opens the log and finds its end.
    pub(super) fn open(folder: &Folder) -> io::Result<Self> {
        let mut head_file = open(&folder.head(), OpenOptions::new().read(true).write(true))?;
        let mut text = Vec::new();
        (&mut head_file).take(LARGEST_HEAD).read_to_end(&mut text)?;
        let known: Option<Head> = serde_json::from_slice(&text).ok();
        if known.is_none() && !text.is_empty() {
            // What is behind a head of ours would make the next one unreadable too.
            head_file.set_len(0)?;
        }
        let mut log = open_log(folder)?;
        let length = log.metadata()?.len();
        let is_lost = known.is_none() && (length > 0 || !set_aside(folder)?.is_empty());
        let head = match known {
            Some(head) if head.length == length => head,
            known => end_of(folder, &mut log, length, known)?,
        };
        let mut chain = Self { folder: folder.clone(), log, head_file, head, pending: String::new() };
        if is_lost {
            chain.push(&Own::HeadLost.record())?;
        }
        Ok(chain)
    }

    /// Sets the log aside where it is past its limits. Then, and once a day, takes away old files that are past theirs.
    pub(super) fn keep_within(&mut self, limits: &Limits) -> io::Result<()> {
        let now = clock::seconds();
        let is_full = limits.are_reached(self.head.length, now.saturating_sub(self.head.began));
        if is_full {
            self.set_aside(now)?;
        }
        // A clock that was set back would else put off the next look.
        let is_due = limits.take_away() && now.abs_diff(self.head.looked) >= DAY;
        if is_full || is_due { self.take_away(limits, now) } else { Ok(()) }
    }

    fn set_aside(&mut self, now: u64) -> io::Result<()> {
        self.write()?;
        let aside = name_aside(&self.folder, self.head.next.seq - 1);
        // A name that is taken belongs to other records: better one long file than lost ones.
        if aside.symlink_metadata().is_ok() {
            return Ok(());
        }
        std::fs::rename(self.folder.log(), aside)?;
        self.log = open_log(&self.folder)?;
        (self.head.length, self.head.began) = (0, now);
        self.write_head()
    }

    fn take_away(&mut self, limits: &Limits, now: u64) -> io::Result<()> {
        self.head.looked = now;
        self.write_head()?;
        let Some(old) = retention::find(&self.folder, limits, now)? else { return Ok(()) };
        self.push(&Own::Retention { last: old.last, hash: old.hash }.record())?;
        self.write()?;
        old.files.iter().try_for_each(std::fs::remove_file)
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
        if self.pending.is_empty() {
            return Ok(());
        }
        self.log.write_all(self.pending.as_bytes())?;
        self.head.length += self.pending.len() as u64;
        self.pending.clear();
        self.write_head()
    }

    fn write_head(&mut self) -> io::Result<()> {
        if self.head.began == 0 {
            self.head.began = clock::seconds();
        }
        let head = serde_json::to_string(&self.head)?;
        self.head_file.seek(SeekFrom::Start(0))?;
        // Blanks at the end cover what a longer head left behind.
        self.head_file.write_all(format!("{head:<200}\n").as_bytes())
    }
}

fn open_log(folder: &Folder) -> io::Result<File> {
    open(&folder.log(), OpenOptions::new().read(true).append(true))
}

/// The end of a log that a crash left behind its head, or whose head is lost. A torn last line is closed.
///
/// A log shorter than its head was cut: the chain goes on from the head, so that the hole can be seen.
fn end_of(folder: &Folder, log: &mut File, mut length: u64, known: Option<Head>) -> io::Result<Head> {
    let (began, looked) = known.as_ref().map_or((0, 0), |head| (head.began, head.looked));
    if let Some(head) = known
        && head.length > length
    {
        return Ok(Head { next: head.next, length, began, looked });
    }
    log.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    log.take(TAIL).read_to_end(&mut tail)?;
    if tail.last().is_some_and(|last| *last != b'\n') {
        log.write_all(b"\n")?;
        tail.push(b'\n');
        length += 1;
    }
    let next = if tail.is_empty() { after_set_aside(folder)? } else { next_link(&tail) };
    Ok(Head { next, length, began, looked })
}

/// The place after the newest file that was set aside.
fn after_set_aside(folder: &Folder) -> io::Result<Link> {
    let Some(newest) = set_aside(folder)?.pop() else { return Ok(Link::first()) };
    let mut file = read_only(&newest)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(next_link(&tail))
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
