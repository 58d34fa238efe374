//! What a check of a host's health has to know: which switches turn its hooks off, what its entries say, who else has a
//! word, what it takes until hooks run, where it writes down its calls. Facts and readers of texts; reading files and
//! judging what is found is the binary's.

use crate::jsonedit::{self, BOM};
use crate::tail;
use crate::transcript::Transcripts;
use jsonc_parser::ast::Value;
use toml_edit::{Document, Item};

/// What there is to check of a host.
#[derive(Clone, Copy, Debug)]
pub struct Checkup {
    /// Switches that keep hooks from running.
    pub switches: &'static [Switch],
    /// The key of an entry that holds its timeout, and how many of its units make a second. `None`: the hook file is no
    /// JSON of the common form, and is told by [`crate::install::Install::plan`] alone.
    pub timeout: Option<(&'static str, f64)>,
    /// Among several hooks of an event, the last one's word counts.
    pub last_wins: bool,
    /// Other files, from the project's root, whose hooks this host runs too.
    pub also_reads: &'static [&'static str],
    /// It runs hook entries of other hosts too, and calls for one tool use through each.
    pub runs_others: bool,
    /// Folders with programs of others that may change a call after it was judged, from the user's folder of the host
    /// or, with `./` in front, the project's root.
    pub meddlers: &'static [&'static str],
    /// What hooks need until they run.
    pub activation: Activation,
    /// What it writes down of its sessions.
    pub transcripts: Option<Transcripts>,
}

/// What hooks need until they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Nothing that could be read.
    None,
    /// Each hook is trusted by hash; the host itself is asked.
    CodexTrust,
    /// The folder one works in is trusted, in this JSON file of the host's folder: path to `TRUST_FOLDER`,
    /// `TRUST_PARENT` or another word. No hook runs in others, unless `off` is thrown in the host's settings.
    TrustedFolders {
        /// The file.
        file: &'static str,
        /// The switch that turns the whole question off.
        off: Switch,
    },
    /// As above for hooks of a project only: the folder is in this list of this JSON file of the host's folder.
    TrustedProjects {
        /// The file.
        file: &'static str,
        /// The key of the list.
        key: &'static str,
    },
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The host's folder of the user.
    User,
    /// The project's root.
    Project,
    /// The machine: the path is absolute.
    Machine,
}

/// A setting that keeps hooks from running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Where its file is.
    pub root: Root,
    /// The file from there. TOML when its name says so, else JSON with comments.
    pub file: &'static str,
    /// The path of the key.
    pub key: &'static [&'static str],
    /// The value that keeps hooks from running.
    pub off: Off,
}

/// A value that keeps hooks from running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// This one.
    Is(bool),
    /// A list that holds this word.
    Lists(&'static str),
}

impl Switch {
    /// Whether a text of its file throws it. A text that cannot be read throws nothing.
    #[must_use]
    pub fn is_thrown(&self, text: &str) -> bool {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        if self.file.ends_with(".toml") {
            let Ok(document) = Document::parse(text) else { return false };
            let item = self.key.iter().try_fold(document.as_item(), |item, key| item.get(key));
            return item.is_some_and(|item| self.off.is_toml(item));
        }
        let Ok(Some(root)) = jsonedit::parse(text) else { return false };
        self.key.iter().try_fold(&root, |value, key| member(value, key)).is_some_and(|value| self.off.is_json(value))
    }

    /// The key as a person would name it.
    #[must_use]
    pub fn name(&self) -> String {
        self.key.join(".")
    }
}

impl Off {
    fn is_json(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Is(want), Value::BooleanLit(found)) => found.value == want,
            (Self::Lists(word), Value::Array(list)) => {
                list.elements.iter().any(|element| text_of(element) == Some(word))
            }
            (Self::Is(_) | Self::Lists(_), _) => false,
        }
    }

    fn is_toml(self, item: &Item) -> bool {
        match self {
            Self::Is(want) => item.as_bool() == Some(want),
            Self::Lists(word) => {
                item.as_array().is_some_and(|list| list.iter().any(|element| element.as_str() == Some(word)))
            }
        }
    }
}

/// One of our entries in a hook file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Event, in the host's spelling.
    pub event: String,
    /// The program it calls; `None` where each user's own is looked for.
    pub program: Option<String>,
    /// The state folder it names; `None` likewise.
    pub home: Option<String>,
    /// Seconds the host waits; `None` where it does not say.
    pub timeout: Option<f64>,
    /// Handlers of others come after it at the same event.
    pub is_followed: bool,
}

impl Checkup {
    /// Our entries in a hook file, in its order. Empty when the text is not of the common form.
    #[must_use]
    pub fn entries(&self, text: &str) -> Vec<Entry> {
        let Some((key, units)) = self.timeout else { return Vec::new() };
        let text = text.strip_prefix(BOM).unwrap_or(text);
        let Ok(Some(root)) = jsonedit::parse(text) else { return Vec::new() };
        let Some(hooks) = member(&root, "hooks").and_then(Value::as_object) else { return Vec::new() };
        let mut entries = Vec::new();
        for property in &hooks.properties {
            let mut handlers = Vec::new();
            collect(&property.value, &mut handlers);
            let last = handlers.len().saturating_sub(1);
            for (at, handler) in handlers.iter().enumerate() {
                let Some(words) = our_command(handler) else { continue };
                let timeout = match member(handler, key) {
                    Some(Value::NumberLit(number)) => number.value.parse::<f64>().ok().map(|number| number / units),
                    Some(_) | None => None,
                };
                // `/bin/sh -c SCRIPT PROGRAM HOST EVENT HOME ..`; a program without a path is each user's own.
                let absolute = |at: usize| words.get(at).filter(|word| word.starts_with('/')).cloned();
                entries.push(Entry {
                    event: property.name.as_str().to_owned(),
                    program: absolute(3),
                    home: absolute(6),
                    timeout,
                    is_followed: handlers.iter().skip(at + 1).any(|other| our_command(other).is_none()) && at < last,
                });
            }
        }
        entries
    }
}

/// Whether a folder is trusted by a file as [`Activation::TrustedFolders`] has it. `None`: nothing is said of it, or the
/// text cannot be read.
#[must_use]
pub fn folder_is_trusted(text: &str, folder: &str) -> Option<bool> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let root = jsonedit::parse(text).ok()??;
    let mut nearest: Option<(usize, bool)> = None;
    for property in &root.as_object()?.properties {
        let path = property.name.as_str().trim_end_matches('/');
        let parent = path.rsplit_once('/').map_or("", |(above, _)| above);
        let (covers, trusted) = match text_of(&property.value)? {
            "TRUST_FOLDER" => (path, true),
            "TRUST_PARENT" => (parent, true),
            _ => (path, false),
        };
        let below = folder.strip_prefix(covers).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if below && nearest.is_none_or(|(length, _)| covers.len() >= length) {
            nearest = Some((covers.len(), trusted));
        }
    }
    nearest.map(|(_, trusted)| trusted)
}

/// Whether a folder, or one above it, is in a list of a JSON text.
#[must_use]
pub fn folder_is_listed(text: &str, key: &str, folder: &str) -> bool {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let Ok(Some(root)) = jsonedit::parse(text) else { return false };
    let Some(Value::Array(list)) = member(&root, key) else { return false };
    list.elements.iter().filter_map(text_of).any(|path| {
        let rest = folder.strip_prefix(path.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Handlers in the order in which a host runs them: an entry is one, or a group whose `hooks` holds them.
fn collect<'a, 'b>(value: &'b Value<'a>, handlers: &mut Vec<&'b Value<'a>>) {
    match value {
        Value::Array(list) => list.elements.iter().for_each(|element| collect(element, handlers)),
        Value::Object(_) => match member(value, "hooks") {
            Some(group) => collect(group, handlers),
            None => handlers.push(value),
        },
        Value::StringLit(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => {}
    }
}

/// The words of a handler's command, if it is ours.
fn our_command(handler: &Value) -> Option<Vec<String>> {
    let command = ["command", "bash"].iter().filter_map(|key| member(handler, key)).find_map(text_of)?;
    tail::is_ours(command).then(|| tail::words_of(command))
}

fn member<'a, 'b>(value: &'b Value<'a>, key: &str) -> Option<&'b Value<'a>> {
    let object = value.as_object()?;
    object.properties.iter().rfind(|property| property.name.as_str() == key).map(|property| &property.value)
}

fn text_of<'b>(value: &'b Value<'_>) -> Option<&'b str> {
    match value {
        Value::StringLit(text) => Some(&text.value),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::Object(_) | Value::Array(_) | Value::NullKeyword(_) => None,
    }
}

#[cfg(test)]
mod tests;
