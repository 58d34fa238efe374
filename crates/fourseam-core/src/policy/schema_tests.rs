//! The schema says what the reader accepts: every key of the tables, and no other.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

use super::keys::{COMBINING, KEYS};
use super::{Layer, Source, compile, json_schema};
use serde_json::Value;

/// The keys of a part of the schema.
fn keys(path: &str) -> Vec<String> {
    let schema = json_schema();
    let Value::Object(properties) = schema.pointer(path).unwrap() else { return Vec::new() };
    properties.keys().cloned().collect()
}

/// Codes of what is wrong with a policy of one line.
fn codes(line: &str) -> Vec<&'static str> {
    let text = format!("version: 1\n{line}\n");
    let source = Source { layer: Layer::User, file: "p", text: &text, trusted: false };
    compile(&[source], &[]).diagnostics.iter().map(|problem| problem.code).collect()
}

#[test]
fn every_key_of_a_condition_is_in_the_schema_and_its_example_is_read() {
    let mut known: Vec<String> = KEYS.iter().map(|key| key.name.to_owned()).collect();
    known.extend(COMBINING.iter().map(|(key, _)| (*key).to_owned()));
    known.sort();
    assert_eq!(keys("/$defs/condition/properties"), known);
    for key in KEYS {
        let (name, example) = (key.name, key.example);
        let line = format!("rules: [{{ id: t/a, decision: ask, reason: n, when: {{ {name}: {example} }} }}]");
        assert_eq!(codes(&line), [""; 0], "{line}");
    }
}

#[test]
fn every_key_of_the_schema_is_read() {
    for (path, template) in [
        ("/properties", "KEY: []"),
        ("/$defs/rule/properties", "rules: [{ KEY: [] }]"),
        ("/$defs/override/properties", "overrides: [{ KEY: [] }]"),
        ("/properties/packs/properties", "packs: { KEY: [] }"),
        ("/properties/points/properties", "points: { KEY: [] }"),
        ("/properties/audit/properties", "audit: { KEY: [] }"),
        ("/$defs/rule/properties/cases/properties", "rules: [{ cases: { KEY: [] } }]"),
    ] {
        for key in keys(path) {
            let line = template.replace("KEY", &key);
            assert!(!codes(&line).contains(&"unknown-key"), "{path}: {line}");
        }
        assert!(codes(&template.replace("KEY", "no_such_key")).contains(&"unknown-key"), "{path}");
    }
}
