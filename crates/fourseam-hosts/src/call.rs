//! What the payloads of all hosts share: who calls, which tool, what it is given, what came back. The adapters say
//! which event holds which of these.

use crate::host::{Event, Host, ParseError};
use crate::read::Fields;
use crate::result;
use crate::tool::{self, Kind};
use fourseam_core::action::{Action, HookCall, Shell, ToolResult};
use serde_json::Value;

/// How a host names its tools.
pub(crate) struct Tools {
    /// What a tool of this name does; `None` for names the adapter does not know.
    pub(crate) kind: fn(&str) -> Option<Kind>,
    /// Server and tool of a call that goes to an MCP server.
    pub(crate) mcp: fn(&str, Fields) -> Option<(String, String)>,
}

const EVENT: &[&str] = &["hook_event_name", "hookEventName", "hookName"];
const TOOL: &[&str] = &["tool_name", "toolName", "tool"];
const INPUT: &[&str] = &["tool_input", "toolInput", "toolArgs", "tool_args", "arguments", "args"];
const RESULT: &[&str] = &["tool_response", "toolResponse", "tool_result", "toolResult", "tool_output", "toolOutput"];
const ERROR: &[&str] = &["error", "error_message", "errorMessage"];

/// The event of a payload in the host's own spelling: as the payload says, else as the caller said, else the gate.
///
/// A caller's word that is no event of the host is not followed: it would turn a gate into an event that is only
/// watched.
pub(crate) fn event_name<'a>(
    host: &dyn Host,
    envelope: &'a Value,
    named: Option<&'a str>,
) -> Result<&'a str, ParseError> {
    if !envelope.is_object() {
        return Err(ParseError {
            host: host.id(),
            what: format!("expected a JSON object, found {}", kind_of(envelope)),
        });
    }
    let told = Fields(envelope).text(EVENT).filter(|name| !name.is_empty());
    let named = named.filter(|name| host.events().iter().any(|event| event.name == *name));
    Ok(told.or(named).unwrap_or(host.default_event().name))
}

/// A hook call with the fields that every payload has.
pub(crate) fn call(host: &dyn Host, envelope: &Value, event: &Event, name: &str, action: Action) -> HookCall {
    let fields = Fields(envelope);
    let cwd = cwd(fields);
    HookCall {
        host: host.id().to_owned(),
        event: name.to_owned(),
        point: event.capabilities.point,
        session: fields.id(&["conversation_id", "session_id", "sessionId", "sessionID"]),
        action: elsewhere_only(action, cwd.as_deref()),
        cwd,
        permission_mode: fields.id(&["permission_mode", "permissionMode"]),
        agent_id: fields.id(&["agent_id", "agentId"]),
        call_id: fields.id(&["tool_use_id", "tool_call_id", "toolCallId", "toolUseId", "callID"]),
        tool: event.capabilities.point.and_then(|_| fields.id(TOOL)),
        stop_hook_active: fields.flag(&["stop_hook_active", "stopHookActive"]),
    }
}

fn cwd(fields: Fields) -> Option<String> {
    fields.id(&["cwd", "directory"]).or_else(|| {
        let roots = fields.list(&["workspace_roots"])?;
        roots.first()?.as_str().filter(|root| !root.is_empty()).map(str::to_owned)
    })
}

/// A command's own directory is told only where it differs from the call's.
fn elsewhere_only(action: Action, cwd: Option<&str>) -> Action {
    match action {
        Action::Shell(shell) if shell.cwd.as_deref() == cwd => Action::Shell(Shell { cwd: None, ..shell }),
        other => other,
    }
}

/// The action of an event before a tool runs.
///
/// # Errors
/// When the payload names no tool, or a tool that runs commands or patches comes without its text: an adapter that
/// cannot see what would run must not pass it by.
pub(crate) fn tool_call(host: &'static str, envelope: &Value, tools: &Tools) -> Result<Action, ParseError> {
    let fields = Fields(envelope);
    let Some(name) = fields.id(TOOL) else {
        return Err(ParseError { host, what: "no tool name (`tool_name`)".to_owned() });
    };
    let input = fields.object(INPUT);
    if let Some((server, tool)) = (tools.mcp)(&name, fields) {
        return Ok(Action::McpCall { server, tool, arguments: input.into_owned() });
    }
    let kind = (tools.kind)(&name);
    match kind.and_then(|kind| tool::action(kind, &input)) {
        Some(action) => Ok(action),
        None if matches!(kind, Some(Kind::Shell(_) | Kind::Patch)) => {
            Err(ParseError { host, what: format!("tool `{name}` without its text (`tool_input.command`)") })
        }
        None => Ok(Action::Other { tool: name, input: input.into_owned() }),
    }
}

/// The action of an event after a tool ran. `failed`: the event itself says that it did not succeed.
pub(crate) fn tool_result(host: &'static str, envelope: &Value, tools: &Tools, failed: bool) -> Action {
    let fields = Fields(envelope);
    let name = fields.id(TOOL).unwrap_or_default();
    let of = tool_call(host, envelope, tools)
        .unwrap_or_else(|_| Action::Other { tool: name.clone(), input: fields.object(INPUT).into_owned() });
    let own = (tools.mcp)(&name, fields).is_none() && matches!((tools.kind)(&name), Some(Kind::Own | Kind::Subagent));
    let raw = fields.get(RESULT).or_else(|| fields.get(ERROR)).cloned().unwrap_or_default();
    let failed = failed || says_failed(Fields(&raw));
    Action::ToolResult(ToolResult { of: Box::new(of), text: result::text(&raw), raw, failed, own })
}

/// The action of an event with the user's prompt.
pub(crate) fn prompt(envelope: &Value) -> Action {
    Action::Prompt { text: Fields(envelope).text(&["prompt"]).unwrap_or_default().to_owned() }
}

/// The action of an event at the end of a turn.
pub(crate) fn output(envelope: &Value) -> Action {
    let names = &["last_assistant_message", "prompt_response", "response", "text"];
    Action::Output { text: Fields(envelope).text(names).unwrap_or_default().to_owned() }
}

/// The action of every other event: its name and all it holds.
pub(crate) fn other(name: &str, envelope: &Value) -> Action {
    Action::Other { tool: name.to_owned(), input: envelope.clone() }
}

/// Server and tool of `mcp__SERVER__TOOL`.
pub(crate) fn mcp_double_underscore(name: &str) -> Option<(String, String)> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some((server.to_owned(), tool.to_owned()))
}

fn says_failed(result: Fields) -> bool {
    let kind = result.text(&["resultType", "result_type"]);
    result.flag(&["is_error", "isError"])
        || result.get(&["error"]).is_some()
        || kind.is_some_and(|kind| kind != "success")
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
