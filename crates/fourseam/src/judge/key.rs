//! The key of the judge: from the environment or from a file that only the user can read. Never from a policy.

use crate::file;
use fourseam_core::judge::JudgeSettings;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Largest key file.
const LARGEST: usize = 16 * 1024;

/// The key; `None` where the variable is not set: servers on this machine need none.
///
/// # Errors
/// When a key file is named and cannot be used.
pub(super) fn read(settings: &JudgeSettings) -> Result<Option<String>, String> {
    let Some(path) = &settings.key_file else {
        let value = settings.key_variable().and_then(|name| std::env::var(name).ok());
        return value.map(|key| usable(&key, "the judge's environment variable")).transpose();
    };
    let facts = std::fs::metadata(path).map_err(|error| format!("`judge.key_file` `{path}`: {error}"))?;
    if facts.permissions().mode() & 0o077 != 0 {
        return Err(format!("`judge.key_file` `{path}` can be read by others: run `chmod 600 {path}`"));
    }
    let text =
        file::read_text(Path::new(path), LARGEST).map_err(|error| format!("`judge.key_file` `{path}`: {error}"))?;
    usable(&text, &format!("`judge.key_file` `{path}`")).map(Some)
}

fn usable(text: &str, place: &str) -> Result<String, String> {
    let key = text.trim();
    if key.is_empty() || key.chars().any(|c| !c.is_ascii_graphic()) {
        return Err(format!("{place} holds no key: one line of printable characters is expected"));
    }
    Ok(key.to_owned())
}
