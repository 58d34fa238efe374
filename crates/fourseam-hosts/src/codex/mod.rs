//! Codex CLI: identity and events. What was run in the client and what was only read is in `README.md`.

mod install;
mod limits;
mod native;
mod parse;
mod render;
mod transcript;
pub mod trust;

use crate::host::{Event, Host, Limit, ParseError, Reply, WATCHED};
use crate::install::Install;
use crate::read::Fields;
use fourseam_core::action::{HookCall, Point};
use fourseam_core::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(crate) struct Codex;

/// `ask` is unsupported and lets the call run; a bare `allow` fails the hook.
const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::No,
    allow: false,
    rewrite: true,
    context: true,
    replace: ReplaceSupport::No,
    notice: false,
};
/// Before the person is asked, so an ask is silence. The reserved `updatedInput` would void the answer.
const PERMISSION: Capabilities =
    Capabilities { ask: AskSupport::Native, allow: true, rewrite: false, context: false, ..GATE };
/// A block replaces the result with its reason.
const RESULT: Capabilities =
    Capabilities { point: Some(Point::ToolResult), deny: true, context: true, replace: ReplaceSupport::All, ..WATCHED };
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), deny: true, context: true, ..WATCHED };
const STOP: Capabilities = Capabilities { point: Some(Point::Output), deny: true, ..WATCHED };
/// `systemMessage` is for the user alone.
const START: Capabilities = Capabilities { notice: true, ..WATCHED };

static EVENTS: &[Event] = &[
    Event::watched("Interrupt"),
    Event { name: "PermissionRequest", capabilities: PERMISSION },
    Event::watched("PostCompact"),
    Event { name: "PostToolUse", capabilities: RESULT },
    Event::watched("PreCompact"),
    PRE_TOOL,
    Event::watched("SessionEnd"),
    Event { name: "SessionStart", capabilities: START },
    Event { name: "Stop", capabilities: STOP },
    Event::watched("SubagentStart"),
    Event { name: "SubagentStop", capabilities: STOP },
    Event { name: "UserPromptSubmit", capabilities: PROMPT },
];

const PRE_TOOL: Event = Event { name: "PreToolUse", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

impl Host for Codex {
    fn id(&self) -> &'static str {
        "codex"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["codex-cli"]
    }

    fn title(&self) -> &'static str {
        "Codex CLI"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// A turn id, or model and permission mode in every payload, or a rollout file as transcript.
    fn recognises(&self, envelope: &Value) -> bool {
        let fields = Fields(envelope);
        let turn = fields.has(&["turn_id"]) && !fields.has(&["message_id"]);
        let model = fields.has(&["model"]) && fields.has(&["permission_mode"]);
        let rollout = fields.text(&["transcript_path"]).is_some_and(|path| path.contains("/rollout-"));
        fields.text(&["hook_event_name"]).is_some()
            && (turn || model || rollout)
            && !fields.has(&["timestamp", "prompt_id", "conversation_id", "cursor_version"])
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "session_id": "0199a1c4-7d20-7c33-8f0e-52b1e6a90d44",
            "turn_id": "0199a1c4-8e31-7d44-9a1f-63c2f7ba1e55",
            "transcript_path": "/home/ana/.codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-0199a1c4.jsonl",
            "cwd": "/home/ana/shop",
            "hook_event_name": "PreToolUse",
            "model": "gpt-5.5",
            "permission_mode": "default",
            "tool_name": "Bash",
            "tool_input": { "command": command },
            "tool_use_id": "call_shop1",
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
