//! From a hook call to a draft verdict: analyse, then evaluate. Total: every call gets one.

use crate::action::{HookCall, Point};
use crate::analysis::{self, Analysis, Knowledge};
use crate::past;
use crate::policy::Policy;
use crate::verdict::Draft;
use crate::world::World;

/// A draft and what it was made from.
pub struct Decided {
    /// What the rules say.
    pub draft: Draft,
    /// What the action does.
    pub analysis: Analysis,
}

/// Decides one call.
pub fn decide(call: &HookCall, policy: &Policy, knowledge: &dyn Knowledge, world: &dyn World) -> Decided {
    let analysis = analysis::analyse_as(call, knowledge, world, policy.settings().points.looks());
    // The agent was sent back once already; a second refusal would never let it stop.
    let sent_back = call.point == Some(Point::Output) && call.stop_hook_active;
    if sent_back {
        return Decided { draft: Draft::default(), analysis };
    }
    let draft = past::recalled(policy.evaluate(call, &analysis), &analysis, policy, world);
    Decided { draft, analysis }
}
