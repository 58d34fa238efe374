//! The records of the log, oldest first. Total: a line that is no record comes as an error with its place.

use super::Folder;
use super::files::Lines;
use crate::home::Home;
use fourseam_core::record::{Link, Record, SCHEMA};
use serde::Deserialize;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// A record and its place in the chain.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Its number, and the hash of the line before.
    pub(crate) link: Link,
    /// What was recorded.
    pub(crate) record: Record,
}

/// A line that is no record, or a file that could not be read on.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// File of the line.
    pub(crate) file: Rc<Path>,
    /// Number of the line in its file, from 1; 0 for the file as a whole.
    pub(crate) line: u64,
    /// What is wrong with it.
    pub(crate) why: String,
}

/// Reads every file of the log, oldest first, one line at a time. A missing log has no rows.
///
/// # Errors
/// When the log or its folder cannot be read.
pub(crate) fn rows(home: &Home) -> io::Result<Rows> {
    Ok(Rows(Lines::open(&Folder::of(home))?))
}

/// See [`rows`].
pub(crate) struct Rows(Lines);

impl Iterator for Rows {
    type Item = Result<Row, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self.0.next()? {
            Ok(line) => read(line.bytes, line.file, line.number),
            Err((file, error)) => Err(Broken { file, line: 0, why: format!("cannot be read: {error}") }),
        })
    }
}

/// The record of a line: its bytes, its file, its number there.
pub(super) fn read(bytes: &[u8], file: &Rc<Path>, line: u64) -> Result<Row, Broken> {
    let parsed = numbered(bytes).and_then(|numbered| {
        let link = Link { seq: numbered.seq, prev: numbered.prev.into_owned() };
        Ok(Row { link, record: record(bytes)? })
    });
    parsed.map_err(|why| Broken { file: Rc::clone(file), line, why })
}

/// What a record says of its place, without reading the rest.
#[derive(Deserialize)]
pub(super) struct Numbered<'a> {
    pub(super) seq: u64,
    #[serde(borrow)]
    pub(super) prev: Cow<'a, str>,
    #[serde(default)]
    schema: u32,
}

/// The place in the chain that a line names.
///
/// # Errors
/// Why the line is no record.
pub(super) fn numbered(bytes: &[u8]) -> Result<Numbered<'_>, String> {
    if bytes.last() != Some(&b'\n') {
        return Err("torn: it does not end in a line feed".to_owned());
    }
    serde_json::from_slice(bytes).map_err(|error| format!("no record: {error}"))
}

/// The record of a line, in any form up to ours.
pub(super) fn record(bytes: &[u8]) -> Result<Record, String> {
    serde_json::from_slice(bytes).map_err(|error| match numbered(bytes) {
        Ok(line) if line.schema > SCHEMA => format!("a record of schema {}; this fourseam knows {SCHEMA}", line.schema),
        Ok(_) | Err(_) => format!("no record: {error}"),
    })
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "`{}`: {}", self.file.display(), self.why),
            line => write!(f, "`{}:{line}`: {}", self.file.display(), self.why),
        }
    }
}
