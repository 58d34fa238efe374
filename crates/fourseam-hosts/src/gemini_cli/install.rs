//! Gemini CLI's settings file.

use super::GeminiCli;
use crate::checkup::{Activation, Checkup, Off, Root, Switch};
use crate::hookfile::{self, Entry};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Scope, Wiring};
use crate::native::Native;

/// Events that get an entry: those of the four points, and the start of a session.
const EVENTS: &[&str] = &["AfterAgent", "AfterTool", "BeforeAgent", "BeforeTool", "SessionStart"];

impl Install for GeminiCli {
    fn programs(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn place(&self, _: Scope) -> Place {
        Place { variable: None, config: None, folder: ".gemini", file: "settings.json" }
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

/// An untrusted folder loads no hook at all, the user's own included.
const STEPS: &[&str] =
    &["trust each folder you work in: Gemini CLI asks, or `/permissions`; in an untrusted one no hook runs"];

const CHECKUP: Checkup = Checkup {
    switches: &[
        Switch { root: Root::User, file: "settings.json", key: &["hooksConfig", "enabled"], off: Off::Is(false) },
        Switch {
            root: Root::User,
            file: "settings.json",
            key: &["hooksConfig", "disabled"],
            off: Off::Lists("fourseam"),
        },
        Switch {
            root: Root::Project,
            file: ".gemini/settings.json",
            key: &["hooksConfig", "enabled"],
            off: Off::Is(false),
        },
        Switch {
            root: Root::Project,
            file: ".gemini/settings.json",
            key: &["hooksConfig", "disabled"],
            off: Off::Lists("fourseam"),
        },
        Switch {
            root: Root::Machine,
            file: "/etc/gemini-cli/settings.json",
            key: &["hooksConfig", "enabled"],
            off: Off::Is(false),
        },
    ],
    timeout: Some(("timeout", 1000.0)),
    last_wins: false,
    also_reads: &[],
    runs_others: false,
    meddlers: &[],
    activation: Activation::TrustedFolders {
        file: "trustedFolders.json",
        off: Switch {
            root: Root::User,
            file: "settings.json",
            key: &["security", "folderTrust", "enabled"],
            off: Off::Is(false),
        },
    },
    transcripts: Some(super::transcript::TRANSCRIPTS),
};
