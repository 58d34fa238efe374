//! The payloads of our OpenCode plugin into hook calls.

use super::OpenCode;
use crate::call::{self, Tools};
use crate::host::{Host, ParseError};
use crate::read::Fields;
use crate::tool::{self, Kind};
use fourseam_core::action::{Action, Dialect, HookCall, Shell};
use serde_json::Value;

const TOOLS: Tools = Tools { kind, mcp };

pub(super) fn parse(host: &OpenCode, envelope: &Value, named: Option<&str>) -> Result<HookCall, ParseError> {
    let name = call::event_name(host, envelope, named)?;
    let action = match name {
        "tool.execute.before" => before(envelope)?,
        "tool.execute.after" => call::tool_result(host.id(), envelope, &TOOLS, false),
        "chat.message" => call::prompt(envelope),
        _ => call::other(name, envelope),
    };
    let event = (host as &dyn Host).event(name);
    Ok(call::call(host, envelope, event, name, action))
}

fn before(envelope: &Value) -> Result<Action, ParseError> {
    match call::tool_call("opencode", envelope, &TOOLS)? {
        Action::Other { tool, input } if tool == "batch" => batch(&input),
        action => Ok(action),
    }
}

/// Several tool calls in one, whose parts reach no hook of their own. Its commands are judged as one command line.
///
/// # Errors
/// When it would do more than run commands and read: what cannot be judged part by part must not pass whole.
fn batch(input: &Value) -> Result<Action, ParseError> {
    let mut commands = Vec::new();
    for part in Fields(input).list(&["tool_calls", "calls"]).unwrap_or_default() {
        let fields = Fields(part);
        let name = fields.id(&["tool", "name"]).unwrap_or_default();
        let action = kind(&name).and_then(|kind| tool::action(kind, &fields.object(&["parameters", "args", "input"])));
        match action {
            Some(Action::Shell(Shell { command, .. })) => commands.push(command),
            Some(Action::FileRead { .. }) => {}
            _ if ["glob", "list", "todoread"].contains(&name.as_str()) => {}
            _ => {
                let what = format!("`{name}` inside `batch` cannot be judged: it has to be called by itself");
                return Err(ParseError { host: "opencode", what });
            }
        }
    }
    if commands.is_empty() {
        return Ok(Action::Other { tool: "batch".to_owned(), input: input.clone() });
    }
    let command = commands.join("\n");
    Ok(Action::Shell(Shell { command, dialect: Dialect::Posix, cwd: None, background: false }))
}

fn kind(tool: &str) -> Option<Kind> {
    Some(match tool {
        "bash" => Kind::Shell(Dialect::Posix),
        "read" => Kind::Read,
        "grep" => Kind::Search,
        "write" => Kind::Write,
        "edit" | "multiedit" => Kind::Edit,
        "apply_patch" | "patch" => Kind::Patch,
        "webfetch" => Kind::WebFetch,
        "websearch" => Kind::WebSearch,
        "task" => Kind::Subagent,
        "plan_enter" | "plan_exit" | "question" | "skill" | "todoread" | "todowrite" => Kind::Own,
        _ => return None,
    })
}

/// `SERVER_TOOL`, cut at the first underscore; OpenCode's own tools with one are known by name.
fn mcp(tool: &str, _: Fields) -> Option<(String, String)> {
    if ["apply_patch", "plan_enter", "plan_exit"].contains(&tool) {
        return None;
    }
    let (server, tool) = tool.split_once('_')?;
    Some((server.to_owned(), tool.to_owned()))
}
