//! Programs that change variables by name: `export` and its kind, `unset`, `set`, `shift`.

use super::parameter::literal;
use super::simple::merged;
use super::{Outcome, Run};
use crate::ir::{Piece, Why, Word};
use crate::scope::{Case, Entry, POSITIONAL, Value, assigned, function_entry, reference_entry};
use std::rc::Rc;

/// The entry that says whether every assignment is exported (`set -a`).
const EXPORT_ALL: &str = "/allexport";

impl Run {
    pub(super) fn declare(&mut self, name: &str, words: &[Word], arrays: Vec<(String, Value)>) -> Outcome {
        let mut exports = name == "export";
        let mut functions = false;
        let mut reference = false;
        let mut integer = false;
        let mut readonly = name == "readonly";
        let mut case = None;
        let mut operands = words.get(1..).unwrap_or_default();
        while let Some(option) = operands.first().and_then(Word::literal).filter(|word| word.starts_with(['-', '+'])) {
            let on = option.starts_with('-');
            exports = if option.contains('x') { on } else { exports };
            functions |= option.contains('f');
            reference |= option.contains('n') && name != "export";
            integer |= option.contains('i');
            readonly |= option.contains('r') && name != "readonly";
            if name != "export" && name != "readonly" {
                case = if option.contains('u') {
                    Some(Case::Upper)
                } else if option.contains('l') {
                    Some(Case::Lower)
                } else {
                    case
                };
            }
            if name == "export" && option.contains('n') {
                exports = false;
            }
            operands = operands.get(1..).unwrap_or_default();
        }
        if functions {
            return Outcome::silent(None);
        }
        let shown = operands.is_empty();
        let mut arrays = arrays.into_iter().peekable();
        for word in operands {
            let (variable, append, value) = split_assignment(&word.pieces);
            let Some(variable) = variable else {
                if word.literal().is_none() {
                    self.opaque(Why::Code, word.span, self.current);
                }
                continue;
            };
            if name == "local" && !self.active.is_empty() {
                self.make_local(&variable);
            }
            let exported = exports || self.state.get(&variable).is_some_and(|entry| entry.exported) && name != "export";
            let array = arrays.next_if(|(array, _)| *array == variable).map(|(_, value)| value);
            let value = match (array, value) {
                (Some(array), _) => Some(array),
                (None, Some(pieces)) if integer => Some(self.integer(&pieces)),
                (None, Some(pieces)) if append => Some(self.appended_value(&variable, pieces)),
                (None, Some(pieces)) => Some(Value::Text(super::flow::as_value(&variable, &pieces))),
                (None, None) => None,
            };
            match value {
                Some(value @ Value::Text(_)) if reference => {
                    self.set(&reference_entry(&variable), Entry::new(value, false));
                }
                Some(value) => {
                    let case = case.or_else(|| self.state.get(&variable).and_then(|entry| entry.case));
                    let entry = Entry { readonly, case, ..Entry::new(value, exported) };
                    self.set(&variable, entry);
                }
                None => self.mark(name, &variable, Entry { readonly, case, ..Entry::new(Value::Unset, exported) }),
            }
        }
        if shown { Outcome::unknown() } else { Outcome::silent(Some(true)) }
    }

    /// `export X`, `local X`: the value stays, or there is none.
    fn mark(&mut self, command: &str, variable: &str, mut entry: Entry) {
        match self.state.get(variable) {
            Some(before) if command != "local" => entry.values = before.values.clone(),
            None if command == "export" || command == "readonly" => entry.values = Rc::from([Value::NotKnown]),
            Some(_) | None => {}
        }
        self.narrow(variable, entry);
    }

    fn make_local(&mut self, variable: &str) {
        let hidden = self.state.get(variable).cloned().unwrap_or_else(|| Entry::new(Value::NotKnown, false));
        let level = self.active.len();
        if !self.locals.iter().any(|(at, name, _)| *at == level && name == variable) {
            self.locals.push((level, variable.to_owned(), hidden));
        }
    }

    fn integer(&mut self, pieces: &[Piece]) -> Value {
        let value = literal(pieces).and_then(|text| self.evaluate(&text));
        Value::Text(vec![
            value.map_or_else(|| super::expand::other("$((...))"), |value| Piece::Literal(value.to_string())),
        ])
    }

    fn appended_value(&mut self, variable: &str, pieces: Vec<Piece>) -> Value {
        match self.value(variable) {
            Value::Text(mut before) => {
                before.extend(pieces);
                Value::Text(merged(before))
            }
            Value::Unset => Value::Text(pieces),
            Value::NotKnown | Value::Array(_) | Value::Function(_) => Value::Text(vec![assigned(variable, Vec::new())]),
        }
    }

    pub(super) fn unset(&mut self, words: &[Word]) -> Outcome {
        let mut functions = false;
        for word in words.iter().skip(1) {
            match word.literal() {
                Some(option) if option.starts_with('-') => functions |= option.contains('f'),
                Some(name)
                    if functions
                        || self.state.get(name).is_none() && self.state.get(&function_entry(name)).is_some() =>
                {
                    self.set(&function_entry(name), Entry::new(Value::NotKnown, false));
                }
                Some(name) => self.set(name, Entry::new(Value::Unset, false)),
                None => {}
            }
        }
        Outcome::silent(Some(true))
    }

    pub(super) fn set_command(&mut self, words: &[Word]) -> Outcome {
        if words.len() < 2 {
            // Lists every variable.
            return Outcome::unknown();
        }
        let mut rest = words.get(1..).unwrap_or_default();
        let mut positional = false;
        while let Some(option) = rest.first().and_then(Word::literal) {
            if option == "--" || option == "-" {
                positional = option == "--" || rest.len() > 1;
                rest = rest.get(1..).unwrap_or_default();
                break;
            }
            if !option.starts_with(['-', '+']) {
                positional = true;
                break;
            }
            if option.contains('a') {
                let value = Value::Text(vec![Piece::Literal(option.get(..1).unwrap_or_default().to_owned())]);
                self.set(EXPORT_ALL, Entry::new(value, false));
            }
            rest = rest.get(if option.contains('o') { 2 } else { 1 }..).unwrap_or_default();
        }
        positional |= !rest.is_empty();
        if positional {
            let numbered = rest.iter().enumerate().map(|(at, word)| ((at + 1).to_string(), word.pieces.clone()));
            self.set(POSITIONAL, Entry::new(Value::Array(numbered.collect()), false));
        }
        Outcome::silent(Some(true))
    }

    /// Whether `set -a` holds.
    pub(crate) fn exports_all(&self) -> bool {
        matches!(self.state.get(EXPORT_ALL).map(|entry| entry.values.as_ref()), Some([Value::Text(on)]) if on.as_slice() == [Piece::Literal("-".to_owned())])
    }

    pub(super) fn shift(&mut self, words: &[Word]) -> Outcome {
        let count = words.get(1).map_or(Some(1), |word| word.literal()?.parse::<usize>().ok());
        let value = match (self.value(POSITIONAL), count) {
            (Value::Array(elements), Some(count)) => {
                let left = elements.into_iter().skip(count).enumerate();
                Value::Array(left.map(|(at, (_, pieces))| ((at + 1).to_string(), pieces)).collect())
            }
            _ => Value::NotKnown,
        };
        self.set(POSITIONAL, Entry::new(value, false));
        Outcome::silent(None)
    }
}

/// `NAME`, `NAME=value` or `NAME+=value`: name, whether it appends, value.
pub(super) fn split_assignment(pieces: &[Piece]) -> (Option<String>, bool, Option<Vec<Piece>>) {
    let Some(Piece::Literal(first)) = pieces.first() else { return (None, false, None) };
    let Some((name, value)) = first.split_once('=') else {
        let whole = pieces.len() == 1;
        return (whole.then(|| first.clone()), false, None);
    };
    let (name, append) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
    let name = name.split('[').next().unwrap_or(name);
    let mut rest = Vec::new();
    if !value.is_empty() {
        rest.push(Piece::Literal(value.to_owned()));
    }
    rest.extend_from_slice(pieces.get(1..).unwrap_or_default());
    (Some(name.to_owned()), append, Some(rest))
}
