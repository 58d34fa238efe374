//! What lies in front of the judge: the action, secrets taken out, behind a fence that nothing in it can close.
//!
//! The text comes from an agent that may have been misled, so it may speak to the judge. It is one JSON value on one
//! line (line breaks are escapes), between two marks that hold a hash of it: a text cannot hold its own hash.

use super::question::Sheet;
use crate::action::{Action, HookCall, ToolResult};
use crate::analysis::Analysis;
use crate::detect::{self, Part};
use crate::record::{TEXT_LIMIT, recorded_action};
use crate::redact::{redact, redact_json};
use serde_json::{Value, json};

/// Most commands and unknowns that are listed.
const MOST_LISTED: usize = 40;
/// Bytes of a result that are shown on each side of the first finding.
const AROUND: usize = 1500;

/// The action and what was understood of it.
#[derive(Clone, Debug)]
pub struct Material {
    /// The user's policy in plain words.
    policy_text: Option<String>,
    /// One line of JSON.
    data: String,
    /// It holds text that speaks to a model.
    speaks: bool,
    /// Nothing was left out.
    whole: bool,
}

/// Material between its marks.
pub struct Fence {
    /// The mark, which the material does not hold.
    pub mark: String,
    /// Everything, marks included.
    pub text: String,
}

impl Material {
    /// What is shown of a call.
    pub(super) fn new(sheet: &Sheet, call: &HookCall, analysis: &Analysis, policy_text: Option<&str>) -> Self {
        let commands: Vec<String> =
            analysis.invocations.iter().take(MOST_LISTED).map(|invocation| redact(&invocation.text)).collect();
        let unknowns: Vec<Value> = (analysis.unknowns.iter().take(MOST_LISTED))
            .map(|unknown| json!({ "why": unknown.class, "text": redact(&unknown.text) }))
            .collect();
        let action = match &call.action {
            Action::ToolResult(result) => json!({ "result": around_finding(result, analysis) }),
            action => recorded_action(action),
        };
        let mut data = json!({
            "action": action,
            "tool": call.tool,
            "cwd": call.cwd,
            "commands_that_would_run": commands,
            "not_understood": unknowns,
        });
        redact_json(&mut data);
        let listed = analysis.invocations.len().max(analysis.unknowns.len()) <= MOST_LISTED;
        Self {
            policy_text: policy_text.map(redact),
            data: data.to_string(),
            speaks: speaks_to_a_model(sheet, &call.action),
            whole: listed && serde_json::to_value(&call.action).is_ok_and(|action| is_short(&action)),
        }
    }

    /// The user's policy in plain words.
    #[must_use]
    pub fn policy_text(&self) -> Option<&str> {
        self.policy_text.as_deref()
    }

    /// One line of JSON, without marks.
    #[must_use]
    pub fn data(&self) -> &str {
        &self.data
    }

    /// Whether it holds text that speaks to a model. Such text is never allowed by one.
    #[must_use]
    pub fn speaks(&self) -> bool {
        self.speaks
    }

    /// Whether nothing was left out. What was not shown is not allowed.
    #[must_use]
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// The material between its marks.
    #[must_use]
    pub fn fenced(&self) -> Fence {
        let mark: String = blake3::hash(self.data.as_bytes()).to_hex().chars().take(32).collect();
        let text = format!("<data {mark}>\n{}\n</data {mark}>", self.data);
        Fence { mark, text }
    }
}

/// Whether the text of an action may speak to a model: known instructions, the ids of our own questions, the fence, or
/// simply sentences. What it costs to be wrong here is an allow that is left to the host.
fn speaks_to_a_model(sheet: &Sheet, action: &Action) -> bool {
    let text = match action {
        Action::Shell(shell) => shell.command.clone(),
        // What is asked about a result is just that.
        Action::ToolResult(_) => return false,
        _ => serde_json::to_string(action).unwrap_or_default(),
    };
    let lower = text.to_lowercase();
    let ids = sheet.classes.iter().map(|item| &item.id).chain(sheet.risks.iter().map(|risk| &risk.id));
    let names_us = ids.filter(|id| id.contains('_')).any(|id| lower.contains(id.as_str()));
    names_us || lower.contains("<data ") || lower.contains("</data") || holds_sentence(&text) || {
        let findings = detect::scan(Part::ToolOutput, &text);
        findings.iter().any(|finding| matches!(finding.detector.as_str(), "injection" | "hidden-unicode"))
    }
}

/// Words in a row that make a sentence.
const SENTENCE: usize = 4;
/// Letters of a script without spaces that make one.
const SENTENCE_LETTERS: usize = 8;

/// Whether a text holds a run of words as people write them.
fn holds_sentence(text: &str) -> bool {
    let mut words = 0;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let letters = || bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '-' | '\u{2019}'));
        let is_word = !word.starts_with('-') && !bare.is_empty() && letters();
        words = if is_word { words + 1 } else { 0 };
        let foreign = word.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count();
        if words >= SENTENCE || foreign >= SENTENCE_LETTERS {
            return true;
        }
    }
    false
}

/// The part of a result that holds its first finding.
fn around_finding(result: &ToolResult, analysis: &Analysis) -> String {
    let text = &result.text;
    let at = analysis.findings.first().map_or(0, |finding| usize::try_from(finding.span.0).unwrap_or(0));
    let start = text.floor_char_boundary(at.saturating_sub(AROUND));
    let end = text.floor_char_boundary(at.saturating_add(AROUND).min(text.len()));
    text.get(start..end).unwrap_or_default().to_owned()
}

/// Whether every text is short enough to be recorded whole.
fn is_short(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= TEXT_LIMIT,
        Value::Array(items) => items.iter().all(is_short),
        Value::Object(map) => map.values().all(is_short),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}
