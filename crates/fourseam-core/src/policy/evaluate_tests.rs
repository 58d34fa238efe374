//! What becomes of matches: what a judge may lift, what memory keeps, what an allow speaks for, and what is told.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use super::source::{Layer, Source};
use super::{Case, Policy, compile};
use crate::action::{Action, Dialect, HookCall, Point, ToolResult};
use crate::analysis::{
    Analysis, Effect, EffectKind, Finding, Invocation, PathUse, Place, SqlClass, Target, Unknown, UnknownClass,
};
use crate::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use crate::decision::{Decision, Mode};
use crate::past::Deed;
use crate::policy::InjectAction;
use crate::verdict::{Draft, Opinion, Reason, Verdict};
use serde_json::{Value, json};

fn policy(rules: &[&str]) -> Policy {
    policy_with(rules, "")
}

/// Rules of the user, and what else the file says.
fn policy_with(rules: &[&str], rest: &str) -> Policy {
    let rules: String = rules.iter().map(|rule| format!("  - {{ reason: No., {rule} }}\n")).collect();
    let text = format!("version: 1\nrules:\n{rules}{rest}");
    let compiled = compile(&[Source { layer: Layer::User, file: "policy.yaml", text: &text, trusted: false }], &[]);
    assert!(compiled.broken.is_empty(), "{:#?}", compiled.diagnostics);
    Policy::new(vec![compiled.set], None)
}

fn shell(line: &str) -> HookCall {
    Case::of_command(line, Dialect::Posix, None).call
}

/// One invocation a line, each with its first word as the program.
fn commands(lines: &[&str]) -> Analysis {
    let invocation = |line: &&str| Invocation {
        program: line.split(' ').next().unwrap_or_default().to_owned(),
        text: (*line).to_owned(),
        known: true,
        span: (3, 9),
        ..Invocation::default()
    };
    Analysis { invocations: lines.iter().map(invocation).collect(), ..Analysis::default() }
}

fn effect(kind: EffectKind, target: Option<Target>, invocation: Option<usize>) -> Effect {
    let verb = "do".to_owned();
    Effect { kind, verb, target, recursive: false, place: Place::Local, taint: Vec::new(), invocation }
}

fn path(path: &str) -> Option<Target> {
    Some(Target::Path(PathUse { written: path.to_owned(), resolved: Some(path.to_owned()), ..PathUse::default() }))
}

fn unknown(class: UnknownClass, invocation: Option<usize>) -> Unknown {
    Unknown { class, text: "$WHAT".to_owned(), invocation }
}

fn finding(detector: &str, confidence: f32, span: (u32, u32)) -> Finding {
    Finding { detector: detector.to_owned(), confidence, message: "holds a secret: a key".to_owned(), span }
}

fn decide(policy: &Policy, analysis: &Analysis) -> Verdict {
    policy.evaluate(&shell("line"), analysis).settle(None)
}

fn rules(verdict: &Verdict) -> Vec<&str> {
    verdict.reasons().iter().map(|reason| reason.rule.as_str()).collect()
}

fn with_yes(draft: Draft) -> Decision {
    draft.settle(Some(Opinion { reason: Reason::plain("judge", Decision::Allow, "Fine.") })).decision()
}

#[test]
fn patterns_are_tried_on_commands_statements_and_what_was_sent() {
    let sql = Some(Target::Sql { class: SqlClass::Drop, text: "DROP TABLE plums".to_owned() });
    let analysis =
        Analysis { effects: vec![effect(EffectKind::Database, sql, Some(0))], ..commands(&["psql -c", "make pears"]) };
    for (rule, want) in [
        ("pattern: 'make pears'", Decision::Deny),
        ("pattern: 'TABLE plums'", Decision::Deny),
        ("pattern: apples", Decision::Abstain),
        ("raw_pattern: apples", Decision::Deny),
        ("raw_pattern: 'make pears'", Decision::Abstain),
    ] {
        let policy = policy(&[&format!("id: t/r, decision: deny, {rule}")]);
        assert_eq!(policy.evaluate(&shell("echo apples"), &analysis).settle(None).decision(), want, "{rule}");
    }
}

#[test]
fn a_rule_is_told_once_whatever_it_matches() {
    let policy = policy(&[
        "id: t/rm, decision: deny, when: { command: rm }",
        "id: t/all, decision: ask, when: { command: '*' }",
    ]);
    assert_eq!(rules(&decide(&policy, &commands(&["rm a", "rm b", "ls"]))), ["t/rm", "t/all"]);
}

#[test]
fn a_judge_may_allow_where_every_rule_that_asks_says_so() {
    const MAY: &str = "id: t/may, decision: ask, judge: may-allow, when: { command: rm }";
    for (other, want) in [
        ("id: t/other, decision: ask, judge: may-allow, when: { command: rm }", true),
        ("id: t/other, decision: ask, when: { command: rm }", false),
        ("id: t/other, decision: ask, when: { command: mv }", true),
        ("id: t/other, decision: deny, when: { command: rm }", false),
        ("id: t/other, decision: allow, when: { command: rm }", true),
        ("id: t/other, decision: ask, mode: dry, when: { command: rm }", true),
    ] {
        let draft = policy(&[MAY, other]).evaluate(&shell("rm a"), &commands(&["rm a"]));
        assert_eq!(draft.judge_may_allow(), want, "{other}");
    }
    // An exception may make a refusal of the question: then there is none to lift.
    let denied = policy_with(&[MAY], "overrides: [{ rule: t/may, decision: deny, reason: n. }]\n");
    assert!(!denied.evaluate(&shell("rm a"), &commands(&["rm a"])).judge_may_allow());
}

#[test]
fn no_opinion_allows_what_is_not_known() {
    let asks = policy(&["id: t/may, decision: ask, judge: may-allow, when: { command: rm }"]);
    for (class, want) in [
        (UnknownClass::CommandWord, Decision::Ask),
        (UnknownClass::DangerousArgument, Decision::Ask),
        (UnknownClass::ShellCode, Decision::Ask),
        (UnknownClass::DecodedCode, Decision::Ask),
        (UnknownClass::Code, Decision::Ask),
        (UnknownClass::Unparsed, Decision::Ask),
        (UnknownClass::Limit, Decision::Ask),
        (UnknownClass::Typed, Decision::Ask),
        (UnknownClass::ScriptFile, Decision::Allow),
        (UnknownClass::Program, Decision::Allow),
    ] {
        let analysis = Analysis { unknowns: vec![unknown(class, None)], ..commands(&["rm a"]) };
        assert_eq!(with_yes(asks.evaluate(&shell("rm a"), &analysis)), want, "{class:?}");
    }
    assert_eq!(with_yes(asks.evaluate(&shell("rm a"), &commands(&["rm a"]))), Decision::Allow);
}

#[test]
fn an_allow_must_speak_for_every_command_and_effect() {
    let read = |of| effect(EffectKind::Read, path("/home/ana/x"), of);
    let ls = "id: t/ls, decision: allow, when: { command: ls }";
    let reads = "id: t/reads, decision: allow, when: { effect: read }";
    let call = "id: t/call, decision: allow, when: { tool: shell }";
    let with =
        |effects: Vec<Effect>, unknowns: Vec<Unknown>| Analysis { effects, unknowns, ..commands(&["ls", "cat"]) };
    let (program, code) = (UnknownClass::Program, UnknownClass::ShellCode);
    for (allows, analysis, want) in [
        (&[ls][..], commands(&["ls"]), Decision::Allow),
        (&[ls], commands(&["ls", "cat"]), Decision::Abstain),
        (&[ls, "id: t/cat, decision: allow, when: { command: cat }"], commands(&["ls", "cat"]), Decision::Allow),
        (
            &[ls, "id: t/cat, decision: allow, mode: dry, when: { command: cat }"],
            commands(&["ls", "cat"]),
            Decision::Abstain,
        ),
        (&[ls, "id: t/cat, decision: ask, when: { command: cat }"], commands(&["ls", "cat"]), Decision::Ask),
        // A command whose every effect is allowed.
        (&[ls, reads], with(vec![read(Some(1))], vec![]), Decision::Allow),
        (&[ls, reads], with(vec![read(Some(1)), effect(EffectKind::Delete, None, Some(1))], vec![]), Decision::Abstain),
        // An effect of an allowed command, and one of no command.
        (&[ls, reads], with(vec![effect(EffectKind::Delete, None, Some(0)), read(Some(1))], vec![]), Decision::Allow),
        (&[ls, reads], with(vec![read(Some(1)), effect(EffectKind::Delete, None, None)], vec![]), Decision::Abstain),
        (&[ls, reads], with(vec![read(Some(1)), read(None)], vec![]), Decision::Allow),
        // All of the call.
        (&[call], with(vec![effect(EffectKind::Delete, None, Some(1))], vec![]), Decision::Allow),
        (&[call], with(vec![], vec![unknown(code, None)]), Decision::Abstain),
        // A program that fourseam does not know, allowed by its name.
        (&[ls, reads], with(vec![read(Some(1))], vec![unknown(program, Some(0))]), Decision::Allow),
        (&[ls, reads], with(vec![read(Some(1))], vec![unknown(program, Some(1))]), Decision::Abstain),
        (&[ls, reads], with(vec![read(Some(1))], vec![unknown(program, None)]), Decision::Abstain),
        (&[ls, reads], with(vec![read(Some(1))], vec![unknown(code, Some(0))]), Decision::Abstain),
    ] {
        let verdict = decide(&policy(allows), &analysis);
        assert_eq!(verdict.decision(), want, "{allows:?} {analysis:#?}");
        let told = verdict.reasons().iter().any(|reason| reason.decision == Decision::Allow);
        assert_eq!(told, want == Decision::Allow, "{allows:?} {analysis:#?}");
    }
    // Nothing that was looked at is not everything.
    let unread = Analysis { unknowns: vec![unknown(code, None)], ..Analysis::default() };
    let allows = policy(&["id: t/code, decision: allow, when: { unknown: shell-code }"]);
    assert_eq!(decide(&allows, &unread).decision(), Decision::Abstain);
}

#[test]
fn an_exception_takes_a_match_away_and_speaks_for_nothing() {
    let lifted = "overrides: [{ rule: t/rm, decision: allow, reason: n. }]\n";
    let rule = "id: t/rm, decision: deny, when: { command: rm }";
    let verdict = decide(&policy_with(&[rule], lifted), &commands(&["rm a"]));
    assert_eq!((verdict.decision(), verdict.reasons().len()), (Decision::Abstain, 0));
}

#[test]
fn what_is_remembered_is_what_was_asked_about_or_refused() {
    let (a, b) = ("/home/ana/a", "/home/ana/b");
    let changes = |path: &str| Deed::Change { path: path.to_owned() };
    let analysis = Analysis {
        effects: vec![
            effect(EffectKind::Write, path(a), Some(0)),
            effect(EffectKind::Write, path(b), Some(1)),
            effect(EffectKind::Write, path(a), Some(0)),
        ],
        findings: vec![finding("key", 1.0, (0, 1))],
        ..commands(&["cp x a", "mv y b"])
    };
    for (rule, want) in [
        ("decision: ask, when: { command: cp }", vec![changes(a)]),
        ("decision: deny, when: { command: mv }", vec![changes(b)]),
        ("decision: deny, when: { path: '/home/ana/b' }", vec![changes(b)]),
        ("decision: deny, when: { tool: shell }", vec![changes(a), changes(b)]),
        ("decision: deny, when: { finding: key }", vec![]),
        ("decision: allow, when: { tool: shell }", vec![]),
        ("decision: deny, mode: dry, when: { tool: shell }", vec![]),
    ] {
        let verdict = decide(&policy(&[&format!("id: t/r, {rule}")]), &analysis);
        assert_eq!(verdict.deeds(), want, "{rule}");
    }
}

#[test]
fn a_locked_rule_that_asks_or_denies_cannot_be_lifted() {
    let compiled = |decision: &str, rest: &str| {
        let text = format!(
            "version: 1\nlocked: [org]\nrules:\n  - {{ id: org/rm, decision: {decision}, reason: n., when: {{ command: rm }}{rest} }}\n"
        );
        let user = "version: 1\nrules: [{ id: t/mv, decision: ask, reason: n., when: { command: mv } }]\n";
        let source = |layer, text| Source { layer, file: "policy.yaml", text, trusted: false };
        Policy::new(vec![compile(&[source(Layer::Organisation, &text), source(Layer::User, user)], &[]).set], None)
    };
    for (decision, rest, lines, want) in [
        ("deny", "", &["rm a"][..], false),
        ("ask", "", &["rm a"], false),
        ("ask", "", &["rm a", "mv b"], false),
        ("ask", "", &["mv b"], true),
        ("deny", ", mode: dry", &["rm a", "mv b"], true),
        ("allow", "", &["rm a", "mv b"], true),
    ] {
        let verdict = decide(&compiled(decision, rest), &commands(lines));
        assert_eq!(verdict.can_be_lifted(), want, "{decision} {rest} {lines:?}");
    }
}

#[test]
fn a_reason_has_what_the_rule_says_and_where_it_is() {
    let policy = policy(&[
        "id: t/rm, decision: deny, when: { command: rm }, instead: trash it",
        "id: t/key, decision: ask, when: { finding: key }",
        "id: t/call, decision: ask, when: { tool: shell }",
    ]);
    let analysis = Analysis { findings: vec![finding("key", 1.0, (4, 7))], ..commands(&["rm a"]) };
    let verdict = decide(&policy, &analysis);
    let instead = Some("trash it".to_owned());
    let no = |rule, decision| Reason::plain(rule, decision, "No.");
    assert_eq!(
        verdict.reasons(),
        [
            Reason { instead, matched: "rm a".to_owned(), span: Some((3, 9)), ..no("t/rm", Decision::Deny) },
            Reason { matched: "line".to_owned(), ..no("t/call", Decision::Ask) },
            Reason { matched: "holds a secret: a key".to_owned(), span: Some((4, 7)), ..no("t/key", Decision::Ask) },
        ]
    );
}

/// The text that a rule with this condition says it matched.
fn matched(when: &str, call: &HookCall, analysis: &Analysis) -> String {
    let verdict = policy(&[&format!("id: t/r, decision: ask, when: {when}")]).evaluate(call, analysis).settle(None);
    verdict.reasons()[0].matched.clone()
}

#[test]
fn what_matched_is_told_in_the_words_of_the_call() {
    let sql = Target::Sql { class: SqlClass::Drop, text: "DROP TABLE plums".to_owned() };
    let targets = [
        (path("/home/ana/x"), "/home/ana/x"),
        (Some(Target::Url { url: "https://plums.example.com".to_owned() }), "https://plums.example.com"),
        (Some(Target::Host { host: "plums.example.com".to_owned() }), "plums.example.com"),
        (Some(sql.clone()), "DROP TABLE plums"),
        (Some(Target::Resource { name: "plums".to_owned() }), "plums"),
    ];
    for (target, words) in targets {
        let alone = Analysis { effects: vec![effect(EffectKind::Delete, target.clone(), None)], ..Analysis::default() };
        assert_eq!(matched("{ effect: delete }", &shell("line"), &alone), words);
        let of_command = |text: &str| {
            let effects = vec![effect(EffectKind::Delete, target.clone(), Some(0))];
            Analysis { effects, ..commands(&[text]) }
        };
        assert_eq!(matched("{ effect: delete }", &shell("line"), &of_command("do it")), format!("do it: {words}"));
        let shown = format!("do {words} now");
        assert_eq!(matched("{ effect: delete }", &shell("line"), &of_command(&shown)), shown);
    }
    let statement = Analysis { effects: vec![effect(EffectKind::Database, Some(sql), Some(0))], ..commands(&["psql"]) };
    assert_eq!(matched("{ command: psql }", &shell("line"), &statement), "psql: DROP TABLE plums");
    let unread = Analysis { unknowns: vec![unknown(UnknownClass::ShellCode, None)], ..Analysis::default() };
    assert_eq!(matched("{ unknown: shell-code }", &shell("line"), &unread), "$WHAT");
}

#[test]
fn of_an_action_without_commands_its_name_or_path_is_told() {
    for (tool, input, want) in [
        ("mcp", json!({ "server": "hub", "tool": "merge", "arguments": {} }), "hub merge"),
        ("read", json!({ "path": "/home/ana/x" }), "/home/ana/x"),
        ("write", json!({ "path": "/home/ana/x", "content": "plums" }), "/home/ana/x"),
        ("webfetch", json!({ "url": "https://plums.example.com" }), "https://plums.example.com"),
        ("prompt", json!({ "text": "plums" }), ""),
        ("tool_result", json!({ "text": "plums" }), ""),
        ("shell", json!({ "command": "make plums" }), "make plums"),
    ] {
        let line = json!({ "tool": tool, "input": input }).to_string();
        let case = Case::of_json(&line).unwrap();
        let call = HookCall { host: "h".to_owned(), ..case.call };
        assert_eq!(matched("{ host: h }", &call, &Analysis::default()), want, "{line}");
    }
    let other = Action::Other { tool: "grow".to_owned(), input: Value::Null };
    assert_eq!(
        matched("{ host: h }", &HookCall { host: "h".to_owned(), action: other, ..shell("x") }, &Analysis::default()),
        "grow"
    );
}

#[test]
fn long_texts_are_shortened_and_made_one_line() {
    let told = |line: &str| matched("{ tool: shell }", &shell(line), &Analysis::default());
    assert_eq!(told("a\nb\tc"), "a b c");
    assert_eq!(told(&"x".repeat(160)), "x".repeat(160));
    assert_eq!(told(&"x".repeat(161)), format!("{}...", "x".repeat(160)));
    // Of a long command enough is left out that what it is on can be read.
    let effects = vec![effect(EffectKind::Delete, path("/home/ana/x"), Some(0))];
    let analysis = Analysis { effects, ..commands(&[&"y".repeat(300)]) };
    assert_eq!(matched("{ effect: delete }", &shell("line"), &analysis), format!("{}: /home/ana/x", "y".repeat(80)));
}

#[test]
fn a_rule_that_is_tried_out_takes_nothing_out_of_a_result() {
    let result = ToolResult {
        of: Box::new(Action::Other { tool: "t".to_owned(), input: Value::Null }),
        text: "plum1 and plum2".to_owned(),
        raw: Value::Null,
        failed: false,
        own: false,
    };
    let call = HookCall { point: Some(Point::ToolResult), action: Action::ToolResult(result.clone()), ..shell("x") };
    let findings = vec![finding("secrets", 0.9, (0, 5)), finding("secrets", 0.5, (10, 15))];
    let analysis = Analysis { findings, ..Analysis::default() };
    let capabilities = Capabilities {
        point: call.point,
        gate: false,
        deny: true,
        ask: AskSupport::No,
        allow: false,
        rewrite: false,
        context: true,
        replace: ReplaceSupport::All,
        notice: false,
    };
    let sure = "id: t/sure, decision: deny, when: { finding: secrets, confidence: 0.8 }";
    for (other, want) in [
        ("id: t/tried, decision: deny, mode: dry, when: { finding: secrets }", "[redacted: a key] and plum2"),
        ("id: t/unsure, decision: deny, when: { finding: secrets }", "[redacted: a key] and [redacted: a key]"),
    ] {
        let verdict = policy(&[sure, other]).evaluate(&call, &analysis).settle(None);
        let told =
            verdict.fit(&capabilities, Mode::Guard, false).with_result(&result, InjectAction::Warn, &capabilities);
        assert_eq!(told.replacement().map(|replacement| replacement.text()), Some(want), "{other}");
    }
}
