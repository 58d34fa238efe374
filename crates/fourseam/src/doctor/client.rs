//! The agent's own program: where it is, and which version. Starts it with `--version`, for a few seconds at most.
#![expect(clippy::disallowed_types, reason = "asks the agents for their versions; no hook call comes here")]

use super::{Check, Finding, Patient, proven};
use crate::install::{Seen, Step};
use fourseam_hosts::proof::is_newer;
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

/// A release that came after the last proof may read answers in another way.
fn proven(patient: &Patient<'_>, version: &str) -> Finding {
    let id = patient.host().id();
    match proven::newest(patient.home, id) {
        None => Check::Version.note(format!("{version}; the guard was not proven in any")),
        Some(newest) if is_newer(version, &newest) => Check::Version.broken(
            format!("{version} is newer than {newest}, the last in which the guard was seen to hold"),
            format!("fourseam prove --host {id}"),
        ),
        Some(newest) => Check::Version.fine(format!("{version}, proven up to {newest}")),
    }
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
    fourseam_hosts::proof::version_in(&String::from_utf8_lossy(&bytes))
        .ok_or_else(|| "`--version` names none".to_owned())
}
