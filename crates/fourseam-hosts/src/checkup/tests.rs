//! Readers of texts for the check of a host's health.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use super::*;
use crate::HOSTS;
use crate::install::{Program, Wiring};
use serde_json::json;

fn wiring(exe: &str) -> Wiring {
    let program = Program::Installed { exe: exe.to_owned(), home: "/home/ana/.fourseam".to_owned() };
    Wiring { program, native_ask: false }
}

#[test]
fn what_is_wired_is_found_again() {
    for exe in ["/home/ana/.fourseam/bin/fourseam", "/home/o'neill/a \\b/fourseam"] {
        for host in HOSTS {
            let text = host.install().plan(None, &wiring(exe)).unwrap();
            let entries = host.install().checkup().entries(&text);
            if host.install().checkup().timeout.is_none() {
                assert_eq!(entries, []);
                continue;
            }
            assert_eq!(entries.len(), host.install().wired(&wiring(exe)).len(), "{}", host.id());
            for entry in entries {
                assert_eq!(entry.program.as_deref(), Some(exe), "{}", host.id());
                assert_eq!(entry.home.as_deref(), Some("/home/ana/.fourseam"), "{}", host.id());
                assert_eq!(entry.timeout, Some(30.0), "{}", host.id());
                assert!(!entry.is_followed, "{}", host.id());
            }
        }
    }
    let each = Wiring { program: Program::OfEachUser, native_ask: false };
    let host = crate::find("claude-code").unwrap();
    let text = host.install().plan(None, &each).unwrap();
    assert!(host.install().checkup().entries(&text).iter().all(|entry| entry.program.is_none()));
}

#[test]
fn who_comes_after_us() {
    let host = crate::find("qwen-code").unwrap();
    let text = host.install().plan(None, &wiring("/x/fourseam")).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let other = json!({ "matcher": "*", "hooks": [{ "type": "command", "command": "lint" }] });
    value["hooks"]["PreToolUse"].as_array_mut().unwrap().push(other);
    let entries = host.install().checkup().entries(&value.to_string());
    let followed: Vec<&str> =
        entries.iter().filter(|entry| entry.is_followed).map(|entry| entry.event.as_str()).collect();
    assert_eq!(followed, ["PreToolUse"]);
}

/// The least text that throws a switch.
fn throwing(switch: &Switch) -> String {
    let value = match switch.off {
        Off::Is(value) => json!(value),
        Off::Lists(word) => json!([word]),
    };
    if switch.file.ends_with(".toml") {
        return format!("{} = {value}\n", switch.key.join("."));
    }
    switch.key.iter().rev().fold(value, |value, key| json!({ *key: value })).to_string()
}

#[test]
fn a_switch_is_thrown_by_its_value_alone() {
    for host in HOSTS {
        for switch in host.install().checkup().switches {
            assert!(switch.is_thrown(&throwing(switch)), "{switch:?}");
            let other = match switch.off {
                Off::Is(value) => Switch { off: Off::Is(!value), ..*switch },
                Off::Lists(_) => Switch { off: Off::Lists("lint"), ..*switch },
            };
            assert!(!switch.is_thrown(&throwing(&other)), "{switch:?}");
            for text in ["", "{}", "[", "{ \"a\": 1 } // x", "a = 1\n"] {
                assert!(!switch.is_thrown(text), "{switch:?} {text}");
            }
        }
    }
    let claude = crate::find("claude-code").unwrap().install().checkup();
    assert!(claude.switches[0].is_thrown("\u{feff}{\n  // mine\n  \"disableAllHooks\": true,\n}"));
}

#[test]
fn the_nearest_word_on_a_folder_counts() {
    let text = r#"{ "/home/ana": "TRUST_FOLDER", "/home/ana/x": "DO_NOT_TRUST", "/srv/app/web": "TRUST_PARENT" }"#;
    for (folder, want) in [
        ("/home/ana/shop", Some(true)),
        ("/home/ana/x/y", Some(false)),
        ("/home/anabel", None),
        ("/srv/app/api", Some(true)),
        ("/srv", None),
    ] {
        assert_eq!(folder_is_trusted(text, folder), want, "{folder}");
    }
    assert_eq!(folder_is_trusted("[", "/x"), None);
    let text = r#"{ "trusted_folders": ["/home/ana/shop/"] }"#;
    assert!(folder_is_listed(text, "trusted_folders", "/home/ana/shop/web"));
    assert!(!folder_is_listed(text, "trusted_folders", "/home/ana/shopping"));
}
