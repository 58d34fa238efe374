//! The policy in force and what is known of programs, put together for one call. Decides nothing itself.

use crate::case::Case;
use crate::exit::Failure;
use crate::home::Home;
use crate::policy::{self, Loaded, Settings};
use crate::world::Machine;
use fourseam_core::action::HookCall;
use fourseam_core::verdict::{Draft, Verdict};
use fourseam_core::world::World;

/// Everything a decision needs but the call.
pub(crate) struct Engine {
    loaded: Loaded,
}

impl Engine {
    /// The policy of the state folder and of the project around `cwd`.
    pub(crate) fn load(home: Option<&Home>, cwd: Option<&str>) -> Self {
        Self { loaded: policy::load(home, cwd) }
    }

    /// As [`Engine::load`], for verbs: what is wrong with the policy is an error.
    pub(crate) fn by_hand(cwd: Option<&str>) -> Result<Self, Failure> {
        let engine = Self::load(Home::of_environment().as_ref(), cwd);
        match engine.loaded.problems.as_slice() {
            [] => Ok(engine),
            problems => Err(Failure::new(problems.join("\n")).help("`fourseam test` checks a policy")),
        }
    }

    /// The built-in packs alone.
    pub(crate) fn built_in() -> Self {
        Self::load(None, None)
    }

    /// Mode, `on_error`, hash.
    pub(crate) fn settings(&self) -> &Settings {
        &self.loaded.settings
    }

    /// What is wrong with the policy files, each with its place.
    pub(crate) fn problems(&self) -> &[String] {
        &self.loaded.problems
    }

    /// What the rules say of a call in a world.
    pub(crate) fn draft(&self, call: &HookCall, world: &dyn World) -> Draft {
        fourseam_core::decide(call, &self.loaded.policy, policy::knowledge(), world).draft
    }

    /// What is decided of a case, in its own world or on this machine.
    pub(crate) fn verdict(&self, case: &Case) -> Verdict {
        let draft = match &case.world {
            Some(world) => self.draft(&case.call, world),
            None => self.draft(&case.call, &Machine::default()),
        };
        draft.settle(None)
    }
}
