//! The questions of `install` and `uninstall`, asked at a terminal and refused without one.

use super::{Machine, assert_same, usual};
use crate::run::{Output, run};
use std::path::Path;
use std::process::Command;

/// Runs a verb in a pseudo-terminal, with these keys pressed. `None` where no terminal can be made.
pub(crate) fn at_terminal(machine: &Machine, arguments: &str, keys: &str) -> Option<Output> {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("NOT TESTED, for want of `script`: {arguments}");
        return None;
    }
    let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_fourseam"));
    Some(run(&mut machine.verb_of(Path::new("script"), &["-qec", &line, "/dev/null"]), keys.as_bytes()))
}

#[test]
fn without_a_terminal_and_without_yes_nothing_happens() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    for verb in ["install", "uninstall"] {
        let output = run(&mut machine.verb(&[verb]), b"y\ny\ny\n");
        assert_eq!(output.exit, 3);
        assert!(output.stderr.contains("no terminal") && output.stderr.contains("--yes"), "{output:?}");
    }
    assert_same(&before, &machine.snapshot(), "refused");
}

#[test]
fn a_person_sees_the_change_picks_the_mode_and_says_yes_or_no() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    let Some(output) = at_terminal(&machine, "install --all", "guard\nn\n") else { return };
    assert_eq!(output.exit, 3);
    assert!(output.stdout.contains("Do this? [y/N]") && output.stdout.contains("nothing was changed"), "{output:?}");
    assert_same(&before, &machine.snapshot(), "no");
    let output = at_terminal(&machine, "install --all", "careful\ndry\ny\n").unwrap();
    assert_eq!(output.exit, 0, "{output:?}");
    for text in ["`careful` is none of `dry`, `guard`, `on`", "+ ", "mode dry"] {
        assert!(output.stdout.contains(text), "{text}: {output:?}");
    }
    assert_eq!(std::fs::read_to_string(machine.home().join(".fourseam/mode")).unwrap(), "dry\n");
    // Once installed there is nothing to ask.
    let output = at_terminal(&machine, "install --all", "").unwrap();
    assert!(output.exit == 0 && !output.stdout.contains("Do this?"), "{output:?}");
    let output = at_terminal(&machine, "uninstall", "no\n").unwrap();
    assert!(output.exit == 3 && output.stdout.contains("nothing was changed"), "{output:?}");
    assert_eq!(at_terminal(&machine, "uninstall", "yes\n").unwrap().exit, 0);
    assert_same(&before, &machine.snapshot(), "uninstalled");
}

#[test]
fn the_mode_of_the_policy_is_not_asked_for() {
    let machine = Machine::with(usual);
    machine.write(&machine.home().join(".fourseam/policy.yaml"), "version: 1\nmode: dry\n");
    let Some(output) = at_terminal(&machine, "install --all", "y\n") else { return };
    assert!(output.exit == 0 && !output.stdout.contains("Mode:") && output.stdout.contains("mode dry"), "{output:?}");
    assert!(!machine.home().join(".fourseam/mode").exists());
}

#[test]
fn without_a_terminal_the_mode_can_only_be_raised() {
    let machine = Machine::with(usual);
    machine.done(&["install", "--all", "--yes", "--mode", "guard"]);
    let output = machine.run(&["install", "--all", "--yes", "--mode", "dry"]);
    assert!(output.exit == 3 && output.stderr.contains("lowering the mode is for a person"), "{output:?}");
    assert!(machine.done(&["mode"]).starts_with("mode guard"));
    machine.done(&["install", "--all", "--yes", "--mode", "on"]);
    assert_eq!(machine.done(&["mode"]), "mode on, switched with `fourseam mode`\n");
}
