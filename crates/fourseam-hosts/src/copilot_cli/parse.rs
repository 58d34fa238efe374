//! Copilot CLI's payloads, of both dialects, into hook calls.

use super::CopilotCli;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::Kind;
use fourseam_core::action::{Dialect, HookCall};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &CopilotCli, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
    // A payload in camel case does not tell its event; one that holds a result is not a gate's.
    let named = named.or_else(|| Fields(envelope).has(&["toolResult"]).then_some("postToolUse"));
    let name = call::event_name(host, envelope, named)?;
    let action = match name {
        "preToolUse" | "PreToolUse" | "permissionRequest" | "PermissionRequest" => {
            call::tool_call(host.id(), envelope, &TOOLS)?
        }
        "postToolUse" | "PostToolUse" => call::tool_result(host.id(), envelope, &TOOLS, false),
        "postToolUseFailure" | "PostToolUseFailure" => call::tool_result(host.id(), envelope, &TOOLS, true),
        "userPromptSubmitted" | "UserPromptSubmit" => call::prompt(envelope),
        "agentStop" | "Stop" | "subagentStop" | "SubagentStop" => call::output(envelope),
        _ => call::other(name, envelope),
    };
    let event = (host as &dyn Host).event(name);
    Ok(call::call(host, envelope, event, name, action))
}

fn kind(tool: &str) -> Option<Kind> {
    Some(match tool {
        "bash" | "Bash" => Kind::Shell(Dialect::Posix),
        "powershell" | "PowerShell" => Kind::Shell(Dialect::PowerShell),
        // Text typed into a shell that is already open.
        "write_bash" => Kind::Typed(Dialect::Posix),
        "write_powershell" => Kind::Typed(Dialect::PowerShell),
        "view" | "Read" => Kind::Read,
        "grep" | "rg" | "Grep" => Kind::Search,
        "create" | "Write" => Kind::Write,
        "edit" | "str_replace_editor" | "Edit" => Kind::Edit,
        "apply_patch" => Kind::Patch,
        "web_fetch" | "WebFetch" => Kind::WebFetch,
        "web_search" | "WebSearch" => Kind::WebSearch,
        "task" | "Agent" | "Task" => Kind::Subagent,
        "TodoWrite" | "ask_user" | "exit_plan_mode" | "list_agents" | "read_agent" | "report_intent" | "skill"
        | "task_complete" | "update_todo" => Kind::Own,
        _ => return None,
    })
}

/// `SERVER-TOOL` before a call, `SERVER/TOOL` on a permission request. No tool of Copilot's own has such a name; a
/// server name with a dash is cut at its first, but for the server that Copilot brings along.
fn mcp(tool: &str, fields: Fields) -> Option<(String, String)> {
    if let Some(server) = fields.id(&["serverName"]) {
        return Some((server, tool.to_owned()));
    }
    let built_in = "github-mcp-server";
    let (server, tool) = match tool.strip_prefix(built_in).and_then(|rest| rest.strip_prefix(['-', '/'])) {
        Some(own) => (built_in, own),
        None => tool.split_once('/').or_else(|| tool.split_once('-'))?,
    };
    Some((server.to_owned(), tool.to_owned()))
}
