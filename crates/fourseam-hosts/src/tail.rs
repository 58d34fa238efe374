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
/// Arguments: program, host, event, state folder, refusal for standard output and for standard error, its exit code, no
/// opinion.
fn gate(host: &dyn Host, event: &Event, wiring: &Wiring) -> String {
    let refusal = refusal(host, event, wiring);
    let neutral = neutral(host, event);
    let script = format!(
        "{}if [ -x \"$f\" ]; then \"$f\" hook \"$1\" \"$2\" --home \"$h\"; c=$?; else c=127; fi; \
         case $c in 0|2) exit $c;; esac; m=; read -r m 2>/dev/null <\"$h/{STATE_FILE}\"; \
         if [ \"$m\" = dry ]; then printf %s \"$7\"; exit 0; fi; \
         printf %s \"$4\"; printf %s \"$5\" >&2; exit \"$6\"",
        find(wiring)
    );
    let exit = refusal.exit.to_string();
    // Some hosts repeat the whole command line to the model with every refusal, so the text stands in it in full once.
    words(wiring, &script, host, event, &[&refusal.stdout, &broken(wiring), &exit, &neutral.stdout])
}

/// Elsewhere every failure is silent.
fn watch(host: &dyn Host, event: &Event, wiring: &Wiring) -> String {
    let script = format!(
        "{}if [ -x \"$f\" ] && \"$f\" hook \"$1\" \"$2\" --home \"$h\"; then exit 0; fi; printf %s \"$4\"; exit 0",
        find(wiring)
    );
    words(wiring, &script, host, event, &[&neutral(host, event).stdout])
}

/// The start of a script: finds the program `$f` and the state folder `$h`.
fn find(wiring: &Wiring) -> &'static str {
    match wiring.program {
        Program::Installed { .. } => "f=$0; h=$3; ",
        Program::OfEachUser => "h=$HOME/.fourseam; f=$h/bin/fourseam; [ -x \"$f\" ] || f=$(command -v fourseam); ",
    }
}

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

/// What is wrong, and who mends it how.
pub(crate) fn broken(wiring: &Wiring) -> String {
    match &wiring.program {
        Program::Installed { exe, .. } => format!(
            "the guard `{exe}` is missing or failed, so this call was not judged; the user has to run `fourseam install`."
        ),
        Program::OfEachUser => {
            "the guard of this project, fourseam, is not on this machine or failed, so this call was not \
             judged; the user has to install it, or take the hook out of the project's settings."
                .to_owned()
        }
    }
}

/// What is answered when the program cannot be.
fn refusal(host: &dyn Host, event: &Event, wiring: &Wiring) -> Reply {
    let message = broken(wiring);
    let verdict = Verdict::of_failure(OnError::Deny, &message);
    host.render(event, &verdict.fit(&event.capabilities, Mode::Guard, false))
}

fn neutral(host: &dyn Host, event: &Event) -> Reply {
    host.render(event, &Verdict::default().fit(&event.capabilities, Mode::Guard, false))
}

/// The words of a command of ours: [`quoted`] undone.
pub(crate) fn words_of(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut in_quotes, mut escaped) = (false, false);
    for c in command.chars() {
        let Some(word) = words.last_mut() else { break };
        match c {
            _ if escaped => {
                escaped = false;
                word.push(c);
            }
            '\'' => in_quotes = !in_quotes,
            '\\' if !in_quotes => escaped = true,
            ' ' if !in_quotes => words.push(String::new()),
            other => word.push(other),
        }
    }
    words
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
