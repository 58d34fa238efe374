//! AppleScript: phrases that run other code, remove files or stop the machine.
//!
//! Limits: phrases, no grammar. Variables that are set to known text are followed; what applications do beyond
//! Finder, System Events and the terminals is not known and stays silent.

use super::{Act, ActTarget, Language, Part, Reading, Text};
use crate::analysis::{EffectKind, UnknownClass};
use std::collections::BTreeMap;

/// Reads a script.
pub(super) fn read(text: &str) -> Reading {
    let mut reader = Reader { reading: Reading::default(), variables: BTreeMap::new(), application: String::new() };
    let joined = text.replace("\u{ac}\n", " ");
    for line in joined.lines().take(5000) {
        let words = words(line);
        reader.line(&words);
    }
    reader.reading
}

#[derive(Clone, Debug, PartialEq)]
enum Word {
    /// A word in lower case, or a sign.
    Plain(String),
    Text(String),
}

struct Reader {
    reading: Reading,
    variables: BTreeMap<String, Text>,
    /// The application that is told things, in lower case.
    application: String,
}

impl Reader {
    fn line(&mut self, words: &[Word]) {
        if let Some(at) = phrase(words, &["tell", "application"]).or_else(|| phrase(words, &["tell", "app"]))
            && let Some(Word::Text(name)) = words.get(at)
        {
            self.application = name.to_lowercase();
        }
        if let (Some(Word::Plain(set)), Some(Word::Plain(name)), Some(Word::Plain(to))) =
            (words.first(), words.get(1), words.get(2))
            && set == "set"
            && to == "to"
            && self.variables.len() < 256
        {
            let value = self.value(words.get(3..).unwrap_or_default());
            self.variables.insert(name.clone(), value.into_variable(name));
        }
        if let Some(at) = phrase(words, &["do", "shell", "script"]) {
            if phrase(words, &["administrator", "privileges"]).is_some() {
                self.effect(EffectKind::Privilege, "elevate", ActTarget::None, false);
            }
            self.shell(words.get(at..).unwrap_or_default());
        }
        let typed = phrase(words, &["do", "script"]).or_else(|| phrase(words, &["write", "text"]));
        if let Some(at) = typed.filter(|_| phrase(words, &["do", "shell", "script"]).is_none()) {
            self.shell(words.get(at..).unwrap_or_default());
        }
        if let Some(at) = phrase(words, &["do", "javascript"]).or_else(|| phrase(words, &["execute", "javascript"])) {
            self.reading.doubt(UnknownClass::Code, &self.value(words.get(at..).unwrap_or_default()).display());
        }
        if let Some(at) = phrase(words, &["run", "script"]).or_else(|| phrase(words, &["load", "script"])) {
            let value = self.value(words.get(at..).unwrap_or_default());
            match value.literal() {
                Some(text) => self.reading.act(Act::Code { language: Language::AppleScript, text: text.to_owned() }),
                None => self.reading.doubt(UnknownClass::Code, &value.display()),
            }
        }
        self.applications(words);
    }

    fn applications(&mut self, words: &[Word]) {
        let finder = matches!(self.application.as_str(), "finder" | "system events");
        if let Some(at) = phrase(words, &["delete"]).filter(|_| finder) {
            let path = self.path(words.get(at..).unwrap_or_default());
            self.effect(EffectKind::Delete, "trash", ActTarget::Path(path), true);
        }
        if phrase(words, &["empty", "trash"]).is_some() || phrase(words, &["empty", "the", "trash"]).is_some() {
            let trash = Text::variable("HOME").plus(&Text::known("/.Trash"));
            self.effect(EffectKind::Delete, "delete", ActTarget::Path(trash), true);
        }
        if phrase(words, &["shut", "down"]).is_some()
            || finder && (phrase(words, &["restart"]).is_some() || phrase(words, &["log", "out"]).is_some())
        {
            self.effect(EffectKind::Process, "power-off", ActTarget::None, false);
        }
        if phrase(words, &["make", "login", "item"]).is_some()
            || phrase(words, &["make", "new", "login", "item"]).is_some()
        {
            self.effect(EffectKind::Persist, "autostart", ActTarget::None, false);
        }
        if phrase(words, &["keystroke"]).is_some() || phrase(words, &["key", "code"]).is_some() {
            self.reading.doubt(UnknownClass::Code, "keystrokes to an application");
        }
        if let Some(at) =
            phrase(words, &["write"]).filter(|at| !matches!(words.get(*at), Some(Word::Plain(next)) if next == "text"))
            && phrase(words, &["to", "file"]).is_some()
        {
            self.reading
                .doubt(UnknownClass::DangerousArgument, &self.value(words.get(at..).unwrap_or_default()).display());
        }
    }

    fn shell(&mut self, words: &[Word]) {
        let value = self.value(words);
        let known = !value.has_unknown();
        self.reading.act(Act::Shell { text: value.shell_source(), known, taint: Vec::new() });
    }

    /// Texts and variables joined by `&`, up to a word that is neither.
    fn value(&self, words: &[Word]) -> Text {
        let mut text = Text::default();
        for word in words {
            match word {
                Word::Text(known) => text.push(Part::Known(known.clone())),
                Word::Plain(sign)
                    if matches!(
                        sign.as_str(),
                        "&" | "(" | ")" | "posix" | "file" | "folder" | "the" | "path" | "of"
                    ) => {}
                Word::Plain(name) => match self.variables.get(name) {
                    Some(value) => text.append(value),
                    None if text.parts().is_empty() || matches!(name.as_str(), "quoted" | "form") => {
                        text.push(Part::Unknown(name.clone()));
                    }
                    None if matches!(
                        name.as_str(),
                        "with" | "in" | "as" | "to" | "without" | "password" | "user" | "given"
                    ) =>
                    {
                        return text;
                    }
                    None => text.push(Part::Unknown(name.clone())),
                },
            }
        }
        text
    }

    fn path(&self, words: &[Word]) -> Text {
        if phrase(words, &["home"]).is_some() {
            return Text::variable("HOME");
        }
        match words.iter().find_map(|word| match word {
            Word::Text(text) => Some(text.clone()),
            Word::Plain(_) => None,
        }) {
            Some(text) => Text::known(text),
            None => self.value(words),
        }
    }

    fn effect(&mut self, kind: EffectKind, verb: &'static str, target: ActTarget, recursive: bool) {
        self.reading.act(Act::Effect { kind, verb, target, recursive, taint: Vec::new() });
    }
}

/// The place behind a phrase.
fn phrase(words: &[Word], wanted: &[&str]) -> Option<usize> {
    let is = |word: &Word, wanted: &str| matches!(word, Word::Plain(plain) if plain == wanted);
    let found = words
        .windows(wanted.len())
        .position(|window| window.iter().zip(wanted).all(|(word, wanted)| is(word, wanted)))?;
    Some(found + wanted.len())
}

fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                let mut text = String::new();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => match chars.next() {
                            Some('n') => text.push('\n'),
                            Some('t') => text.push('\t'),
                            Some(c) => text.push(c),
                            None => {}
                        },
                        c => text.push(c),
                    }
                }
                words.push(Word::Text(text));
            }
            '-' if chars.peek() == Some(&'-') => break,
            '#' if words.is_empty() => break,
            c if c.is_whitespace() => {}
            c if c.is_alphanumeric() || c == '_' => {
                let mut word = c.to_lowercase().to_string();
                while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    word.extend(c.to_lowercase());
                }
                words.push(Word::Plain(word));
            }
            c => words.push(Word::Plain(c.to_string())),
        }
    }
    words
}
