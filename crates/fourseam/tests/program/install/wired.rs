//! The wired command lines, run by the shells that agents use, with the program there and with it gone.

use super::Machine;
use crate::run::{Output, run};
use fourseam_hosts::install::Scope;
use fourseam_hosts::{HOSTS, Host};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const POLICY: &str =
    "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: It is marked. }\n";
/// Names of home folders that a shell could stumble over.
const NAMES: &[&str] = &["two words", "it's", "$HOME `x` \"q\"", "pêche 桃 !#*?", "back\\slash\\", "-rf"];
const SHELLS: &[&str] = &["sh", "dash", "bash", "zsh", "fish"];

/// The shells of this machine. Says which are missing.
fn shells() -> Vec<&'static str> {
    let (found, missing): (Vec<&str>, Vec<&str>) =
        SHELLS.iter().copied().partition(|shell| Command::new(shell).args(["-c", ":"]).output().is_ok());
    if !missing.is_empty() {
        eprintln!("NOT TESTED, for want of the shell: {missing:?}");
    }
    assert!(found.contains(&"sh"));
    found
}

/// The command lines in a hook file, by event.
fn commands(text: &str) -> Vec<(String, String)> {
    let root: Value = serde_json::from_str(text).unwrap();
    let mut all = Vec::new();
    for (event, entries) in root["hooks"].as_object().unwrap() {
        let entry = &entries.as_array().unwrap()[0];
        let handler = entry.pointer("/hooks/0").unwrap_or(entry);
        let command = handler.get("command").or(handler.get("bash")).unwrap();
        all.push((event.clone(), command.as_str().unwrap().to_owned()));
    }
    all
}

fn at_shell(machine: &Machine, shell: &str, line: &str, payload: &str) -> Output {
    let mut command = Command::new(shell);
    command.args(["-c", line]).env_clear().env("HOME", machine.home()).env("PATH", "/usr/bin:/bin");
    run(command.current_dir(machine.project()), payload.as_bytes())
}

/// Hosts whose hooks are command lines.
fn hosts() -> impl Iterator<Item = &'static dyn Host> {
    HOSTS.iter().copied().filter(|host| host.id() != "opencode")
}

fn payload(host: &dyn Host, event: &str, command: &str) -> String {
    let mut payload = host.sample(command);
    payload["hook_event_name"] = event.into();
    payload.to_string()
}

#[test]
fn the_wired_line_judges_and_refuses_once_the_program_is_gone() {
    for name in NAMES {
        let machine = Machine::named(name);
        machine.write(&machine.home().join(".fourseam/policy.yaml"), POLICY);
        machine.done(&["install", "--all", "--yes"]);
        for gone in [false, true] {
            if gone {
                std::fs::remove_file(machine.exe()).unwrap();
            }
            for shell in shells() {
                // The words of a path are quoted in the same way for every host.
                for host in hosts().take(if *name == "it's" { usize::MAX } else { 1 }) {
                    judged(&machine, shell, host, gone);
                }
            }
        }
    }
}

fn judged(machine: &Machine, shell: &str, host: &dyn Host, gone: bool) {
    let gate = host.default_event();
    let lines = commands(&machine.text(host));
    let line = &lines.iter().find(|(event, _)| event == gate.name).unwrap().1;
    let call = |command: &str| at_shell(machine, shell, line, &payload(host, gate.name, command));
    let label = format!("{shell} {} {}", host.id(), machine.home().display());
    let (marked, plain) = (call("echo marked"), call("echo plain"));
    if gone {
        for output in [marked, plain] {
            assert!(output.denies() && output.stdout.contains("`fourseam install`"), "{label}: {output:?}");
            let path = Value::from(machine.exe().to_str().unwrap()).to_string();
            assert!(output.stdout.contains(path.trim_matches('"')), "{label}: {output:?}");
        }
    } else {
        assert!(marked.denies() && marked.stdout.contains("It is marked."), "{label}: {marked:?}");
        assert!(plain.is_neutral(host, gate) && plain.stderr.is_empty(), "{label}: {plain:?}");
    }
}

#[test]
fn once_the_program_is_gone_other_events_are_silent() {
    let machine = Machine::new();
    machine.done(&["install", "--all", "--yes"]);
    std::fs::remove_file(machine.exe()).unwrap();
    for host in hosts() {
        for (name, line) in commands(&machine.text(host)) {
            let event = host.event(&name);
            let output = at_shell(&machine, "sh", &line, &payload(host, &name, "true"));
            if event.capabilities.gate {
                assert!(output.denies(), "{} {name}: {output:?}", host.id());
            } else {
                assert!(output.is_neutral(host, event) && output.stderr.is_empty(), "{} {name}: {output:?}", host.id());
            }
        }
    }
}

#[test]
fn a_program_that_is_killed_opens_no_gate() {
    let machine = Machine::new();
    machine.done(&["install", "--all", "--yes"]);
    std::fs::remove_file(machine.exe()).unwrap();
    for signal in ["KILL", "TERM", "PIPE"] {
        machine.write(&machine.exe(), &format!("#!/bin/sh\nkill -s {signal} $$\n"));
        std::fs::set_permissions(machine.exe(), std::fs::Permissions::from_mode(0o755)).unwrap();
        for host in hosts() {
            for (name, line) in commands(&machine.text(host)) {
                let event = host.event(&name);
                let output = at_shell(&machine, "sh", &line, &payload(host, &name, "true"));
                let right = if event.capabilities.gate { output.denies() } else { output.is_neutral(host, event) };
                assert!(right, "{} {name} {signal}: {output:?}", host.id());
            }
        }
    }
}

#[test]
fn in_mode_dry_nobody_is_held_up_by_a_program_that_is_gone() {
    let machine = Machine::new();
    machine.done(&["install", "--all", "--yes", "--mode", "dry"]);
    std::fs::remove_file(machine.exe()).unwrap();
    for host in hosts() {
        for (name, line) in commands(&machine.text(host)) {
            let output = at_shell(&machine, "sh", &line, &payload(host, &name, "true"));
            assert!(output.is_neutral(host, host.event(&name)) && output.stderr.is_empty(), "{name}: {output:?}");
        }
    }
}

#[test]
fn a_project_is_guarded_by_the_program_of_each_user() {
    let machine = Machine::new();
    machine.write(&machine.home().join(".fourseam/policy.yaml"), POLICY);
    machine.done(&["install", "--all", "--yes", "--scope", "project"]);
    let colleague = Machine::new();
    for host in hosts() {
        let gate = host.default_event().name;
        let text = std::fs::read_to_string(machine.file(host, Scope::Project)).unwrap();
        assert!(!text.contains(machine.home().to_str().unwrap()), "{text}");
        let line = &commands(&text).into_iter().find(|(event, _)| event == gate).unwrap().1;
        let output = at_shell(&machine, "sh", line, &payload(host, gate, "echo marked"));
        assert!(output.denies() && output.stdout.contains("It is marked."), "{output:?}");
        let output = at_shell(&colleague, "sh", line, &payload(host, gate, "true"));
        assert!(output.denies() && output.stdout.contains("not on this machine"), "{output:?}");
    }
}

#[test]
fn the_plugin_judges_and_throws_once_the_program_is_gone() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("NOT TESTED, for want of `node`: the plugin of OpenCode");
        return;
    }
    let machine = Machine::named("it's \"q\" $HOME 桃");
    machine.write(&machine.home().join(".fourseam/policy.yaml"), POLICY);
    machine.done(&["install", "--all", "--yes"]);
    let opencode = fourseam_hosts::find("opencode").unwrap();
    let plugin = machine.file(opencode, Scope::User);
    assert_eq!(thrown(&plugin, &machine, "echo plain"), "");
    assert!(thrown(&plugin, &machine, "echo marked").contains("It is marked."));
    std::fs::remove_file(machine.exe()).unwrap();
    assert!(thrown(&plugin, &machine, "echo plain").contains("`fourseam install`"));
    machine.write(&machine.exe(), "#!/bin/sh\nkill -s KILL $$\n");
    std::fs::set_permissions(machine.exe(), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(thrown(&plugin, &machine, "echo plain").contains("`fourseam install`"));
}

/// The error that the plugin throws when OpenCode calls it before a command.
fn thrown(plugin: &Path, machine: &Machine, command: &str) -> String {
    let script = "const [path, command, directory] = process.argv.slice(1);\n\
                  const { Fourseam } = await import(path);\n\
                  const hooks = await Fourseam({ directory });\n\
                  const call = { tool: 'bash', sessionID: 's', callID: 'c' };\n\
                  try { await hooks['tool.execute.before'](call, { args: { command } }) }\n\
                  catch (error) { console.log(error.message) }";
    // The runtime of OpenCode takes a `.js` file for a module.
    let module = plugin.with_extension("mjs");
    std::fs::copy(plugin, &module).unwrap();
    let mut node = Command::new("node");
    node.args(["--input-type=module", "-e", script]).arg(&module).arg(command).arg(machine.project());
    let output = run(node.env("HOME", machine.home()), b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""), "{output:?}");
    output.stdout.trim().to_owned()
}
