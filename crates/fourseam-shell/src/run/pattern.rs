//! Patterns of `${x#...}` and its kind, matched against known text.

use super::fields::Atom;
use std::cell::Cell;

/// Longer texts are not matched: their value is not known.
const MAX_TEXT: usize = 1_024;

/// Steps that one operation may take before its value counts as not known.
const MAX_STEPS: usize = 200_000;

/// A pattern without extended operators.
#[derive(Debug)]
pub(crate) struct Pattern {
    elements: Vec<Element>,
    steps: Cell<usize>,
}

#[derive(Debug)]
enum Element {
    Character(char),
    Any,
    Star,
    Set { negated: bool, ranges: Vec<(char, char)> },
}

impl Pattern {
    /// `None` when a part of it is not known or an extended operator is in it.
    pub(crate) fn new(atoms: &[Atom]) -> Option<Self> {
        let mut elements = Vec::new();
        for atom in atoms {
            match atom {
                Atom::Quoted(text) | Atom::Plain(text) => elements.extend(text.chars().map(Element::Character)),
                Atom::Source(text) | Atom::Value(text) => active(text, &mut elements)?,
                Atom::Glob(..) | Atom::Unknown(_) | Atom::Break { .. } => return None,
            }
        }
        Some(Self { elements, steps: Cell::new(0) })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Whether it matches all of the text. False once there were too many steps: see `given_up`.
    fn matches(&self, text: &[char]) -> bool {
        let (mut at, mut element) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        loop {
            self.steps.set(self.steps.get() + 1);
            if self.given_up() {
                return false;
            }
            match self.elements.get(element) {
                Some(Element::Star) => {
                    star = Some((element + 1, at));
                    element += 1;
                    continue;
                }
                Some(found) if text.get(at).is_some_and(|character| found.fits(*character)) => {
                    at += 1;
                    element += 1;
                    continue;
                }
                None if at == text.len() => return true,
                Some(_) | None => {}
            }
            match &mut star {
                Some((behind, from)) if *from < text.len() => {
                    *from += 1;
                    (at, element) = (*from, *behind);
                }
                _ => return false,
            }
        }
    }

    /// Whether it is `*`.
    pub(crate) fn matches_anything(&self) -> bool {
        !self.elements.is_empty() && self.elements.iter().all(|element| matches!(element, Element::Star))
    }

    /// Whether it matches all of the text, if that can be told.
    pub(crate) fn matches_all(&self, text: &str) -> Option<bool> {
        let matches = self.matches(&bounded(text)?);
        (!self.given_up()).then_some(matches)
    }

    fn given_up(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    /// `${text#pattern}` and `${text%pattern}`.
    pub(crate) fn trimmed(&self, text: &str, suffix: bool, longest: bool) -> Option<String> {
        let characters = bounded(text)?;
        let length = characters.len();
        let cut = |count: usize| {
            let at = if suffix { length - count } else { count };
            let (before, after) = characters.split_at_checked(at).unwrap_or((&characters, &[]));
            if suffix { (after, before) } else { (before, after) }
        };
        let fits = |count: &usize| self.matches(cut(*count).0);
        let found = if longest { (0..=length).rev().find(fits) } else { (0..=length).find(fits) };
        let result = found.map_or_else(|| text.to_owned(), |count| cut(count).1.iter().collect());
        (!self.given_up()).then_some(result)
    }

    /// `${text/pattern/replacement}` and its kind.
    pub(crate) fn replaced(&self, text: &str, replacement: &str, how: crate::tree::Replace) -> Option<String> {
        use crate::tree::Replace;
        let characters = bounded(text)?;
        let length = characters.len();
        let part = |from: usize, to: usize| characters.get(from..to).unwrap_or_default();
        let longest_at = |from: usize| (from..=length).rev().find(|to| self.matches(part(from, *to)));
        let with = |from: usize, to: usize| {
            let (before, after): (String, String) = (part(0, from).iter().collect(), part(to, length).iter().collect());
            before + replacement + &after
        };
        let result = match how {
            Replace::Prefix => longest_at(0).map_or_else(|| text.to_owned(), |to| with(0, to)),
            Replace::Suffix => (0..=length)
                .find(|from| self.matches(part(*from, length)))
                .map_or_else(|| text.to_owned(), |from| with(from, length)),
            Replace::First | Replace::All => {
                let mut result = String::new();
                let mut at = 0;
                let mut done = false;
                while let Some(character) = characters.get(at) {
                    match longest_at(at).filter(|to| *to > at && !done) {
                        Some(to) => {
                            result.push_str(replacement);
                            at = to;
                            done = how == Replace::First;
                        }
                        None => {
                            result.push(*character);
                            at += 1;
                        }
                    }
                }
                result
            }
        };
        (!self.given_up()).then_some(result)
    }
}

impl Element {
    fn fits(&self, character: char) -> bool {
        match self {
            Self::Character(wanted) => *wanted == character,
            Self::Any => true,
            Self::Star => false,
            Self::Set { negated, ranges } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&character)) != *negated
            }
        }
    }
}

fn bounded(text: &str) -> Option<Vec<char>> {
    (text.len() <= MAX_TEXT).then(|| text.chars().collect())
}

fn active(text: &str, elements: &mut Vec<Element>) -> Option<()> {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(found) = characters.get(at) {
        let next = characters.get(at + 1);
        match found {
            '?' | '*' | '+' | '@' | '!' if next == Some(&'(') => return None,
            '*' => elements.push(Element::Star),
            '?' => elements.push(Element::Any),
            '[' => match set(characters.get(at + 1..).unwrap_or_default()) {
                Set::Read { element, length } => {
                    elements.push(element);
                    at += length;
                }
                Set::Text => elements.push(Element::Character('[')),
                Set::Class => return None,
            },
            _ => elements.push(Element::Character(*found)),
        }
        at += 1;
    }
    Some(())
}

enum Set {
    Read {
        element: Element,
        length: usize,
    },
    /// The bracket closes nowhere.
    Text,
    /// Holds `[:class:]` that is not read here.
    Class,
}

/// What follows `[`.
fn set(characters: &[char]) -> Set {
    let negated = matches!(characters.first(), Some('!' | '^'));
    let start = usize::from(negated);
    let Some(close) = characters.iter().skip(start + 1).position(|found| *found == ']') else { return Set::Text };
    let close = start + 1 + close;
    let inside = characters.get(start..close).unwrap_or_default();
    if inside.contains(&'[') {
        return Set::Class;
    }
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(first) = inside.get(at) {
        match (inside.get(at + 1), inside.get(at + 2)) {
            (Some('-'), Some(last)) => {
                ranges.push((*first, *last));
                at += 3;
            }
            _ => {
                ranges.push((*first, *first));
                at += 1;
            }
        }
    }
    Set::Read { element: Element::Set { negated, ranges }, length: close + 1 }
}
