//! Claude Code's transcripts: one JSON object a line below `projects/`, one file a session or sub-agent. An assistant's
//! line holds `message.content[]` with `tool_use`; a later user's line holds the `tool_result` of the same id.

use crate::read::Fields;
use crate::transcript::{Call, Calls, Outcome, Transcripts, lines};
use serde_json::Value;

pub(super) const TRANSCRIPTS: Transcripts =
    Transcripts { folder: "projects", is_one: |name| name.ends_with(".jsonl"), read };

fn read(text: &str) -> Vec<Call> {
    let mut calls = Calls::default();
    for line in lines(text) {
        let fields = Fields(&line);
        let message = fields.get(&["message"]).map_or(&Value::Null, |message| message);
        for block in Fields(message).list(&["content"]).unwrap_or_default() {
            let part = Fields(block);
            match part.text(&["type"]) {
                Some("tool_use") => calls.add(Call {
                    id: part.id(&["id"]).unwrap_or_default(),
                    tool: part.id(&["name"]).unwrap_or_default(),
                    input: part.object(&["input"]).into_owned(),
                    cwd: fields.id(&["cwd"]),
                    session: fields.id(&["sessionId", "session_id"]),
                    time: fields.id(&["timestamp"]),
                    outcome: Outcome::Open,
                }),
                Some("tool_result") => {
                    let outcome = if part.flag(&["is_error"]) { Outcome::Failed } else { Outcome::Ran };
                    calls.close(&part.id(&["tool_use_id"]).unwrap_or_default(), outcome);
                }
                Some(_) | None => {}
            }
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
        let line = |content: Value| {
            json!({ "type": "x", "sessionId": "s1", "cwd": "/home/ana/shop", "timestamp": "2026-11-30T08:00:00.000Z",
                    "message": { "role": "x", "content": content } })
            .to_string()
        };
        let text = [
            line(json!("run the tests")),
            line(json!([{ "type": "text", "text": "Yes." },
                { "type": "tool_use", "id": "toolu_1", "name": "Bash", "input": { "command": "npm test" } },
                { "type": "tool_use", "id": "toolu_2", "name": "Read", "input": { "file_path": "a.rs" } }])),
            "{ torn".to_owned(),
            line(json!([{ "type": "tool_result", "tool_use_id": "toolu_1", "content": "ok" },
                { "type": "tool_result", "tool_use_id": "toolu_2", "content": "no", "is_error": true }])),
            line(json!([{ "type": "tool_use", "id": "toolu_1", "name": "Bash", "input": { "command": "npm test" } },
                { "type": "tool_use", "id": "toolu_3", "name": "Bash", "input": { "command": "ls" } }])),
        ]
        .join("\n");
        let calls = read(&text);
        let told: Vec<_> = calls.iter().map(|call| (call.id.as_str(), call.tool.as_str(), call.outcome)).collect();
        let want = [
            ("toolu_1", "Bash", Outcome::Ran),
            ("toolu_2", "Read", Outcome::Failed),
            ("toolu_3", "Bash", Outcome::Open),
        ];
        assert_eq!(told, want);
        assert_eq!(calls.first().and_then(|call| call.session.as_deref()), Some("s1"));
        assert_eq!(calls.first().and_then(|call| call.cwd.as_deref()), Some("/home/ana/shop"));
    }
}
