//! What cannot be enforced in OpenCode, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "`--pure` starts without plugins, and a plugin that cannot be loaded is dropped without a word",
        answer: "the agent may not start itself so: pack `agents` refuses; `fourseam prove` shows whether the plugin loads",
    },
    Limit {
        what: "a plugin that is loaded later can change the arguments after the check",
        answer: "none: look at the plugins of a project before you use it",
    },
    Limit {
        what: "`batch` runs tools without a hook of their own",
        answer: "a batch is judged as one call; one that does more than run commands and read is refused",
    },
];
