//! The plugin that calls fourseam from OpenCode. The file is ours alone.

use super::OpenCode;
use crate::checkup::{Activation, Checkup};
use crate::host::{Event, Host};
use crate::install::{EditError, Install, Place, Program, STATE_FILE, Scope, Wiring};
use crate::native::Native;
use crate::tail;
use serde_json::Value;

/// First line of the plugin, in this and every later release.
const MARK: &str = "// fourseam: written by `fourseam install`, taken away by `fourseam uninstall`\n";
const PLUGIN: &str = include_str!("plugin.js");

impl Install for OpenCode {
    fn programs(&self) -> &'static [&'static str] {
        &["opencode"]
    }

    fn place(&self, scope: Scope) -> Place {
        match scope {
            Scope::User => Place {
                variable: None,
                config: Some("opencode"),
                folder: ".config/opencode",
                file: "plugins/fourseam.js",
            },
            Scope::Project => Place { variable: None, config: None, folder: ".opencode", file: "plugins/fourseam.js" },
        }
    }

    fn wired(&self, _: &Wiring) -> Vec<&'static Event> {
        self.events().iter().collect()
    }

    fn plan(&self, current: Option<&str>, wiring: &Wiring) -> Result<String, EditError> {
        if current.is_some_and(|text| !text.starts_with(MARK)) {
            return Err(EditError { what: "the file is not one that fourseam wrote".to_owned(), at: None });
        }
        let (exe, home) = match &wiring.program {
            Program::Installed { exe, home } => (Value::from(exe.as_str()), Value::from(home.as_str())),
            Program::OfEachUser => (Value::Bool(false), Value::Bool(false)),
        };
        let broken = Value::from(tail::broken(wiring));
        let plugin = PLUGIN
            .replace("@STATE@", STATE_FILE)
            .replace("@BROKEN@", &broken.to_string())
            .replace("@HOME@", &home.to_string())
            .replace("@EXE@", &exe.to_string());
        Ok(format!("{MARK}{plugin}"))
    }

    fn remove(&self, current: &str) -> Result<Option<String>, EditError> {
        Ok((!current.starts_with(MARK)).then(|| current.to_owned()))
    }

    fn found(&self, current: &str) -> Result<Vec<String>, EditError> {
        let ours = current.starts_with(MARK);
        Ok(self.events().iter().filter(|_| ours).map(|event| event.name.to_owned()).collect())
    }

    fn restart(&self) -> bool {
        true
    }

    fn checkup(&self) -> &'static Checkup {
        &CHECKUP
    }

    fn steps(&self, _: Scope) -> &'static [&'static str] {
        &[]
    }

    fn native(&self) -> Option<&dyn Native> {
        None
    }
}

const CHECKUP: Checkup = Checkup {
    switches: &[],
    timeout: None,
    last_wins: false,
    also_reads: &[],
    runs_others: false,
    meddlers: &["plugins", "plugin", "./.opencode/plugins", "./.opencode/plugin"],
    activation: Activation::None,
    transcripts: None,
};
