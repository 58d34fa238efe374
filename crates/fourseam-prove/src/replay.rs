//! Where a client is not here: its payloads, filled with what a scenario tries, are given to `fourseam hook`, and the
//! answer is read. Shows that the adapter refuses in that client's words, not that the client obeys.

use crate::process::{Ended, Limits};
use crate::scenario::{Attempt, Path, Scenario, Wants};
use crate::stage::Stage;
use fourseam_hosts::Host;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io;

/// Payloads of one host. `{command}`, `{path}`, `{text}`, `{lines}`, `{old}`, `{new}`, `{tool}`, `{name}` and
/// `{project}` are filled in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recorded {
    /// Where they come from.
    pub(crate) source: String,
    payloads: Vec<Payload>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    path: Path,
    payload: Value,
}

/// The payloads of a host; `None` for one that has none.
///
/// # Errors
/// When the data is not of this shape, which a test rules out.
pub(crate) fn of_host(host: &str) -> io::Result<Option<Recorded>> {
    let text = match host {
        "claude-code" => include_str!("../recorded/claude-code.json"),
        "codex" => include_str!("../recorded/codex.json"),
        "copilot-cli" => include_str!("../recorded/copilot-cli.json"),
        "cursor" => include_str!("../recorded/cursor.json"),
        "gemini-cli" => include_str!("../recorded/gemini-cli.json"),
        "opencode" => include_str!("../recorded/opencode.json"),
        "qwen-code" => include_str!("../recorded/qwen-code.json"),
        _ => return Ok(None),
    };
    Ok(Some(serde_json::from_str(text)?))
}

impl Recorded {
    /// What the adapter answers to a scenario: nothing when it is as wanted, else what was wrong. `None`: there is no
    /// payload of its kind.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(crate) fn replay(
        &self,
        host: &dyn Host,
        stage: &Stage,
        scenario: &Scenario,
        limits: Limits,
    ) -> io::Result<Option<Result<(), String>>> {
        let Some(of) = self.payloads.iter().find(|payload| payload.path == scenario.path) else { return Ok(None) };
        let words = words(&scenario.attempt.filled(stage), stage);
        let file = stage.temporary().join(format!("{}.json", scenario.id));
        stage.write(&file, &filled(&of.payload, &words).to_string())?;
        let mut command = stage.guard();
        command.args(["hook", host.id(), host.default_event().name, "--home"]).arg(stage.home().join(".fourseam"));
        command.stdin(File::open(&file)?);
        let ended = stage.run(command, limits)?;
        Ok(Some(judge(&scenario.wants, &ended)))
    }
}

/// A refusal is exit code 2, or the word in the answer of hosts that want exit code 0.
fn judge(wants: &Wants, ended: &Ended) -> Result<(), String> {
    let refuses = ended.code == Some(2) || ended.stdout.contains("\"deny\"");
    let good = match wants {
        Wants::Refused(rule) => refuses && ended.stdout.contains(&format!("rule {rule})")),
        Wants::Runs => ended.code == Some(0) && !refuses,
    };
    if good { Ok(()) } else { Err(format!("the adapter answered exit {:?}, `{}`", ended.code, ended.stdout.trim())) }
}

fn words(attempt: &Attempt, stage: &Stage) -> Vec<(&'static str, String)> {
    let lines = |text: &str| text.lines().map(|line| format!("+{line}\n")).collect::<String>();
    let mut words = match attempt.clone() {
        Attempt::Shell(command) | Attempt::SubAgent(command) => vec![("{command}", command)],
        Attempt::Write { path, text } => vec![("{path}", path), ("{lines}", lines(&text)), ("{text}", text)],
        Attempt::Edit { path, old, new } => vec![("{path}", path), ("{old}", old), ("{new}", new)],
        Attempt::Read(path) => vec![("{path}", path)],
        Attempt::Mcp { tool, name } => vec![("{tool}", tool), ("{name}", name)],
    };
    words.push(("{project}", stage.project().display().to_string()));
    words
}

fn filled(value: &Value, words: &[(&'static str, String)]) -> Value {
    match value {
        Value::String(text) => {
            Value::String(words.iter().fold(text.clone(), |text, (name, word)| text.replace(name, word)))
        }
        Value::Array(items) => items.iter().map(|item| filled(item, words)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), filled(field, words))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::of_host;
    use fourseam_hosts::HOSTS;

    #[test]
    fn every_host_has_payloads() {
        assert!(HOSTS.iter().all(|host| of_host(host.id()).unwrap().is_some()));
    }
}
