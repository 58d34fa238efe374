//! The command line of a hook entry. It calls the program, and closes what hosts leave open: a program that is missing,
//! moved or crashing must not let a call through. The text is read the same by sh, dash, bash, zsh and fish.

use crate::host::{Event, Host, Reply};
use crate::install::{Program, STATE_FILE, Wiring};
use fourseam_core::decision::{Mode, OnError};
use fourseam_core::verdict::Verdict;

/// How every command of ours begins, in this and in every later release.
const MARK: &str = "/bin/sh -c ': fourseam ";

/// Whether a command is ours.
pub(crate) fn is_ours(command: &str) -> bool {
    command.starts_with(MARK)
}

/// The command for an event of a host.
pub(crate) fn command(host: &dyn Host, event: &Event, wiring: &Wiring) -> String {
    if event.capabilities.gate { gate(host, event, wiring) } else { watch(host, event, wiring) }
}

/// Before something runs: exit codes 0 and 2 are the program's answers; everything else is answered with a refusal,
/// or with nothing in mode dry.
///
/// Arguments: program, host, event, state folder, state file, refusal for standard output and for standard error, its
/// exit code, no opinion.
fn gate(host: &dyn Host, event: &Event, wiring: &Wiring) -> String {
    let refusal = refusal(host, event, wiring);
    let neutral = neutral(host, event);
    let script = format!(
        "{FIND}if [ -x \"$f\" ]; then \"$f\" hook \"$1\" \"$2\" --home \"$h\"; c=$?; else c=127; fi; \
         case $c in 0|2) exit $c;; esac; m=; read -r m 2>/dev/null <\"$h/{STATE_FILE}\"; \
         if [ \"$m\" = dry ]; then printf %s \"$7\"; exit 0; fi; \
         printf %s \"$4\"; printf %s \"$5\" >&2; exit \"$6\""
    );
    let exit = refusal.exit.to_string();
    let stderr = refusal.stderr.trim_end();
    words(wiring, &script, host, event, &[&refusal.stdout, stderr, &exit, &neutral.stdout])
}

/// Elsewhere every failure is silent.
fn watch(host: &dyn Host, event: &Event, wiring: &Wiring) -> String {
    let script = format!(
        "{FIND}if [ -x \"$f\" ] && \"$f\" hook \"$1\" \"$2\" --home \"$h\"; then exit 0; fi; printf %s \"$4\"; exit 0"
    );
    words(wiring, &script, host, event, &[&neutral(host, event).stdout])
}

/// Finds program and state folder. `$0` and `$3` are theirs, or empty for those of each user.
const FIND: &str = "f=$0; h=$3; if [ -z \"$h\" ]; then h=$HOME/.fourseam; f=$h/bin/fourseam; \
                    [ -x \"$f\" ] || f=$(command -v fourseam); fi; ";

fn words(wiring: &Wiring, script: &str, host: &dyn Host, event: &Event, more: &[&str]) -> String {
    let (exe, home) = match &wiring.program {
        Program::Installed { exe, home } => (exe.as_str(), home.as_str()),
        Program::OfEachUser => ("fourseam", ""),
    };
    let mut command = format!("{MARK}1; {script}'");
    for word in [exe, host.id(), event.name, home].iter().chain(more) {
        command.push(' ');
        command.push_str(&quoted(word));
    }
    command
}

/// What is answered when the program cannot be.
pub(crate) fn refusal(host: &dyn Host, event: &Event, wiring: &Wiring) -> Reply {
    let message = match &wiring.program {
        Program::Installed { exe, .. } => format!(
            "the guard `{exe}` is missing or failed, so nothing judged this call. \
             To mend it, the user runs `fourseam install`; to do without, the user takes the hook out of the settings."
        ),
        Program::OfEachUser => {
            "this project is guarded by fourseam, which is not on this machine or failed, so nothing \
             judged this call. To mend it, the user installs fourseam; to do without, the user takes the hook out of \
             the project's settings."
                .to_owned()
        }
    };
    let verdict = Verdict::of_failure(OnError::Deny, &message);
    host.render(event, &verdict.fit(&event.capabilities, Mode::Guard, false))
}

fn neutral(host: &dyn Host, event: &Event) -> Reply {
    host.render(event, &Verdict::default().fit(&event.capabilities, Mode::Guard, false))
}

/// A word that every shell reads as itself. Fish, unlike the others, takes a backslash in single quotes for an escape
/// before a quote or another backslash, so both stand outside them.
fn quoted(word: &str) -> String {
    let mut out = String::with_capacity(word.len() + 2);
    out.push('\'');
    for c in word.chars() {
        match c {
            '\'' => out.push_str(r"'\''"),
            '\\' => out.push_str(r"'\\'"),
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}
