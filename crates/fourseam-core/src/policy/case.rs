//! One case: a call in our own words and the world it is judged in. The lines of `check --batch` and the cases of rules.

use super::yaml::Node;
use crate::action::{Action, Dialect, Edit, HookCall, Point, Shell, ToolResult};
use crate::world::{FixedWorld, Repository};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One case, ready to be decided.
#[derive(Clone, Debug)]
pub struct Case {
    /// The id it was given, or null.
    pub id: Value,
    /// The call.
    pub call: HookCall,
    /// The world it brings along; without one the machine is asked.
    pub world: Option<FixedWorld>,
    /// What it is, for messages: the command, or the tool and its input.
    pub label: String,
    /// Why it is a gap, or what it shows.
    pub why: Option<String>,
}

impl Case {
    /// Reads one line of a batch.
    ///
    /// # Errors
    /// When it is not a JSON object of the documented form.
    pub fn of_json(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| error.to_string()).map(Self::of_line)
    }

    /// A command line in a folder, with no world.
    #[must_use]
    pub fn of_command(command: &str, dialect: Dialect, cwd: Option<String>) -> Self {
        let shell = Shell { command: command.to_owned(), dialect, cwd: None, background: false };
        Self {
            id: Value::Null,
            call: call_of(Action::Shell(shell), cwd),
            world: None,
            label: command.to_owned(),
            why: None,
        }
    }

    /// Another action in [`EXAMPLE_PROJECT`], with no world. `label`: what it is, for messages.
    pub(super) fn of_action(action: Action, label: String) -> Self {
        let call = call_of(action, Some(EXAMPLE_PROJECT.to_owned()));
        Self { id: Value::Null, call, world: None, label, why: None }
    }

    /// Reads a case of a rule: a command line, or a map with the keys of a batch line. What it leaves out is that of
    /// [`Case::example_world`].
    pub(super) fn of_yaml(node: &Node) -> Result<Self, String> {
        let mut case = match node.scalar() {
            Some(command) => Self::of_command(command, Dialect::Posix, None),
            None => serde_json::from_value(node.json())
                .map(Self::of_line)
                .map_err(|error| format!("not a case: {error}"))?,
        };
        case.call.cwd.get_or_insert_with(|| EXAMPLE_PROJECT.to_owned());
        case.world.get_or_insert_with(Self::example_world);
        Ok(case)
    }

    /// The world of cases that bring none: user `ana` on a feature branch of a repository in her home folder.
    #[must_use]
    pub fn example_world() -> FixedWorld {
        let repository = Repository {
            root: EXAMPLE_PROJECT.to_owned(),
            branch: Some("feature/login".to_owned()),
            clean: None,
            default_branch: Some("main".to_owned()),
        };
        FixedWorld { home: Some("/home/ana".to_owned()), repository: Some(repository), ..FixedWorld::default() }
    }

    fn of_line(line: Line) -> Self {
        let label = line.label();
        let world = line.world.map(WorldText::into_world);
        let mut call = call_of(line.input.action(line.tool), line.cwd);
        call.permission_mode = line.permission_mode;
        call.host = line.host.unwrap_or_default();
        Self { id: line.id, call, world, label, why: line.why }
    }
}

/// Where cases stand that name no folder.
pub(super) const EXAMPLE_PROJECT: &str = "/home/ana/project";

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

/// The documented keys. Others are the labels of whoever wrote the cases.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    tool: Tool,
    cwd: Option<String>,
    input: Input,
    world: Option<WorldText>,
    permission_mode: Option<String>,
    host: Option<String>,
    why: Option<String>,
}

impl Line {
    fn label(&self) -> String {
        let input = &self.input;
        match self.tool {
            Tool::Shell => input.command.clone(),
            Tool::Write | Tool::Edit | Tool::Read | Tool::Delete => format!("{} {}", self.tool.word(), input.path),
            Tool::Mcp => format!("mcp {} {} {}", input.server, input.tool, input.arguments),
            Tool::WebFetch => format!("webfetch {}", input.url),
            Tool::WebSearch | Tool::Result | Tool::Prompt | Tool::Output | Tool::Subagent => {
                format!("{} {}{}", self.tool.word(), input.query, input.text)
            }
        }
    }
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Tool {
    #[default]
    Shell,
    Write,
    Edit,
    Read,
    Delete,
    Mcp,
    WebFetch,
    WebSearch,
    Subagent,
    #[serde(rename = "tool_result")]
    Result,
    Prompt,
    Output,
}

impl Tool {
    fn word(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Read => "read",
            Self::Delete => "delete",
            Self::Mcp => "mcp",
            Self::WebFetch => "webfetch",
            Self::WebSearch => "websearch",
            Self::Subagent => "subagent",
            Self::Result => "tool_result",
            Self::Prompt => "prompt",
            Self::Output => "output",
        }
    }
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
                dialect: self.shell.dialect(),
                cwd: None,
                background: false,
            }),
            Tool::Write => Action::FileWrite { path: self.path, content: self.content },
            Tool::Edit => Action::FileEdit { path: self.path, edits: vec![Edit { old: self.old, new: self.content }] },
            Tool::Read => Action::FileRead { path: self.path },
            Tool::Delete => Action::FileDelete { path: self.path },
            Tool::Mcp => Action::McpCall { server: self.server, tool: self.tool, arguments: self.arguments },
            Tool::WebFetch => Action::WebFetch { urls: vec![self.url], prompt: None },
            Tool::WebSearch => Action::WebSearch { query: if self.query.is_empty() { self.text } else { self.query } },
            Tool::Subagent => Action::Subagent { kind: None, prompt: self.text },
            Tool::Result => Action::ToolResult(ToolResult {
                of: Box::new(origin(&self.origin)),
                raw: Value::String(self.text.clone()),
                text: self.text,
                failed: false,
                own: false,
            }),
            Tool::Prompt => Action::Prompt { text: self.text },
            Tool::Output => Action::Output { text: self.text },
        }
    }
}

impl ShellName {
    fn dialect(self) -> Dialect {
        match self {
            Self::Bash | Self::Sh | Self::Zsh => Dialect::Posix,
            Self::PowerShell | Self::Pwsh => Dialect::PowerShell,
            Self::Cmd => Dialect::Cmd,
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
#[serde(deny_unknown_fields)]
struct WorldText {
    home: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    git: Option<GitText>,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
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
        FixedWorld {
            home: self.home,
            variables: self.env,
            repository,
            restorable,
            files: self.files,
            ..FixedWorld::default()
        }
    }
}
