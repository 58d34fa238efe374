//! The wire formats: a turn of the script in the words of each protocol. Shapes are those the clients accepted when run.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use super::http::Answer;
use super::script::{Arguments, Call, Turn};
use serde_json::Value;
use std::fmt::Write;

/// A protocol, and whether its answer is a stream.
pub(super) struct Format {
    protocol: Protocol,
    stream: bool,
}

enum Protocol {
    Anthropic,
    Chat,
    Gemini,
    Responses,
}

/// The format that a path names. `body` says whether a stream is wanted, where the path does not.
pub(super) fn of_path(path: &str, body: &Value) -> Option<Format> {
    let wanted = body.get("stream").and_then(Value::as_bool).unwrap_or(false);
    let ends = |end: &str| path.ends_with(end);
    Some(match () {
        () if ends("/messages") => Format { protocol: Protocol::Anthropic, stream: wanted },
        () if ends("/responses") => Format { protocol: Protocol::Responses, stream: wanted },
        () if ends("/chat/completions") => Format { protocol: Protocol::Chat, stream: wanted },
        () if ends(":streamGenerateContent") => Format { protocol: Protocol::Gemini, stream: true },
        () if ends(":generateContent") => Format { protocol: Protocol::Gemini, stream: false },
        () => return None,
    })
}

impl Format {
    /// A turn as this protocol says it.
    pub(super) fn say(&self, turn: &Turn, origin: &Origin) -> Answer {
        let said = match self.protocol {
            Protocol::Anthropic => anthropic::say(turn, origin),
            Protocol::Chat => chat::say(turn, origin),
            Protocol::Gemini => gemini::say(turn),
            Protocol::Responses => responses::say(turn, origin),
        };
        if self.stream { Answer::events(events(&said.events)) } else { Answer::json(&said.whole) }
    }
}

/// Who answers: the name of the model, and the number of the request, since clients take answers with one id for one.
pub(super) struct Origin<'a> {
    /// Name of the model that was asked for.
    pub(super) model: &'a str,
    /// Number of the request.
    pub(super) number: usize,
}

/// An answer in both forms.
struct Said {
    events: Vec<Sent>,
    whole: Value,
}

/// One event of a stream.
struct Sent {
    name: Option<&'static str>,
    data: String,
}

impl Sent {
    /// An event whose name is also the `type` of its data.
    fn named(name: &'static str, data: &Value) -> Self {
        Self { name: Some(name), data: data.to_string() }
    }

    fn plain(data: &Value) -> Self {
        Self { name: None, data: data.to_string() }
    }
}

fn events(sent: &[Sent]) -> String {
    let mut text = String::new();
    for Sent { name, data } in sent {
        let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        let _ = write!(text, "{name}data: {data}\n\n");
    }
    text
}

/// Named arguments; a free text has no name, so protocols without free texts call it `input`.
fn named_arguments(call: &Call) -> Value {
    match &call.arguments {
        Arguments::Json(value) => value.clone(),
        Arguments::Text(text) => serde_json::json!({ "input": text }),
    }
}
