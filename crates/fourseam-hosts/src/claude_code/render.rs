//! Verdicts in Claude Code's words.

use crate::host::{Event, Reply};
use crate::result;
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let reason = told.text();
    match (told.said(), event.name) {
        (Decision::Abstain, "SessionStart") => Reply::notice(told),
        (Decision::Allow, "PreToolUse") => Reply::json(&pre_tool("allow", reason)),
        (Decision::Ask, "PreToolUse") => Reply::json(&pre_tool("ask", reason)),
        (Decision::Deny, "PreToolUse") => Reply::refusal(&pre_tool("deny", reason), reason),
        (Decision::Deny, "PermissionRequest") => permission_denied(reason),
        (Decision::Ask, "PostToolUse" | "PostToolUseFailure") => Reply::context(event, reason),
        (Decision::Ask, "UserPromptSubmit" | "UserPromptExpansion") => Reply::context_and_remark(event, reason),
        (Decision::Ask, "Stop" | "SubagentStop") => Reply::remark(reason),
        (Decision::Deny, "PostToolUse") if told.replacement().is_some() => replaced(told),
        (
            Decision::Deny,
            "PostToolUse" | "PostToolUseFailure" | "UserPromptSubmit" | "UserPromptExpansion" | "Stop" | "SubagentStop",
        ) => Reply::json(&json!({ "decision": "block", "reason": reason })),
        // On a permission request the dialog is about to come up: silence asks the person.
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

/// `hookEventName` is required: without it the answer is not read and the tool runs.
fn pre_tool(word: &str, reason: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": word,
            "permissionDecisionReason": reason,
        }
    })
}

/// Only a new output in the tool's own shape is taken.
fn replaced(told: &Told) -> Reply {
    let Some(replacement) = told.replacement() else { return Reply::silent() };
    Reply::json(&json!({
        "hookSpecificOutput": {
            "additionalContext": told.text(),
            "hookEventName": "PostToolUse",
            "updatedToolOutput": result::reshaped(replacement),
        }
    }))
}

/// Exit code 2 is not honoured on this event, so the refusal is the JSON alone.
fn permission_denied(reason: &str) -> Reply {
    let words = json!({
        "hookSpecificOutput": {
            "decision": { "behavior": "deny", "message": reason },
            "hookEventName": "PermissionRequest",
        }
    });
    Reply { exit: 0, ..Reply::refusal(&words, reason) }
}
