//! Every host's fixtures: payloads as recorded in the client or read in its documents, with invented values, and what
//! the adapter must make of them; and the exact bytes of every answer.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests may panic and read files"
)]

mod support;

use fourseam_core::decision::Decision;
use fourseam_hosts::{HOSTS, Reply};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::{Fixture, fixtures, folder, replies, told};

#[test]
fn every_payload_is_read_as_it_says() {
    for (host, fixture) in fixtures() {
        let call = host.parse(&fixture.stdin, fixture.argument.as_deref());
        let label = fixture.label(host);
        if let Some(error) = &fixture.error {
            let found = call.err().unwrap_or_else(|| panic!("{label}: expected the error `{error}`"));
            assert!(found.to_string().contains(error.as_str()), "{label}: {found}");
            continue;
        }
        let call = call.unwrap_or_else(|error| panic!("{label}: {error}"));
        let mut read = serde_json::to_value(&call).unwrap();
        let action = read.as_object_mut().unwrap().remove("action").unwrap();
        assert_eq!(fixture.action.clone().unwrap(), without_raw(action, &fixture, &label), "{label}");
        let mut expected = fixture.call.clone().unwrap();
        expected["host"] = host.id().into();
        expected["event"] = fixture.event.clone().into();
        assert_eq!(expected, read, "{label}");
    }
}

/// Checks that a result's raw value is the payload's, and puts a mark where an action holds the whole payload.
fn without_raw(mut action: Value, fixture: &Fixture, label: &str) -> Value {
    if let Some(raw) = action.as_object_mut().unwrap().remove("raw") {
        assert!(raw.is_null() || holds(&fixture.stdin, &raw), "{label}: the raw result is not the payload's");
    }
    if action["input"] == fixture.stdin {
        action["input"] = "$stdin".into();
    }
    if let Some(of) = action.get_mut("of") {
        let inner = without_raw(of.take(), fixture, label);
        *of = inner;
    }
    action
}

fn holds(value: &Value, wanted: &Value) -> bool {
    value == wanted
        || match value {
            Value::String(text) => serde_json::from_str::<Value>(text).is_ok_and(|parsed| &parsed == wanted),
            Value::Array(items) => items.iter().any(|item| holds(item, wanted)),
            Value::Object(fields) => fields.values().any(|item| holds(item, wanted)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
}

#[test]
fn every_payload_is_claimed_by_its_own_host_alone() {
    for (host, fixture) in fixtures() {
        let claimed: Vec<&str> =
            HOSTS.iter().filter(|host| host.recognises(&fixture.stdin)).map(|host| host.id()).collect();
        let expected: &[&str] = if fixture.recognised { &[host.id()] } else { &[] };
        let caller = fourseam_hosts::caller_of(&fixture.stdin).map(|host| host.id());
        assert_eq!(caller, claimed.first().copied(), "{}", fixture.label(host));
        if fixture.error.is_none() {
            assert_eq!(claimed, expected, "{}", fixture.label(host));
        } else {
            assert!(claimed.is_empty() || claimed == [host.id()], "{}: {claimed:?}", fixture.label(host));
        }
    }
}

#[test]
fn every_answer_is_the_measured_bytes() {
    for host in HOSTS {
        let table = replies(*host);
        let unknown = &fourseam_hosts::Event::UNKNOWN;
        for event in host.events().iter().chain([unknown]) {
            let row = &table[event.name];
            for (word, decision, opt_in) in [
                ("abstain", Decision::Abstain, false),
                ("allow", Decision::Allow, false),
                ("ask", Decision::Ask, false),
                ("ask_opt_in", Decision::Ask, true),
                ("deny", Decision::Deny, false),
            ] {
                let Some(expected) = row.get(word) else {
                    assert_eq!(word, "ask_opt_in", "{} {}: no answer for `{word}`", host.id(), event.name);
                    continue;
                };
                let told = told(event, decision, opt_in);
                let reply = host.render(event, &told);
                assert_eq!(reply, bytes(expected, told.text()), "{} {} {word}", host.id(), event.name);
            }
        }
    }
}

/// An expected answer with the reason filled in.
fn bytes(expected: &Value, reason: &str) -> Reply {
    let fill = |value: &Value| value.to_string().replace("{reason}", json!(reason).to_string().trim_matches('"'));
    Reply {
        stdout: expected.get("stdout").filter(|words| !words.is_null()).map(fill).unwrap_or_default(),
        stderr: expected["stderr"].as_str().unwrap().replace("{reason}", reason),
        exit: expected["exit"].as_u64().unwrap().try_into().unwrap(),
    }
}

#[test]
fn a_refusal_before_a_tool_always_has_a_reason_and_an_answer_is_one_object() {
    for host in HOSTS {
        for event in host.events() {
            for decision in [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny] {
                let reply = host.render(event, &told(event, decision, false));
                if !reply.stdout.is_empty() {
                    let words: Value = serde_json::from_str(&reply.stdout).unwrap();
                    assert!(words.is_object(), "{} {}: {words}", host.id(), event.name);
                }
                if decision == Decision::Deny && event.capabilities.gate && event.name != "beforeTabFileRead" {
                    assert!(reply.stdout.contains("no plums today"), "{} {}", host.id(), event.name);
                }
            }
        }
    }
}

#[test]
fn a_line_for_the_user_is_said_where_the_host_shows_one() {
    let mut hosts = BTreeSet::new();
    for host in HOSTS {
        for event in host.events() {
            let plain = told(event, Decision::Abstain, false);
            let silent = host.render(event, &plain);
            let said = host.render(event, &plain.with_notice("fourseam is live".to_owned()));
            let label = format!("{} {}", host.id(), event.name);
            if event.capabilities.notice {
                let words: Value = serde_json::from_str(&said.stdout).unwrap();
                assert_eq!(words, json!({ "systemMessage": "fourseam is live" }), "{label}");
                assert_eq!((said.stderr.as_str(), said.exit), ("", 0), "{label}");
                hosts.insert(host.id());
            } else {
                assert_eq!(said, silent, "{label}");
            }
        }
    }
    assert_eq!(hosts.into_iter().collect::<Vec<_>>(), ["claude-code", "codex", "gemini-cli"]);
}

#[test]
fn every_host_folder_is_listed_and_documented() {
    let mut folders: Vec<String> = std::fs::read_dir(support::SOURCES)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("install.rs").is_file())
        .map(|entry| entry.file_name().into_string().unwrap().replace('_', "-"))
        .collect();
    folders.sort();
    assert_eq!(folders, HOSTS.iter().map(|host| host.id()).collect::<Vec<_>>());
    for host in HOSTS {
        assert!(folder(*host).join("README.md").is_file(), "{} has no README.md", host.id());
    }
}

#[test]
fn events_are_sorted_and_every_one_has_its_fixtures() {
    for host in HOSTS {
        let names: Vec<&str> = host.events().iter().map(|event| event.name).collect();
        assert!(names.is_sorted(), "{}: {names:?}", host.id());
        let all: Vec<Fixture> =
            fixtures().into_iter().filter(|(of, _)| of.id() == host.id()).map(|(_, fixture)| fixture).collect();
        let seen: BTreeSet<&str> = all.iter().map(|fixture| fixture.event.as_str()).collect();
        for event in host.events() {
            assert!(seen.contains(event.name), "{}: no fixture for `{}`", host.id(), event.name);
        }
        for kind in ["malformed", "unknown-tool", "unknown-event"] {
            assert!(all.iter().any(|fixture| fixture.name.contains(kind)), "{}: no `{kind}` fixture", host.id());
        }
    }
}

#[test]
fn names_and_aliases_are_one_each() {
    let mut seen = BTreeSet::new();
    for host in HOSTS {
        for name in host.aliases().iter().chain([&host.id()]) {
            assert!(seen.insert(*name), "`{name}` names two hosts");
            assert_eq!(fourseam_hosts::find(name).unwrap().id(), host.id());
        }
    }
}

#[test]
fn the_default_event_is_a_gate_of_the_host() {
    for host in HOSTS {
        let event = host.default_event();
        assert!(event.capabilities.gate);
        assert_eq!(host.event(event.name).capabilities, event.capabilities);
    }
}
