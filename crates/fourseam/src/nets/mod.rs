//! The three nets under a hook call: most hosts run the tool when a hook crashes or hangs, so a call that goes
//! wrong must still answer.
//!
//! 1. [`catching`]: a panic becomes a message, and the caller answers `on_error`.
//! 2. A crash net: stack overflow, abort and other fatal signals print the answer that was fixed beforehand; so do
//!    signals by which someone ends the process, such as SIGTERM.
//! 3. Two timers, for CPU time (runaway loops) and for wall time (whatever hangs).
//!
//! Knows no host and makes no decision: the caller hands in the answer to give.

mod fault;
mod signals;

pub(crate) use fault::{inject, stop_at};
pub(crate) use signals::{answered, answering, arm, replace, wait_for};

use fourseam_hosts::Reply;
use std::ffi::CString;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

/// What the nets say when they catch something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    /// The answer.
    pub(crate) reply: Reply,
    /// What to leave behind, so that a crash is on record.
    pub(crate) note: Option<Note>,
}

/// A line and the file to leave it in.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// The file while it is written: nobody reads it.
    pub(crate) half: CString,
    /// The file.
    pub(crate) path: CString,
    /// The line.
    pub(crate) line: Vec<u8>,
}

/// Where the last panic happened and what it said.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs a call; a panic inside comes back as what it said and where.
///
/// # Errors
/// The text of the panic.
pub(crate) fn catching<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("panic");
        let place = info.location().map_or_else(|| "unknown place".to_owned(), ToString::to_string);
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = Some(format!("internal error at {place}: {message}"));
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(call)).map_err(|_| {
        let last = LAST_PANIC.lock().ok().and_then(|mut last| last.take());
        last.unwrap_or_else(|| "internal error".to_owned())
    })
}
