//! What every adapter does. No default methods: a host that forgets one does not compile.

use fourseam_core::action::HookCall;
use fourseam_core::capabilities::Capabilities;
use fourseam_core::verdict::Told;
use serde_json::Value;

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
    /// Says a verdict in the host's words. `event` is the host's own spelling, from [`Host::events`].
    fn render(&self, event: &Event, told: &Told) -> Reply;
}

/// One event of a host.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Name in the host's own spelling.
    pub name: &'static str,
    /// What the host obeys there.
    pub capabilities: Capabilities,
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

/// A payload that is not one of the host's.
#[derive(Debug, thiserror::Error)]
#[error("{host} payload: {what}")]
pub struct ParseError {
    /// Host id.
    pub host: &'static str,
    /// What is wrong and where.
    pub what: String,
}
