//! Decides past actions under a policy, each alike only once. Without a live world: today's files say nothing about then.

use fourseam_core::action::HookCall;
use fourseam_core::policy::Policy;
use fourseam_core::verdict::Verdict;
use fourseam_core::world::FixedWorld;
use std::collections::HashMap;

/// Decides past actions.
pub(crate) struct Past<'p> {
    policy: &'p Policy,
    world: FixedWorld,
    known: HashMap<[u8; 32], Verdict>,
}

impl<'p> Past<'p> {
    /// Decides under a policy. The home folder is taken to be where it is now; nothing else is known.
    pub(crate) fn new(policy: &'p Policy) -> Self {
        let home = std::env::var("HOME").ok().filter(|home| home.starts_with('/'));
        Self { policy, world: FixedWorld { home, ..FixedWorld::default() }, known: HashMap::new() }
    }

    /// What the policy says of a call.
    pub(crate) fn verdict(&mut self, call: &HookCall) -> &Verdict {
        let key = key(call);
        let Self { policy, world, known } = self;
        known.entry(key).or_insert_with(|| {
            fourseam_core::decide(call, policy, fourseam_packs::knowledge(), world).draft.settle(None)
        })
    }
}

/// Everything of a call that a decision can depend on.
fn key(call: &HookCall) -> [u8; 32] {
    let parts = (&call.host, &call.point, &call.cwd, &call.permission_mode, &call.tool, &call.action);
    let bytes = serde_json::to_vec(&parts).unwrap_or_default();
    *blake3::hash(&bytes).as_bytes()
}
