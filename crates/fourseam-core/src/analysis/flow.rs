//! What flows from command to command inside one line: taints, and files that the line itself makes.

use super::effect::Taint;
use std::collections::BTreeMap;

/// A set of taints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taints(u8);

impl Taints {
    pub(super) const NONE: Self = Self(0);
    /// The text is shell code by which a known program sets itself up; not told to anyone.
    pub(super) const SETUP: Self = Self(1 << 7);

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn add(&mut self, other: impl Into<Self>) {
        self.0 |= other.into().0;
    }

    pub(super) fn has(self, taint: Taint) -> bool {
        self.0 & Self::from(taint).0 != 0
    }

    /// In the order of their declaration.
    pub(super) fn list(self) -> Vec<Taint> {
        ALL.iter().copied().filter(|taint| self.has(*taint)).collect()
    }
}

const ALL: [Taint; 5] = [Taint::Secret, Taint::Environment, Taint::Download, Taint::Decoded, Taint::Files];

impl From<Taint> for Taints {
    fn from(taint: Taint) -> Self {
        Self(1 << taint as u8)
    }
}

impl From<&[Taint]> for Taints {
    fn from(taints: &[Taint]) -> Self {
        taints.iter().fold(Self::NONE, |all, taint| all.with((*taint).into()))
    }
}

/// What arrives on standard input.
#[derive(Clone, Debug, Default)]
pub(super) struct Input {
    /// What it carries.
    pub(super) taints: Taints,
    /// The whole text, if it is known.
    pub(super) text: Option<String>,
    /// The parts of the text that are known, where the whole is not.
    pub(super) known_parts: Option<String>,
    /// The file it comes from as it is, resolved (`< x`, `cat x |`).
    pub(super) file: Option<String>,
    /// Something is fed: a pipe, a file, a text.
    pub(super) fed: bool,
    /// Where the words of it come from, for commands that take them as arguments.
    pub(super) words: Option<fourseam_shell::Word>,
}

/// What the line itself did to files, by resolved path.
#[derive(Debug, Default)]
pub(super) struct Changes {
    files: BTreeMap<String, Change>,
    /// Folders into which something was unpacked, fetched or moved.
    folders: Vec<(String, Taints)>,
    /// Known texts that were put into files, by path.
    added: Vec<(String, String)>,
    /// Links and where they lead.
    links: Vec<(String, String)>,
}

/// What the line knows of a file that it made.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    /// What its content carries.
    pub(super) taints: Taints,
    /// Its text, if that is known.
    pub(super) text: Option<String>,
}

impl Changes {
    /// Whether the line changed nothing so far, as far as is known.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.links.is_empty()
    }

    /// Notes that a file was made or replaced.
    pub(super) fn write(&mut self, path: &str, taints: Taints, text: Option<String>) {
        self.added.extend(text.clone().map(|text| (path.to_owned(), text)));
        self.files.insert(path.to_owned(), Change { taints, text });
    }

    /// Notes that text was added to a file.
    pub(super) fn append(&mut self, path: &str, taints: Taints, text: Option<String>) {
        self.added.extend(text.clone().map(|text| (path.to_owned(), text)));
        let change = self.files.entry(path.to_owned()).or_default();
        change.taints.add(taints);
        change.text = match (change.text.take(), text) {
            (Some(mut before), Some(text)) => {
                before.push_str(&text);
                Some(before)
            }
            _ => None,
        };
    }

    /// Notes that a link was made.
    pub(super) fn link(&mut self, path: &str, end: &str) {
        self.links.push((path.to_owned(), end.to_owned()));
    }

    /// Where a path leads when one of the links stands on its way, or at its end.
    pub(super) fn through_links(&self, path: &str, last: bool) -> Option<String> {
        let (link, end) =
            self.links.iter().rfind(|(link, _)| crate::world::is_below(path, link) && (last || path != link))?;
        Some(format!("{}{}", end.trim_end_matches('/'), path.strip_prefix(link.as_str())?))
    }

    /// Notes that something unknown was put below a folder.
    pub(super) fn fill(&mut self, folder: &str, taints: Taints) {
        self.folders.push((folder.trim_end_matches('/').to_owned(), taints));
    }

    /// Known texts that the line puts into files, by path.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        self.added.clone()
    }

    /// What is known of the content of a path that the line made or changed. `None`: the line did not touch it.
    pub(super) fn of(&self, path: &str) -> Option<Change> {
        if let Some(change) = self.files.get(path) {
            return Some(change.clone());
        }
        let inside = |folder: &str| crate::world::is_below(path, folder);
        let mut taints = Taints::NONE;
        let mut touched = false;
        for (_, filled) in self.folders.iter().filter(|(folder, _)| inside(folder)) {
            touched = true;
            taints.add(*filled);
        }
        // A folder that was made, moved or linked as a whole.
        for (_, change) in self.files.iter().filter(|(made, _)| inside(made)) {
            touched = true;
            taints.add(change.taints);
        }
        touched.then_some(Change { taints, text: None })
    }

    /// What files below a folder carry, for commands that read all of it.
    pub(super) fn below(&self, folder: &str) -> Taints {
        let found = self.files.iter().filter(|(path, _)| crate::world::is_below(path, folder));
        found.fold(Taints::NONE, |all, (_, change)| all.with(change.taints))
    }
}

/// Whether a variable's name says that it holds a credential.
pub(super) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_public = [
        "PUBLIC",
        "TOKENIZ",
        "MAX_TOKENS",
        "KEYBOARD",
        "SECRET_NAME",
        "SECRETS_FILE",
        "TOKEN_COUNT",
        "KEY_ID",
        "KEY_FILE",
        "KEY_PATH",
    ];
    let is_credential = [
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "PASSPHRASE",
        "API_KEY",
        "APIKEY",
        "ACCESS_KEY",
        "PRIVATE_KEY",
        "CREDENTIAL",
        "AUTH_KEY",
        "DATABASE_URL",
        "CONNECTION_STRING",
        "SIGNING_KEY",
        "ENCRYPTION_KEY",
        "_PAT",
        "DB_PASS",
        "_PWD",
    ];
    !is_public.iter().any(|part| name.contains(part)) && is_credential.iter().any(|part| name.contains(part))
}
