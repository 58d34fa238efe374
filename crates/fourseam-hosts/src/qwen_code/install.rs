//! Qwen Code's settings file.

use super::QwenCode;
use crate::checkup::{Activation, Checkup, Off, Root, Switch};
use crate::hookfile::{self, Entry};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Scope, Wiring};
use crate::native::Native;

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

impl Install for QwenCode {
    fn programs(&self) -> &'static [&'static str] {
        &["qwen"]
    }

    fn place(&self, _: Scope) -> Place {
        Place { variable: None, config: None, folder: ".qwen", file: "settings.json" }
    }

    fn wired(&self, _: &Wiring) -> Vec<&'static Event> {
        EVENTS.iter().map(|name| (self as &dyn Host).event(name)).collect()
    }

    fn plan(&self, current: Option<&str>, wiring: &Wiring) -> Result<String, EditError> {
        let entries: Vec<Entry> =
            self.wired(wiring).into_iter().map(|event| Entry::named(self, event, wiring)).collect();
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

    fn steps(&self, _: Scope) -> &'static [&'static str] {
        STEPS
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }
}

/// The last hook's word counts there.
const STEPS: &[&str] =
    &["keep fourseam's entry the last of each event: in Qwen Code the last hook's allow lifts an earlier deny"];

const CHECKUP: Checkup = Checkup {
    switches: &[
        Switch { root: Root::User, file: "settings.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch { root: Root::Project, file: ".qwen/settings.json", key: &["disableAllHooks"], off: Off::Is(true) },
        Switch { root: Root::User, file: "settings.json", key: &["hooksConfig", "enabled"], off: Off::Is(false) },
        Switch {
            root: Root::Project,
            file: ".qwen/settings.json",
            key: &["hooksConfig", "enabled"],
            off: Off::Is(false),
        },
    ],
    timeout: Some(("timeout", 1000.0)),
    last_wins: true,
    also_reads: &[],
    runs_others: false,
    meddlers: &[],
    activation: Activation::None,
    transcripts: Some(super::transcript::TRANSCRIPTS),
};
