//! Whether a host runs the hooks it is wired with: switches that turn them off, trust that they need, and programs of
//! others with a word after ours.

use super::place::{edit, text, word};
use super::{Check, Finding, Patient};
use crate::install::{Seen, Trust};
use fourseam_hosts::checkup::{Activation, Off, Switch, folder_is_listed, folder_is_trusted};
use fourseam_hosts::install::Scope;

pub(super) fn check(patient: &Patient<'_>) -> Vec<Finding> {
    let mut findings = vec![switched_off(patient)];
    findings.extend(activation(patient));
    findings.extend(others(patient));
    findings
}

fn switched_off(patient: &Patient<'_>) -> Finding {
    for switch in patient.host().install().checkup().switches {
        if is_thrown(patient, switch) {
            let path = patient.at(switch.root, switch.file);
            let (name, shown) = (switch.name(), path.display());
            let found = match switch.off {
                Off::Is(value) => format!("`{name} = {value}` in `{shown}` keeps hooks from running"),
                Off::Lists(_) => format!("`{name}` in `{shown}` names our hooks"),
            };
            return Check::SwitchedOff.broken(found, edit(&path));
        }
    }
    Check::SwitchedOff.fine("no switch turns hooks off")
}

fn is_thrown(patient: &Patient<'_>, switch: &Switch) -> bool {
    text(&patient.at(switch.root, switch.file)).is_some_and(|text| switch.is_thrown(&text))
}

fn activation(patient: &Patient<'_>) -> Option<Finding> {
    match patient.host().install().checkup().activation {
        Activation::None => None,
        Activation::CodexTrust => codex_trust(patient),
        Activation::TrustedFolders { file, off } => Some(trusted_folder(patient, file, &off)),
        Activation::TrustedProjects { file, key } => trusted_project(patient, file, key),
    }
}

/// Codex skips a hook that it does not trust without a word, so it is asked.
fn codex_trust(patient: &Patient<'_>) -> Option<Finding> {
    let Seen::Program(program) = &patient.step.target.seen else {
        return Some(Check::Activation.note("trust in the hooks is not known: its program is not on `PATH`"));
    };
    let file = &patient.step.target.file;
    // Without entries there is nothing to trust.
    text(file).filter(|text| patient.host().install().found(text).is_ok_and(|events| !events.is_empty()))?;
    Some(match Trust::ask(program, file, patient.around.home()) {
        Ok(trust) if trust.is_whole() => Check::Activation.fine("it trusts the hooks"),
        Ok(_) => Check::Activation
            .broken("it does not trust the hooks, so they are skipped without a word", patient.install()),
        Err(why) => Check::Activation.broken(format!("trust in the hooks is not known: {why}"), patient.install()),
    })
}

fn trusted_folder(patient: &Patient<'_>, file: &str, off: &Switch) -> Finding {
    if is_thrown(patient, off) {
        return Check::Activation.fine(format!("`{}` is off: every folder is trusted", off.name()));
    }
    let path = patient.folder().join(file);
    let folder = patient.around.project().display().to_string();
    match text(&path).and_then(|text| folder_is_trusted(&text, &folder)) {
        Some(true) => Check::Activation.fine(format!("`{folder}` is trusted")),
        Some(false) | None if !patient.around.is_project() => {
            Check::Activation.note("no hook runs in a folder that is not trusted; this is no project")
        }
        Some(false) | None => Check::Activation.broken(
            format!("`{folder}` is not trusted, and no hook runs in such a folder"),
            format!(
                "cd {} && {} # say that you trust it, or `/permissions`",
                word(patient.around.project()),
                program(patient)
            ),
        ),
    }
}

fn trusted_project(patient: &Patient<'_>, file: &str, key: &str) -> Option<Finding> {
    let hooks = patient.around.target(patient.host(), Scope::Project).ok()?.file;
    text(&hooks).filter(|text| patient.host().install().found(text).is_ok_and(|events| !events.is_empty()))?;
    let folder = patient.around.project().display().to_string();
    let listed = text(&patient.folder().join(file)).is_some_and(|text| folder_is_listed(&text, key, &folder));
    Some(if listed {
        Check::Activation.fine(format!("`{folder}` is trusted"))
    } else {
        Check::Activation.broken(
            format!("`{folder}` is not trusted, so its hooks are skipped without a word"),
            format!("cd {} && {}", word(patient.around.project()), program(patient)),
        )
    })
}

fn program(patient: &Patient<'_>) -> &'static str {
    patient.host().install().programs().first().copied().unwrap_or_default()
}

/// Programs of others that run inside the host.
fn others(patient: &Patient<'_>) -> Option<Finding> {
    let mut names = Vec::new();
    for folder in patient.host().install().checkup().meddlers {
        let path = match folder.strip_prefix("./") {
            Some(of_project) => patient.around.project().join(of_project),
            None => patient.folder().join(folder),
        };
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let own = patient.step.target.file.file_name();
        names.extend(
            entries
                .map(|entry| entry.file_name())
                .filter(|name| Some(name.as_os_str()) != own)
                .map(|name| format!("`{}`", name.to_string_lossy())),
        );
    }
    names.sort();
    names.dedup();
    let list = names.join(", ");
    (!names.is_empty()).then(|| Check::Others.note(format!("can change a call after it was judged: {list}")))
}
