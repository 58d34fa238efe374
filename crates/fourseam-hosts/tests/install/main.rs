//! Hook files: what goes in, what comes out again, and what stays as it was.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests may panic and read files"
)]

mod native;
mod settings;

use fourseam_hosts::install::{Program, Scope, Wiring};
use fourseam_hosts::{HOSTS, Host};
use proptest::prelude::*;
use serde_json::Value;

fn installed() -> Wiring {
    let exe = "/home/ana/.fourseam/bin/fourseam".to_owned();
    Wiring { program: Program::Installed { exe, home: "/home/ana/.fourseam".to_owned() }, native_ask: false }
}

fn of_each_user() -> Wiring {
    Wiring { program: Program::OfEachUser, native_ask: false }
}

/// Hosts whose hook file is JSON.
fn with_json() -> impl Iterator<Item = &'static dyn Host> {
    HOSTS.iter().copied().filter(|host| host.id() != "opencode")
}

/// The commands of ours in a hook file, by event.
fn commands(text: &str) -> Vec<(String, String)> {
    let root: Value = serde_json::from_str(text).unwrap();
    let mut all = Vec::new();
    for (event, entries) in root["hooks"].as_object().unwrap() {
        for entry in entries.as_array().unwrap() {
            let handlers = entry.get("hooks").and_then(Value::as_array).cloned().unwrap_or(vec![entry.clone()]);
            for handler in handlers {
                let command = handler.get("command").or(handler.get("bash")).and_then(Value::as_str).unwrap();
                if command.starts_with("/bin/sh -c ': fourseam ") {
                    all.push((event.clone(), command.to_owned()));
                }
            }
        }
    }
    all
}

#[test]
fn a_new_file_holds_one_entry_for_each_event_and_goes_again() {
    for host in with_json() {
        for wiring in [installed(), of_each_user()] {
            let text = host.install().plan(None, &wiring).unwrap();
            let mut events: Vec<String> = commands(&text).into_iter().map(|(event, _)| event).collect();
            events.sort();
            let mut wired: Vec<&str> = host.install().wired(&wiring).iter().map(|event| event.name).collect();
            wired.sort_unstable();
            assert_eq!(events, wired, "{}", host.id());
            assert_eq!(host.install().plan(Some(&text), &wiring).unwrap(), text, "{}: twice", host.id());
            let mut found = host.install().found(&text).unwrap();
            found.sort();
            assert_eq!(found, wired, "{}", host.id());
            assert_eq!(host.install().remove(&text).unwrap(), None, "{}", host.id());
        }
    }
}

#[test]
fn every_gate_that_speaks_for_all_tools_is_wired_and_fails_closed() {
    for host in with_json() {
        let text = host.install().plan(None, &installed()).unwrap();
        for (name, command) in commands(&text) {
            let event = host.event(&name);
            assert!(!event.name.is_empty(), "{} has no event `{name}`", host.id());
            assert_eq!(event.capabilities.gate, command.contains("= dry"), "{} {name}", host.id());
            assert!(command.contains(&format!("'{}' '{name}' '/home/ana/.fourseam'", host.id())), "{command}");
        }
        let default = host.default_event().name.to_owned();
        assert!(commands(&text).iter().any(|(event, _)| *event == default), "{}", host.id());
    }
}

#[test]
fn each_timeout_is_thirty_seconds_in_the_unit_of_the_host() {
    for (id, pointer, timeout) in [
        ("claude-code", "/hooks/PreToolUse/0/hooks/0/timeout", 30),
        ("codex", "/hooks/PreToolUse/0/hooks/0/timeout", 30),
        ("copilot-cli", "/hooks/preToolUse/0/timeoutSec", 30),
        ("cursor", "/hooks/preToolUse/0/timeout", 30),
        ("gemini-cli", "/hooks/BeforeTool/0/hooks/0/timeout", 30_000),
        ("qwen-code", "/hooks/PreToolUse/0/hooks/0/timeout", 30_000),
    ] {
        let text = fourseam_hosts::find(id).unwrap().install().plan(None, &installed()).unwrap();
        let root: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(root.pointer(pointer), Some(&Value::from(timeout)), "{id}");
    }
}

#[test]
fn the_closing_key_of_a_host_stands_on_its_gates_alone() {
    for (id, key, gate, other) in [
        ("claude-code", "onFailure", "/hooks/PreToolUse/0/hooks/0", "/hooks/Stop/0/hooks/0"),
        ("cursor", "failClosed", "/hooks/preToolUse/0", "/hooks/stop/0"),
    ] {
        let text = fourseam_hosts::find(id).unwrap().install().plan(None, &installed()).unwrap();
        let root: Value = serde_json::from_str(&text).unwrap();
        assert!(root.pointer(gate).unwrap().get(key).is_some(), "{id}");
        assert!(root.pointer(other).unwrap().get(key).is_none(), "{id}");
    }
}

#[test]
fn a_moved_program_changes_our_entries_alone() {
    let claude = fourseam_hosts::find("claude-code").unwrap().install();
    let theirs = r#"{
  "model": "x", // keep
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "lint" } ] }
    ]
  }
}
"#;
    let first = claude.plan(Some(theirs), &installed()).unwrap();
    let moved = Wiring {
        program: Program::Installed { exe: "/opt/bin/fourseam".to_owned(), home: "/home/ana/.fourseam".to_owned() },
        native_ask: false,
    };
    let second = claude.plan(Some(&first), &moved).unwrap();
    assert!(second.contains("/opt/bin/fourseam") && !second.contains(".fourseam/bin/fourseam"), "{second}");
    assert!(second.contains(r#"{ "matcher": "Bash", "hooks": [ { "type": "command", "command": "lint" } ] }"#));
    assert_eq!(claude.remove(&second).unwrap().unwrap(), theirs);
}

#[test]
fn what_others_put_into_our_group_stays() {
    let claude = fourseam_hosts::find("claude-code").unwrap().install();
    let first = claude.plan(None, &installed()).unwrap();
    let theirs = r#"}, {"type": "command", "command": "lint"}]}],"#;
    let shared = first.replacen("}]}],", theirs, 1);
    assert_ne!(first, shared);
    let again = claude.plan(Some(&shared), &of_each_user()).unwrap();
    assert!(again.contains(theirs), "{again}");
    let left: Value = serde_json::from_str(&claude.remove(&again).unwrap().unwrap()).unwrap();
    let (events, lint) =
        (left["hooks"].as_object().unwrap(), serde_json::json!([{"type": "command", "command": "lint"}]));
    assert_eq!(events.len(), 1);
    assert_eq!(events.values().next().unwrap()[0]["hooks"], lint);
}

#[test]
fn cursor_asks_natively_only_on_request() {
    let cursor = fourseam_hosts::find("cursor").unwrap().install();
    let quiet = cursor.plan(None, &installed()).unwrap();
    let asking = cursor.plan(Some(&quiet), &Wiring { native_ask: true, ..installed() }).unwrap();
    assert!(!quiet.contains("beforeShellExecution") && asking.contains("beforeShellExecution"));
    let quiet_again = cursor.plan(Some(&asking), &installed()).unwrap();
    assert_eq!(quiet_again, quiet);
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone_with_its_place() {
    for host in with_json() {
        for (text, place) in [
            ("{\n  \"hooks\": {,}\n}", "line 2, column 13"),
            ("[]", "line 1, column 1: the file is not an object"),
            ("{ \"hooks\": 3 }", "line 1, column 12: `hooks` is not an object"),
            ("// nothing", "the file holds nothing but comments"),
        ] {
            let error = host.install().plan(Some(text), &installed()).unwrap_err().to_string();
            assert!(error.contains(place), "{}: {error}", host.id());
        }
        let event = host.default_event().name;
        let text = format!("{{\"hooks\": {{\n\"{event}\": {{}}}}}}");
        let error = host.install().plan(Some(&text), &installed()).unwrap_err().to_string();
        assert!(error.contains(&format!("`hooks.{event}` is not an array")) && error.starts_with("line 2"), "{error}");
    }
}

#[test]
fn the_plugin_of_opencode_is_ours_or_left_alone() {
    let opencode = fourseam_hosts::find("opencode").unwrap().install();
    let plugin = opencode.plan(None, &installed()).unwrap();
    assert!(plugin.contains("const EXE = \"/home/ana/.fourseam/bin/fourseam\" ||"), "{plugin}");
    assert!(!plugin.contains('@'), "{plugin}");
    assert_eq!(opencode.plan(Some(&plugin), &installed()).unwrap(), plugin);
    assert_eq!(opencode.remove(&plugin).unwrap(), None);
    assert_eq!(opencode.found(&plugin).unwrap().len(), 3);
    let theirs = "export const Mine = async () => ({})\n";
    assert!(opencode.plan(Some(theirs), &installed()).is_err());
    assert_eq!(opencode.remove(theirs).unwrap().as_deref(), Some(theirs));
}

#[test]
fn an_empty_file_stays_one() {
    for host in with_json() {
        for text in ["", "\n", " \r\n\t", "\u{feff}"] {
            let once = host.install().plan(Some(text), &installed()).unwrap();
            assert_eq!(host.install().plan(Some(&once), &installed()).unwrap(), once);
            assert_eq!(host.install().remove(&once).unwrap().as_deref(), Some(text), "{} {text:?}", host.id());
        }
    }
}

#[test]
fn every_place_is_relative_and_its_own() {
    for scope in [Scope::User, Scope::Project] {
        let mut places: Vec<String> = HOSTS
            .iter()
            .map(|host| host.install().place(scope))
            .map(|place| format!("{}/{}", place.folder, place.file))
            .collect();
        places.sort();
        assert!(places.iter().all(|place| !place.starts_with('/')));
        places.dedup();
        assert_eq!(places.len(), HOSTS.len());
    }
}

proptest! {
    #[test]
    fn installed_twice_and_taken_away_gives_the_first_bytes(
        (host, text) in settings::any_settings(),
        project in any::<bool>(),
    ) {
        let install = fourseam_hosts::find(host).unwrap().install();
        let wiring = if project { of_each_user() } else { installed() };
        let once = install.plan(Some(&text), &wiring).unwrap();
        prop_assert_eq!(install.found(&once).unwrap().len(), install.wired(&wiring).len());
        let twice = install.plan(Some(&once), &wiring).unwrap();
        prop_assert_eq!(&once, &twice);
        prop_assert_eq!(install.remove(&twice).unwrap(), Some(text.clone()));
        prop_assert_eq!(install.remove(&text).unwrap(), Some(text));
    }

    #[test]
    fn what_was_there_is_there_in_order(
        (host, text) in settings::any_settings(),
    ) {
        let install = fourseam_hosts::find(host).unwrap().install();
        let once = install.plan(Some(&text), &installed()).unwrap();
        let mut rest = once.chars();
        for wanted in text.chars() {
            prop_assert!(rest.any(|found| found == wanted), "{:?} is lost", wanted);
        }
    }
}
