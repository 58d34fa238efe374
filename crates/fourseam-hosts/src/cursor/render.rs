//! Verdicts in Cursor's words. Cursor takes an empty answer for a failed hook, so every answer is an object of the
//! event's schema, with exit code 0.

use crate::host::{Event, Reply};
use crate::result;
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let replacement = told.replacement().filter(|_| event.name == "postToolUse");
    Reply::json(&match (told.said(), replacement) {
        (Decision::Abstain, _) => neutral(event),
        (Decision::Allow, _) => allowed(event),
        (Decision::Ask, _) => asked(event, told.text()),
        (Decision::Deny, None) => denied(event, told.text()),
        (Decision::Deny, Some(replacement)) => json!({
            "additional_context": told.text(),
            "updated_mcp_tool_output": result::reshaped(replacement),
        }),
    })
}

/// No opinion. On the shell and MCP gates that is Cursor's own question; on `preToolUse` the same word does nothing.
fn neutral(event: &Event) -> Value {
    match event.name {
        "preToolUse" | "beforeShellExecution" | "beforeMCPExecution" => json!({ "permission": "ask" }),
        "beforeReadFile" | "beforeTabFileRead" | "subagentStart" => json!({ "permission": "allow" }),
        "beforeSubmitPrompt" => json!({ "continue": true }),
        _ => json!({}),
    }
}

fn allowed(event: &Event) -> Value {
    match event.name {
        "preToolUse" | "beforeShellExecution" | "beforeMCPExecution" => json!({ "permission": "allow" }),
        _ => neutral(event),
    }
}

fn asked(event: &Event, reason: &str) -> Value {
    match event.name {
        "beforeShellExecution" | "beforeMCPExecution" => {
            json!({ "agent_message": reason, "permission": "ask", "user_message": reason })
        }
        "postToolUse" | "postToolUseFailure" => json!({ "additional_context": reason }),
        _ => neutral(event),
    }
}

/// The command line client shows the model `user_message`, the editor `agent_message`: the reason is in both.
fn denied(event: &Event, reason: &str) -> Value {
    match event.name {
        "preToolUse" | "beforeShellExecution" | "beforeMCPExecution" => {
            json!({ "agent_message": reason, "permission": "deny", "user_message": reason })
        }
        "beforeReadFile" | "subagentStart" => json!({ "permission": "deny", "user_message": reason }),
        "beforeTabFileRead" => json!({ "permission": "deny" }),
        "beforeSubmitPrompt" => json!({ "continue": false, "user_message": reason }),
        "postToolUse" | "postToolUseFailure" => json!({ "additional_context": reason }),
        "stop" | "subagentStop" => json!({ "followup_message": reason }),
        _ => neutral(event),
    }
}
