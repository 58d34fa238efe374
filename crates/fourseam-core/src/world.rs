//! Read-only facts about the machine, by trait. A fact that is not known never softens a verdict.

use crate::past::Past;
use crate::spelling::compared;
use std::collections::BTreeMap;

/// What the core may ask about the machine. Implementations read; they never run or change anything. Paths are spelled
/// as the machine spells them: `C:\\work` on Windows.
pub trait World {
    /// The user's home folder.
    fn home(&self) -> Option<String>;
    /// An environment variable as the tool call would see it.
    fn variable(&self, name: &str) -> Known<Option<String>>;
    /// What stands at an absolute path.
    fn path(&self, path: &str) -> Known<PathFact>;
    /// The repository that holds an absolute path.
    fn repository(&self, path: &str) -> Known<Option<Repository>>;
    /// Whether version control can bring an absolute path back: tracked, and nothing in it changed.
    fn restorable(&self, path: &str) -> Known<bool>;
    /// Text of a regular file, at most `limit` bytes. `Unknown` when larger, missing, or not text.
    fn text(&self, path: &str, limit: usize) -> Known<String>;
    /// What is remembered of the session. Empty where nothing is.
    fn past(&self) -> &Past;
}

/// A fact, or the lack of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known<T> {
    /// Known.
    Yes(T),
    /// Not known.
    Unknown,
}

impl<T> Known<T> {
    /// The fact, if known.
    #[must_use]
    pub fn ok(self) -> Option<T> {
        match self {
            Self::Yes(fact) => Some(fact),
            Self::Unknown => None,
        }
    }
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFact {
    /// Nothing.
    Missing,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link; the absolute path where it ends, if that could be followed.
    Link(Option<String>),
    /// A device, socket, fifo.
    Special,
}

/// A repository and its state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// Absolute path of its work tree.
    pub root: String,
    /// Current branch; `None`: detached or not known.
    pub branch: Option<String>,
    /// Nothing to lose: no changed and no untracked file. `None`: not known.
    pub clean: Option<bool>,
    /// Default branch of its remote, if known.
    pub default_branch: Option<String>,
}

/// A world told beforehand: for tests, and for cases that carry their own (`check --batch`).
#[derive(Clone, Debug, Default)]
pub struct FixedWorld {
    /// Home folder.
    pub home: Option<String>,
    /// Environment variables; those not listed are not known.
    pub variables: BTreeMap<String, String>,
    /// The one repository.
    pub repository: Option<Repository>,
    /// Paths, relative to the repository root or absolute, that version control can bring back.
    pub restorable: Vec<String>,
    /// Text files by absolute path.
    pub files: BTreeMap<String, String>,
    /// What is remembered of the session.
    pub past: Past,
}

impl FixedWorld {
    fn file(&self, path: &str) -> Option<&String> {
        let is_it = |name: &str| compared(name) == compared(path);
        self.files.get(path).or_else(|| self.files.iter().find(|(name, _)| is_it(name)).map(|(_, text)| text))
    }
}

impl World for FixedWorld {
    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn variable(&self, name: &str) -> Known<Option<String>> {
        self.variables.get(name).map_or(Known::Unknown, |value| Known::Yes(Some(value.clone())))
    }

    fn path(&self, path: &str) -> Known<PathFact> {
        if self.file(path).is_some() { Known::Yes(PathFact::File) } else { Known::Unknown }
    }

    fn repository(&self, path: &str) -> Known<Option<Repository>> {
        match &self.repository {
            Some(repository) if is_below(&compared(path), &compared(&repository.root)) => {
                Known::Yes(Some(repository.clone()))
            }
            _ => Known::Unknown,
        }
    }

    fn restorable(&self, path: &str) -> Known<bool> {
        let Some(repository) = &self.repository else { return Known::Unknown };
        let path = compared(path);
        let root = compared(&repository.root);
        let listed = |entry: &String| {
            let entry = compared(entry);
            entry == path || path.strip_prefix(&root).is_some_and(|rest| rest.trim_start_matches('/') == entry)
        };
        if self.restorable.iter().any(listed) { Known::Yes(true) } else { Known::Unknown }
    }

    fn text(&self, path: &str, limit: usize) -> Known<String> {
        match self.file(path) {
            Some(text) if text.len() <= limit => Known::Yes(text.clone()),
            _ => Known::Unknown,
        }
    }

    fn past(&self) -> &Past {
        &self.past
    }
}

/// Whether `path` is `folder` or stands below it. Both absolute and normalised.
#[must_use]
pub fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
