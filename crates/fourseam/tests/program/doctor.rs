//! `fourseam doctor` on a machine with every agent: healthy, and with each of its checks broken once.

use crate::install::Machine;
use crate::run::run;
use fourseam_hosts::install::Scope;
use fourseam_hosts::{HOSTS, Host, find};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Plays an agent: tells its version.
const AGENT: &str = r#"[ "$1" = --version ] && echo "agent 0.1.2""#;
/// Plays Codex: also lists one hook of ours, trusted when its hash is in the configuration.
const CODEX: &str = r#"
[ "$1" = --version ] && { echo "codex-cli 0.2.0"; exit; }
while read -r line; do
  case $line in
    *'"initialize"'*) echo '{"id":1,"result":{}}' ;;
    *'"hooks/list"'*)
      status=untrusted; grep -q 'sha256:aa' "$HOME/.codex/config.toml" 2>/dev/null && status=trusted
      printf '{"id":2,"result":{"data":[{"hooks":[{"key":"%s","currentHash":"sha256:aa","trustStatus":"%s","command":"%s"}]}]}}\n' \
        "$HOME/.codex/hooks.json:pre_tool_use:0:0" "$status" "/bin/sh -c ': fourseam 1; x'" ;;
  esac
done
"#;

/// Every agent on `PATH`, wired, trusted, called once.
fn healthy() -> Machine {
    let machine = Machine::new();
    for host in HOSTS {
        let script = if host.id() == "codex" { CODEX } else { AGENT };
        machine.program(host.install().programs()[0], script);
    }
    machine.write(&machine.home().join(".cursor/.keep"), "");
    machine.done(&["install", "--all", "--yes", "--mode", "guard"]);
    let trusted = json!({ machine.project().to_str().unwrap(): "TRUST_FOLDER" });
    machine.write(&machine.home().join(".gemini/trustedFolders.json"), &trusted.to_string());
    for host in HOSTS {
        call(&machine, *host, "ls");
    }
    machine
}

/// A call of an agent comes in.
fn call(machine: &Machine, host: &dyn Host, command: &str) {
    let home = machine.home().join(".fourseam");
    let words = ["hook", host.id(), host.default_event().name, "--home", home.to_str().unwrap()];
    run(&mut machine.verb(&words), host.sample(command).to_string().as_bytes());
}

/// What `doctor --json` says, and whether it says that all is well.
fn doctor(machine: &Machine) -> (Vec<Value>, bool) {
    let output = machine.run(&["doctor", "--json"]);
    let said: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    let live = said["live"].as_bool().unwrap();
    assert_eq!(output.exit, i32::from(!live), "{output:?}");
    (said["findings"].as_array().unwrap().clone(), live)
}

/// Checks, agents and mends of what is broken.
fn broken(findings: &[Value]) -> Vec<(String, String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let broken = findings.iter().filter(|finding| finding["health"] == "broken");
    broken.map(|finding| (text(finding, "check"), text(finding, "host"), text(finding, "mend"))).collect()
}

fn file(machine: &Machine, id: &str) -> PathBuf {
    machine.file(find(id).unwrap(), Scope::User)
}

/// Changes a text of the machine.
fn change(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{}: {text}", path.display());
    std::fs::write(path, text.replace(from, to)).unwrap();
}

/// Changes a JSON file of the machine.
fn change_json(path: &Path, how: impl Fn(&mut Value)) {
    let mut value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    how(&mut value);
    std::fs::write(path, value.to_string()).unwrap();
}

/// Where fourseam keeps its own.
fn own(machine: &Machine, name: &str) -> PathBuf {
    machine.home().join(".fourseam").join(name)
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_healthy_machine_is_live() {
    let machine = healthy();
    let (findings, live) = doctor(&machine);
    assert!(live, "{:?}", broken(&findings));
    for host in HOSTS {
        let version = if host.id() == "codex" { "0.2.0" } else { "0.1.2" };
        let found = |check: &str| findings.iter().find(|found| found["host"] == host.id() && found["check"] == check);
        assert!(found("version").unwrap()["found"].as_str().unwrap().starts_with(version), "{}", host.id());
        assert!(found("last-call").unwrap()["found"].as_str().unwrap().contains("ago"), "{}", host.id());
    }
    let text = machine.done(&["doctor"]);
    assert!(text.contains("every agent that was found is live") && text.contains("Claude Code\n"), "{text}");
    // Looking changes nothing.
    let before = std::fs::read(own(&machine, "audit/log.jsonl")).unwrap();
    doctor(&machine);
    assert_eq!(std::fs::read(own(&machine, "audit/log.jsonl")).unwrap(), before);
}

/// One thing that breaks: the check, the agent, what the mend says, and how it is broken.
type Breakage = (&'static str, &'static str, &'static str, fn(&Machine));

const BREAKAGES: &[Breakage] = &[
    ("wired", "claude-code", "fourseam install --host claude-code", |machine| {
        std::fs::remove_file(file(machine, "claude-code")).unwrap();
    }),
    ("wired", "opencode", "fourseam install --host opencode", |machine| {
        change(&file(machine, "opencode"), "const ", "var ");
    }),
    ("wired", "gemini-cli", "EDITOR", |machine| machine.write(&file(machine, "gemini-cli"), "{ \"hooks\": [")),
    ("version", "gemini-cli", "fourseam prove --host gemini-cli", |machine| {
        machine.program("gemini", "echo 99.0.1");
    }),
    ("events", "codex", "fourseam install --host codex", |machine| {
        change_json(&file(machine, "codex"), |value| {
            value["hooks"].as_object_mut().unwrap().remove("PermissionRequest");
        });
    }),
    ("program", "cursor", "fourseam install --host cursor", |machine| {
        change(&file(machine, "cursor"), ".fourseam/bin/fourseam", ".fourseam/bin/gone");
    }),
    ("program", "qwen-code", "fourseam install", |machine| set_mode(&machine.exe(), 0o644)),
    ("program", "qwen-code", "fourseam install", |machine| {
        machine.write(&machine.exe(), "#!/bin/sh\nexit 0\n");
        set_mode(&machine.exe(), 0o755);
    }),
    ("program", "copilot-cli", "fourseam install --host copilot-cli", |machine| {
        let home = own(machine, "");
        let home = home.to_str().unwrap().trim_end_matches('/').to_owned();
        change(&file(machine, "copilot-cli"), &format!("'{home}'"), "'/home/ana/elsewhere'");
    }),
    ("timeout", "gemini-cli", "fourseam install --host gemini-cli", |machine| {
        change(&file(machine, "gemini-cli"), "\"timeout\": 30000", "\"timeout\": 900");
    }),
    ("order", "qwen-code", "fourseam uninstall --host qwen-code", |machine| {
        change_json(&file(machine, "qwen-code"), |value| {
            let other = json!({ "matcher": "*", "hooks": [{ "type": "command", "command": "lint" }] });
            value["hooks"]["PreToolUse"].as_array_mut().unwrap().push(other);
        });
    }),
    ("twice", "claude-code", "fourseam uninstall --host claude-code --scope project", |machine| {
        machine.done(&["install", "--host", "claude-code", "--scope", "project", "--yes"]);
    }),
    ("twice", "copilot-cli", "fourseam uninstall --host claude-code --scope project", |machine| {
        machine.done(&["install", "--host", "claude-code", "--scope", "project", "--yes"]);
    }),
    ("twice", "codex", "fourseam uninstall --host codex", |machine| {
        change_json(&file(machine, "codex"), |value| {
            let list = value["hooks"]["PreToolUse"].as_array_mut().unwrap();
            list.push(list[0].clone());
        });
    }),
    ("switched-off", "claude-code", "EDITOR", |machine| {
        machine.write(&machine.project().join(".claude/settings.local.json"), "{ \"disableAllHooks\": true }");
    }),
    ("switched-off", "codex", "EDITOR", |machine| {
        change(
            &machine.home().join(".codex/config.toml"),
            "# >>> fourseam",
            "[features]\nhooks = false\n# >>> fourseam",
        );
    }),
    ("switched-off", "gemini-cli", "EDITOR", |machine| {
        change_json(&file(machine, "gemini-cli"), |value| value["hooksConfig"] = json!({ "disabled": ["fourseam"] }));
    }),
    ("switched-off", "qwen-code", "EDITOR", |machine| {
        change_json(&file(machine, "qwen-code"), |value| value["disableAllHooks"] = true.into());
    }),
    ("switched-off", "copilot-cli", "EDITOR", |machine| {
        machine.write(&machine.home().join(".copilot/config.json"), "{ \"disableAllHooks\": true }");
    }),
    ("activation", "codex", "fourseam install --host codex", |machine| {
        change(&machine.home().join(".codex/config.toml"), "sha256:aa", "sha256:bb");
    }),
    ("activation", "gemini-cli", "gemini", |machine| {
        machine.write(&machine.home().join(".gemini/trustedFolders.json"), "{}");
    }),
    ("activation", "copilot-cli", "copilot", |machine| {
        machine.done(&["install", "--host", "copilot-cli", "--scope", "project", "--yes"]);
    }),
    ("last-call", "opencode", "opencode", |machine| {
        let log = own(machine, "audit/log.jsonl");
        let text = std::fs::read_to_string(&log).unwrap();
        let kept: Vec<&str> = text.lines().filter(|line| !line.contains("\"agent\":\"opencode\"")).collect();
        std::fs::write(log, kept.join("\n") + "\n").unwrap();
    }),
    ("unrecorded", "claude-code", "fourseam install --host claude-code", |machine| {
        machine.write(&machine.home().join(".claude/projects/-home-ana-shop/s1.jsonl"), &claude_session("toolu_x1"));
    }),
    ("unrecorded", "codex", "fourseam install --host codex", |machine| {
        machine.write(&machine.home().join(".codex/sessions/2099/01/02/rollout-x.jsonl"), &codex_session("call_x1"));
    }),
    ("unrecorded", "codex", "fourseam install --host codex", |machine| {
        let code = codex_session("call_x2")
            .replace("function_call\"", "custom_tool_call\"")
            .replace("\"exec_command\"", "\"exec\"")
            .replace(
                "\"arguments\":\"{\\\"cmd\\\":\\\"ls\\\"}\"",
                "\"input\":\"await tools.exec_command({cmd: 'ls'})\"",
            );
        assert!(code.contains("tools.exec_command"), "{code}");
        machine.write(&machine.home().join(".codex/sessions/2099/01/02/rollout-y.jsonl"), &code);
    }),
    ("edits", "cursor", "fourseam install --host cursor", |machine| {
        for number in 0..30 {
            call(machine, find("cursor").unwrap(), &format!("echo {number}"));
        }
    }),
    ("policy", "", "EDITOR", |machine| machine.write(&own(machine, "policy.yaml"), "version: 1\nrulez: []\n")),
    ("policy", "", ".fourseam.yaml", |machine| {
        machine.write(&machine.project().join(".fourseam.yaml"), "version: 1\nrulez: []\n");
    }),
    ("audit", "", "log-broken", |machine| {
        change(&own(machine, "audit/log.jsonl"), "{\"seq\":3,", "{\"seq\":\"\",");
    }),
    ("audit", "", "mv ", |machine| {
        std::fs::remove_dir_all(own(machine, "audit")).unwrap();
        machine.write(&own(machine, "audit"), "");
    }),
    ("audit", "", "mv ", |machine| {
        let log = own(machine, "audit/log.jsonl");
        std::fs::remove_file(&log).unwrap();
        std::fs::create_dir(&log).unwrap();
    }),
    ("audit", "", "*.damaged", |machine| machine.write(&own(machine, "audit/spool/1-1.damaged"), "{\"time\":")),
    ("state", "", "fourseam doctor", |machine| machine.write(&own(machine, "state"), "loud\n")),
    ("state", "", "fourseam mode policy", |machine| machine.write(&own(machine, "mode"), "loud\n")),
    ("state", "", "chmod 700", |machine| set_mode(&own(machine, ""), 0o777)),
    ("state", "", "trust.json", |machine| machine.write(&own(machine, "trust.json"), "{\"x\":")),
    ("state", "", "mv ", |machine| machine.write(&own(machine, "backups/ledger.json"), "{\"version\":9,\"files\":[]}")),
    ("mode", "", "fourseam pause end", |machine| {
        let soon = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() + 600;
        machine.write(&own(machine, "grants/pause"), &soon.to_string());
    }),
];

/// A session of Claude Code with one command that ran, begun long after everything else.
fn claude_session(id: &str) -> String {
    let line = |content: Value| {
        json!({ "sessionId": "s1", "cwd": "/home/ana/shop", "timestamp": "2099-01-02T08:00:00.000Z",
                "message": { "content": content } })
    };
    let call = line(json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "npm test" } }]));
    let result = line(json!([{ "type": "tool_result", "tool_use_id": id, "content": "ok" }]));
    format!("{call}\n{result}\n")
}

/// The same of Codex.
fn codex_session(id: &str) -> String {
    let line = |kind: &str, payload: Value| json!({ "timestamp": "2099-01-02T08:00:00.000Z", "type": kind, "payload": payload });
    let lines = [
        line("session_meta", json!({ "id": "s2", "cwd": "/home/ana/shop" })),
        line(
            "response_item",
            json!({ "type": "function_call", "name": "exec_command", "call_id": id, "arguments": "{\"cmd\":\"ls\"}" }),
        ),
        line("response_item", json!({ "type": "function_call_output", "call_id": id, "output": "a" })),
    ];
    lines.map(|line| line.to_string()).join("\n")
}

#[test]
fn every_breakage_is_named_with_its_mend() {
    for (check, host, mend, how) in BREAKAGES {
        let machine = healthy();
        how(&machine);
        let (findings, live) = doctor(&machine);
        let broken = broken(&findings);
        let named = broken.iter().any(|(a, b, c)| a == check && b == host && c.contains(mend));
        assert!(!live && named, "{check} {host} {mend}: {broken:#?}");
        if *check == "wired" {
            let text = machine.run(&["doctor"]);
            assert!(
                text.exit == 1 && text.stdout.contains(mend) && text.stdout.contains(" to mend"),
                "{check}: {text:?}"
            );
        }
    }
}

#[test]
fn a_client_proven_on_this_machine_is_proven() {
    let machine = healthy();
    machine.program("gemini", "echo 99.0.1");
    machine.write(&own(&machine, "cache/proven.json"), r#"{ "gemini-cli": "99.0.1" }"#);
    assert!(doctor(&machine).1);
    machine.program("gemini", "echo 99.0.2");
    assert!(!doctor(&machine).1);
}

#[test]
fn calls_that_came_in_are_not_missed() {
    let machine = healthy();
    let host = find("claude-code").unwrap();
    let mut payload = host.sample("npm test");
    payload["tool_use_id"] = "toolu_x1".into();
    let home = own(&machine, "");
    let words = ["hook", host.id(), "PreToolUse", "--home", home.to_str().unwrap()];
    run(&mut machine.verb(&words), payload.to_string().as_bytes());
    let session = machine.home().join(".claude/projects/-home-ana-shop/s1.jsonl");
    machine.write(&session, &claude_session("toolu_x1"));
    assert!(doctor(&machine).1);
    // A session that began before the agent was wired says nothing.
    machine.write(&session, &claude_session("toolu_x2").replace("2099", "2019"));
    assert!(doctor(&machine).1);
    machine.write(&session, "{ torn\n\u{0}\n[]\n");
    assert!(doctor(&machine).1);
}

#[test]
fn nothing_installed_and_nobody_found_is_not_live() {
    let machine = Machine::new();
    let (findings, live) = doctor(&machine);
    let broken = broken(&findings);
    assert!(!live);
    assert!(broken.iter().any(|(check, _, mend)| check == "state" && mend == "fourseam install"), "{broken:?}");
    assert!(broken.iter().any(|(check, ..)| check == "agents"), "{broken:?}");
    assert!(!machine.home().join(".fourseam").exists());
}

#[test]
fn what_is_worth_knowing_breaks_nothing() {
    let machine = healthy();
    machine.write(&machine.home().join(".config/opencode/plugins/other.js"), "");
    machine.program("gemini", "sleep 30");
    machine.done(&["uninstall", "--host", "cursor", "--yes"]);
    std::fs::remove_file(machine.home().join(".cursor/.keep")).unwrap();
    let _ = std::fs::remove_dir(machine.home().join(".cursor"));
    std::fs::remove_file(machine.program("cursor", "")).unwrap();
    machine.write(&own(&machine, "mode"), "dry\n");
    let (findings, live) = doctor(&machine);
    assert!(live, "{:?}", broken(&findings));
    let note = |check: &str, text: &str| {
        findings.iter().any(|found| {
            found["check"] == check && found["health"] == "note" && found["found"].as_str().unwrap().contains(text)
        })
    };
    assert!(note("others", "`other.js`") && note("version", "within") && note("mode", "mode dry"), "{findings:#?}");
    assert!(!findings.iter().any(|found| found["host"] == "cursor"));
}
