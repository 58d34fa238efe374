//! Payloads of any shape: every host reads or refuses them, and answers every verdict on what it read.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use fourseam_core::decision::Mode;
use fourseam_core::verdict::Verdict;
use fourseam_hosts::HOSTS;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Names that adapters look at, and one that none does.
const KEYS: &[&str] = &[
    "hook_event_name",
    "hookName",
    "session_id",
    "sessionId",
    "conversation_id",
    "cwd",
    "workspace_roots",
    "timestamp",
    "turn_id",
    "model",
    "permission_mode",
    "transcript_path",
    "tool_name",
    "toolName",
    "tool",
    "tool_input",
    "toolArgs",
    "args",
    "tool_response",
    "toolResult",
    "tool_output",
    "error",
    "prompt",
    "command",
    "file_path",
    "path",
    "content",
    "edits",
    "old_string",
    "new_string",
    "url",
    "urls",
    "mcp_context",
    "mcp_server",
    "serverName",
    "llmContent",
    "text",
    "tool_calls",
    "loop_count",
    "stop_hook_active",
    "opencode_plugin",
    "nothing",
];
/// Words that mean something in one of them.
const WORDS: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PermissionRequest",
    "BeforeTool",
    "AfterTool",
    "preToolUse",
    "beforeShellExecution",
    "tool.execute.before",
    "Stop",
    "Bash",
    "run_shell_command",
    "apply_patch",
    "Write",
    "Edit",
    "batch",
    "mcp__a__b",
    "mcp__",
    "mcp_",
    "MCP:",
    "a-b",
    "a_b",
    "*** Begin Patch\n*** Add File: a\n+x",
    "{\"command\":\"ls\"}",
    "[",
    "é\u{0}",
    "",
];

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(WORDS).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 32, 6, |inner| {
        let members = proptest::collection::vec((proptest::sample::select(KEYS), inner.clone()), 0..8);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
            members.prop_map(|members| {
                Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn every_payload_is_read_or_refused(payload in json(), named in proptest::option::of(proptest::sample::select(WORDS))) {
        for host in HOSTS {
            let _ = host.recognises(&payload);
            let Ok(call) = host.parse(&payload, named) else { continue };
            prop_assert!(payload.is_object());
            let event = host.event(&call.event);
            prop_assert_eq!(event.capabilities.point, call.point);
            let told = Verdict::default().fit(&event.capabilities, Mode::Guard, false);
            let reply = host.render(event, &told);
            prop_assert_eq!(reply.exit, 0);
            prop_assert!(reply.stdout.is_empty() || serde_json::from_str::<Value>(&reply.stdout).unwrap().is_object());
        }
    }
}
