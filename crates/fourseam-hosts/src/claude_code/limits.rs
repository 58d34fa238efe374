//! What cannot be enforced in Claude Code, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "`--bare` and `disableAllHooks` turn every hook off",
        answer: "the agent may neither set them nor start itself so: packs `guard` and `agents` refuse; `fourseam native --write` keeps the most dangerous commands refused",
    },
    Limit {
        what: "files named with `@` in a prompt are read without a hook",
        answer: "none: keep secrets out of the project",
    },
    Limit {
        what: "cloud sessions run where neither the program nor the user's settings are",
        answer: "wire the project too (`fourseam install --scope project`) and put `fourseam` into the image",
    },
];
