//! Reads git's index (versions 2 to 4): which files are tracked, and how they looked when they were added. Format:
//! <https://git-scm.com/docs/index-format>. What it does not understand is `None`.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// An index with 20-byte hashes.
pub(super) struct Index<'a> {
    rest: &'a [u8],
    version: u32,
    count: u32,
    /// When the index itself was written: seconds, nanoseconds.
    written: (i64, i64),
}

/// One tracked file as it looked when it was added.
pub(super) struct Entry {
    mtime: (u32, u32),
    ctime: (u32, u32),
    inode: u32,
    mode: u32,
    size: u32,
    /// The user told git to believe that it is unchanged, it is in conflict, or it changed in the same instant in
    /// which the index was written: what is noted does not tell.
    doubtful: bool,
}

/// Flags of an entry.
const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const NAME_LENGTH: u16 = 0x0fff;

impl<'a> Index<'a> {
    /// Reads the head. `written`: facts of the index file.
    pub(super) fn new(bytes: &'a [u8], written: &Metadata) -> Option<Self> {
        let mut rest = bytes.strip_prefix(b"DIRC")?;
        let version = take_u32(&mut rest)?;
        let count = take_u32(&mut rest)?;
        let known = (2..=4).contains(&version);
        known.then_some(Self { rest, version, count, written: (written.mtime(), written.mtime_nsec()) })
    }

    /// The entries at or below a path, by path. `None` when the index cannot be read to its end.
    pub(super) fn below(mut self, path: &[u8]) -> Option<BTreeMap<Vec<u8>, Entry>> {
        let mut found = BTreeMap::new();
        let mut name = Vec::new();
        for _ in 0..self.count {
            let entry = self.next_entry(&mut name)?;
            let below = name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"));
            if below {
                found.insert(name.clone(), entry);
            }
        }
        self.is_whole().then_some(found)
    }

    /// Whether no extension moves entries to another file (`link`), or folds folders into one entry (`sdir`).
    fn is_whole(&self) -> bool {
        let mut rest = self.rest;
        // The last 20 bytes are the checksum.
        while rest.len() > 20 {
            let Some((name, after)) = rest.split_at_checked(4) else { return false };
            rest = after;
            let Some(length) = take_u32(&mut rest).and_then(|length| usize::try_from(length).ok()) else {
                return false;
            };
            let Some((_, after)) = rest.split_at_checked(length) else { return false };
            rest = after;
            if name == b"link" || name == b"sdir" {
                return false;
            }
        }
        true
    }

    /// Reads one entry; `name` holds the name before and then the new one.
    fn next_entry(&mut self, name: &mut Vec<u8>) -> Option<Entry> {
        let start = self.rest.len();
        let ctime = (take_u32(&mut self.rest)?, take_u32(&mut self.rest)?);
        let mtime = (take_u32(&mut self.rest)?, take_u32(&mut self.rest)?);
        let _device = take_u32(&mut self.rest)?;
        let inode = take_u32(&mut self.rest)?;
        let mode = take_u32(&mut self.rest)?;
        let _owner = (take_u32(&mut self.rest)?, take_u32(&mut self.rest)?);
        let size = take_u32(&mut self.rest)?;
        self.skip(20)?;
        let flags = take_u16(&mut self.rest)?;
        let extended = if flags & EXTENDED != 0 { take_u16(&mut self.rest)? } else { 0 };
        self.take_name(name, flags, start)?;
        let racy = (i64::from(mtime.0), i64::from(mtime.1)) >= self.written;
        let doubtful = flags & (ASSUME_VALID | STAGE) != 0 || extended != 0 || racy;
        Some(Entry { mtime, ctime, inode, mode, size, doubtful })
    }

    fn take_name(&mut self, name: &mut Vec<u8>, flags: u16, start: usize) -> Option<()> {
        if self.version == 4 {
            // Shares its beginning with the name before.
            let dropped = self.take_varint()?;
            name.truncate(name.len().checked_sub(dropped)?);
            let end = self.rest.iter().position(|byte| *byte == 0)?;
            name.extend_from_slice(self.rest.get(..end)?);
            return self.skip(end + 1);
        }
        let noted = flags & NAME_LENGTH;
        let length =
            if noted < NAME_LENGTH { usize::from(noted) } else { self.rest.iter().position(|byte| *byte == 0)? };
        name.clear();
        name.extend_from_slice(self.rest.get(..length)?);
        self.skip(length)?;
        // One to eight NULs, so that an entry is a multiple of eight bytes.
        let read = start - self.rest.len();
        self.skip(8 - read % 8)
    }

    /// A number of seven bits a byte, high ones first, each continuation adding one.
    fn take_varint(&mut self) -> Option<usize> {
        let mut value: usize = 0;
        loop {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?;
        }
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.rest = self.rest.get(count..)?;
        Some(())
    }
}

impl Entry {
    /// Whether a file looks as it did when it was added. `None`: what is noted does not tell.
    pub(super) fn unchanged(&self, facts: &Metadata) -> Option<bool> {
        // git notes the low 32 bits of everything, and zero where it was built without the fact.
        let low = |value: u64| u32::try_from(value & 0xffff_ffff).unwrap_or_default();
        let seconds = |value: i64| low(value.cast_unsigned());
        let time = |noted: (u32, u32), now: (u32, u32)| noted.0 == now.0 && (noted.1 == 0 || noted.1 == now.1);
        let same = time(self.mtime, (seconds(facts.mtime()), seconds(facts.mtime_nsec())))
            && (self.ctime == (0, 0) || time(self.ctime, (seconds(facts.ctime()), seconds(facts.ctime_nsec()))))
            && (self.inode == 0 || self.inode == low(facts.ino()))
            && self.size == low(facts.size())
            && self.mode & 0o170_000 == facts.mode() & 0o170_000
            && self.mode & 0o100 == if facts.is_file() { facts.mode() & 0o100 } else { 0 };
        match (same, self.doubtful) {
            (false, _) => Some(false),
            (true, false) => Some(true),
            (true, true) => None,
        }
    }
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_be_bytes(*bytes))
}

fn take_u16(rest: &mut &[u8]) -> Option<u16> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u16::from_be_bytes(*bytes))
}
