//! A hook file of our own among Copilot CLI's.

use super::CopilotCli;
use crate::checkup::{Activation, Checkup, Off, Root, Switch};
use crate::hookfile::{self, Entry};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Scope, Wiring};
use crate::native::Native;
use crate::tail;
use serde_json::Value;

/// Events that get an entry: those of the four points in the dialect in which every answer was tried, and the start of a
/// session.
const EVENTS: &[&str] = &[
    "agentStop",
    "permissionRequest",
    "postToolUse",
    "postToolUseFailure",
    "preToolUse",
    "sessionStart",
    "subagentStop",
    "userPromptSubmitted",
];

const HEAD: &str = "\"version\": 1,";

impl Install for CopilotCli {
    fn programs(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn place(&self, scope: Scope) -> Place {
        match scope {
            Scope::User => {
                Place { variable: Some("COPILOT_HOME"), config: None, folder: ".copilot", file: "hooks/fourseam.json" }
            }
            Scope::Project => Place { variable: None, config: None, folder: ".github", file: "hooks/fourseam.json" },
        }
    }

    fn wired(&self, _: &Wiring) -> Vec<&'static Event> {
        EVENTS.iter().map(|name| (self as &dyn Host).event(name)).collect()
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
        true
    }

    fn checkup(&self) -> &'static Checkup {
        &CHECKUP
    }

    fn steps(&self, scope: Scope) -> &'static [&'static str] {
        match scope {
            Scope::User => &[],
            Scope::Project => &[
                "everyone trusts the folder in Copilot CLI, with `--trust-folder` under `-p`: else the hooks are skipped",
            ],
        }
    }

    fn native(&self) -> Option<&dyn Native> {
        None
    }
}

/// Timeout in seconds.
fn entry(host: &CopilotCli, event: &'static Event, wiring: &Wiring) -> Entry {
    let command = Value::from(tail::command(host, event, wiring));
    Entry { event: event.name, text: format!("{{\"type\": \"command\", \"bash\": {command}, \"timeoutSec\": 30}}") }
}

const CHECKUP: Checkup = Checkup {
    switches: &[
        Switch { root: Root::User, file: "hooks/fourseam.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch { root: Root::User, file: "config.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch { root: Root::User, file: "settings.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch {
            root: Root::Project,
            file: ".github/hooks/fourseam.json",
            key: &["disableAllHooks"],
            off: Off::Is(true),
        },
    ],
    timeout: Some(("timeoutSec", 1.0)),
    last_wins: false,
    also_reads: &[".claude/settings.json"],
    runs_others: true,
    meddlers: &[],
    activation: Activation::TrustedProjects { file: "config.json", key: "trusted_folders" },
    transcripts: None,
};
