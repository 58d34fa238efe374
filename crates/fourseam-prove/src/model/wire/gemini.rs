//! Gemini generateContent.

use super::{Said, Sent, Turn, named_arguments};
use serde_json::json;

pub(super) fn say(turn: &Turn) -> Said {
    let part = match turn {
        Turn::Text(text) => json!({"text": text}),
        Turn::Call(call, _) => json!({"functionCall": {"name": call.name, "args": named_arguments(call)}}),
    };
    let whole = json!({
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
        "modelVersion": "mock",
    });
    Said { events: vec![Sent::plain(&whole)], whole }
}
