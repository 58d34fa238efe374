//! GitHub Copilot CLI: identity and events, in both of its dialects. What was run in the client and what was only read
//! is in `README.md`.

mod install;
mod limits;
mod parse;
mod render;

use crate::host::{Event, Host, Limit, ParseError, Reply, WATCHED};
use crate::install::Install;
use crate::read::Fields;
use fourseam_core::action::{HookCall, Point};
use fourseam_core::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(crate) struct CopilotCli;

/// An allow would override the user's own deny flags, so it is never said.
const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::Native,
    allow: false,
    rewrite: true,
    context: true,
    replace: ReplaceSupport::No,
    notice: false,
};
/// Before the person is asked, so an ask is silence.
const PERMISSION: Capabilities = Capabilities { rewrite: false, context: false, ..GATE };
/// A block replaces the result with its reason.
const RESULT: Capabilities =
    Capabilities { point: Some(Point::ToolResult), deny: true, context: true, replace: ReplaceSupport::All, ..WATCHED };
const FAILURE: Capabilities = Capabilities { point: Some(Point::ToolResult), ..WATCHED };
/// Nothing a hook says stops a prompt.
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), ..WATCHED };
const STOP: Capabilities = Capabilities { point: Some(Point::Output), deny: true, ..WATCHED };
const SUBAGENT_STOP: Capabilities = Capabilities { point: Some(Point::Output), ..WATCHED };

/// The case of the name is the dialect: a capital means payload and answers in Claude Code's form.
static EVENTS: &[Event] = &[
    Event::watched("Notification"),
    Event { name: "PermissionRequest", capabilities: PERMISSION },
    Event { name: "PostToolUse", capabilities: RESULT },
    Event { name: "PostToolUseFailure", capabilities: FAILURE },
    Event::watched("PreCompact"),
    Event { name: "PreToolUse", capabilities: GATE },
    Event::watched("SessionEnd"),
    Event::watched("SessionStart"),
    Event { name: "Stop", capabilities: STOP },
    Event::watched("SubagentStart"),
    Event { name: "SubagentStop", capabilities: SUBAGENT_STOP },
    Event { name: "UserPromptSubmit", capabilities: PROMPT },
    Event { name: "agentStop", capabilities: STOP },
    Event::watched("errorOccurred"),
    Event::watched("notification"),
    Event { name: "permissionRequest", capabilities: PERMISSION },
    Event { name: "postToolUse", capabilities: RESULT },
    Event { name: "postToolUseFailure", capabilities: FAILURE },
    Event::watched("preCompact"),
    Event::watched("preMcpToolCall"),
    PRE_TOOL,
    Event::watched("sessionEnd"),
    Event::watched("sessionStart"),
    Event::watched("subagentStart"),
    Event { name: "subagentStop", capabilities: SUBAGENT_STOP },
    Event { name: "userPromptSubmitted", capabilities: PROMPT },
    Event::watched("userPromptTransformed"),
];

const PRE_TOOL: Event = Event { name: "preToolUse", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

impl Host for CopilotCli {
    fn id(&self) -> &'static str {
        "copilot-cli"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn title(&self) -> &'static str {
        "GitHub Copilot CLI"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// `sessionId` with a number for the time, or Claude Code's names with a time of day and no permission mode.
    fn recognises(&self, envelope: &Value) -> bool {
        let fields = Fields(envelope);
        if fields.has(&["conversation_id", "cursor_version", "permission_mode", "turn_id", "hookEventName"]) {
            return false;
        }
        let camel = fields.text(&["sessionId"]).is_some()
            && (fields.get(&["timestamp"]).is_some_and(Value::is_number) || fields.has(&["toolName", "hookName"]));
        let name = fields.text(&["hook_event_name"]).unwrap_or_default();
        // Three names are Gemini's too, which tells a transcript there and Copilot does not.
        let gemini = ["Notification", "SessionEnd", "SessionStart"].contains(&name) && fields.has(&["transcript_path"]);
        let pascal = fields.text(&["timestamp"]).is_some()
            && EVENTS.iter().any(|event| event.name == name && name.starts_with(|c: char| c.is_ascii_uppercase()));
        camel || (pascal && !gemini)
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "sessionId": "3d9a60f1-7c42-4b8e-b5d0-a4f6c8e0d1b1",
            "timestamp": 1_793_610_000_000_u64,
            "cwd": "/home/ana/shop",
            "toolName": "bash",
            "toolArgs": { "command": command, "description": "as the user asked", "initial_wait": 5, "mode": "sync" },
        })
    }

    fn parse(&self, envelope: &Value, event: Option<&str>) -> Result<HookCall, ParseError> {
        parse::parse(self, envelope, event)
    }

    fn render(&self, event: &Event, told: &Told) -> Reply {
        render::render(event, told)
    }

    fn limits(&self) -> &'static [Limit] {
        limits::LIMITS
    }

    fn install(&self) -> &dyn Install {
        self
    }
}
