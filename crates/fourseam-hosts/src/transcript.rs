//! What hosts write down of their own sessions: the tool calls in a transcript, told as the payloads their hooks would
//! have got. Text in, calls out; total: lines that are no calls are passed over.

use serde_json::{Value, json};
use std::collections::HashMap;

/// Where a host keeps its transcripts, and how they are read.
#[derive(Clone, Copy, Debug)]
pub struct Transcripts {
    /// Folder, from the folder of the host's hook file in the user's scope. Transcripts are at any depth below it.
    pub folder: &'static str,
    /// Whether a file of this name is one.
    pub is_one: fn(&str) -> bool,
    /// The calls of one file, in its order, each id once.
    pub read: fn(&str) -> Vec<Call>,
}

/// One tool call of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The host's id of the call, as its hooks get it; empty where the transcript has none.
    pub id: String,
    /// Tool, in the spelling of the host's payloads.
    pub tool: String,
    /// Input, in the form of the host's payloads.
    pub input: Value,
    /// Working directory.
    pub cwd: Option<String>,
    /// Session id.
    pub session: Option<String>,
    /// When it was written down, RFC 3339.
    pub time: Option<String>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What a transcript says came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: the session ended, or the form is not known.
    Open,
    /// A result came back, whatever the tool itself made of it.
    Ran,
    /// It was refused, or came to nothing.
    Failed,
}

impl Call {
    /// The payload that the host's hook gets before such a call, for [`crate::Host::parse`] at `event`.
    #[must_use]
    pub fn payload(&self, event: &str) -> Value {
        json!({
            "hook_event_name": event,
            "session_id": self.session,
            "cwd": self.cwd,
            "tool_name": self.tool,
            "tool_input": self.input,
            "tool_use_id": self.id,
        })
    }
}

/// Calls in the order of a text, and what came of them, which is written down later.
#[derive(Default)]
pub(crate) struct Calls {
    all: Vec<Call>,
    by_id: HashMap<String, usize>,
}

impl Calls {
    /// A call; one of an id that is known already is the same call, repeated when a session was resumed.
    pub(crate) fn add(&mut self, call: Call) {
        if call.id.is_empty() {
            self.all.push(call);
        } else if !self.by_id.contains_key(&call.id) {
            self.by_id.insert(call.id.clone(), self.all.len());
            self.all.push(call);
        }
    }

    /// What came of the call of an id.
    pub(crate) fn close(&mut self, id: &str, outcome: Outcome) {
        if let Some(call) = self.by_id.get(id).and_then(|at| self.all.get_mut(*at)) {
            call.outcome = outcome;
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Call> {
        self.all
    }
}

/// The objects of a text with one JSON value a line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).filter(Value::is_object)
}
