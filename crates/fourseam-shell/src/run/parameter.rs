//! `$x` and `${...}` on what is known.

use super::Run;
use super::expand::{other, push_pieces};
use super::fields::{Atom, Mode};
use super::pattern::Pattern;
use crate::ir::{Piece, Unknown, UnknownFrom, Word};
use crate::scope::{CWD, Entry, POSITIONAL, PREVIOUS_CWD, Value, assigned, reference_entry};
use crate::tree::{Operation, Parameter, Subscript, Word as Written};
use std::rc::Rc;

/// What a name stands for.
enum Found {
    /// Known to be unset.
    Unset,
    One(Vec<Piece>),
    /// The elements of an array or the positional parameters; `star` for `*`.
    Many {
        elements: Vec<Vec<Piece>>,
        star: bool,
    },
    NotKnown(UnknownFrom),
}

impl Run {
    pub(crate) fn parameter(&mut self, parameter: &Parameter, quoted: bool, atoms: &mut Vec<Atom>) {
        let found = self.find(parameter);
        let source = &parameter.source;
        match &parameter.operation {
            Operation::None => self.plain(found, quoted, source, atoms),
            Operation::Length => {
                let length = match found {
                    Found::Unset => Some(0),
                    Found::One(pieces) => literal(&pieces).map(|text| text.chars().count()),
                    Found::Many { elements, .. } => Some(elements.len()),
                    Found::NotKnown(_) => None,
                };
                let piece = length.map_or_else(|| other(source), |length| Piece::Literal(length.to_string()));
                push_pieces(vec![piece], quoted, atoms);
            }
            Operation::Default { kind, colon, word } => {
                self.default(parameter, found, (*kind, *colon, word), quoted, atoms);
            }
            Operation::Trim { suffix, longest, pattern } => {
                let pattern = self.pattern(pattern);
                self.mapped(found, quoted, parameter, atoms, |text| pattern.as_ref()?.trimmed(text, *suffix, *longest));
            }
            Operation::Replace { how, pattern, replacement } => {
                let pattern = self.pattern(pattern);
                let replacement = self.single(replacement);
                self.mapped(found, quoted, parameter, atoms, |text| {
                    let pattern = pattern.as_ref().filter(|pattern| !pattern.is_empty())?;
                    pattern.replaced(text, replacement.literal()?, *how)
                });
            }
            Operation::Case { upper, all, pattern } => {
                let any = self.pattern(pattern).is_some_and(|pattern| pattern.is_empty());
                self.mapped(found, quoted, parameter, atoms, |text| any.then(|| with_case(text, *upper, *all)));
            }
            Operation::Slice { offset, length } => {
                let offset = self.arithmetic_value(offset);
                let length = length.as_ref().map(|length| self.arithmetic_value(length));
                self.slice(found, parameter, (offset, length), quoted, atoms);
            }
            Operation::Other(words) => {
                for word in words {
                    self.single(word);
                }
                if source.ends_with("@P}") {
                    // A prompt runs the substitutions in it.
                    if let Found::One(pieces) = &found {
                        self.prompt(pieces);
                    }
                }
                let from = match found {
                    Found::NotKnown(from) => from,
                    Found::Unset | Found::One(_) | Found::Many { .. } => UnknownFrom::Other,
                };
                push_pieces(vec![unknown(source, from)], quoted, atoms);
            }
        }
    }

    /// The possible value of a name that holds now. Where there are several, one is chosen, and holds from here on.
    pub(crate) fn value(&mut self, name: &str) -> Value {
        if self.state.has_definitions
            && let Some(target) = self.referred(name)
        {
            return self.value(&target);
        }
        let Some(entry) = self.state.get(name) else { return Value::NotKnown };
        if let [single] = entry.values.as_ref() {
            return single.clone();
        }
        let (values, before) = (entry.values.clone(), entry.clone());
        let Some(value) = self.choices.choose(values.len()).and_then(|index| values.get(index)).cloned() else {
            let is_text = values.iter().any(|value| matches!(value, Value::Text(_))) && !name.starts_with('/');
            return if is_text { Value::Text(vec![assigned(name, Vec::new())]) } else { Value::NotKnown };
        };
        self.narrow(name, Entry { values: Rc::from([value.clone()]), ..before });
        value
    }

    /// The variable that a reference (`declare -n`) stands for. A reference to a reference is not followed.
    pub(crate) fn referred(&self, name: &str) -> Option<String> {
        let follow = |name: &str| match self.state.get(&reference_entry(name))?.values.first()? {
            Value::Text(pieces) => literal(pieces),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => None,
        };
        follow(name).filter(|target| follow(target).is_none())
    }

    /// The positional parameters as words.
    pub(crate) fn positional_words(&mut self) -> Vec<Word> {
        let mut atoms = Vec::new();
        let found = self.positional(false);
        self.plain(found, true, "$@", &mut atoms);
        super::fields::split(atoms, "", crate::ir::Span::default(), Mode::Words)
    }

    fn positional(&mut self, star: bool) -> Found {
        match self.value(POSITIONAL) {
            Value::Array(elements) => {
                Found::Many { elements: elements.into_iter().map(|(_, pieces)| pieces).collect(), star }
            }
            Value::NotKnown | Value::Unset | Value::Text(_) | Value::Function(_) => Found::NotKnown(UnknownFrom::Other),
        }
    }

    fn find(&mut self, parameter: &Parameter) -> Found {
        let mut name = parameter.name.clone();
        if parameter.indirect {
            match self.value(&name) {
                Value::Text(pieces) => match literal(&pieces) {
                    Some(target) => name = target,
                    None => return Found::NotKnown(UnknownFrom::Other),
                },
                Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => {
                    return Found::NotKnown(UnknownFrom::Other);
                }
            }
        }
        match name.as_str() {
            "@" => return self.positional(false),
            "*" => return self.positional(true),
            "#" => {
                return match self.positional(false) {
                    Found::Many { elements, .. } => Found::One(vec![Piece::Literal(elements.len().to_string())]),
                    Found::Unset | Found::One(_) | Found::NotKnown(_) => Found::NotKnown(UnknownFrom::Other),
                };
            }
            "" | "?" | "-" | "$" | "!" | "0" => return Found::NotKnown(UnknownFrom::Other),
            _ => {}
        }
        if let Ok(number) = name.parse::<usize>() {
            return match self.positional(false) {
                Found::Many { elements, .. } => {
                    elements.get(number.wrapping_sub(1)).map_or(Found::Unset, |pieces| Found::One(pieces.clone()))
                }
                other @ (Found::Unset | Found::One(_) | Found::NotKnown(_)) => other,
            };
        }
        self.variable(&name, parameter.subscript.as_ref())
    }

    fn variable(&mut self, name: &str, subscript: Option<&Subscript>) -> Found {
        let key = match subscript {
            Some(Subscript::Index(index)) => Some(self.arithmetic_key(name, index)),
            Some(Subscript::All(_)) | None => None,
        };
        let star = matches!(subscript, Some(Subscript::All('*')));
        let value = match self.value(name) {
            Value::NotKnown => self.built_in(name),
            value => value,
        };
        match (value, subscript) {
            (Value::NotKnown | Value::Function(_), _) => Found::NotKnown(UnknownFrom::Variable(name.to_owned())),
            (Value::Unset, Some(Subscript::All(_))) => Found::Many { elements: Vec::new(), star },
            (Value::Unset, _) => Found::Unset,
            (Value::Text(pieces), Some(Subscript::All(_))) => Found::Many { elements: vec![pieces], star },
            (Value::Text(pieces), None) => Found::One(pieces),
            (Value::Text(pieces), Some(Subscript::Index(_))) => match key.as_deref() {
                Some("0") => Found::One(pieces),
                _ if literal(&pieces).is_none() => Found::NotKnown(UnknownFrom::Variable(name.to_owned())),
                _ => Found::Unset,
            },
            (Value::Array(elements), Some(Subscript::All(_))) => {
                Found::Many { elements: elements.into_iter().map(|(_, pieces)| pieces).collect(), star }
            }
            (Value::Array(elements), _) => element(elements, key.as_deref().unwrap_or("0"), name),
        }
    }

    /// Variables that every shell sets itself.
    fn built_in(&mut self, name: &str) -> Value {
        match name {
            "IFS" => Value::Text(vec![Piece::Literal(" \t\n".to_owned())]),
            "PWD" => self.value(CWD),
            "OLDPWD" => self.value(PREVIOUS_CWD),
            _ => Value::NotKnown,
        }
    }

    fn plain(&mut self, found: Found, quoted: bool, source: &str, atoms: &mut Vec<Atom>) {
        match found {
            Found::Unset => push_pieces(Vec::new(), quoted, atoms),
            Found::One(pieces) => push_pieces(pieces, quoted, atoms),
            Found::NotKnown(from) => push_pieces(vec![unknown(source, from)], quoted, atoms),
            Found::Many { elements, star } if star && quoted => {
                let separator = self.separators().chars().next().map(String::from).unwrap_or_default();
                let mut all = Vec::new();
                for (at, pieces) in elements.into_iter().enumerate() {
                    if at > 0 {
                        all.push(Piece::Literal(separator.clone()));
                    }
                    all.extend(pieces);
                }
                push_pieces(all, true, atoms);
            }
            Found::Many { elements, .. } => {
                for (at, pieces) in elements.into_iter().enumerate() {
                    if at > 0 {
                        atoms.push(Atom::Break { quoted });
                    }
                    push_pieces(pieces, quoted, atoms);
                }
            }
        }
    }

    fn default(
        &mut self,
        parameter: &Parameter,
        found: Found,
        (kind, colon, word): (char, bool, &Written),
        quoted: bool,
        atoms: &mut Vec<Atom>,
    ) {
        let missing = match &found {
            Found::Unset => Some(true),
            Found::One(pieces) if pieces.is_empty() => Some(colon),
            Found::One(pieces) if colon && literal(pieces).is_none() => {
                if pieces.iter().any(|piece| !matches!(piece, Piece::Unknown(_))) { Some(false) } else { None }
            }
            Found::One(_) => Some(false),
            Found::Many { elements, .. } => Some(elements.is_empty()),
            Found::NotKnown(_) => None,
        };
        if kind == '?' {
            // When it is missing the shell ends here and nothing runs: what runs has a value.
            self.operand(word, quoted, &mut Vec::new());
            let found = if missing == Some(true) { Found::NotKnown(UnknownFrom::Other) } else { found };
            return self.plain(found, quoted, &parameter.source, atoms);
        }
        // Not known: first as if it were missing, then as if it were not.
        let missing = missing.unwrap_or_else(|| match self.choices.choose(2) {
            Some(choice) => choice == 0,
            None => false,
        });
        match (kind, missing) {
            ('+', true) => push_pieces(Vec::new(), quoted, atoms),
            ('+', false) => self.operand(word, quoted, atoms),
            (_, true) => {
                let before = atoms.len();
                self.operand(word, quoted, atoms);
                if kind == '=' {
                    let value = super::fields::split(
                        atoms.get(before..).unwrap_or_default().to_vec(),
                        "",
                        word.span,
                        Mode::Single,
                    );
                    let pieces = value.into_iter().next().map(|word| word.pieces).unwrap_or_default();
                    self.assign(&parameter.name, Value::Text(super::flow::as_value(&parameter.name, &pieces)));
                }
            }
            (_, false) => {
                // The operand is not used, but it is not lost either when nobody knows.
                self.plain(found, quoted, &parameter.source, atoms);
            }
        }
    }

    /// The word behind an operator, as part of the word around it.
    fn operand(&mut self, word: &Written, quoted: bool, atoms: &mut Vec<Atom>) {
        let before = atoms.len();
        for part in &word.parts {
            self.operand_part(part, atoms);
        }
        // Unquoted text behind the operator is split like any value.
        for atom in atoms.iter_mut().skip(before) {
            if let Atom::Source(text) = atom {
                *atom = Atom::Value(std::mem::take(text));
            }
        }
        if quoted && atoms.len() == before {
            atoms.push(Atom::Quoted(String::new()));
        }
    }

    /// The value `text` gives, element by element, or one that is not known.
    fn mapped(
        &mut self,
        found: Found,
        quoted: bool,
        parameter: &Parameter,
        atoms: &mut Vec<Atom>,
        map: impl Fn(&str) -> Option<String>,
    ) {
        let one = |pieces: Vec<Piece>| match literal(&pieces).as_deref().and_then(&map) {
            Some(text) if text.is_empty() => Vec::new(),
            Some(text) => vec![Piece::Literal(text)],
            None => vec![unknown(&parameter.source, origin(&parameter.name, &pieces))],
        };
        let found = match found {
            Found::Unset => Found::Unset,
            Found::One(pieces) => Found::One(one(pieces)),
            Found::Many { elements, star } => Found::Many { elements: elements.into_iter().map(one).collect(), star },
            Found::NotKnown(from) => Found::NotKnown(from),
        };
        self.plain(found, quoted, &parameter.source, atoms);
    }

    fn slice(
        &mut self,
        found: Found,
        parameter: &Parameter,
        (offset, length): (Option<i64>, Option<Option<i64>>),
        quoted: bool,
        atoms: &mut Vec<Atom>,
    ) {
        let found = match found {
            Found::Many { mut elements, star } => {
                // `${@:0}` begins with `$0`; `${@:1}` with `$1`.
                let first = i64::from(parameter.name == "@" || parameter.name == "*");
                let range = offset.and_then(|offset| bounds(offset - first, length, elements.len()));
                match range {
                    Some((start, end)) => {
                        elements.truncate(end);
                        Found::Many { elements: elements.split_off(start.min(elements.len())), star }
                    }
                    None => Found::NotKnown(UnknownFrom::Other),
                }
            }
            other @ (Found::Unset | Found::One(_) | Found::NotKnown(_)) => other,
        };
        self.mapped_unless_many(found, quoted, parameter, atoms, |text| {
            let characters: Vec<char> = text.chars().collect();
            let (start, end) = bounds(offset?, length, characters.len())?;
            Some(characters.get(start..end).unwrap_or_default().iter().collect())
        });
    }

    fn mapped_unless_many(
        &mut self,
        found: Found,
        quoted: bool,
        parameter: &Parameter,
        atoms: &mut Vec<Atom>,
        map: impl Fn(&str) -> Option<String>,
    ) {
        match found {
            many @ Found::Many { .. } => self.plain(many, quoted, &parameter.source, atoms),
            found @ (Found::Unset | Found::One(_) | Found::NotKnown(_)) => {
                self.mapped(found, quoted, parameter, atoms, map);
            }
        }
    }

    pub(crate) fn pattern(&mut self, word: &Written) -> Option<Pattern> {
        let mut atoms = Vec::new();
        for part in &word.parts {
            self.operand_part(part, &mut atoms);
        }
        Pattern::new(&atoms)
    }
}

fn element(elements: Vec<(String, Vec<Piece>)>, key: &str, name: &str) -> Found {
    if key.is_empty() {
        // Which one is not known: it may be any.
        return Found::NotKnown(UnknownFrom::Assigned { name: name.to_owned(), commands: Vec::new() });
    }
    let index = key.parse::<i64>().ok().filter(|index| *index < 0);
    if let Some(from_end) = index.and_then(|index| usize::try_from(-index).ok()) {
        let found = elements.len().checked_sub(from_end).and_then(|at| elements.into_iter().nth(at));
        return found.map_or(Found::Unset, |(_, pieces)| Found::One(pieces));
    }
    let found = elements.into_iter().find(|(other, _)| other == key);
    found.map_or(Found::Unset, |(_, pieces)| Found::One(pieces))
}

/// The text of a value without anything that is not known.
pub(crate) fn literal(pieces: &[Piece]) -> Option<String> {
    match pieces {
        [] => Some(String::new()),
        [Piece::Literal(text)] => Some(text.clone()),
        _ => pieces
            .iter()
            .map(|piece| match piece {
                Piece::Literal(text) => Some(text.as_str()),
                Piece::Glob(_) | Piece::Unknown(_) => None,
            })
            .collect(),
    }
}

fn unknown(source: &str, from: UnknownFrom) -> Piece {
    Piece::Unknown(Unknown { source: source.to_owned(), from, may_split: false })
}

/// Where a value that was changed came from.
fn origin(name: &str, pieces: &[Piece]) -> UnknownFrom {
    pieces
        .iter()
        .find_map(|piece| match piece {
            Piece::Unknown(unknown) => Some(unknown.from.clone()),
            Piece::Literal(_) | Piece::Glob(_) => None,
        })
        .unwrap_or_else(|| UnknownFrom::Assigned { name: name.to_owned(), commands: Vec::new() })
}

fn with_case(text: &str, upper: bool, all: bool) -> String {
    let change = |text: &str| if upper { text.to_uppercase() } else { text.to_lowercase() };
    if all {
        return change(text);
    }
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().collect();
    change(&first) + characters.as_str()
}

/// Start and end of `${x:offset:length}` in something of `size` elements.
fn bounds(offset: i64, length: Option<Option<i64>>, size: usize) -> Option<(usize, usize)> {
    let size = i64::try_from(size).ok()?;
    let start = if offset < 0 { offset.checked_add(size)? } else { offset };
    if start < 0 {
        return Some((0, 0));
    }
    let start = start.min(size);
    let end = match length {
        None => size,
        Some(length) => {
            let length = length?;
            if length < 0 { size.checked_add(length)? } else { start.checked_add(length)? }
        }
    };
    let end = end.clamp(start, size);
    Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
}
