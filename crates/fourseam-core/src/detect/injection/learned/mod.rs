//! How much each word, concept and pair of concepts of a stretch of text speaks for or against instructions to an
//! agent. The weights are data, learned from labelled texts by `learned/train.rs`; nothing is learned or
//! parsed at run time.

#[cfg(test)]
mod table;
#[cfg(test)]
mod train;

use super::lexicon::{Concept, Concepts, Hit};
use super::sentence::Sentence;

/// A property of a sentence that can bear a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Feature(u64);

/// What is known of one sentence: the numbers of its features in [`WEIGHTS`].
pub(super) type Features = Vec<u16>;

/// The features of a sentence that bear a weight, each once.
pub(super) fn features(sentence: &Sentence) -> Features {
    let mut known: Features =
        all_features(sentence).into_iter().filter_map(|feature| WEIGHTS.number(feature)).collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Adds up the weights of sentences that are read together. A feature counts once, however often it occurs.
pub(super) struct Sum {
    /// For each feature the stretch that counted it last.
    counted: Vec<u32>,
    stretch: u32,
    sum: f32,
}

impl Sum {
    pub(super) fn new() -> Self {
        Self { counted: vec![0; WEIGHTS.entries.len()], stretch: 0, sum: 0.0 }
    }

    /// A new stretch begins.
    pub(super) fn begin(&mut self) {
        self.stretch += 1;
        self.sum = WEIGHTS.bias;
    }

    /// One more sentence belongs to the stretch. The log odds so far.
    pub(super) fn add(&mut self, features: &[u16]) -> f32 {
        for number in features {
            let at = usize::from(*number);
            if let (Some(counted), Some(weight)) = (self.counted.get_mut(at), WEIGHTS.weight(*number))
                && *counted != self.stretch
            {
                *counted = self.stretch;
                self.sum += weight;
            }
        }
        self.sum
    }
}

/// Every feature of a sentence, some more than once: its words, concepts, commanded verbs, and which concepts follow
/// each other.
fn all_features(sentence: &Sentence) -> Vec<Feature> {
    let mut all = Vec::with_capacity(64);
    words(sentence.text, &mut |word| all.push(Feature::word(word)));
    for (at, hit) in sentence.hits.iter().enumerate() {
        let is_verb = hit.concepts.meets(VERBS) && !sentence.is_negated(hit) && sentence.is_commanded(hit);
        for concept in hit.concepts.iter() {
            all.push(Feature::concept(concept));
            if is_verb && VERBS.has(concept) {
                all.push(Feature::command(concept));
            }
        }
        let near = |next: &&Hit| next.start.saturating_sub(hit.end) <= NEAR;
        for next in sentence.hits.iter().skip(at + 1).take(NEXT).take_while(near) {
            for first in hit.concepts.iter() {
                all.extend(next.concepts.iter().map(|second| Feature::pair(first, second)));
            }
        }
    }
    all
}

/// Concepts this many bytes and words of the lexicon apart still make a pair.
const NEAR: usize = 60;
const NEXT: usize = 4;

/// Concepts that can be commanded.
const VERBS: Concepts = Concepts::of(&[
    Concept::Drop,
    Concept::Send,
    Concept::Embed,
    Concept::Reveal,
    Concept::Destroy,
    Concept::Run,
    Concept::Grant,
    Concept::Weaken,
    Concept::Rate,
    Concept::Money,
    Concept::Falsify,
    Concept::Steer,
    Concept::Veil,
]);

impl Feature {
    const CONCEPT: u64 = 1 << 60;
    const COMMAND: u64 = 2 << 60;
    const PAIR: u64 = 3 << 60;

    /// FNV-1a, without the bits that tell the kinds apart.
    fn word(word: &str) -> Self {
        let hash = word
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(hash & (Self::CONCEPT - 1))
    }

    fn concept(concept: Concept) -> Self {
        Self(Self::CONCEPT | u64::from(concept as u8))
    }

    fn command(concept: Concept) -> Self {
        Self(Self::COMMAND | u64::from(concept as u8))
    }

    fn pair(first: Concept, second: Concept) -> Self {
        Self(Self::PAIR | u64::from(first as u8) << 8 | u64::from(second as u8))
    }
}

/// The words of a text that may bear a weight: no numbers, no addresses (`://` and `@` stand for them), no names with
/// digits; single signs, and single characters of scripts that do not part words.
fn words<'a>(text: &'a str, found: &mut impl FnMut(&'a str)) {
    for chunk in text.split_whitespace() {
        let chunk = match chunk.find("://") {
            Some(at) => {
                found("://");
                chunk.get(..at).unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_alphanumeric())
            }
            None if chunk.contains('@') && chunk.contains('.') => {
                found("@.");
                continue;
            }
            None if chunk.contains(".example") => continue,
            None => chunk,
        };
        let mut rest = chunk;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                _ if u32::from(c) >= 0x2e80 || !(c.is_alphanumeric() || c == '_') => c.len_utf8(),
                _ => rest
                    .find(|c: char| u32::from(c) >= 0x2e80 || !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            if !word.bytes().any(|byte| byte.is_ascii_digit()) && word.len() <= 24 {
                found(word);
            }
            rest = after;
        }
    }
}

/// The weights as they are looked up: that of every text, then each feature with its own, sorted by feature.
#[derive(Clone, Copy)]
struct Weights {
    bias: f32,
    entries: &'static [Entry],
}

/// A feature in eight bytes and its weight in two, the lower bytes first.
type Entry = [u8; 10];

/// What `learned/table.rs` makes of `weights.txt`.
const TABLE: &[u8] = include_bytes!("weights.bin");

const WEIGHTS: Weights = match TABLE.split_first_chunk::<2>() {
    Some((bias, entries)) => Weights { bias: hundredths(*bias), entries: entries.as_chunks().0 },
    None => Weights { bias: 0.0, entries: &[] },
};

impl Weights {
    /// The number of a feature that bears a weight.
    fn number(self, feature: Feature) -> Option<u16> {
        let at = self.entries.binary_search_by_key(&feature.0, |entry| parts(*entry).0).ok()?;
        u16::try_from(at).ok()
    }

    fn weight(self, number: u16) -> Option<f32> {
        self.entries.get(usize::from(number)).map(|entry| parts(*entry).1)
    }
}

fn parts(entry: Entry) -> (u64, f32) {
    let [a, b, c, d, e, f, g, h, weight @ ..] = entry;
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), hundredths(weight))
}

/// -37 is -0.37.
const fn hundredths(bytes: [u8; 2]) -> f32 {
    i16::from_le_bytes(bytes) as f32 / 100.0
}
