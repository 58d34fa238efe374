//! The policy: rules of all layers, compiled; evaluated on an analysis. Strongest wins, order never matters.

mod case;
mod compile;
mod condition;
mod diagnostic;
mod environment;
mod evaluate;
#[cfg(test)]
mod evaluate_tests;
mod gate;
mod glob;
mod holds;
mod keys;
mod lint;
mod native;
mod never;
mod overview;
mod page;
mod pattern;
mod reader;
mod rule;
mod scene;
mod schema;
#[cfg(test)]
mod schema_tests;
mod set;
mod settings;
#[cfg(test)]
mod settings_tests;
mod source;
#[cfg(test)]
mod spec;
mod switches;
#[cfg(test)]
mod switches_tests;
#[cfg(test)]
mod tests;
mod trial;
mod words;
mod yaml;

use crate::decision::Mode;
pub use case::Case;
pub use compile::{Compiled, compile, key};
pub use diagnostic::{Diagnostic, Level, Place};
pub use evaluate::Opened;
pub use lint::{Surroundings, lint};
pub use native::{Form, FormPath, NativeRule, native_rules};
pub use overview::{Line, overview};
pub use rule::{Cases, Maturity, Rule, Severity};
pub use schema::{json_schema, reference};
pub use set::{Damaged, RuleSet};
pub use settings::{AuditFiles, InjectAction, Points, ResultScan, Settings};
pub use source::{Layer, Pack, Source, read_pack, read_rules};
pub use trial::{Miss, MissKind, decide_case, try_rule};

/// A compiled policy of all layers.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    sets: Vec<RuleSet>,
    settings: Settings,
    today: Option<String>,
    previews: bool,
    switched: bool,
}

impl Policy {
    /// A policy of several rule sets, each holding other layers. `today`: the date as `YYYY-MM-DD`, for exceptions
    /// that end; without one those are not in force.
    #[must_use]
    pub fn new(sets: Vec<RuleSet>, today: Option<String>) -> Self {
        let [organisation, user, project] = settings::parts(&sets);
        Self {
            settings: settings::merge(&organisation, &user, &project),
            sets,
            today,
            previews: false,
            switched: false,
        }
    }

    /// With every rule on that is off until it is enabled: to try them.
    #[must_use]
    pub fn with_previews(self) -> Self {
        Self { previews: true, ..self }
    }

    /// With a mode that a person switched to, in place of the one of user and project. The organisation's stays a floor.
    /// `None`: as it is.
    #[must_use]
    pub fn with_mode(mut self, mode: Option<Mode>) -> Self {
        let Some(mode) = mode else { return self };
        let [organisation, _, _] = settings::parts(&self.sets);
        self.settings.mode = settings::at_least(&organisation, mode);
        self.switched = true;
        self
    }

    /// What the layers set besides rules.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A short hash of the rules and settings in force, for the audit log.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for set in &self.sets {
            hasher.update(set.digest());
        }
        hasher.finalize().to_hex().chars().take(16).collect()
    }
}
