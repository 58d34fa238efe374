//! The shape of a provider's keys: an anchor, what stands before it and what follows. A matcher without regex:
//! linear, no compilation, no back-tracking.

use super::{Secret, placeholder};

/// A set of ASCII characters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    Digit,
    /// `0-9a-f`.
    Hex,
    /// `A-Z0-9`.
    Upper,
    /// `a-z0-9`.
    Lower,
    Alnum,
    /// Alphanumeric, `-` and `_`.
    Url,
    /// Alphanumeric, `-`, `_`, `=` and `.`.
    Dotted,
    /// Alphanumeric, `+`, `/` and `=`.
    Base64,
}

impl Set {
    pub(super) fn holds(self, byte: u8) -> bool {
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Lower => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// One piece of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// This text.
    Text(&'static str),
    /// As many characters of the set as there are, which must be between the two numbers.
    Run(Set, usize, usize),
}

/// What a provider's key looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) kind: &'static str,
    pub(super) label: &'static str,
    /// What stands directly before the anchor and belongs to the key.
    pub(super) before: Option<(Set, usize, usize)>,
    /// Text that every key holds.
    pub(super) anchor: &'static str,
    pub(super) after: &'static [Piece],
    pub(super) confidence: f32,
}

/// Fewer bits per character than this and no generator made it.
const MIN_ENTROPY: f32 = 2.6;

impl Shape {
    /// The key whose anchor starts at `at`, which was found without regard to case.
    pub(super) fn find(&self, text: &str, at: usize) -> Option<Secret> {
        let bytes = text.as_bytes();
        let from_anchor = bytes.get(at..)?;
        if !from_anchor.starts_with(self.anchor.as_bytes()) {
            return None;
        }
        let start = self.start(bytes, at)?;
        let body = at + self.anchor.len();
        let mut end = body;
        for piece in self.after {
            end += piece.length_at(bytes.get(end..)?)?;
        }
        let random = if at - start > end - body { text.get(start..at)? } else { text.get(body..end)? };
        if placeholder::entropy(random) < MIN_ENTROPY || placeholder::is_filler(random) {
            return None;
        }
        Some(Secret {
            kind: self.kind,
            label: self.label,
            confidence: self.confidence,
            sample: placeholder::names_itself(random),
            span: start..end,
        })
    }

    /// Anchors of letters alone occur by chance in base64 text, where `+` and `/` stand before them.
    fn is_inside_base64(&self, bytes: &[u8], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        self.anchor.bytes().all(|byte| byte.is_ascii_alphanumeric()) && matches!(before, Some(b'+' | b'/'))
    }

    fn start(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let Some((set, min, max)) = self.before else {
            return (starts_a_word(bytes, at) && !self.is_inside_base64(bytes, at)).then_some(at);
        };
        let run = bytes.get(..at)?.iter().rev().take(max + 1).take_while(|byte| set.holds(**byte)).count();
        match run {
            _ if (min..=max).contains(&run) => Some(at - run),
            // The letter of an escape (`\n`) may run into it.
            _ if run > max => starts_a_word(bytes, at - max).then(|| at - max),
            _ => None,
        }
    }
}

impl Piece {
    /// How many bytes of `bytes` it takes; `None` when it does not fit.
    fn length_at(&self, bytes: &[u8]) -> Option<usize> {
        match *self {
            Self::Text(text) => bytes.starts_with(text.as_bytes()).then_some(text.len()),
            Self::Run(set, min, max) => {
                let run = bytes.iter().take(max.saturating_add(1)).take_while(|byte| set.holds(**byte)).count();
                (min..=max).contains(&run).then_some(run)
            }
        }
    }
}

/// Nothing that belongs to a word stands before `at`; escapes (`\n`, `%3D`) do not count.
pub(super) fn starts_a_word(bytes: &[u8], at: usize) -> bool {
    let before: Vec<u8> = bytes.get(..at).unwrap_or_default().iter().rev().take(3).copied().collect();
    match before.as_slice() {
        [] => true,
        [b'n' | b'r' | b't', b'\\', ..] => true,
        [a, b, b'%'] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [last, ..] => !(last.is_ascii_alphanumeric() || matches!(last, b'-' | b'_')),
    }
}
