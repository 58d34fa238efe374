//! What a request to the model holds, whatever the wire format: prompt, tool results, whether tools are offered.

use serde_json::Value;

/// A request.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// User and system text. The task that a call hands to a sub-agent is not in it.
    pub(super) prompt: String,
    /// Texts of the tool results, in order.
    pub(super) results: Vec<String>,
    /// Whether the model may call tools.
    pub(super) offers_tools: bool,
}

impl Conversation {
    /// Reads a request body of any of the formats.
    pub(super) fn read(body: &Value) -> Self {
        Self { prompt: prompt(body), results: results(body), offers_tools: offers_tools(body) }
    }
}

fn offers_tools(body: &Value) -> bool {
    let listed = list(body, "tools").next().is_some();
    listed || list(body, "input").any(|item| word(item, "type") == "additional_tools")
}

fn results(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for message in list(body, "messages") {
        if word(message, "role") == "tool" {
            found.push(text_of(message.get("content")));
        }
        for block in list(message, "content").filter(|block| word(block, "type") == "tool_result") {
            found.push(text_of(block.get("content")));
        }
    }
    for item in list(body, "input").filter(|item| word(item, "type").ends_with("_output")) {
        found.push(text_of(item.get("output")));
    }
    for part in list(body, "contents").flat_map(|content| list(content, "parts")) {
        if let Some(response) = part.get("functionResponse") {
            found.push(text_of(response.get("response")));
        }
    }
    found
}

fn prompt(body: &Value) -> String {
    let mut texts = Vec::new();
    for key in ["system", "instructions", "systemInstruction"] {
        add_texts(body.get(key), &mut texts);
    }
    for message in list(body, "messages").chain(list(body, "contents")) {
        if !["user", "system", "developer"].contains(&word(message, "role")) {
            continue;
        }
        for key in ["content", "parts"] {
            if message.get(key).is_some_and(Value::is_string) {
                add_texts(message.get(key), &mut texts);
            }
            for block in list(message, key) {
                if word(block, "type") != "tool_result" && block.get("functionResponse").is_none() {
                    add_texts(Some(block), &mut texts);
                }
            }
        }
    }
    if body.get("input").is_some_and(Value::is_string) {
        add_texts(body.get("input"), &mut texts);
    }
    for item in list(body, "input") {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or("message");
        if ["message", "agent_message"].contains(&kind) && word(item, "role") != "assistant" {
            add_texts(Some(item), &mut texts);
        }
    }
    texts.join("\n")
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn text_of(value: Option<&Value>) -> String {
    let mut texts = Vec::new();
    add_texts(value, &mut texts);
    texts.join("\n")
}

fn add_texts<'a>(value: Option<&'a Value>, texts: &mut Vec<&'a str>) {
    match value {
        Some(Value::String(text)) => texts.push(text),
        Some(Value::Array(items)) => items.iter().for_each(|item| add_texts(Some(item), texts)),
        Some(Value::Object(fields)) => {
            // `type` names the kind of a block; it is not part of what was said.
            fields.iter().filter(|(name, _)| *name != "type").for_each(|(_, field)| add_texts(Some(field), texts));
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => {}
    }
}
