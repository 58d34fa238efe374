//! Files that the text itself writes: what is known to stand in them, for whoever reads or runs them later.

use super::{Outcome, Run};
use crate::ir::{Piece, RedirectKind, Stdin, Word};
use crate::scope::{CWD, Entry, Value, file_entry, file_key};

/// Programs that leave the files they are given as they are, or whose effect on them is followed here.
const READERS: [&str; 36] = [
    "cat", "bash", "sh", "zsh", "dash", "ksh", "source", ".", "chmod", "chown", "ls", "head", "tail", "grep", "wc",
    "echo", "printf", "test", "[", "stat", "file", "less", "more", "cp", "mv", "ln", "tee", "sudo", "env", "time",
    "nohup", "exec", "python3", "python", "node", "diff",
];

/// More files are not kept.
const MAX_FILES: usize = 64;

impl Run {
    /// What is known to stand in a file that this text wrote.
    pub(crate) fn file(&mut self, path: &Word) -> Option<Word> {
        if self.state.files == 0 {
            return None;
        }
        let entry = file_entry(&self.key(path)?);
        self.state.get(&entry)?;
        match self.value(&entry) {
            Value::Text(pieces) => Some(Word { pieces, span: path.span, quoted: true }),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => None,
        }
    }

    /// Keeps what the command at `slot` writes: through redirects, `tee`, `cp`, `mv` and `ln`.
    pub(crate) fn keep_writes(&mut self, slot: usize, outcome: &Outcome) {
        let Some(command) = self.script.commands.get(slot) else { return };
        let program = command.words.first().and_then(Word::literal).unwrap_or_default();
        let name = program.rsplit('/').next().unwrap_or(program);
        if command.redirects.is_empty() && name != "tee" && self.state.files == 0 {
            return;
        }
        let name = name.to_owned();
        let (words, redirects) = (command.words.clone(), command.redirects.clone());
        for redirect in &redirects {
            let append = match redirect.kind {
                RedirectKind::Write | RedirectKind::Clobber | RedirectKind::WriteBoth => false,
                RedirectKind::Append | RedirectKind::AppendBoth => true,
                RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::Duplicate => continue,
            };
            if redirect.fd.unwrap_or(1) == 1 {
                self.write(&redirect.target, outcome.output.single().cloned(), append);
            }
        }
        let operands: Vec<&Word> =
            words.iter().skip(1).filter(|word| !word.literal().is_some_and(|text| text.starts_with('-'))).collect();
        match (name.as_str(), operands.as_slice()) {
            ("tee", files) => {
                let append = words.iter().any(|word| matches!(word.literal(), Some("-a" | "--append")));
                let text = match &self.stdin {
                    Stdin::Text(text) => Some(text.pieces.clone()),
                    Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
                };
                for file in files {
                    self.write(file, text.clone(), append);
                }
            }
            ("cp" | "mv" | "ln" | "install", [from, to]) => self.copy(from, to),
            _ if self.state.files > 0 && !READERS.contains(&name.as_str()) => {
                for file in operands {
                    self.blur(file);
                }
            }
            _ => {}
        }
    }

    fn write(&mut self, path: &Word, text: Option<Vec<Piece>>, append: bool) {
        let Some(key) = self.key(path).filter(|key| !key.starts_with("/dev/")) else { return };
        let entry = file_entry(&key);
        let known = self.state.get(&entry).is_some();
        let before = if append && known { self.value(&entry) } else { Value::NotKnown };
        let value = match (text, before) {
            (Some(text), Value::Text(mut before)) => {
                before.extend(text);
                Value::Text(super::simple::merged(before))
            }
            (Some(text), _) if append => {
                let mut all = vec![super::expand::other("...")];
                all.extend(text);
                Value::Text(all)
            }
            (Some(text), _) => Value::Text(super::simple::merged(text)),
            (None, _) if known => Value::NotKnown,
            (None, _) => return,
        };
        if !known && self.state.files >= MAX_FILES {
            return;
        }
        self.set(&entry, Entry::new(value, true));
    }

    fn copy(&mut self, from: &Word, to: &Word) {
        let Some(text) = self.file(from) else {
            self.blur(to);
            return;
        };
        self.write(to, Some(text.pieces.clone()), false);
        // The target may be a folder.
        if let (Some(name), Some(folder)) = (from.literal().and_then(|path| path.rsplit('/').next()), to.literal()) {
            let inside = Word::known(format!("{folder}/{name}"), to.span);
            self.write(&inside, Some(text.pieces), false);
        }
    }

    /// A program that is not known was given the file: more may stand in it now.
    fn blur(&mut self, path: &Word) {
        let Some(text) = self.file(path) else { return };
        let Some(key) = self.key(path) else { return };
        let mut pieces = text.pieces;
        pieces.push(super::expand::other("..."));
        self.set(&file_entry(&key), Entry::new(Value::Text(pieces), true));
    }

    /// What tells the file apart that a word names.
    fn key(&mut self, path: &Word) -> Option<String> {
        let cwd = match self.value(CWD) {
            Value::Text(pieces) => Some(pieces),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => None,
        };
        file_key(&path.pieces, cwd.as_deref())
    }
}
