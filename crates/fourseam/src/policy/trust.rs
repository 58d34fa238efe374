//! Which project policies the user has trusted: the path and the very text of each, in `trust.json`. A file that says
//! anything else is not trusted. Asking the user is the verb's business.

use crate::file;
use crate::home::Home;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Largest list that is read.
const LARGEST: usize = 16 * 1024 * 1024;

/// The trusted files by canonical path.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Trusted(BTreeMap<String, Pinned>);

/// A file as it was when it was trusted.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pinned {
    /// When, RFC 3339 in UTC.
    pub(crate) time: String,
    /// What it said.
    pub(crate) text: String,
}

impl Trusted {
    /// The list of a state folder; empty where there is none.
    ///
    /// # Errors
    /// When it cannot be read: then nothing is trusted.
    pub(crate) fn load(home: &Home) -> io::Result<Self> {
        match file::read(&home.trust(), LARGEST) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Writes the list.
    pub(crate) fn save(&self, home: &Home) -> io::Result<()> {
        file::replace(&home.trust(), serde_json::to_string_pretty(self)?.as_bytes())
    }

    /// What was trusted of a file.
    pub(crate) fn of(&self, path: &Path) -> Option<&Pinned> {
        self.0.get(&key(path))
    }

    /// Trusts a file as it is now.
    pub(crate) fn pin(&mut self, path: &Path, pinned: Pinned) {
        self.0.insert(key(path), pinned);
    }

    /// Ends the trust in a file. Says whether there was any.
    pub(crate) fn forget(&mut self, path: &Path) -> bool {
        self.0.remove(&key(path)).is_some()
    }

    /// All of them, by path.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Pinned)> {
        self.0.iter().map(|(path, pinned)| (path.as_str(), pinned))
    }
}

/// Whether the user has trusted exactly this text of a file.
///
/// # Errors
/// As [`Trusted::load`]: then it is not trusted.
pub(super) fn is_trusted(home: &Home, path: &Path, text: &str) -> io::Result<bool> {
    Ok(Trusted::load(home)?.of(path).is_some_and(|pinned| pinned.text == text))
}

/// One name for a file, however its folder is reached.
fn key(path: &Path) -> String {
    let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let path = folder.zip(path.file_name()).map_or_else(|| path.to_owned(), |(folder, name)| folder.join(name));
    path.display().to_string()
}
