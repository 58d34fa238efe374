//! The readable text of a tool's result: what the model will see of it, whatever shape the host gives it.

use crate::read::unfold;
use serde_json::Value;

/// Fields that hold the whole of what the model sees, where a host has one.
const WHOLE: &[&str] = &["llmContent", "textResultForLlm", "text_result_for_llm"];
/// Fields that hold a part of it, in the order they are read.
const PARTS: &[&str] = &["stdout", "stderr", "output", "content", "text", "result", "file", "error", "message"];
/// Fields that are never text for the model: marks, bytes, and the user's file as it was.
const NEVER: &[&str] = &["type", "data", "mimeType", "mime_type", "signature", "originalFile", "structuredPatch"];

/// Text of a result. JSON text is read as the JSON it is.
pub(crate) fn text(value: &Value) -> String {
    let mut out = String::new();
    match unfold(value).as_ref() {
        Value::String(text) => out.push_str(text),
        value => collect(value, &mut out),
    }
    out
}

fn collect(value: &Value, out: &mut String) {
    match value {
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => push(&value.to_string(), out),
        Value::String(text) => push(text, out),
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        Value::Object(fields) => {
            if let Some(whole) = WHOLE.iter().find_map(|name| fields.get(*name)) {
                return collect(whole, out);
            }
            let mut parts = PARTS.iter().filter_map(|name| fields.get(*name)).peekable();
            if parts.peek().is_some() {
                return parts.for_each(|part| collect(part, out));
            }
            // No field that we know: every text in it, rather than none.
            for (name, value) in fields {
                if !NEVER.contains(&name.as_str()) && !value.is_number() && !value.is_boolean() {
                    collect(value, out);
                }
            }
        }
    }
}

fn push(text: &str, out: &mut String) {
    if text.is_empty() {
        return;
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shape_gives_its_text() {
        for (value, expected) in [
            (json!("plain"), "plain"),
            (json!(""), ""),
            (json!(null), ""),
            (json!({ "stdout": "out\n", "stderr": "err", "interrupted": false }), "out\nerr"),
            (json!({ "llmContent": "seen", "returnDisplay": { "fileDiff": "not seen" } }), "seen"),
            (json!({ "llmContent": [{ "text": "a" }, { "text": "b" }] }), "a\nb"),
            (json!([{ "type": "text", "text": "mcp" }, { "type": "image", "data": "AAAA" }]), "mcp"),
            (json!({ "type": "text", "file": { "filePath": "/a", "content": "inside" } }), "inside"),
            (json!({ "resultType": "success", "textResultForLlm": "ok" }), "ok"),
            (json!("{\"output\":\"from JSON text\"}"), "from JSON text"),
            (json!({ "filePath": "/a", "unknownField": { "deep": ["x"] }, "size": 3 }), "/a\nx"),
        ] {
            assert_eq!(text(&value), expected, "{value}");
        }
    }
}
