//! What a host can say at one event. Data for [`crate::verdict::Verdict::fit`]; knows no host by name.

use crate::action::{Action, Point};
use serde::Serialize;

/// What a host can say at one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The intervention point, or none for events that are only watched.
    pub point: Option<Point>,
    /// The event stands before something that runs, and a failure must answer deny: pre-tool and permission.
    pub gate: bool,
    /// A deny is obeyed.
    pub deny: bool,
    /// How an ask is obeyed.
    pub ask: AskSupport,
    /// An explicit allow is honoured and weakens nothing of the user's own rules.
    pub allow: bool,
    /// The call's arguments can be replaced.
    pub rewrite: bool,
    /// Text can be added for the model.
    pub context: bool,
    /// Which tools' results can be replaced.
    pub replace: ReplaceSupport,
    /// A session starts, and the host shows a line to the user, not to the model.
    pub notice: bool,
}

/// How a host obeys an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskSupport {
    /// The person is asked.
    Native,
    /// There is a way, but it hangs or weakens in places; used only where the user opted in.
    OptIn,
    /// No way: ask becomes deny.
    No,
}

/// Which tools' results a host lets a hook replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplaceSupport {
    /// None.
    No,
    /// Those of MCP servers.
    Mcp,
    /// All.
    All,
}

impl ReplaceSupport {
    /// Whether the result of this call can be replaced.
    #[must_use]
    pub fn is_of(self, call: &Action) -> bool {
        match self {
            Self::No => false,
            Self::Mcp => matches!(call, Action::McpCall { .. }),
            Self::All => true,
        }
    }
}
