//! Anthropic messages.

use super::{Origin, Said, Sent, Turn, named_arguments};
use serde_json::{Value, json};

pub(super) fn say(turn: &Turn, origin: &Origin) -> Said {
    let (block, empty, delta, stop) = match turn {
        Turn::Text(text) => (
            json!({"type": "text", "text": text}),
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": text}),
            "end_turn",
        ),
        Turn::Call(call, id) => {
            let tool = |input: Value| json!({"type": "tool_use", "id": format!("tool{id}"), "name": call.name, "input": input});
            let input = named_arguments(call);
            let delta = json!({"type": "input_json_delta", "partial_json": input.to_string()});
            (tool(input), tool(json!({})), delta, "tool_use")
        }
    };
    let message = |content: Value, stop: Value| {
        json!({"id": format!("msg_{}", origin.number), "type": "message", "role": "assistant", "model": origin.model, "content": content,
            "stop_reason": stop, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 10}})
    };
    let named = |name: &'static str, mut data: Value| {
        if let Value::Object(fields) = &mut data {
            fields.insert("type".to_owned(), name.into());
        }
        Sent::named(name, &data)
    };
    let end = json!({"delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 10}});
    let events = vec![
        named("message_start", json!({"message": message(json!([]), Value::Null)})),
        named("content_block_start", json!({"index": 0, "content_block": empty})),
        named("content_block_delta", json!({"index": 0, "delta": delta})),
        named("content_block_stop", json!({"index": 0})),
        named("message_delta", end),
        named("message_stop", json!({})),
    ];
    Said { events, whole: message(json!([block]), stop.into()) }
}
