//! Invisible characters that hide text from people: tag characters, zero-width characters inside words, direction
//! overrides, variation selectors as data, private-use runs. Emoji, joiners of Arabic and Indic scripts, byte order
//! marks, line-break hints and balanced isolates are ordinary.

use super::{Detector, Part, injection, span};
use crate::analysis::Finding;
use std::ops::Range;

/// The detector.
pub(super) struct HiddenUnicode;

impl Detector for HiddenUnicode {
    fn id(&self) -> &'static str {
        "hidden-unicode"
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::ToolOutput, Part::OwnOutput, Part::Prompt, Part::FileContent, Part::ToolDescription, Part::Command]
    }

    fn scan(&self, text: &str) -> Vec<Finding> {
        if text.is_ascii() {
            return Vec::new();
        }
        runs(text)
            .into_iter()
            .filter_map(|run| run.judge(text))
            .map(|(confidence, message, at)| Finding {
                detector: self.id().to_owned(),
                confidence,
                message,
                span: span(at.start, at.end),
            })
            .take(MAX_FINDINGS)
            .collect()
    }
}

const MAX_FINDINGS: usize = 20;

/// Kinds of characters that can hide something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// U+E0000 block: letters without a shape.
    Tag,
    /// Zero-width characters and soft hyphens.
    ZeroWidth,
    /// U+202A to U+202E, U+2066 to U+2069.
    Direction,
    /// Variation selectors.
    Variation,
    /// Private use.
    Private,
}

fn kind_of(c: char) -> Option<Kind> {
    match c {
        '\u{e0000}'..='\u{e007f}' => Some(Kind::Tag),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Some(Kind::Variation),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(Kind::Direction),
        '\u{ad}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{34f}' => Some(Kind::ZeroWidth),
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}' => Some(Kind::Private),
        _ => None,
    }
}

/// Characters of one kind with little between them.
#[derive(Debug)]
struct Run {
    kind: Kind,
    count: usize,
    range: Range<usize>,
}

/// Visible characters that may stand between two of a run: one letter, as in `i<zw>g<zw>n`.
const GAP: usize = 4;

/// The runs of a text. Characters that are ordinary where they stand are left out.
fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let bytes = text.as_bytes();
    let mut from = 0;
    // Plain ASCII, which most texts are, is passed over at the speed of bytes.
    while let Some(skipped) = bytes.get(from..).and_then(|rest| rest.iter().position(|byte| *byte >= 0x80)) {
        let at = from + skipped;
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
        let end = at + c.len_utf8();
        from = end;
        let Some(kind) = kind_of(c) else { continue };
        let previous = text.get(..at).and_then(|before| before.chars().next_back());
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        if is_ordinary(c, kind, at, previous, next) {
            continue;
        }
        let gap = match kind {
            // Both ends of an override or isolate belong to one run.
            Kind::Direction => 400,
            Kind::ZeroWidth => GAP,
            Kind::Tag | Kind::Variation | Kind::Private => 0,
        };
        match runs.iter_mut().rev().take(3).find(|run| run.kind == kind && at - run.range.end <= gap) {
            Some(run) => {
                run.count += 1;
                run.range.end = end;
            }
            None => runs.push(Run { kind, count: 1, range: at..end }),
        }
    }
    runs
}

fn is_ordinary(c: char, kind: Kind, at: usize, previous: Option<char>, next: Option<char>) -> bool {
    match kind {
        Kind::ZeroWidth => match c {
            '\u{feff}' => at == 0,
            // Joiners shape emoji, Arabic and Indic letters.
            '\u{200d}' | '\u{200c}' => {
                previous.is_some_and(|c| !c.is_ascii()) && next.is_none_or(|c| !c.is_ascii_alphanumeric())
            }
            '\u{115f}' | '\u{1160}' | '\u{3164}' => previous.is_some_and(is_hangul) || next.is_some_and(is_hangul),
            '\u{34f}' => previous.is_some_and(|c| !c.is_ascii()),
            _ => false,
        },
        // One selector after a visible character is what they are for.
        Kind::Variation => previous.is_some_and(|c| kind_of(c).is_none() && !c.is_whitespace() && !c.is_control()),
        // Icon fonts and Apple's logo use single private characters.
        Kind::Tag | Kind::Direction | Kind::Private => false,
    }
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
}

impl Run {
    /// How sure it is that the run hides something, what it is, and where.
    fn judge(&self, text: &str) -> Option<(f32, String, Range<usize>)> {
        let inside = text.get(self.range.clone())?;
        let (confidence, message) = match self.kind {
            Kind::Tag => tag_text(inside, text.get(..self.range.start)?)?,
            Kind::Variation => variation_data(self.count)?,
            Kind::Direction => direction(inside)?,
            Kind::ZeroWidth => zero_width(inside, self.count)?,
            Kind::Private => {
                (self.count >= 12).then(|| (0.6, format!("{} private-use characters in a row", self.count)))?
            }
        };
        Some((confidence, message, self.range.clone()))
    }
}

/// Text in tag characters. Flags of regions (England, Wales, ...) are written with a few of them after a black flag.
fn tag_text(inside: &str, before: &str) -> Option<(f32, String)> {
    let decoded: String = inside
        .chars()
        .filter_map(|c| char::from_u32(u32::from(c) - 0xe0000))
        .filter(|c| matches!(c, ' '..='~'))
        .collect();
    let is_flag = before.ends_with('\u{1f3f4}')
        && inside.ends_with('\u{e007f}')
        && decoded.len() <= 6
        && decoded.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is_flag {
        return None;
    }
    if injection::confidence(&decoded) >= 0.5 {
        return Some((0.98, "invisible tag characters spell instructions".to_owned()));
    }
    if decoded.len() >= 3 {
        return Some((0.9, format!("{} invisible tag characters spell a text", decoded.len())));
    }
    Some((0.5, "invisible tag characters".to_owned()))
}

/// Variation selectors in a row carry bytes, nothing else.
fn variation_data(count: usize) -> Option<(f32, String)> {
    (count >= 4).then(|| (0.9, format!("{count} variation selectors in a row, which can carry hidden data")))
}

/// Direction controls that change the order in which text is shown against the order in which it is read.
fn direction(inside: &str) -> Option<(f32, String)> {
    let count = |set: &[char]| inside.chars().filter(|c| set.contains(c)).count();
    let overrides = count(&['\u{202d}', '\u{202e}']);
    let isolates = count(&['\u{2066}', '\u{2067}', '\u{2068}']);
    let embeddings = count(&['\u{202a}', '\u{202b}']);
    let ends_of_isolates = count(&['\u{2069}']);
    let ends = count(&['\u{202c}']);
    if overrides > 0 {
        return Some((0.85, "a direction override shows text in another order than it is read".to_owned()));
    }
    let unbalanced = isolates != ends_of_isolates || embeddings != ends;
    let in_code = inside.contains(['{', '}', ';', '#']) || inside.contains("//") || inside.contains("/*");
    if unbalanced && in_code {
        return Some((0.8, "unbalanced direction controls around code".to_owned()));
    }
    unbalanced.then(|| (0.3, "unbalanced direction controls".to_owned()))
}

/// Zero-width characters between letters. A few are line-break hints; many split words or carry bits.
fn zero_width(inside: &str, count: usize) -> Option<(f32, String)> {
    let visible = inside.chars().filter(|c| kind_of(*c).is_none()).count();
    if count >= 8 && visible == 0 {
        return Some((0.85, format!("{count} zero-width characters in a row, which can carry hidden data")));
    }
    if count >= 5 && visible <= count {
        return Some((0.8, "zero-width characters between the letters of words".to_owned()));
    }
    (count >= 2).then(|| (0.3, "zero-width characters".to_owned()))
}
