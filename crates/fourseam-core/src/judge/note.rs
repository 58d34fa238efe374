//! What the audit log keeps of a judge's work. Never the question: that is in the record already.

use super::answer::Answer;
use super::question::Kind;
use serde::{Deserialize, Serialize};

/// One question to a judge and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeNote {
    /// What it was about.
    pub kind: Kind,
    /// Backend and model, `openai/llama3`.
    pub model: String,
    /// Version of the questions.
    pub version: u32,
    /// The probabilities; nothing when it failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer: Option<Answer>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trouble: Option<String>,
    /// The answer was one that was given before.
    #[serde(skip_serializing_if = "is_false", default)]
    pub cached: bool,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Tokens that were sent, as the judge counts them.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub tokens_in: u64,
    /// Tokens that came back.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub tokens_out: u64,
    /// What it cost by the prices of the policy, in dollars.
    #[serde(skip_serializing_if = "is_free", default)]
    pub cost: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_free(value: &f64) -> bool {
    *value <= 0.0
}
