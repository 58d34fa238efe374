//! What the model says: tool calls one after the other, then a text.

use super::conversation::Conversation;
use serde_json::Value;

/// One tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Name of the tool, as the client names it to the model.
    pub name: String,
    /// Name space of the tool, where the client's tools have one.
    pub namespace: Option<String>,
    /// What it is given.
    pub arguments: Arguments,
}

/// What a tool is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// Named arguments.
    Json(Value),
    /// One free text (OpenAI's custom tools).
    Text(String),
}

impl Call {
    /// A call with named arguments.
    #[must_use]
    pub fn json(name: &str, arguments: Value) -> Self {
        Self { name: name.to_owned(), namespace: None, arguments: Arguments::Json(arguments) }
    }

    /// A call with one free text.
    #[must_use]
    pub fn text(name: &str, text: impl Into<String>) -> Self {
        Self { name: name.to_owned(), namespace: None, arguments: Arguments::Text(text.into()) }
    }

    /// The same call in a name space.
    #[must_use]
    pub fn within(self, namespace: &str) -> Self {
        Self { namespace: Some(namespace.to_owned()), ..self }
    }
}

/// The calls of one conversation, found again by a tag in its prompt.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Text of the prompt that no other conversation has.
    pub tag: String,
    /// One call a turn.
    pub calls: Vec<Call>,
    /// What is said after the last call.
    pub end: String,
}

impl Task {
    pub(super) fn turn(&self, number: usize) -> Turn {
        match self.calls.get(number) {
            Some(call) => Turn::Call(call.clone(), format!("call_{}_{number}", self.tag)),
            None => Turn::Text(self.end.clone()),
        }
    }
}

/// Everything a model says: the first task whose tag is in a conversation is its task. A conversation that is offered
/// no tools (a title, a summary) has none.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The tasks.
    pub tasks: Vec<Task>,
}

impl Script {
    pub(super) fn task(&self, conversation: &Conversation) -> Option<Task> {
        let task = self.tasks.iter().find(|task| conversation.prompt.contains(&task.tag))?;
        conversation.offers_tools.then(|| task.clone())
    }
}

/// What the model says in one answer.
pub(super) enum Turn {
    /// A text.
    Text(String),
    /// A call and its id.
    Call(Call, String),
}
