//! The questions for a judge, as they were compiled.

use fourseam_core::judge::Questions;

/// What a judge is asked. `None` only if the build was broken.
#[must_use]
pub fn questions() -> Option<Questions> {
    postcard::from_bytes(include_bytes!(concat!(env!("OUT_DIR"), "/questions.bin"))).ok()
}
