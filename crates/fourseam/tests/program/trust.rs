//! `fourseam trust`: a person lets exactly one text of a project do more, and only a person.

use crate::install::Machine;
use crate::install::person::at_terminal;
use crate::run::{Output, run};
use fourseam_hosts::HOSTS;

const TEXT: &str = "version: 1\noverrides:\n  - { rule: network/attack-tool, decision: allow, reason: Ours. }\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: Marked., cases: { hit: [echo marked], miss: [ls] } }\n  - { id: t/bare, decision: deny, raw_pattern: barely, reason: Bare. }\n";

/// A machine with fourseam installed and a project with a policy.
fn machine() -> Machine {
    let machine = Machine::new();
    machine.done(&["install", "--host", "claude-code", "--yes"]);
    machine.write(&machine.project().join(".fourseam.yaml"), TEXT);
    machine
}

/// What Claude Code is told of a command in the project.
fn call(machine: &Machine, command: &str) -> Output {
    let mut payload = HOSTS[0].sample(command);
    payload["cwd"] = machine.project().to_str().unwrap().into();
    let home = machine.home().join(".fourseam");
    let words = ["hook", "claude-code", "PreToolUse", "--home", home.to_str().unwrap()];
    run(&mut machine.verb(&words), payload.to_string().as_bytes())
}

#[test]
fn without_a_terminal_nothing_is_trusted_and_nothing_untrusted() {
    let machine = machine();
    for words in [vec!["trust"], vec!["trust", "--remove"], vec!["trust", "."]] {
        let output = run(&mut machine.verb(&words), b"y\ny\n");
        assert!(output.exit == 3 && output.stderr.contains("no terminal"), "{output:?}");
    }
    assert!(!machine.home().join(".fourseam/trust.json").exists());
    assert_eq!(machine.done(&["trust", "--list"]), "no project is trusted\n");
}

#[test]
fn exactly_what_was_shown_is_trusted_and_a_change_ends_it() {
    let machine = machine();
    let file = machine.project().join(".fourseam.yaml");
    // Not trusted: a rule without cases is no rule of a project.
    let output = call(&machine, "echo marked");
    assert!(output.denies(), "{output:?}");
    assert!(!call(&machine, "echo barely").denies());
    assert_eq!(machine.run(&["lint"]).exit, 2);
    let Some(output) = at_terminal(&machine, "trust", "n\n") else { return };
    assert!(output.exit == 3 && output.stdout.contains("nothing was changed"), "{output:?}");
    assert!(!call(&machine, "echo barely").denies());
    let output = at_terminal(&machine, "trust", "y\n").unwrap();
    for line in TEXT.lines() {
        assert!(output.stdout.contains(line), "{line}: {output:?}");
    }
    assert!(output.exit == 0 && output.stdout.contains("is trusted until it changes"), "{output:?}");
    assert!(call(&machine, "echo barely").denies());
    assert_ne!(machine.run(&["lint"]).exit, 2);
    assert_ne!(machine.run(&["lint", ".fourseam.yaml"]).exit, 2);
    assert!(machine.done(&["trust", "--list"]).contains(".fourseam.yaml  trusted, 20"));
    assert!(at_terminal(&machine, "trust", "").unwrap().stdout.contains("is trusted as it is"));

    // One byte more, and it is a project like others; the question shows what is new.
    machine.write(&file, &format!("{TEXT}mode: dry # new\n"));
    assert!(!call(&machine, "echo barely").denies());
    assert!(call(&machine, "echo marked").denies());
    let list = machine.run(&["trust", "--list"]);
    assert!(list.exit == 1 && list.stdout.contains("changed since"), "{list:?}");
    let output = at_terminal(&machine, "trust", "n\n").unwrap();
    assert!(output.stdout.contains("+ mode: dry # new") && !output.stdout.contains("version: 1"), "{output:?}");

    machine.write(&file, TEXT);
    assert!(call(&machine, "echo barely").denies());
    let output = at_terminal(&machine, "trust --remove", "").unwrap();
    assert!(output.exit == 0 && output.stdout.contains("not trusted any more"), "{output:?}");
    assert!(!call(&machine, "echo barely").denies());
    let again = at_terminal(&machine, "trust --remove", "").unwrap();
    assert!(again.exit == 3 && again.stdout.contains("trust --list"), "{again:?}");

    let log = std::fs::read_to_string(machine.home().join(".fourseam/audit/log.jsonl")).unwrap();
    assert!(log.contains("\"event\":\"trust\"") && log.contains("\"event\":\"untrust\""), "{log}");
}

#[test]
fn what_is_hidden_in_a_text_is_seen_and_what_is_broken_is_refused() {
    let machine = machine();
    let file = machine.project().join(".fourseam.yaml");
    machine.write(&file, "version: 1\n# \u{202e}safe \u{200b}\n");
    let Some(output) = at_terminal(&machine, "trust", "n\n") else { return };
    for shown in ["\\u{202e}", "\\u{200b}"] {
        assert!(output.stdout.contains(shown), "{shown}: {output:?}");
    }
    machine.write(&file, "version: 1\nrulez: []\n");
    let output = at_terminal(&machine, "trust", "y\n").unwrap();
    assert!(output.exit == 3 && output.stdout.contains("rulez") && output.stdout.contains("lint"), "{output:?}");
    std::fs::remove_file(&file).unwrap();
    let output = at_terminal(&machine, "trust", "y\n").unwrap();
    assert!(output.exit == 3 && output.stdout.contains("there is no `.fourseam.yaml`"), "{output:?}");
}

#[test]
fn a_damaged_list_trusts_nothing() {
    let machine = machine();
    machine.write(&machine.home().join(".fourseam/trust.json"), "{\"x\":");
    assert!(!call(&machine, "echo barely").denies());
    assert!(call(&machine, "echo marked").denies());
    assert!(machine.run(&["trust", "--list"]).stderr.contains("nothing is trusted"));
}
