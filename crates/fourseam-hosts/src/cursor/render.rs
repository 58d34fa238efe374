//! Verdicts in Cursor's words. Cursor takes an empty answer for a failed hook, so every answer is an object of the
//! event's schema, with exit code 0.

use crate::host::{Event, Reply};
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    Reply::json(&match told.said() {
        Decision::Abstain => neutral(event),
        Decision::Allow => allowed(event),
        Decision::Ask => asked(event, told.text()),
        Decision::Deny => denied(event, told.text()),
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
