//! OpenAI responses.

use super::super::script::Arguments;
use super::{Origin, Said, Sent, Turn};
use serde_json::{Value, json};

pub(super) fn say(turn: &Turn, origin: &Origin) -> Said {
    let item = item(turn, origin);
    let response = |status: &str, output: Value| {
        json!({"id": format!("resp_{}", origin.number), "object": "response", "created_at": 1_700_000_000, "status": status, "model": origin.model,
            "output": output, "usage": {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 20}})
    };
    let whole = response("completed", json!([item]));
    let named = |number: u32, name: &'static str, mut data: Value| {
        if let Value::Object(fields) = &mut data {
            fields.insert("type".to_owned(), name.into());
            fields.insert("sequence_number".to_owned(), number.into());
        }
        Sent::named(name, &data)
    };
    let events = vec![
        named(0, "response.created", json!({"response": response("in_progress", json!([]))})),
        named(1, "response.output_item.added", json!({"output_index": 0, "item": item})),
        named(2, "response.output_item.done", json!({"output_index": 0, "item": item})),
        named(3, "response.completed", json!({"response": whole})),
    ];
    Said { events, whole }
}

fn item(turn: &Turn, origin: &Origin) -> Value {
    let (call, id) = match turn {
        Turn::Text(text) => {
            return json!({"type": "message", "id": format!("msg_{}", origin.number), "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]});
        }
        Turn::Call(call, id) => (call, id),
    };
    let mut item = match &call.arguments {
        Arguments::Text(text) => json!({"type": "custom_tool_call", "input": text}),
        Arguments::Json(arguments) => json!({"type": "function_call", "arguments": arguments.to_string()}),
    };
    if let Value::Object(fields) = &mut item {
        fields.insert("id".to_owned(), format!("fc_{id}").into());
        fields.insert("call_id".to_owned(), id.as_str().into());
        fields.insert("name".to_owned(), call.name.as_str().into());
        fields.insert("status".to_owned(), "completed".into());
        if let Some(namespace) = &call.namespace {
            fields.insert("namespace".to_owned(), namespace.as_str().into());
        }
    }
    item
}
