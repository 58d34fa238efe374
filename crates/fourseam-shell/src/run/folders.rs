//! Where the shell stands: `cd`, `pushd`, `popd`, `pwd`.

use super::parameter::literal;
use super::simple::merged;
use super::{Outcome, Output, Run};
use crate::ir::{Piece, Unknown, UnknownFrom, Word};
use crate::scope::{CWD, Entry, FOLDERS, PREVIOUS_CWD, Value};

impl Run {
    pub(super) fn cd(&mut self, words: &[Word]) -> Outcome {
        let target = words.iter().skip(1).find(|word| !word.literal().is_some_and(is_option));
        let target = match target.and_then(Word::literal) {
            Some("-") => self.value(PREVIOUS_CWD),
            _ => match target {
                None => self.value("HOME"),
                Some(word) => Value::Text(word.pieces.clone()),
            },
        };
        let folder = self.resolved(target);
        self.go_to(folder);
        Outcome::silent(None)
    }

    pub(super) fn pwd(&mut self) -> Outcome {
        let text = match self.value(CWD) {
            Value::Text(mut pieces) => {
                pieces.push(Piece::Literal("\n".to_owned()));
                Some(merged(pieces))
            }
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => None,
        };
        Outcome { output: Output::of(text), success: Some(true) }
    }

    pub(super) fn pushd(&mut self, words: &[Word]) -> Outcome {
        let here = self.value(CWD);
        let target = words.iter().skip(1).find(|word| !word.literal().is_some_and(|text| text.starts_with(['-', '+'])));
        let mut stack = self.folders();
        match target {
            Some(word) => {
                stack.push(here);
                let folder = self.resolved(Value::Text(word.pieces.clone()));
                self.go_to(folder);
            }
            None => {
                let top = stack.pop().unwrap_or(Value::NotKnown);
                stack.push(here);
                self.go_to(top);
            }
        }
        self.keep_folders(stack);
        Outcome::unknown()
    }

    pub(super) fn popd(&mut self, words: &[Word]) -> Outcome {
        let mut stack = self.folders();
        let top = stack.pop().filter(|_| words.len() == 1).unwrap_or(Value::NotKnown);
        self.go_to(top);
        self.keep_folders(stack);
        Outcome::unknown()
    }

    fn folders(&mut self) -> Vec<Value> {
        match self.value(FOLDERS) {
            Value::Array(elements) => elements
                .into_iter()
                .map(|(known, pieces)| if known.is_empty() { Value::NotKnown } else { Value::Text(pieces) })
                .collect(),
            Value::NotKnown | Value::Unset | Value::Text(_) | Value::Function(_) => Vec::new(),
        }
    }

    fn keep_folders(&mut self, stack: Vec<Value>) {
        let elements = stack.into_iter().map(|folder| match folder {
            Value::Text(pieces) => ("known".to_owned(), pieces),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => (String::new(), Vec::new()),
        });
        self.set(FOLDERS, Entry::new(Value::Array(elements.collect()), false));
    }

    fn go_to(&mut self, folder: Value) {
        let before = self.value(CWD);
        self.set(PREVIOUS_CWD, Entry::new(before, true));
        self.set(CWD, Entry::new(folder, true));
    }

    /// A folder seen from the working directory: absolute, dots resolved.
    pub(crate) fn resolved(&mut self, target: Value) -> Value {
        let Value::Text(mut pieces) = target else {
            // `cd` without HOME: the home folder, wherever it is.
            return match target {
                Value::NotKnown => home(),
                Value::Unset | Value::Array(_) | Value::Function(_) | Value::Text(_) => Value::NotKnown,
            };
        };
        match pieces.first() {
            // `cd ""` and `cd $EMPTY` in quotes stay where they are.
            None => return self.value(CWD),
            Some(Piece::Literal(text)) if text.starts_with('/') => {}
            Some(Piece::Unknown(unknown)) => {
                let anchored = matches!(&unknown.from, UnknownFrom::Variable(name) if name == "HOME");
                if !anchored {
                    return Value::NotKnown;
                }
            }
            Some(Piece::Literal(_) | Piece::Glob(_)) => {
                let Value::Text(mut base) = self.value(CWD) else { return Value::NotKnown };
                base.push(Piece::Literal("/".to_owned()));
                base.extend(pieces);
                pieces = merged(base);
            }
        }
        Value::Text(normalised(pieces))
    }
}

fn home() -> Value {
    let from = UnknownFrom::Variable("HOME".to_owned());
    Value::Text(vec![Piece::Unknown(Unknown { source: "~".to_owned(), from, may_split: false })])
}

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

/// `.`, `..` and doubled slashes resolved, as far as the pieces are known.
fn normalised(pieces: Vec<Piece>) -> Vec<Piece> {
    match literal(&pieces) {
        Some(text) => vec![Piece::Literal(crate::scope::normalised(&text))],
        None => pieces,
    }
}
