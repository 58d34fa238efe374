//! Cursor's hook file.

use super::Cursor;
use crate::checkup::{Activation, Checkup};
use crate::hookfile::{self, Entry};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Scope, Wiring};
use crate::native::Native;
use crate::tail;
use serde_json::Value;

/// Events that get an entry. The shell and MCP gates are not among them, nor what only repeats `postToolUse`.
const EVENTS: &[&str] = &[
    "afterAgentResponse",
    "beforeReadFile",
    "beforeSubmitPrompt",
    "beforeTabFileRead",
    "postToolUse",
    "postToolUseFailure",
    "preToolUse",
    "sessionStart",
    "stop",
    "subagentStart",
    "subagentStop",
];
/// The gates that can ask. Their neutral word makes Cursor ask for every command, so they are wired only on request.
const ASKING: &[&str] = &["beforeMCPExecution", "beforeShellExecution"];

const HEAD: &str = "\"version\": 1,";

impl Install for Cursor {
    fn programs(&self) -> &'static [&'static str] {
        &["cursor", "cursor-agent"]
    }

    fn place(&self, _: Scope) -> Place {
        Place { variable: None, config: None, folder: ".cursor", file: "hooks.json" }
    }

    fn wired(&self, wiring: &Wiring) -> Vec<&'static Event> {
        let asking = if wiring.native_ask { ASKING } else { &[] };
        EVENTS.iter().chain(asking).map(|name| (self as &dyn Host).event(name)).collect()
    }

    fn plan(&self, current: Option<&str>, wiring: &Wiring) -> Result<String, EditError> {
        let entries: Vec<Entry> = self.wired(wiring).into_iter().map(|event| entry(self, event, wiring)).collect();
        hookfile::plan(current, HEAD, &entries)
    }

    fn remove(&self, current: &str) -> Result<Option<String>, EditError> {
        hookfile::remove(current, HEAD)
    }

    fn found(&self, current: &str) -> Result<Vec<String>, EditError> {
        hookfile::found(current)
    }

    fn restart(&self) -> bool {
        false
    }

    fn checkup(&self) -> &'static Checkup {
        &CHECKUP
    }

    fn steps(&self, scope: Scope) -> &'static [&'static str] {
        match scope {
            Scope::User => &[],
            Scope::Project => &["everyone who uses the project trusts the workspace in Cursor"],
        }
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }
}

/// Timeout in seconds.
fn entry(host: &Cursor, event: &'static Event, wiring: &Wiring) -> Entry {
    let command = Value::from(tail::command(host, event, wiring));
    let closed = if event.capabilities.gate { ", \"failClosed\": true" } else { "" };
    Entry { event: event.name, text: format!("{{\"command\": {command}, \"timeout\": 30{closed}}}") }
}

const CHECKUP: Checkup = Checkup {
    switches: &[],
    timeout: Some(("timeout", 1.0)),
    last_wins: false,
    also_reads: &[],
    runs_others: true,
    meddlers: &[],
    activation: Activation::None,
    transcripts: None,
};
