//! The verbs for those who write policies: `init`, `lint`, `test`, `rule`, `policy`.

use crate::run::{Home, Output, run};
use serde_json::Value;

fn verb(home: &Home, arguments: &[&str]) -> Output {
    run(&mut home.verb(arguments), b"")
}

#[test]
fn init_writes_a_policy_that_passes_and_never_writes_over_one() {
    for arguments in [&["init"][..], &["init", "--project"]] {
        let home = Home::new();
        let output = verb(&home, arguments);
        assert_eq!(output.exit, 0, "{output:?}");
        assert_eq!(verb(&home, &["lint"]).exit, 0);
        let output = verb(&home, arguments);
        assert_eq!(output.exit, 3, "{output:?}");
        assert!(output.stderr.contains("exists"), "{output:?}");
    }
}

#[test]
fn lint_says_by_its_exit_code_how_bad_it_is() {
    let rule = "rules:\n  - { id: t/a, decision: ask, reason: n, when: { command: [frob], unless: x } }\n";
    for (text, exit, part) in [
        ("version: 1\n", 0, "0 errors, 0 warnings"),
        ("mode: guard\n", 1, "no `version`"),
        ("version: 1\npacks: { disable: [gti] }\n", 2, "did you mean `git`?"),
        (&format!("version: 1\n{rule}"), 2, "unknown key `unless` in a condition"),
    ] {
        let home = Home::with_policy(text);
        let output = verb(&home, &["lint"]);
        assert_eq!(output.exit, exit, "{output:?}");
        assert!(output.stdout.contains(part), "{output:?}");
        let named = verb(&home, &["lint", "policy.yaml"]);
        assert_eq!(named.exit, exit, "{named:?}");
    }
    assert_eq!(verb(&Home::new(), &["lint", "missing.yaml"]).exit, 3);
}

#[test]
fn test_runs_the_cases_of_a_file() {
    let policy = |hit: &str| {
        format!(
            "version: 1\nrules:\n  - id: t/marked\n    decision: deny\n    raw_pattern: marked\n    reason: It is marked.\n    \
             cases: {{ hit: [{hit}], miss: [echo plain] }}\n"
        )
    };
    let home = Home::with_policy(&policy("echo marked"));
    let output = verb(&home, &["test", "policy.yaml"]);
    assert_eq!(output.exit, 0, "{output:?}");
    assert!(output.stdout.contains("1 rule, 2 cases (1 hit, 1 miss, 0 gap): all as written"), "{output:?}");
    home.write("policy.yaml", &policy("echo other"));
    let output = verb(&home, &["test", "policy.yaml"]);
    assert_eq!(output.exit, 2, "{output:?}");
    assert!(output.stdout.contains("t/marked: should match and does not: echo other"), "{output:?}");
}

#[test]
fn rule_shows_what_the_pages_say() {
    let home = Home::new();
    let list = verb(&home, &["rule"]).stdout;
    assert!(list.lines().any(|line| line.starts_with("git/force-push ")), "{list}");
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/git.md")).unwrap();
    assert_eq!(verb(&home, &["rule", "git"]).stdout, page);
    let rule = verb(&home, &["rule", "git/force-push"]).stdout;
    assert!(page.contains(&rule), "{rule}");
    assert_eq!(verb(&home, &["rule", "git/no-such-rule"]).exit, 3);
}

#[test]
fn policy_show_says_where_each_part_comes_from() {
    let home = Home::with_policy(
        "version: 1\nmode: dry\npacks: { disable: [git] }\nrules:\n  - { id: t/a, decision: ask, reason: n, pattern: abc }\n\
         overrides:\n  - { rule: t/a, decision: allow, reason: n, until: 2001-01-01 }\n",
    );
    let shown = verb(&home, &["policy", "show"]).stdout;
    for (key, from) in [
        ("mode: dry", "# user"),
        ("on_error: ask", "# default"),
        ("  git: 0 of ", "# built-in, disabled by user"),
        ("  t/a: ask", "# user"),
        ("  t/a: allow until 2001-01-01", "# user, ended"),
    ] {
        assert!(shown.lines().any(|line| line.starts_with(key) && line.ends_with(from)), "{key} {from}: {shown}");
    }
}

#[test]
fn policy_schema_is_the_one_in_the_docs() {
    let schema = verb(&Home::new(), &["policy", "schema"]).stdout;
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/policy.schema.json")).unwrap();
    assert_eq!(schema, page);
    assert!(serde_json::from_str::<Value>(&schema).is_ok());
}
