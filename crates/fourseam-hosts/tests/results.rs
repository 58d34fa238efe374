//! What each host is given in the place of a tool's result, in the shape that the result came in.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use fourseam_core::action::{Action, HookCall, Point, ToolResult};
use fourseam_core::analysis::{Analysis, Finding};
use fourseam_core::decision::{Decision, Mode};
use fourseam_core::policy::{InjectAction, Layer, Policy, Source, compile};
use fourseam_core::verdict::Told;
use fourseam_hosts::{Event, Host, Reply};
use serde_json::{Value, json};

const RULES: &str = "version: 1\nrules:\n\
    - { id: t/secret, decision: deny, reason: It holds a key., when: { finding: secrets } }\n\
    - { id: t/orders, decision: deny, reason: It gives orders., when: { finding: injection } }\n";

/// What is done with a result that holds `plum1`.
#[derive(Clone, Copy)]
enum Done {
    /// `plum1` is a secret, and is taken out.
    Cleaned,
    /// The result gives orders, and is kept back.
    Withheld,
}

fn told(event: &Event, of: Action, raw: &Value, done: Done) -> Told {
    let result = ToolResult { of: Box::new(of), text: "plum1".to_owned(), raw: raw.clone(), failed: false, own: false };
    let call = HookCall {
        host: "h".to_owned(),
        event: event.name.to_owned(),
        point: Some(Point::ToolResult),
        session: None,
        cwd: None,
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: None,
        stop_hook_active: false,
        action: Action::ToolResult(result.clone()),
    };
    let detector = match done {
        Done::Cleaned => "secrets",
        Done::Withheld => "injection",
    };
    let finding =
        Finding { detector: detector.to_owned(), confidence: 1.0, message: "a text: a key".to_owned(), span: (0, 5) };
    let source = Source { layer: Layer::User, file: "policy.yaml", text: RULES, trusted: false };
    let policy = Policy::new(vec![compile(&[source], &[]).set], None);
    let mut analysis = Analysis::default();
    analysis.findings.push(finding);
    let fitted = policy.evaluate(&call, &analysis).settle(None).fit(&event.capabilities, Mode::Guard, false);
    fitted.with_result(&result, InjectAction::Block, &event.capabilities)
}

fn mcp() -> Action {
    Action::McpCall { server: "hub".to_owned(), tool: "list".to_owned(), arguments: Value::Null }
}

fn host(id: &str) -> &'static dyn Host {
    fourseam_hosts::find(id).unwrap()
}

const SECRET: &str =
    "Warning of the policy guard fourseam about this result: It holds a key. (a text: a key) [t/secret]";
const ORDERS: &str =
    "Warning of the policy guard fourseam about this result: It gives orders. (a text: a key) [t/orders]";

fn notice() -> String {
    format!("[fourseam kept this result back. {ORDERS}]")
}

/// What Claude Code is given in the place of a result.
fn reshaped(raw: &Value, done: Done) -> Value {
    let host = host("claude-code");
    let event = host.event("PostToolUse");
    let reply = host.render(event, &told(event, mcp(), raw, done));
    let words: Value = serde_json::from_str(&reply.stdout).unwrap();
    words.pointer("/hookSpecificOutput/updatedToolOutput").cloned().unwrap()
}

#[test]
fn a_secret_is_taken_out_wherever_it_stands() {
    for (raw, want) in [
        (json!("a plum1 b"), json!("a [redacted: a key] b")),
        (
            json!({ "stdout": "plum1", "interrupted": false }),
            json!({ "stdout": "[redacted: a key]", "interrupted": false }),
        ),
        (
            json!({ "file": { "filePath": "/plum1", "content": "plum1" }, "type": "text" }),
            json!({ "file": { "filePath": "/[redacted: a key]", "content": "[redacted: a key]" }, "type": "text" }),
        ),
        (
            json!({ "llmContent": ["plum1"], "returnDisplay": { "text": "plum1" } }),
            json!({ "llmContent": ["[redacted: a key]"], "returnDisplay": { "text": "[redacted: a key]" } }),
        ),
        (
            json!({ "unheardOf": "plum1", "data": "plum1" }),
            json!({ "unheardOf": "[redacted: a key]", "data": "[redacted: a key]" }),
        ),
        (json!("{\"output\":\"plum1\"}"), json!({ "output": "[redacted: a key]" })),
    ] {
        assert_eq!(reshaped(&raw, Done::Cleaned), want, "{raw}");
    }
}

#[test]
fn of_a_result_that_is_kept_back_the_agent_reads_one_notice_and_nothing_else() {
    let notice = notice();
    for (raw, want) in [
        (json!("plum1"), json!(notice)),
        (
            json!({ "stdout": "plum1", "stderr": "b", "note": "c", "code": 3 }),
            json!({ "stdout": notice, "stderr": "", "note": "c", "code": 3 }),
        ),
        (
            json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]),
            json!([{ "type": "text", "text": notice }, { "type": "text", "text": "" }]),
        ),
        (
            json!({ "llmContent": "plum1", "output": "b", "returnDisplay": { "text": "c" } }),
            json!({ "llmContent": notice, "output": "b", "returnDisplay": { "text": "c" } }),
        ),
        (json!({ "unheardOf": "plum1", "data": "AAAA" }), json!({ "unheardOf": notice, "data": "AAAA" })),
        // Nothing in it is text: the notice is all there is.
        (json!({ "size": 3 }), json!(notice)),
        (json!(null), json!(notice)),
    ] {
        assert_eq!(reshaped(&raw, Done::Withheld), want, "{raw}");
    }
}

#[test]
fn every_host_is_told_in_its_own_words() {
    let raw = json!({ "stdout": "a plum1", "resultType": "failure" });
    let cleaned = json!({ "stdout": "a [redacted: a key]", "resultType": "failure" });
    let reason = |word: &str| json!({ "decision": word, "reason": "[redacted: a key]" });
    for (id, event, want) in [
        (
            "claude-code",
            "PostToolUse",
            json!({ "hookSpecificOutput": {
                "hookEventName": "PostToolUse", "additionalContext": SECRET, "updatedToolOutput": cleaned,
            } }),
        ),
        ("codex", "PostToolUse", reason("block")),
        (
            "copilot-cli",
            "postToolUse",
            json!({ "modifiedResult": { "resultType": "failure", "textResultForLlm": "[redacted: a key]" } }),
        ),
        ("copilot-cli", "PostToolUse", reason("block")),
        ("cursor", "postToolUse", json!({ "additional_context": SECRET, "updated_mcp_tool_output": cleaned })),
        ("gemini-cli", "AfterTool", reason("deny")),
        ("opencode", "tool.execute.after", reason("deny")),
        (
            "qwen-code",
            "PostToolUse",
            json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": SECRET } }),
        ),
    ] {
        let host = host(id);
        let event = host.event(event);
        let reply = host.render(event, &told(event, mcp(), &raw, Done::Cleaned));
        assert_eq!(serde_json::from_str::<Value>(&reply.stdout).unwrap(), want, "{id} {}", event.name);
        assert_eq!(reply, Reply { stdout: reply.stdout.clone(), stderr: String::new(), exit: 0 }, "{id}");
    }
}

#[test]
fn a_result_without_a_kind_is_told_as_a_success() {
    let host = host("copilot-cli");
    let event = host.event("postToolUse");
    let reply = host.render(event, &told(event, mcp(), &json!("plum1"), Done::Withheld));
    let words: Value = serde_json::from_str(&reply.stdout).unwrap();
    assert_eq!(words, json!({ "modifiedResult": { "resultType": "success", "textResultForLlm": notice() } }));
}

#[test]
fn where_only_results_of_mcp_are_replaced_others_are_warned_of() {
    let host = host("cursor");
    let event = host.event("postToolUse");
    let told = told(event, Action::FileRead { path: "/home/ana/x".to_owned() }, &json!("plum1"), Done::Withheld);
    assert_eq!(told.said(), Decision::Ask);
    let words: Value = serde_json::from_str(&host.render(event, &told).stdout).unwrap();
    assert_eq!(words, json!({ "additional_context": ORDERS }));
}
