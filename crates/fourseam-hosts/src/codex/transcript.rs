//! Codex's transcripts, `sessions/**/rollout-*.jsonl`: one `{timestamp, type, payload}` a line. `session_meta` names the
//! session, `turn_context` the working directory, `response_item` the calls and their outputs. Tools come under their own
//! names here and under others in the payloads of hooks: they are told as the payloads tell them.

use crate::read::{Fields, unfold};
use crate::transcript::{Call, Calls, Outcome, Transcripts, lines};
use serde_json::{Value, json};

pub(super) const TRANSCRIPTS: Transcripts =
    Transcripts { folder: "sessions", is_one: |name| name.starts_with("rollout-") && name.ends_with(".jsonl"), read };

fn read(text: &str) -> Vec<Call> {
    let mut calls = Calls::default();
    let (mut session, mut cwd) = (None, None);
    for line in lines(text) {
        let fields = Fields(&line);
        // The oldest form has the payload itself on the line.
        let payload = fields.get(&["payload"]).unwrap_or(&line);
        let part = Fields(payload);
        match fields.text(&["type"]) {
            Some("session_meta") => {
                // A sub-agent has an id of its own; its hooks name the session.
                session = part.id(&["session_id", "id"]).or(session);
                cwd = part.id(&["cwd"]).or(cwd);
            }
            Some("turn_context") => cwd = part.id(&["cwd"]).or(cwd),
            Some(_) | None => {}
        }
        let kind = part.text(&["type"]).unwrap_or_default();
        let id = part.id(&["call_id", "id"]).unwrap_or_default();
        if let Some((tool, input)) = called(kind, part) {
            let time = fields.id(&["timestamp"]);
            let own = Fields(&input).id(&["workdir", "working_directory"]);
            let cwd = own.filter(|own| own.starts_with('/')).or_else(|| cwd.clone());
            calls.add(Call { id, tool, input, cwd, session: session.clone(), time, outcome: Outcome::Open });
        } else if matches!(kind, "function_call_output" | "custom_tool_call_output") {
            let output = part.object(&["output"]);
            let refused = output.get("success") == Some(&Value::Bool(false));
            calls.close(&id, if refused { Outcome::Failed } else { Outcome::Ran });
        }
    }
    calls.into_vec()
}

/// Tool and input of a call, as a hook gets them.
fn called(kind: &str, part: Fields) -> Option<(String, Value)> {
    match kind {
        "function_call" => {
            let input = part.get(&["arguments"]).map(|arguments| unfold(arguments).into_owned()).unwrap_or_default();
            Some(as_hooked(&part.id(&["name"])?, input))
        }
        "custom_tool_call" => {
            let input = part.get(&["input"]).cloned().unwrap_or_default();
            Some(as_hooked(&part.id(&["name"])?, input))
        }
        "local_shell_call" => Some(as_hooked("local_shell", part.get(&["action"])?.clone())),
        _ => None,
    }
}

fn as_hooked(name: &str, input: Value) -> (String, Value) {
    match name {
        "exec_command" | "shell" | "shell_command" | "local_shell" => {
            let fields = Fields(&input);
            let command = fields.get(&["cmd", "command"]).cloned().unwrap_or_default();
            let workdir = fields.id(&["workdir", "working_directory"]);
            ("Bash".to_owned(), json!({ "command": command, "workdir": workdir }))
        }
        "apply_patch" => {
            let text = input.as_str().or_else(|| Fields(&input).text(&["input", "patch", "command"]));
            ("apply_patch".to_owned(), json!({ "command": text }))
        }
        other => (other.to_owned(), input),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests may panic")]
    use super::*;

    fn item(payload: &Value) -> String {
        json!({ "timestamp": "2026-11-30T08:00:00.000Z", "type": "response_item", "payload": payload }).to_string()
    }

    #[test]
    fn calls_as_the_hooks_see_them() {
        let text = [
            json!({ "type": "session_meta", "payload": { "id": "a1", "session_id": "s1", "cwd": "/home/ana/shop" } }).to_string(),
            item(&json!({ "type": "function_call", "name": "exec_command", "call_id": "c1", "arguments": "{\"cmd\":\"npm test\"}" })),
            item(&json!({ "type": "function_call_output", "call_id": "c1", "output": "Process exited with code 0" })),
            json!({ "type": "turn_context", "payload": { "cwd": "/home/ana/other" } }).to_string(),
            item(&json!({ "type": "custom_tool_call", "name": "apply_patch", "call_id": "c2", "input": "*** Begin Patch\n*** End Patch" })),
            item(&json!({ "type": "function_call", "name": "shell", "call_id": "c3", "arguments": "{\"command\":[\"bash\",\"-lc\",\"ls\"],\"workdir\":\"/tmp\"}" })),
            item(&json!({ "type": "function_call_output", "call_id": "c3", "output": { "content": "no", "success": false } })),
            item(&json!({ "type": "local_shell_call", "call_id": "c4", "action": { "type": "exec", "command": ["ls"] } })),
            item(&json!({ "type": "message", "role": "assistant", "content": [] })),
            "[1, 2".to_owned(),
        ]
        .join("\n");
        let calls = read(&text);
        let told: Vec<_> = calls
            .iter()
            .map(|call| (call.id.as_str(), call.tool.as_str(), call.cwd.as_deref().unwrap_or(""), call.outcome))
            .collect();
        let want = [
            ("c1", "Bash", "/home/ana/shop", Outcome::Ran),
            ("c2", "apply_patch", "/home/ana/other", Outcome::Open),
            ("c3", "Bash", "/tmp", Outcome::Failed),
            ("c4", "Bash", "/home/ana/other", Outcome::Open),
        ];
        assert_eq!(told, want);
        assert_eq!(calls[0].session.as_deref(), Some("s1"));
        assert_eq!(calls[0].input["command"], "npm test");
        assert!(calls[1].input["command"].as_str().is_some_and(|text| text.starts_with("*** Begin")));
    }
}
