//! Keys planted in everything that a caller can say never reach the log.

use crate::run::{Home, run};
use fourseam_hosts::HOSTS;
use serde_json::{Value, json};

/// Random, and the key of nobody: 60 characters of both cases and digits.
const BODY: &str = "Zk3Qw9Xv7Tb1Rn5Ym2Lp8Hd4Gs6Jf0CaUeWiOq5Bx8Nt3Vr1My7Kd9Sh2Pz";
const HEX: &str = "9f86d081884c7d659a2feaa0c55ad0153b1e7c92f4a06d58e3c1b70a94f2d86e";

/// Keys by the form that their maker gives them. Made here, so that no scanner of sources takes them for real.
fn keys() -> Vec<String> {
    let body = |length: usize| BODY.chars().take(length).collect::<String>();
    let hex = |length: usize| HEX.chars().take(length).collect::<String>();
    let upper = |length: usize| BODY.to_ascii_uppercase().chars().take(length).collect::<String>();
    vec![
        format!("ghp_{}", body(36)),
        format!("gho_{}", body(36)),
        format!("github_pat_{}", body(58)),
        format!("glpat-{}", body(20)),
        format!("AKIA{}", upper(16)),
        format!("ASIA{}", upper(16)),
        format!("sk-ant-api03-{}", body(58)),
        format!("sk-proj-{}", body(58)),
        format!("sk-{}", body(48)),
        format!("sk_live_{}", body(30)),
        format!("rk_live_{}", body(30)),
        format!("whsec_{}", body(32)),
        format!("xoxb-{}", body(40)),
        format!("xapp-{}", body(40)),
        format!("AIza{}", body(35)),
        format!("GOCSPX-{}", body(28)),
        format!("ya29.{}", body(40)),
        format!("npm_{}", body(36)),
        format!("hf_{}", body(34)),
        format!("dop_v1_{HEX}"),
        format!("shpat_{}", hex(32)),
        format!("SG.{}.{}", body(22), body(43)),
        format!("hvs.{}", body(40)),
        format!("glsa_{}_{}", body(32), hex(8)),
        format!("lin_api_{}", body(40)),
        format!("ntn_{}", body(46)),
        format!("sbp_{}", hex(40)),
        format!("gsk_{}", body(52)),
        format!("r8_{}", body(37)),
        format!("tskey-{}", body(30)),
        format!("pplx-{}", body(48)),
        format!("key-{}", hex(32)),
        format!("NRAK-{}", upper(27)),
    ]
}

/// Everything of a payload that an agent, a server or a page can fill, with a key in it.
fn payloads(key: &str) -> Vec<(&'static str, Value)> {
    let call = |tool: &str, input: Value| {
        json!({ "session_id": "s1", "cwd": "/home/ana/shop", "hook_event_name": "PreToolUse", "tool_name": tool,
            "tool_input": input, "tool_use_id": "toolu_01Shop" })
    };
    let bash = |command: String| call("Bash", json!({ "command": command }));
    let result = |text: String| {
        json!({ "session_id": "s1", "cwd": "/home/ana/shop", "hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": { "command": "cat x" }, "tool_response": { "stdout": text, "stderr": "" } })
    };
    vec![
        ("a command", bash(format!("curl -H 'X-Key: {key}' https://api.example.com"))),
        ("a command's option", bash(format!("tool --token={key} run"))),
        ("a variable", bash(format!("KEY={key} rm -rf \"/tmp/$KEY\""))),
        ("a path", call("Read", json!({ "file_path": format!("/home/ana/{key}/notes.txt") }))),
        ("content", call("Write", json!({ "file_path": "/home/ana/shop/a.env", "content": format!("KEY={key}\n") }))),
        (
            "an edit",
            call("Edit", json!({ "file_path": "/home/ana/a", "old_string": key, "new_string": format!("x {key}") })),
        ),
        ("a URL", call("WebFetch", json!({ "url": format!("https://x.example.com/?k={key}"), "prompt": key }))),
        (
            "arguments of MCP",
            call("mcp__db__query", json!({ "sql": format!("select '{key}'"), "deep": [{ "a": key }] })),
        ),
        ("names in MCP", call("mcp__db__query", json!({ "by": { key: 1 } }))),
        ("an unknown tool", call(&format!("Tool {key}"), json!({ "x": key }))),
        ("a sub-agent", call("Task", json!({ "subagent_type": "x", "prompt": format!("use {key}") }))),
        ("a result", result(format!("the key is {key}\n"))),
        ("a long result", result(format!("{} {key} {}", "word ".repeat(405), "word ".repeat(400)))),
        (
            "a prompt",
            json!({ "session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": format!("use {key}") }),
        ),
        (
            "the names of a call",
            json!({ "session_id": key, "cwd": format!("/home/ana/{key}"), "hook_event_name": "PreToolUse",
                "permission_mode": key, "agent_id": key, "tool_use_id": key, "tool_name": "Bash",
                "tool_input": { "command": "ls", "description": key } }),
        ),
        ("an unknown event", json!({ "session_id": "s1", "hook_event_name": key, "tool_name": "Bash" })),
        ("no object at all", json!([key])),
    ]
}

/// Everything below the folder of the log, as one text.
fn log(home: &Home) -> String {
    let mut text = String::new();
    let mut folders = vec![home.path("audit")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                text.push_str(&format!("{}\n{}", path.display(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    text
}

#[test]
fn planted_keys_never_reach_the_log() {
    let keys = keys();
    assert!(keys.len() >= 25);
    let host = fourseam_hosts::find("claude-code").unwrap();
    // Many processes: two at a time, one of the two for every other key.
    std::thread::scope(|scope| {
        for part in keys.chunks(keys.len().div_ceil(2)) {
            scope.spawn(move || {
                let home = Home::new();
                for key in part {
                    for (what, payload) in payloads(key) {
                        let event = payload["hook_event_name"].as_str().unwrap_or("PreToolUse").to_owned();
                        let known = host.events().iter().any(|known| known.name == event);
                        let event = if known { event } else { "PreToolUse".to_owned() };
                        run(home.hook(host, &event).env("PLANTED", key), payload.to_string().as_bytes());
                        assert!(!log(&home).contains(key.as_str()), "{key} in {what}: {}", log(&home));
                        std::fs::remove_dir_all(home.path("audit")).unwrap();
                    }
                }
            });
        }
    });
}

#[test]
fn keys_in_the_environment_and_on_the_command_line_do_not_either() {
    let key = format!("ghp_{}", BODY.chars().take(36).collect::<String>());
    for host in HOSTS {
        let home = Home::new();
        let payload = host.sample("rm -rf \"$PLANTED/x\" \"$APP_PASSWORD\"").to_string();
        let mut command = home.hook(*host, host.default_event().name);
        command.env("PLANTED", &key).env("APP_PASSWORD", "hunter2-and-more");
        run(&mut command, payload.as_bytes());
        // A call that fails, named by its command line.
        run(&mut home.hook(*host, &key), format!("{{ {key}").as_bytes());
        run(home.hook(*host, "x").arg(format!("--home={key}")).env("FOURSEAM_HOME", home.path("")), b"{}");
        let log = log(&home);
        assert!(!log.contains(&key) && !log.contains("hunter2"), "{log}");
        assert!(log.contains("PLANTED") && log.lines().count() > 2, "{log}");
    }
}
