//! What is kept of an action: long texts cut and counted, secrets taken out, the whole bounded.

use crate::action::{Action, Shell};
use crate::redact::{redact, redact_json};
use serde_json::Value;

/// Bytes that are kept of one text; the rest is counted.
pub(crate) const TEXT_LIMIT: usize = 2048;

/// Bytes that are kept of all texts of an action together.
const WHOLE_LIMIT: usize = 48 * 1024;

/// Entries that are kept of all lists and objects of an action together.
const MOST_ENTRIES: usize = 2000;

/// An action as the log has it.
#[derive(Default)]
pub(super) struct Kept {
    /// The action; null where there is none.
    pub(super) action: Value,
    /// Bytes that were left out, or at least one where something was.
    pub(super) cut: u64,
}

impl Kept {
    /// The large texts are cut before they are copied.
    pub(super) fn of(action: &Action) -> Self {
        let mut scissors = Scissors { text_left: WHOLE_LIMIT, entries_left: MOST_ENTRIES, cut: 0 };
        let mut action = scissors.action(action);
        scissors.json(&mut action);
        redact_json(&mut action);
        Self { action, cut: scissors.cut }
    }
}

/// The action as the log has it.
pub(crate) fn recorded_action(action: &Action) -> Value {
    Kept::of(action).action
}

/// A trouble as the log has it.
pub(super) fn trouble(text: &str) -> String {
    redact(&Scissors { text_left: TEXT_LIMIT, entries_left: 0, cut: 0 }.text(text))
}

/// Cuts texts, and counts what falls.
struct Scissors {
    text_left: usize,
    entries_left: usize,
    cut: u64,
}

impl Scissors {
    /// A result is there once, as text: the host's own form says the same again.
    fn action(&mut self, action: &Action) -> Value {
        let whole = |action: &Action| serde_json::to_value(action).unwrap_or_default();
        match action {
            Action::ToolResult(result) => serde_json::json!({
                "action": "tool-result",
                "of": self.action(&result.of),
                "text": self.text(&result.text),
                "failed": result.failed,
                "own": result.own,
            }),
            Action::Shell(shell) => whole(&Action::Shell(Shell {
                command: self.text(&shell.command),
                dialect: shell.dialect,
                cwd: shell.cwd.clone(),
                background: shell.background,
            })),
            Action::FileWrite { path, content } => {
                whole(&Action::FileWrite { path: path.clone(), content: self.text(content) })
            }
            Action::Prompt { text } => whole(&Action::Prompt { text: self.text(text) }),
            Action::Output { text } => whole(&Action::Output { text: self.text(text) }),
            Action::FileRead { .. }
            | Action::FileEdit { .. }
            | Action::FileDelete { .. }
            | Action::Patch { .. }
            | Action::WebFetch { .. }
            | Action::WebSearch { .. }
            | Action::McpCall { .. }
            | Action::Subagent { .. }
            | Action::Other { .. } => whole(action),
        }
    }

    /// Cuts every text in a value, and the value itself where it has too many parts.
    fn json(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if text.len() > TEXT_LIMIT + MARK || text.len() > self.text_left {
                    *text = self.text(text);
                }
                self.text_left = self.text_left.saturating_sub(text.len());
            }
            Value::Array(items) => {
                let before = items.len();
                items.truncate(self.entries_left);
                self.entries_left -= items.len();
                self.cut += (before - items.len()) as u64;
                items.iter_mut().for_each(|item| self.json(item));
            }
            Value::Object(map) => {
                if map.len() > self.entries_left || map.keys().any(|key| key.len() > TEXT_LIMIT) {
                    let before = map.len();
                    let kept = std::mem::take(map).into_iter().filter(|(key, _)| key.len() <= TEXT_LIMIT);
                    *map = kept.take(self.entries_left).collect();
                    self.cut += (before - map.len()) as u64;
                }
                self.entries_left -= map.len();
                map.values_mut().for_each(|value| self.json(value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The beginning of a long text. Ends at a blank where there is one near, so that no half of a key stays behind
    /// that could not be told as a key any more.
    fn text(&mut self, text: &str) -> String {
        let limit = TEXT_LIMIT.min(self.text_left);
        if text.len() <= limit {
            return text.to_owned();
        }
        let head = text.get(..text.floor_char_boundary(limit)).unwrap_or_default();
        let end = head.rfind(char::is_whitespace).filter(|end| head.len() - end < TEXT_LIMIT / 2).unwrap_or(head.len());
        let head = head.get(..end).unwrap_or_default();
        let fallen = text.len() - head.len();
        self.cut += fallen as u64;
        format!("{head} [+{fallen} bytes]")
    }
}

/// Bytes that the note of a cut takes at most: a text that was cut once is not cut again.
const MARK: usize = 32;
