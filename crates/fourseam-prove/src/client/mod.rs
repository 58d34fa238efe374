//! How each client is configured, started and spoken through. A client here is only driven: how it is wired is the
//! business of `fourseam install`.

mod claude_code;
mod codex;
mod copilot_cli;
mod gemini_cli;
mod opencode;
mod qwen_code;

use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use std::io;
use std::process::Command;

/// Every client that can be driven, in the order of host ids.
pub static CLIENTS: &[&dyn Client] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &copilot_cli::CopilotCli,
    &gemini_cli::GeminiCli,
    &opencode::OpenCode,
    &qwen_code::QwenCode,
];

/// The client of a host id.
#[must_use]
pub fn find(host: &str) -> Option<&'static dyn Client> {
    CLIENTS.iter().copied().find(|client| client.host() == host)
}

/// A coding agent that can be run without a person against a model on loopback.
pub trait Client: Sync {
    /// Id of its host.
    fn host(&self) -> &'static str;
    /// Writes the client's own configuration into the stage's home: the model, the MCP server, no updates. To be called
    /// once, before `fourseam install`. `model` is the model's address without a path.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn configure(&self, stage: &Stage, model: &str) -> io::Result<()>;
    /// Adds arguments and environment for one run to `command`, which has neither keys nor anything of the user's.
    fn order(&self, stage: &Stage, orders: &Orders, command: &mut Command);
    /// The dialects that its models speak.
    fn voices(&self) -> &'static [Voice];
    /// An attempt as calls of this client's tools, in one of its dialects. `tag` is in the prompt of a sub-agent, where
    /// there is one.
    ///
    /// # Errors
    /// Why there is no tool for it.
    fn say(&self, attempt: &Attempt, tag: &str, voice: Voice) -> Result<Said, &'static str>;
}

/// What a run is for.
pub struct Orders<'a> {
    /// What the user says.
    pub prompt: &'a str,
    /// How much the client lets pass by itself.
    pub permission: Permission,
    /// Which dialect the model speaks.
    pub voice: Voice,
    /// Address of the model.
    pub model: &'a str,
}

/// How much a client lets pass by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Everything: its yolo or bypass mode, where nothing stands before a call but hooks.
    Everything,
    /// As it comes.
    Default,
}

/// Which dialect a client expects of its model. All but Codex know one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// One tool call for each thing to do.
    Plain,
    /// Codex's code mode: one tool that runs a script, which calls the others.
    Code,
}

impl Voice {
    /// What stands behind the name of a scenario in a report.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Code => " in code mode",
        }
    }
}

/// An attempt in a client's words.
#[derive(Clone, Debug)]
pub struct Said {
    /// Calls of the main conversation, in order. The result of the last is what the attempt is judged by.
    pub calls: Vec<Call>,
    /// Calls of the sub-agent that the main conversation starts. The result of the first is what counts.
    pub task: Option<Vec<Call>>,
}

impl Said {
    fn one(call: Call) -> Self {
        Self::all([call])
    }

    fn all(calls: impl Into<Vec<Call>>) -> Self {
        Self { calls: calls.into(), task: None }
    }

    fn by_sub_agent(start: Call, calls: impl Into<Vec<Call>>) -> Self {
        Self { calls: vec![start], task: Some(calls.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::CLIENTS;
    use fourseam_hosts::HOSTS;

    /// Cursor's command line is not on npm and cannot be pointed at another model.
    #[test]
    fn every_host_but_cursor_can_be_driven() {
        let hosts: Vec<_> = HOSTS.iter().map(|host| host.id()).filter(|id| *id != "cursor").collect();
        assert_eq!(CLIENTS.iter().map(|client| client.host()).collect::<Vec<_>>(), hosts);
    }
}
