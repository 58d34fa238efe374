//! Verdicts in Qwen Code's words.

use crate::host::{Event, Reply};
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let reason = told.text();
    match (told.said(), event.name) {
        (Decision::Ask, "PreToolUse") => Reply::json(&pre_tool("ask", reason)),
        (Decision::Deny, "PreToolUse") => Reply::refusal(&pre_tool("deny", reason), reason),
        (Decision::Allow, "PermissionRequest") => Reply::json(&permission(json!({ "behavior": "allow" }))),
        (Decision::Deny, "PermissionRequest") => {
            let words = permission(json!({ "behavior": "deny", "message": reason }));
            Reply { exit: 0, ..Reply::refusal(&words, reason) }
        }
        // Whatever else is answered, the result stays.
        (Decision::Ask | Decision::Deny, "PostToolUse" | "PostToolUseFailure") => Reply::context(event, reason),
        (Decision::Ask, "UserPromptSubmit" | "UserPromptExpansion") => Reply::context_and_remark(event, reason),
        (Decision::Ask, "Stop" | "SubagentStop") => Reply::remark(reason),
        (Decision::Deny, "UserPromptSubmit" | "UserPromptExpansion" | "Stop" | "SubagentStop") => {
            Reply::json(&json!({ "decision": "block", "reason": reason }))
        }
        // On a permission request the person is about to be asked: silence lets that happen.
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

fn pre_tool(word: &str, reason: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": word,
            "permissionDecisionReason": reason,
        }
    })
}

fn permission(decision: Value) -> Value {
    json!({ "hookSpecificOutput": { "decision": decision, "hookEventName": "PermissionRequest" } })
}
