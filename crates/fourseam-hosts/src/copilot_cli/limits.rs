//! What cannot be enforced in Copilot, and what fourseam does about it.

use crate::host::Limit;

pub(super) const LIMITS: &[Limit] = &[
    Limit {
        what: "hooks of a project are skipped without a word in a folder that is not trusted",
        answer: "the user's hooks run in every folder: `fourseam install` writes those",
    },
    Limit {
        what: "the cloud agent reads `.github/hooks` alone, and cannot ask",
        answer: "`fourseam install --scope project`, and put `fourseam` into its setup steps; ask becomes deny there",
    },
];
