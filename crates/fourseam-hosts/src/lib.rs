//! One folder per coding agent: payload in, that agent's own words out. Holds no allow or deny logic.

mod call;
pub mod checkup;
mod claude_code;
mod codex;
mod copilot_cli;
mod cursor;
mod gemini_cli;
mod hookfile;
mod host;
pub mod install;
mod jsonedit;
pub mod native;
mod opencode;
pub mod proof;
mod qwen_code;
mod read;
mod result;
mod tail;
mod tool;
pub mod transcript;

pub use codex::trust as codex_trust;
pub use host::{Event, Host, Limit, ParseError, Reply};
use serde_json::Value;

/// Every host, sorted by id.
pub static HOSTS: &[&dyn Host] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &copilot_cli::CopilotCli,
    &cursor::Cursor,
    &gemini_cli::GeminiCli,
    &opencode::OpenCode,
    &qwen_code::QwenCode,
];

/// The host with this id or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.id() == name || host.aliases().contains(&name))
}

/// The host whose payload this is, by its shape. `None` when it bears no host's marks: then the command line says.
#[must_use]
pub fn caller_of(envelope: &Value) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.recognises(envelope))
}
