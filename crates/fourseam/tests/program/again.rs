//! One tool use that comes through two entries: judged twice, recorded once.

use crate::run::{Home, run};
use fourseam_hosts::{Host, find};
use serde_json::{Value, json};

const POLICY: &str = "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: No. }\n";

/// Calls a host, through the entry of another or its own. Gives what it is told.
fn call(home: &Home, through: &str, event: &str, payload: &Value) -> String {
    let entry: &dyn Host = find(through).unwrap();
    let output = run(&mut home.hook(entry, event), payload.to_string().as_bytes());
    output.stdout
}

fn cursor(command: &str, id: &str) -> Value {
    let mut payload = find("cursor").unwrap().sample(command);
    payload["tool_use_id"] = json!(id);
    payload
}

#[test]
fn a_tool_use_through_two_entries_is_judged_twice_and_recorded_once() {
    let home = Home::with_policy(POLICY);
    for command in ["echo plain", "echo marked"] {
        let told = [
            call(&home, "cursor", "preToolUse", &cursor(command, "t1")),
            call(&home, "claude-code", "PreToolUse", &cursor(command, "t1")),
        ];
        assert_eq!(told[0].contains("\"deny\""), command.contains("marked"), "{told:?}");
        assert_eq!(told[0], told[1]);
    }
    let records = home.records();
    assert_eq!(records.len(), 2, "{records:?}");
    assert!(records.iter().all(|record| record["agent"] == "cursor"), "{records:?}");
}

#[test]
fn other_tool_uses_have_their_own_rows() {
    let home = Home::with_policy(POLICY);
    // Another id, another command, the same entry again, and then its double.
    call(&home, "cursor", "preToolUse", &cursor("echo a", "t1"));
    call(&home, "claude-code", "PreToolUse", &cursor("echo a", "t2"));
    call(&home, "claude-code", "PreToolUse", &cursor("echo b", "t1"));
    call(&home, "cursor", "preToolUse", &cursor("echo a", "t1"));
    assert_eq!(home.records().len(), 4);
    call(&home, "claude-code", "PreToolUse", &cursor("echo a", "t1"));
    assert_eq!(home.records().len(), 4);
    // A host that runs only its own entries is not compared.
    let claude = find("claude-code").unwrap().sample("echo a");
    call(&home, "claude-code", "PreToolUse", &claude);
    call(&home, "cursor", "preToolUse", &claude);
    assert_eq!(home.records().len(), 6);
}

#[test]
fn what_is_told_otherwise_is_recorded_too() {
    let home = Home::with_policy(POLICY);
    call(&home, "cursor", "preToolUse", &cursor("echo marked", "t1"));
    home.write("policy.yaml", "version: 1\n");
    call(&home, "claude-code", "PreToolUse", &cursor("echo marked", "t1"));
    let said: Vec<Value> = home.records().iter().map(|record| record["decision"].clone()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert_ne!(said[0], said[1]);
}

#[test]
fn copilots_two_dialects_are_one_tool_use_and_the_next_is_another() {
    let home = Home::with_policy(POLICY);
    let camel = json!({ "sessionId": "s1", "timestamp": 1, "cwd": "/home/ana/shop", "toolName": "bash",
        "toolArgs": { "command": "echo a" } });
    let pascal = json!({ "hook_event_name": "PreToolUse", "session_id": "s1", "timestamp": "2026-01-01T00:00:00Z",
        "cwd": "/home/ana/shop", "tool_name": "Bash", "tool_input": { "command": "echo a" } });
    for rows in 1..=2 {
        call(&home, "copilot-cli", "preToolUse", &camel);
        call(&home, "claude-code", "PreToolUse", &pascal);
        let records = home.records();
        assert_eq!(records.len(), rows, "{records:?}");
    }
}
