//! Runs the cases of rules through the whole decision, and the advice that rules give. Says what is not as written.

use super::case::Case;
use super::native;
use super::rule::Rule;
use crate::action::Dialect;
use crate::analysis::Knowledge;
use crate::decision::Decision;
use crate::policy::Policy;
use crate::verdict::Verdict;
use std::fmt;

/// One case that did not come out as written.
#[derive(Clone, Debug)]
pub struct Miss {
    /// Rule id.
    pub rule: String,
    /// What went wrong.
    pub kind: MissKind,
    /// The case, in short.
    pub case: String,
    /// What was decided.
    pub decision: Decision,
    /// The rules that matched.
    pub got: Vec<String>,
}

/// How a case went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissKind {
    /// A `hit` that the rule does not match.
    NotHit,
    /// A `miss` that the rule matches.
    NotMissed,
    /// A `gap` that the rule matches now.
    GapClosed,
    /// Advice that the policy denies.
    AdviceDenied,
    /// Something that a form under `native` would stop and the rule does not match.
    NativeTooBroad,
}

/// Decides one case.
pub fn decide_case(case: &Case, policy: &Policy, knowledge: &dyn Knowledge) -> Verdict {
    let world = case.world.clone().unwrap_or_else(Case::example_world);
    crate::decide(&case.call, policy, knowledge, &world).draft.settle(None)
}

/// Runs every case of a rule, and the commands that its `instead` names. Empty: all is as written.
#[must_use]
pub fn try_rule(rule: &Rule, policy: &Policy, knowledge: &dyn Knowledge) -> Vec<Miss> {
    let mut misses = Vec::new();
    let lists = [
        (&rule.cases.hit, true, MissKind::NotHit),
        (&rule.cases.miss, false, MissKind::NotMissed),
        (&rule.cases.gap, false, MissKind::GapClosed),
    ];
    for (cases, want, kind) in lists {
        for case in cases {
            let verdict = decide_case(case, policy, knowledge);
            if matched(&verdict).contains(&rule.id) != want {
                misses.push(miss(rule, kind, &case.label, &verdict));
            }
        }
    }
    for command in advised_commands(rule) {
        let case = Case::of_command(command, Dialect::Posix, Some(super::case::EXAMPLE_PROJECT.to_owned()));
        let verdict = decide_case(&case, policy, knowledge);
        if verdict.decision() == Decision::Deny {
            misses.push(miss(rule, MissKind::AdviceDenied, command, &verdict));
        }
    }
    for form in &rule.forms() {
        for case in native::samples(form) {
            let verdict = decide_case(&case, policy, knowledge);
            if !matched(&verdict).contains(&rule.id) || verdict.decision() != Decision::Deny {
                misses.push(miss(rule, MissKind::NativeTooBroad, &format!("{form}: {}", case.label), &verdict));
                break;
            }
        }
    }
    misses
}

/// The commands in backticks that a rule advises.
fn advised_commands(rule: &Rule) -> impl Iterator<Item = &str> {
    let advice = rule.instead.as_deref().unwrap_or_default();
    advice.split('`').skip(1).step_by(2)
}

fn miss(rule: &Rule, kind: MissKind, case: &str, verdict: &Verdict) -> Miss {
    Miss { rule: rule.id.clone(), kind, case: case.to_owned(), decision: verdict.decision(), got: matched(verdict) }
}

/// Ids of the rules that matched, those only tried out included.
fn matched(verdict: &Verdict) -> Vec<String> {
    verdict.reasons().iter().chain(verdict.dry_reasons()).map(|reason| reason.rule.clone()).collect()
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            MissKind::NotHit => "should match and does not",
            MissKind::NotMissed => "should not match and does",
            MissKind::GapClosed => "is listed as a gap and matches now: move it to `hit`",
            MissKind::AdviceDenied => "is advised and denied",
            MissKind::NativeTooBroad => "is under `native` and lets this pass",
        };
        write!(f, "{}: {what}: {}\n    got {}", self.rule, self.case, self.decision.word())?;
        if !self.got.is_empty() {
            write!(f, " by {}", self.got.join(", "))?;
        }
        Ok(())
    }
}
