//! What was done before: transcripts of the agents and our own log, looked at again. Reads only.

pub(crate) mod amend;
pub(crate) mod calibrate;
mod candidate;
mod decider;
pub(crate) mod report;
pub(crate) mod suggest;
pub(crate) mod transcripts;

pub(crate) use decider::Decider;

use crate::audit::{self, Rows};
use crate::exit::Failure;
use crate::home::Home;

/// The rows of the log, oldest first.
///
/// # Errors
/// When there is no state folder, or it cannot be read.
pub(crate) fn rows() -> Result<Rows, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    audit::rows(&home).map_err(|error| Failure::new(format!("audit log `{}`: {error}", home.audit().display())))
}
