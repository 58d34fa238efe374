//! Rules of hosts' own: what is said, and that it comes and goes without a trace.

use super::{installed, settings};
use fourseam_core::policy::{Form, FormPath};
use fourseam_hosts::native::{Native, Said, plan, remove};
use fourseam_hosts::{HOSTS, find};
use proptest::prelude::*;

fn native(host: &str) -> &'static dyn Native {
    find(host).unwrap().install().native().unwrap()
}

fn run(line: &str, open: bool) -> Form {
    Form::Run { words: line.split(' ').map(str::to_owned).collect(), open }
}

fn path(path: &str, below: bool) -> FormPath {
    FormPath { path: path.to_owned(), below }
}

fn said(words: &[&str]) -> Vec<Said> {
    let one =
        |words: &&str| Said { rule: "t/own".to_owned(), reason: "It's \"no\".".to_owned(), words: (*words).to_owned() };
    words.iter().map(one).collect()
}

#[test]
fn a_form_is_said_as_the_host_reads_it_or_not_at_all() {
    // Each as it was run in the client; Cursor's as it is documented.
    for (form, claude, codex, gemini, qwen, cursor) in [
        (
            run("rm -rf /", true),
            "Bash(rm -rf / *)",
            r#"["rm", "-rf", "/"]"#,
            r#"commandPrefix = "rm -rf /""#,
            "Bash(rm -rf / *)",
            "",
        ),
        (run("rm -rf /*", true), r"Bash(rm -rf /\* *)", "", r#"commandPrefix = "rm -rf /*""#, "", ""),
        (run("rm -rf ~", true), "Bash(rm -rf ~ *)", "", r#"commandPrefix = "rm -rf ~""#, "Bash(rm -rf ~ *)", ""),
        (run("a.b d+", false), "Bash(a.b d+)", "", r#"commandRegex = 'a\.b d\+"'"#, "", ""),
        (Form::Read(path("~/.netrc", false)), "Read(~/.netrc)", "", "", "ReadFile(~/.netrc)", "Read(/home/ana/.netrc)"),
        (Form::Write(path("/srv/x", true)), "Edit(//srv/x/**)", "", "", "Edit(//srv/x/**)", "Write(/srv/x/**)"),
        (Form::Fetch("203.0.113.9".to_owned()), "WebFetch(domain:203.0.113.9)", "", "", "WebFetch(203.0.113.9)", ""),
        (Form::Fetch("a.example.com".to_owned()), "WebFetch(domain:a.example.com)", "", "", "", ""),
    ] {
        for (host, want) in
            [("claude-code", claude), ("codex", codex), ("gemini-cli", gemini), ("qwen-code", qwen), ("cursor", cursor)]
        {
            let found = native(host).say(&form, "/home/ana");
            match found {
                Ok(words) => assert_eq!(words, want, "{host} {form}"),
                Err(why) => assert!(want.is_empty() && !why.is_empty(), "{host} {form}: {why}"),
            }
        }
    }
}

#[test]
fn a_file_of_ours_alone_is_made_and_goes_and_another_of_that_name_is_left_alone() {
    for (host, words, want) in [
        (
            "codex",
            r#"["rm", "/"]"#,
            r#"prefix_rule(pattern = ["rm", "/"], decision = "forbidden", justification = "Refused by policy (fourseam, rule t/own): It's \"no\".")"#,
        ),
        (
            "gemini-cli",
            r#"commandPrefix = "rm /""#,
            "commandPrefix = \"rm /\"\ndecision = \"deny\"\npriority = 999\ndenyMessage = \"Refused",
        ),
    ] {
        let (text, ours) = plan(native(host), None, &said(&[words]), &[]).unwrap();
        let text = text.unwrap();
        assert!(text.contains(want) && text.starts_with("# fourseam"), "{text}");
        assert_eq!(ours, [words]);
        assert_eq!(plan(native(host), Some(&text), &said(&[words]), &ours).unwrap().0.as_ref(), Some(&text));
        assert_eq!(plan(native(host), Some(&text), &[], &ours).unwrap().0, None);
        assert_eq!(remove(native(host), &text, &ours).unwrap(), None);
        assert!(plan(native(host), Some("theirs = 1\n"), &said(&[words]), &[]).is_err());
        assert_eq!(remove(native(host), "theirs = 1\n", &ours).unwrap().as_deref(), Some("theirs = 1\n"));
    }
    let parsed: toml_edit::DocumentMut = plan(native("gemini-cli"), None, &said(&["commandRegex = 'a\\.b\"'"]), &[])
        .unwrap()
        .0
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(parsed["rule"][0]["commandRegex"].as_str(), Some("a\\.b\""));
}

#[test]
fn a_rule_that_was_there_stays_and_a_stale_one_of_ours_goes() {
    let claude = native("claude-code");
    let theirs = "{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(a)\"\n    ]\n  }\n}\n";
    let (text, ours) = plan(claude, Some(theirs), &said(&["Bash(a)", "Bash(b)", "Bash(c)"]), &[]).unwrap();
    assert_eq!(ours, ["Bash(b)", "Bash(c)"]);
    let text = text.unwrap();
    assert!(text.contains("      \"Bash(a)\",\n      \"Bash(b)\",\n      \"Bash(c)\"\n"), "{text}");
    let (text, ours) = plan(claude, Some(&text), &said(&["Bash(c)", "Bash(d)"]), &ours).unwrap();
    let text = text.unwrap();
    assert!(!text.contains("Bash(b)") && text.contains("Bash(a)") && text.contains("Bash(d)"), "{text}");
    assert_eq!(ours, ["Bash(c)", "Bash(d)"]);
    assert_eq!(remove(claude, &text, &ours).unwrap().as_deref(), Some(theirs));
    // A list of ours alone is still known to be ours when all of it changes.
    let (text, ours) = plan(claude, Some("{}"), &said(&["Bash(x)"]), &[]).unwrap();
    let (text, ours) = plan(claude, text.as_deref(), &said(&["Bash(y)"]), &ours).unwrap();
    assert_eq!(remove(claude, &text.unwrap(), &ours).unwrap().as_deref(), Some("{}"));
}

#[test]
fn what_cannot_be_added_to_is_said() {
    for (text, want) in [
        ("{ \"permissions\": 3 }", "`permissions` is not an object"),
        ("{ \"permissions\": { \"deny\": {} } }", "`permissions.deny` is not an array"),
        ("// nothing", "holds no settings"),
        ("{,}", "line 1, column 2"),
    ] {
        let error = plan(native("qwen-code"), Some(text), &said(&["Bash(a *)"]), &[]).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    }
    let error = plan(native("cursor"), None, &said(&["Read(/x)"]), &[]).unwrap_err().to_string();
    assert!(error.contains("start the agent once"), "{error}");
}

/// Hosts whose rules stand in a file with other settings.
fn lists() -> Vec<&'static str> {
    let has = |host: &&'static dyn fourseam_hosts::Host| {
        host.install().native().is_some_and(|native| plan(native, Some("{}"), &[], &[]).is_ok())
    };
    let found: Vec<&str> = HOSTS.iter().filter(|host| has(host)).map(|host| host.id()).collect();
    assert_eq!(found, ["claude-code", "cursor", "qwen-code"]);
    found
}

proptest! {
    #[test]
    fn rules_come_and_go_without_a_trace(
        (_, text) in settings::any_settings(),
        host in proptest::sample::select(lists()),
        place in 0_usize..4,
        wanted in proptest::sample::subsequence(vec!["Bash(a)", "Bash(b *)", "Read(~/x)", "Edit(//é)"], 1..4),
    ) {
        // Other shapes of the place itself.
        let text = match place {
            0 => text,
            1 => format!("{{ \"permissions\": {{\n  \"allow\": [] }}, \"x\": {} }}", text.trim_start_matches('\u{feff}')),
            2 => format!("{{\"permissions\":{{\"deny\":[ // none\n]}},\"x\":{}}}", text.trim_start_matches('\u{feff}')),
            _ => format!("{{\"permissions\": {{\"deny\": [\"Bash(b *)\",], \"ask\": []}}, \"x\": {}}}", text.trim_start_matches('\u{feff}')),
        };
        let native = native(host);
        let (once, ours) = plan(native, Some(&text), &said(&wanted), &[]).unwrap();
        let once = once.unwrap();
        let (twice, still) = plan(native, Some(&once), &said(&wanted), &ours).unwrap();
        prop_assert_eq!(Some(&once), twice.as_ref());
        prop_assert_eq!(&ours, &still);
        prop_assert_eq!(remove(native, &once, &ours).unwrap(), Some(text.clone()));
    }

    #[test]
    fn hooks_and_rules_of_one_file_come_and_go_without_a_trace(
        (host, text) in settings::any_settings(),
    ) {
        let Some(native) = lists().contains(&host).then(|| native(host)) else { return Ok(()) };
        let install = find(host).unwrap().install();
        let hooked = install.plan(Some(&text), &installed()).unwrap();
        let (both, ours) = plan(native, Some(&hooked), &said(&["Bash(a)", "Bash(b)"]), &[]).unwrap();
        let both = both.unwrap();
        prop_assert_eq!(&install.plan(Some(&both), &installed()).unwrap(), &both);
        prop_assert_eq!(remove(native, &both, &ours).unwrap(), Some(hooked));
        // Also in the other order, by their own marks.
        let ruled = install.remove(&both).unwrap().unwrap();
        prop_assert_eq!(remove(native, &ruled, &ours).unwrap(), Some(text));
    }
}
