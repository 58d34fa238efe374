//! Anthropic messages. Source: the Anthropic API reference, `POST /v1/messages`, version 2023-06-01.

use super::backend::{Backend, KeyHeader, Reply, Request};
use fourseam_core::judge::{Answer, JudgeSettings, Prompt, Question, Sheet};
use serde_json::{Value, json};

pub(super) struct Anthropic;

/// Longest reply: an answer is some 150 tokens.
const MOST_TOKENS: u32 = 1024;

impl Backend for Anthropic {
    fn request(&self, settings: &JudgeSettings, question: &Question<'_>) -> Request {
        let Prompt { system, user } = question.prompt();
        Request {
            key: KeyHeader::ApiKey,
            headers: vec![("anthropic-version", "2023-06-01")],
            body: json!({
                "model": settings.model,
                "max_tokens": MOST_TOKENS,
                "system": system,
                "messages": [{ "role": "user", "content": user }],
            }),
        }
    }

    fn read(&self, sheet: &Sheet, body: &Value) -> Result<(Answer, Reply), String> {
        let parts = body.get("content").and_then(Value::as_array).ok_or("the reply has no `content`")?;
        let text: String = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
        let answer = Answer::of_text(sheet, &text).map_err(|error| error.to_string())?;
        Ok((answer, Reply::of_usage(body, "input_tokens", "output_tokens")))
    }
}
