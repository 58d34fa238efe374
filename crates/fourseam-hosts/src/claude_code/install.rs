//! Claude Code's settings file.

use super::ClaudeCode;
use crate::checkup::{Activation, Checkup, Off, Root, Switch};
use crate::hookfile::{self, Entry};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Scope, Wiring};
use crate::native::Native;
use crate::tail;
use serde_json::Value;

/// Events that get an entry: those of the four points, and the start of a session.
const EVENTS: &[&str] = &[
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "PreToolUse",
    "SessionStart",
    "Stop",
    "SubagentStop",
    "UserPromptExpansion",
    "UserPromptSubmit",
];

impl Install for ClaudeCode {
    fn programs(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn place(&self, scope: Scope) -> Place {
        let variable = (scope == Scope::User).then_some("CLAUDE_CONFIG_DIR");
        Place { variable, config: None, folder: ".claude", file: "settings.json" }
    }

    fn wired(&self, _: &Wiring) -> Vec<&'static Event> {
        EVENTS.iter().map(|name| (self as &dyn Host).event(name)).collect()
    }

    fn plan(&self, current: Option<&str>, wiring: &Wiring) -> Result<String, EditError> {
        let entries: Vec<Entry> = self.wired(wiring).into_iter().map(|event| entry(self, event, wiring)).collect();
        hookfile::plan(current, "", &entries)
    }

    fn remove(&self, current: &str) -> Result<Option<String>, EditError> {
        hookfile::remove(current, "")
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
            Scope::Project => &["everyone who uses the project accepts the workspace trust question once"],
        }
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }
}

/// Timeout in seconds. `onFailure` closes a timeout too, which the tail of the command cannot; releases before 2.1.295
/// ignore it.
fn entry(host: &ClaudeCode, event: &'static Event, wiring: &Wiring) -> Entry {
    let command = Value::from(tail::command(host, event, wiring));
    let closed = if event.capabilities.gate { ", \"onFailure\": \"block\"" } else { "" };
    Entry::group(event, &format!("{{\"type\": \"command\", \"command\": {command}, \"timeout\": 30{closed}}}"))
}

/// Settings of the user, the project and the organisation; `--bare` and `--settings` of one run cannot be seen.
const CHECKUP: Checkup = Checkup {
    switches: &[
        Switch { root: Root::User, file: "settings.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch { root: Root::User, file: "settings.local.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch { root: Root::Project, file: ".claude/settings.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch {
            root: Root::Project,
            file: ".claude/settings.local.json",
            key: &["disableAllHooks"],
            off: Off::Is(true),
        },
        Switch {
            root: Root::Machine,
            file: "/etc/claude-code/managed-settings.json",
            key: &["disableAllHooks"],
            off: Off::Is(true),
        },
        Switch {
            root: Root::Machine,
            file: "/etc/claude-code/managed-settings.json",
            key: &["allowManagedHooksOnly"],
            off: Off::Is(true),
        },
        Switch {
            root: Root::Machine,
            file: "/Library/Application Support/ClaudeCode/managed-settings.json",
            key: &["disableAllHooks"],
            off: Off::Is(true),
        },
        Switch {
            root: Root::Machine,
            file: "/Library/Application Support/ClaudeCode/managed-settings.json",
            key: &["allowManagedHooksOnly"],
            off: Off::Is(true),
        },
    ],
    timeout: Some(("timeout", 1.0)),
    last_wins: false,
    also_reads: &[],
    runs_others: false,
    meddlers: &["plugins/cache", "plugins/repos"],
    activation: Activation::None,
    transcripts: Some(super::transcript::TRANSCRIPTS),
};
