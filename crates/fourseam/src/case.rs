//! One case of `check`: a tool in our own words, its input, and the world it is judged in. Text to call; no verdict.

use crate::exit::Failure;
use fourseam_core::action::{Action, Dialect, Edit, HookCall, Point, Shell, ToolResult};
use fourseam_core::world::{FixedWorld, Repository};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One case, ready to be decided.
#[derive(Debug)]
pub(crate) struct Case {
    /// Id as given, any JSON value.
    pub(crate) id: Value,
    /// The call.
    pub(crate) call: HookCall,
    /// The world the case brings along; without one the machine is asked.
    pub(crate) world: Option<FixedWorld>,
}

impl Case {
    /// Reads one line of a batch.
    ///
    /// # Errors
    /// When the line is not a JSON object of the documented form.
    pub(crate) fn parse(line: &str) -> Result<Self, Failure> {
        let line: Line = serde_json::from_str(line).map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self {
            id: line.id,
            call: call_of(line.input.action(line.tool), line.cwd),
            world: line.world.map(WorldText::into_world),
        })
    }

    /// A command line in a folder, judged on this machine.
    pub(crate) fn of_command(command: &str, dialect: Dialect, cwd: Option<String>) -> Self {
        let shell = Shell { command: command.to_owned(), dialect, cwd: None, background: false };
        Self { id: Value::Null, call: call_of(Action::Shell(shell), cwd), world: None }
    }
}

/// A call by hand: no host, no session.
fn call_of(action: Action, cwd: Option<String>) -> HookCall {
    let point = match &action {
        Action::Prompt { .. } => Point::Prompt,
        Action::ToolResult(_) => Point::ToolResult,
        Action::Output { .. } => Point::Output,
        Action::Shell(_)
        | Action::FileRead { .. }
        | Action::FileWrite { .. }
        | Action::FileEdit { .. }
        | Action::FileDelete { .. }
        | Action::Patch { .. }
        | Action::WebFetch { .. }
        | Action::WebSearch { .. }
        | Action::McpCall { .. }
        | Action::Subagent { .. }
        | Action::Other { .. } => Point::ToolCall,
    };
    HookCall {
        host: String::new(),
        event: String::new(),
        point: Some(point),
        session: None,
        cwd,
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: None,
        stop_hook_active: false,
        action,
    }
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    tool: Tool,
    cwd: Option<String>,
    input: Input,
    world: Option<WorldText>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tool {
    Shell,
    Write,
    Edit,
    Read,
    Mcp,
    #[serde(rename = "webfetch")]
    WebFetch,
    #[serde(rename = "websearch")]
    WebSearch,
    #[serde(rename = "tool_result")]
    Result,
    Prompt,
}

/// The inputs of every tool; each reads the keys that are its own.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Input {
    command: String,
    shell: ShellName,
    path: String,
    content: String,
    old: String,
    server: String,
    tool: String,
    arguments: Value,
    url: String,
    text: String,
    query: String,
    origin: String,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ShellName {
    #[default]
    Bash,
    Sh,
    Zsh,
    PowerShell,
    Pwsh,
    Cmd,
}

impl Input {
    fn action(self, tool: Tool) -> Action {
        match tool {
            Tool::Shell => Action::Shell(Shell {
                command: self.command,
                dialect: match self.shell {
                    ShellName::Bash | ShellName::Sh | ShellName::Zsh => Dialect::Posix,
                    ShellName::PowerShell | ShellName::Pwsh => Dialect::PowerShell,
                    ShellName::Cmd => Dialect::Cmd,
                },
                cwd: None,
                background: false,
            }),
            Tool::Write => Action::FileWrite { path: self.path, content: self.content },
            Tool::Edit => Action::FileEdit { path: self.path, edits: vec![Edit { old: self.old, new: self.content }] },
            Tool::Read => Action::FileRead { path: self.path },
            Tool::Mcp => Action::McpCall { server: self.server, tool: self.tool, arguments: self.arguments },
            Tool::WebFetch => Action::WebFetch { urls: vec![self.url], prompt: None },
            Tool::WebSearch => Action::WebSearch { query: if self.query.is_empty() { self.text } else { self.query } },
            Tool::Result => Action::ToolResult(ToolResult {
                of: Box::new(origin(&self.origin)),
                raw: Value::String(self.text.clone()),
                text: self.text,
                failed: false,
            }),
            Tool::Prompt => Action::Prompt { text: self.text },
        }
    }
}

/// The call a result came from, by the origin a case names: `file:PATH`, `web`, `tool:shell`, `mcp:TOOL`.
fn origin(origin: &str) -> Action {
    let (kind, rest) = origin.split_once(':').unwrap_or((origin, ""));
    match kind {
        "file" => Action::FileRead { path: rest.to_owned() },
        "web" => Action::WebFetch { urls: Vec::new(), prompt: None },
        "mcp" => Action::McpCall { server: String::new(), tool: rest.to_owned(), arguments: Value::Null },
        "tool" if rest == "shell" => {
            Action::Shell(Shell { command: String::new(), dialect: Dialect::Posix, cwd: None, background: false })
        }
        _ => Action::Other { tool: origin.to_owned(), input: Value::Null },
    }
}

#[derive(Deserialize)]
struct WorldText {
    home: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    git: Option<GitText>,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct GitText {
    root: String,
    branch: Option<String>,
    clean: Option<bool>,
    default_branch: Option<String>,
    #[serde(default)]
    tracked: Vec<String>,
}

impl WorldText {
    fn into_world(self) -> FixedWorld {
        let (repository, restorable) = self.git.map_or((None, Vec::new()), |git| {
            let repository =
                Repository { root: git.root, branch: git.branch, clean: git.clean, default_branch: git.default_branch };
            (Some(repository), git.tracked)
        });
        FixedWorld { home: self.home, variables: self.env, repository, restorable, files: self.files }
    }
}
