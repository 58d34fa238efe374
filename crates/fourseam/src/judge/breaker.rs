//! After three failures in a row the judge is left alone for a minute, so that a dead server does not slow every call.

use crate::clock;
use crate::file;
use crate::home::Home;
use std::path::PathBuf;

/// Failures in a row that open it.
const FAILURES: u64 = 3;
/// Seconds that it stays open.
const PAUSE: u64 = 60;

/// Failures in a row, and when the last one was.
struct State {
    failures: u64,
    at: u64,
}

/// Whether the judge may be asked.
///
/// # Errors
/// When it has failed too often just now.
pub(super) fn check(home: &Home) -> Result<(), String> {
    let Some(state) = read(home) else { return Ok(()) };
    let age = clock::seconds().saturating_sub(state.at);
    if state.failures >= FAILURES && age < PAUSE {
        return Err(format!(
            "the judge failed {} times in a row; it is asked again in {} s",
            state.failures,
            PAUSE - age
        ));
    }
    Ok(())
}

/// Notes how it went.
pub(super) fn note(home: &Home, answered: bool) {
    if !home.exists() {
        return;
    }
    let before = read(home);
    let _ = match (answered, before) {
        (true, None) => Ok(()),
        (true, Some(_)) => file::remove(&path(home)),
        (false, before) => {
            let failures = before.map_or(0, |state| state.failures) + 1;
            file::replace(&path(home), format!("{failures} {}\n", clock::seconds()).as_bytes())
        }
    };
}

fn read(home: &Home) -> Option<State> {
    let text = file::read_text(&path(home), 64).ok()?;
    let (failures, at) = text.trim().split_once(' ')?;
    Some(State { failures: failures.parse().ok()?, at: at.parse().ok()? })
}

fn path(home: &Home) -> PathBuf {
    home.cache().join("judge-failures")
}
