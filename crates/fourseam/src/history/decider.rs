//! Decides past actions under policies, each alike only once. Without a live world: today's files say nothing about then.

use crate::digest;
use fourseam_core::action::HookCall;
use fourseam_core::analysis;
use fourseam_core::policy::{Opened, Policy};
use fourseam_core::verdict::Verdict;
use fourseam_core::world::FixedWorld;
use std::collections::HashMap;
use std::num::NonZero;

/// Decides past actions.
pub(crate) struct Decider<'p> {
    policy: Opened<'p>,
    world: FixedWorld,
    known: HashMap<[u8; 32], Verdict>,
}

impl<'p> Decider<'p> {
    /// Decides under a policy.
    pub(crate) fn new(policy: &'p Policy) -> Self {
        Self { policy: policy.opened(), world: world_of_then(), known: HashMap::new() }
    }

    /// What the policy says of a tool call.
    pub(crate) fn verdict(&mut self, call: &HookCall) -> &Verdict {
        let Self { policy, world, known } = self;
        known.entry(key(call)).or_insert_with(|| {
            let analysis = analysis::analyse(call, fourseam_packs::knowledge(), world);
            policy.evaluate(call, &analysis).settle(None)
        })
    }
}

/// What two policies say of tool calls, in their order, on every core of the machine.
pub(crate) fn verdicts_of_both(calls: &[HookCall], before: &Policy, after: &Policy) -> Vec<(Verdict, Verdict)> {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = calls.len().div_ceil(workers).max(1);
    let decide = |calls: &[HookCall]| -> Vec<(Verdict, Verdict)> {
        let (before, after, world) = (before.opened(), after.opened(), world_of_then());
        let both = |call: &HookCall| {
            let analysis = analysis::analyse(call, fourseam_packs::knowledge(), &world);
            (before.evaluate(call, &analysis).settle(None), after.evaluate(call, &analysis).settle(None))
        };
        calls.iter().map(both).collect()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = calls.chunks(share).map(|calls| scope.spawn(move || decide(calls))).collect();
        running.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    })
}

/// The home folder is taken to be where it is now; nothing else is known.
fn world_of_then() -> FixedWorld {
    let home = std::env::var("HOME").ok().filter(|home| home.starts_with('/'));
    FixedWorld { home, ..FixedWorld::default() }
}

/// Everything of a call that a decision can depend on.
pub(super) fn key(call: &HookCall) -> [u8; 32] {
    let parts = (&call.host, &call.point, &call.cwd, &call.permission_mode, &call.tool, &call.action);
    *digest::of(&parts).as_bytes()
}
