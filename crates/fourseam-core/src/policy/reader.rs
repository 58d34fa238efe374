//! Reads the tree of one policy file and collects everything that is wrong with it. Knows no key of a rule.

use super::condition::Named;
use super::diagnostic::{Diagnostic, Level, Place, nearest};
use super::glob;
use super::words::Word;
use super::yaml::{Entry, Node, Value};

/// One file being read.
pub(super) struct Reader<'t> {
    file: &'t str,
    lines: Vec<&'t str>,
    rule: Option<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, lines: text.lines().collect(), rule: None, diagnostics: Vec::new() }
    }

    /// Names the rule that what follows belongs to.
    pub(super) fn enter_rule(&mut self, id: Option<String>) {
        self.rule = id;
    }

    /// Lines `first..next` of the file (counted from 1), without their common indent.
    pub(super) fn excerpt(&self, first: u32, next: Option<u32>) -> String {
        let index = |line: u32| usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        let end = next.map_or(self.lines.len(), index).min(self.lines.len());
        let lines = self.lines.get(index(first)..end).unwrap_or_default();
        let indent = |line: &&&str| line.len() - line.trim_start_matches([' ', '-']).len();
        let common = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min().unwrap_or(0);
        let cut: Vec<&str> = lines.iter().map(|line| line.get(common..).unwrap_or("")).collect();
        cut.join("\n").trim_end().to_owned()
    }

    pub(super) fn report(
        &mut self,
        level: Level,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        let line = usize::try_from(place.line.saturating_sub(1)).ok().and_then(|index| self.lines.get(index));
        self.diagnostics.push(Diagnostic {
            level,
            code,
            file: self.file.to_owned(),
            place,
            rule: self.rule.clone(),
            message: message.into(),
            help,
            excerpt: line.copied().unwrap_or_default().to_owned(),
        });
    }

    pub(super) fn error(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.report(Level::Error, code, place, message, None);
    }

    /// The entries of a map whose keys are all known; unknown keys are told with the nearest known one.
    pub(super) fn map<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Option<Fields<'n>> {
        let Value::Map(entries) = &node.value else {
            self.error("wrong-type", node.place, format!("{what} is a map, not {}", node.kind()));
            return None;
        };
        for Entry { key, key_place, .. } in entries {
            if !known.contains(&key.as_str()) {
                let help = match nearest(key, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`? see `fourseam policy schema`"),
                    None => format!("known keys: {}", known.join(", ")),
                };
                self.report(
                    Level::Error,
                    "unknown-key",
                    *key_place,
                    format!("unknown key `{key}` in {what}"),
                    Some(help),
                );
            }
        }
        Some(Fields { entries, place: node.place })
    }

    /// A scalar as text.
    pub(super) fn text(&mut self, node: &Node, key: &str) -> Option<String> {
        let text = node.scalar().map(str::trim).filter(|text| !text.is_empty());
        if text.is_none() {
            self.error("wrong-type", node.place, format!("`{key}` is a text, not {}", node.kind()));
        }
        text.map(str::to_owned)
    }

    /// One text or a list of texts.
    pub(super) fn texts(&mut self, node: &Node, key: &str) -> Option<Vec<String>> {
        let items = match &node.value {
            Value::List(items) if !items.is_empty() => items.as_slice(),
            Value::List(_) => {
                self.error("empty-list", node.place, format!("`{key}` is an empty list, which nothing matches"));
                return None;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
                std::slice::from_ref(node)
            }
        };
        let texts: Option<Vec<String>> = items.iter().map(|item| item.scalar().map(str::to_owned)).collect();
        if texts.is_none() {
            self.error("wrong-type", node.place, format!("`{key}` is a text or a list of texts, not {}", node.kind()));
        }
        texts
    }

    /// One glob or a list of globs, braces expanded.
    pub(super) fn globs(&mut self, node: &Node, key: &str) -> Option<Vec<String>> {
        let texts = self.texts(node, key)?;
        Some(texts.iter().flat_map(|text| glob::expand_braces(text)).collect())
    }

    /// One word or a list of words out of `words`; a wrong one is told with the nearest.
    pub(super) fn words(&mut self, node: &Node, key: &str, words: &[&str]) -> Option<Vec<String>> {
        let texts = self.texts(node, key)?;
        let wrong: Vec<&String> = texts.iter().filter(|text| !words.contains(&text.as_str())).collect();
        for text in &wrong {
            let help = match nearest(text, words.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", words.join(", ")),
            };
            let place = self.place_of_item(node, text);
            self.report(Level::Error, "unknown-word", place, format!("`{key}` has no `{text}`"), Some(help));
        }
        wrong.is_empty().then_some(texts)
    }

    /// One word of an enum.
    pub(super) fn word<W: Word>(&mut self, node: &Node, key: &str) -> Option<W> {
        let known: Vec<&str> = W::WORDS.iter().map(|(word, _)| *word).collect();
        let words = self.words(node, key, &known)?;
        let [word] = words.as_slice() else {
            self.error("wrong-type", node.place, format!("`{key}` is one word, not a list"));
            return None;
        };
        W::of_word(word)
    }

    /// `true` or `false`.
    pub(super) fn switch(&mut self, node: &Node, key: &str) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            Value::Null | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                self.error("wrong-type", node.place, format!("`{key}` is true or false, not {}", node.kind()));
                None
            }
        }
    }

    /// A whole number.
    pub(super) fn number(&mut self, node: &Node, key: &str) -> Option<u32> {
        let number = match &node.value {
            Value::Number(text) => text.parse().ok(),
            Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => None,
        };
        if number.is_none() {
            self.error("wrong-type", node.place, format!("`{key}` is a whole number, not {}", node.kind()));
        }
        number
    }

    /// A list, each entry read by `read`; entries that fail are left out.
    pub(super) fn list<T>(
        &mut self,
        node: &Node,
        key: &str,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        match &node.value {
            Value::List(items) => items.iter().filter_map(|item| read(self, item)).collect(),
            Value::Null => Vec::new(),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
                self.error("wrong-type", node.place, format!("`{key}` is a list, not {}", node.kind()));
                Vec::new()
            }
        }
    }

    /// Name and values of every entry of a map; `true` or nothing as value means any.
    pub(super) fn named_globs(&mut self, node: &Node, key: &str) -> Option<Vec<Named>> {
        let Value::Map(entries) = &node.value else {
            self.error("wrong-type", node.place, format!("`{key}` is a map of names and values, not {}", node.kind()));
            return None;
        };
        entries
            .iter()
            .map(|Entry { key: name, value, .. }| {
                let values = match value.value {
                    Value::Null | Value::Bool(true) => Vec::new(),
                    Value::Bool(false) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                        self.globs(value, key)?
                    }
                };
                Some(Named { names: vec![name.clone()], values })
            })
            .collect()
    }

    fn place_of_item(&self, node: &Node, text: &str) -> Place {
        match &node.value {
            Value::List(items) => {
                items.iter().find(|item| item.scalar() == Some(text)).map_or(node.place, |item| item.place)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => node.place,
        }
    }
}

/// The entries of one map.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    pub(super) entries: &'n [Entry],
    pub(super) place: Place,
}

impl<'n> Fields<'n> {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }
}
