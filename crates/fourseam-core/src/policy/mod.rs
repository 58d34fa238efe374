//! The policy: rules of all layers, compiled; evaluated on an analysis. Strongest wins, order never matters.

use crate::action::HookCall;
use crate::analysis::Analysis;
use crate::verdict::Draft;

/// A compiled policy of all layers.
#[derive(Clone, Debug, Default)]
pub struct Policy {}

impl Policy {
    /// What the rules say of one call.
    pub fn evaluate(&self, _call: &HookCall, analysis: &Analysis) -> Draft {
        Draft::new(Vec::new(), Vec::new(), !analysis.unknowns.is_empty())
    }
}
