//! Codex CLI. Its own default models run in code mode; sub-agents exist only there.

use super::{Client, Orders, Permission, Said, Voice};
use crate::mcp;
use crate::model::{Arguments, Call};
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

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain, Voice::Code]
    }

    fn say(&self, attempt: &Attempt, tag: &str, voice: Voice) -> Result<Said, &'static str> {
        let call = match attempt {
            Attempt::Shell(command) => shell(command),
            Attempt::Write { path, text } => patch(&added(path, text)),
            Attempt::Edit { path, old, new } => patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n")),
            // There is no tool that reads a text file but the shell.
            Attempt::Read(path) => shell(&format!("cat '{path}'")),
            Attempt::Mcp { tool, name } => Call::json(tool, json!({"name": name})).within(&space()),
            Attempt::SubAgent(command) if voice == Voice::Code => return Ok(by_sub_agent(command, tag)),
            Attempt::SubAgent(_) => return Err("sub-agents exist only in code mode"),
        };
        Ok(Said::one(match voice {
            Voice::Plain => call,
            Voice::Code => in_code(&call),
        }))
    }
}

fn by_sub_agent(command: &str, tag: &str) -> Said {
    let name = tag.to_lowercase().replace('-', "_");
    let start = json!({"message": format!("{tag}: go"), "task_name": name, "fork_turns": "none"});
    let call = |name, arguments| Call::json(name, arguments).within("collaboration");
    let calls = vec![call("spawn_agent", start), call("wait_agent", json!({"timeout_ms": 15000}))];
    Said { calls, task: Some(vec![in_code(&shell(command))]) }
}

/// Name space of the MCP tools.
fn space() -> String {
    format!("mcp__{}", mcp::SERVER)
}

fn shell(command: &str) -> Call {
    Call::json("exec_command", json!({"cmd": command}))
}

/// A call as code mode has it: a script that makes it.
fn in_code(call: &Call) -> Call {
    let arguments = match &call.arguments {
        Arguments::Json(value) => value.clone(),
        Arguments::Text(text) => Value::from(text.as_str()),
    };
    let space = call.namespace.as_ref().map(|space| format!("{space}__")).unwrap_or_default();
    let name = &call.name;
    Call::text("exec", format!("const r = await tools.{space}{name}({arguments}); text(r);")).within("functions")
}

fn patch(body: &str) -> Call {
    Call::text("apply_patch", format!("*** Begin Patch\n{body}*** End Patch\n"))
}

fn added(path: &str, text: &str) -> String {
    let lines = text.lines().map(|line| format!("+{line}\n"));
    std::iter::once(format!("*** Add File: {path}\n")).chain(lines).collect()
}
