//! Decides a recorded call again, and says what may be the reason where it comes out otherwise.

use super::{Row, rows};
use crate::engine::Engine;
use crate::exit::Failure;
use crate::home::Home;
use crate::world::Machine;
use fourseam_core::decision::Decision;
use fourseam_core::record::{Difference, Record, RecordedWorld};
use fourseam_core::verdict::Verdict;
use fourseam_core::world::World;

/// A call decided again.
pub(crate) struct Again {
    /// What is on record.
    pub(crate) row: Row,
    /// What is decided now with the facts of then; `None` where the record has none of them.
    pub(crate) then: Option<Said>,
    /// What is decided now with the facts of now.
    pub(crate) now: Said,
    /// What is not as it was, of the record's facts.
    pub(crate) differences: Vec<Difference>,
    /// Why the decision may not be that of then.
    pub(crate) causes: Vec<String>,
}

/// A decision, and the rules that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) decision: Decision,
    pub(crate) rules: Vec<String>,
}

impl Said {
    /// What is on record.
    pub(crate) fn of_record(record: &Record) -> Self {
        Self { decision: record.decision, rules: record.rules.clone() }
    }

    fn of(verdict: &Verdict) -> Self {
        let rules = verdict.reasons().iter().map(|reason| reason.rule.clone()).collect();
        Self { decision: verdict.decision(), rules }
    }
}

impl Again {
    /// Whether it came out as on record, with the facts of then where there are some.
    pub(crate) fn is_same(&self) -> bool {
        *self.then.as_ref().unwrap_or(&self.now) == Said::of_record(&self.row.record)
    }
}

/// The record of this number, or the last one of this id of a tool call.
///
/// # Errors
/// When the log cannot be read, or has no such record.
pub(crate) fn find(home: &Home, id: &str) -> Result<Row, Failure> {
    let failure = |why: String| Failure::new(format!("audit log `{}`: {why}", home.audit().display()));
    let number: Option<u64> = id.parse().ok();
    let mut found = None;
    for row in rows(home).map_err(|error| failure(error.to_string()))?.flatten() {
        let is_it = match number {
            Some(number) => row.link.seq == number,
            None => row.record.call_id.as_deref() == Some(id),
        };
        if is_it {
            found = Some(row);
        }
    }
    found.ok_or_else(|| failure(format!("no record `{id}`")).help("`fourseam log` shows the numbers"))
}

/// Decides a record again, under the policy in force now.
///
/// # Errors
/// When the record does not hold the whole call, or the policy cannot be loaded.
pub(crate) fn replay(row: Row) -> Result<Again, Failure> {
    let record = &row.record;
    let cannot = |why: String| Failure::new(format!("record {} cannot be decided again: {why}", row.link.seq));
    if record.cut > 0 {
        return Err(cannot(format!(
            "the action was longer than what the log keeps; {} bytes were left out",
            record.cut
        )));
    }
    let call = record.call().ok_or_else(|| cannot("it holds no call that this version can read".to_owned()))?;
    let engine = Engine::by_hand(call.cwd.as_deref())?;
    let machine = Machine::default();
    let recorded = RecordedWorld::new(&record.world, &machine);
    let said = |world: &dyn World| Said::of(&engine.verdict(&call, world));
    let then = (record.schema >= 2).then(|| said(&recorded));
    let now = said(&machine);
    let causes = causes(record, &engine.settings().hash, &recorded.lost());
    let differences = record.world.differences(&machine);
    Ok(Again { then, now, differences, causes, row })
}

/// What is not the same as then, or not on record.
fn causes(record: &Record, policy: &str, lost: &[String]) -> Vec<String> {
    let mut causes = Vec::new();
    if record.policy != policy {
        causes.push(format!("the policy changed: `{}` then, `{policy}` now", record.policy));
    }
    let version = env!("CARGO_PKG_VERSION");
    if record.version != version {
        causes.push(format!("fourseam changed: {} then, {version} now", record.version));
    }
    if record.schema < 2 {
        causes.push("the record is of schema 1, which has no facts of the machine".to_owned());
    }
    if record.is_redacted() {
        causes.push("a secret was taken out of the record".to_owned());
    }
    if record.world.more > 0 {
        causes.push(format!("{} facts of the machine were more than the log keeps", record.world.more));
    }
    causes.extend(lost.iter().map(|path| format!("`{path}` is not what it was, and was too long for the log")));
    let outside = |rule: &&String| ["session/", "judge/", "fourseam/"].iter().any(|start| rule.starts_with(start));
    let of_session = record.rules.iter().filter(outside);
    causes.extend(of_session.map(|rule| format!("`{rule}` had a say, which depends on more than the call")));
    if record.judge.is_some() {
        causes.push("a judge was asked then, and is not asked again".to_owned());
    }
    causes.extend(record.troubles.iter().map(|trouble| format!("there was trouble: {trouble}")));
    causes
}
