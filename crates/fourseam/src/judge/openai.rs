//! Chat completions, as Ollama, llama.cpp, vLLM, LM Studio and hosted models speak it.
//! Source: the OpenAI API reference, `POST /v1/chat/completions`.

use super::backend::{Backend, KeyHeader, Reply, Request};
use fourseam_core::judge::{Answer, JudgeSettings, Prompt, Question, Sheet};
use serde_json::{Value, json};

pub(super) struct OpenAi;

impl Backend for OpenAi {
    fn request(&self, settings: &JudgeSettings, question: &Question<'_>) -> Request {
        let Prompt { system, user } = question.prompt();
        Request {
            key: KeyHeader::Bearer,
            headers: Vec::new(),
            body: json!({
                "model": settings.model,
                "temperature": 0,
                "stream": false,
                "response_format": { "type": "json_object" },
                "messages": [{ "role": "system", "content": system }, { "role": "user", "content": user }],
            }),
        }
    }

    fn read(&self, sheet: &Sheet, body: &Value) -> Result<(Answer, Reply), String> {
        let content = body.pointer("/choices/0/message/content").and_then(Value::as_str);
        let content = content.ok_or("the reply has no `choices[0].message.content`")?;
        let answer = Answer::of_text(sheet, content).map_err(|error| error.to_string())?;
        Ok((answer, Reply::of_usage(body, "prompt_tokens", "completion_tokens")))
    }
}
