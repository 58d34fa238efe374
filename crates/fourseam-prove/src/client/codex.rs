//! Codex CLI. Its own default models run in code mode; sub-agents exist only there.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::Call;
use crate::scenario::Attempt;
use crate::stage::Stage;
use serde_json::{Value, json};
use std::io;
use std::process::Command;

pub(super) struct Codex;

/// A model that calls tools one by one, and one of code mode.
const PLAIN: &str = "gpt-5.5";
const CODE: &str = "gpt-6.2-sol";

impl Client for Codex {
    fn host(&self) -> &'static str {
        "codex"
    }

    fn configure(&self, stage: &Stage, model: &str) -> io::Result<()> {
        let (command, args) = stage.mcp_server();
        let (command, args) = (Value::from(command), Value::from(args));
        let server = mcp::SERVER;
        let text = format!(
            "model_provider = \"mock\"\ncheck_for_update_on_startup = false\n\n[model_providers.mock]\nname = \"mock\"\n\
             base_url = \"{model}/v1\"\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\n\
             request_max_retries = 0\nstream_max_retries = 0\n\n[mcp_servers.{server}]\ncommand = {command}\n\
             args = {args}\n\n[analytics]\nenabled = false\n"
        );
        stage.write(&stage.home().join(".codex/config.toml"), &text)
    }

    fn order(&self, _: &Stage, orders: &Orders, command: &mut Command) {
        let model = match orders.voice {
            Voice::Plain => PLAIN,
            Voice::Code => CODE,
        };
        command.args(["exec", "--skip-git-repo-check", "-m", model]);
        match orders.permission {
            Permission::Everything => command.arg("--dangerously-bypass-approvals-and-sandbox"),
            Permission::Default => command,
        };
        command.arg(orders.prompt).env("OPENAI_API_KEY", "test-key").env("RUST_LOG", "error");
    }

    fn say(&self, attempt: &Attempt, tag: &str) -> Result<Said, &'static str> {
        let shell = |command: &str| Call::json("exec_command", json!({"cmd": command}));
        Ok(match attempt {
            Attempt::Shell(command) => Said::one(shell(command)),
            Attempt::Write { path, text } => Said::one(patch(&added(path, text))),
            Attempt::Edit { path, old, new } => {
                Said::one(patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n")))
            }
            // There is no tool that reads a text file but the shell.
            Attempt::Read(path) => Said::one(shell(&format!("cat '{path}'"))),
            Attempt::Mcp { tool, name } => {
                Said::one(Call::json(tool, json!({"name": name})).within(&format!("mcp__{}", mcp::SERVER)))
            }
            Attempt::SubAgent(command) => {
                let name = tag.to_lowercase().replace('-', "_");
                let start = json!({"message": format!("{tag}: go"), "task_name": name, "fork_turns": "none"});
                let call = |name, arguments| Call::json(name, arguments).within("collaboration");
                let calls = vec![call("spawn_agent", start), call("wait_agent", json!({"timeout_ms": 15000}))];
                Said { calls, task: Some(vec![nested(command)]), voice: Voice::Code }
            }
        })
    }
}

/// A shell command as code mode has it.
fn nested(command: &str) -> Call {
    let arguments = json!({"cmd": command});
    Call::text("exec", format!("const r = await tools.exec_command({arguments}); text(r);")).within("functions")
}

fn patch(body: &str) -> Call {
    Call::text("apply_patch", format!("*** Begin Patch\n{body}*** End Patch\n"))
}

fn added(path: &str, text: &str) -> String {
    let lines = text.lines().map(|line| format!("+{line}\n"));
    std::iter::once(format!("*** Add File: {path}\n")).chain(lines).collect()
}
