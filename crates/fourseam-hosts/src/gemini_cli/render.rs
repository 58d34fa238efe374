//! Verdicts in Gemini CLI's words.

use crate::host::{Event, Reply};
use fourseam_core::decision::Decision;
use fourseam_core::remedy::Replacement;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let reason = told.text();
    match (told.said(), event.name) {
        (Decision::Abstain, "SessionStart") => Reply::notice(told),
        (Decision::Allow, "BeforeTool") => Reply::json(&json!({ "decision": "allow" })),
        // The text of the question is `systemMessage`.
        (Decision::Ask, "BeforeTool") => {
            Reply::json(&json!({ "decision": "ask", "reason": reason, "systemMessage": reason }))
        }
        (Decision::Deny, "BeforeTool") => Reply::refusal(&denied(reason), reason),
        (Decision::Ask, "AfterTool") => Reply::context(event, reason),
        (Decision::Ask, "BeforeAgent") => Reply::context_and_remark(event, reason),
        (Decision::Ask, "AfterAgent") => Reply::remark(reason),
        // The reason takes the place of the result.
        (Decision::Deny, "AfterTool") => Reply::json(&denied(told.replacement().map_or(reason, Replacement::text))),
        (Decision::Deny, "BeforeAgent" | "AfterAgent") => Reply::json(&denied(reason)),
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

fn denied(reason: &str) -> Value {
    json!({ "decision": "deny", "reason": reason })
}
