//! Gemini CLI's payloads into hook calls.

use super::GeminiCli;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::Kind;
use fourseam_core::action::{Dialect, HookCall};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &GeminiCli, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
    let name = call::event_name(host, envelope, named)?;
    let action = match name {
        "BeforeTool" => call::tool_call(host.id(), envelope, &TOOLS)?,
        "AfterTool" => call::tool_result(host.id(), envelope, &TOOLS, false),
        "BeforeAgent" => call::prompt(envelope),
        "AfterAgent" => call::output(envelope),
        _ => call::other(name, envelope),
    };
    let event = (host as &dyn Host).event(name);
    Ok(call::call(host, envelope, event, name, action))
}

fn kind(tool: &str) -> Option<Kind> {
    Some(match tool {
        "run_shell_command" => Kind::Shell(Dialect::Posix),
        "read_file" | "read_many_files" => Kind::Read,
        "grep_search" | "search_file_content" => Kind::Search,
        "write_file" => Kind::Write,
        "replace" | "edit" => Kind::Edit,
        "web_fetch" => Kind::WebFetch,
        "google_web_search" => Kind::WebSearch,
        "invoke_agent" => Kind::Subagent,
        "read_mcp_resource" => Kind::McpResource,
        "activate_skill" | "ask_user" | "complete_task" | "enter_plan_mode" | "exit_plan_mode" | "save_memory"
        | "write_todos" => Kind::Own,
        _ => return None,
    })
}

/// `mcp_context` tells server and tool. Without it the name is split at the first underscore after `mcp_`, as
/// Gemini's own policy engine does.
fn mcp(tool: &str, fields: Fields) -> Option<(String, String)> {
    let split = tool.strip_prefix("mcp_").and_then(|name| name.split_once('_'));
    let context = fields.get(&["mcp_context"]).map(Fields);
    let server =
        context.and_then(|context| context.id(&["server_name"])).or_else(|| split.map(|(s, _)| s.to_owned()))?;
    let own = context.and_then(|context| context.id(&["tool_name"])).or_else(|| split.map(|(_, t)| t.to_owned()));
    Some((server, own.unwrap_or_else(|| tool.to_owned())))
}
