//! `fourseam log`: what it shows of the audit log, and to whom.

use crate::run::{Home, run};
use fourseam_hosts::HOSTS;
use serde_json::Value;

fn log(home: &Home, arguments: &[&str]) -> Vec<String> {
    let mut words = vec!["log"];
    words.extend(arguments);
    let output = run(&mut home.verb(&words), b"");
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""), "{arguments:?}");
    output.stdout.lines().map(str::to_owned).collect()
}

fn filled() -> Home {
    let home = Home::with_policy(
        "version: 1\nrules:\n  - { id: t/ask, decision: ask, raw_pattern: marked, reason: It is marked. }\n",
    );
    for (host, command) in HOSTS.iter().zip(["echo one", "echo marked", "echo three"]) {
        run(&mut home.hook(*host, host.default_event().name), host.sample(command).to_string().as_bytes());
    }
    home
}

#[test]
fn records_are_shown_and_chosen() {
    let home = filled();
    assert_eq!(log(&home, &[]).len(), 3);
    let second = HOSTS[1].id();
    for arguments in [["--decision", "ask"], ["--rule", "t"], ["--rule", "t/ask"], ["--agent", second]] {
        let lines = log(&home, &arguments);
        assert_eq!(lines.len(), 1, "{arguments:?}: {lines:?}");
        assert!(lines[0].contains("t/ask: echo marked") && lines[0].contains(second), "{lines:?}");
    }
    for arguments in [["--rule", "t/as"], ["--agent", "nobody"], ["--since", "2999-01-01"], ["--session", "none"]] {
        assert_eq!(log(&home, &arguments), Vec::<String>::new(), "{arguments:?}");
    }
    assert_eq!(log(&home, &["--since", "1h"]).len(), 3);
    let text = std::fs::read_to_string(home.path("audit/log.jsonl")).unwrap();
    assert_eq!(log(&home, &["--json"]), text.lines().collect::<Vec<_>>());
    let session = home.records()[0]["session"].as_str().unwrap().to_owned();
    let of_session = log(&home, &["--json", "--session", &session]);
    assert!(of_session.iter().all(|line| serde_json::from_str::<Value>(line).unwrap()["session"] == session.as_str()));
}

#[test]
fn a_pipe_gets_no_colours_and_a_command_cannot_draw() {
    let home = Home::new();
    let host = HOSTS[0];
    let payload = host.sample("printf '\u{1b}[2J'").to_string();
    run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
    let lines = log(&home, &[]);
    assert!(!lines[0].contains('\u{1b}') && lines[0].contains("\\u{1b}[2J"), "{lines:?}");
}

#[test]
fn an_empty_or_damaged_log_is_told() {
    let home = Home::new();
    assert_eq!(log(&home, &[]), Vec::<String>::new());
    let home = filled();
    let path = home.path("audit/log.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}garbage\n")).unwrap();
    let output = run(&mut home.verb(&["log"]), b"");
    assert_eq!((output.exit, output.stdout.lines().count()), (2, 3), "{output:?}");
    assert!(output.stderr.contains("log.jsonl:4`: no record: "), "{output:?}");
}

#[test]
fn what_comes_is_shown_also_when_the_file_is_set_aside() {
    use std::io::{BufRead, BufReader};
    let home = filled();
    let mut child = home.verb(&["log", "-f", "-n", "1"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let (send, lines) = std::sync::mpsc::channel();
    let stdout = child.stdout.take().unwrap();
    std::thread::spawn(move || {
        BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| send.send(line))
    });
    let next = || lines.recv_timeout(std::time::Duration::from_secs(20)).unwrap();
    let call = |command: &str| {
        let host = HOSTS[0];
        run(&mut home.hook(host, host.default_event().name), host.sample(command).to_string().as_bytes());
    };
    assert!(next().contains("echo three"));
    call("echo four");
    assert!(next().contains("echo four"));
    // Twice between two looks: no record is missed.
    call("echo five");
    std::fs::rename(home.path("audit/log.jsonl"), home.path("audit/log-000000000005.jsonl")).unwrap();
    call("echo six");
    std::fs::rename(home.path("audit/log.jsonl"), home.path("audit/log-000000000006.jsonl")).unwrap();
    call("echo seven");
    for command in ["echo five", "echo six", "echo seven"] {
        let line = next();
        assert!(line.contains(command), "{line}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_last_of_them() {
    let lines = log(&filled(), &["-n", "2"]);
    assert!(lines.len() == 2 && lines[1].contains("echo three"), "{lines:?}");
}
