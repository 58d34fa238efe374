//! What of the policy has plain forms: only what the whole policy denies, whatever its layers say.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use fourseam_core::policy::{
    Form, FormPath, Layer, NativeRule, Policy, Source, Surroundings, compile, lint, native_rules,
};
use fourseam_packs::{builtin, knowledge};

const TODAY: &str = "2026-06-01";

fn source(layer: Layer, text: &str) -> Source<'_> {
    Source { layer, file: "policy.yaml", text, trusted: true }
}

/// The rules of the built-in packs with one layer on top.
fn with(layer: Layer, text: &str) -> Vec<NativeRule> {
    let builtin = builtin();
    let compiled = compile(&[source(layer, text)], &[&builtin]);
    assert!(compiled.broken.is_empty(), "{:?}", compiled.diagnostics);
    native_rules(&Policy::new(vec![builtin, compiled.set], Some(TODAY.to_owned())), knowledge())
}

fn found<'r>(rules: &'r [NativeRule], id: &str) -> Option<&'r NativeRule> {
    rules.iter().find(|rule| rule.rule == id)
}

/// A rule of the user's own, and no other.
fn own(rest: &str) -> NativeRule {
    let text = format!("version: 1\nrules: [{{ id: t/own, decision: deny, reason: No., {rest} }}]\n");
    let found = alone(Layer::User, &text).pop();
    found.unwrap()
}

/// The rules of one layer, and no others.
fn alone(layer: Layer, text: &str) -> Vec<NativeRule> {
    let compiled = compile(&[source(layer, text)], &[]);
    assert!(compiled.broken.is_empty(), "{:?}", compiled.diagnostics);
    native_rules(&Policy::new(vec![compiled.set], Some(TODAY.to_owned())), knowledge())
}

#[test]
fn most_rules_look_at_effects_and_say_so_and_some_are_plain() {
    let rules = native_rules(&Policy::new(vec![builtin()], Some(TODAY.to_owned())), knowledge());
    let root = found(&rules, "filesystem/root-deleted").unwrap();
    let words = ["rm", "-rf", "/"].map(str::to_owned).to_vec();
    assert!(root.forms.contains(&Form::Run { words, open: true }), "{root:?}");
    let key = FormPath { path: "~/.ssh/id_ed25519".to_owned(), below: false };
    assert!(found(&rules, "secrets/private-key-read").unwrap().forms.contains(&Form::Read(key)));
    let silent = found(&rules, "privilege/setuid").unwrap().silent.clone().unwrap();
    assert!(silent.contains("exceptions"), "{silent}");
    let silent = found(&rules, "publish/unpublished").unwrap().silent.clone().unwrap();
    assert!(silent.contains("`effect`, `verb`"), "{silent}");
    for rule in &rules {
        assert!(rule.left_out.is_empty(), "{rule:?}");
        assert_eq!(rule.forms.is_empty(), rule.silent.is_some(), "{rule:?}");
    }
}

#[test]
fn what_a_layer_lifts_is_not_told() {
    let id = "filesystem/root-deleted";
    let lifted = |rest: &str| {
        let text = format!("version: 1\noverrides: [{{ rule: {id}, reason: We know., {rest} }}]\n");
        found(&with(Layer::User, &text), id).unwrap().silent.is_some()
    };
    assert!(lifted("decision: allow, when: { host: codex }"));
    assert!(lifted("decision: ask, until: 2026-06-01"));
    assert!(!lifted("decision: allow, until: 2026-05-31"));
    assert!(found(&with(Layer::User, "version: 1\npacks: { disable: [filesystem] }\n"), id).is_none());
}

#[test]
fn a_rule_of_a_program_a_file_or_a_host_has_plain_forms_of_its_own() {
    for (rest, want) in [
        ("when: { command: zap, harmless: any }", vec!["zap *"]),
        (
            "when: { command: npm, subcommand: [publish, dist-tag rm], harmless: any }",
            vec!["npm publish *", "npm dist-tag rm *"],
        ),
        ("when: { effect: read, path: ['~/vault/**', /srv/keys.txt] }", vec!["read ~/vault/**", "read /srv/keys.txt"]),
        (
            "when: { effect: [write, overwrite, delete, privilege], path: '/srv/frozen/**' }",
            vec!["write /srv/frozen/**"],
        ),
        ("when: { host_name: pay.example.com }", vec!["fetch pay.example.com"]),
    ] {
        let rule = own(rest);
        let forms: Vec<String> = rule.forms.iter().map(ToString::to_string).collect();
        assert_eq!(forms, want, "{rule:?}");
    }
}

#[test]
fn what_a_host_would_read_more_broadly_is_left_out_with_the_reason() {
    for (rest, want) in [
        ("when: { command: zap }", "harmless: any"),
        ("when: { command: zap, harmless: any }, unless: { arg: x }", "exceptions"),
        ("when: { command: 'z*', harmless: any }", "pattern"),
        ("when: { any: [{ command: zap }, { command: zip2 }] }", "alternatives"),
        ("when: { effect: write, path: /srv/x }", "every change"),
        ("when: { effect: read, path: '*.pem' }", "no plain path"),
        ("pattern: zap", "`pattern`"),
    ] {
        let rule = own(rest);
        assert!(rule.silent.as_ref().is_some_and(|why| why.contains(want)) && rule.forms.is_empty(), "{rule:?}");
    }
    let rule = own("when: { command: zap, arg: x }, native: { run: ['zap x *', 'zap x', 'zap *'] }");
    let left_out: Vec<String> = rule.left_out.iter().map(|(form, why)| format!("{form}: {why}")).collect();
    assert!(left_out.iter().any(|text| text.starts_with("zap *: the policy lets `zap`")), "{left_out:?}");
    assert!(rule.forms.iter().any(|form| form.to_string() == "zap x"), "{rule:?}");
}

#[test]
fn a_projects_rule_is_not_told_everywhere() {
    let text =
        "version: 1\nrules: [{ id: t/own, decision: deny, reason: No., when: { command: zap, harmless: any } }]\n";
    assert_eq!(alone(Layer::Project, text), []);
    assert_eq!(alone(Layer::Organisation, text).len(), 1);
}

#[test]
fn a_broad_or_broken_form_is_a_problem_of_the_file() {
    let problems = |rest: &str| {
        let text = format!("version: 1\nrules: [{{ id: t/own, reason: No., {rest} }}]\n");
        let around = Surroundings { builtin: &builtin(), knowledge: knowledge(), today: TODAY };
        let all = lint(&[source(Layer::User, &text)], around);
        all.into_iter().map(|problem| problem.code.to_owned()).collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    assert_eq!(problems("decision: deny, when: { command: zap, arg: x }, native: { run: zap x }"), none);
    assert_eq!(
        problems("decision: deny, when: { command: zap, arg: x }, native: { run: zap * }"),
        ["native-too-broad"]
    );
    assert_eq!(problems("decision: ask, when: { command: zap }, native: { run: zap x }"), ["native-not-deny"]);
    for form in
        ["run: 'zap \"x\"'", "run: 'zap  x'", "run: 'zap $X'", "read: keys.txt", "read: '/a*b'", "fetch: 'http://x/'"]
    {
        let found = problems(&format!("decision: deny, when: {{ command: zap }}, native: {{ {form} }}"));
        assert_eq!(found, ["bad-native"], "{form}");
    }
}
