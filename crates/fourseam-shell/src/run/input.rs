//! Programs that put standard input into variables: `read`, `mapfile`, and `getopts`.

use super::parameter::literal;
use super::{Outcome, Run};
use crate::ir::{Frame, Piece, Stdin, Word};
use crate::scope::{Value, assigned};

impl Run {
    pub(super) fn read(&mut self, words: &[Word]) -> Outcome {
        let mut names = Vec::new();
        let mut array = false;
        let mut raw = false;
        let mut whole = false;
        let mut rest = words.iter().skip(1);
        while let Some(word) = rest.next() {
            match word.literal() {
                Some(option) if option.starts_with('-') && names.is_empty() => {
                    array |= option.contains('a');
                    raw |= option.contains('r');
                    whole |= option.contains(['d', 'N', 'n', 'u', 't']);
                    let takes_value = option.ends_with(['d', 'i', 'n', 'N', 'p', 't', 'u']);
                    if takes_value {
                        rest.next();
                    }
                }
                Some(name) => names.push(name.to_owned()),
                None => {}
            }
        }
        if names.is_empty() {
            names.push("REPLY".to_owned());
        }
        let line = match &self.stdin {
            Stdin::Text(text) if !whole => {
                text.literal().map(|text| text.lines().next().unwrap_or_default().to_owned())
            }
            Stdin::Text(_) | Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
        };
        let Some(line) = line.filter(|line| raw || !line.contains('\\')) else {
            return self.read_unknown(&names, array);
        };
        let separators = self.separators();
        let mut left = line.trim_matches(|found: char| found.is_whitespace() && separators.contains(found));
        if array {
            let fields = left.split(|found| separators.contains(found)).filter(|field| !field.is_empty());
            let elements =
                fields.enumerate().map(|(at, field)| (at.to_string(), vec![Piece::Literal(field.to_owned())]));
            let value = Value::Array(elements.collect());
            if let Some(name) = names.first() {
                self.assign(name, value);
            }
            return Outcome::silent(Some(true));
        }
        let last = names.len() - 1;
        for (at, name) in names.iter().enumerate() {
            let field = if at == last {
                std::mem::take(&mut left)
            } else {
                let end = left.find(|found| separators.contains(found)).unwrap_or(left.len());
                let (field, after) = left.split_at_checked(end).unwrap_or((left, ""));
                let mut after = after.chars();
                after.next();
                left = after
                    .as_str()
                    .trim_start_matches(|found: char| found.is_whitespace() && separators.contains(found));
                field
            };
            let pieces = if field.is_empty() { Vec::new() } else { vec![Piece::Literal(field.to_owned())] };
            self.assign(name, Value::Text(pieces));
        }
        Outcome::silent(None)
    }

    /// Values that come from standard input and are not known.
    fn read_unknown(&mut self, names: &[String], array: bool) -> Outcome {
        let commands = match &self.stdin {
            Stdin::Pipe(commands) => commands.clone(),
            Stdin::Inherited | Stdin::Text(_) | Stdin::File(_) => Vec::new(),
        };
        // A text that is partly known is kept whole for its only reader.
        let partly = match (&self.stdin, names) {
            (Stdin::Text(text), [_]) if !array && !text.pieces.is_empty() => Some(text.pieces.clone()),
            _ => None,
        };
        for name in names {
            let unknown = vec![assigned(name, commands.clone())];
            let value = match &partly {
                Some(pieces) if literal(pieces).is_none() => Value::Text(super::flow::as_value(name, pieces)),
                _ if array => Value::Array(vec![(String::new(), unknown)]),
                _ => Value::Text(unknown),
            };
            self.assign(name, value);
        }
        Outcome::silent(None)
    }

    pub(super) fn readarray(&mut self, words: &[Word]) -> Outcome {
        let name = words.iter().skip(1).filter_map(Word::literal).rfind(|word| !word.starts_with('-'));
        let name = name.unwrap_or("MAPFILE").to_owned();
        let lines = match &self.stdin {
            Stdin::Text(text) if words.iter().all(|word| word.literal() != Some("-d")) => text.literal(),
            Stdin::Text(_) | Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
        };
        let value = match lines {
            Some(text) => Value::Array(
                text.lines()
                    .enumerate()
                    .map(|(at, line)| (at.to_string(), vec![Piece::Literal(line.to_owned())]))
                    .collect(),
            ),
            None => {
                self.callback(words);
                return self.read_unknown(&[name], true);
            }
        };
        self.callback(words);
        self.assign(&name, value);
        Outcome::silent(Some(true))
    }

    /// `mapfile -C code`: run for the lines that are read.
    fn callback(&mut self, words: &[Word]) {
        let code = words.iter().skip_while(|word| word.literal() != Some("-C")).nth(1);
        if let Some(code) = code.cloned() {
            let span = self.current_span();
            self.code(&code, span, Frame::Eval);
        }
    }

    pub(super) fn unknown_variables(&mut self, names: &[Word]) -> Outcome {
        for name in names.iter().filter_map(Word::literal) {
            self.assign(name, Value::Text(vec![assigned(name, Vec::new())]));
        }
        self.assign("OPTARG", Value::Text(vec![assigned("OPTARG", Vec::new())]));
        Outcome::silent(None)
    }
}
