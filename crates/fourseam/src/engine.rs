//! The policy in force and what is known of programs, put together for one call. Decides nothing itself.

use crate::exit::Failure;
use crate::home::Home;
use crate::policy::{self, Loaded, Request, Settings};
use crate::world::Machine;
use fourseam_core::Decided;
use fourseam_core::action::HookCall;
use fourseam_core::judge::JudgeSettings;
use fourseam_core::policy::{Case, Diagnostic, Line, Policy, overview};
use fourseam_core::verdict::{Opinion, Reason, Verdict};
use fourseam_core::world::World;
use std::io::Write;

/// Everything a decision needs but the call.
pub(crate) struct Engine {
    loaded: Loaded,
}

impl Engine {
    /// The policy of all layers that a request names.
    pub(crate) fn load(request: &Request<'_>) -> Self {
        Self { loaded: policy::load(request) }
    }

    /// As [`Engine::load`], for verbs. Problems go to standard error; a broken layer above the project is an error.
    pub(crate) fn by_hand(cwd: Option<&str>) -> Result<Self, Failure> {
        let home = Home::of_environment();
        let engine = Self::load(&Request { home: home.as_ref(), cwd, anew: false });
        let mut stderr = anstream::stderr().lock();
        for problem in engine.problems() {
            writeln!(stderr, "{problem}")?;
        }
        if engine.loaded.failed {
            return Err(Failure::new("the policy is broken, and there is no earlier good version of it"));
        }
        Ok(engine)
    }

    /// The built-in packs alone.
    pub(crate) fn built_in() -> Self {
        Self { loaded: policy::built_in() }
    }

    /// Mode, `on_error`, hash.
    pub(crate) fn settings(&self) -> &Settings {
        &self.loaded.settings
    }

    /// The rules and settings in force.
    pub(crate) fn policy(&self) -> &Policy {
        &self.loaded.policy
    }

    /// The policy in force, line by line.
    pub(crate) fn overview(&self) -> Vec<Line> {
        overview(&self.loaded.policy)
    }

    /// What is wrong with the policy files.
    pub(crate) fn problems(&self) -> &[Diagnostic] {
        &self.loaded.problems
    }

    /// What the rules say of a call in a world.
    pub(crate) fn decide(&self, call: &HookCall, world: &dyn World) -> Decided {
        fourseam_core::decide(call, &self.loaded.policy, fourseam_packs::knowledge(), world)
    }

    /// The judge of the policy; `None` where there is none, or the policy is broken.
    pub(crate) fn judge(&self) -> Option<&JudgeSettings> {
        self.loaded.policy.settings().judge.as_ref().filter(|_| !self.loaded.failed)
    }

    /// Whether the user has trusted the project's policy.
    pub(crate) fn trusts_project(&self) -> bool {
        self.loaded.trusts_project
    }

    /// What is decided of a call in a world.
    pub(crate) fn verdict(&self, call: &HookCall, world: &dyn World) -> Verdict {
        self.decide(call, world).draft.settle(None)
    }

    /// The opinion of a policy that is broken, where something is about to run: `on_error` has its say.
    pub(crate) fn failure(&self) -> Option<Opinion> {
        let failure = if self.loaded.failed { self.problems().first() } else { None };
        failure.map(|problem| Opinion {
            reason: Reason::plain(
                "fourseam/failure",
                self.settings().on_error.into(),
                format!("The policy is broken: {}.", policy::one_line(problem)),
            ),
        })
    }

    /// What is decided of a case, in its own world or on this machine.
    pub(crate) fn verdict_of_case(&self, case: &Case) -> Verdict {
        match &case.world {
            Some(world) => self.verdict(&case.call, world),
            None => self.verdict(&case.call, &Machine::default()),
        }
    }
}
