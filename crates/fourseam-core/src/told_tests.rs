//! What a host is told besides the decision: the text, the way out, the line for the user, and what stands in the place
//! of a result.

use crate::action::{Action, Point, ToolResult};
use crate::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use crate::decision::{Decision, Mode};
use crate::policy::InjectAction;
use crate::remedy::{CUT_OUT, Found};
use crate::verdict::{Doubt, Draft, Reason, Told};

const GATE: Capabilities = at(Some(Point::ToolCall));
const PROMPT: Capabilities = at(Some(Point::Prompt));
const RESULT: Capabilities = at(Some(Point::ToolResult));
const OUTPUT: Capabilities = at(Some(Point::Output));

const fn at(point: Option<Point>) -> Capabilities {
    Capabilities {
        point,
        gate: matches!(point, Some(Point::ToolCall)),
        deny: true,
        ask: AskSupport::Native,
        allow: true,
        rewrite: false,
        context: true,
        replace: ReplaceSupport::All,
        notice: false,
    }
}

fn reason(decision: Decision, rule: &str) -> Reason {
    Reason { matched: "plum".to_owned(), ..Reason::plain(rule, decision, format!("{rule} says so.")) }
}

fn told(reasons: Vec<Reason>, capabilities: &Capabilities) -> Told {
    Draft::new(reasons, Vec::new(), Doubt::default()).settle(None).fit(capabilities, Mode::On, false)
}

const FINAL: &str = " This is a decision, not an error: do not retry it or try it another way. Only the user can lift it, \
                     by running it themselves or by changing the policy.";

#[test]
fn the_text_tells_who_what_and_which_rule() {
    let cannot_ask = Capabilities { ask: AskSupport::No, ..GATE };
    let only_a_person = " This needs a person's yes, and this agent cannot ask here: stop and tell the user what you want \
                         to run and why, so that they can run it themselves or change the policy. Do not try it another way.";
    let refused = "Refused by policy (fourseam, rule t/r): t/r says so.".to_owned();
    let warned = |what: &str| format!("Warning of the policy guard fourseam about this {what}: t/r says so. [t/r]");
    for (decision, capabilities, want) in [
        (Decision::Abstain, GATE, String::new()),
        (Decision::Allow, GATE, "fourseam: t/r says so. [t/r]".to_owned()),
        (Decision::Allow, PROMPT, "fourseam: t/r says so. [t/r]".to_owned()),
        (Decision::Allow, RESULT, "fourseam: t/r says so. [t/r]".to_owned()),
        (Decision::Ask, GATE, "fourseam asks: t/r says so. [t/r]".to_owned()),
        (Decision::Ask, PROMPT, warned("prompt")),
        (Decision::Ask, RESULT, warned("result")),
        (Decision::Ask, OUTPUT, warned("answer")),
        (Decision::Ask, at(None), "fourseam asks: t/r says so. [t/r]".to_owned()),
        (Decision::Ask, cannot_ask, format!("{refused}{only_a_person}")),
        (Decision::Deny, GATE, format!("{refused}{FINAL}")),
        (Decision::Deny, PROMPT, refused.clone()),
        (Decision::Deny, OUTPUT, refused.clone()),
        (Decision::Deny, at(None), refused.clone()),
        (Decision::Deny, RESULT, warned("result")),
    ] {
        assert_eq!(told(vec![reason(decision, "t/r")], &capabilities).text(), want, "{decision:?} {capabilities:?}");
    }
    assert_eq!(told(Vec::new(), &GATE).text(), "");
}

#[test]
fn only_what_the_session_remembers_is_told_beside_the_first_reason() {
    let reasons = |first: &str| {
        vec![reason(Decision::Ask, first), reason(Decision::Ask, "t/other"), reason(Decision::Ask, "session/before")]
    };
    assert_eq!(told(reasons("t/r"), &GATE).text(), "fourseam asks: t/r says so. [t/r] session/before says so.");
    let once = told(vec![reason(Decision::Ask, "session/before")], &GATE);
    assert_eq!(once.text(), "fourseam asks: session/before says so. [session/before]");
}

#[test]
fn a_safer_way_is_a_sentence() {
    for (instead, want) in
        [("do that", " Instead: do that."), ("Do that.", " Instead: Do that."), ("so?", " Instead: so?")]
    {
        let reason = Reason { instead: Some(instead.to_owned()), ..reason(Decision::Ask, "t/r") };
        assert_eq!(told(vec![reason], &GATE).text(), format!("fourseam asks: t/r says so. [t/r]{want}"));
    }
}

#[test]
fn the_way_out_is_told_where_something_is_refused() {
    for (decision, is_told) in [(Decision::Deny, true), (Decision::Ask, false), (Decision::Allow, false)] {
        let plain = told(vec![reason(decision, "t/r")], &GATE);
        let with_way = plain.clone().with_way("fourseam allow-once 1234");
        assert_eq!(with_way.said(), plain.said());
        let rest = with_way.text().strip_prefix(plain.text());
        assert_eq!(rest.is_some_and(|rest| rest.contains("`fourseam allow-once 1234`")), is_told, "{decision:?}");
        assert_eq!(with_way.text() == plain.text(), !is_told, "{decision:?}");
    }
}

#[test]
fn a_notice_goes_with_what_is_told_and_changes_none_of_it() {
    let plain = told(vec![reason(Decision::Deny, "t/r")], &GATE);
    assert_eq!(plain.notice(), None);
    let noticed = plain.clone().with_notice("mode is dry".to_owned());
    assert_eq!(noticed.notice(), Some("mode is dry"));
    assert_eq!((noticed.said(), noticed.text()), (plain.said(), plain.text()));
}

#[test]
fn a_warning_has_every_reason_that_asks_or_denies_with_what_was_found() {
    let reasons = vec![
        Reason { instead: Some("drop it".to_owned()), ..reason(Decision::Deny, "t/a") },
        reason(Decision::Ask, "t/b"),
        Reason { matched: String::new(), ..reason(Decision::Ask, "t/c") },
        reason(Decision::Allow, "t/d"),
    ];
    let found = ["t/a", "t/c"].map(|rule| found(rule, "injection")).to_vec();
    let draft = Draft::new(reasons, Vec::new(), Doubt::default()).with_found(found);
    let told = draft.settle(None).fit(&RESULT, Mode::Guard, false);
    assert_eq!(
        told.text(),
        "Warning of the policy guard fourseam about this result: t/a says so. (plum) Instead: drop it. [t/a] \
         t/b says so. [t/b] t/c says so. [t/c]"
    );
}

const TEXT: &str = "one plum1 two";

fn found(rule: &str, detector: &str) -> Found {
    let message = "holds a secret: a plum token".to_owned();
    Found { rule: rule.to_owned(), detector: detector.to_owned(), message, span: (4, 9) }
}

fn result(of: Action) -> ToolResult {
    ToolResult { of: Box::new(of), text: TEXT.to_owned(), raw: TEXT.into(), failed: false, own: false }
}

/// What is said, and what the agent reads in the place of the result, when these rules decide on these findings.
fn of_result(
    rules: &[(Decision, &str)],
    inject: InjectAction,
    capabilities: &Capabilities,
) -> (Decision, Option<String>) {
    let names = ["t/a", "t/b"];
    let reasons = rules.iter().zip(names).map(|((decision, _), rule)| reason(*decision, rule)).collect();
    let detected = rules.iter().zip(names).filter(|((_, detector), _)| !detector.is_empty());
    let found = detected.map(|((_, detector), rule)| found(rule, detector)).collect();
    let draft = Draft::new(reasons, Vec::new(), Doubt::default()).with_found(found);
    let told = draft.settle(None).fit(capabilities, Mode::On, false);
    let told = told.with_result(&result(Action::FileRead { path: "/home/ana/x".to_owned() }), inject, capabilities);
    (told.said(), told.replacement().map(|replacement| replacement.text().to_owned()))
}

#[test]
fn a_result_goes_is_warned_of_is_cleaned_or_is_kept_back() {
    let cleaned = || Some("one [redacted: a plum token] two".to_owned());
    let withheld = |told: &str| {
        Some(format!(
            "[fourseam kept this result back. Warning of the policy guard fourseam about this result: {told}]"
        ))
    };
    let plain = |rule: &str| format!("{rule} says so. [{rule}]");
    let with_found = |rule: &str| format!("{rule} says so. (plum) [{rule}]");
    let (warn, block) = (InjectAction::Warn, InjectAction::Block);
    for (rules, inject, want) in [
        (&[(Decision::Abstain, "")][..], block, (Decision::Abstain, None)),
        (&[(Decision::Allow, "")], block, (Decision::Allow, None)),
        (&[(Decision::Ask, "")], block, (Decision::Ask, None)),
        (&[(Decision::Ask, CUT_OUT)], block, (Decision::Ask, None)),
        (&[(Decision::Deny, "")], warn, (Decision::Deny, withheld(&plain("t/a")))),
        (&[(Decision::Deny, "")], block, (Decision::Deny, withheld(&plain("t/a")))),
        (&[(Decision::Deny, CUT_OUT)], warn, (Decision::Deny, cleaned())),
        (&[(Decision::Deny, CUT_OUT)], block, (Decision::Deny, cleaned())),
        (&[(Decision::Deny, "injection")], warn, (Decision::Ask, None)),
        (&[(Decision::Deny, "hidden-unicode")], warn, (Decision::Ask, None)),
        (&[(Decision::Deny, "injection")], block, (Decision::Deny, withheld(&with_found("t/a")))),
        // Of several the strongest.
        (&[(Decision::Deny, CUT_OUT), (Decision::Deny, "injection")], warn, (Decision::Deny, cleaned())),
        (
            &[(Decision::Deny, CUT_OUT), (Decision::Deny, "")],
            warn,
            (Decision::Deny, withheld(&format!("{} {}", with_found("t/a"), plain("t/b")))),
        ),
    ] {
        assert_eq!(of_result(rules, inject, &RESULT), want, "{rules:?} {inject:?}");
    }
}

#[test]
fn only_secrets_are_cut_out_of_a_result() {
    let draft =
        Draft::new(vec![reason(Decision::Deny, "t/a"), reason(Decision::Deny, "t/b")], Vec::new(), Doubt::default());
    let other = Found { span: (0, 3), ..found("t/b", "injection") };
    let told = draft.with_found(vec![found("t/a", CUT_OUT), other]).settle(None).fit(&RESULT, Mode::Guard, false);
    let result = result(Action::FileRead { path: "/home/ana/x".to_owned() });
    let told = told.with_result(&result, InjectAction::Warn, &RESULT);
    assert_eq!(told.replacement().map(|it| it.text()), Some("one [redacted: a plum token] two"));
}

#[test]
fn where_nothing_can_be_replaced_a_warning_is_all() {
    let deny = &[(Decision::Deny, "")];
    for replace in [ReplaceSupport::No, ReplaceSupport::Mcp] {
        let capabilities = Capabilities { replace, ..RESULT };
        assert_eq!(of_result(deny, InjectAction::Block, &capabilities), (Decision::Ask, None), "{replace:?}");
    }
}

#[test]
fn at_other_points_nothing_becomes_of_a_result() {
    for capabilities in [GATE, PROMPT, OUTPUT, at(None)] {
        let said = of_result(&[(Decision::Deny, "")], InjectAction::Block, &capabilities);
        assert_eq!(said, (Decision::Deny, None), "{capabilities:?}");
    }
}

#[test]
fn a_replacement_knows_the_shape_and_the_tool_of_its_result() {
    let mcp = Action::McpCall { server: "hub".to_owned(), tool: "list".to_owned(), arguments: serde_json::Value::Null };
    for (of, of_mcp) in [(mcp, true), (Action::FileRead { path: "/home/ana/x".to_owned() }, false)] {
        let told = told(vec![reason(Decision::Deny, "t/r")], &RESULT);
        let told = told.with_result(&result(of), InjectAction::Block, &RESULT);
        let replacement = told.replacement().map(|it| (it.is_of_mcp(), it.raw().clone()));
        assert_eq!(replacement, Some((of_mcp, TEXT.into())));
    }
}
