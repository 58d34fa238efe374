//! The agent's own program: where it is, and which version. Starts it with `--version`, for a few seconds at most.
#![expect(clippy::disallowed_types, reason = "asks the agents for their versions; no hook call comes here")]

use super::{Check, Finding, Patient};
use crate::install::{Seen, Step};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long all agents together may take.
const PATIENCE: Duration = Duration::from_secs(8);
/// Most bytes of an answer that are read.
const LONGEST: u64 = 4096;

pub(super) fn found(patient: &Patient<'_>) -> Finding {
    match &patient.step.target.seen {
        Seen::Program(path) => Check::Found.fine(format!("`{}`", path.display())),
        Seen::Folder | Seen::No => Check::Found.note("its folder is there, its program is not on `PATH`"),
    }
}

/// What an agent said of its version; `None` when its program is not on `PATH`.
pub(super) type Version = Option<Result<String, String>>;

/// Asks all of them at once.
pub(super) fn versions(steps: &[&Step]) -> Vec<Version> {
    let started: Vec<Option<Result<Child, String>>> = steps
        .iter()
        .map(|step| match &step.target.seen {
            Seen::Program(path) => Some(start(path)),
            Seen::Folder | Seen::No => None,
        })
        .collect();
    let end = Instant::now() + PATIENCE;
    started.into_iter().map(|child| child.map(|child| child.and_then(|child| answer(child, end)))).collect()
}

pub(super) fn version(patient: &Patient<'_>, version: &Version) -> Finding {
    match version {
        None => Check::Version.note("not known: its program is not on `PATH`"),
        Some(Err(why)) => Check::Version.note(format!("not known: {why}")),
        Some(Ok(version)) => proven(patient, version),
    }
}

fn proven(_: &Patient<'_>, version: &str) -> Finding {
    Check::Version.fine(version)
}

fn start(program: &Path) -> Result<Child, String> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Agents look for a newer release of themselves when they start.
    for quiet in ["DISABLE_AUTOUPDATER", "NO_UPDATE_NOTIFIER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] {
        command.env(quiet, "1");
    }
    command.spawn().map_err(|error| format!("`{}` cannot be started: {error}", program.display()))
}

fn answer(mut child: Child, end: Instant) -> Result<String, String> {
    let ended = loop {
        match child.try_wait() {
            Ok(Some(_)) => break true,
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) | Err(_) => break false,
        }
    };
    if !ended {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("`--version` did not answer within {} s", PATIENCE.as_secs()));
    }
    let mut bytes = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        // A child of the child may keep the pipe open; what is there is read, the end is not waited for.
        let _ = stdout.take(LONGEST).read_to_end(&mut bytes);
    }
    number(&String::from_utf8_lossy(&bytes)).ok_or_else(|| "`--version` names none".to_owned())
}

/// The first word that is a version: numbers with dots, perhaps with a `v` in front or more behind.
fn number(text: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches('v').trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let starts =
            word.split('.').next().is_some_and(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        (starts && word.contains('.')).then(|| word.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn versions_as_agents_say_them() {
        for (text, want) in [
            ("2.1.332 (Claude Code)", Some("2.1.332")),
            ("codex-cli 0.171.0\n", Some("0.171.0")),
            ("GitHub Copilot CLI v1.0.102.", Some("1.0.102")),
            ("1.18.33-beta.2", Some("1.18.33-beta.2")),
            ("3", None),
            ("", None),
        ] {
            assert_eq!(number(text).as_deref(), want, "{text}");
        }
    }
}
