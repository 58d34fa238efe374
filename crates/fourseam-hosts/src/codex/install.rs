//! Codex's hook file, and the trust it has in hooks.

use super::Codex;
use crate::checkup::{Activation, Checkup, Off, Root, Switch};
use crate::hookfile::{self, Entry};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Scope, Wiring};
use crate::native::Native;
use crate::tail;
use serde_json::Value;

/// Events that get an entry: those of the four points, and the start of a session.
const EVENTS: &[&str] =
    &["PermissionRequest", "PostToolUse", "PreToolUse", "SessionStart", "Stop", "SubagentStop", "UserPromptSubmit"];

impl Install for Codex {
    fn programs(&self) -> &'static [&'static str] {
        &["codex"]
    }

    fn place(&self, scope: Scope) -> Place {
        let variable = (scope == Scope::User).then_some("CODEX_HOME");
        Place { variable, config: None, folder: ".codex", file: "hooks.json" }
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
        true
    }

    fn checkup(&self) -> &'static Checkup {
        &CHECKUP
    }

    fn steps(&self, scope: Scope) -> &'static [&'static str] {
        match scope {
            Scope::User => &["trust the hooks: `fourseam install` offers it, or `/hooks` in Codex"],
            Scope::Project => &["everyone trusts the project in Codex", "everyone trusts its hooks: `/hooks` in Codex"],
        }
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }
}

/// Timeout in seconds. Codex rejects a file with a key it does not know.
fn entry(host: &Codex, event: &'static Event, wiring: &Wiring) -> Entry {
    let command = Value::from(tail::command(host, event, wiring));
    Entry::group(event, &format!("{{\"type\": \"command\", \"command\": {command}, \"timeout\": 30}}"))
}

const CHECKUP: Checkup = Checkup {
    switches: &[
        Switch { root: Root::User, file: "config.toml", key: &["features", "hooks"], off: Off::Is(false) },
        Switch { root: Root::User, file: "config.toml", key: &["features", "codex_hooks"], off: Off::Is(false) },
        Switch { root: Root::Project, file: ".codex/config.toml", key: &["features", "hooks"], off: Off::Is(false) },
        Switch {
            root: Root::Machine,
            file: "/etc/codex/requirements.toml",
            key: &["allow_managed_hooks_only"],
            off: Off::Is(true),
        },
        Switch {
            root: Root::Machine,
            file: "/etc/codex/requirements.toml",
            key: &["features", "hooks"],
            off: Off::Is(false),
        },
    ],
    timeout: Some(("timeout", 1.0)),
    last_wins: false,
    also_reads: &[],
    runs_others: false,
    meddlers: &[],
    activation: Activation::CodexTrust,
    transcripts: Some(super::transcript::TRANSCRIPTS),
};
