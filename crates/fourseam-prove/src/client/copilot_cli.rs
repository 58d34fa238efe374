//! GitHub Copilot CLI, in its own-provider mode, which needs no login.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use serde_json::json;
use std::io;
use std::process::Command;

pub(super) struct CopilotCli;

impl Client for CopilotCli {
    fn host(&self) -> &'static str {
        "copilot-cli"
    }

    fn configure(&self, stage: &Stage, _: &str) -> io::Result<()> {
        let (command, args) = stage.mcp_server();
        let server = json!({"type": "local", "command": command, "args": args, "tools": ["*"]});
        let servers = json!({"mcpServers": {mcp::SERVER: server}});
        stage.write(&stage.home().join(".copilot/mcp-config.json"), &servers.to_string())
    }

    fn order(&self, _: &Stage, orders: &Orders, command: &mut Command) {
        command.args(["-p", orders.prompt, "--no-color", "--no-auto-update"]);
        command.args(["--disable-builtin-mcps", "--no-custom-instructions"]);
        match orders.permission {
            Permission::Everything => command.arg("--yolo"),
            Permission::Default => command,
        };
        command.env("COPILOT_OFFLINE", "true").env("COPILOT_AUTO_UPDATE", "false").env("COPILOT_MODEL", "gpt-4.1");
        command.env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", orders.model));
        command.env("COPILOT_PROVIDER_API_KEY", "test-key");
    }

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain]
    }

    fn say(&self, attempt: &Attempt, tag: &str, _: Voice) -> Result<Said, &'static str> {
        let shell = |command: &str| {
            let arguments = json!({"command": command, "description": "as asked", "initial_wait": 5, "mode": "sync"});
            Call::json("bash", arguments)
        };
        Ok(match attempt {
            Attempt::Shell(command) => Said::one(shell(command)),
            Attempt::Write { path, text } => Said::one(Call::json("create", json!({"path": path, "file_text": text}))),
            Attempt::Edit { path, old, new } => {
                Said::one(Call::json("edit", json!({"path": path, "old_str": old, "new_str": new})))
            }
            Attempt::Read(path) => Said::one(Call::json("view", json!({"path": path}))),
            Attempt::Mcp { tool, name } => {
                Said::one(Call::json(&format!("{}-{tool}", mcp::SERVER), json!({"name": name})))
            }
            Attempt::SubAgent(command) => {
                let start = json!({"agent_type": "general-purpose", "description": "a part", "name": "part",
                    "prompt": format!("{tag}: go"), "mode": "sync"});
                Said::by_sub_agent(Call::json("task", start), [shell(command)])
            }
        })
    }
}
