//! From a draft to what is said: what an opinion adds, what a person can lift, what a host can say. The texts and the
//! results that a host is given are in `told_tests`.

use crate::action::{Action, Point};
use crate::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use crate::decision::{Decision, Mode, OnError};
use crate::past::Deed;
use crate::verdict::{Doubt, Draft, Grounds, Lift, Opinion, Reason, Verdict};

const ALL: [Decision; 4] = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];

fn reason(decision: Decision, rule: &str) -> Reason {
    Reason::plain(rule, decision, "It is so.")
}

fn draft(decision: Decision, rule: &str, locked: bool) -> Draft {
    let grounds = Grounds { locked, deeds: Vec::new() };
    Draft::new(vec![reason(decision, rule)], Vec::new(), Doubt::default()).with_grounds(grounds)
}

fn rules(verdict: &Verdict) -> Vec<&str> {
    verdict.reasons().iter().map(|reason| reason.rule.as_str()).collect()
}

#[test]
fn words_are_those_of_policies() {
    assert_eq!(ALL.map(Decision::word), ["abstain", "allow", "ask", "deny"]);
    assert_eq!([Mode::Dry, Mode::Guard, Mode::On].map(Mode::word), ["dry", "guard", "on"]);
}

#[test]
fn a_failure_decides_what_on_error_says_and_tells_why() {
    for (on_error, want) in
        [(OnError::Abstain, Decision::Abstain), (OnError::Ask, Decision::Ask), (OnError::Deny, Decision::Deny)]
    {
        let verdict = Verdict::of_failure(on_error, "The disk is full.");
        assert_eq!(verdict.decision(), want);
        assert_eq!(verdict.reasons(), [Reason::plain("fourseam/failure", want, "The disk is full.")]);
        assert!(verdict.dry_reasons().is_empty() && verdict.deeds().is_empty());
    }
}

#[test]
fn an_opinion_adds_and_lifts_only_what_a_judge_may_lift() {
    let known = Doubt { of_what_runs: false, judge_may_allow: false };
    let liftable = Doubt { judge_may_allow: true, ..known };
    let blind = Doubt { of_what_runs: true, judge_may_allow: true };
    for (before, doubt, opinion, want, from) in [
        (None, known, Decision::Abstain, Decision::Abstain, &[][..]),
        (None, known, Decision::Allow, Decision::Allow, &["judge"]),
        (None, blind, Decision::Allow, Decision::Abstain, &[]),
        (None, known, Decision::Ask, Decision::Ask, &["judge"]),
        (None, blind, Decision::Deny, Decision::Deny, &["judge"]),
        (Some(Decision::Allow), known, Decision::Allow, Decision::Allow, &["t/r", "judge"]),
        (Some(Decision::Allow), known, Decision::Ask, Decision::Ask, &["judge", "t/r"]),
        (Some(Decision::Ask), liftable, Decision::Abstain, Decision::Ask, &["t/r"]),
        (Some(Decision::Ask), liftable, Decision::Allow, Decision::Allow, &["judge"]),
        (Some(Decision::Ask), known, Decision::Allow, Decision::Ask, &["t/r"]),
        (Some(Decision::Ask), blind, Decision::Allow, Decision::Ask, &["t/r"]),
        (Some(Decision::Ask), liftable, Decision::Deny, Decision::Deny, &["judge", "t/r"]),
        (Some(Decision::Deny), liftable, Decision::Allow, Decision::Deny, &["t/r"]),
        (Some(Decision::Deny), liftable, Decision::Ask, Decision::Deny, &["t/r", "judge"]),
    ] {
        let label = format!("{before:?} {doubt:?} {opinion:?}");
        let reasons: Vec<Reason> = before.map(|decision| reason(decision, "t/r")).into_iter().collect();
        let draft = Draft::new(reasons, Vec::new(), doubt);
        assert_eq!(draft.decision(), before.unwrap_or_default(), "{label}");
        let may = doubt.judge_may_allow && before == Some(Decision::Ask);
        assert_eq!(draft.judge_may_allow(), may, "{label}");
        let verdict = draft.settle(Some(Opinion { reason: reason(opinion, "judge") }));
        assert_eq!((verdict.decision(), rules(&verdict).as_slice()), (want, from), "{label}");
    }
}

#[test]
fn the_strongest_of_several_reasons_is_the_first_to_tell() {
    let reasons = vec![reason(Decision::Ask, "t/a"), reason(Decision::Deny, "t/b"), reason(Decision::Allow, "t/c")];
    let draft = Draft::new(reasons, vec![reason(Decision::Deny, "t/dry")], Doubt::default());
    assert_eq!(draft.decision(), Decision::Deny);
    let verdict = draft.settle(None);
    assert_eq!((verdict.decision(), rules(&verdict)), (Decision::Deny, vec!["t/b", "t/a", "t/c"]));
    assert_eq!(verdict.dry_reasons(), [reason(Decision::Deny, "t/dry")]);
}

#[test]
fn a_person_lifts_what_is_theirs_and_nothing_else() {
    for (decision, rule, locked, once, approved) in [
        (Decision::Ask, "t/r", false, Decision::Abstain, Decision::Abstain),
        (Decision::Deny, "t/r", false, Decision::Abstain, Decision::Deny),
        (Decision::Ask, "t/r", true, Decision::Ask, Decision::Ask),
        (Decision::Deny, "t/r", true, Decision::Deny, Decision::Deny),
        (Decision::Ask, "fourseam/failure", false, Decision::Ask, Decision::Ask),
        (Decision::Deny, "fourseam/failure", false, Decision::Deny, Decision::Deny),
        (Decision::Allow, "t/r", false, Decision::Allow, Decision::Allow),
        (Decision::Abstain, "t/r", false, Decision::Abstain, Decision::Abstain),
    ] {
        let label = format!("{decision:?} {rule} {locked}");
        let verdict = draft(decision, rule, locked).settle(None);
        let liftable = once == Decision::Abstain && decision != Decision::Abstain;
        assert_eq!(verdict.can_be_lifted(), liftable, "{label}");
        let lifted = |by: Lift| verdict.clone().lifted(by);
        assert_eq!(
            (lifted(Lift::Once).decision(), lifted(Lift::ApprovedBefore).decision()),
            (once, approved),
            "{label}"
        );
        if !liftable {
            assert_eq!(lifted(Lift::Once).reasons(), verdict.reasons(), "{label}");
        }
    }
}

#[test]
fn one_reason_that_nobody_can_lift_is_enough() {
    let of = |other: Reason| {
        Draft::new(vec![reason(Decision::Deny, "t/r"), other], Vec::new(), Doubt::default()).settle(None)
    };
    assert!(!of(reason(Decision::Ask, "fourseam/failure")).can_be_lifted());
    assert!(of(reason(Decision::Allow, "fourseam/remark")).can_be_lifted());
    assert!(of(reason(Decision::Ask, "t/other")).can_be_lifted());
}

#[test]
fn what_was_lifted_says_so_and_by_which_rules() {
    for (by, name) in [(Lift::Once, "fourseam/allow-once"), (Lift::ApprovedBefore, "session/approved-before")] {
        let reasons = vec![reason(Decision::Ask, "t/r"), reason(Decision::Allow, "t/ls")];
        let deeds = vec![Deed::Run { path: "/home/ana/x".to_owned() }];
        let verdict = Draft::new(reasons, vec![reason(Decision::Deny, "t/dry")], Doubt::default())
            .with_grounds(Grounds { locked: false, deeds: deeds.clone() })
            .settle(None);
        assert_eq!(verdict.deeds(), deeds);
        let lifted = verdict.lifted(by);
        assert_eq!(rules(&lifted), [name, "t/r"]);
        assert!(lifted.reasons().iter().all(|reason| reason.decision == Decision::Abstain));
        assert_eq!((lifted.deeds(), lifted.dry_reasons().len()), (deeds.as_slice(), 1), "{name}");
    }
}

#[test]
fn a_remembered_reason_takes_the_question_from_a_judge() {
    let asks = |judge_may_allow| {
        let doubt = Doubt { judge_may_allow, ..Doubt::default() };
        Draft::new(vec![reason(Decision::Ask, "t/r")], Vec::new(), doubt)
    };
    assert!(asks(true).judge_may_allow() && !asks(false).judge_may_allow());
    for (decision, may) in [(Decision::Abstain, true), (Decision::Allow, true), (Decision::Ask, false)] {
        let draft = asks(true).with_reason(reason(decision, "session/refused-before"));
        assert_eq!(draft.judge_may_allow(), may, "{decision:?}");
        assert_eq!(rules(&draft.settle(None)).len(), 2, "{decision:?}");
    }
    let denied = asks(true).with_reason(reason(Decision::Deny, "session/refused-before"));
    assert_eq!(denied.decision(), Decision::Deny);
}

#[test]
fn what_is_said_is_what_the_host_can_say_and_no_weaker() {
    let none = Capabilities {
        point: Some(Point::ToolCall),
        gate: true,
        deny: true,
        ask: AskSupport::No,
        allow: false,
        rewrite: false,
        context: false,
        replace: ReplaceSupport::No,
        notice: false,
    };
    let all = Capabilities { ask: AskSupport::Native, allow: true, ..none };
    let opt_in = Capabilities { ask: AskSupport::OptIn, ..none };
    let (abstain, allow, ask, deny) = (Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny);
    for (capabilities, mode, opted, want) in [
        (all, Mode::Dry, true, [abstain, abstain, abstain, abstain]),
        (all, Mode::Guard, false, [abstain, abstain, ask, deny]),
        (all, Mode::On, false, [abstain, allow, ask, deny]),
        (none, Mode::Dry, true, [abstain, abstain, abstain, abstain]),
        (none, Mode::Guard, true, [abstain, abstain, deny, deny]),
        (none, Mode::On, true, [abstain, abstain, deny, deny]),
        (opt_in, Mode::Guard, false, [abstain, abstain, deny, deny]),
        (opt_in, Mode::Guard, true, [abstain, abstain, ask, deny]),
        (Capabilities { point: None, ..none }, Mode::Guard, true, [abstain, abstain, deny, deny]),
        (Capabilities { point: Some(Point::Prompt), ..none }, Mode::Guard, false, [abstain, abstain, ask, deny]),
        (Capabilities { point: Some(Point::ToolResult), ..none }, Mode::Guard, false, [abstain, abstain, ask, deny]),
        (Capabilities { point: Some(Point::Output), ..none }, Mode::On, false, [abstain, abstain, ask, deny]),
        (Capabilities { point: Some(Point::Output), ..none }, Mode::Dry, false, [abstain, abstain, abstain, abstain]),
    ] {
        let said = ALL.map(|decision| {
            let told = draft(decision, "t/r", false).settle(None).fit(&capabilities, mode, opted);
            assert_eq!(told.verdict().decision(), decision);
            assert!(told.notice().is_none() && told.replacement().is_none());
            told.said()
        });
        assert_eq!(said, want, "{capabilities:?} {mode:?} {opted}");
    }
}

#[test]
fn a_host_replaces_the_results_that_it_says() {
    let mcp = Action::McpCall { server: "hub".to_owned(), tool: "list".to_owned(), arguments: serde_json::Value::Null };
    let read = Action::FileRead { path: "/home/ana/x".to_owned() };
    for (support, of_mcp, of_read) in
        [(ReplaceSupport::No, false, false), (ReplaceSupport::Mcp, true, false), (ReplaceSupport::All, true, true)]
    {
        assert_eq!((support.is_of(&mcp), support.is_of(&read)), (of_mcp, of_read), "{support:?}");
    }
}
