//! What cannot be enforced in Qwen, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "hooks stand after Qwen's own permission step: without a person in default mode they are not called",
        answer: "Qwen refuses such calls itself; under `yolo` and `auto` every call is judged",
    },
    Limit {
        what: "the allow of a later hook lifts an earlier deny",
        answer: "`fourseam install` writes its entry last; keep it there",
    },
    Limit {
        what: "results cannot be replaced after a tool has run",
        answer: "the model is warned in an added context",
    },
];
