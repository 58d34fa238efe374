//! Codex's payloads into hook calls.

use super::Codex;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::Kind;
use fourseam_core::action::{Dialect, HookCall};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &Codex, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
    let name = call::event_name(host, envelope, named)?;
    let action = match name {
        "PreToolUse" | "PermissionRequest" => call::tool_call(host.id(), envelope, &TOOLS)?,
        "PostToolUse" => call::tool_result(host.id(), envelope, &TOOLS, false),
        "UserPromptSubmit" => call::prompt(envelope),
        "Stop" | "SubagentStop" => call::output(envelope),
        _ => call::other(name, envelope),
    };
    let event = (host as &dyn Host).event(name);
    Ok(call::call(host, envelope, event, name, action))
}

fn kind(tool: &str) -> Option<Kind> {
    Some(match tool {
        // Payloads say `Bash`; the other names are the tools' own, should a release send them.
        "Bash" | "exec_command" | "shell" | "shell_command" | "local_shell" => Kind::Shell(Dialect::Posix),
        "write_stdin" => Kind::Typed(Dialect::Posix),
        "apply_patch" => Kind::Patch,
        "view_image" => Kind::Read,
        "spawn_agent" | "collaborationspawn_agent" => Kind::Subagent,
        "read_mcp_resource" => Kind::McpResource,
        "close_agent"
        | "collaborationclose_agent"
        | "collaborationlist_agents"
        | "collaborationsend_input"
        | "collaborationwait_agent"
        | "create_goal"
        | "get_goal"
        | "request_user_input"
        | "send_input"
        | "update_goal"
        | "update_plan"
        | "wait_agent" => Kind::Own,
        _ => return None,
    })
}

fn mcp(tool: &str, _: Fields) -> Option<(String, String)> {
    call::mcp_double_underscore(tool)
}
