//! `fourseam allow-once`: what it lets pass, what it does not, and that nobody but a person can use it.

use crate::run::{Home, Output, at_terminal, has_terminal, run};
use fourseam_hosts::{HOSTS, Host};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

const POLICY: &str = "version: 1\nrules:\n  - id: t/marked\n    decision: deny\n    raw_pattern: marked\n    \
                      reason: It is marked.\n    cases: { hit: [echo marked], miss: [echo plain] }\n";

fn home() -> Home {
    let home = Home::with_policy(POLICY);
    std::fs::create_dir(home.path("work")).unwrap();
    home
}

fn payload(home: &Home, host: &dyn Host, command: &str, id: &str) -> Value {
    let mut payload = host.sample(command);
    let fields = payload.as_object_mut().unwrap();
    for name in ["cwd", "directory"] {
        if fields.contains_key(name) {
            fields.insert(name.to_owned(), home.path("work").to_str().into());
        }
    }
    if fields.contains_key("tool_use_id") {
        fields.insert("tool_use_id".to_owned(), id.into());
    }
    payload
}

fn send(home: &Home, host: &dyn Host, payload: &Value) -> Output {
    run(&mut home.hook(host, host.default_event().name), payload.to_string().as_bytes())
}

fn call(home: &Home, command: &str, id: &str) -> Output {
    send(home, HOSTS[0], &payload(home, HOSTS[0], command, id))
}

/// The code in a refusal.
fn code(output: &Output) -> String {
    assert!(output.denies(), "{output:?}");
    let (_, rest) = output.stdout.split_once("`fourseam allow-once ").unwrap_or_else(|| panic!("{output:?}"));
    rest.split('`').next().unwrap().to_owned()
}

fn passes(home: &Home, output: &Output) -> bool {
    let host = HOSTS[0];
    let passes = output.is_neutral(host, host.default_event());
    assert!(passes || output.denies(), "{output:?} {:?}", home.records().last());
    passes
}

fn allow(home: &Home, code: &str) {
    let (text, exit) = at_terminal(home, &format!("allow-once {code}"), "y\n");
    assert_eq!(exit, Some(0), "{text}");
}

/// The one file of a folder.
fn only_file(home: &Home, folder: &str) -> std::path::PathBuf {
    let mut entries = std::fs::read_dir(home.path(folder)).unwrap();
    let path = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none());
    path
}

#[test]
fn a_grant_lets_exactly_one_call_pass_and_is_recorded() {
    if !has_terminal() {
        return;
    }
    let home = home();
    let command = "echo marked\necho and more";
    let first = code(&call(&home, command, "c1"));
    assert_eq!(code(&call(&home, command, "c2")), first, "the same refusal keeps its code");
    let (text, exit) = at_terminal(&home, &format!("allow-once {}", first.to_lowercase()), "y\n");
    assert_eq!(exit, Some(0), "{text}");
    for shown in
        ["| echo marked", "| echo and more", "claude-code", "t/marked", "It is marked.", "[y/N]", "once within 10"]
    {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert!(text.contains(home.path("work").to_str().unwrap()), "{text}");
    assert!(passes(&home, &call(&home, command, "c3")));
    let used = home.records().pop().unwrap();
    assert_eq!(used["rules"], json!(["fourseam/allow-once", "t/marked"]));
    assert_eq!((&used["decision"], &used["reason"]), (&json!("abstain"), &json!("The user allowed this once.")));
    let again = code(&call(&home, command, "c4"));
    assert_ne!(again, first);
    let (text, exit) = at_terminal(&home, &format!("allow-once {first}"), "y\n");
    assert!(exit == Some(3) && text.contains("no refusal waits under"), "{text}");
    let granted = home.records().into_iter().find(|record| record["event"] == "allow-once").unwrap();
    let input = &granted["action"]["input"];
    assert_eq!((&input["said"], &input["agent"]), (&json!("yes"), &json!("claude-code")));
    assert_eq!(input["of"]["command"], command);
}

#[test]
fn a_no_changes_nothing_and_is_recorded() {
    if !has_terminal() {
        return;
    }
    let home = home();
    let code = code(&call(&home, "echo marked", "c1"));
    for keys in ["n\n", "\n", ""] {
        let (text, exit) = at_terminal(&home, &format!("allow-once {code}"), keys);
        assert_eq!(exit, Some(2), "{text}");
    }
    assert!(!passes(&home, &call(&home, "echo marked", "c2")) && !home.path("grants/once").exists());
    assert!(home.records().iter().any(|record| record["action"]["input"]["said"] == "no"));
}

#[test]
fn a_grant_ends_and_holds_for_nothing_else() {
    if !has_terminal() {
        return;
    }
    let home = home();
    let command = "bash marked.sh";
    home.write("work/marked.sh", "echo one\n");
    allow(&home, &code(&call(&home, command, "c1")));
    assert!(!passes(&home, &call(&home, "bash marked.sh now", "c2")), "another action");
    let mut elsewhere = payload(&home, HOSTS[0], command, "c3");
    elsewhere["cwd"] = home.path("").to_str().into();
    assert!(!passes(&home, &send(&home, HOSTS[0], &elsewhere)), "another folder");
    let mut later = payload(&home, HOSTS[0], command, "c4");
    later["session_id"] = "another".into();
    assert!(!passes(&home, &send(&home, HOSTS[0], &later)), "another session");
    home.write("work/marked.sh", "echo two\n");
    assert!(!passes(&home, &call(&home, command, "c5")), "another script");
    home.write("work/marked.sh", "echo one\n");
    home.write("policy.yaml", &POLICY.replace("is marked", "is so marked"));
    assert!(!passes(&home, &call(&home, command, "c6")), "another policy");
    home.write("policy.yaml", POLICY);
    let grant = only_file(&home, "grants/once");
    let mut text: Value = serde_json::from_slice(&std::fs::read(&grant).unwrap()).unwrap();
    let until = text["until"].as_u64().unwrap();
    text["until"] = (until - 601).into();
    std::fs::write(&grant, text.to_string()).unwrap();
    assert!(!passes(&home, &call(&home, command, "c7")), "too late");
    text["until"] = until.into();
    std::fs::write(&grant, text.to_string()).unwrap();
    assert!(passes(&home, &call(&home, command, "c8")), "and with all as it was it passes");
}

#[test]
fn a_script_outside_of_the_project_is_part_of_the_grant() {
    if !has_terminal() {
        return;
    }
    let home = home();
    home.write("outside/marked.sh", "echo one\n");
    let command = format!("bash {}", home.path("outside/marked.sh").display());
    let first = code(&call(&home, &command, "c1"));
    home.write("outside/marked.sh", "echo two\n");
    let (text, exit) = at_terminal(&home, &format!("allow-once {first}"), "y\n");
    assert!(exit == Some(3) && text.contains("has changed since this was refused"), "{text}");
    allow(&home, &code(&call(&home, &command, "c2")));
    home.write("outside/marked.sh", "echo three\n");
    assert!(!passes(&home, &call(&home, &command, "c3")));
    home.write("outside/marked.sh", "echo two\n");
    assert!(passes(&home, &call(&home, &command, "c4")));
}

#[test]
fn of_calls_at_once_one_uses_the_grant() {
    if !has_terminal() {
        return;
    }
    let home = home();
    allow(&home, &code(&call(&home, "echo marked", "c")));
    let host = HOSTS[0];
    let mut calls: Vec<_> = (0..6)
        .map(|number| {
            let payload = payload(&home, host, "echo marked", &format!("c{number}"));
            let mut command = home.hook(host, host.default_event().name);
            let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            (piped.spawn().unwrap(), payload.to_string())
        })
        .collect();
    // All of them wait for their payload; now they run together.
    let pipes: Vec<_> =
        calls.iter_mut().map(|(child, payload)| (child.stdin.take().unwrap(), payload.clone())).collect();
    std::thread::scope(|scope| {
        for (mut pipe, payload) in pipes {
            scope.spawn(move || pipe.write_all(payload.as_bytes()).unwrap());
        }
    });
    let passed = calls.into_iter().filter_map(|(child, _)| child.wait_with_output().ok());
    assert_eq!(passed.filter(|output| output.stdout.is_empty() && output.status.success()).count(), 1);
}

#[test]
fn every_host_names_the_way_and_honours_the_grant() {
    if !has_terminal() {
        return;
    }
    for host in HOSTS {
        let home = home();
        let event = host.default_event();
        let payload = payload(&home, *host, "echo marked", "c1");
        let (text, exit) = at_terminal(&home, &format!("allow-once {}", code(&send(&home, *host, &payload))), "y\n");
        assert_eq!(exit, Some(0), "{} {text}", host.id());
        assert!(send(&home, *host, &payload).is_neutral(*host, event), "{}", host.id());
    }
}

#[test]
fn without_a_terminal_nothing_is_granted() {
    let home = home();
    let code = code(&call(&home, "echo marked", "c1"));
    let output = run(&mut home.verb(&["allow-once", &code]), b"y\n");
    assert_eq!(output.exit, 3, "{output:?}");
    assert!(output.stderr.contains("is for a person, and this is no terminal"), "{output:?}");
    assert!(!passes(&home, &call(&home, "echo marked", "c2")) && !home.path("grants/once").exists());
    if has_terminal() {
        let (text, exit) = at_terminal(&home, &format!("allow-once {code} < /dev/null"), "y\n");
        assert!(exit == Some(3) && text.contains("this is no terminal"), "{text}");
        let (text, exit) = at_terminal(&home, &format!("allow-once {code} > out.txt"), "y\n");
        assert!(exit == Some(3) && text.contains("standard output is no terminal"), "{text}");
    }
}

#[test]
fn an_agent_cannot_run_it_and_locked_rules_have_no_code() {
    let home = home();
    for command in [
        "fourseam allow-once ABCD-EFGH",
        "script -qec 'fourseam allow-once ABCD-EFGH' /dev/null <<< y",
        "echo y | bash -c 'fourseam allow-once ABCD-EFGH'",
        "python3 -c \"import pty; pty.spawn(['fourseam', 'allow-once', 'ABCD-EFGH'])\"",
        "fourseam pause 10m",
    ] {
        let output = call(&home, command, "c1");
        assert!(output.denies() && !output.stdout.contains("To let exactly this pass"), "{command} {output:?}");
    }
    for name in ["pending/0", "once/0", "used/0"] {
        let mut write = payload(&home, HOSTS[0], "", "c2");
        write["tool_name"] = "Write".into();
        write["tool_input"] = json!({ "file_path": format!("~/.fourseam/grants/{name}"), "content": "{}" });
        let output = send(&home, HOSTS[0], &write);
        assert!(output.denies() && !output.stdout.contains("To let exactly this pass"), "{output:?}");
    }
    assert!(!home.path("grants").exists());
}

#[test]
fn in_mode_dry_nothing_waits() {
    let home = home();
    home.write("mode", "dry\n");
    assert!(passes(&home, &call(&home, "echo marked", "c1")) && !home.path("grants").exists());
}
