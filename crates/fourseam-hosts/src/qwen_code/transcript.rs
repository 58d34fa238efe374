//! Qwen Code's transcripts, `projects/*/chats/*.jsonl` (seen in 0.24.4): one entry a line. An assistant's entry holds
//! `message.parts[].functionCall`; a later `tool_result` the call's id and `status`.

use crate::read::Fields;
use crate::transcript::{Call, Calls, Outcome, Transcripts, lines};
use serde_json::Value;

pub(super) const TRANSCRIPTS: Transcripts =
    Transcripts { folder: "projects", is_one: |name| name.ends_with(".jsonl"), read };

fn read(text: &str) -> Vec<Call> {
    let mut calls = Calls::default();
    for line in lines(text) {
        let fields = Fields(&line);
        let message = fields.get(&["message"]).unwrap_or(&Value::Null);
        for part in Fields(message).list(&["parts"]).unwrap_or_default() {
            let Some(call) = Fields(part).get(&["functionCall"]) else { continue };
            let part = Fields(call);
            calls.add(Call {
                id: part.id(&["id"]).unwrap_or_default(),
                tool: part.id(&["name"]).unwrap_or_default(),
                input: part.object(&["args"]).into_owned(),
                cwd: fields.id(&["cwd"]),
                session: fields.id(&["sessionId"]),
                time: fields.id(&["timestamp"]),
                outcome: Outcome::Open,
            });
        }
        if let Some(result) = fields.get(&["toolCallResult"]) {
            let result = Fields(result);
            let outcome = if result.text(&["status"]) == Some("success") { Outcome::Ran } else { Outcome::Failed };
            calls.close(&result.id(&["callId"]).unwrap_or_default(), outcome);
        }
    }
    calls.into_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_and_what_came_of_them() {
        let line = |more: Value| {
            let mut line =
                json!({ "sessionId": "s1", "timestamp": "2026-11-30T08:00:00.000Z", "cwd": "/home/ana/shop" });
            if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
                line.extend(more.clone());
            }
            line.to_string()
        };
        let call = |id: &str| json!({ "functionCall": { "id": id, "name": "run_shell_command", "args": { "command": "ls" } } });
        let text = [
            line(json!({ "message": { "role": "model", "parts": [{ "text": "Yes." }, call("a"), call("b")] } })),
            "{ torn".to_owned(),
            line(json!({ "toolCallResult": { "callId": "a", "status": "success" } })),
            line(json!({ "toolCallResult": { "callId": "b", "status": "error" } })),
        ]
        .join("\n");
        let calls = read(&text);
        let told: Vec<_> = calls.iter().map(|call| (call.id.as_str(), call.outcome)).collect();
        assert_eq!(told, [("a", Outcome::Ran), ("b", Outcome::Failed)]);
        assert_eq!(calls.first().and_then(|call| call.cwd.as_deref()), Some("/home/ana/shop"));
    }
}
