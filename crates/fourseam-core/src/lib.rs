//! The decision, pure: actions in, verdicts out. No I/O, no host names, no clock.

pub mod action;
pub mod analysis;
pub mod capabilities;
pub mod code;
mod decide;
pub mod decision;
pub mod detect;
pub mod judge;
pub mod past;
pub mod patch;
pub mod policy;
pub mod record;
pub mod redact;
pub mod remedy;
mod spelling;
#[cfg(test)]
mod told_tests;
pub mod verdict;
#[cfg(test)]
mod verdict_tests;
pub mod world;

pub use decide::{Decided, decide};
