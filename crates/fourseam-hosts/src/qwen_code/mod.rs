//! Qwen Code: identity and events. What was run in the client and what was only read is in `README.md`.

mod install;
mod limits;
mod native;
mod parse;
mod render;
mod transcript;

use crate::host::{Event, Host, Limit, ParseError, Reply, WATCHED};
use crate::install::Install;
use crate::read::Fields;
use fourseam_core::action::{HookCall, Point};
use fourseam_core::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(crate) struct QwenCode;

/// An allow has no effect on Qwen's own question, and would override the deny of a hook before it.
const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::Native,
    allow: false,
    rewrite: false,
    context: false,
    replace: ReplaceSupport::No,
    notice: false,
};
/// Before the person is asked, so an ask is silence.
const PERMISSION: Capabilities = Capabilities { allow: true, ..GATE };
/// Only added context has an effect: a refusal becomes a remark.
const RESULT: Capabilities = Capabilities { point: Some(Point::ToolResult), context: true, ..WATCHED };
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), deny: true, context: true, ..WATCHED };
const STOP: Capabilities = Capabilities { point: Some(Point::Output), deny: true, ..WATCHED };

static EVENTS: &[Event] = &[
    Event::watched("InstructionsLoaded"),
    Event::watched("MessageDisplay"),
    Event::watched("Notification"),
    Event::watched("PermissionDenied"),
    Event { name: "PermissionRequest", capabilities: PERMISSION },
    Event::watched("PostCompact"),
    Event::watched("PostToolBatch"),
    Event { name: "PostToolUse", capabilities: RESULT },
    Event { name: "PostToolUseFailure", capabilities: RESULT },
    Event::watched("PreCompact"),
    PRE_TOOL,
    Event::watched("SessionDelete"),
    Event::watched("SessionEnd"),
    Event::watched("SessionStart"),
    Event { name: "Stop", capabilities: STOP },
    Event::watched("StopFailure"),
    Event::watched("SubagentStart"),
    Event { name: "SubagentStop", capabilities: STOP },
    Event::watched("TodoCompleted"),
    Event::watched("TodoCreated"),
    Event { name: "UserPromptExpansion", capabilities: PROMPT },
    Event { name: "UserPromptSubmit", capabilities: PROMPT },
];

const PRE_TOOL: Event = Event { name: "PreToolUse", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

impl Host for QwenCode {
    fn id(&self) -> &'static str {
        "qwen-code"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["qwen"]
    }

    fn title(&self) -> &'static str {
        "Qwen Code"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// Claude Code's fields and a time of day.
    fn recognises(&self, envelope: &Value) -> bool {
        let fields = Fields(envelope);
        fields.text(&["hook_event_name"]).is_some()
            && fields.text(&["timestamp"]).is_some()
            && fields.has(&["permission_mode"])
            && !fields.has(&["turn_id", "conversation_id", "cursor_version"])
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "session_id": "91e4b7a3-0d68-4c2f-86a5-f3d1b9c7e5a1",
            "transcript_path": "/home/ana/.qwen/projects/-home-ana-shop/chats/91e4b7a3.jsonl",
            "cwd": "/home/ana/shop",
            "hook_event_name": "PreToolUse",
            "timestamp": "2026-11-02T09:00:00.000Z",
            "permission_mode": "yolo",
            "prompt_id": "91e4b7a3########0",
            "tool_name": "run_shell_command",
            "tool_input": { "command": command, "description": "as the user asked", "is_background": false },
            "tool_use_id": "toolu_01Shop",
            "tool_call_id": "call_shop1",
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
