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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Action, Dialect};
    use crate::analysis::Program;
    use crate::decision::Decision;
    use crate::policy::{Case, Layer, Source, compile};
    use crate::world::FixedWorld;

    struct Nothing;

    impl Knowledge for Nothing {
        fn program(&self, _: &str) -> Option<&Program> {
            None
        }
    }

    #[test]
    fn only_an_agent_that_stops_again_is_let_go() {
        let text = "version: 1\nrules: [{ id: t/r, decision: deny, reason: n., raw_pattern: plums }]\n";
        let source = Source { layer: Layer::User, file: "policy.yaml", text, trusted: false };
        let policy = Policy::new(vec![compile(&[source], &[]).set], None);
        let answer = Action::Output { text: "here are plums".to_owned() };
        let shell = Case::of_command("echo plums", Dialect::Posix, None).call;
        for (point, action, stop_hook_active, want) in [
            (Point::Output, answer.clone(), false, Decision::Deny),
            (Point::Output, answer, true, Decision::Abstain),
            (Point::ToolCall, shell.action.clone(), false, Decision::Deny),
            (Point::ToolCall, shell.action.clone(), true, Decision::Deny),
        ] {
            let call = HookCall { point: Some(point), action, stop_hook_active, ..shell.clone() };
            let decided = decide(&call, &policy, &Nothing, &FixedWorld::default());
            assert_eq!(decided.draft.decision(), want, "{point:?} {stop_hook_active}");
        }
    }
}
