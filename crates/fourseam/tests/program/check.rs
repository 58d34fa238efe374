//! `fourseam check` and `demo`, as a person or a script calls them.

use crate::run::{Home, run};
use fourseam_hosts::HOSTS;
use serde_json::{Value, json};

const POLICY: &str = "version: 1\npacks: { disable: [read-only] }\nrules:\n  \
    - { id: t/deny, decision: deny, raw_pattern: zap-all, reason: It zaps. , instead: zap one }\n  \
    - { id: t/ask, decision: ask, raw_pattern: zap-some, reason: It may zap. }\n";

#[test]
fn exit_codes_say_the_decision() {
    let home = Home::with_policy(POLICY);
    for (command, exit, says) in
        [("ls", 0, "abstain  ls"), ("zap-some x", 1, "ask  t/ask"), ("zap-all", 2, "instead: zap one")]
    {
        let output = run(&mut home.verb(&["check", command]), b"");
        assert_eq!(output.exit, exit, "{output:?}");
        assert!(output.stdout.contains(says), "{output:?}");
    }
    for wrong in
        [&["check"][..], &["check", "ls", "--host", "nobody"], &["check", "--batch", "/no/such"], &["nonsense"]]
    {
        let output = run(&mut home.verb(wrong), b"");
        assert_eq!((output.exit, output.stdout.as_str()), (3, ""), "{output:?}");
        assert!(output.stderr.starts_with("error: "), "{output:?}");
    }
    let broken = Home::with_policy("rules: [");
    assert_eq!(run(&mut broken.verb(&["check", "ls"]), b"").exit, 3);
}

#[test]
fn the_text_for_people() {
    let home = Home::with_policy(POLICY);
    let output = run(&mut home.verb(&["check", "zap-all; zap-some", "--host", "codex"]), b"");
    let (decision, reply) = output.stdout.split_at(output.stdout.find("Codex CLI").unwrap());
    let lines = [
        "deny  zap-all; zap-some",
        "  deny  t/deny",
        "    It zaps.",
        "    matched: zap-all; zap-some",
        "    instead: zap one",
        "  ask  t/ask",
        "    It may zap.",
        "    matched: zap-all; zap-some",
    ];
    assert_eq!(decision.lines().collect::<Vec<_>>(), lines);
    let mut reply = reply.lines();
    assert_eq!(reply.next(), Some("Codex CLI at PreToolUse: exit 2"));
    assert!(reply.next().is_some_and(|line| line.starts_with("  stdout: {\"hookSpecificOutput\"")));
    assert!(reply.next().is_some_and(|line| line.starts_with("  stderr: Refused by policy")));
    let output = run(&mut home.verb(&["check", "ls", "--host", "nobody"]), b"");
    let help = format!("help: known hosts: {}\n", HOSTS.iter().map(|host| host.id()).collect::<Vec<_>>().join(", "));
    assert_eq!(output.stderr, format!("error: unknown host `nobody`\n{help}"));
}

#[test]
fn json_is_one_object_with_the_hosts_answer() {
    let home = Home::with_policy(POLICY);
    for host in HOSTS {
        let output = run(&mut home.verb(&["check", "zap-all", "--json", "--host", host.id()]), b"");
        let value: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(value["decision"], "deny");
        assert_eq!(value["rules"], json!(["t/deny"]));
        assert_eq!(value["reason"], "It zaps.");
        assert_eq!(value["reply"]["host"], host.id());
        assert!(value["reply"]["stdout"].as_str().unwrap().contains("It zaps."), "{value}");
    }
}

#[test]
fn a_batch_answers_each_line_and_tells_bad_ones() {
    let home = Home::with_policy(POLICY);
    let lines = [
        json!({"id": "a", "tool": "shell", "cwd": "/p", "input": {"command": "zap-all"}}),
        json!({"id": 2, "tool": "shell", "cwd": "/p", "input": {"command": "ls"}, "world": {"home": "/h"}}),
        json!({"id": "c", "tool": "mcp", "cwd": "/p", "input": {"server": "s", "tool": "t", "arguments": {}}}),
        json!({"id": "d", "tool": "shell", "cwd": "C:\\p", "input": {"command": "dir", "shell": "cmd"}}),
        json!({"id": "e", "tool": "tool_result", "cwd": "/p", "input": {"text": "fine", "origin": "web"}}),
        json!({"id": "f", "tool": "write", "cwd": "/p", "input": {"path": "/p/a", "content": "x"}}),
        json!({"id": "g", "tool": "edit", "cwd": "/p", "input": {"path": "/p/a", "old": "x", "content": "y"}}),
        json!({"id": "h", "tool": "webfetch", "cwd": "/p", "input": {"url": "https://docs.example.com/"}}),
        json!({"id": "i", "tool": "websearch", "cwd": "/p", "input": {"text": "how to"}}),
        json!({"id": "j", "tool": "prompt", "cwd": "/p", "input": {"text": "please"}}),
    ]
    .map(|line| line.to_string());
    let output = run(&mut home.verb(&["check", "--batch", "-"]), lines.join("\n").as_bytes());
    assert_eq!(output.exit, 0, "{output:?}");
    let answers: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<String> = answers.iter().map(|answer| answer["id"].to_string().replace('"', "")).collect();
    assert_eq!(ids.join(" "), "a 2 c d e f g h i j");
    assert_eq!(answers[0]["decision"], "deny");
    assert_eq!(answers[0]["rules"], json!(["t/deny"]));
    assert_eq!(answers[0]["reason"], "It zaps.");
    assert_eq!(answers[1]["decision"], "abstain");
    let mixed = format!("{}\n\nnot json\n{}\n", lines[0], lines[1]);
    let output = run(&mut home.verb(&["check", "--batch", "-"]), mixed.as_bytes());
    assert_eq!((output.exit, output.stdout.lines().count()), (3, 2), "{output:?}");
    assert!(output.stderr.starts_with("error: -:3: "), "{output:?}");
}

#[test]
fn a_command_cannot_draw_on_the_terminal() {
    let home = Home::new();
    let output = run(&mut home.verb(&["check", "echo \u{1b}[2Jx\r\ny"]), b"");
    assert!(!output.stdout.contains('\u{1b}') && output.stdout.contains("\\u{1b}[2Jx\\r\\ny"), "{output:?}");
}

#[test]
fn the_demo_shows_every_host_and_leaves_nothing_behind() {
    let home = Home::new();
    let output = run(&mut home.verb(&["demo"]), b"");
    assert_eq!(output.exit, 0, "{output:?}");
    assert!(output.stdout.contains("deny  psql -c 'DROP DATABASE app'"), "{}", output.stdout);
    for host in HOSTS {
        let (_, answer) = output.stdout.split_once(&format!("{} at ", host.title())).unwrap();
        let stdout = answer.lines().nth(1).unwrap();
        assert!(stdout.starts_with("  stdout: {") && stdout.contains("\"deny\""), "{}: {stdout}", host.title());
    }
    assert_eq!(std::fs::read_dir(home.path(".")).unwrap().count(), 0);
}

#[test]
fn a_call_by_hand_leaves_nothing_behind() {
    let home = Home::new();
    let mut command = home.verb(&["check", "ls"]);
    run(command.env("FOURSEAM_HOME", home.path("none")), b"");
    assert!(!home.path("none").exists());
}

#[test]
fn the_version_is_told() {
    let output = run(&mut Home::new().verb(&["--version"]), b"");
    assert_eq!(output.stdout, format!("fourseam {}\n", env!("CARGO_PKG_VERSION")));
}
