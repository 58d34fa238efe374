//! Verdicts in the words our OpenCode plugin reads: it throws the reason before a call, puts it in the place of a result
//! after one, and puts a context in front of a result.

use crate::host::{Event, Reply};
use fourseam_core::decision::Decision;
use fourseam_core::remedy::Replacement;
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(super) fn render(event: &Event, told: &Told) -> Reply {
    let reason = told.text();
    match (told.said(), event.name) {
        (Decision::Deny, "tool.execute.before") => Reply::refusal(&denied(reason), reason),
        (Decision::Ask, "tool.execute.after") => Reply::json(&json!({ "context": reason })),
        (Decision::Deny, "tool.execute.after") => {
            Reply::json(&denied(told.replacement().map_or(reason, Replacement::text)))
        }
        (Decision::Abstain | Decision::Allow | Decision::Ask | Decision::Deny, _) => Reply::silent(),
    }
}

fn denied(reason: &str) -> Value {
    json!({ "decision": "deny", "reason": reason })
}
