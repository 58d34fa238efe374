//! OpenAI chat completions.

use super::{Origin, Said, Sent, Turn, named_arguments};
use serde_json::{Value, json};

pub(super) fn say(turn: &Turn, origin: &Origin) -> Said {
    let (message, finish) = match turn {
        Turn::Text(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Turn::Call(call, id) => {
            let function = json!({"name": call.name, "arguments": named_arguments(call).to_string()});
            let call = json!({"index": 0, "id": id, "type": "function", "function": function});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
    };
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20});
    let chunk = |delta: &Value, finish: Value, usage: &Value| {
        json!({"id": format!("chatcmpl-{}", origin.number), "object": "chat.completion.chunk", "created": 1_700_000_000, "model": origin.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": usage})
    };
    let events = vec![
        Sent::plain(&chunk(&message, Value::Null, &Value::Null)),
        Sent::plain(&chunk(&json!({}), finish.into(), &usage)),
        Sent { name: None, data: "[DONE]".to_owned() },
    ];
    let whole = json!({"id": format!("chatcmpl-{}", origin.number), "object": "chat.completion", "created": 1_700_000_000, "model": origin.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage});
    Said { events, whole }
}
