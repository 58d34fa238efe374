//! Rules of agents' own: shown, written, kept in step with the policy, taken out again.

use super::person::at_terminal;
use super::{Machine, assert_same, usual};
use crate::run::run;
use fourseam_hosts::find;

const AGENTS: &str = "claude,codex,gemini,qwen";
/// Of the built-in policy nothing that has plain forms, so that the user's own rules can be seen; quick to compile.
const OWN: &str = "version: 1\n\
    packs: { disable: [filesystem, docker, git, kubernetes, terraform, system, secrets, privilege, exfiltration, database] }\n\
    rules: [{ id: t/vault, decision: deny, reason: It is locked., when: { effect: read, path: '~/vault/**' } }]\n";

fn with_policy(text: &str) -> Machine {
    let machine = Machine::with(usual);
    machine.write(&machine.home().join(".fourseam/policy.yaml"), text);
    machine
}

#[test]
fn what_each_agent_can_be_told_is_shown_and_nothing_written() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    let shown = machine.done(&["native", "--host", "claude,codex,gemini,qwen,cursor,opencode"]);
    for text in [
        "Bash(rm -rf / *)",
        r#"["rm", "-rf", "/"]"#,
        "commandPrefix = \"rm -rf /\"",
        "ReadFile(~/.ssh/id_ed25519)",
        "not said: Codex would also stop it with more words behind it",
        "no plain form: no agent's own rules can look at `effect`, `verb` together",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(shown.contains(&format!("Read({}/.ssh/id_rsa)", machine.home().display())), "{shown}");
    assert_same(&before, &machine.snapshot(), "shown");
}

#[test]
fn rules_are_written_with_install_and_taken_out_byte_for_byte() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    let told = machine.done(&["install", "--host", AGENTS, "--yes", "--native"]);
    assert!(told.contains("rules of its own written"), "{told}");
    let once = machine.snapshot();
    let claude = machine.text(find("claude-code").unwrap());
    assert!(claude.contains("Bash(rm -rf / *)") && claude.contains("\"theme\": \"dark\""), "{claude}");
    for file in [".codex/rules/fourseam.rules", ".gemini/policies/fourseam.toml"] {
        assert!(machine.home().join(file).exists(), "{file}");
    }
    let again = machine.done(&["install", "--host", AGENTS, "--yes", "--native"]);
    assert!(again.contains("rules of its own as they should be"), "{again}");
    assert_same(&once, &machine.snapshot(), "twice");
    assert!(machine.run(&["status"]).stdout.contains("rules of its own in `"));
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "uninstalled");
}

#[test]
fn without_being_asked_for_none_are_written() {
    let machine = with_policy(OWN);
    machine.done(&["install", "--all", "--yes"]);
    assert!(!machine.home().join(".gemini/policies").exists());
    assert!(!machine.text(find("claude-code").unwrap()).contains("permissions"));
}

#[test]
fn a_users_own_rule_stays_and_a_change_of_the_policy_is_told() {
    let machine = with_policy(OWN);
    let (claude, qwen) = (find("claude-code").unwrap(), find("qwen-code").unwrap());
    let mine = "{\n  \"permissions\": { \"deny\": [\"Read(~/vault/**)\"] }\n}\n";
    for host in [claude, qwen] {
        machine.write(&machine.file(host, fourseam_hosts::install::Scope::User), mine);
    }
    let before = machine.snapshot();
    let write = ["native", "--host", AGENTS, "--write"];
    machine.done(&write);
    assert!(machine.text(qwen).contains("ReadFile(~/vault/**)"));
    // Claude Code had the very rule; it is not ours.
    assert_eq!(machine.text(claude).matches("~/vault").count(), 1);
    let lifted = OWN.replace("t/vault", "t/cellar").replace("~/vault", "~/cellar");
    machine.write(&machine.home().join(".fourseam/policy.yaml"), &lifted);
    let status = machine.run(&["status"]);
    assert!(status.exit == 1 && status.stdout.contains("not as the policy says now: run `fourseam native --write`"));
    machine.done(&write);
    assert!(machine.text(qwen).contains("ReadFile(~/cellar/**)") && !machine.text(qwen).contains("ReadFile(~/vault"));
    assert!(machine.text(claude).contains("Read(~/vault/**)") && machine.text(claude).contains("Read(~/cellar/**)"));
    machine.write(&machine.home().join(".fourseam/policy.yaml"), OWN);
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "uninstalled");
}

#[test]
fn what_is_changed_by_others_stays_and_ours_goes() {
    let machine = with_policy(OWN);
    let claude = find("claude-code").unwrap();
    machine.done(&["install", "--host", "claude", "--yes", "--native"]);
    let changed = machine.text(claude).replace("dark", "light").replace("\"deny\": [", "\"deny\": [\"Bash(mine)\", ");
    std::fs::write(machine.file(claude, fourseam_hosts::install::Scope::User), changed).unwrap();
    machine.done(&["uninstall", "--yes"]);
    let left = machine.text(claude);
    assert!(left.contains("light") && left.contains("[\"Bash(mine)\"]"), "{left}");
    assert!(!left.contains("vault") && !left.contains("fourseam"), "{left}");
}

#[test]
fn in_mode_dry_and_for_a_project_none_are_written() {
    let machine = with_policy(&OWN.replace("version: 1\n", "version: 1\nmode: dry\n"));
    // Compiles the policy, which is kept.
    machine.run(&["status"]);
    for arguments in [
        vec!["native", "--host", AGENTS, "--write"],
        vec!["install", "--host", AGENTS, "--yes", "--native"],
        vec!["install", "--host", AGENTS, "--yes", "--native", "--mode", "guard", "--scope", "project"],
    ] {
        let before = machine.snapshot();
        let output = machine.run(&arguments);
        assert!(output.exit == 3 && output.stderr.contains("own"), "{arguments:?} {output:?}");
        assert_same(&before, &machine.snapshot(), "refused");
    }
}

#[test]
fn a_file_that_cannot_be_added_to_is_left_alone_and_the_others_are_told() {
    let machine = with_policy(OWN);
    let gemini = machine.home().join(".gemini/policies/fourseam.toml");
    machine.write(&gemini, "# mine\n");
    let output = machine.run(&["native", "--host", "qwen,gemini,cursor", "--write"]);
    assert_eq!(output.exit, 3, "{output:?}");
    assert!(output.stdout.contains("the file is not one that fourseam wrote"), "{output:?}");
    assert!(output.stdout.contains("start the agent once"), "{output:?}");
    assert!(output.stdout.contains("Qwen Code: 2 rules of its own written"), "{output:?}");
    assert_eq!(std::fs::read_to_string(&gemini).unwrap(), "# mine\n");
    let mut cursor = machine.verb(&["native", "--host", "cursor", "--write"]);
    let config = machine.home().join("config");
    machine.write(&config.join("cursor/cli-config.json"), "{\"version\": 1}\n");
    assert_eq!(run(cursor.env("XDG_CONFIG_HOME", &config), b"").exit, 0);
    assert!(std::fs::read_to_string(config.join("cursor/cli-config.json")).unwrap().contains("vault"));
}

#[test]
fn the_config_folder_of_the_user_moves_opencodes_plugin() {
    let machine = Machine::new();
    let config = machine.home().join("config");
    let before = machine.snapshot();
    let mut install = machine.verb(&["install", "--host", "opencode", "--yes"]);
    assert_eq!(run(install.env("XDG_CONFIG_HOME", &config), b"").exit, 0);
    assert!(config.join("opencode/plugins/fourseam.js").exists() && !machine.home().join(".config").exists());
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "uninstalled");
}

#[test]
fn a_person_is_asked_and_may_say_no() {
    for (answer, wanted) in [("n", false), ("y", true)] {
        let machine = with_policy(OWN);
        // A policy is there already, so the mode is not asked about.
        let keys = format!("y\n{answer}\n");
        let Some(output) = at_terminal(&machine, "install --host claude,gemini", &keys) else { return };
        assert_eq!(output.exit, 0, "{output:?}");
        assert!(output.stdout.contains("so that they hold where no hook runs?"), "{output:?}");
        let claude = machine.text(find("claude-code").unwrap());
        assert_eq!(claude.contains("Read(~/vault/**)"), wanted, "{claude}");
        assert!(claude.contains("': fourseam 1;"), "{claude}");
    }
}
