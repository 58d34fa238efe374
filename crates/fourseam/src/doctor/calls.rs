//! Real calls: what the log holds of an agent, and what the agent's own transcripts hold that the log does not.

use super::place::word;
use super::{Check, Finding, Patient};
use crate::audit::{self, Row};
use crate::history::transcripts;
use crate::home::Home;
use crate::install::Seen;
use crate::{clock, file};
use fourseam_core::action::Action;
use fourseam_hosts::transcript::{Call, Outcome, Transcripts};
use fourseam_hosts::{Host, find};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Transcripts that are read: the newest, of the last days.
const NEWEST: usize = 60;
const DAYS: u64 = 14;
/// Largest transcript that is read.
const LARGEST: usize = 64 * 1024 * 1024;
/// Folders deep that transcripts are looked for.
const DEEPEST: usize = 6;
/// Commands without an edit between them that are no chance any more.
const MANY: usize = 30;

/// What the log holds of each agent.
pub(super) struct Log {
    hosts: HashMap<String, Rows>,
}

/// What the log holds of one.
#[derive(Default)]
struct Rows {
    first: String,
    last: String,
    /// Ids of calls.
    ids: HashSet<String>,
    sessions: HashSet<String>,
    commands: usize,
    edits: usize,
    /// The last that went wrong: when, and what.
    trouble: Option<(String, String)>,
}

impl Log {
    /// Reads the log. What cannot be read is a finding.
    pub(super) fn read(home: &Home, findings: &mut Vec<Finding>) -> Self {
        let mut log = Self { hosts: HashMap::new() };
        let mut broken = None;
        match audit::rows(home) {
            Err(error) => broken = Some(error.to_string()),
            Ok(rows) => {
                for row in rows {
                    match row {
                        Ok(row) => log.add(row),
                        Err(line) => broken = broken.or(Some(line.to_string())),
                    }
                }
            }
        }
        if let Some(why) = broken {
            let mend = format!("mv {0}/log.jsonl {0}/log-broken.txt", word(&home.audit()));
            findings.push(Check::Audit.broken(format!("the log holds what is no record: {why}"), mend));
        }
        log
    }

    fn add(&mut self, Row { record, .. }: Row) {
        let Some(host) = find(&record.agent) else { return };
        let seen = self.hosts.entry(host.id().to_owned()).or_default();
        if seen.first.is_empty() {
            seen.first.clone_from(&record.time);
        }
        seen.last.clone_from(&record.time);
        if let Some(trouble) = record.troubles.first() {
            seen.trouble = Some((record.time.clone(), trouble.clone()));
        }
        let gate = host.events().iter().any(|event| event.name == record.event && event.capabilities.gate);
        match record.action.get("action").and_then(serde_json::Value::as_str) {
            Some("shell") if gate => seen.commands += 1,
            Some("file-write" | "file-edit" | "file-delete" | "patch") if gate => seen.edits += 1,
            Some(_) | None => {}
        }
        seen.ids.extend(record.call_id);
        seen.sessions.extend(record.session);
    }
}

pub(super) fn check(patient: &Patient<'_>, log: &Log) -> Vec<Finding> {
    let nothing = Rows::default();
    let seen = log.hosts.get(patient.host().id()).unwrap_or(&nothing);
    let written = patient.host().install().checkup().transcripts.map(|kept| read(patient, kept));
    let mut findings = vec![last_call(patient, seen)];
    findings.extend(written.as_ref().map(|calls| unrecorded(patient, seen, calls)));
    findings.extend(edits(patient, seen, written.as_deref()));
    findings.extend(failures(seen));
    findings
}

fn last_call(patient: &Patient<'_>, seen: &Rows) -> Finding {
    if !seen.last.is_empty() {
        return Check::LastCall.fine(format!("{} ({})", ago(&seen.last), seen.last));
    }
    match patient.step.target.seen {
        Seen::Program(_) => {
            let program = patient.host().install().programs().first().copied().unwrap_or_default();
            let found = "no call has ever come in: start it, and let it run a command";
            Check::LastCall.broken(found, program)
        }
        Seen::Folder | Seen::No => Check::LastCall.note("no call has ever come in"),
    }
}

/// Calls that ran and never came in: the guard was skipped or killed.
fn unrecorded(patient: &Patient<'_>, seen: &Rows, calls: &[Call]) -> Finding {
    let host = patient.host();
    let judged: Vec<&Call> = calls.iter().filter(|call| call.outcome == Outcome::Ran && acts(host, call)).collect();
    let came_in = |call: &Call| call.id.is_empty() || seen.ids.contains(&call.id);
    let alone = |call: &Call| !call.session.as_ref().is_some_and(|session| seen.sessions.contains(session));
    let mut missing: Vec<&Call> = judged.iter().copied().filter(|call| !came_in(call)).collect();
    missing.extend(calls.iter().filter(|call| call.outcome == Outcome::Ran && calls_others(call) && alone(call)));
    let Some(last) = missing.last() else {
        return Check::Unrecorded.fine(format!("all {} calls of its transcripts are in the log", judged.len()));
    };
    let (count, all) = (missing.len(), judged.len());
    let time = last.time.as_deref().unwrap_or("?");
    let session = last.session.as_deref().unwrap_or("?");
    let found = format!(
        "{count} of {all} calls of its transcripts never came in, the last `{}` at {time} in session {session}",
        last.tool
    );
    Check::Unrecorded.broken(found, patient.install())
}

/// Whether a call is code that makes calls of its own, each with its own hook and an id that the transcript does not tell
/// (Codex in code mode). Such a session has records, or its hooks were skipped.
fn calls_others(call: &Call) -> bool {
    let text = call.input.as_str().unwrap_or_default();
    call.tool == "exec"
        && ["tools.exec_command", "tools.apply_patch", "tools.mcp__"].iter().any(|tool| text.contains(tool))
}

/// Whether a hook sees calls of this kind: those that the adapter knows by name. What a host runs inside itself has no
/// hook.
fn acts(host: &dyn Host, call: &Call) -> bool {
    let event = host.default_event().name;
    // Text typed into an open shell fires no hook (Codex).
    let typed = call.tool == "write_stdin";
    !typed
        && host.parse(&call.payload(event), Some(event)).is_ok_and(|read| !matches!(read.action, Action::Other { .. }))
}

fn edits(patient: &Patient<'_>, seen: &Rows, written: Option<&[Call]>) -> Option<Finding> {
    if seen.edits > 0 {
        return Some(Check::Edits.fine(format!("{} commands, {} edits", seen.commands, seen.edits)));
    }
    let host = patient.host();
    let event = host.default_event().name;
    let none_made = written.is_some_and(|calls| {
        !calls
            .iter()
            .filter_map(|call| host.parse(&call.payload(event), Some(event)).ok())
            .any(|call| is_edit(&call.action))
    });
    (seen.commands >= MANY && !none_made).then(|| {
        let found = format!("{} commands came in and not one edit: edits are not judged", seen.commands);
        Check::Edits.broken(found, patient.install())
    })
}

fn is_edit(action: &Action) -> bool {
    matches!(
        action,
        Action::FileWrite { .. } | Action::FileEdit { .. } | Action::FileDelete { .. } | Action::Patch { .. }
    )
}

fn failures(seen: &Rows) -> Option<Finding> {
    let (time, trouble) = seen.trouble.as_ref()?;
    Some(Check::Failures.note(format!("the last trouble, {}: {trouble}", ago(time))))
}

/// The calls of the newest transcripts whose sessions began after the agent was wired.
fn read(patient: &Patient<'_>, kept: Transcripts) -> Vec<Call> {
    let Some(since) = wired_since(patient) else { return Vec::new() };
    let found = transcripts::below(&patient.folder().join(kept.folder), kept, DEEPEST);
    let mut files: Vec<(SystemTime, PathBuf)> =
        found.into_iter().filter_map(|path| Some((recent(&path)?, path))).collect();
    files.sort();
    let mut calls = Vec::new();
    for (_, path) in files.iter().rev().take(NEWEST) {
        let Ok(text) = file::read_text(path, LARGEST) else { continue };
        let of_file = (kept.read)(&text);
        let begun = of_file.iter().filter_map(|call| call.time.as_deref()).filter_map(clock::seconds_of).min();
        if begun.is_some_and(|begun| begun >= since) {
            calls.extend(of_file);
        }
    }
    calls.sort_by(|one, other| one.time.cmp(&other.time));
    calls
}

/// When the agent was last wired, in seconds since 1970: its hook file holds entries since then at the latest.
fn wired_since(patient: &Patient<'_>) -> Option<u64> {
    let modified = patient.step.target.file.metadata().ok()?.modified().ok()?;
    Some(modified.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs())
}

/// When a file was last written, if that was in the last days.
fn recent(path: &Path) -> Option<SystemTime> {
    let modified = path.metadata().ok()?.modified().ok()?;
    modified.elapsed().is_ok_and(|age| age.as_secs() <= DAYS * 86_400).then_some(modified)
}

/// How long ago a time was, in words.
fn ago(time: &str) -> String {
    let Some(then) = clock::seconds_of(time) else { return "at an unknown time".to_owned() };
    match clock::seconds().saturating_sub(then) {
        seconds @ 0..60 => format!("{seconds} s ago"),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..86_400 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}
