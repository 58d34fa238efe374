//! Secrets in a text: provider keys, private keys, passwords in connection strings, random values next to key words.
//! Precise rather than complete: hashes, UUIDs, lock files, placeholders and public keys are no secrets.

mod assigned;
mod blocks;
mod placeholder;
mod shape;
mod shapes;

use super::{Detector, Part, span};
use crate::analysis::Finding;
use aho_corasick::{AhoCorasick, MatchKind};
use shapes::SHAPES;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// The detector.
pub(super) struct Secrets;

impl Detector for Secrets {
    fn id(&self) -> &'static str {
        "secrets"
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::ToolOutput, Part::OwnOutput, Part::Prompt, Part::FileContent, Part::FinalAnswer, Part::Command]
    }

    fn scan(&self, text: &str) -> Vec<Finding> {
        find(text)
            .into_iter()
            .filter(|secret| !secret.sample)
            .map(|secret| Finding {
                detector: self.id().to_owned(),
                confidence: secret.confidence,
                message: format!("holds a secret: {}", secret.label),
                span: span(secret.span.start, secret.span.end),
            })
            .collect()
    }
}

/// The text with every secret replaced by `[redacted:kind]`, for logs and results. Values that only look like a
/// secret (documentation samples) are replaced too: in a log it costs nothing.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    without_spans(text, find(text))
}

fn without_spans(text: &str, found: Vec<Secret>) -> Cow<'_, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for secret in found {
        out.push_str(text.get(from..secret.span.start).unwrap_or_default());
        out.push_str("[redacted:");
        out.push_str(secret.kind);
        out.push(']');
        from = secret.span.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// As [`redact`], by the shapes of provider keys alone, and without the automaton, which takes longer to build than a
/// short text to read. Behind a slash it may be a part of a path as well as one of base64 text: it goes.
pub(crate) fn redact_shapes(text: &str) -> Cow<'_, str> {
    if !may_have_shape(text) {
        return Cow::Borrowed(text);
    }
    let behind_slash = |shape: &shape::Shape, at: usize| {
        let part = text.get(at..).filter(|_| text.get(..at).is_some_and(|before| before.ends_with('/')))?;
        let secret = shape.find(part, 0)?;
        Some(Secret { span: secret.span.start + at..secret.span.end + at, ..secret })
    };
    let found = anchors(text)
        .into_iter()
        .filter_map(|(shape, at)| shape.find(text, at).or_else(|| behind_slash(shape, at)))
        .collect();
    without_spans(text, without_overlaps(found))
}

/// Whether the text holds a secret that is no sample.
pub(super) fn holds(text: &str) -> bool {
    find(text).iter().any(|secret| !secret.sample)
}

/// Where the anchors of shapes stand. Most shapes begin a word, and a text has few of those.
fn anchors(text: &str) -> Vec<(&'static shape::Shape, usize)> {
    let bytes = text.as_bytes();
    let has_escapes = bytes.contains(&b'\\') || bytes.contains(&b'%');
    let is_joined = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let mut found = Vec::new();
    for (at, _) in text.char_indices() {
        let begins = at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|before| !is_joined(before));
        if begins || (has_escapes && shape::starts_a_word(bytes, at)) {
            let rest = bytes.get(at..).unwrap_or_default();
            let here = SHAPES.iter().filter(|it| it.before.is_none() && rest.starts_with(it.anchor.as_bytes()));
            found.extend(here.map(|shape| (shape, at)));
        }
    }
    for shape in SHAPES.iter().filter(|shape| shape.before.is_some()) {
        found.extend(text.match_indices(shape.anchor).map(|(at, _)| (shape, at)));
    }
    found
}

/// Whether a text holds as many characters of keys in a row as the shortest shape has.
fn may_have_shape(text: &str) -> bool {
    const SHORTEST: usize = 16;
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.=:+~".contains(byte);
    text.as_bytes().split(|byte| !is_key(byte)).any(|run| run.len() >= SHORTEST)
}

/// A secret and where it is.
#[derive(Debug)]
struct Secret {
    /// Kebab-case kind, for `[redacted:kind]`.
    kind: &'static str,
    /// The kind in words, for messages.
    label: &'static str,
    confidence: f32,
    /// Reads like a sample of documentation; redacted, but no finding.
    sample: bool,
    /// The secret part only, in bytes.
    span: Range<usize>,
}

/// What a trigger word may be the start of.
#[derive(Clone, Copy)]
enum Trigger {
    Shape(&'static shape::Shape),
    PrivateKey,
    PuttyKey,
    ConnectionString,
    Assigned(assigned::Word),
}

struct Triggers {
    automaton: Option<AhoCorasick>,
    of: Vec<Trigger>,
}

static TRIGGERS: LazyLock<Triggers> = LazyLock::new(|| {
    let mut words = Vec::new();
    let mut of = Vec::new();
    for shape in SHAPES {
        words.push(shape.anchor);
        of.push(Trigger::Shape(shape));
    }
    words.push(blocks::PRIVATE_KEY_ANCHOR);
    of.push(Trigger::PrivateKey);
    words.push(blocks::PUTTY_ANCHOR);
    of.push(Trigger::PuttyKey);
    words.push("://");
    of.push(Trigger::ConnectionString);
    for (text, word) in assigned::WORDS {
        words.push(text);
        of.push(Trigger::Assigned(*word));
    }
    let automaton =
        AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::Standard).build(words).ok();
    Triggers { automaton, of }
});

/// All secrets, sorted, none overlapping: where two overlap, the surer one stays.
fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let Some(automaton) = &TRIGGERS.automaton else { return found };
    for hit in automaton.find_overlapping_iter(text) {
        let Some(trigger) = TRIGGERS.of.get(hit.pattern().as_usize()) else { continue };
        found.extend(match trigger {
            Trigger::Shape(shape) => shape.find(text, hit.start()),
            Trigger::PrivateKey => blocks::private_key(text, hit.start()),
            Trigger::PuttyKey => blocks::putty_key(text, hit.start()),
            Trigger::ConnectionString => blocks::connection_string(text, hit.start()),
            Trigger::Assigned(word) => assigned::find(text, hit.range(), *word),
        });
    }
    without_overlaps(found)
}

fn without_overlaps(mut found: Vec<Secret>) -> Vec<Secret> {
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(b.span.len().cmp(&a.span.len())));
    let mut kept: Vec<Secret> = Vec::with_capacity(found.len());
    let mut taken: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
    for secret in found {
        let overlaps = taken.range(..secret.span.end).next_back().is_some_and(|(_, end)| *end > secret.span.start);
        if !overlaps {
            taken.insert(secret.span.start, secret.span.end);
            kept.push(secret);
        }
    }
    kept.sort_by_key(|secret| secret.span.start);
    kept
}

#[cfg(test)]
mod tests;
