//! What cannot be enforced in Cursor, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "the client cannot be run against a scripted model, so nothing here was seen in it",
        answer: "the payloads and answers of its documents are tested",
    },
    Limit {
        what: "its shell and MCP gates prompt for every command once they are wired",
        answer: "all tools go through `preToolUse`, where an ask is told as a deny",
    },
    Limit {
        what: "cloud agents run a project's command hooks alone, and not before MCP calls",
        answer: "`fourseam install --scope project`, and put `fourseam` into the image",
    },
];
