//! Claude Code's payloads into hook calls.

use super::ClaudeCode;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::Kind;
use fourseam_core::action::{Dialect, HookCall};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &ClaudeCode, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
    let name = call::event_name(host, envelope, named)?;
    let action = match name {
        "PreToolUse" | "PermissionRequest" => call::tool_call(host.id(), envelope, &TOOLS)?,
        "PostToolUse" => call::tool_result(host.id(), envelope, &TOOLS, false),
        "PostToolUseFailure" => call::tool_result(host.id(), envelope, &TOOLS, true),
        "UserPromptSubmit" | "UserPromptExpansion" => call::prompt(envelope),
        "Stop" | "SubagentStop" => call::output(envelope),
        _ => call::other(name, envelope),
    };
    let event = (host as &dyn Host).event(name);
    Ok(call::call(host, envelope, event, name, action))
}

fn kind(tool: &str) -> Option<Kind> {
    Some(match tool {
        // `Monitor` runs its command in the background; a matcher on `Bash` does not see it.
        "Bash" | "Monitor" => Kind::Shell(Dialect::Posix),
        "PowerShell" => Kind::Shell(Dialect::PowerShell),
        "Read" => Kind::Read,
        "Grep" => Kind::Search,
        "Write" => Kind::Write,
        "Edit" | "MultiEdit" | "NotebookEdit" => Kind::Edit,
        "WebFetch" => Kind::WebFetch,
        "WebSearch" => Kind::WebSearch,
        "Agent" | "Task" => Kind::Subagent,
        "ReadMcpResourceTool" => Kind::McpResource,
        "AskUserQuestion" | "CronCreate" | "CronDelete" | "CronList" | "EnterPlanMode" | "EnterWorktree"
        | "ExitPlanMode" | "ExitWorktree" | "ListAgents" | "ReportFindings" | "ScheduleWakeup" | "SendMessage"
        | "Skill" | "TaskCreate" | "TaskGet" | "TaskList" | "TaskStop" | "TaskUpdate" | "TodoWrite" | "ToolSearch" => {
            Kind::Own
        }
        _ => return None,
    })
}

/// `mcp__SERVER__TOOL`, where `mcp_server.name` tells the server if it is there.
fn mcp(tool: &str, fields: Fields) -> Option<(String, String)> {
    let (server, rest) = call::mcp_double_underscore(tool)?;
    let named = fields.get(&["mcp_server"]).and_then(|server| Fields(server).id(&["name"]));
    Some((named.unwrap_or(server), rest))
}
