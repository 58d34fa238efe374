//! What cannot be enforced in Gemini, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "in a folder that is not trusted a project's hooks are not loaded",
        answer: "the user's hooks run: `fourseam install` writes those",
    },
    Limit {
        what: "`hooksConfig.enabled: false` turns every hook off",
        answer: "the agent may not set it: pack `guard` refuses",
    },
    Limit {
        what: "an ask waits for ever without a person, and lifts a deny of Gemini's own policy",
        answer: "ask is told as a deny unless `hosts.gemini-cli.ask: native` is set",
    },
    Limit {
        what: "a payload does not say that a sub-agent calls",
        answer: "sub-agents are judged as the main agent is",
    },
];
