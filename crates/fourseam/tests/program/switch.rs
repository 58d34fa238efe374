//! The mode and the pause that a person switches: what they change, and that nobody else can.

use crate::run::{Home, at_terminal, has_terminal, run};
use fourseam_hosts::HOSTS;
use std::time::{SystemTime, UNIX_EPOCH};

const DENY_MARKED: &str = "version: 1\nrules:\n  - id: t/marked\n    decision: deny\n    raw_pattern: marked\n    \
                           reason: It is marked.\n    cases: { hit: [echo marked], miss: [echo plain] }\n";

fn denies(home: &Home) -> bool {
    let host = HOSTS[0];
    let output =
        run(&mut home.hook(host, host.default_event().name), host.sample("echo marked").to_string().as_bytes());
    if !output.denies() {
        assert!(output.is_neutral(host, host.default_event()) && output.stderr.is_empty(), "{output:?}");
    }
    output.denies()
}

fn seconds_from_now(seconds: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs().cast_signed();
    format!("{}\n", now + seconds)
}

#[test]
fn a_pause_holds_until_it_ends_and_never_for_more_than_a_day() {
    let home = Home::with_policy(DENY_MARKED);
    for (until, holds) in [
        (seconds_from_now(60), true),
        (seconds_from_now(-1), false),
        (seconds_from_now(24 * 3600 + 60), false),
        ("99999999999999999999\n".to_owned(), false),
        ("soon".to_owned(), false),
        (String::new(), false),
    ] {
        home.write("grants/pause", &until);
        assert_eq!(denies(&home), !holds, "{until}");
    }
    let modes: Vec<String> = home.records().iter().map(|record| record["mode"].as_str().unwrap().to_owned()).collect();
    assert_eq!(modes, ["dry", "guard", "guard", "guard", "guard", "guard"]);
    assert!(home.records().iter().all(|record| record["decision"] == "deny"));
    // The hook entries read this file where the program is gone: a pause must not outlast itself there.
    assert!(std::fs::read_to_string(home.path("state")).unwrap().starts_with("guard\n"));
}

#[test]
fn the_switched_mode_replaces_that_of_the_policy() {
    let home = Home::with_policy(&format!("{DENY_MARKED}mode: on\n"));
    assert!(denies(&home));
    home.write("mode", "dry\n");
    assert!(!denies(&home));
    assert!(std::fs::read_to_string(home.path("state")).unwrap().starts_with("dry\n"));
    let shown = run(&mut home.verb(&["policy", "show"]), b"").stdout;
    assert!(shown.contains("mode: dry") && shown.contains("switched with `fourseam mode`"), "{shown}");
    home.write("mode", "of some other release\n");
    assert!(denies(&home));
}

#[test]
fn a_pause_also_quietens_a_broken_policy() {
    let home = Home::with_policy("rules: [");
    let host = HOSTS[0];
    let call = || run(&mut home.hook(host, host.default_event().name), host.sample("true").to_string().as_bytes());
    assert!(call().stops(host, host.default_event()));
    home.write("grants/pause", &seconds_from_now(60));
    assert!(call().is_neutral(host, host.default_event()));
}

#[test]
fn without_a_terminal_nobody_switches() {
    let home = Home::with_policy(DENY_MARKED);
    for arguments in [&["mode", "dry"][..], &["mode", "policy"], &["pause", "10m"], &["pause", "end"]] {
        let output = run(&mut home.verb(arguments), b"y\n");
        assert_eq!(output.exit, 3, "{output:?}");
        assert!(output.stderr.contains("is for a person, and this is no terminal"), "{output:?}");
    }
    assert!(denies(&home) && !home.path("mode").exists() && !home.path("grants/pause").exists());
    let output = run(&mut home.verb(&["mode"]), b"");
    assert_eq!((output.stdout.as_str(), output.exit), ("mode guard, as the policy says\n", 0));
}

#[test]
fn a_person_at_a_terminal_switches_and_that_is_recorded() {
    let home = Home::with_policy(DENY_MARKED);
    if !has_terminal() {
        return;
    }
    let (text, exit) = at_terminal(&home, "mode dry", "");
    assert!(text.contains("mode dry, switched with `fourseam mode`") && exit == Some(0), "{text}");
    assert!(!denies(&home));
    let (text, _) = at_terminal(&home, "mode guard", "");
    assert!(text.contains("mode guard, as the policy says"), "{text}");
    assert!(denies(&home) && !home.path("mode").exists());
    let (text, _) = at_terminal(&home, "pause 10m", "");
    assert!(text.contains("mode dry: paused until ") && text.contains(", then guard"), "{text}");
    assert!(!denies(&home));
    let (text, _) = at_terminal(&home, "pause end", "");
    assert!(text.contains("mode guard"), "{text}");
    assert!(denies(&home));
    let (text, exit) = at_terminal(&home, "pause 10d", "");
    assert!(text.contains("at most 24h") && exit == Some(3), "{text}");
    let switched: Vec<String> = home
        .records()
        .iter()
        .filter(|record| record["agent"] == "fourseam")
        .map(|record| record["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(switched, ["mode", "mode", "pause", "pause"]);
}
