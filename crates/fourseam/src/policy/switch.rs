//! What a person switched beside the policy: the mode (`fourseam mode`) and a pause (`fourseam pause`). Which of the
//! two and the policy holds is said in [`in_force`]; the organisation's mode stays a floor under both.

use super::state;
use crate::clock::seconds;
use crate::file;
use crate::home::Home;
use fourseam_core::decision::Mode;
use std::io;
use std::time::Duration;

/// The longest pause. One that would end later is none: a wrong clock must not switch the guard off for good.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 3600);

/// The mode that replaces the policy's: dry while paused, else what was switched. `None`: the policy's holds.
pub(super) fn in_force(home: &Home, switched: Option<Mode>) -> Option<Mode> {
    if paused_until(home).is_some() { Some(Mode::Dry) } else { switched }
}

/// The mode that was switched.
pub(crate) fn mode(home: &Home) -> Option<Mode> {
    read(home).0
}

/// The mode that was switched, and what is wrong with the file that names it, in words. A damaged file may have said
/// anything, so it is taken for the mode that enforces.
pub(crate) fn read(home: &Home) -> (Option<Mode>, Option<String>) {
    let why = match file::read_text(&home.mode(), 64) {
        Ok(text) => match state::mode_named(text.trim()) {
            Some(mode) => return (Some(mode), None),
            None => "names no mode".to_owned(),
        },
        Err(error) if file::is_missing(&error) => return (None, None),
        Err(error) => format!("cannot be read: {error}"),
    };
    (Some(Mode::Guard), Some(format!("{why}, so agents are told what is decided (mode guard)")))
}

/// When the pause ends, in seconds since 1970; `None` when there is none, or it is over.
pub(crate) fn paused_until(home: &Home) -> Option<u64> {
    let until: u64 = file::read_text(&home.pause(), 64).ok()?.trim().parse().ok()?;
    let left = until.checked_sub(seconds())?;
    (left > 0 && left <= LONGEST_PAUSE.as_secs()).then_some(until)
}

/// Switches the mode; `None`: the policy's holds again.
pub(crate) fn set_mode(home: &Home, mode: Option<Mode>) -> io::Result<()> {
    match mode {
        Some(mode) => file::replace(&home.mode(), format!("{}\n", mode.word()).as_bytes()),
        None => file::remove(&home.mode()),
    }
}

/// Pauses for a time, and says until when, in seconds since 1970.
pub(crate) fn pause(home: &Home, time: Duration) -> io::Result<u64> {
    let until = seconds() + time.min(LONGEST_PAUSE).as_secs();
    file::replace(&home.pause(), format!("{until}\n").as_bytes())?;
    Ok(until)
}

/// Ends a pause.
pub(crate) fn end_pause(home: &Home) -> io::Result<()> {
    file::remove(&home.pause())
}
