//! Gemini CLI's transcripts, `tmp/*/chats/session-*.jsonl` (seen in 0.61.0): a head with `sessionId`, then one message a
//! line, written again with its `toolCalls` once they have run. Older ones are one JSON object with `messages`.
//! Hooks get no id of a call, so none is told here.

use crate::read::Fields;
use crate::transcript::{Call, Calls, Outcome, Transcripts, lines};
use serde_json::Value;

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    folder: "tmp",
    is_one: |name| name.starts_with("session-") && (name.ends_with(".jsonl") || name.ends_with(".json")),
    read,
};

/// The line of a session's first message that the folder stands under.
const WORKSPACE: &str = "**Workspace Directories:**";

fn read(text: &str) -> Vec<Call> {
    let mut calls = Calls::default();
    let (mut session, mut cwd) = (None, None);
    let whole: Option<Value> = serde_json::from_str(text).ok();
    for line in whole.into_iter().chain(lines(text)) {
        let fields = Fields(&line);
        session = fields.id(&["sessionId"]).or(session);
        let set = fields.get(&["$set"]).unwrap_or(&line);
        let many = Fields(set).list(&["messages"]).unwrap_or_default();
        for message in many.iter().chain(std::iter::once(&line)) {
            let fields = Fields(message);
            cwd = cwd.or_else(|| workspace(message));
            for call in fields.list(&["toolCalls"]).unwrap_or_default() {
                let part = Fields(call);
                let id = part.id(&["id"]).unwrap_or_default();
                calls.add(Call {
                    id: id.clone(),
                    tool: part.id(&["name"]).unwrap_or_default(),
                    input: part.object(&["args"]).into_owned(),
                    cwd: cwd.clone(),
                    session: session.clone(),
                    time: part.id(&["timestamp"]).or_else(|| fields.id(&["timestamp"])),
                    outcome: Outcome::Open,
                });
                match part.text(&["status"]) {
                    Some("success") => calls.close(&id, Outcome::Ran),
                    Some("error" | "cancelled") => calls.close(&id, Outcome::Failed),
                    Some(_) | None => {}
                }
            }
        }
    }
    calls.into_vec().into_iter().map(|call| Call { id: String::new(), ..call }).collect()
}

/// The folder that the first message of a session names.
fn workspace(message: &Value) -> Option<String> {
    let parts = Fields(message).list(&["content"])?;
    let text = parts.iter().find_map(|part| Fields(part).text(&["text"]).filter(|text| text.contains(WORKSPACE)))?;
    let (_, after) = text.split_once(WORKSPACE)?;
    let line = after.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.trim_start_matches("- ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_and_what_came_of_them() {
        let context =
            "<session_context>\n- **Workspace Directories:**\n  - /home/ana/shop\n- **Directory Structure:**\n";
        let call = |id: &str, status: &str| json!({ "id": id, "name": "run_shell_command", "args": { "command": "ls" }, "status": status });
        let message = |calls: Value| {
            json!({ "id": "m1", "timestamp": "2026-11-30T08:00:00.000Z", "type": "gemini", "toolCalls": calls })
                .to_string()
        };
        let text = [
            json!({ "sessionId": "s1", "kind": "main" }).to_string(),
            json!({ "$set": { "messages": [{ "type": "user", "content": [{ "text": context }] }] } }).to_string(),
            message(json!([])),
            "{ torn".to_owned(),
            message(json!([call("a", "success"), call("b", "error")])),
            message(json!([call("a", "success"), call("c", "executing")])),
        ]
        .join("\n");
        let calls = read(&text);
        let outcomes: Vec<Outcome> = calls.iter().map(|call| call.outcome).collect();
        assert_eq!(outcomes, [Outcome::Ran, Outcome::Failed, Outcome::Open]);
        let first = calls.first().map(|call| (call.cwd.as_deref(), call.session.as_deref(), call.id.as_str()));
        assert_eq!(first, Some((Some("/home/ana/shop"), Some("s1"), "")));
    }
}
