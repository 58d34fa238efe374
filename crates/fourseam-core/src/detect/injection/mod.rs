//! Instructions to the agent inside data: a page, a file, a tool's description, a row of a database that gives orders.
//! Works on words of eleven languages, evidence added up over neighbouring sentences, and on what decodes to such text.
//! A user's prompt is not data; for it only hidden characters count, which another detector finds.

mod address;
mod agency;
mod decoded;
mod disguised;
mod grammar;
mod harm;
mod learned;
mod lexicon;
mod links;
mod sentence;
mod signs;
mod weigh;

use super::view::View;
use super::{Detector, Part, span};
use crate::analysis::Finding;
use signs::{Sign, Signs};
use std::ops::Range;

/// The detector.
pub(super) struct Injection;

impl Detector for Injection {
    fn id(&self) -> &'static str {
        "injection"
    }

    fn reads(&self) -> &'static [Part] {
        &[Part::ToolOutput, Part::FileContent, Part::ToolDescription]
    }

    fn scan(&self, text: &str) -> Vec<Finding> {
        assess(text)
            .into_iter()
            .take(MAX_FINDINGS)
            .map(|assessed| Finding {
                detector: self.id().to_owned(),
                confidence: confidence_of(assessed.score),
                message: message(&assessed.signs),
                span: span(assessed.range.start, assessed.range.end),
            })
            .collect()
    }
}

const MAX_FINDINGS: usize = 20;

/// Scores below this are not reported at all.
const LEAST: f32 = 2.0;

/// How sure it is that a text is instructions to an agent; 0.0 when nothing is found.
pub(super) fn confidence(text: &str) -> f32 {
    assess(text).into_iter().map(|assessed| confidence_of(assessed.score)).fold(0.0, f32::max)
}

/// A score of 3.0 is the usual threshold of 0.6.
fn confidence_of(score: f32) -> f32 {
    (score / 5.0).clamp(0.0, 0.99)
}

/// What the encoded stretches of a text say.
pub(super) fn decoded_in(text: &str) -> Vec<String> {
    decoded::decoded(text).into_iter().map(|layer| layer.text).collect()
}

struct Assessed {
    /// In the original text.
    range: Range<usize>,
    score: f32,
    signs: Signs,
}

/// The text as it stands, then everything in it that decodes to text.
fn assess(text: &str) -> Vec<Assessed> {
    let mut found = assess_plain(text, false);
    for layer in decoded::decoded(text) {
        let inner = assess_plain(&layer.text, true).into_iter().max_by(|a, b| a.score.total_cmp(&b.score));
        // A riddle beside it that says to obey the answer belongs to it.
        let riddle = found.iter().any(|outer| {
            outer.signs.weight(Sign::Puzzle) >= 2.0
                && outer.range.start <= layer.range.end + 200
                && layer.range.start <= outer.range.end + 200
        });
        let extra = if riddle { 1.0 } else { 0.0 };
        found.extend(inner.map(|inner| Assessed { range: layer.range, score: inner.score + extra, ..inner }));
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

fn assess_plain(text: &str, hidden: bool) -> Vec<Assessed> {
    let view = View::of(text);
    let hits = lexicon::hits(&view.text);
    weigh::weigh(&view.text, &hits, LEAST, hidden)
        .into_iter()
        .map(|weighed| Assessed {
            range: view.original(weighed.range, text),
            score: weighed.score,
            signs: weighed.signs,
        })
        .collect()
}

fn message(signs: &Signs) -> String {
    let told: Vec<&str> =
        Sign::ALL.iter().filter(|sign| signs.weight(**sign) >= 0.75).map(|sign| sign.words()).collect();
    let told = if told.is_empty() { "its words together".to_owned() } else { told.join(", ") };
    format!("reads like instructions to the agent: {told}")
}
