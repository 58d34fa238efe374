//! Asks the optional model. Everything is bounded: one call a hook, a total time, a breaker after failures, a cache in
//! front. What an answer means is decided in the core. Without a judge in the policy nothing of this runs.

mod anthropic;
mod backend;
mod breaker;
mod cache;
mod http;
mod jev;
mod key;
mod openai;

use crate::home::Home;
use backend::{Backend, Reply};
use fourseam_core::judge::{self, Answer, JudgeNote, JudgeSettings, Question};
use std::time::{Duration, Instant};

/// Time beside the call itself: starting up, reading certificates and the cache.
const MARGIN: Duration = Duration::from_secs(1);

/// Longest time that [`ask`] may take.
pub(crate) fn budget(settings: &JudgeSettings) -> Duration {
    settings.timeout() + MARGIN
}

/// Asks, and notes what came of it. Without a state folder nothing is kept or remembered.
pub(crate) fn ask(home: Option<&Home>, settings: &JudgeSettings, question: &Question<'_>) -> JudgeNote {
    let started = Instant::now();
    let mut note = JudgeNote {
        kind: question.kind,
        model: format!("{}/{}", settings.backend.word(), settings.model),
        version: question.version,
        answer: None,
        trouble: None,
        cached: false,
        micros: 0,
        tokens_in: 0,
        tokens_out: 0,
        cost: 0.0,
    };
    let key = cache::key(settings, question);
    if let Some(answer) = home.and_then(|home| cache::get(home, settings, &key)) {
        note.answer = Some(answer);
        note.cached = true;
    } else {
        match fresh(home, settings, question) {
            Ok((answer, reply)) => {
                if let Some(home) = home {
                    cache::put(home, settings, &key, &answer);
                }
                note.cost = cost(settings, &reply);
                (note.tokens_in, note.tokens_out) = (reply.tokens_in, reply.tokens_out);
                note.answer = Some(answer);
            }
            Err(trouble) => note.trouble = Some(trouble),
        }
    }
    note.micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    note
}

/// An answer from the model itself.
fn fresh(home: Option<&Home>, settings: &JudgeSettings, question: &Question<'_>) -> Result<(Answer, Reply), String> {
    if let Some(home) = home {
        breaker::check(home)?;
    }
    let answered = exchange(settings, question);
    if let Some(home) = home {
        breaker::note(home, answered.is_ok());
    }
    answered
}

fn exchange(settings: &JudgeSettings, question: &Question<'_>) -> Result<(Answer, Reply), String> {
    let backend: &dyn Backend = match settings.backend {
        judge::Backend::OpenAi => &openai::OpenAi,
        judge::Backend::Anthropic => &anthropic::Anthropic,
        judge::Backend::Jev => &jev::Jev,
    };
    let key = key::read(settings)?;
    let client = http::Client::new(settings)?;
    let mut request = backend.request(settings, question);
    let mut sent = client.send(&request, key.as_deref());
    // Not every server knows a response format; it says so with 400.
    if sent.as_ref().is_err_and(http::Refusal::is_bad_request) && request.drop_response_format() {
        sent = client.send(&request, key.as_deref());
    }
    let body = sent.map_err(|refusal| refusal.to_string())?;
    backend.read(question.sheet, &body)
}

#[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn cost(settings: &JudgeSettings, reply: &Reply) -> f64 {
    (reply.tokens_in as f64 * settings.price_in + reply.tokens_out as f64 * settings.price_out) / 1e6
}
