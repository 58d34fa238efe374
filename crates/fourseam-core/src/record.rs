//! One line of the audit log: what was asked, what was decided, under which policy. Makes the line and its place in
//! the chain; writing it is the binary's business.

use crate::action::{Action, HookCall, Shell};
use crate::decision::{Decision, Mode};
use crate::judge::JudgeNote;
use crate::redact::{redact, redact_json};
use crate::verdict::Told;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the form of a line. Readers accept every version up to theirs.
pub const SCHEMA: u32 = 1;

/// Bytes that are kept of one text of an action; the rest is counted.
pub(crate) const TEXT_LIMIT: usize = 2048;

/// What is recorded of one hook call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// When the answer was given, RFC 3339 in UTC.
    pub time: String,
    /// Host id.
    pub agent: String,
    /// Event in the host's spelling.
    pub event: String,
    /// Session id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    /// Id of the sub-agent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agent_id: Option<String>,
    /// The host's id of the tool call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call_id: Option<String>,
    /// Root of the project, or the working directory.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub project: Option<String>,
    /// Tool name in the host's spelling.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// The action, secrets taken out and long texts cut. `null` when the payload could not be read.
    pub action: Value,
    /// What was decided.
    pub decision: Decision,
    /// What the host was told.
    pub told: Decision,
    /// Ids of the rules that matched, strongest first.
    pub rules: Vec<String>,
    /// Ids of the rules that are only tried out and matched.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dry_rules: Vec<String>,
    /// Message of the strongest rule.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub reason: String,
    /// Mode in force.
    pub mode: Mode,
    /// Hash of the policy in force.
    pub policy: String,
    /// What went wrong, if something did.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub troubles: Vec<String>,
    /// From start to answer, in microseconds.
    pub micros: u64,
    /// Version of fourseam.
    pub version: String,
    /// What a judge was asked and said, if one was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judge: Option<JudgeNote>,
}

/// Facts of a record that the core cannot know.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// As [`Record::time`].
    pub time: String,
    /// As [`Record::agent`].
    pub agent: String,
    /// As [`Record::event`].
    pub event: String,
    /// As [`Record::project`].
    pub project: Option<String>,
    /// As [`Record::mode`].
    pub mode: Mode,
    /// As [`Record::policy`].
    pub policy: String,
    /// As [`Record::troubles`].
    pub troubles: Vec<String>,
    /// As [`Record::micros`].
    pub micros: u64,
    /// As [`Record::version`].
    pub version: String,
    /// As [`Record::judge`].
    pub judge: Option<JudgeNote>,
}

impl Record {
    /// The record of a call that was judged, or of one whose payload could not be read (`call` is `None`).
    #[must_use]
    pub fn new(call: Option<&HookCall>, told: &Told, circumstances: Circumstances) -> Self {
        let verdict = told.verdict();
        let ids = |reasons: &[crate::verdict::Reason]| reasons.iter().map(|reason| reason.rule.clone()).collect();
        let cwd = call.and_then(|call| call.cwd.clone());
        Self {
            schema: SCHEMA,
            time: circumstances.time,
            agent: circumstances.agent,
            event: circumstances.event,
            session: call.and_then(|call| call.session.clone()),
            agent_id: call.and_then(|call| call.agent_id.clone()),
            call_id: call.and_then(|call| call.call_id.clone()),
            project: circumstances.project.or(cwd),
            tool: call.and_then(|call| call.tool.clone()),
            action: call.map_or(Value::Null, |call| recorded_action(&call.action)),
            decision: verdict.decision(),
            told: told.said(),
            rules: ids(verdict.reasons()),
            dry_rules: ids(verdict.dry_reasons()),
            reason: verdict.reasons().first().map(|reason| redact(&reason.message)).unwrap_or_default(),
            mode: circumstances.mode,
            policy: circumstances.policy,
            troubles: circumstances.troubles.iter().map(|trouble| redact(trouble)).collect(),
            micros: circumstances.micros,
            version: circumstances.version,
            judge: circumstances.judge,
        }
    }

    /// The line of this record at its place in the chain, with the line feed.
    ///
    /// # Errors
    /// None in practice: every part of a record can be serialised.
    pub fn line(&self, link: &Link) -> Result<String, serde_json::Error> {
        let mut line = serde_json::to_string(&Linked { seq: link.seq, prev: &link.prev, record: self })?;
        line.push('\n');
        Ok(line)
    }
}

#[derive(Serialize)]
struct Linked<'a> {
    seq: u64,
    prev: &'a str,
    #[serde(flatten)]
    record: &'a Record,
}

/// The place of a line in the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Number of the line, from 1.
    pub seq: u64,
    /// BLAKE3 of the line before, without its line feed, as hex; 64 zeros for the first.
    pub prev: String,
}

impl Link {
    /// The place of the first line.
    #[must_use]
    pub fn first() -> Self {
        Self { seq: 1, prev: "0".repeat(64) }
    }

    /// The place after a line.
    #[must_use]
    pub fn after(&self, line: &[u8]) -> Self {
        Self { seq: self.seq + 1, prev: hash(line) }
    }
}

/// BLAKE3 of a line without its line feed, as hex.
#[must_use]
pub fn hash(line: &[u8]) -> String {
    blake3::hash(line.strip_suffix(b"\n").unwrap_or(line)).to_hex().to_string()
}

/// The action for the log. A result is there once, as text: the host's own form says the same again. The large texts
/// are cut before they are copied.
pub(crate) fn recorded_action(action: &Action) -> Value {
    let whole = |action: &Action| serde_json::to_value(action).unwrap_or_default();
    let mut value = match action {
        Action::ToolResult(result) => serde_json::json!({
            "action": "tool-result",
            "of": recorded_action(&result.of),
            "text": cut(&result.text),
            "failed": result.failed,
        }),
        Action::Shell(shell) => whole(&Action::Shell(Shell {
            command: cut(&shell.command),
            dialect: shell.dialect,
            cwd: shell.cwd.clone(),
            background: shell.background,
        })),
        Action::FileWrite { path, content } => whole(&Action::FileWrite { path: path.clone(), content: cut(content) }),
        Action::Prompt { text } => whole(&Action::Prompt { text: cut(text) }),
        Action::Output { text } => whole(&Action::Output { text: cut(text) }),
        Action::FileRead { .. }
        | Action::FileEdit { .. }
        | Action::FileDelete { .. }
        | Action::Patch { .. }
        | Action::WebFetch { .. }
        | Action::WebSearch { .. }
        | Action::McpCall { .. }
        | Action::Subagent { .. }
        | Action::Other { .. } => whole(action),
    };
    cut_all(&mut value);
    redact_json(&mut value);
    value
}

fn cut_all(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > TEXT_LIMIT => *text = cut(text),
        Value::Array(items) => items.iter_mut().for_each(cut_all),
        Value::Object(map) => map.values_mut().for_each(cut_all),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The beginning of a long text. Ends at a blank where there is one near, so that no half of a key stays behind
/// that could not be told as a key any more.
fn cut(text: &str) -> String {
    if text.len() <= TEXT_LIMIT {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(TEXT_LIMIT)).unwrap_or_default();
    let end = head.rfind(char::is_whitespace).filter(|end| head.len() - end < TEXT_LIMIT / 2).unwrap_or(head.len());
    let head = head.get(..end).unwrap_or_default();
    format!("{head} [+{} bytes]", text.len() - head.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;
    use crate::action::{Dialect, Point};
    use crate::capabilities::{AskSupport, Capabilities};
    use crate::decision::OnError;
    use crate::verdict::Verdict;

    const GATE: Capabilities = Capabilities {
        point: Some(Point::ToolCall),
        gate: true,
        deny: true,
        ask: AskSupport::No,
        allow: false,
        rewrite: false,
        context: false,
        replace: false,
        notice: false,
    };

    fn shell(command: &str) -> Action {
        Action::Shell(Shell { command: command.to_owned(), dialect: Dialect::Posix, cwd: None, background: false })
    }

    fn call(action: Action) -> HookCall {
        HookCall {
            host: "h".to_owned(),
            event: "e".to_owned(),
            point: Some(Point::ToolCall),
            session: Some("s".to_owned()),
            cwd: Some("/p".to_owned()),
            permission_mode: None,
            agent_id: None,
            call_id: None,
            tool: Some("Bash".to_owned()),
            stop_hook_active: false,
            action,
        }
    }

    #[test]
    fn a_line_says_before_and_after_fit_and_reads_back() {
        let told = Verdict::of_failure(OnError::Ask, "broken").fit(&GATE, Mode::Guard, false);
        let action = shell("curl -H 'Authorization: Bearer abcDEF123456abcDEF'");
        let record = Record::new(Some(&call(action)), &told, Circumstances::default());
        let line = record.line(&Link::first()).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value.get("decision").unwrap(), "ask");
        assert_eq!(value.get("told").unwrap(), "deny");
        assert_eq!(value.get("seq").unwrap(), 1);
        assert_eq!(value.pointer("/rules/0").unwrap(), "fourseam/failure");
        assert!(!line.contains("abcDEF"), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }

    #[test]
    fn the_chain_names_the_line_before() {
        let second = Link::first().after(b"line\n");
        assert_eq!(second, Link { seq: 2, prev: hash(b"line") });
    }

    #[test]
    fn long_texts_are_cut_and_counted() {
        let action = Action::FileWrite { path: "/p/a".to_owned(), content: "word ".repeat(1000) };
        let text = recorded_action(&action).to_string();
        assert!(text.len() < 2300 && text.contains(" [+"), "{text}");
    }
}
