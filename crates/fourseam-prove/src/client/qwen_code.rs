//! Qwen Code. Its hooks stand after its own permission step, so in default mode without a person they are not reached.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use serde_json::json;
use std::io;
use std::process::Command;

pub(super) struct QwenCode;

impl Client for QwenCode {
    fn host(&self) -> &'static str {
        "qwen-code"
    }

    fn configure(&self, stage: &Stage, _: &str) -> io::Result<()> {
        let (command, args) = stage.mcp_server();
        let settings = json!({
            "general": {"enableAutoUpdate": false},
            "privacy": {"usageStatisticsEnabled": false},
            "telemetry": {"enabled": false},
            "mcpServers": {mcp::SERVER: {"command": command, "args": args}},
        });
        stage.write(&stage.home().join(".qwen/settings.json"), &settings.to_string())
    }

    fn order(&self, _: &Stage, orders: &Orders, command: &mut Command) {
        command.args(["-p", orders.prompt, "--auth-type", "openai", "--openai-api-key", "test-key", "-m", "mock"]);
        command.arg("--openai-base-url").arg(format!("{}/v1", orders.model));
        let mode = match orders.permission {
            Permission::Everything => "yolo",
            Permission::Default => "default",
        };
        command.args(["--approval-mode", mode]);
    }

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain]
    }

    fn say(&self, attempt: &Attempt, tag: &str, _: Voice) -> Result<Said, &'static str> {
        let shell = |command: &str| {
            let arguments = json!({"command": command, "description": "as asked", "is_background": false});
            Call::json("run_shell_command", arguments)
        };
        let read = |path: &str| Call::json("read_file", json!({"file_path": path}));
        Ok(match attempt {
            Attempt::Shell(command) => Said::one(shell(command)),
            Attempt::Write { path, text } => {
                Said::one(Call::json("write_file", json!({"file_path": path, "content": text})))
            }
            // It changes only files that it has read.
            Attempt::Edit { path, old, new } => {
                let edit = json!({"file_path": path, "old_string": old, "new_string": new});
                Said::all([read(path), Call::json("edit", edit)])
            }
            Attempt::Read(path) => Said::one(read(path)),
            Attempt::Mcp { tool, name } => {
                Said::one(Call::json(&format!("mcp__{}__{tool}", mcp::SERVER), json!({"name": name})))
            }
            Attempt::SubAgent(command) => {
                let start = json!({"description": "a part", "prompt": format!("{tag}: go"),
                    "subagent_type": "general-purpose"});
                Said::by_sub_agent(Call::json("agent", start), [shell(command)])
            }
        })
    }
}
