//! One line of the audit log: what was asked, what was decided, under which policy. Makes the line and its place in
//! the chain; writing it is the binary's business.

mod answers;
mod kept;
mod recorded;

use crate::action::{HookCall, Point};
use crate::decision::{Decision, Mode, OnError};
use crate::judge::JudgeNote;
use crate::redact::{redact, redact_name};
use crate::verdict::Told;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use answers::{Answers, Recorder};
use kept::Kept;
pub(crate) use kept::{TEXT_LIMIT, recorded_action};
pub use recorded::{Difference, RecordedWorld};

/// Version of the form of a line. Readers accept every version up to theirs.
pub const SCHEMA: u32 = 2;

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
    /// The intervention point; none for events that are only watched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub point: Option<Point>,
    /// Working directory, where it is not the root of the project.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cwd: Option<String>,
    /// The host's own permission mode.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub permission_mode: Option<String>,
    /// A stop hook has already sent the agent back once.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub sent_back: bool,
    /// Root of the project, or the working directory.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub project: Option<String>,
    /// Tool name in the host's spelling.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// The action, secrets taken out and long texts cut. `null` when the payload could not be read.
    pub action: Value,
    /// Bytes of the action's texts that were left out. Such an action cannot be decided again.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub cut: u64,
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
    /// The text that it matched, shortened.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub matched: String,
    /// What was asked about the machine, and the answers.
    #[serde(skip_serializing_if = "Answers::is_empty", default)]
    pub world: Answers,
    /// Mode in force.
    pub mode: Mode,
    /// What a failure of fourseam is answered with. `None` in records of schema 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub on_error: Option<OnError>,
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
    /// As [`Record::world`].
    pub world: Answers,
    /// As [`Record::mode`].
    pub mode: Mode,
    /// As [`Record::on_error`].
    pub on_error: Option<OnError>,
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
        let first = verdict.reasons().first();
        let named =
            |name: fn(&HookCall) -> &Option<String>| call.and_then(|call| name(call).as_deref().map(redact_name));
        let cwd = named(|call| &call.cwd);
        let project = circumstances.project.as_deref().map(redact_name).or(cwd.clone());
        let Kept { action, cut } = call.map(|call| Kept::of(&call.action)).unwrap_or_default();
        Self {
            schema: SCHEMA,
            time: circumstances.time,
            agent: redact_name(&circumstances.agent),
            event: redact_name(&circumstances.event),
            session: named(|call| &call.session),
            agent_id: named(|call| &call.agent_id),
            call_id: named(|call| &call.call_id),
            point: call.and_then(|call| call.point),
            cwd: cwd.filter(|cwd| Some(cwd) != project.as_ref()),
            permission_mode: named(|call| &call.permission_mode),
            sent_back: call.is_some_and(|call| call.stop_hook_active),
            project,
            tool: named(|call| &call.tool),
            action,
            cut,
            decision: verdict.decision(),
            told: told.said(),
            rules: ids(verdict.reasons()),
            dry_rules: ids(verdict.dry_reasons()),
            reason: first.map(|reason| redact(&reason.message)).unwrap_or_default(),
            matched: first.map(|reason| redact(&reason.matched)).unwrap_or_default(),
            world: circumstances.world.redacted(),
            mode: circumstances.mode,
            on_error: circumstances.on_error,
            policy: circumstances.policy,
            troubles: circumstances.troubles.iter().take(MOST_TROUBLES).map(|trouble| kept::trouble(trouble)).collect(),
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

/// Troubles that are kept of one call.
const MOST_TROUBLES: usize = 32;

fn is_zero(number: &u64) -> bool {
    *number == 0
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

#[cfg(test)]
mod tests;
