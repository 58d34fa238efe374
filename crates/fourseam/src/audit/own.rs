//! Records that the log writes of itself, so that what was done to it on purpose can be told from what was not.

use super::rows;
use crate::clock;
use fourseam_core::action::{Action, HookCall};
use fourseam_core::decision::Mode;
use fourseam_core::record::{Circumstances, Record};
use fourseam_core::verdict::Verdict;
use fourseam_hosts::Event;
use serde_json::{Value, json};

/// Who writes them, in the place of an agent.
const AGENT: &str = "fourseam";
const RETENTION: &str = "audit-retention";
const HEAD_LOST: &str = "audit-head-lost";
const SPOOL_DAMAGED: &str = "audit-spool-damaged";

/// What the log says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// Records up to this one were taken away, as the policy says; the hash is that of the last of them.
    Retention { last: u64, hash: String },
    /// The log was there and its head was not.
    HeadLost,
    /// Records that waited in this file of the spool could not be read.
    SpoolDamaged { file: String, why: String },
}

impl Own {
    /// The record of it.
    pub(super) fn record(&self) -> Record {
        match self {
            Self::Retention { last, hash } => {
                of_fourseam(RETENTION, Mode::Guard, &json!({ "last": last, "hash": hash }))
            }
            Self::HeadLost => of_fourseam(HEAD_LOST, Mode::Guard, &json!({})),
            Self::SpoolDamaged { file, why } => {
                of_fourseam(SPOOL_DAMAGED, Mode::Guard, &json!({ "file": file, "why": why }))
            }
        }
    }

    /// What a line says, if it is of these.
    pub(super) fn of_line(line: &[u8]) -> Option<Self> {
        // Most lines are not, and reading them whole takes long.
        let text = std::str::from_utf8(line).ok()?;
        if !text.contains("\"agent\":\"fourseam\"") {
            return None;
        }
        let record = rows::record(line).ok()?;
        match (record.agent.as_str(), record.event.as_str()) {
            (AGENT, RETENTION) => {
                let input = record.action.get("input")?;
                let hash = input.get("hash")?.as_str()?.to_owned();
                Some(Self::Retention { last: input.get("last")?.as_u64()?, hash })
            }
            (AGENT, HEAD_LOST) => Some(Self::HeadLost),
            (AGENT, SPOOL_DAMAGED) => {
                let text = |key| Some(record.action.get("input")?.get(key)?.as_str()?.to_owned());
                Some(Self::SpoolDamaged { file: text("file")?, why: text("why")? })
            }
            _ => None,
        }
    }
}

/// A record that no agent caused: what a person switched, or what the log did.
pub(crate) fn of_fourseam(event: &str, mode: Mode, input: &Value) -> Record {
    let call = HookCall {
        host: AGENT.to_owned(),
        event: event.to_owned(),
        point: None,
        session: None,
        cwd: None,
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: None,
        stop_hook_active: false,
        action: Action::Other { tool: event.to_owned(), input: input.clone() },
    };
    let circumstances = Circumstances {
        time: clock::now(),
        agent: call.host.clone(),
        event: call.event.clone(),
        mode,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Circumstances::default()
    };
    let told = Verdict::default().fit(&Event::UNKNOWN.capabilities, Mode::Guard, false);
    Record::new(Some(&call), &told, circumstances)
}
