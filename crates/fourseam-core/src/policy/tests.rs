//! Policies as people write them: layers, exceptions, locks, errors.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "tests may panic"
)]

use super::*;
use crate::action::{Action, Dialect, HookCall};
use crate::analysis::{Analysis, Finding, Flag, Invocation};
use crate::decision::{Decision, Mode, OnError};

const TODAY: &str = "2026-06-01";

fn source(layer: Layer, text: &str) -> Source<'_> {
    Source { layer, file: "policy.yaml", text, trusted: false }
}

fn policy(layers: &[(Layer, &str)]) -> Policy {
    let sources: Vec<Source<'_>> = layers.iter().map(|(layer, text)| source(*layer, text)).collect();
    Policy::new(vec![compile(&sources, &[]).set], Some(TODAY.to_owned()))
}

/// A command of words: program, options, arguments.
fn command(line: &str) -> (HookCall, Analysis) {
    let mut words = line.split(' ').map(str::to_owned);
    let program = words.next().unwrap();
    let (flags, args): (Vec<String>, Vec<String>) = words.partition(|word| word.starts_with('-'));
    let flags = flags.into_iter().map(|name| Flag { name, value: None }).collect();
    let invocation = Invocation { program, flags, args, text: line.to_owned(), known: true, ..Invocation::default() };
    let call = Case::of_command(line, Dialect::Posix, None).call;
    (call, Analysis { invocations: vec![invocation], ..Analysis::default() })
}

fn decide(policy: &Policy, line: &str) -> Decision {
    let (call, analysis) = command(line);
    policy.evaluate(&call, &analysis).settle(None).decision()
}

const DENY_RM: &str = "version: 1\nrules: [{ id: org/rm, decision: deny, reason: No., when: { command: rm } }]\n";

#[test]
fn the_smallest_rule_has_four_keys() {
    let text = "version: 1\nrules:\n  - id: team/no-prod-psql\n    pattern: 'psql\\b.*\\bprod'\n    severity: block\n    reason: Migrations only.\n";
    let policy = policy(&[(Layer::User, text)]);
    assert_eq!(decide(&policy, "psql -h prod-db"), Decision::Deny);
    assert_eq!(decide(&policy, "psql -h test-db"), Decision::Abstain);
    let (call, analysis) = command("psql -h prod-db");
    let verdict = policy.evaluate(&call, &analysis).settle(None);
    assert_eq!(verdict.reasons()[0].message, "Migrations only.");
}

#[test]
fn an_override_lifts_a_rule_where_it_says() {
    let lifted = |rest: &str| {
        format!("version: 1\noverrides: [{{ rule: org/rm, decision: allow, reason: We know., {rest} }}]\n")
    };
    for (rest, line, want) in [
        ("when: { arg_glob: 'build/*' }", "rm build/x", Decision::Abstain),
        ("when: { arg_glob: 'build/*' }", "rm src/x", Decision::Deny),
        ("unless: { arg: src }", "rm src", Decision::Deny),
        ("until: 2026-06-01", "rm x", Decision::Abstain),
        ("until: 2026-05-31", "rm x", Decision::Deny),
    ] {
        let policy = policy(&[(Layer::Organisation, DENY_RM), (Layer::User, &lifted(rest))]);
        assert_eq!(decide(&policy, line), want, "{rest}: {line}");
    }
    let asks = "version: 1\noverrides: [{ rule: 'org/*', decision: ask, reason: Ask. }]\n";
    assert_eq!(decide(&policy(&[(Layer::Organisation, DENY_RM), (Layer::User, asks)]), "rm x"), Decision::Ask);
}

#[test]
fn a_locked_rule_stays() {
    let locked = format!("{DENY_RM}locked: ['org/*']\n");
    for weaker in [
        "version: 1\noverrides: [{ rule: org/rm, decision: allow, reason: No. }]\n",
        "version: 1\npacks: { disable: [org] }\n",
    ] {
        let open = policy(&[(Layer::Organisation, DENY_RM), (Layer::User, weaker)]);
        assert_eq!(decide(&open, "rm x"), Decision::Abstain, "{weaker}");
        let policy = policy(&[(Layer::Organisation, &locked), (Layer::User, weaker)]);
        assert_eq!(decide(&policy, "rm x"), Decision::Deny, "{weaker}");
    }
}

#[test]
fn an_allow_speaks_only_for_what_it_matches() {
    let policy = policy(&[(
        Layer::User,
        "version: 1\nrules: [{ id: t/ls, decision: allow, reason: Reads., when: { command: ls } }]\n",
    )]);
    assert_eq!(decide(&policy, "ls"), Decision::Allow);
    let (call, mut analysis) = command("ls");
    analysis.invocations.extend(command("make").1.invocations);
    assert_eq!(policy.evaluate(&call, &analysis).settle(None).decision(), Decision::Abstain);
}

#[test]
fn an_allow_of_a_finding_allows_nothing() {
    let policy = policy(&[(
        Layer::User,
        "version: 1\nrules: [{ id: t/key, decision: allow, reason: Known., when: { finding: key } }]\n",
    )]);
    let finding = Finding { detector: "key".to_owned(), confidence: 1.0, message: String::new(), span: (0, 0) };
    let analysis = Analysis { findings: vec![finding], ..Analysis::default() };
    let (call, _) = command("ls");
    assert_eq!(policy.evaluate(&call, &analysis).settle(None).decision(), Decision::Abstain);
}

#[test]
fn harmless_forms_are_spared() {
    let policy = policy(&[(Layer::User, DENY_RM)]);
    let (call, mut analysis) = command("rm --help");
    analysis.invocations[0].harmless = true;
    assert_eq!(policy.evaluate(&call, &analysis).settle(None).decision(), Decision::Abstain);
}

#[test]
fn a_dry_rule_is_only_told() {
    let text = "version: 1\nrules: [{ id: t/rm, decision: deny, mode: dry, reason: No., when: { command: rm } }]\n";
    let (call, analysis) = command("rm x");
    let verdict = policy(&[(Layer::User, text)]).evaluate(&call, &analysis).settle(None);
    assert_eq!((verdict.decision(), verdict.dry_reasons().len()), (Decision::Abstain, 1));
}

#[test]
fn the_organisations_settings_are_floors() {
    let organisation =
        "version: 1\nmode: guard\non_error: ask\naudit: { required: true }\nhosts: { gemini-cli: { ask: deny } }\n";
    let user = "version: 1\nmode: dry\non_error: deny\naudit: { required: false }\nhosts: { gemini-cli: { ask: native }, other: { ask: native } }\n";
    let policy = policy(&[(Layer::Organisation, organisation), (Layer::User, user)]);
    let settings = policy.settings();
    assert_eq!((settings.mode, settings.on_error), (Mode::Guard, OnError::Deny));
    assert!(settings.audit_required);
    assert_eq!(settings.native_ask, ["other"]);
    assert_eq!(super::Policy::default().settings(), &Settings::default());
}

#[test]
fn the_log_is_kept_as_long_as_the_longest_says() {
    for (organisation, user, want) in [
        ("", "", (64, 1024, 0)),
        ("", "audit: { file_mib: 1, keep_mib: 10, keep_days: 5 }", (1, 10, 5)),
        ("audit: { file_mib: 8, keep_mib: 100, keep_days: 90 }", "", (8, 100, 90)),
        (
            "audit: { file_mib: 8, keep_mib: 100, keep_days: 90 }",
            "audit: { file_mib: 1, keep_mib: 10, keep_days: 0 }",
            (8, 100, 0),
        ),
        ("audit: { keep_days: 0 }", "audit: { keep_days: 5 }", (64, 1024, 0)),
        ("audit: { keep_days: 5 }", "audit: { keep_days: 9 }", (64, 1024, 9)),
    ] {
        let [organisation, user] = [organisation, user].map(|text| format!("version: 1\n{text}\n"));
        let policy = policy(&[(Layer::Organisation, &organisation), (Layer::User, &user)]);
        let files = policy.settings().audit_files;
        assert_eq!((files.file_mib, files.keep_mib, files.keep_days), want, "{organisation}{user}");
    }
}

#[test]
fn a_switched_mode_replaces_the_users_and_keeps_the_organisations_floor() {
    let user = (Layer::User, "version: 1\nmode: on\n");
    for (layers, switch, want) in [
        (vec![user], None, Mode::On),
        (vec![user], Some(Mode::Dry), Mode::Dry),
        (vec![(Layer::Organisation, "version: 1\nmode: guard\n"), user], Some(Mode::Dry), Mode::Guard),
        (vec![(Layer::Organisation, "version: 1\nmode: guard\n"), user], Some(Mode::On), Mode::On),
        (vec![], Some(Mode::Dry), Mode::Dry),
    ] {
        assert_eq!(policy(&layers).with_mode(switch).settings().mode, want, "{switch:?}");
    }
}

#[test]
fn an_untrusted_project_only_adds() {
    let text = "version: 1\nmode: dry\npacks: { disable: [org] }\nrules:\n\
        - { id: p/a, decision: deny, reason: No., when: { command: mv }, cases: { hit: [mv a b], miss: [cp a b] } }\n\
        - { id: p/b, decision: allow, reason: Yes., when: { command: cp }, cases: { hit: [cp], miss: [mv] } }\n\
        - { id: p/c, decision: deny, reason: No., when: { command: ls } }\n";
    let sources = [source(Layer::Organisation, DENY_RM), source(Layer::Project, text)];
    let compiled = compile(&sources, &[]);
    assert_eq!(compiled.diagnostics.iter().filter(|problem| problem.code == "project-limit").count(), 4);
    assert_eq!(compiled.broken, []);
    let policy = Policy::new(vec![compiled.set], None);
    assert_eq!(policy.settings().mode, Mode::Guard);
    for (line, want) in
        [("mv a b", Decision::Deny), ("rm x", Decision::Deny), ("cp a b", Decision::Abstain), ("ls", Decision::Abstain)]
    {
        assert_eq!(decide(&policy, line), want, "{line}");
    }
    let trusted = Source { trusted: true, ..source(Layer::Project, text) };
    let policy = Policy::new(vec![compile(&[source(Layer::Organisation, DENY_RM), trusted], &[]).set], None);
    assert_eq!(policy.settings().mode, Mode::Dry);
    assert_eq!(decide(&policy, "rm x"), Decision::Abstain);
}

#[test]
fn a_broken_project_is_ignored_and_a_broken_user_is_told() {
    let broken = "version: 1\nrules: [{ id: p/a, decisoin: deny }]\n";
    let compiled = compile(&[source(Layer::Organisation, DENY_RM), source(Layer::Project, broken)], &[]);
    assert_eq!(compiled.broken, []);
    assert!(compiled.diagnostics.iter().any(|problem| problem.code == "project-ignored"));
    let compiled = compile(&[source(Layer::User, &broken.replace("p/a", "u/a"))], &[]);
    assert_eq!(compiled.broken, [Layer::User]);
}

#[test]
fn errors_say_what_and_where() {
    for (text, line, marked, want) in [
        ("version: 1\nrules:\n  - id: t/a\n    wen: { command: rm }\n", 4, "wen", "unknown key `wen` in a rule"),
        (
            "version: 1\nrules:\n  - { id: t/a, decision: deny, reason: n, when: { comand: rm } }\n",
            3,
            "comand",
            "unknown key `comand`",
        ),
        (
            "version: 1\nrules:\n  - { id: t/a, decision: deny, reason: n, pattern: 'a(?!b)' }\n",
            3,
            "(?!b)",
            "look-around",
        ),
        (
            "version: 1\nrules:\n  - { id: t/a, decision: dney, reason: n, pattern: a }\n",
            3,
            "dney",
            "`decision` has no `dney`",
        ),
        (
            "version: 1\nrules:\n  - { id: t/a, decision: deny, reason: n, when: { effect: [delte] } }\n",
            3,
            "delte",
            "`effect` has no `delte`",
        ),
        ("version: 1\nmode: guard\nmode: on\n", 3, "mode: on", "duplicate mapping key"),
        ("version: 2\n", 1, "2", "`version` is 1"),
        (
            "version: 1\nrules: [{ id: NoPack, decision: deny, reason: n, pattern: a }]\n",
            2,
            "NoPack",
            "not of the form",
        ),
        (
            "version: 1\noverrides: [{ rule: a/b, decision: allow, reason: n, until: soon }]\n",
            2,
            "soon",
            "`until` is a day",
        ),
    ] {
        let diagnostics = compile(&[source(Layer::User, text)], &[]).diagnostics;
        let first = diagnostics.iter().find(|problem| problem.message.contains(want));
        let Some(first) = first else { panic!("{want}: {diagnostics:#?}") };
        assert_eq!(first.place.line, line, "{first}");
        let column = usize::try_from(first.place.column).unwrap();
        assert!(first.excerpt[column - 1..].starts_with(marked), "{first}");
    }
}

#[test]
fn a_diagnostic_shows_its_line_and_advice() {
    let text = "version: 1\nrules:\n  - { id: t/a, decision: deny, reason: n, when: { comand: rm } }\n";
    let diagnostics = compile(&[source(Layer::User, text)], &[]).diagnostics;
    let shown = "error: policy `policy.yaml`: rule `t/a`: unknown key `comand` in a condition [unknown-key]\n \
        --> policy.yaml:3:51\n\
        3 |   - { id: t/a, decision: deny, reason: n, when: { comand: rm } }\n  \
          |                                                   ^^^^^^\n\
        help: did you mean `command`?";
    assert_eq!(diagnostics[0].to_string(), shown);
}

#[test]
fn compiled_files_are_verified() {
    let sources = [source(Layer::User, DENY_RM)];
    let set = compile(&sources, &[]).set;
    let made_from = key(&sources, &[], "1.0.0");
    let file = set.to_file(&made_from);
    let read = RuleSet::of_file(&file, &made_from).unwrap();
    assert_eq!(decide(&Policy::new(vec![read], None), "rm x"), Decision::Deny);
    assert_eq!(RuleSet::of_file(&file, &key(&sources, &[], "1.0.1")).err(), Some(Damaged));
    for at in [0, file.len() / 2, file.len() - 1] {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert_eq!(RuleSet::of_file(&changed, &made_from).err(), Some(Damaged), "byte {at}");
    }
    assert_eq!(RuleSet::of_file(&file[..file.len() - 3], &made_from).err(), Some(Damaged));
}

#[test]
fn lint_tells_what_is_odd() {
    struct Nothing;
    impl crate::analysis::Knowledge for Nothing {
        fn program(&self, _: &str) -> Option<&crate::analysis::Program> {
            None
        }
    }
    let pack = "pack: git\ntitle: Git\nabout: Git.\nlocked: true\nrules: [{ id: push, decision: deny, reason: n., when: { command: git } }]\n";
    let builtin = compile(&[source(Layer::Builtin, pack)], &[]).set;
    let around = Surroundings { builtin: &builtin, knowledge: &Nothing, today: TODAY };
    for (text, code) in [
        ("packs: { disable: [gti] }", "unknown-pack"),
        ("overrides: [{ rule: git/push, decision: allow, reason: n }]", "locked-rule"),
        ("overrides: [{ rule: git/psuh, decision: allow, reason: n }]", "unknown-rule"),
        (
            "rules: [{ id: t/a, decision: ask, reason: n, when: { command: x } }]\noverrides: [{ rule: t/a, decision: allow, reason: n, until: 2020-01-01 }]",
            "expired-override",
        ),
        ("rules: [{ id: t/a, decision: ask, reason: n, when: { command: git, any_flag: -f } }]", "always-beaten"),
        ("rules: [{ id: t/a, decision: ask, reason: n, when: { effect: delete, unknown: program } }]", "never-matches"),
        ("rules: [{ id: git/push, decision: ask, reason: n, when: { command: x } }]", "duplicate-id"),
    ] {
        let text = format!("version: 1\n{text}\n");
        let codes: Vec<&str> = lint(&[source(Layer::User, &text)], around).iter().map(|problem| problem.code).collect();
        assert_eq!(codes, [code], "{text}");
    }
}

#[test]
fn other_actions_have_their_keys() {
    let text = "version: 1\nrules:\n\
        - { id: t/merge, decision: deny, reason: n., when: { mcp_server: hub, mcp_tool: 'merge*', argument: { branch: main } } }\n\
        - { id: t/key, decision: ask, reason: n., when: { tool: write }, raw_pattern: 'BEGIN .* KEY' }\n";
    let policy = policy(&[(Layer::User, text)]);
    let case = |line: &str| {
        let case = Case::of_json(line).unwrap();
        policy.evaluate(&case.call, &Analysis::default()).settle(None).decision()
    };
    for (line, want) in [
        (
            r#"{"tool":"mcp","input":{"server":"Hub","tool":"merge_branch","arguments":{"branch":"main"}}}"#,
            Decision::Deny,
        ),
        (
            r#"{"tool":"mcp","input":{"server":"hub","tool":"merge_branch","arguments":{"branch":"dev"}}}"#,
            Decision::Abstain,
        ),
        (r#"{"tool":"write","input":{"path":"a","content":"-----BEGIN SECRET KEY-----"}}"#, Decision::Ask),
        (r#"{"tool":"edit","input":{"path":"a","content":"-----BEGIN SECRET KEY-----"}}"#, Decision::Abstain),
    ] {
        assert_eq!(case(line), want, "{line}");
    }
    assert!(matches!(
        Case::of_json(r#"{"tool":"prompt","input":{"text":"hi"}}"#).unwrap().call.action,
        Action::Prompt { .. }
    ));
}

#[test]
fn switched_off_points_leave_only_locked_rules() {
    let pack = |name: &str, locked: bool, pattern: &str| {
        format!(
            "pack: {name}\ntitle: t\nabout: a\nlocked: {locked}\nrules: [{{ id: r, decision: deny, reason: n., raw_pattern: {pattern} }}]\n"
        )
    };
    let (open, locked) = (pack("open", false, "first"), pack("kept", true, "second"));
    let off = "version: 1\npoints: { edits: off, mcp: on, web: off, prompt: off, result: off, output: off }\n";
    let policy = policy(&[(Layer::Builtin, open.as_str()), (Layer::Builtin, locked.as_str()), (Layer::User, off)]);
    for (input, open, locked) in [
        (r#""tool":"write","input":{"path":"a","content":"TEXT"}"#, false, true),
        (r#""tool":"webfetch","input":{"url":"https://example.com/TEXT"}"#, false, true),
        (r#""tool":"prompt","input":{"text":"TEXT"}"#, false, true),
        (r#""tool":"tool_result","input":{"text":"TEXT"}"#, false, true),
        (r#""tool":"mcp","input":{"server":"s","tool":"t","arguments":{"a":"TEXT"}}"#, true, true),
        (r#""tool":"shell","input":{"command":"TEXT"}"#, true, true),
    ] {
        for (text, want) in [("first", open), ("second", locked)] {
            let case = Case::of_json(&format!("{{{}}}", input.replace("TEXT", text))).unwrap();
            let decision = policy.evaluate(&case.call, &Analysis::default()).settle(None).decision();
            assert_eq!(decision == Decision::Deny, want, "{input} {text}");
        }
    }
}

#[test]
fn rules_may_be_for_a_host_a_point_or_a_mode() {
    let text = "version: 1\nrules:\n\
        - { id: t/a, decision: deny, reason: n., when: { host: codex, point: tool-call }, pattern: make }\n\
        - { id: t/b, decision: ask, reason: n., when: { permission_mode: 'bypass*', tool: shell }, pattern: make }\n";
    let policy = policy(&[(Layer::User, text)]);
    let (mut call, analysis) = command("make");
    let decide = |call: &HookCall| policy.evaluate(call, &analysis).settle(None).decision();
    assert_eq!(decide(&call), Decision::Abstain);
    call.permission_mode = Some("bypassPermissions".to_owned());
    assert_eq!(decide(&call), Decision::Ask);
    call.host = "codex".to_owned();
    assert_eq!(decide(&call), Decision::Deny);
}
