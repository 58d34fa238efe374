//! What a protocol has to say: a question as a request, a reply as an answer. Pure; sending is `http`'s business.

use fourseam_core::judge::{Answer, JudgeSettings, Question, Sheet};
use serde_json::Value;

/// A protocol.
pub(super) trait Backend {
    /// The question as a request.
    fn request(&self, settings: &JudgeSettings, question: &Question<'_>) -> Request;
    /// The reply as an answer.
    ///
    /// # Errors
    /// What is wrong with the reply.
    fn read(&self, sheet: &Sheet, body: &Value) -> Result<(Answer, Reply), String>;
}

/// A request, without its key.
pub(super) struct Request {
    /// Where the key goes.
    pub(super) key: KeyHeader,
    /// Other headers.
    pub(super) headers: Vec<(&'static str, &'static str)>,
    /// JSON.
    pub(super) body: Value,
}

/// The header that carries a key.
#[derive(Clone, Copy)]
pub(super) enum KeyHeader {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `x-api-key: KEY`.
    ApiKey,
}

/// What a reply tells beside the answer.
pub(super) struct Reply {
    /// Tokens that were sent.
    pub(super) tokens_in: u64,
    /// Tokens that came back.
    pub(super) tokens_out: u64,
}

impl Request {
    /// Takes the response format out. Says whether there was one.
    pub(super) fn drop_response_format(&mut self) -> bool {
        self.body.as_object_mut().is_some_and(|body| body.remove("response_format").is_some())
    }
}

impl Reply {
    /// Token counts by the names that a protocol gives them.
    pub(super) fn of_usage(body: &Value, tokens_in: &str, tokens_out: &str) -> Self {
        let count = |name: &str| body.get("usage").and_then(|usage| usage.get(name)?.as_u64()).unwrap_or(0);
        Self { tokens_in: count(tokens_in), tokens_out: count(tokens_out) }
    }
}
