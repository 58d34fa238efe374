//! The real world: facts of this machine, read when asked. Starts no process, opens no socket, changes nothing.

mod git;
mod index;

use crate::file;
use crate::session::Session;
use fourseam_core::past::Past;
use fourseam_core::world::{Known, PathFact, Repository, World};
use git::Git;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fs::FileType;
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Longest path that the system takes.
const LONGEST_PATH: usize = 4096;

/// Where a process finds what is its own: what stands there for us is not what the command will find.
const OWN: [&str; 4] = ["/proc/self/", "/proc/thread-self/", "/dev/fd/", "/dev/std"];

/// This machine. Remembers the repositories it has met for as long as it lives: one call.
#[derive(Default)]
pub(crate) struct Machine {
    repositories: RefCell<BTreeMap<PathBuf, Option<Rc<Git>>>>,
    session: Option<Session>,
    past: OnceCell<(Past, Vec<String>)>,
    /// Hash of each text that was read, by path.
    texts: RefCell<BTreeMap<String, String>>,
}

impl Machine {
    /// This machine as a call of a session sees it. The session's memory is read when it is asked for.
    pub(crate) fn in_session(session: Option<Session>) -> Self {
        Self { session, ..Self::default() }
    }

    /// Hash of each text that was read, by path.
    pub(crate) fn texts_read(&self) -> BTreeMap<String, String> {
        self.texts.borrow().clone()
    }

    /// What is wrong with the session's memory, as far as it was read.
    pub(crate) fn troubles(&self) -> &[String] {
        self.past.get().map_or(&[], |(_, troubles)| troubles)
    }

    /// The repository that holds a path, by the nearest `.git` above it.
    fn git(&self, path: &str) -> Option<Rc<Git>> {
        let root = repository_root(Path::new(path))?;
        let mut known = self.repositories.borrow_mut();
        known.entry(root.to_owned()).or_insert_with(|| Git::open(root).map(Rc::new)).clone()
    }
}

/// The folder that holds the nearest `.git` at or above a path. Absolute, or nothing.
pub(crate) fn project_root(path: &str) -> Option<String> {
    repository_root(Path::new(path)).map(|root| root.to_string_lossy().into_owned())
}

fn repository_root(path: &Path) -> Option<&Path> {
    // A longer one names nothing, and looking at each folder above it would take long.
    if path.as_os_str().len() > LONGEST_PATH {
        return None;
    }
    path.ancestors().find(|folder| folder.is_absolute() && folder.join(".git").symlink_metadata().is_ok())
}

impl World for Machine {
    fn home(&self) -> Option<String> {
        std::env::var("HOME").ok().filter(|home| home.starts_with('/'))
    }

    fn variable(&self, name: &str) -> Known<Option<String>> {
        match std::env::var(name) {
            Ok(value) => Known::Yes(Some(value)),
            // The agent may run its commands in another environment: a variable missing here may be set there.
            Err(_) => Known::Unknown,
        }
    }

    fn path(&self, path: &str) -> Known<PathFact> {
        match Path::new(path).symlink_metadata() {
            Ok(facts) => Known::Yes(fact_of(path, facts.file_type())),
            Err(error) if error.kind() == ErrorKind::NotFound => Known::Yes(PathFact::Missing),
            Err(_) => Known::Unknown,
        }
    }

    fn repository(&self, path: &str) -> Known<Option<Repository>> {
        if !path.starts_with('/') {
            return Known::Unknown;
        }
        Known::Yes(self.git(path).map(|git| Repository {
            root: git.root().to_string_lossy().into_owned(),
            branch: git.branch(),
            // Would need the ignore rules and the tree of the last commit.
            clean: None,
            default_branch: git.default_branch(),
        }))
    }

    fn restorable(&self, path: &str) -> Known<bool> {
        let Some(git) = self.git(path) else { return Known::Yes(false) };
        git.restorable(Path::new(path)).map_or(Known::Unknown, Known::Yes)
    }

    fn text(&self, path: &str, limit: usize) -> Known<String> {
        if OWN.iter().any(|own| path.starts_with(own)) {
            return Known::Unknown;
        }
        let Ok(text) = file::read_text(Path::new(path), limit) else { return Known::Unknown };
        self.texts.borrow_mut().insert(path.to_owned(), blake3::hash(text.as_bytes()).to_string());
        Known::Yes(text)
    }

    fn past(&self) -> &Past {
        &self.past.get_or_init(|| self.session.as_ref().map(Session::recall).unwrap_or_default()).0
    }
}

fn fact_of(path: &str, kind: FileType) -> PathFact {
    if kind.is_symlink() {
        let end = std::fs::canonicalize(path).ok();
        PathFact::Link(end.map(|end| end.to_string_lossy().into_owned()))
    } else if kind.is_dir() {
        PathFact::Folder
    } else if kind.is_block_device() || kind.is_char_device() || kind.is_fifo() || kind.is_socket() {
        PathFact::Special
    } else {
        PathFact::File
    }
}

#[cfg(test)]
mod tests;
