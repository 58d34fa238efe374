//! Finds and reads the session files that agents write of themselves.

use crate::exit::Failure;
use crate::file;
use crate::install::Around;
use fourseam_core::action::HookCall;
use fourseam_hosts::install::Scope;
use fourseam_hosts::transcript::{Outcome, Transcripts};
use fourseam_hosts::{HOSTS, Host};
use std::path::{Path, PathBuf};

/// Largest session file that is read.
const LARGEST: usize = 256 * 1024 * 1024;
/// Folders deep that files are looked for.
const DEEPEST: usize = 8;

/// A session file.
pub(crate) struct Session {
    /// Whose it is.
    pub(crate) host: &'static dyn Host,
    /// Where it is.
    pub(crate) path: PathBuf,
    kept: Transcripts,
}

/// A call of a session.
pub(crate) struct Replayed {
    /// The call, as the hook would have got it.
    pub(crate) call: HookCall,
    /// When, RFC 3339.
    pub(crate) time: Option<String>,
    /// What came of it.
    pub(crate) outcome: Outcome,
}

/// Every session file of the agents on this machine.
///
/// # Errors
/// When there is no home folder.
pub(crate) fn all() -> Result<Vec<Session>, Failure> {
    let around = Around::of_environment()?;
    let mut sessions = Vec::new();
    for host in HOSTS {
        let Some(kept) = host.install().checkup().transcripts else { continue };
        let target = around.target(*host, Scope::User)?;
        let folder = target.file.parent().unwrap_or(Path::new("/")).join(kept.folder);
        let mut paths = below(&folder, kept, DEEPEST);
        paths.sort();
        sessions.extend(paths.into_iter().map(|path| Session { host: *host, path, kept }));
    }
    Ok(sessions)
}

/// A session file that is named by hand. Whose it is, is found by where calls are found in it.
///
/// # Errors
/// When it cannot be read, or holds no call that an agent is known to write so.
pub(crate) fn named(path: &Path) -> Result<Session, Failure> {
    let shown = path.display();
    let text =
        file::read_text(path, LARGEST).map_err(|error| Failure::new(format!("cannot read `{shown}`: {error}")))?;
    let readers = HOSTS.iter().filter_map(|host| Some((*host, host.install().checkup().transcripts?)));
    let found = readers.map(|(host, kept)| ((kept.read)(&text).len(), host, kept)).max_by_key(|(calls, _, _)| *calls);
    match found {
        Some((calls, host, kept)) if calls > 0 => Ok(Session { host, path: path.to_owned(), kept }),
        _ => Err(Failure::new(format!("`{shown}` holds no tool call of a known form"))
            .help("session files of Claude Code, Codex, Gemini CLI and Qwen Code are read")),
    }
}

impl Session {
    /// The calls of the session, in its order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn calls(&self) -> Result<Vec<Replayed>, Failure> {
        let shown = self.path.display();
        let text = file::read_text(&self.path, LARGEST)
            .map_err(|error| Failure::new(format!("cannot read `{shown}`: {error}")))?;
        let event = self.host.default_event().name;
        let calls = (self.kept.read)(&text).into_iter();
        Ok(calls
            .filter_map(|call| {
                let read = self.host.parse(&call.payload(event), Some(event)).ok()?;
                Some(Replayed { call: read, time: call.time, outcome: call.outcome })
            })
            .collect())
    }
}

/// The session files below a folder, at most so many folders deep.
pub(crate) fn below(folder: &Path, kept: Transcripts, deep: usize) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    collect(folder, kept, deep, &mut paths);
    paths
}

fn collect(folder: &Path, kept: Transcripts, deep: usize, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && deep > 0 {
            collect(&entry.path(), kept, deep - 1, paths);
        } else if kind.is_file() && (kept.is_one)(&entry.file_name().to_string_lossy()) {
            paths.push(entry.path());
        }
    }
}
