//! What an agent wants to do, told the same way for every host. Describes; never judges.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One call of a hook: the event, who called, and the action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HookCall {
    /// Host id as in its adapter (`claude-code`). The core only carries it.
    pub host: String,
    /// Event name in the host's own spelling.
    pub event: String,
    /// Which of the four intervention points the event is, or none (session start, notifications).
    pub point: Option<Point>,
    /// Session id, if the host gives one.
    pub session: Option<String>,
    /// Absolute working directory.
    pub cwd: Option<String>,
    /// The host's own permission mode (`default`, `bypassPermissions`, ...).
    pub permission_mode: Option<String>,
    /// Id of the sub-agent that makes the call; `None` for the main agent.
    pub agent_id: Option<String>,
    /// The host's id of this tool call.
    pub call_id: Option<String>,
    /// Tool name in the host's own spelling, on tool events.
    pub tool: Option<String>,
    /// The host says that a stop hook already sent the agent back once.
    pub stop_hook_active: bool,
    /// What the agent wants to do.
    pub action: Action,
}

/// The four intervention points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    /// A prompt comes in.
    Prompt,
    /// Before a tool call runs, or when the host is about to ask for permission.
    ToolCall,
    /// A result comes back.
    ToolResult,
    /// The agent gives its final answer or stops.
    Output,
}

/// What the agent wants to do, host-neutral. Nothing is dropped: what is not known is [`Action::Other`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "action")]
pub enum Action {
    /// Run a command line.
    Shell(Shell),
    /// Read a file into the model's context.
    FileRead {
        /// Path as given.
        path: String,
    },
    /// Write a whole file.
    FileWrite {
        /// Path as given.
        path: String,
        /// New content.
        content: String,
    },
    /// Replace parts of a file.
    FileEdit {
        /// Path as given.
        path: String,
        /// Replacements in order.
        edits: Vec<Edit>,
    },
    /// Delete a file.
    FileDelete {
        /// Path as given.
        path: String,
    },
    /// Several file operations at once (`apply_patch`).
    Patch {
        /// Operations in order.
        operations: Vec<FileOperation>,
        /// The patch text could not be read to its end.
        incomplete: bool,
    },
    /// Fetch from the web.
    WebFetch {
        /// Every URL that would be fetched, as given.
        urls: Vec<String>,
        /// What to do with the page, if the tool takes a prompt.
        prompt: Option<String>,
    },
    /// Search the web.
    WebSearch {
        /// The query.
        query: String,
    },
    /// Call a tool of an MCP server.
    McpCall {
        /// Server name.
        server: String,
        /// Tool name without the server.
        tool: String,
        /// Arguments.
        arguments: Value,
    },
    /// Start a sub-agent.
    Subagent {
        /// Its type, if named.
        kind: Option<String>,
        /// What it is told.
        prompt: String,
    },
    /// The user's prompt.
    Prompt {
        /// Text.
        text: String,
    },
    /// The result of a tool call.
    ToolResult(ToolResult),
    /// The agent's final answer.
    Output {
        /// Text; empty when the host does not tell it.
        text: String,
    },
    /// A tool or event that is not one of the above.
    Other {
        /// Tool or event name.
        tool: String,
        /// Its input, whole.
        input: Value,
    },
}

/// A command line and how it would be run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shell {
    /// The text.
    pub command: String,
    /// Language of the text.
    pub dialect: Dialect,
    /// Directory the tool would run it in, where it differs from the call's.
    pub cwd: Option<String>,
    /// Runs in the background.
    pub background: bool,
}

/// Language of a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// sh, bash, zsh.
    #[default]
    Posix,
    /// Windows PowerShell, pwsh.
    PowerShell,
    /// cmd.exe.
    Cmd,
}

/// One replacement in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Text that goes; empty where the tool only names a place.
    pub old: String,
    /// Text that comes.
    pub new: String,
}

impl Edit {
    /// Lines that come and were not there: an edit is judged on what it adds.
    #[must_use]
    pub fn added(&self) -> String {
        let before: std::collections::BTreeSet<&str> = self.old.lines().collect();
        self.new.lines().filter(|line| !before.contains(line)).collect::<Vec<_>>().join("\n")
    }
}

/// One file operation of a patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "operation")]
pub enum FileOperation {
    /// A new file.
    Add {
        /// Path as given.
        path: String,
        /// Content.
        content: String,
    },
    /// Changes in a file, which may move.
    Update {
        /// Path as given.
        path: String,
        /// New path.
        moved_to: Option<String>,
        /// Changes in order.
        edits: Vec<Edit>,
    },
    /// A file goes.
    Delete {
        /// Path as given.
        path: String,
    },
}

/// What a tool gave back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call that made it, if the payload tells.
    pub of: Box<Action>,
    /// Readable text of the result.
    pub text: String,
    /// The result as the host gave it. The log does not have it.
    #[serde(default)]
    pub raw: Value,
    /// The tool failed.
    pub failed: bool,
    /// The host wrote the text itself: what its own tools for plans, lists and sub-agents say.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub own: bool,
}
