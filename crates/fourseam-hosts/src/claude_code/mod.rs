//! Claude Code: identity and events. What was run in the client and what was only read is in `README.md`.

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

pub(crate) struct ClaudeCode;

const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::Native,
    allow: true,
    rewrite: true,
    context: true,
    replace: ReplaceSupport::No,
    notice: false,
};
/// Before the person is asked. An allow here would answer the user's own ask rules, so there is none.
const PERMISSION: Capabilities = Capabilities { allow: false, context: false, ..GATE };
const RESULT: Capabilities =
    Capabilities { point: Some(Point::ToolResult), deny: true, context: true, replace: ReplaceSupport::All, ..WATCHED };
/// A failed call has no result to replace.
const FAILURE: Capabilities = Capabilities { replace: ReplaceSupport::No, ..RESULT };
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), deny: true, context: true, ..WATCHED };
const STOP: Capabilities = Capabilities { point: Some(Point::Output), deny: true, context: true, ..WATCHED };
/// `systemMessage` is for the user alone.
const START: Capabilities = Capabilities { notice: true, ..WATCHED };

static EVENTS: &[Event] = &[
    Event::watched("ConfigChange"),
    Event::watched("CwdChanged"),
    Event::watched("DirectoryAdded"),
    Event::watched("Elicitation"),
    Event::watched("ElicitationResult"),
    Event::watched("FileChanged"),
    Event::watched("InstructionsLoaded"),
    Event::watched("MessageDisplay"),
    Event::watched("Notification"),
    Event::watched("PermissionDenied"),
    Event { name: "PermissionRequest", capabilities: PERMISSION },
    Event::watched("PostCompact"),
    Event::watched("PostModelSwitch"),
    Event::watched("PostToolBatch"),
    Event { name: "PostToolUse", capabilities: RESULT },
    Event { name: "PostToolUseFailure", capabilities: FAILURE },
    Event::watched("PreCompact"),
    Event::watched("PreModelSwitch"),
    PRE_TOOL,
    Event::watched("SessionEnd"),
    Event { name: "SessionStart", capabilities: START },
    Event::watched("Setup"),
    Event { name: "Stop", capabilities: STOP },
    Event::watched("StopFailure"),
    Event::watched("SubagentStart"),
    Event { name: "SubagentStop", capabilities: STOP },
    Event::watched("TaskCompleted"),
    Event::watched("TaskCreated"),
    Event::watched("TeammateIdle"),
    Event { name: "UserPromptExpansion", capabilities: PROMPT },
    Event { name: "UserPromptSubmit", capabilities: PROMPT },
    Event::watched("WorktreeCreate"),
    Event::watched("WorktreeRemove"),
];

const PRE_TOOL: Event = Event { name: "PreToolUse", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

impl Host for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// A transcript and an event name, and none of the marks of the hosts that borrowed this protocol.
    fn recognises(&self, envelope: &Value) -> bool {
        let fields = Fields(envelope);
        // `turn_id` is Codex's, except on the one event where Claude Code tells the id of a displayed message.
        let turn = fields.has(&["turn_id"]) && !fields.has(&["message_id"]);
        let codex = turn || (fields.has(&["model"]) && fields.has(&["permission_mode"]));
        let rollout = fields.text(&["transcript_path"]).is_some_and(|path| path.contains("/rollout-"));
        fields.text(&["hook_event_name"]).is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
            && fields.text(&["transcript_path"]).is_some()
            && !codex
            && !rollout
            && !fields.has(&["timestamp", "conversation_id", "cursor_version"])
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "session_id": "6f1c2a80-3b57-4d0e-9a41-0c5e7d2b9f13",
            "transcript_path": "/home/ana/.claude/projects/-home-ana-shop/6f1c2a80-3b57-4d0e-9a41-0c5e7d2b9f13.jsonl",
            "cwd": "/home/ana/shop",
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": { "command": command, "description": "as the user asked" },
            "tool_use_id": "toolu_01Shop",
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
