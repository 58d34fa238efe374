//! The policy in force: layers from disk, compiled. What the rules mean is the core's business.

mod state;

use crate::home::Home;
use fourseam_core::analysis::{Knowledge, Program};
use fourseam_core::decision::{Mode, OnError};
use fourseam_core::policy::Policy;

/// A policy and what came up while it was loaded.
#[derive(Default)]
pub(crate) struct Loaded {
    /// The rules.
    pub(crate) policy: Policy,
    /// What the layers set besides rules.
    pub(crate) settings: Settings,
    /// What is wrong, each with file and place.
    pub(crate) problems: Vec<String>,
}

/// What the layers set besides rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// How much the host is told.
    pub(crate) mode: Mode,
    /// What to answer when fourseam itself fails.
    pub(crate) on_error: OnError,
    /// Names the policy in the audit log.
    pub(crate) hash: String,
    /// Hosts whose unsafe way of asking the user accepted (`hosts.<id>.ask: native`).
    pub(crate) ask_opt_in: Vec<String>,
}

impl Settings {
    /// What the last loaded policy said, before this one is: from the state file, for the nets. Anything odd there
    /// means the defaults.
    pub(crate) fn remembered(home: &Home) -> Self {
        state::read(&home.state()).unwrap_or_default()
    }

    /// With what the environment demands. It can only tighten: a repository can set its clients' environment.
    pub(crate) fn tightened(mut self) -> Self {
        let value = |name| std::env::var(name).ok();
        self.mode = value("FOURSEAM_MODE")
            .and_then(|word| state::mode_named(&word))
            .map_or(self.mode, |mode| mode.max(self.mode));
        self.on_error = value("FOURSEAM_ON_ERROR")
            .and_then(|word| state::on_error_named(&word))
            .map_or(self.on_error, |on_error| on_error.max(self.on_error));
        self
    }

    /// Whether the user accepted this host's unsafe way of asking.
    pub(crate) fn asks_in(&self, host: &str) -> bool {
        self.ask_opt_in.iter().any(|id| id == host)
    }
}

/// Loads every layer. Total: what cannot be read is told in `problems`.
pub(crate) fn load(_home: Option<&Home>, _cwd: Option<&str>) -> Loaded {
    Loaded::default()
}

/// What is known of programs.
pub(crate) fn knowledge() -> &'static dyn Knowledge {
    struct Nothing;
    impl Knowledge for Nothing {
        fn program(&self, _name: &str) -> Option<&Program> {
            None
        }
    }
    &Nothing
}
