//! What concerns all agents: the policy, the log, fourseam's own files, the mode.

use super::place::{edit, word};
use super::{Check, Finding};
use crate::home::Home;
use crate::install::Ledger;
use crate::policy::{self, Loaded, Trusted, switch};
use crate::{audit, clock};
use fourseam_core::decision::Mode;
use fourseam_core::policy::Level;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// What has to be looked at before the policy is loaded, which writes the state file anew.
pub(super) fn before_loading(home: &Home) -> Vec<Finding> {
    if !home.exists() {
        let shown = home.path().display();
        return vec![
            Check::State.broken(format!("fourseam is not installed: no folder `{shown}`"), "fourseam install"),
        ];
    }
    let mut findings = Vec::new();
    let state = home.state();
    if !policy::state_is_whole(home) {
        let found = format!("`{}` does not say the mode; it is written anew", state.display());
        findings.push(Check::State.broken(found, "fourseam doctor"));
    }
    if let (_, Some(why)) = switch::read(home) {
        let found = format!("`{}` {why}", home.mode().display());
        findings.push(Check::State.broken(found, "fourseam mode policy"));
    }
    let open_to_others = home.path().metadata().is_ok_and(|facts| facts.permissions().mode() & 0o022 != 0);
    if open_to_others {
        let found = format!("others may write to `{}`", home.path().display());
        findings.push(Check::State.broken(found, format!("chmod 700 {}", word(home.path()))));
    }
    if let Err(error) = Trusted::load(home) {
        let found = format!("`{}` cannot be read, so no project is trusted: {error}", home.trust().display());
        findings.push(Check::State.broken(found, format!("rm {}", word(&home.trust()))));
    }
    if let Err(failure) = Ledger::load(home) {
        findings.push(Check::State.broken(failure.what(), format!("mv {0} {0}-old", word(&home.backups()))));
    }
    if findings.is_empty() {
        findings.push(Check::State.fine(format!("`{}`", home.path().display())));
    }
    findings
}

pub(super) fn check(home: &Home, loaded: &Loaded) -> Vec<Finding> {
    vec![policy(home, loaded), log(home), mode(home, loaded)]
}

fn policy(home: &Home, loaded: &Loaded) -> Finding {
    // Those are told as damaged state, with a mend of their own.
    let of_policy = loaded.problems.iter().filter(|problem| !["mode-damaged", "trust-damaged"].contains(&problem.code));
    let worst = of_policy.min_by_key(|problem| problem.level != Level::Error);
    match worst {
        None => Check::Policy.fine(format!("policy {}", loaded.settings.hash)),
        Some(problem) if problem.code == "unreadable" => {
            Check::Policy.broken(policy::one_line(problem), format!("ls -l {}", word(&home.policy())))
        }
        Some(problem) if problem.level == Level::Error => {
            Check::Policy.broken(policy::one_line(problem), edit(Path::new(&problem.file)))
        }
        Some(problem) => Check::Policy.broken(policy::one_line(problem), "fourseam lint"),
    }
}

/// Whether a record could be written: by a file that is made beside the log, and taken away.
fn log(home: &Home) -> Finding {
    let folder = home.audit();
    let shown = folder.display();
    if !folder.exists() {
        return Check::Audit.fine(format!("`{shown}` is made by the first call"));
    }
    let trial = folder.join(format!(".trial-{}", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&trial)
        .and_then(|mut file| file.write_all(b"x").and_then(|()| file.sync_all()));
    let _ = std::fs::remove_file(&trial);
    match written.and_then(|()| audit::try_open(home)) {
        Ok(()) => match audit::damaged(home).as_slice() {
            [] => Check::Audit.fine(format!("`{shown}`")),
            files @ [first, ..] => {
                let count = files.len();
                let found =
                    format!("{count} files of records were damaged; look at them, the first is `{}`", first.display());
                Check::Audit.broken(found, format!("rm {}/*.damaged", word(&folder.join("spool"))))
            }
        },
        Err(error) => {
            let found = format!("`{shown}` cannot be written, so calls are not recorded: {error}");
            let mend = match error.kind() {
                ErrorKind::PermissionDenied => format!("chmod -R u+rwX {}", word(&folder)),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => format!("df -h {}", word(&folder)),
                _ => format!("mv {0} {0}-old", word(&folder)),
            };
            Check::Audit.broken(found, mend)
        }
    }
}

fn mode(home: &Home, loaded: &Loaded) -> Finding {
    match switch::paused_until(home) {
        Some(until) if loaded.settings.mode == Mode::Dry => {
            let found = format!("paused until {}: agents are told nothing", clock::at(until));
            Check::Mode.broken(found, "fourseam pause end")
        }
        Some(_) | None => match loaded.settings.mode {
            Mode::Dry => {
                Check::Mode.note("mode dry: calls are recorded, agents are told nothing; `fourseam mode guard`")
            }
            Mode::Guard | Mode::On => Check::Mode.fine(format!("mode {}", loaded.settings.mode.word())),
        },
    }
}
