//! What is known when a text starts, and while it runs: variables, functions, aliases, working directory.
//!
//! A name has one or several possible values: after `if a; then X=1; else X=2; fi` it has two.

use crate::ir::{Piece, Scope, Span, Unknown, UnknownFrom, Word};
use crate::map::Map;
use crate::tree::Function;
use std::rc::Rc;

/// More possible values than this become one that is not known.
const MAX_VALUES: usize = 6;

/// Entries that are no variables have names that no variable can have.
pub(crate) const CWD: &str = "/cwd";
pub(crate) const PREVIOUS_CWD: &str = "/oldpwd";
pub(crate) const FOLDERS: &str = "/folders";
pub(crate) const POSITIONAL: &str = "@";

/// Begins the entry of a file.
const FILE: &str = "file ";

/// The entry of a function.
pub(crate) fn function_entry(name: &str) -> String {
    format!("{name} ()")
}

/// The entry of an alias.
pub(crate) fn alias_entry(name: &str) -> String {
    format!("alias {name}")
}

/// The entry of a file that the text writes.
pub(crate) fn file_entry(path: &str) -> String {
    format!("{FILE}{path}")
}

/// Whether an entry is that of a file.
pub(crate) fn is_file(name: &str) -> bool {
    name.starts_with(FILE)
}

/// The entry that says which variable another one refers to.
pub(crate) fn reference_entry(name: &str) -> String {
    format!("reference {name}")
}

/// Shared state behind [`Scope`].
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    entries: Map<Entry>,
    /// What follows does not run: `exit` or `return` came before.
    pub(crate) dead: bool,
    /// Some function, alias or reference was defined: most texts need not look for any.
    pub(crate) has_definitions: bool,
    /// Some variable is an array.
    pub(crate) has_arrays: bool,
    /// How many files the text wrote that are kept, at most: names may count twice.
    pub(crate) files: usize,
}

/// What is known of one name.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// At least one.
    pub(crate) values: Rc<[Value]>,
    pub(crate) exported: bool,
    /// `readonly`: an assignment to it fails, so that the old value may hold.
    pub(crate) readonly: bool,
    /// `declare -u` and `declare -l`.
    pub(crate) case: Option<Case>,
}

/// Letter case that a variable gives to its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Upper,
    Lower,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Neither assigned nor told by the caller.
    NotKnown,
    Unset,
    Text(Vec<Piece>),
    /// Subscripts with their values, in order.
    Array(Vec<(String, Vec<Piece>)>),
    Function(SharedFunction),
}

/// A function; two are equal only if they are the same definition.
#[derive(Clone, Debug)]
pub(crate) struct SharedFunction(pub(crate) Rc<Function>);

impl PartialEq for SharedFunction {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Entry {
    pub(crate) fn new(value: Value, exported: bool) -> Self {
        Self { values: Rc::from([value]), exported, readonly: false, case: None }
    }
}

impl State {
    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    pub(crate) fn set(&mut self, name: &Rc<str>, entry: Entry) {
        self.has_arrays |= is_variable(name) && matches!(entry.values.first(), Some(Value::Array(_)));
        if is_file(name) {
            self.files += 1;
        } else {
            self.has_definitions |= name.contains(' ');
        }
        self.entries = self.entries.with(name, entry);
    }

    /// Every name with a function or variable.
    pub(crate) fn for_each(&self, visit: &mut impl FnMut(&Rc<str>, &Entry)) {
        self.entries.for_each(visit);
    }

    /// The state after one of several ways was taken; `changed` lists every name that may differ between them.
    /// Ways that end before (`exit`) do not count.
    pub(crate) fn merged(mut ways: Vec<Self>, changed: &[Rc<str>]) -> Self {
        if ways.iter().any(|way| !way.dead) {
            ways.retain(|way| !way.dead);
        }
        let Some(mut merged) = ways.first().cloned() else { return Self::default() };
        if ways.len() == 1 {
            return merged;
        }
        let mut names: Vec<&Rc<str>> = changed.iter().collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let entry = merged_entry(name, &ways);
            merged.set(name, entry);
        }
        merged
    }
}

fn merged_entry(name: &str, ways: &[State]) -> Entry {
    let mut values: Vec<Value> = Vec::new();
    let (mut exported, mut readonly, mut case) = (false, false, None);
    for way in ways {
        let Some(entry) = way.get(name) else {
            if !values.contains(&Value::NotKnown) {
                values.push(Value::NotKnown);
            }
            continue;
        };
        exported |= entry.exported;
        readonly |= entry.readonly;
        case = case.or(entry.case);
        for value in entry.values.iter() {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    Entry { values: bounded(name, values), exported, readonly, case }
}

/// The values, or the first of them and one that is not known.
pub(crate) fn bounded(name: &str, mut values: Vec<Value>) -> Rc<[Value]> {
    if values.len() > MAX_VALUES {
        values.truncate(MAX_VALUES - 1);
        values.push(Value::Text(vec![assigned(name, Vec::new())]));
    }
    Rc::from(values)
}

/// A value that is not known, of a variable that was given one.
pub(crate) fn assigned(name: &str, commands: Vec<usize>) -> Piece {
    let from = UnknownFrom::Assigned { name: name.to_owned(), commands };
    Piece::Unknown(Unknown { source: format!("${name}"), from, may_split: false })
}

impl Scope {
    /// Sets an exported variable, as the environment does. `HOME` also serves `~`.
    #[must_use]
    pub fn with_variable(self, name: &str, value: &str) -> Self {
        let pieces = if value.is_empty() { Vec::new() } else { vec![Piece::Literal(value.to_owned())] };
        self.with_entry(name, Entry::new(Value::Text(pieces), true))
    }

    /// Says that a variable is known to be unset.
    #[must_use]
    pub fn with_unset(self, name: &str) -> Self {
        self.with_entry(name, Entry::new(Value::Unset, false))
    }

    /// Sets the working directory.
    #[must_use]
    pub fn with_cwd(self, path: &str) -> Self {
        self.with_entry(CWD, Entry::new(Value::Text(vec![Piece::Literal(path.to_owned())]), true))
    }

    /// Sets the positional parameters, from `$1` on.
    #[must_use]
    pub fn with_positional(self, words: &[Word]) -> Self {
        let numbered = words.iter().enumerate().map(|(at, word)| ((at + 1).to_string(), word.pieces.clone()));
        self.with_entry(POSITIONAL, Entry::new(Value::Array(numbered.collect()), false))
    }

    /// What a child shell knows: exported variables and the working directory. Functions and aliases are not passed on,
    /// and the positional parameters are the child's own.
    #[must_use]
    pub fn exported(&self) -> Self {
        let mut child = State::default();
        self.0.for_each(&mut |name, entry| {
            if entry.exported {
                child.set(name, entry.clone());
            } else if is_variable(name) && entry.values.iter().any(|value| *value != Value::NotKnown) {
                child.set(name, Entry::new(Value::Unset, false));
            }
        });
        Self(Rc::new(child))
    }

    /// The working directory, if it is known and single.
    #[must_use]
    pub fn cwd(&self) -> Option<Word> {
        match self.0.get(CWD)?.values.as_ref() {
            [Value::Text(pieces)] => Some(Word { pieces: pieces.clone(), span: Span::default(), quoted: false }),
            _ => None,
        }
    }

    /// What is known to stand in a file that the text wrote before this command runs. The path is a word of the command:
    /// seen from its working directory, and maybe with parts that are not known but the same as when it was written
    /// (`F=$(mktemp); echo ls > $F; sh $F`). `None`: the text did not write it, or what it wrote is not known.
    #[must_use]
    pub fn file(&self, path: &Word) -> Option<Word> {
        let cwd = self.cwd().map(|cwd| cwd.pieces);
        match self.0.get(&file_entry(&file_key(&path.pieces, cwd.as_deref())?))?.values.as_ref() {
            [Value::Text(pieces)] => Some(Word { pieces: pieces.clone(), span: Span::default(), quoted: false }),
            _ => None,
        }
    }

    fn with_entry(mut self, name: &str, entry: Entry) -> Self {
        Rc::make_mut(&mut self.0).set(&Rc::from(name), entry);
        self
    }
}

/// What tells files apart: the absolute path, or the pieces of a path of which a part is not known but does not change.
pub(crate) fn file_key(path: &[Piece], cwd: Option<&[Piece]>) -> Option<String> {
    let mut whole = String::new();
    let absolute = match path.first()? {
        Piece::Literal(text) => text.starts_with('/'),
        Piece::Unknown(_) => true,
        Piece::Glob(_) => false,
    };
    if !absolute {
        whole.push_str(&file_key(cwd?, None)?);
        whole.push('/');
    }
    for piece in path {
        match piece {
            Piece::Literal(text) => whole.push_str(text),
            Piece::Unknown(Unknown { from: from @ UnknownFrom::Variable(_), .. }) => {
                whole.push_str(&format!("{from:?}"))
            }
            Piece::Unknown(Unknown { from: UnknownFrom::Assigned { commands, .. }, .. }) if !commands.is_empty() => {
                whole.push_str(&format!("{commands:?}"));
            }
            Piece::Unknown(_) | Piece::Glob(_) => return None,
        }
    }
    Some(if whole.starts_with('/') { normalised(&whole) } else { whole })
}

/// An absolute path with `.`, `..` and doubled slashes resolved.
pub(crate) fn normalised(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn is_variable(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
