//! What a session's memory adds to what the rules say: a reason to ask, or a remark. Takes nothing away.

use super::{Deed, runs};
use crate::analysis::Analysis;
use crate::decision::Decision;
use crate::policy::Policy;
use crate::verdict::{Draft, Reason};
use crate::world::World;

/// Rule id of a reason to ask: the same was refused before.
const REFUSED_BEFORE: &str = "session/refused-before";
/// Rule id of a remark: the agent wrote what it runs.
const WRITTEN_BEFORE: &str = "session/written-before";

/// The draft with what is remembered. The memory is asked for only where it can matter.
pub(crate) fn recalled(draft: Draft, analysis: &Analysis, policy: &Policy, world: &dyn World) -> Draft {
    let deeds: Vec<Deed> = analysis.effects.iter().flat_map(Deed::of).collect();
    if deeds.is_empty() {
        return draft;
    }
    let past = world.past();
    let refusal = past.refusal(&deeds, || policy.fingerprint());
    let draft = match refusal {
        Some(refusal) => draft.with_reason(refused_before(&refusal.rule)),
        None => draft,
    };
    if draft.decision() < Decision::Ask {
        return draft;
    }
    match runs(analysis).find(|path| past.written(path).is_some()) {
        Some(path) => draft.with_reason(written_before(path)),
        None => draft,
    }
}

fn refused_before(rule: &str) -> Reason {
    Reason {
        rule: REFUSED_BEFORE.to_owned(),
        decision: Decision::Ask,
        message: format!("This does what was refused a moment ago (rule {rule})."),
        instead: None,
        matched: String::new(),
        span: None,
    }
}

fn written_before(path: &str) -> Reason {
    Reason {
        rule: WRITTEN_BEFORE.to_owned(),
        decision: Decision::Abstain,
        message: format!("The agent wrote `{}` in this session.", path.replace(char::is_control, " ")),
        instead: None,
        matched: String::new(),
        span: None,
    }
}
