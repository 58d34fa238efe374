//! Verdicts in Codex's words. The schema is strict: one unknown field, or an empty reason, and the call runs.

use crate::host::{Event, Reply};
use fourseam_core::decision::Decision;
use fourseam_core::remedy::Replacement;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let reason = told.text();
    match (told.said(), event.name) {
        (Decision::Abstain, "SessionStart") => Reply::notice(told),
        (Decision::Allow, "PermissionRequest") => Reply::json(&permission(json!({ "behavior": "allow" }))),
        (Decision::Deny, "PreToolUse") => Reply::refusal(&pre_tool_denied(reason), reason),
        (Decision::Deny, "PermissionRequest") => {
            Reply::refusal(&permission(json!({ "behavior": "deny", "message": reason })), reason)
        }
        (Decision::Ask, "PostToolUse") => Reply::context(event, reason),
        (Decision::Ask, "UserPromptSubmit") => Reply::context_and_remark(event, reason),
        (Decision::Ask, "Stop" | "SubagentStop") => Reply::remark(reason),
        // The reason takes the place of the output.
        (Decision::Deny, "PostToolUse") => {
            let reason = told.replacement().map_or(reason, Replacement::text);
            Reply::json(&json!({ "decision": "block", "reason": reason }))
        }
        (Decision::Deny, "UserPromptSubmit" | "Stop" | "SubagentStop") => {
            Reply::json(&json!({ "decision": "block", "reason": reason }))
        }
        // On a permission request the person is about to be asked: silence lets that happen.
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

fn pre_tool_denied(reason: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    })
}

fn permission(decision: Value) -> Value {
    json!({ "hookSpecificOutput": { "decision": decision, "hookEventName": "PermissionRequest" } })
}
