//! Assignments.

use super::Run;
use super::simple::{joined, merged, size};
use crate::ir::{Assignment, Frame, Piece, Unknown, UnknownFrom, Word};
use crate::scope::{self, Entry, Value};
use crate::tree::{self};

/// Arrays of more elements are not kept.
const MAX_ELEMENTS: usize = 2_048;

impl Run {
    /// `NAME=value` in front of a command or on its own. In front of one they hold only while it runs; what they hid is
    /// given back.
    pub(super) fn prefix(&mut self, assignments: &[tree::Assignment], stay: bool, slot: usize) -> Vec<(String, Entry)> {
        let mut restore = Vec::new();
        for assignment in assignments {
            let hidden = self.state.get(&assignment.name).cloned();
            let (value, shown) = self.assigned_value(assignment);
            if let Some(command) = self.script.commands.get_mut(slot) {
                let name = assignment.name.clone();
                command.assignments.push(Assignment { name, value: shown, span: assignment.span });
            }
            if stay {
                self.assign(&assignment.name, value);
            } else {
                restore.push((assignment.name.clone(), hidden.unwrap_or_else(|| Entry::new(Value::NotKnown, false))));
                self.set(&assignment.name, Entry::new(value, true));
            }
        }
        restore
    }

    /// Gives a variable a value; it stays exported if it was.
    pub(crate) fn assign(&mut self, name: &str, value: Value) {
        let exported = self.state.get(name).is_some_and(|entry| entry.exported) || self.exports_all();
        if let (Value::Text(pieces), true) = (&value, name.starts_with("PS") || name == "PROMPT_COMMAND") {
            self.prompt(&pieces.clone());
        }
        let target = if self.state.has_definitions { self.referred(name) } else { None };
        self.set(target.as_deref().unwrap_or(name), Entry::new(value, exported));
    }

    /// Prompts run the substitutions in them, `PROMPT_COMMAND` is a command.
    pub(crate) fn prompt(&mut self, pieces: &[Piece]) {
        let Some(text) = super::parameter::literal(pieces) else { return };
        if text.contains("$(") || text.contains('`') {
            let span = self.current_span();
            let code = format!(": \"{}\"", text.replace('"', "\\\""));
            self.code(&Word::known(code, span), span, Frame::Eval);
        }
    }

    /// The value of an assignment, and the word that shows it.
    pub(crate) fn assigned_value(&mut self, assignment: &tree::Assignment) -> (Value, Word) {
        if let Some(subscript) = &assignment.subscript {
            return self.assigned_element(assignment, subscript);
        }
        match &assignment.value {
            tree::Value::Scalar(word) => {
                let shown = self.assignment_word(word);
                let mut pieces = flow_value(&assignment.name, &shown);
                if assignment.append {
                    return (self.appended(&assignment.name, pieces), shown);
                }
                if too_big(&pieces) {
                    pieces = vec![scope::assigned(&assignment.name, Vec::new())];
                }
                (Value::Text(pieces), shown)
            }
            tree::Value::Array(elements) => {
                let mut array = match self.state.get(&assignment.name).map(|entry| entry.values.as_ref()) {
                    Some([Value::Array(before)]) if assignment.append => before.clone(),
                    _ => Vec::new(),
                };
                let numbers = array.iter().filter_map(|(key, _)| key.parse::<usize>().ok());
                let mut next = numbers.max().map_or(0, |last| last + 1);
                for (key, word) in elements {
                    let key = key.as_ref().map(|key| self.single(key).text());
                    for field in self.words_of(word) {
                        let pieces = flow_value(&assignment.name, &field);
                        match &key {
                            Some(key) => {
                                put(&mut array, key.clone(), pieces);
                                next = key.parse::<usize>().map_or(next, |number| number.saturating_add(1));
                            }
                            None => {
                                array.push((next.to_string(), pieces));
                                next += 1;
                            }
                        }
                    }
                    if array.len() > MAX_ELEMENTS || !self.spend(1, assignment.span) {
                        array = vec![(String::new(), vec![scope::assigned(&assignment.name, Vec::new())])];
                        break;
                    }
                }
                let shown = joined(array.iter().map(|(_, pieces)| pieces.as_slice()), assignment.span);
                (Value::Array(array), shown)
            }
        }
    }

    fn assigned_element(&mut self, assignment: &tree::Assignment, subscript: &tree::Word) -> (Value, Word) {
        let key = self.arithmetic_key(&assignment.name, subscript);
        let shown = match &assignment.value {
            tree::Value::Scalar(word) => self.assignment_word(word),
            tree::Value::Array(_) => Word::default(),
        };
        let mut array = match self.value(&assignment.name) {
            Value::Array(array) => array,
            Value::Text(pieces) => vec![("0".to_owned(), pieces)],
            Value::NotKnown | Value::Unset | Value::Function(_) => Vec::new(),
        };
        let mut pieces = flow_value(&assignment.name, &shown);
        if assignment.append
            && let Some((_, before)) = array.iter().find(|(other, _)| *other == key)
        {
            pieces.splice(0..0, before.iter().cloned());
        }
        put(&mut array, key, pieces);
        (Value::Array(array), shown)
    }

    fn appended(&mut self, name: &str, pieces: Vec<Piece>) -> Value {
        match self.value(name) {
            Value::Array(mut array) => {
                match array.first_mut() {
                    Some((_, first)) => first.extend(pieces),
                    None => array.push(("0".to_owned(), pieces)),
                }
                Value::Array(array)
            }
            Value::Text(mut before) => {
                before.extend(pieces);
                if too_big(&before) {
                    before = vec![scope::assigned(name, Vec::new())];
                }
                Value::Text(merged(before))
            }
            Value::Unset => Value::Text(pieces),
            Value::NotKnown | Value::Function(_) => {
                let from = UnknownFrom::Variable(name.to_owned());
                let mut all = vec![Piece::Unknown(Unknown { source: format!("${name}"), from, may_split: false })];
                all.extend(pieces);
                Value::Text(all)
            }
        }
    }

    /// An assignment among the words of `export` and its kind: the words as the program sees them (braces make several),
    /// and the value of an array, which is no word.
    pub(super) fn declared(&mut self, assignment: &tree::Assignment) -> (Vec<Word>, Option<(String, Value)>) {
        let sign = if assignment.append { "+=" } else { "=" };
        let (value, shown) = match (&assignment.value, &assignment.subscript) {
            (tree::Value::Scalar(word), None) => (None, self.declared_words(word)),
            (tree::Value::Scalar(_) | tree::Value::Array(_), _) => {
                let (value, shown) = self.assigned_value(assignment);
                (Some((assignment.name.clone(), value)), vec![shown])
            }
        };
        let words = shown.into_iter().map(|shown| {
            let mut pieces = vec![Piece::Literal(format!("{}{sign}", assignment.name))];
            pieces.extend(shown.pieces);
            Word { pieces: merged(pieces), span: assignment.span, quoted: shown.quoted }
        });
        (words.collect(), value)
    }
}

fn flow_value(name: &str, word: &Word) -> Vec<Piece> {
    super::flow::as_value(name, &word.pieces)
}

fn put(array: &mut Vec<(String, Vec<Piece>)>, key: String, pieces: Vec<Piece>) {
    match array.iter_mut().find(|(other, _)| *other == key) {
        Some((_, old)) => *old = pieces,
        None => array.push((key, pieces)),
    }
}

/// More than is kept of a value.
fn too_big(pieces: &[Piece]) -> bool {
    pieces.len() > super::MAX_PIECES || size(pieces) > super::MAX_VALUE
}
