//! What is added to the log from now on, also when the file is set aside meanwhile.

use super::Folder;
use super::files::{Identity, identity, read_only, set_aside};
use super::rows::{self, Broken, Row};
use crate::home::Home;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// The end of the log, watched.
pub(crate) struct Follow {
    folder: Folder,
    tail: Option<Tail>,
}

/// A file that is read to its end, again and again.
struct Tail {
    path: Rc<Path>,
    file: File,
    identity: Identity,
    /// Bytes that were read.
    offset: u64,
    /// Lines that were read.
    lines: u64,
    /// The beginning of a line that is still being written.
    begun: Vec<u8>,
}

impl Follow {
    /// From the end of the log as it is.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(crate) fn from_end(home: &Home) -> io::Result<Self> {
        let folder = Folder::of(home);
        let path = folder.log();
        let tail = if path.exists() { Some(Tail::open(&path)?) } else { None };
        let mut follow = Self { folder, tail };
        if let Some(tail) = &mut follow.tail {
            tail.offset = tail.file.metadata()?.len();
        }
        Ok(follow)
    }

    /// What has come since the last time.
    ///
    /// # Errors
    /// When a file cannot be read on.
    pub(crate) fn more(&mut self) -> io::Result<Vec<Result<Row, Broken>>> {
        let mut found = Vec::new();
        loop {
            let Some(tail) = &mut self.tail else {
                let path = self.folder.log();
                if !path.exists() {
                    return Ok(found);
                }
                self.tail = Some(Tail::open(&path)?);
                continue;
            };
            tail.read(&mut found)?;
            if identity(&self.folder.log()).is_none_or(|now| now == tail.identity) {
                return Ok(found);
            }
            // It was set aside: what was written before that comes first.
            tail.read(&mut found)?;
            let next = self.after(self.tail.as_ref().map(|tail| tail.identity))?;
            self.tail = Some(Tail::open(&next)?);
        }
    }

    /// The file that follows the one of this identity.
    fn after(&self, known: Option<Identity>) -> io::Result<PathBuf> {
        let aside = set_aside(&self.folder)?;
        let at = aside.iter().position(|path| identity(path) == known);
        let next = at.and_then(|at| aside.get(at + 1)).cloned();
        Ok(next.unwrap_or_else(|| self.folder.log()))
    }
}

impl Tail {
    fn open(path: &Path) -> io::Result<Self> {
        let file = read_only(path)?;
        let identity = Identity::of(&file.metadata()?);
        Ok(Self { path: path.into(), file, identity, offset: 0, lines: 0, begun: Vec::new() })
    }

    /// Reads whole lines up to the end of the file.
    fn read(&mut self, found: &mut Vec<Result<Row, Broken>>) -> io::Result<()> {
        let mut piece = vec![0; PIECE];
        loop {
            let count = self.file.read_at(&mut piece, self.offset)?;
            let Some(read) = piece.get(..count).filter(|read| !read.is_empty()) else { return Ok(()) };
            self.offset += count as u64;
            for part in read.split_inclusive(|byte| *byte == b'\n') {
                self.begun.extend_from_slice(part);
                if part.ends_with(b"\n") {
                    self.lines += 1;
                    let line = std::mem::take(&mut self.begun);
                    found.push(rows::read(&line, &self.path, self.lines));
                }
            }
        }
    }
}
