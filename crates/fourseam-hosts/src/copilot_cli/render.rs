//! Verdicts in Copilot CLI's words: flat for events in camel case, Claude Code's form for the others.

use crate::host::{Event, Reply};
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let reason = told.text();
    match (told.said(), event.name) {
        (Decision::Ask, "preToolUse") => Reply::json(&flat("ask", reason)),
        (Decision::Ask, "PreToolUse") => Reply::json(&nested("ask", reason)),
        (Decision::Deny, "preToolUse") => Reply::refusal(&flat("deny", reason), reason),
        (Decision::Deny, "PreToolUse") => Reply::refusal(&nested("deny", reason), reason),
        (Decision::Deny, "permissionRequest" | "PermissionRequest") => {
            Reply::refusal(&json!({ "behavior": "deny", "message": reason }), reason)
        }
        (Decision::Deny, "postToolUse" | "PostToolUse" | "agentStop" | "Stop") => {
            Reply::json(&json!({ "decision": "block", "reason": reason }))
        }
        // On a permission request the person is about to be asked: silence lets that happen.
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

fn flat(word: &str, reason: &str) -> Value {
    json!({ "permissionDecision": word, "permissionDecisionReason": reason })
}

fn nested(word: &str, reason: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": word,
            "permissionDecisionReason": reason,
        }
    })
}
