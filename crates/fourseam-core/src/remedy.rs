//! What becomes of a text that rules stop after the fact: a tool's result goes on with a warning, without its secrets, or
//! not at all. Made by [`crate::verdict::Verdict::fit_text`]; knows no host by name and no tool's shape.

use crate::action::{Action, ToolResult};
use serde_json::Value;
use std::collections::BTreeSet;

/// Id of the detector whose findings are cut out of a result, so that the rest may stay.
pub(crate) const CUT_OUT: &str = "secrets";

/// Ids of the detectors of instructions, whose findings `inject_action` speaks of.
pub(crate) const INSTRUCTIONS: [&str; 2] = ["hidden-unicode", "injection"];

/// What a detector found, and the rule that minds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Id of the rule.
    pub(crate) rule: String,
    /// Id of the detector.
    pub(crate) detector: String,
    /// What it is, in words; never the thing itself.
    pub(crate) message: String,
    /// Byte range in the text.
    pub(crate) span: (u32, u32),
}

/// What the agent reads in the place of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    way: Way,
    text: String,
    raw: Value,
    of_mcp: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Way {
    /// These texts are taken out, and what stands for each; longest first.
    Cleaned(Vec<(String, String)>),
    Withheld,
}

impl Replacement {
    /// The result without these pieces of its text.
    pub(crate) fn cleaned(result: &ToolResult, pieces: &[&Found]) -> Self {
        let pieces: BTreeSet<(&str, String)> = pieces
            .iter()
            .filter_map(|found| {
                let secret = result.text.get(found.span.0 as usize..found.span.1 as usize)?;
                (!secret.is_empty()).then(|| (secret, mark(&found.message)))
            })
            .collect();
        let mut pieces: Vec<(String, String)> =
            pieces.into_iter().map(|(secret, mark)| (secret.to_owned(), mark)).collect();
        pieces.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
        let text = without(&result.text, &pieces);
        Self { way: Way::Cleaned(pieces), text, ..Self::withheld(result, String::new()) }
    }

    /// A notice in the place of the whole result.
    pub(crate) fn withheld(result: &ToolResult, notice: String) -> Self {
        let of_mcp = matches!(*result.of, Action::McpCall { .. });
        Self { way: Way::Withheld, text: notice, raw: result.raw.clone(), of_mcp }
    }

    /// All that the agent reads, as one text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The result as the host gave it, for hosts that want the new one in the same shape.
    #[must_use]
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The result is that of an MCP tool.
    #[must_use]
    pub fn is_of_mcp(&self) -> bool {
        self.of_mcp
    }

    /// What stands in the place of a text of the result that the agent does not read.
    #[must_use]
    pub fn elsewhere(&self, text: &str) -> String {
        match &self.way {
            Way::Cleaned(pieces) => without(text, pieces),
            Way::Withheld => text.to_owned(),
        }
    }

    /// What stands in the place of one text that the agent reads of the result. Of a withheld one `first` gets the notice, the others nothing.
    #[must_use]
    pub fn in_place_of(&self, text: &str, first: bool) -> String {
        match &self.way {
            Way::Cleaned(pieces) => without(text, pieces),
            Way::Withheld if first => self.text.clone(),
            Way::Withheld => String::new(),
        }
    }
}

/// What stands for a secret: its kind, which the message of the finding ends with.
fn mark(message: &str) -> String {
    format!("[redacted: {}]", message.rsplit(": ").next().unwrap_or("a secret"))
}

fn without(text: &str, pieces: &[(String, String)]) -> String {
    pieces.iter().fold(text.to_owned(), |text, (secret, mark)| text.replace(secret.as_str(), mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(text: &str) -> ToolResult {
        let of = Box::new(Action::Other { tool: "t".to_owned(), input: Value::Null });
        ToolResult { of, text: text.to_owned(), raw: text.into(), failed: false, own: false }
    }

    fn found(span: (u32, u32)) -> Found {
        let message = "holds a secret: a plum token".to_owned();
        Found { rule: "t/x".to_owned(), detector: CUT_OUT.to_owned(), message, span }
    }

    #[test]
    fn every_place_of_a_secret_is_cleaned() {
        let replacement = Replacement::cleaned(&result("a plum1 b plum1 c"), &[&found((2, 7))]);
        assert_eq!(replacement.text(), "a [redacted: a plum token] b [redacted: a plum token] c");
        assert_eq!(replacement.in_place_of("plum1!", true), "[redacted: a plum token]!");
        assert_eq!(replacement.in_place_of("else", false), "else");
        assert_eq!(replacement.elsewhere("/tmp/plum1"), "/tmp/[redacted: a plum token]");
    }

    #[test]
    fn of_a_withheld_result_nothing_is_left() {
        let replacement = Replacement::withheld(&result("poison"), "kept".to_owned());
        assert_eq!((replacement.text(), replacement.in_place_of("poison", true).as_str()), ("kept", "kept"));
        assert_eq!(replacement.in_place_of("poison", false), "");
        assert_eq!(replacement.elsewhere("/tmp/poison"), "/tmp/poison", "what the agent does not read stays");
    }

    #[test]
    fn a_span_out_of_range_takes_nothing() {
        assert_eq!(Replacement::cleaned(&result("abc"), &[&found((7, 9))]).text(), "abc");
    }
}
