//! Verdicts in Copilot CLI's words: flat for events in camel case, Claude Code's form for the others.

use crate::host::{Event, Reply};
use crate::read::Fields;
use fourseam_core::decision::Decision;
use fourseam_core::remedy::Replacement;
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
        (Decision::Ask, "postToolUse") => Reply::json(&json!({ "additionalContext": reason })),
        (Decision::Ask, "PostToolUse") => Reply::context(event, reason),
        (Decision::Deny, "postToolUse") if told.replacement().is_some() => replaced(told),
        (Decision::Deny, "PostToolUse") => blocked(told.replacement().map_or(reason, Replacement::text)),
        (Decision::Deny, "postToolUse" | "agentStop" | "Stop") => blocked(reason),
        // On a permission request the person is about to be asked: silence lets that happen.
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

/// Only the new result: what else the host would take beside it was not tried.
fn replaced(told: &Told) -> Reply {
    let Some(replacement) = told.replacement() else { return Reply::silent() };
    let kind = Fields(replacement.raw()).text(&["resultType", "result_type"]).unwrap_or("success");
    Reply::json(&json!({ "modifiedResult": { "resultType": kind, "textResultForLlm": replacement.text() } }))
}

fn blocked(reason: &str) -> Reply {
    Reply::json(&json!({ "decision": "block", "reason": reason }))
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
