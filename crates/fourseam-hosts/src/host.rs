//! What every adapter does. No default methods: a host that forgets one does not compile.

use crate::install::Install;
use fourseam_core::action::HookCall;
use fourseam_core::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

/// A coding agent with hooks.
pub trait Host: Sync {
    /// Id (`claude-code`).
    fn id(&self) -> &'static str;
    /// Other names accepted on the command line (`claude`).
    fn aliases(&self) -> &'static [&'static str];
    /// Name for people (`Claude Code`).
    fn title(&self) -> &'static str;
    /// Every event the host has, sorted by name.
    fn events(&self) -> &'static [Event];
    /// The event assumed when neither the payload nor the caller names one: the pre-tool gate.
    fn default_event(&self) -> &'static Event;
    /// Whether a payload is this host's by its shape. Hosts import each other's hook files, so the payload
    /// says who calls, and the command line is only a cross-check.
    fn recognises(&self, envelope: &Value) -> bool;
    /// A shell call at [`Host::default_event`] as the host sends it, values invented: for demonstrations and tests.
    fn sample(&self, command: &str) -> Value;
    /// Reads a payload. `event` is what the caller named, for payloads without one.
    ///
    /// # Errors
    /// When the payload is not an object or lacks what every payload of this host has.
    fn parse(&self, envelope: &Value, event: Option<&str>) -> Result<HookCall, ParseError>;
    /// Says a verdict in the host's words. `event` is from [`Host::events`], or [`Event::UNKNOWN`].
    fn render(&self, event: &Event, told: &Told) -> Reply;
    /// What cannot be enforced in it.
    fn limits(&self) -> &'static [Limit];
    /// How the host is wired.
    fn install(&self) -> &dyn Install;
}

/// Something that a host lets pass by every hook.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// What it is.
    pub what: &'static str,
    /// What fourseam does about it, or what a user can do.
    pub answer: &'static str,
}

impl dyn Host + '_ {
    /// The event with this name in the host's own spelling, or [`Event::UNKNOWN`], which is only watched.
    #[must_use]
    pub fn event(&self, name: &str) -> &'static Event {
        self.events().iter().find(|event| event.name == name).unwrap_or(&Event::UNKNOWN)
    }
}

/// One event of a host.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Name in the host's own spelling; empty for [`Event::UNKNOWN`].
    pub name: &'static str,
    /// What the host obeys there.
    pub capabilities: Capabilities,
}

/// An event where nothing is asked and nothing is obeyed. The base of every other row.
pub(crate) const WATCHED: Capabilities = Capabilities {
    point: None,
    gate: false,
    deny: false,
    ask: AskSupport::No,
    allow: false,
    rewrite: false,
    context: false,
    replace: ReplaceSupport::No,
    notice: false,
};

impl Event {
    /// An event the adapter does not know, from a newer host: watched, answered with the neutral word.
    pub const UNKNOWN: Event = Event::watched("");

    /// An event of no intervention point, where the host obeys nothing we would say.
    pub(crate) const fn watched(name: &'static str) -> Self {
        Self { name, capabilities: WATCHED }
    }
}

/// What the process answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Bytes for standard output.
    pub stdout: String,
    /// Bytes for standard error.
    pub stderr: String,
    /// Exit code.
    pub exit: u8,
}

impl Reply {
    /// Nothing at all, exit 0: no opinion on every command-hook host but Cursor.
    pub(crate) fn silent() -> Self {
        Self::default()
    }

    /// One JSON object, exit 0.
    pub(crate) fn json(words: &Value) -> Self {
        Self { stdout: words.to_string(), ..Self::default() }
    }

    /// The line for the user that came with a verdict, in the words of the hosts that have one; else nothing.
    pub(crate) fn notice(told: &Told) -> Self {
        told.notice().map_or_else(Self::silent, |line| Self::json(&json!({ "systemMessage": line })))
    }

    /// A warning for the agent, beside a prompt or a result, in the words of the hosts that took over Claude Code's.
    pub(crate) fn context(event: &Event, text: &str) -> Self {
        Self::json(&json!({ "hookSpecificOutput": { "additionalContext": text, "hookEventName": event.name } }))
    }

    /// A warning for the user, who is shown it beside the prompt or the answer.
    pub(crate) fn remark(text: &str) -> Self {
        Self::json(&json!({ "systemMessage": text }))
    }

    /// A warning for the agent and for the user.
    pub(crate) fn context_and_remark(event: &Event, text: &str) -> Self {
        Self::json(&json!({
            "hookSpecificOutput": { "additionalContext": text, "hookEventName": event.name },
            "systemMessage": text,
        }))
    }

    /// A refusal that holds on every command-hook host: the host's own JSON, the same reason on standard error, exit 2.
    pub(crate) fn refusal(words: &Value, reason: &str) -> Self {
        Self { stdout: words.to_string(), stderr: format!("{reason}\n"), exit: 2 }
    }
}

/// A payload that is not one of the host's.
#[derive(Debug, thiserror::Error)]
#[error("{host} payload: {what}")]
pub struct ParseError {
    /// Host id.
    pub host: &'static str,
    /// What is wrong and where.
    pub what: String,
}
