//! The policy in force: layers from disk, compiled. What the rules mean is the core's business.

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
