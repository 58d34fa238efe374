//! What cannot be enforced in Codex CLI, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "`write_stdin` types into a program that is open, and no hook fires",
        answer: "the call that opens it is judged: pack `opaque` asks at a bare shell or interpreter, which Codex is told as a deny",
    },
    Limit {
        what: "the hosted web search runs at the model's side, and no hook fires",
        answer: "none: switch the search off in Codex where that matters",
    },
    Limit {
        what: "a hook whose entry has changed is skipped without a word until it is trusted again",
        answer: "`fourseam install` writes the trust; settings never change the entry",
    },
    Limit {
        what: "cloud tasks run elsewhere",
        answer: "wire the project too (`fourseam install --scope project`) and put `fourseam` into the image",
    },
];
