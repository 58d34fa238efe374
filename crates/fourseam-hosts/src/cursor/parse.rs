//! Cursor's payloads into hook calls. Tools without a usable name are told by the shape of their input.

use super::Cursor;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::{self, Kind};
use crate::{read, result};
use fourseam_core::action::{Action, Dialect, HookCall, ToolResult};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &Cursor, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
    let name = own_name(call::event_name(host, envelope, named)?);
    let action = match name {
        "preToolUse" => tool_call(envelope)?,
        "beforeShellExecution" => needed(shell(envelope), "no command (`command`)")?,
        "beforeMCPExecution" => needed(mcp_call(envelope), "no tool name (`tool_name`)")?,
        "beforeReadFile" | "beforeTabFileRead" => needed(tool::action(Kind::Read, envelope), "no path (`file_path`)")?,
        "subagentStart" => needed(tool::action(Kind::Subagent, envelope), "no task (`task`)")?,
        "postToolUse" => call::tool_result(host.id(), envelope, &TOOLS, false),
        "postToolUseFailure" => call::tool_result(host.id(), envelope, &TOOLS, true),
        "afterShellExecution" => result_of(shell(envelope), envelope, "output"),
        "afterMCPExecution" => result_of(mcp_call(envelope), envelope, "result_json"),
        "afterFileEdit" | "afterTabFileEdit" => result_of(tool::action(Kind::Edit, envelope), envelope, "result"),
        "beforeSubmitPrompt" => call::prompt(envelope),
        "afterAgentResponse" | "stop" | "subagentStop" => call::output(envelope),
        _ => call::other(name, envelope),
    };
    let event = (host as &dyn Host).event(name);
    let mut call = call::call(host, envelope, event, name, action);
    let loops = Fields(envelope).get(&["loop_count"]).and_then(Value::as_u64);
    call.stop_hook_active |= loops.is_some_and(|count| count > 0);
    Ok(call)
}

/// Cursor's name for an event that a hook imported from Claude Code's settings may be called with.
fn own_name(name: &str) -> &str {
    match name {
        "PreToolUse" => "preToolUse",
        "PostToolUse" => "postToolUse",
        "UserPromptSubmit" => "beforeSubmitPrompt",
        "Stop" => "stop",
        "SubagentStop" => "subagentStop",
        "PreCompact" => "preCompact",
        "SessionStart" => "sessionStart",
        "SessionEnd" => "sessionEnd",
        own => own,
    }
}

fn tool_call(envelope: &Value) -> Result<Action, ParseError> {
    let fields = Fields(envelope);
    let named = call::tool_call("cursor", envelope, &TOOLS);
    match named {
        Ok(Action::Other { tool, input }) => Ok(tool::by_shape(&input).unwrap_or(Action::Other { tool, input })),
        Err(error) => {
            let input = fields.object(&["tool_input"]);
            let by_shape = tool::by_shape(&input).or_else(|| tool::action(Kind::Shell(Dialect::Posix), &input));
            by_shape.ok_or(error)
        }
        Ok(action) => Ok(action),
    }
}

fn shell(envelope: &Value) -> Option<Action> {
    match tool::action(Kind::Shell(Dialect::Posix), envelope)? {
        // The directory of the payload is the call's own.
        Action::Shell(shell) => Some(Action::Shell(fourseam_core::action::Shell { cwd: None, ..shell })),
        other => Some(other),
    }
}

fn mcp_call(envelope: &Value) -> Option<Action> {
    let fields = Fields(envelope);
    let tool = fields.id(&["tool_name"])?;
    // `url` or `command` say how the server is reached, where its name is not told.
    let server = fields.id(&["mcp_server_name", "mcp_server_url", "url", "command"]).unwrap_or_default();
    let tool = tool.strip_prefix("MCP:").map(str::to_owned).unwrap_or(tool);
    Some(Action::McpCall { server, tool, arguments: fields.object(&["tool_input"]).into_owned() })
}

fn result_of(of: Option<Action>, envelope: &Value, field: &str) -> Action {
    let raw = Fields(envelope).get(&[field]).map(read::unfold).unwrap_or_default().into_owned();
    let of = of.unwrap_or_else(|| Action::Other { tool: String::new(), input: Value::Null });
    Action::ToolResult(ToolResult { of: Box::new(of), text: result::text(&raw), raw, failed: false, own: false })
}

fn needed(action: Option<Action>, what: &str) -> Result<Action, ParseError> {
    action.ok_or_else(|| ParseError { host: "cursor", what: what.to_owned() })
}

fn kind(tool: &str) -> Option<Kind> {
    Some(match tool {
        "Shell" | "Bash" | "run_terminal_cmd" => Kind::Shell(Dialect::Posix),
        "Read" | "ReadFile" | "read_file" => Kind::Read,
        "Grep" => Kind::Search,
        "Write" => Kind::Write,
        "StrReplace" | "Edit" | "MultiEdit" | "EditNotebook" | "search_replace" | "edit_file" => Kind::Edit,
        "Delete" | "delete_file" => Kind::Delete,
        "ApplyPatch" | "apply_patch" => Kind::Patch,
        "WebFetch" => Kind::WebFetch,
        "WebSearch" | "web_search" => Kind::WebSearch,
        "Task" => Kind::Subagent,
        "AskQuestion" | "CreatePlan" | "SwitchMode" | "TodoWrite" | "create_plan" | "todo_write" => Kind::Own,
        _ => return None,
    })
}

/// `MCP:TOOL`; the server is told only on some events.
fn mcp(tool: &str, fields: Fields) -> Option<(String, String)> {
    let tool = tool.strip_prefix("MCP:")?;
    Some((fields.id(&["mcp_server_name"]).unwrap_or_default(), tool.to_owned()))
}
