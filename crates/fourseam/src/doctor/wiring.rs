//! The hook file: whether our entries are in it, which program they call, how long the host waits, who comes after them,
//! and whether another file holds them once more.

use super::place::{edit, text};
use super::{Check, Finding, Patient};
use fourseam_hosts::checkup::Entry;
use fourseam_hosts::install::{Program, Scope, Wiring};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Seconds that a host has to wait at least: three for the program's own deadline, and what a busy machine takes.
const SHORTEST: f64 = 10.0;

pub(super) fn check(patient: &Patient<'_>) -> Vec<Finding> {
    let file = &patient.step.target.file;
    let shown = file.display();
    if let Err(why) = &patient.step.edit {
        return vec![Check::Wired.broken(format!("`{shown}` cannot be read: {why}"), edit(file))];
    }
    let text = text(file).unwrap_or_default();
    let install = patient.host().install();
    let wired = install.found(&text).unwrap_or_default();
    if wired.is_empty() {
        if let Some(project) = holding_project(patient) {
            return vec![Check::Wired.note(format!("only in this project: `{}`", project.display()))];
        }
        return vec![Check::Wired.broken(format!("not wired: no entry in `{shown}`"), patient.install())];
    }
    let entries = install.checkup().entries(&text);
    let mut findings = vec![Check::Wired.fine(format!("`{shown}`")), events(patient, &wired)];
    findings.push(program(patient, &entries));
    findings.extend(timeout(patient, &entries));
    findings.extend(order(patient, &entries));
    findings.push(twice(patient, &entries));
    let changes = patient.step.edit.as_ref().is_ok_and(crate::install::Edit::changes);
    if changes && !findings.iter().any(Finding::is_broken) {
        findings.push(Check::Wired.broken("the entries are not those of this release", patient.install()));
    }
    findings
}

/// The project's hook file, if it holds entries of ours.
fn holding_project(patient: &Patient<'_>) -> Option<PathBuf> {
    let host = patient.host();
    let file = patient.around.target(host, Scope::Project).ok()?.file;
    let events = host.install().found(&text(&file)?).ok()?;
    (!events.is_empty()).then_some(file)
}

fn events(patient: &Patient<'_>, wired: &[String]) -> Finding {
    let wiring = Wiring { program: Program::OfEachUser, native_ask: false };
    let wanted = patient.host().install().wired(&wiring);
    let missing: Vec<&str> =
        wanted.iter().map(|event| event.name).filter(|name| !wired.iter().any(|event| event == name)).collect();
    if missing.is_empty() {
        Check::Events.fine(format!("{}: {}", wired.len(), wired.join(", ")))
    } else {
        Check::Events.broken(format!("no entry for {}", missing.join(", ")), patient.install())
    }
}

/// The programs that the entries call; where the file is not of the common form, the one that `install` wires.
fn program(patient: &Patient<'_>, entries: &[Entry]) -> Finding {
    let own = &patient.plan.program;
    let mut called: Vec<PathBuf> =
        entries.iter().filter_map(|entry| entry.program.as_ref().map(PathBuf::from)).collect();
    called.dedup();
    if called.is_empty() {
        called.push(own.exe.clone());
    }
    for exe in &called {
        let shown = exe.display();
        let wrong = match exe.metadata() {
            Err(error) => Some(format!("`{shown}` is not there: {error}")),
            Ok(facts) if !facts.is_file() || facts.permissions().mode() & 0o111 == 0 => {
                Some(format!("`{shown}` cannot be executed"))
            }
            Ok(_) if !same(exe, &own.exe) => Some(format!("`{shown}` is not `{}`", own.exe.display())),
            Ok(_) if own.is_copied() => Some(format!("`{shown}` is not this release")),
            Ok(_) => None,
        };
        if let Some(wrong) = wrong {
            return Check::Program.broken(wrong, patient.install());
        }
    }
    let home = patient.home.path();
    if let Some(other) = entries.iter().filter_map(|entry| entry.home.as_deref()).find(|other| Path::new(other) != home)
    {
        let found = format!("the entries name the state folder `{other}`, this is `{}`", home.display());
        return Check::Program.broken(found, patient.install());
    }
    let shown: Vec<String> = called.iter().map(|exe| format!("`{}`", exe.display())).collect();
    Check::Program.fine(shown.join(", "))
}

fn same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

fn timeout(patient: &Patient<'_>, entries: &[Entry]) -> Option<Finding> {
    let shortest = entries
        .iter()
        .filter(|entry| entry.timeout.is_some_and(|seconds| seconds < SHORTEST))
        .min_by(|one, other| one.timeout.unwrap_or_default().total_cmp(&other.timeout.unwrap_or_default()));
    if let Some(entry) = shortest {
        let seconds = entry.timeout.unwrap_or_default();
        let found = format!("{} waits {seconds} s, then lets the call through: {SHORTEST} s at least", entry.event);
        return Some(Check::Timeout.broken(found, patient.install()));
    }
    let least = entries.iter().filter_map(|entry| entry.timeout).reduce(f64::min)?;
    Some(Check::Timeout.fine(format!("{least} s")))
}

fn order(patient: &Patient<'_>, entries: &[Entry]) -> Option<Finding> {
    if !patient.host().install().checkup().last_wins {
        return None;
    }
    let followed: Vec<&str> =
        entries.iter().filter(|entry| entry.is_followed).map(|entry| entry.event.as_str()).collect();
    if followed.is_empty() {
        return Some(Check::Order.fine("the last of each event"));
    }
    let id = patient.host().id();
    let mend = format!("fourseam uninstall --host {id} --scope user && fourseam install --host {id}");
    Some(Check::Order.broken(
        format!("hooks of others come after ours at {}, and the last one's word counts", followed.join(", ")),
        mend,
    ))
}

/// Once more in the same file, in the project's, or in a file of another host that this one reads too.
fn twice(patient: &Patient<'_>, entries: &[Entry]) -> Finding {
    let host = patient.host();
    let id = host.id();
    let again = entries
        .iter()
        .enumerate()
        .find(|(at, entry)| entries.iter().take(*at).any(|earlier| earlier.event == entry.event));
    if let Some((_, entry)) = again {
        let mend = format!("fourseam uninstall --host {id} --scope user && fourseam install --host {id}");
        return Check::Twice
            .broken(format!("more than one entry for {}: each call is judged twice", entry.event), mend);
    }
    let own = patient.around.target(host, Scope::Project).ok().map(|target| (host, target.file));
    let read_too = host.install().checkup().also_reads.iter().filter_map(|file| {
        let owner = fourseam_hosts::HOSTS.iter().copied().find(|other| {
            let place = other.install().place(Scope::Project);
            Path::new(place.folder).join(place.file) == Path::new(file)
        });
        // In the home folder it is the owner's own file, of the user.
        let file = patient.around.target(owner?, Scope::Project).ok()?.file;
        Some((owner?, file))
    });
    for (owner, file) in own.into_iter().chain(read_too) {
        let holds = text(&file).is_some_and(|text| owner.install().found(&text).is_ok_and(|events| !events.is_empty()));
        if holds {
            let found = format!("`{}` holds entries too: each call is judged twice", file.display());
            return Check::Twice.broken(found, format!("fourseam uninstall --host {} --scope project", owner.id()));
        }
    }
    Check::Twice.fine("once")
}
