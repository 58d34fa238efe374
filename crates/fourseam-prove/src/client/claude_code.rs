//! Claude Code.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use serde_json::json;
use std::io;
use std::process::Command;

pub(super) struct ClaudeCode;

impl Client for ClaudeCode {
    fn host(&self) -> &'static str {
        "claude-code"
    }

    fn configure(&self, stage: &Stage, _: &str) -> io::Result<()> {
        let (command, args) = stage.mcp_server();
        let servers = json!({"mcpServers": {mcp::SERVER: {"command": command, "args": args}}});
        stage.write(&stage.home().join("mcp.json"), &servers.to_string())
    }

    fn order(&self, stage: &Stage, orders: &Orders, command: &mut Command) {
        command.args(["-p", orders.prompt, "--model", "claude-sonnet-4-5", "--mcp-config"]);
        command.arg(stage.home().join("mcp.json"));
        match orders.permission {
            Permission::Everything => command.arg("--dangerously-skip-permissions"),
            Permission::Default => command,
        };
        // Root may skip permissions only in what says it is a sandbox.
        command.env("IS_SANDBOX", "1").env("ANTHROPIC_API_KEY", "test-key").env("ANTHROPIC_BASE_URL", orders.model);
        for name in ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY"] {
            command.env(name, "1");
        }
    }

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain]
    }

    fn say(&self, attempt: &Attempt, tag: &str, _: Voice) -> Result<Said, &'static str> {
        let shell = |command: &str| Call::json("Bash", json!({"command": command, "description": "as asked"}));
        let read = |path: &str| Call::json("Read", json!({"file_path": path}));
        Ok(match attempt {
            Attempt::Shell(command) => Said::one(shell(command)),
            Attempt::Write { path, text } => {
                Said::one(Call::json("Write", json!({"file_path": path, "content": text})))
            }
            // It changes only files that it has read.
            Attempt::Edit { path, old, new } => {
                let edit = json!({"file_path": path, "old_string": old, "new_string": new});
                Said::all([read(path), Call::json("Edit", edit)])
            }
            Attempt::Read(path) => Said::one(read(path)),
            Attempt::Mcp { tool, name } => {
                Said::one(Call::json(&format!("mcp__{}__{tool}", mcp::SERVER), json!({"name": name})))
            }
            Attempt::SubAgent(command) => {
                let start = json!({"description": "a part", "prompt": format!("{tag}: go"),
                    "subagent_type": "general-purpose", "run_in_background": false});
                Said::by_sub_agent(Call::json("Agent", start), [shell(command)])
            }
        })
    }
}
