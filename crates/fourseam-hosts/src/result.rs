//! The readable text of a tool's result: what the model will see of it, whatever shape the host gives it; and another
//! text in the same shape.

use crate::read::unfold;
use fourseam_core::remedy::Replacement;
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

/// What replaces a result, in the shape that it came in.
pub(crate) fn reshaped(replacement: &Replacement) -> Value {
    let mut value = unfold(replacement.raw()).into_owned();
    let mut first = true;
    put(&mut value, replacement, true, &mut first);
    // Where no text was found to stand in, the notice is all there is.
    if first { Value::String(replacement.text().to_owned()) } else { value }
}

/// `shown`: the model reads what is in here; what it does not read is cleaned too, but takes no notice.
fn put(value: &mut Value, replacement: &Replacement, shown: bool, first: &mut bool) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) if shown => {
            *text = replacement.in_place_of(text, *first);
            *first = false;
        }
        Value::String(text) => *text = replacement.elsewhere(text),
        Value::Array(items) => items.iter_mut().for_each(|item| put(item, replacement, shown, first)),
        Value::Object(fields) => {
            let whole = WHOLE.iter().find(|name| fields.contains_key(**name)).copied();
            let parts = PARTS.iter().any(|name| fields.contains_key(*name));
            let order: Vec<String> = PARTS
                .iter()
                .map(|name| (*name).to_owned())
                .chain(fields.keys().filter(|name| !PARTS.contains(&name.as_str())).cloned())
                .collect();
            for name in order {
                let is_text = match whole {
                    Some(whole) => name == whole,
                    None if parts => PARTS.contains(&name.as_str()),
                    None => !NEVER.contains(&name.as_str()),
                };
                if let Some(inner) = fields.get_mut(&name) {
                    put(inner, replacement, shown && is_text, first);
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
