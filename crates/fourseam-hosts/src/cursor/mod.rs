//! Cursor: identity and events. Its protocol was read in documents and field reports, never run; see `README.md`.

mod install;
mod limits;
mod native;
mod parse;
mod render;

use crate::host::{Event, Host, Limit, ParseError, Reply, WATCHED};
use crate::install::Install;
use crate::read::Fields;
use fourseam_core::action::{HookCall, Point};
use fourseam_core::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use fourseam_core::verdict::Told;
use serde_json::{Value, json};

pub(crate) struct Cursor;

/// `ask` is accepted here and not enforced.
const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::No,
    allow: true,
    rewrite: true,
    context: false,
    replace: ReplaceSupport::No,
    notice: false,
};
const ASKING_GATE: Capabilities = Capabilities { ask: AskSupport::Native, rewrite: false, ..GATE };
/// Allow and deny are the only words, and allow is the neutral one.
const PLAIN_GATE: Capabilities = Capabilities { allow: false, rewrite: false, ..GATE };
/// A refusal becomes a remark; only the result of an MCP tool can be replaced.
const RESULT: Capabilities =
    Capabilities { point: Some(Point::ToolResult), context: true, replace: ReplaceSupport::Mcp, ..WATCHED };
const FAILURE: Capabilities = Capabilities { replace: ReplaceSupport::No, ..RESULT };
const SEEN_RESULT: Capabilities = Capabilities { point: Some(Point::ToolResult), ..WATCHED };
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), deny: true, ..WATCHED };
const STOP: Capabilities = Capabilities { point: Some(Point::Output), deny: true, ..WATCHED };
const SEEN_OUTPUT: Capabilities = Capabilities { point: Some(Point::Output), ..WATCHED };

static EVENTS: &[Event] = &[
    Event { name: "afterAgentResponse", capabilities: SEEN_OUTPUT },
    Event::watched("afterAgentThought"),
    Event { name: "afterFileEdit", capabilities: SEEN_RESULT },
    Event { name: "afterMCPExecution", capabilities: SEEN_RESULT },
    Event { name: "afterShellExecution", capabilities: SEEN_RESULT },
    Event { name: "afterTabFileEdit", capabilities: SEEN_RESULT },
    Event { name: "beforeMCPExecution", capabilities: ASKING_GATE },
    Event { name: "beforeReadFile", capabilities: PLAIN_GATE },
    Event { name: "beforeShellExecution", capabilities: ASKING_GATE },
    Event { name: "beforeSubmitPrompt", capabilities: PROMPT },
    Event { name: "beforeTabFileRead", capabilities: PLAIN_GATE },
    Event { name: "postToolUse", capabilities: RESULT },
    Event { name: "postToolUseFailure", capabilities: FAILURE },
    Event::watched("preCompact"),
    PRE_TOOL,
    Event::watched("sessionEnd"),
    Event::watched("sessionStart"),
    Event { name: "stop", capabilities: STOP },
    Event { name: "subagentStart", capabilities: PLAIN_GATE },
    Event { name: "subagentStop", capabilities: STOP },
    Event::watched("workspaceOpen"),
];

const PRE_TOOL: Event = Event { name: "preToolUse", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

impl Host for Cursor {
    fn id(&self) -> &'static str {
        "cursor"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["cursor-agent"]
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// Cursor's ids, or one of its event names in the field where others write theirs with a capital.
    fn recognises(&self, envelope: &Value) -> bool {
        let fields = Fields(envelope);
        let name = fields.text(&["hook_event_name"]);
        fields.has(&["conversation_id", "cursor_version"])
            || name.is_some_and(|name| EVENTS.iter().any(|event| event.name == name))
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "conversation_id": "c-71",
            "generation_id": "g-72",
            "model": "composer-2",
            "hook_event_name": "preToolUse",
            "cursor_version": "3.4.1",
            "workspace_roots": ["/home/ana/shop"],
            "user_email": null,
            "transcript_path": null,
            "tool_name": "Shell",
            "tool_input": { "command": command, "working_directory": "/home/ana/shop" },
            "tool_use_id": "t-73",
            "cwd": "/home/ana/shop",
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
