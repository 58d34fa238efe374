//! Gemini CLI.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use serde_json::json;
use std::io;
use std::process::Command;

pub(super) struct GeminiCli;

impl Client for GeminiCli {
    fn host(&self) -> &'static str {
        "gemini-cli"
    }

    fn configure(&self, stage: &Stage, _: &str) -> io::Result<()> {
        let (command, args) = stage.mcp_server();
        let settings = json!({
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
            "privacy": {"usageStatisticsEnabled": false},
            "telemetry": {"enabled": false},
            "mcpServers": {mcp::SERVER: {"command": command, "args": args}},
        });
        stage.write(&stage.home().join(".gemini/settings.json"), &settings.to_string())
    }

    fn order(&self, _: &Stage, orders: &Orders, command: &mut Command) {
        command.args(["-m", "gemini-2.5-flash", "-p", orders.prompt, "--skip-trust"]);
        match orders.permission {
            Permission::Everything => command.args(["--approval-mode", "yolo"]),
            Permission::Default => command,
        };
        command.env("GEMINI_API_KEY", "test-key").env("GOOGLE_GEMINI_BASE_URL", orders.model);
    }

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain]
    }

    fn say(&self, attempt: &Attempt, tag: &str, _: Voice) -> Result<Said, &'static str> {
        let shell =
            |command: &str| Call::json("run_shell_command", json!({"command": command, "description": "as asked"}));
        Ok(match attempt {
            Attempt::Shell(command) => Said::one(shell(command)),
            Attempt::Write { path, text } => {
                Said::one(Call::json("write_file", json!({"file_path": path, "content": text})))
            }
            Attempt::Edit { path, old, new } => Said::one(Call::json(
                "replace",
                json!({"file_path": path, "instruction": "as asked", "old_string": old, "new_string": new}),
            )),
            Attempt::Read(path) => Said::one(Call::json("read_file", json!({"file_path": path}))),
            Attempt::Mcp { tool, name } => {
                Said::one(Call::json(&format!("mcp_{}_{tool}", mcp::SERVER), json!({"name": name})))
            }
            Attempt::SubAgent(command) => {
                let start = json!({"agent_name": "generalist", "prompt": format!("{tag}: go")});
                let end = Call::json("complete_task", json!({"response": "done", "result": "done"}));
                Said::by_sub_agent(Call::json("invoke_agent", start), [shell(command), end])
            }
        })
    }
}
