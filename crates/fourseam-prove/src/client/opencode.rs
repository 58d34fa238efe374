//! OpenCode.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use serde_json::json;
use std::io;
use std::process::Command;

pub(super) struct OpenCode;

impl Client for OpenCode {
    fn host(&self) -> &'static str {
        "opencode"
    }

    fn configure(&self, stage: &Stage, model: &str) -> io::Result<()> {
        let (program, args) = stage.mcp_server();
        let command: Vec<String> = [program].into_iter().chain(args).collect();
        let limit = json!({"context": 100_000, "output": 4000});
        let provider = json!({
            "npm": "@ai-sdk/openai-compatible",
            "name": "mock",
            "options": {"baseURL": format!("{model}/v1"), "apiKey": "test-key"},
            "models": {"mock": {"name": "mock", "tool_call": true, "limit": limit}},
        });
        let settings = json!({
            "$schema": "https://opencode.ai/config.json", "autoupdate": false, "share": "disabled",
            "model": "mock/mock", "small_model": "mock/mock",
            "provider": {"mock": provider},
            "mcp": {mcp::SERVER: {"type": "local", "command": command, "enabled": true}},
        });
        // At the start it installs a package into its folder and waits for it: without a network that fails at once.
        stage.write(&stage.home().join(".npmrc"), "fetch-retries=0\n")?;
        stage.write(&stage.home().join(".config/opencode/opencode.json"), &settings.to_string())
    }

    fn order(&self, _: &Stage, orders: &Orders, command: &mut Command) {
        command.arg("run");
        match orders.permission {
            Permission::Everything => command.arg("--auto"),
            Permission::Default => command,
        };
        command.arg(orders.prompt);
        for name in ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD"] {
            command.env(format!("OPENCODE_DISABLE_{name}"), "1");
        }
    }

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain]
    }

    fn say(&self, attempt: &Attempt, tag: &str, _: Voice) -> Result<Said, &'static str> {
        let shell = |command: &str| Call::json("bash", json!({"command": command, "description": "as asked"}));
        let read = |path: &str| Call::json("read", json!({"filePath": path}));
        Ok(match attempt {
            Attempt::Shell(command) => Said::one(shell(command)),
            Attempt::Write { path, text } => Said::one(Call::json("write", json!({"filePath": path, "content": text}))),
            // It changes only files that it has read.
            Attempt::Edit { path, old, new } => {
                let edit = json!({"filePath": path, "oldString": old, "newString": new});
                Said::all([read(path), Call::json("edit", edit)])
            }
            Attempt::Read(path) => Said::one(read(path)),
            Attempt::Mcp { tool, name } => {
                Said::one(Call::json(&format!("{}_{tool}", mcp::SERVER), json!({"name": name})))
            }
            Attempt::SubAgent(command) => {
                let start =
                    json!({"description": "a part", "prompt": format!("{tag}: go"), "subagent_type": "general"});
                Said::by_sub_agent(Call::json("task", start), [shell(command)])
            }
        })
    }
}
