//! The state file: mode and `on_error` of the last loaded policy, a line each. The tail of the hook command reads the
//! first line when fourseam itself cannot run; the nets read both before the policy is loaded.

use super::Settings;
use crate::home::Home;
use fourseam_core::decision::{Mode, OnError};
use fourseam_core::policy;
use std::io;
use std::path::Path;

/// What the file says; `None` when it is missing or says anything odd.
pub(super) fn read(path: &Path) -> Option<Settings> {
    let text = crate::file::read_text(path, 64).ok()?;
    let (mode, on_error) = text.trim_end().split_once('\n')?;
    Some(Settings { mode: mode_named(mode)?, on_error: on_error_named(on_error)?, ..Settings::default() })
}

/// Writes the file where it says something else.
pub(super) fn write(home: &Home, said: &policy::Settings) -> io::Result<()> {
    let path = home.state();
    let known = read(&path).is_some_and(|old| (old.mode, old.on_error) == (said.mode, said.on_error));
    if known {
        return Ok(());
    }
    crate::file::replace(&path, line(said).as_bytes())
}

fn line(said: &policy::Settings) -> String {
    let on_error = match said.on_error {
        OnError::Abstain => "abstain",
        OnError::Ask => "ask",
        OnError::Deny => "deny",
    };
    format!("{}\n{on_error}\n", said.mode.word())
}

/// The mode of this name.
pub(super) fn mode_named(name: &str) -> Option<Mode> {
    [Mode::Dry, Mode::Guard, Mode::On].into_iter().find(|mode| mode.word() == name)
}

/// The `on_error` of this name.
pub(super) fn on_error_named(name: &str) -> Option<OnError> {
    match name {
        "abstain" => Some(OnError::Abstain),
        "ask" => Some(OnError::Ask),
        "deny" => Some(OnError::Deny),
        _ => None,
    }
}
