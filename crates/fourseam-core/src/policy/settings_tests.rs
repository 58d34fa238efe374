//! How the settings of three layers become one: floors of the organisation, the nearest of the others, nothing of a
//! project that is not trusted.

use super::overview::overview;
use super::settings::{InjectAction, ResultScan, Settings};
use super::source::{Layer, Source};
use super::{Policy, compile};
use crate::decision::{Mode, OnError};

const LAYERS: [Layer; 3] = [Layer::Organisation, Layer::User, Layer::Project];

/// What organisation, user and project say, the project being trusted or not.
fn policy(said: [&str; 3], trusted: bool) -> Policy {
    let texts = said.map(|said| format!("version: 1\n{said}\n"));
    let sources: Vec<Source<'_>> = LAYERS
        .into_iter()
        .zip(&texts)
        .map(|(layer, text)| Source { layer, file: "policy.yaml", text, trusted })
        .collect();
    Policy::new(vec![compile(&sources, &[]).set], None)
}

fn settings(said: [&str; 3]) -> Settings {
    policy(said, true).settings().clone()
}

#[test]
fn the_organisation_sets_the_least_and_of_the_others_the_nearest_holds() {
    for (said, want) in [
        (["", "", ""], Mode::Guard),
        (["", "mode: dry", ""], Mode::Dry),
        (["", "mode: dry", "mode: on"], Mode::On),
        (["", "mode: on", "mode: dry"], Mode::Dry),
        (["mode: guard", "", "mode: dry"], Mode::Guard),
        (["mode: guard", "mode: dry", ""], Mode::Guard),
        (["mode: guard", "mode: on", ""], Mode::On),
        (["mode: dry", "", ""], Mode::Dry),
    ] {
        assert_eq!(settings(said).mode, want, "{said:?}");
    }
    for (said, want) in [
        (["", "", ""], OnError::Ask),
        (["", "on_error: abstain", ""], OnError::Abstain),
        (["on_error: deny", "on_error: abstain", "on_error: ask"], OnError::Deny),
        (["on_error: ask", "on_error: deny", ""], OnError::Deny),
    ] {
        assert_eq!(settings(said).on_error, want, "{said:?}");
    }
    for (said, want) in [
        (["", "", ""], InjectAction::Warn),
        (["", "", "inject_action: block"], InjectAction::Block),
        (["inject_action: block", "inject_action: warn", "inject_action: warn"], InjectAction::Block),
        (["inject_action: warn", "inject_action: block", ""], InjectAction::Block),
    ] {
        assert_eq!(settings(said).inject_action, want, "{said:?}");
    }
    for (said, want) in [
        (["", "", ""], false),
        (["", "audit: { required: true }", ""], true),
        (["", "audit: { required: true }", "audit: { required: false }"], false),
        (["audit: { required: true }", "", "audit: { required: false }"], true),
    ] {
        assert_eq!(settings(said).audit_required, want, "{said:?}");
    }
}

#[test]
fn a_point_is_what_the_organisation_says_else_the_nearest() {
    type IsOn = fn(&Settings) -> bool;
    let switches: [(&str, IsOn); 5] = [
        ("edits", |it| it.points.edits),
        ("mcp", |it| it.points.mcp),
        ("web", |it| it.points.web),
        ("prompt", |it| it.points.prompt),
        ("output", |it| it.points.output),
    ];
    for (key, read) in switches {
        let (on, off) = (format!("points: {{ {key}: on }}"), format!("points: {{ {key}: off }}"));
        for (said, want) in [
            (["", "", ""], true),
            (["", off.as_str(), ""], false),
            (["", off.as_str(), on.as_str()], true),
            ([on.as_str(), off.as_str(), off.as_str()], true),
            ([off.as_str(), on.as_str(), ""], false),
        ] {
            let settings = settings(said);
            assert_eq!(read(&settings), want, "{said:?}");
            let others = switches.iter().filter(|(other, _)| *other != key).all(|(_, read)| read(&settings));
            assert!(others, "{said:?}: {:?}", settings.points);
        }
    }
}

#[test]
fn which_results_are_looked_through() {
    for (said, scan, local, least) in [
        (["", "", ""], ResultScan::Network, false, 0),
        (["", "points: { result: on }", ""], ResultScan::On, true, 0),
        (["", "points: { result: all, result_min: 9 }", ""], ResultScan::On, true, 9),
        (
            ["", "points: { result: on, result_min: 9 }", "points: { result: off, result_min: 5 }"],
            ResultScan::Off,
            false,
            5,
        ),
        (
            ["points: { result: on, result_min: 1 }", "points: { result: off, result_min: 7 }", ""],
            ResultScan::On,
            true,
            1,
        ),
    ] {
        let points = settings(said).points;
        assert_eq!((points.result, points.result_min), (scan, least), "{said:?}");
        let looks = points.looks();
        assert_eq!((looks.local, looks.least), (local, least), "{said:?}");
    }
}

#[test]
fn the_organisation_says_whether_and_which_judge_there_is() {
    let judge = |model: &str| format!("judge: {{ backend: openai, model: {model}, url: 'http://127.0.0.1:9/v1' }}");
    let (one, other, none) = (judge("one"), judge("other"), "judge: { backend: none }");
    for (said, want) in [
        (["", "", ""], None),
        (["", one.as_str(), ""], Some("one")),
        (["", one.as_str(), other.as_str()], Some("other")),
        (["", one.as_str(), none], None),
        ([none, one.as_str(), one.as_str()], None),
        ([other.as_str(), one.as_str(), none], Some("other")),
        // One that cannot be is none.
        (["", "judge: { model: one }", ""], None),
        (["", "judge: { backend: openai }", ""], None),
    ] {
        let settings = settings(said);
        assert_eq!(settings.judge.as_ref().map(|judge| judge.model.as_str()), want, "{said:?}");
    }
}

#[test]
fn a_project_that_is_not_trusted_sets_nothing() {
    for (said, open) in [
        ("mode: dry", true),
        ("on_error: abstain", true),
        ("points: { edits: off, mcp: off, web: off, prompt: off, result: off, output: off }", true),
        ("inject_action: block", true),
        ("audit: { required: true }", true),
        ("audit: { keep_days: 1 }", true),
        ("judge: { backend: openai, model: m, url: 'http://127.0.0.1:9/v1' }", true),
        ("hosts: { h: { ask: native } }", true),
        ("", false),
    ] {
        assert_eq!(policy(["", "", said], false).settings(), &Settings::default(), "{said}");
        let trusted = policy(["", "", said], true);
        assert_eq!(trusted.settings() != &Settings::default(), open, "{said}");
    }
}

#[test]
fn every_setting_is_told_with_its_value_and_who_says_it() {
    let judge = "judge: { backend: openai, model: m, url: 'http://127.0.0.1:9/v1' }";
    for (said, name, before, after) in [
        ("mode: on", "mode", "guard", "on"),
        ("on_error: deny", "on_error", "ask", "deny"),
        (
            "points: { web: off, result: on, result_min: 9 }",
            "points",
            "{ edits: on, mcp: on, web: on, prompt: on, result: network, result_min: 0, output: on }",
            "{ edits: on, mcp: on, web: off, prompt: on, result: on, result_min: 9, output: on }",
        ),
        ("inject_action: block", "inject_action", "warn", "block"),
        (
            "audit: { required: true }",
            "audit",
            "{ required: false, file_mib: 64, file_days: 30, keep_mib: 1024, keep_days: 0 }",
            "{ required: true, file_mib: 64, file_days: 30, keep_mib: 1024, keep_days: 0 }",
        ),
        (
            "audit: { keep_days: 9 }",
            "audit",
            "{ required: false, file_mib: 64, file_days: 30, keep_mib: 1024, keep_days: 0 }",
            "{ required: false, file_mib: 64, file_days: 30, keep_mib: 1024, keep_days: 9 }",
        ),
        (
            judge,
            "judge",
            "{ backend: none }",
            "{ backend: openai, model: m, url: http://127.0.0.1:9/v1/chat/completions }",
        ),
        (
            "hosts: { b: { ask: native }, a: { ask: native }, c: { ask: deny } }",
            "hosts",
            "{}",
            "{ a: { ask: native }, b: { ask: native } }",
        ),
    ] {
        let told = |policy: &Policy| -> Vec<(String, String, String)> {
            let lines = overview(policy).into_iter().filter(|line| line.section == "settings");
            lines.map(|line| (line.name, line.value, line.from)).collect()
        };
        let (plain, set) = (told(&policy(["", "", ""], true)), told(&policy(["", said, said], true)));
        for ((line, value, from), (_, new_value, new_from)) in plain.iter().zip(&set) {
            let want = if line == name {
                (before, "default", after, "user, project")
            } else {
                (value.as_str(), "default", value.as_str(), "default")
            };
            assert_eq!((value.as_str(), from.as_str(), new_value.as_str(), new_from.as_str()), want, "{said}: {line}");
        }
        assert!(plain.iter().any(|(line, _, _)| line == name), "{name}");
    }
}
