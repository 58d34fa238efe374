//! What a decision asked about the machine, and the answers: enough to decide it again. Bounded; what was not known is
//! not there.

use crate::past::Past;
use crate::redact::{redact, redact_lightly, redact_variable};
use crate::world::{Known, PathFact, Repository, World};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Answers of a kind that are kept.
const MOST: usize = 64;
/// Bytes of names and values that are kept in all.
const MOST_BYTES: usize = 8 * 1024;
/// Bytes of a text that is kept itself; of a longer one only its hash is.
const SHORT_TEXT: usize = 1024;

/// Answers of the machine, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answers {
    /// The user's home folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// Environment variables; `null` for one that is not set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, Option<String>>,
    /// What stands at a path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<(String, Fact)>,
    /// The repository that holds a path; `null` for none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<(String, Option<Tree>)>,
    /// Whether version control can bring a path back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub restorable: Vec<(String, bool)>,
    /// Texts that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<Text>,
    /// Answers that were not kept.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: u32,
}

/// As [`PathFact`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// Nothing.
    Missing,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, and where it ends.
    Link(Option<String>),
    /// A device, socket, fifo.
    Special,
}

/// As [`Repository`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// Absolute path of its work tree.
    pub root: String,
    /// Current branch.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch: Option<String>,
    /// Nothing to lose.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clean: Option<bool>,
    /// Default branch of its remote.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub default_branch: Option<String>,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Its path.
    pub path: String,
    /// Its hash: BLAKE3, as hex.
    pub hash: String,
    /// The text itself, where it is short.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
}

impl Answers {
    /// Whether nothing was asked that had an answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Without secrets.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        for (name, value) in &mut self.variables {
            if let Some(value) = value {
                *value = redact_variable(name, value);
            }
        }
        let paths = self.paths.iter_mut().map(|(path, _)| path);
        let paths = paths.chain(self.repositories.iter_mut().map(|(path, _)| path));
        let paths = paths.chain(self.restorable.iter_mut().map(|(path, _)| path));
        for path in paths.chain(self.texts.iter_mut().map(|text| &mut text.path)) {
            *path = redact_lightly(path);
        }
        for text in self.texts.iter_mut().filter_map(|text| text.text.as_mut()) {
            *text = redact(text);
        }
        self
    }

    /// Bytes of what is kept.
    fn size(&self) -> usize {
        let variables: usize =
            self.variables.iter().map(|(name, value)| name.len() + value.as_ref().map_or(0, String::len)).sum();
        let paths: usize = self.paths.iter().map(|(path, _)| path.len() + 16).sum();
        let repositories: usize = self.repositories.iter().map(|(path, _)| 2 * path.len() + 64).sum();
        let restorable: usize = self.restorable.iter().map(|(path, _)| path.len() + 8).sum();
        let texts: usize =
            self.texts.iter().map(|it| it.path.len() + 96 + it.text.as_ref().map_or(0, String::len)).sum();
        variables + paths + repositories + restorable + texts
    }

    fn variable(&mut self, name: &str, value: Option<&String>) {
        let length = name.len() + value.map_or(0, String::len);
        if !self.variables.contains_key(name) && self.has_room(self.variables.len(), length) {
            self.variables.insert(name.to_owned(), value.cloned());
        }
    }

    fn text(&mut self, path: &str, text: &str) {
        let kept = (text.len() <= SHORT_TEXT).then(|| text.to_owned());
        let length = path.len() + kept.as_ref().map_or(0, String::len);
        if self.texts.iter().all(|known| known.path != path) && self.has_room(self.texts.len(), length) {
            let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
            self.texts.push(Text { path: path.to_owned(), hash, text: kept });
        }
    }

    fn has_room(&mut self, count: usize, bytes: usize) -> bool {
        let room = count < MOST && bytes < MOST_BYTES && self.size() + bytes < MOST_BYTES;
        self.more += u32::from(!room);
        room
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A world that writes down what it was asked.
pub struct Recorder<'a> {
    world: &'a dyn World,
    answers: &'a RefCell<Answers>,
}

impl<'a> Recorder<'a> {
    /// Asks `world`, and puts what it knows into `answers`.
    pub fn new(world: &'a dyn World, answers: &'a RefCell<Answers>) -> Self {
        Self { world, answers }
    }
}

impl World for Recorder<'_> {
    fn home(&self) -> Option<String> {
        let home = self.world.home();
        self.answers.borrow_mut().home.clone_from(&home);
        home
    }

    fn variable(&self, name: &str) -> Known<Option<String>> {
        let value = self.world.variable(name);
        if let Known::Yes(value) = &value {
            self.answers.borrow_mut().variable(name, value.as_ref());
        }
        value
    }

    fn path(&self, path: &str) -> Known<PathFact> {
        let fact = self.world.path(path);
        if let Known::Yes(fact) = &fact {
            let mut answers = self.answers.borrow_mut();
            let count = answers.paths.len();
            if !is_listed(&answers.paths, path) && answers.has_room(count, path.len()) {
                answers.paths.push((path.to_owned(), fact.into()));
            }
        }
        fact
    }

    fn repository(&self, path: &str) -> Known<Option<Repository>> {
        let repository = self.world.repository(path);
        if let Known::Yes(repository) = &repository {
            let mut answers = self.answers.borrow_mut();
            let count = answers.repositories.len();
            if !is_listed(&answers.repositories, path) && answers.has_room(count, path.len()) {
                answers.repositories.push((path.to_owned(), repository.as_ref().map(Tree::from)));
            }
        }
        repository
    }

    fn restorable(&self, path: &str) -> Known<bool> {
        let restorable = self.world.restorable(path);
        if let Known::Yes(fact) = &restorable {
            let mut answers = self.answers.borrow_mut();
            let count = answers.restorable.len();
            if !is_listed(&answers.restorable, path) && answers.has_room(count, path.len()) {
                answers.restorable.push((path.to_owned(), *fact));
            }
        }
        restorable
    }

    fn text(&self, path: &str, limit: usize) -> Known<String> {
        let text = self.world.text(path, limit);
        if let Known::Yes(text) = &text {
            self.answers.borrow_mut().text(path, text);
        }
        text
    }

    /// Not an answer of the machine: the rules that come of it say so.
    fn past(&self) -> &Past {
        self.world.past()
    }
}

fn is_listed<T>(list: &[(String, T)], path: &str) -> bool {
    list.iter().any(|(known, _)| known == path)
}

impl From<&PathFact> for Fact {
    fn from(fact: &PathFact) -> Self {
        match fact {
            PathFact::Missing => Self::Missing,
            PathFact::File => Self::File,
            PathFact::Folder => Self::Folder,
            PathFact::Link(end) => Self::Link(end.clone()),
            PathFact::Special => Self::Special,
        }
    }
}

impl From<&Fact> for PathFact {
    fn from(fact: &Fact) -> Self {
        match fact {
            Fact::Missing => Self::Missing,
            Fact::File => Self::File,
            Fact::Folder => Self::Folder,
            Fact::Link(end) => Self::Link(end.clone()),
            Fact::Special => Self::Special,
        }
    }
}

impl From<&Repository> for Tree {
    fn from(tree: &Repository) -> Self {
        let Repository { root, branch, clean, default_branch } = tree.clone();
        Self { root, branch, clean, default_branch }
    }
}

impl From<&Tree> for Repository {
    fn from(tree: &Tree) -> Self {
        let Tree { root, branch, clean, default_branch } = tree.clone();
        Self { root, branch, clean, default_branch }
    }
}
