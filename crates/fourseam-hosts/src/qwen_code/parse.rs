//! Qwen Code's payloads into hook calls.

use super::QwenCode;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::Kind;
use fourseam_core::action::{Dialect, HookCall};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &QwenCode, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
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
        "run_shell_command" => Kind::Shell(Dialect::Posix),
        "read_file" | "read_many_files" => Kind::Read,
        "grep_search" => Kind::Search,
        "write_file" => Kind::Write,
        "edit" | "replace" => Kind::Edit,
        "web_fetch" => Kind::WebFetch,
        "web_search" => Kind::WebSearch,
        "agent" | "task" => Kind::Subagent,
        "ask_user_question" | "exit_plan_mode" | "save_memory" | "send_message" | "skill" | "task_stop"
        | "todo_write" | "tool_search" => Kind::Own,
        _ => return None,
    })
}

fn mcp(tool: &str, _: Fields) -> Option<(String, String)> {
    call::mcp_double_underscore(tool)
}
