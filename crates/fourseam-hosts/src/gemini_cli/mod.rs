//! Gemini CLI: identity and events. What was run in the client and what was only read is in `README.md`.

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

pub(crate) struct GeminiCli;

/// The undocumented `ask` hangs headless and turns a denial of the user's own policy into a question. `allow` has no
/// effect on Gemini's own confirmation, so it weakens nothing.
const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::OptIn,
    allow: true,
    rewrite: true,
    context: false,
    replace: ReplaceSupport::No,
    notice: false,
};
/// A deny replaces the result with its reason.
const RESULT: Capabilities =
    Capabilities { point: Some(Point::ToolResult), deny: true, context: true, replace: ReplaceSupport::All, ..WATCHED };
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), deny: true, context: true, ..WATCHED };
const STOP: Capabilities = Capabilities { point: Some(Point::Output), deny: true, ..WATCHED };
/// `systemMessage` is for the user alone.
const START: Capabilities = Capabilities { notice: true, ..WATCHED };

static EVENTS: &[Event] = &[
    Event { name: "AfterAgent", capabilities: STOP },
    Event::watched("AfterModel"),
    Event { name: "AfterTool", capabilities: RESULT },
    Event { name: "BeforeAgent", capabilities: PROMPT },
    Event::watched("BeforeModel"),
    PRE_TOOL,
    Event::watched("BeforeToolSelection"),
    Event::watched("Notification"),
    Event::watched("PreCompress"),
    Event::watched("SessionEnd"),
    Event { name: "SessionStart", capabilities: START },
];

const PRE_TOOL: Event = Event { name: "BeforeTool", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

/// Event names no other host has.
const OWN: &[&str] = &[
    "AfterAgent",
    "AfterModel",
    "AfterTool",
    "BeforeAgent",
    "BeforeModel",
    "BeforeTool",
    "BeforeToolSelection",
    "PreCompress",
];

impl Host for GeminiCli {
    fn id(&self) -> &'static str {
        "gemini-cli"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// An event name of its own, or a time of day and a transcript without a permission mode.
    fn recognises(&self, envelope: &Value) -> bool {
        let fields = Fields(envelope);
        let Some(name) = fields.text(&["hook_event_name"]) else { return false };
        let stamped = fields.text(&["timestamp"]).is_some() && fields.text(&["transcript_path"]).is_some();
        let shared = ["Notification", "SessionEnd", "SessionStart"].contains(&name) && stamped;
        !fields.has(&["permission_mode", "conversation_id", "cursor_version"]) && (OWN.contains(&name) || shared)
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "session_id": "b0c4e7d2-95a1-4f38-8c6d-1e2f3a4b5c6d",
            "transcript_path": "/home/ana/.gemini/tmp/shop/chats/session-2026-11-02T09-00-b0c4.jsonl",
            "cwd": "/home/ana/shop",
            "hook_event_name": "BeforeTool",
            "timestamp": "2026-11-02T09:00:00.000Z",
            "tool_name": "run_shell_command",
            "tool_input": { "command": command, "description": "as the user asked" },
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
