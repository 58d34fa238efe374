//! What is remembered of a session, through `fourseam hook`: files that the agent wrote, refusals, approvals.

use crate::run::{Home, Output, run};
use fourseam_core::capabilities::AskSupport;
use fourseam_hosts::{HOSTS, Host};
use serde_json::{Value, json};
use std::path::PathBuf;

const POLICY: &str = "version: 1\nrules:\n  - id: t/no-rm\n    decision: deny\n    when: { command: rm, arg_glob: 'data.csv' }\n    \
                      reason: Data stays.\n    cases: { hit: [rm data.csv], miss: [rm other] }\n  - id: t/ask-marked\n    \
                      decision: ask\n    raw_pattern: marked\n    reason: It is marked.\n    \
                      cases: { hit: [echo marked], miss: [echo plain] }\n";

/// A session of Claude Code in a folder of its own.
struct Session<'h> {
    home: &'h Home,
    name: &'static str,
}

impl Session<'_> {
    fn folder(&self) -> PathBuf {
        let folder = self.home.path("work");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn send(&self, event: &str, fields: &Value) -> Output {
        let host = claude();
        let mut payload = host.sample("");
        payload["session_id"] = self.name.into();
        payload["cwd"] = self.folder().to_str().into();
        payload["hook_event_name"] = event.into();
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        run(&mut self.home.hook(host, event), payload.to_string().as_bytes())
    }

    fn tool(&self, tool: &str, input: &Value) -> Output {
        self.send("PreToolUse", &json!({ "tool_name": tool, "tool_input": input }))
    }

    fn shell(&self, command: &str) -> Output {
        self.tool("Bash", &json!({ "command": command }))
    }

    fn shell_named(&self, id: &str, command: &str) -> Output {
        let input = json!({ "command": command });
        self.send("PreToolUse", &json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": id }))
    }

    fn ran(&self, event: &str, id: &str, command: &str) {
        let fields = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": id,
            "tool_response": { "stdout": "done", "stderr": "" } });
        self.send(event, &fields);
    }
}

fn claude() -> &'static dyn Host {
    HOSTS.iter().copied().find(|host| host.id() == "claude-code").unwrap()
}

/// The decision the host was told, and the text with it.
fn said(output: &Output) -> (String, String) {
    assert!(output.is_well_formed(), "{output:?}");
    let said: Value = serde_json::from_str(&output.stdout).unwrap_or_default();
    let said = &said["hookSpecificOutput"];
    let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

fn decision(output: &Output) -> String {
    said(output).0
}

#[test]
fn a_quiet_call_leaves_nothing_behind() {
    let home = Home::with_policy(POLICY);
    let session = Session { home: &home, name: "s" };
    for command in ["ls -la", "cat notes.txt | head", "git status", "echo hello"] {
        assert_eq!(decision(&session.shell(command)), "", "{command}");
    }
    assert_eq!(decision(&session.tool("Read", &json!({ "file_path": "notes.txt" }))), "");
    assert!(!home.path("sessions").exists() && !home.path("grants").exists());
}

#[test]
fn what_a_person_approved_and_ran_is_not_asked_again() {
    let home = Home::with_policy(POLICY);
    let session = Session { home: &home, name: "s" };
    let command = "echo marked";
    assert_eq!(decision(&session.shell_named("c1", command)), "ask");
    // Not seen to run: the next is asked about, too.
    assert_eq!(decision(&session.shell_named("c2", command)), "ask");
    session.ran("PostToolUseFailure", "c1", command);
    session.ran("PostToolUse", "other", command);
    session.ran("PostToolUse", "c1", "echo marked, too");
    Session { home: &home, name: "t" }.ran("PostToolUse", "c1", command);
    assert_eq!(decision(&session.shell_named("c3", command)), "ask");
    session.ran("PostToolUse", "c1", command);
    assert_eq!(decision(&session.shell_named("c4", command)), "");
    assert_eq!(decision(&session.shell_named("c5", command)), "");
    let record = home.records().pop().unwrap();
    assert_eq!(record["rules"], json!(["session/approved-before", "t/ask-marked"]));
    assert_eq!((&record["decision"], &record["told"]), (&json!("abstain"), &json!("abstain")));
    // Exactly this, and nothing else.
    assert_eq!(decision(&session.shell("echo marked, too")), "ask");
    assert_eq!(decision(&Session { home: &home, name: "t" }.shell_named("c6", command)), "ask");
    std::fs::create_dir_all(home.path("work/sub")).unwrap();
    let input = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "cwd": home.path("work/sub") });
    assert_eq!(decision(&session.send("PreToolUse", &input)), "ask");
    home.write("policy.yaml", &POLICY.replace("It is marked", "It is marked again"));
    assert_eq!(decision(&session.shell_named("c7", command)), "ask");
}

#[test]
fn an_approval_ends_when_the_script_changes_and_lifts_no_deny() {
    let home = Home::with_policy(POLICY);
    let session = Session { home: &home, name: "s" };
    let command = "bash marked.sh";
    home.write("work/marked.sh", "echo one\n");
    assert_eq!(decision(&session.shell_named("c1", command)), "ask");
    session.ran("PostToolUse", "c1", command);
    assert_eq!(decision(&session.shell_named("c2", command)), "");
    home.write("work/marked.sh", "echo two\n");
    assert_eq!(decision(&session.shell_named("c3", command)), "ask");
    session.ran("PostToolUse", "c3", command);
    home.write("work/marked.sh", "psql -c 'DROP DATABASE app'\n");
    assert_eq!(decision(&session.shell_named("c4", command)), "deny");
    session.ran("PostToolUse", "c4", command);
    assert_eq!(decision(&session.shell_named("c5", command)), "deny");
}

#[test]
fn what_a_person_may_have_refused_is_asked_about_in_another_way() {
    let home = Home::with_policy(&POLICY.replace("decision: deny", "decision: ask"));
    let session = Session { home: &home, name: "s" };
    let other_way = "python3 -c \"import os; os.remove('data.csv')\"";
    assert_eq!(decision(&session.shell(other_way)), "");
    assert_eq!(decision(&session.shell_named("c1", "rm data.csv")), "ask");
    let (decision_of_other, told) = said(&session.shell(other_way));
    assert!(told.contains("asked about a moment ago and not seen to run (rule t/no-rm)"), "{told}");
    assert_eq!(decision_of_other, "ask");
    assert_eq!(decision(&session.shell("ls data.csv")), "");
    session.ran("PostToolUse", "c1", "rm data.csv");
    assert_eq!(decision(&session.shell("unlink data.csv")), "");
}

/// Ways to write a file outside of the project.
fn ways_to_write(path: &str, text: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("Write", json!({ "file_path": path, "content": text })),
        ("Edit", json!({ "file_path": path, "old_string": "x", "new_string": text })),
        ("Bash", json!({ "command": format!("cat > {path} <<'END'\n{text}END\n") })),
        ("Bash", json!({ "command": format!("printf x | tee -a {path}") })),
        ("mcp__filesystem__write_file", json!({ "path": path, "content": text })),
    ]
}

#[test]
fn what_the_agent_wrote_is_read_when_it_is_run() {
    let home = Home::with_policy(POLICY);
    let text = "set -e\npsql -c 'DROP DATABASE app'\n";
    home.write("outside/job.sh", text);
    let path = home.path("outside/job.sh");
    let run_it = format!("bash {}", path.display());
    let unread = Session { home: &home, name: "unread" };
    assert_eq!(decision(&unread.shell(&run_it)), "", "the guard reads files of the project only");
    let names = ["a", "b", "c", "d", "e"];
    for ((tool, input), name) in ways_to_write(path.to_str().unwrap(), text).into_iter().zip(names) {
        let session = Session { home: &home, name };
        assert_eq!(decision(&session.tool(tool, &input)), "", "{tool} {input}");
        for command in [run_it.clone(), format!("bash < {}", path.display()), format!(". {}", path.display())] {
            let (decision, told) = said(&session.shell(&command));
            assert_eq!(decision, "deny", "{tool} {input} {command}");
            let is_named = told.contains(&format!("The agent wrote `{}` in this session.", path.display()));
            assert!(is_named || command.contains('<'), "{told}");
        }
    }
    assert_eq!(decision(&unread.shell(&run_it)), "");
}

#[test]
fn what_a_patch_wrote_is_read_when_it_is_run() {
    let home = Home::with_policy(POLICY);
    home.write("outside/job.sh", "psql -c 'DROP DATABASE app'\n");
    let path = home.path("outside/job.sh");
    let codex = HOSTS.iter().copied().find(|host| host.id() == "codex").unwrap();
    let send = |tool: &str, command: &str| {
        let mut payload = codex.sample("");
        payload["cwd"] = home.path("").join("work").to_str().into();
        payload["tool_name"] = tool.into();
        payload["tool_input"] = json!({ "command": command });
        run(&mut home.hook(codex, codex.default_event().name), payload.to_string().as_bytes())
    };
    let run_it = format!("bash {}", path.display());
    assert!(send("Bash", &run_it).stdout.is_empty());
    let patch =
        format!("*** Begin Patch\n*** Add File: {}\n+psql -c 'DROP DATABASE app'\n*** End Patch", path.display());
    assert!(send("apply_patch", &patch).stdout.is_empty());
    let output = send("Bash", &run_it);
    assert!(output.denies() && output.stdout.contains("The agent wrote `"), "{output:?}");
}

#[test]
fn an_approval_is_seen_on_every_host_that_asks() {
    let asking: Vec<_> =
        HOSTS.iter().copied().filter(|host| host.default_event().capabilities.ask == AskSupport::Native).collect();
    assert!(asking.len() >= 3, "Claude Code, Copilot CLI, Qwen Code");
    for host in asking {
        let home = Home::with_policy(POLICY);
        let gate = host.default_event();
        let after = if gate.name.starts_with('p') { "postToolUse" } else { "PostToolUse" };
        let mut before = host.sample("echo marked");
        before["cwd"] = home.path("").to_str().into();
        let mut result = before.clone();
        if result.get("hook_event_name").is_some() {
            result["hook_event_name"] = after.into();
        }
        let camel = result.get("toolName").is_some();
        result[if camel { "toolResult" } else { "tool_response" }] =
            json!({ "stdout": "marked", "resultType": "success" });
        let send = |event: &str, payload: &Value| run(&mut home.hook(host, event), payload.to_string().as_bytes());
        assert!(send(gate.name, &before).stops(host, gate), "{}", host.id());
        assert!(send(gate.name, &before).stops(host, gate), "{}", host.id());
        send(after, &result);
        assert!(send(gate.name, &before).is_neutral(host, gate), "{} {:?}", host.id(), home.records());
    }
}

#[test]
fn a_download_stays_one_in_the_calls_behind_it() {
    let home = Home::with_policy(POLICY);
    let session = Session { home: &home, name: "s" };
    assert_eq!(decision(&session.shell("curl -fsSLo install.sh https://setup.example.com/i.sh")), "");
    home.write("work/install.sh", "echo hello\n");
    assert_eq!(decision(&session.shell("cat install.sh")), "");
    for command in ["bash install.sh", "chmod +x install.sh && ./install.sh", "cat install.sh | sh", "sh < install.sh"]
    {
        assert_eq!(decision(&session.shell(command)), "deny", "{command}");
    }
    assert_eq!(decision(&Session { home: &home, name: "t" }.shell("bash install.sh")), "");
    // What the agent writes anew is its own.
    let input = json!({ "file_path": home.path("work/install.sh"), "content": "echo hello\n" });
    assert_eq!(decision(&session.tool("Write", &input)), "");
    assert_eq!(decision(&session.shell("bash install.sh")), "");
}

#[test]
fn what_was_refused_is_known_when_it_is_tried_another_way() {
    let home = Home::with_policy(POLICY);
    home.write("work/wipe.py", "import os\nos.remove('data.csv')\n");
    let data = home.path("work/data.csv");
    let patch = "*** Begin Patch\n*** Delete File: data.csv\n*** End Patch";
    let ways = [
        ("Bash", json!({ "command": "python3 -c \"import os; os.remove('data.csv')\"" })),
        ("Bash", json!({ "command": "python3 wipe.py" })),
        ("Bash", json!({ "command": "unlink ./data.csv" })),
        ("Bash", json!({ "command": "mv data.csv /tmp/elsewhere.csv" })),
        ("Bash", json!({ "command": format!("bash -c 'unlink {}'", data.display()) })),
        ("mcp__filesystem__delete_file", json!({ "path": data })),
    ];
    let quiet = Session { home: &home, name: "quiet" };
    for (tool, input) in &ways {
        let (decision, told) = said(&quiet.tool(tool, input));
        // A tool that deletes is asked about anyway; then the refusal is named beside that.
        assert!(decision.is_empty() || *tool != "Bash", "{input} {told}");
        assert!(!told.contains("refused a moment ago"), "{told}");
    }
    let session = Session { home: &home, name: "s" };
    assert_eq!(decision(&session.shell("rm data.csv")), "deny");
    for (tool, input) in &ways {
        let (decision, told) = said(&session.tool(tool, input));
        assert_eq!(decision, "ask", "{input}");
        assert!(told.contains("This does what was refused a moment ago (rule t/no-rm)."), "{told}");
    }
    for other in ["rm other.csv", "python3 -c \"import os; os.remove('other.csv')\"", "ls", "cp data.csv copy.csv"] {
        assert_eq!(decision(&session.shell(other)), "", "{other}");
    }
    assert_eq!(decision(&Session { home: &home, name: "t" }.shell("unlink data.csv")), "");
    // The same refusal again names itself first.
    let (decision, told) = said(&session.shell("rm data.csv"));
    assert!(decision == "deny" && told.contains("rule t/no-rm): Data stays. This does what was refused"), "{told}");
    let codex = HOSTS.iter().copied().find(|host| host.id() == "codex").unwrap();
    let mut payload = codex.sample("");
    payload["cwd"] = session.folder().to_str().into();
    payload["tool_name"] = "apply_patch".into();
    payload["tool_input"] = json!({ "command": patch });
    let output = run(&mut home.hook(codex, codex.default_event().name), payload.to_string().as_bytes());
    assert!(output.stdout.is_empty(), "another host is another session: {output:?}");
}

#[test]
fn an_edit_that_was_refused_is_known_in_the_shell() {
    let home = Home::with_policy(
        "version: 1\nrules:\n  - id: t/frozen\n    decision: deny\n    when: { tool: [edit, write], path: '**/frozen.txt' }\n    \
         reason: It is frozen.\n    cases: { hit: [], miss: [] }\n",
    );
    home.write("work/frozen.txt", "one\n");
    let path = home.path("work/frozen.txt");
    let ways = [
        ("Bash", json!({ "command": "sed -i s/one/two/ frozen.txt" })),
        ("Bash", json!({ "command": "echo two > frozen.txt" })),
        ("Bash", json!({ "command": "python3 -c \"open('frozen.txt', 'w').write('two')\"" })),
        ("mcp__filesystem__edit_file", json!({ "path": path, "edits": [{ "oldText": "one", "newText": "two" }] })),
    ];
    let quiet = Session { home: &home, name: "quiet" };
    for (tool, input) in &ways {
        assert_eq!(decision(&quiet.tool(tool, input)), "", "{input}");
    }
    let session = Session { home: &home, name: "s" };
    let edit = json!({ "file_path": path, "old_string": "one", "new_string": "two" });
    assert_eq!(decision(&session.tool("Edit", &edit)), "deny");
    for (tool, input) in &ways {
        let (decision, told) = said(&session.tool(tool, input));
        assert_eq!(decision, "ask", "{input}");
        assert!(told.contains("refused a moment ago (rule t/frozen)"), "{told}");
    }
    assert_eq!(decision(&session.shell("cat frozen.txt")), "");
}

#[test]
fn a_host_that_cannot_ask_refuses_the_other_way() {
    let home = Home::with_policy(POLICY);
    let codex = HOSTS.iter().copied().find(|host| host.id() == "codex").unwrap();
    let send = |command: &str| {
        let mut payload = codex.sample(command);
        payload["cwd"] = home.path("").to_str().into();
        run(&mut home.hook(codex, codex.default_event().name), payload.to_string().as_bytes())
    };
    assert!(send("unlink data.csv").stdout.is_empty());
    assert!(send("rm data.csv").denies());
    let output = send("unlink data.csv");
    assert!(output.denies() && output.stdout.contains("refused a moment ago (rule t/no-rm)"), "{output:?}");
}

#[test]
fn a_broken_memory_breaks_no_call() {
    let home = Home::with_policy(POLICY);
    let session = Session { home: &home, name: "s" };
    assert_eq!(decision(&session.shell("rm data.csv")), "deny");
    let file = std::fs::read_dir(home.path("sessions")).unwrap().next().unwrap().unwrap().path();
    for garbage in [&b"\xff\x00{["[..], b"[1,{\"refused\":7}]\n", &vec![b'['; 200_000]] {
        std::fs::write(&file, garbage).unwrap();
        let output = session.shell("unlink data.csv");
        assert!(output.stdout.is_empty() && output.exit == 0, "{output:?}");
        assert!(output.stderr.contains("1 damaged lines, which are left out"), "{output:?}");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(decision(&session.shell("rm data.csv")), "deny");
    assert_eq!(decision(&session.tool("Write", &json!({ "file_path": "a.txt", "content": "x" }))), "");
}

#[test]
fn every_reason_of_no_pack_can_be_looked_up() {
    let home = Home::new();
    for id in ["allow-once", "failure"].map(|name| format!("fourseam/{name}")).into_iter().chain(
        ["approved-before", "asked-before", "refused-before", "written-before"].map(|name| format!("session/{name}")),
    ) {
        let output = run(&mut home.verb(&["rule", &id]), b"");
        assert!(output.exit == 0 && output.stdout.starts_with(&id), "{output:?}");
    }
}
