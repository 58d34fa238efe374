//! What an action does: commands, effects on resolved targets, unknowns. Describes; the policy decides.

mod effect;
mod matching;
mod path;
mod program;
mod reading;

pub use effect::*;
pub use program::*;

use crate::action::HookCall;
use crate::world::World;

/// Says what an action does. Total: what is not understood comes back as an unknown.
#[must_use]
pub fn analyse(_call: &HookCall, _knowledge: &dyn Knowledge, _world: &dyn World) -> Analysis {
    Analysis::default()
}
