//! What a person can lift of a verdict, and what memory adds to one.

use crate::decision::Decision;
use crate::verdict::{Doubt, Draft, Grounds, Lift, Reason};

fn reason(decision: Decision, rule: &str) -> Reason {
    Reason {
        rule: rule.to_owned(),
        decision,
        message: "It is so.".to_owned(),
        instead: None,
        matched: String::new(),
        span: None,
    }
}

fn draft(decision: Decision, rule: &str, locked: bool) -> Draft {
    let grounds = Grounds { locked, deeds: Vec::new() };
    Draft::new(vec![reason(decision, rule)], Vec::new(), Doubt::default()).with_grounds(grounds)
}

#[test]
fn a_person_lifts_what_is_theirs_and_nothing_else() {
    for (decision, rule, locked, once, approved) in [
        (Decision::Ask, "t/r", false, Decision::Abstain, Decision::Abstain),
        (Decision::Deny, "t/r", false, Decision::Abstain, Decision::Deny),
        (Decision::Ask, "t/r", true, Decision::Ask, Decision::Ask),
        (Decision::Deny, "t/r", true, Decision::Deny, Decision::Deny),
        (Decision::Deny, "fourseam/failure", false, Decision::Deny, Decision::Deny),
        (Decision::Allow, "t/r", false, Decision::Allow, Decision::Allow),
    ] {
        let lifted = |by: Lift| draft(decision, rule, locked).settle(None).lifted(by).decision();
        assert_eq!((lifted(Lift::Once), lifted(Lift::ApprovedBefore)), (once, approved), "{decision:?} {rule}");
    }
}

#[test]
fn what_was_lifted_says_so_and_by_which_rules() {
    let lifted = draft(Decision::Deny, "t/r", false).settle(None).lifted(Lift::Once);
    let rules: Vec<&str> = lifted.reasons().iter().map(|reason| reason.rule.as_str()).collect();
    assert_eq!(rules, ["fourseam/allow-once", "t/r"]);
}

#[test]
fn a_remembered_reason_takes_the_question_from_a_judge() {
    let asks = |judge_may_allow| {
        let doubt = Doubt { judge_may_allow, ..Doubt::default() };
        Draft::new(vec![reason(Decision::Ask, "t/r")], Vec::new(), doubt)
    };
    let remembered = reason(Decision::Ask, "session/refused-before");
    assert!(asks(true).judge_may_allow() && !asks(false).judge_may_allow());
    assert!(!asks(true).with_reason(remembered).judge_may_allow());
}
