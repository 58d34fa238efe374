//! What a session's memory adds to what the rules say: a reason to ask, or a remark. Takes nothing away.

use super::{Deed, Past, runs};
use crate::analysis::Analysis;
use crate::decision::Decision;
use crate::policy::Policy;
use crate::verdict::{Draft, Reason};
use crate::world::World;

/// Rule id of a reason to ask: the same was refused before.
const REFUSED_BEFORE: &str = "session/refused-before";
/// Rule id of a reason to ask: a person was asked about the same before, and it did not run.
const ASKED_BEFORE: &str = "session/asked-before";
/// Rule id of a remark: the agent wrote what it runs.
const WRITTEN_BEFORE: &str = "session/written-before";

/// The draft with what is remembered. The memory is asked for only where it can matter.
pub(crate) fn recalled(draft: Draft, analysis: &Analysis, policy: &Policy, world: &dyn World) -> Draft {
    let deeds: Vec<Deed> = analysis.effects.iter().flat_map(Deed::of).collect();
    if deeds.is_empty() {
        return draft;
    }
    let past = world.past();
    let draft = if past.is_untroubled() { draft } else { tried_before(draft, &deeds, &policy.fingerprint(), past) };
    if draft.decision() < Decision::Ask {
        return draft;
    }
    match runs(analysis).find(|path| past.written(path).is_some()) {
        Some(path) => draft.with_reason(written_before(path)),
        None => draft,
    }
}

/// The draft with what was refused or asked about before. A question that was put before is not put beside another.
fn tried_before(draft: Draft, deeds: &[Deed], policy: &str, past: &Past) -> Draft {
    if let Some(refusal) = past.refusal(deeds, policy) {
        let message = format!("This does what was refused a moment ago (rule {}).", refusal.rule);
        return draft.with_reason(Reason::plain(REFUSED_BEFORE, Decision::Ask, message));
    }
    match past.unanswered(deeds, policy) {
        Some(about) if draft.decision() < Decision::Ask => {
            let rule = &about.rule;
            let message = format!("This does what was asked about a moment ago and not seen to run (rule {rule}).");
            draft.with_reason(Reason::plain(ASKED_BEFORE, Decision::Ask, message))
        }
        _ => draft,
    }
}

fn written_before(path: &str) -> Reason {
    let message = format!("The agent wrote `{}` in this session.", path.replace(char::is_control, " "));
    Reason::plain(WRITTEN_BEFORE, Decision::Abstain, message)
}
