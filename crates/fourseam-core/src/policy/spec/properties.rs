//! The fast evaluator agrees with the plain one, and both keep the promises of the design.

use super::arbitrary::{analysis, call, plain, rule};
use super::{Plain, decision, decisions};
use crate::action::{HookCall, Point};
use crate::analysis::{Analysis, UnknownClass};
use crate::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use crate::decision::{Decision, Mode};
use crate::policy::Policy;
use crate::policy::compile::encode;
use crate::policy::scene::Scene;
use crate::policy::set::{RuleSet, Stored};
use crate::verdict::Verdict;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn set(plain: &Plain) -> RuleSet {
    encode(plain.rules.clone(), Stored { overrides: plain.overrides.clone(), ..Stored::default() })
}

fn verdict(sets: Vec<RuleSet>, call: &HookCall, analysis: &Analysis) -> Verdict {
    Policy::new(sets, Some("2026-06-01".to_owned())).evaluate(call, analysis).settle(None)
}

proptest! {
    #[test]
    fn the_fast_evaluator_agrees_with_the_plain_one(plain in plain(), call in call(), analysis in analysis()) {
        let scene = Scene::new(&call, &analysis, &[]);
        let fast = verdict(vec![set(&plain)], &call, &analysis);
        let got: BTreeMap<String, Decision> =
            fast.reasons().iter().map(|reason| (reason.rule.clone(), reason.decision)).collect();
        prop_assert_eq!(got, decisions(&plain, &scene));
        prop_assert_eq!(fast.decision(), decision(&plain, &scene));
    }

    #[test]
    fn deny_overrides(plain in plain(), call in call(), analysis in analysis()) {
        let verdict = verdict(vec![set(&plain)], &call, &analysis);
        let denied = verdict.reasons().iter().any(|reason| reason.decision == Decision::Deny);
        prop_assert_eq!(verdict.decision() == Decision::Deny, denied);
    }

    #[test]
    fn order_does_not_matter(plain in plain(), call in call(), analysis in analysis(), at in 0usize..6) {
        let mut turned = plain.clone();
        turned.rules.reverse();
        turned.overrides.reverse();
        let whole = verdict(vec![set(&plain)], &call, &analysis);
        let other = verdict(vec![set(&turned)], &call, &analysis);
        prop_assert_eq!(whole.reasons(), other.reasons());
        // Nor does it matter in which set a rule stands.
        let at = at.min(plain.rules.len());
        let (first, second) = plain.rules.split_at(at);
        let parts = [
            set(&Plain { rules: second.to_vec(), overrides: plain.overrides.clone() }),
            set(&Plain { rules: first.to_vec(), overrides: Vec::new() }),
        ];
        let other = verdict(parts.to_vec(), &call, &analysis);
        prop_assert_eq!(whole.reasons(), other.reasons());
    }

    #[test]
    fn adding_a_deny_never_weakens(
        plain in plain(), deny in rule(Just(Decision::Deny)), call in call(), analysis in analysis(),
    ) {
        let before = verdict(vec![set(&plain)], &call, &analysis).decision();
        let mut more = plain;
        more.rules.push(crate::policy::set::StoredRule { id: "t/added".to_owned(), ..deny });
        prop_assert!(verdict(vec![set(&more)], &call, &analysis).decision() >= before);
    }

    #[test]
    fn nothing_unknown_is_allowed(plain in plain(), call in call(), analysis in analysis()) {
        let verdict = verdict(vec![set(&plain)], &call, &analysis);
        let is_of_a_name = |class| matches!(class, UnknownClass::Program | UnknownClass::Subcommand);
        let only_programs = analysis.unknowns.iter().all(|unknown| is_of_a_name(unknown.class));
        prop_assert!(only_programs || verdict.decision() != Decision::Allow);
    }

    #[test]
    fn fit_never_weakens(
        plain in plain(), call in call(), analysis in analysis(),
        (ask, allow, opt_in) in (0u8..3, any::<bool>(), any::<bool>()), on in any::<bool>(),
    ) {
        let verdict = verdict(vec![set(&plain)], &call, &analysis);
        let before = verdict.decision();
        let ask = match ask { 0 => AskSupport::Native, 1 => AskSupport::OptIn, _ => AskSupport::No };
        let capabilities = Capabilities {
            point: Some(Point::ToolCall), gate: true, deny: true, ask, allow, rewrite: false, context: false,
            replace: ReplaceSupport::No, notice: false,
        };
        let said = verdict.fit(&capabilities, if on { Mode::On } else { Mode::Guard }, opt_in).said();
        prop_assert!(said >= before || (before == Decision::Allow && said == Decision::Abstain));
        prop_assert!(said != Decision::Allow || (on && allow));
    }
}
