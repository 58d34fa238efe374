//! OpenCode: identity and events. It has no command hooks: our plugin calls the binary, so the payload and the answer
//! are our own, and the plugin turns the answer into what OpenCode obeys. See `README.md`.

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

pub(crate) struct OpenCode;

/// A thrown error blocks; nothing asks, and nothing skips OpenCode's own question.
const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::No,
    allow: false,
    rewrite: true,
    context: false,
    replace: ReplaceSupport::No,
    notice: false,
};
/// A deny replaces the result with its reason.
const RESULT: Capabilities =
    Capabilities { point: Some(Point::ToolResult), deny: true, context: true, replace: ReplaceSupport::All, ..WATCHED };
const PROMPT: Capabilities = Capabilities { point: Some(Point::Prompt), ..WATCHED };

static EVENTS: &[Event] = &[
    Event { name: "chat.message", capabilities: PROMPT },
    Event { name: "tool.execute.after", capabilities: RESULT },
    PRE_TOOL,
];

const PRE_TOOL: Event = Event { name: "tool.execute.before", capabilities: GATE };
static DEFAULT: Event = PRE_TOOL;

impl Host for OpenCode {
    fn id(&self) -> &'static str {
        "opencode"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    fn title(&self) -> &'static str {
        "OpenCode"
    }

    fn events(&self) -> &'static [Event] {
        EVENTS
    }

    fn default_event(&self) -> &'static Event {
        &DEFAULT
    }

    /// The plugin's mark.
    fn recognises(&self, envelope: &Value) -> bool {
        Fields(envelope).has(&["opencode_plugin"])
    }

    fn sample(&self, command: &str) -> Value {
        json!({
            "opencode_plugin": 1,
            "hook_event_name": "tool.execute.before",
            "sessionID": "ses_shop1",
            "callID": "call_shop1",
            "directory": "/home/ana/shop",
            "tool": "bash",
            "args": { "command": command, "description": "as the user asked" },
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
