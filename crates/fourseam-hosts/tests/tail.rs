//! The wired command lines, run by the shells that hosts use, with programs that answer, fail and are not there.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests may panic and start programs"
)]
#![cfg(unix)]

use fourseam_hosts::install::{Program, STATE_FILE, Wiring};
use fourseam_hosts::{HOSTS, Host};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Folder names that a shell could stumble over.
const NAMES: &[&str] = &["plain", "two words", "it's", "back\\slash\\", "$HOME `x` \"q\"", "pêche 桃 !#*?", "end\\'"];
const SHELLS: &[&str] = &["sh", "dash", "bash", "zsh", "fish"];

fn shells() -> Vec<&'static str> {
    let there = |shell: &&str| Command::new(shell).args(["-c", ":"]).output().is_ok();
    let found: Vec<&str> = SHELLS.iter().copied().filter(there).collect();
    assert!(found.contains(&"sh"), "no shell to test with");
    found
}

/// A state folder with a program in it.
struct Setup {
    _root: tempfile::TempDir,
    home: PathBuf,
}

impl Setup {
    fn new(name: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join(name);
        fs::create_dir_all(home.join("bin")).unwrap();
        Self { _root: root, home }
    }

    fn exe(&self) -> PathBuf {
        self.home.join("bin/fourseam")
    }

    fn program(&self, body: &str) {
        fs::write(self.exe(), format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(self.exe(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn mode(&self, mode: &str) {
        fs::write(self.home.join(STATE_FILE), mode).unwrap();
    }

    fn wiring(&self) -> Wiring {
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        Wiring { program: Program::Installed { exe: text(&self.exe()), home: text(&self.home) }, native_ask: false }
    }
}

/// The command wired for an event.
fn command(host: &dyn Host, event: &str, wiring: &Wiring) -> String {
    let text = host.install().plan(None, wiring).unwrap();
    let root: Value = serde_json::from_str(&text).unwrap();
    let entry = &root["hooks"][event][0];
    let handler = entry.pointer("/hooks/0").unwrap_or(entry);
    handler.get("command").or(handler.get("bash")).unwrap().as_str().unwrap().to_owned()
}

fn run(shell: &str, command: &str, home: Option<&Path>) -> Output {
    let mut process = Command::new(shell);
    process.arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    process.env("m", "dry").env("PATH", "/usr/bin:/bin");
    if let Some(home) = home {
        process.env("HOME", home);
    }
    let mut child = process.spawn().unwrap();
    // A program that is not there reads nothing.
    let _ = child.stdin.take().unwrap().write_all(b"{\"payload\":1}");
    child.wait_with_output().unwrap()
}

fn told(output: &Output) -> (String, String, i32) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// Hosts whose hooks are command lines.
fn hosts() -> impl Iterator<Item = &'static dyn Host> {
    HOSTS.iter().copied().filter(|host| host.id() != "opencode")
}

#[test]
fn the_answers_of_the_program_pass_and_it_is_told_who_calls() {
    for name in NAMES {
        let setup = Setup::new(name);
        let claude = fourseam_hosts::find("claude-code").unwrap();
        let line = command(claude, "PreToolUse", &setup.wiring());
        for shell in shells() {
            for code in [0, 2] {
                setup.program(&format!("printf '%s|' \"$@\"; cat; echo why >&2; exit {code}"));
                let expected = format!("hook|claude-code|PreToolUse|--home|{}|{{\"payload\":1}}", setup.home.display());
                assert_eq!(told(&run(shell, &line, None)), (expected, "why\n".to_owned(), code), "{shell} {name}");
            }
        }
    }
}

#[test]
fn a_program_that_is_missing_or_fails_is_a_refusal_that_names_the_mend() {
    for name in NAMES {
        let setup = Setup::new(name);
        for shell in shells() {
            for body in [None, Some("exit 1"), Some("exit 134"), Some("kill -9 $$")] {
                match body {
                    Some(body) => setup.program(body),
                    None => drop(fs::remove_file(setup.exe())),
                }
                // The words of a path are quoted in the same way for every host.
                for host in hosts().take(if *name == "plain" { usize::MAX } else { 1 }) {
                    let event = host.default_event().name;
                    let (stdout, stderr, code) = told(&run(shell, &command(host, event, &setup.wiring()), None));
                    let label = format!("{shell} {} {name} {body:?}: {stdout} {stderr}", host.id());
                    let words: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{label}: {error}"));
                    let heard = if host.id() == "cursor" { words["user_message"].as_str().unwrap() } else { &stderr };
                    assert!(heard.contains("`fourseam install`"), "{label}");
                    assert!(heard.contains(setup.exe().to_str().unwrap()), "{label}");
                    assert_eq!(code, if host.id() == "cursor" { 0 } else { 2 }, "{label}");
                }
            }
        }
    }
}

#[test]
fn in_mode_dry_a_missing_program_says_nothing() {
    for name in NAMES {
        let setup = Setup::new(name);
        setup.mode("dry\n");
        for shell in shells() {
            for host in hosts().take(if *name == "plain" { usize::MAX } else { 1 }) {
                let event = host.default_event().name;
                let (stdout, stderr, code) = told(&run(shell, &command(host, event, &setup.wiring()), None));
                let neutral = if host.id() == "cursor" { r#"{"permission":"ask"}"# } else { "" };
                assert_eq!((stdout.as_str(), stderr.as_str(), code), (neutral, "", 0), "{shell} {} {name}", host.id());
            }
        }
        for mode in ["guard\n", "on\n", "", "dryer\n"] {
            setup.mode(mode);
            let claude = fourseam_hosts::find("claude-code").unwrap();
            assert_eq!(told(&run("sh", &command(claude, "PreToolUse", &setup.wiring()), None)).2, 2, "{mode:?}");
        }
    }
}

#[test]
fn elsewhere_than_before_a_call_every_failure_is_silent() {
    let setup = Setup::new("it's");
    for shell in shells() {
        for host in hosts() {
            for event in host.install().wired(&setup.wiring()) {
                if event.capabilities.gate {
                    continue;
                }
                for body in [None, Some("exit 1"), Some("exit 2")] {
                    match body {
                        Some(body) => setup.program(body),
                        None => drop(fs::remove_file(setup.exe())),
                    }
                    let (stdout, stderr, code) = told(&run(shell, &command(host, event.name, &setup.wiring()), None));
                    assert!(stdout.is_empty() || host.id() == "cursor" && stdout.starts_with('{'), "{stdout}");
                    assert_eq!((stderr.as_str(), code), ("", 0), "{shell} {} {}", host.id(), event.name);
                }
            }
        }
    }
}

#[test]
fn a_project_calls_the_program_of_each_user_and_refuses_where_there_is_none() {
    let wiring = Wiring { program: Program::OfEachUser, native_ask: false };
    for shell in shells() {
        let root = tempfile::tempdir().unwrap();
        for host in hosts() {
            let line = command(host, host.default_event().name, &wiring);
            assert!(!line.contains("/home/"), "{line}");
            let (stdout, _, _) = told(&run(shell, &line, Some(root.path())));
            assert!(stdout.contains("not on this machine"), "{shell} {}: {stdout}", host.id());
        }
        let bin = root.path().join(".fourseam/bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("fourseam"), "#!/bin/sh\necho \"$@\"").unwrap();
        fs::set_permissions(bin.join("fourseam"), fs::Permissions::from_mode(0o755)).unwrap();
        let claude = fourseam_hosts::find("claude-code").unwrap();
        let (stdout, _, code) = told(&run(shell, &command(claude, "PreToolUse", &wiring), Some(root.path())));
        let home = root.path().join(".fourseam");
        assert_eq!((stdout, code), (format!("hook claude-code PreToolUse --home {}\n", home.display()), 0));
    }
}
