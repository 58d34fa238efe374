//! The policy on disk: layers, broken files, the last good version, what an environment may do.

use crate::run::{Home, run};
use fourseam_hosts::{Event, HOSTS, Host};

const DENY_MARKED: &str = "version: 1\nrules:\n  - id: t/marked\n    decision: deny\n    raw_pattern: marked\n    \
                           reason: It is marked.\n    cases: { hit: [echo marked], miss: [echo plain] }\n";

/// A shell call of the host in a folder.
fn payload(host: &dyn Host, command: &str, cwd: &std::path::Path) -> Vec<u8> {
    let mut payload = host.sample(command);
    payload["cwd"] = cwd.to_str().unwrap().into();
    payload.to_string().into_bytes()
}

#[test]
fn one_policy_stops_the_same_command_in_every_host() {
    let home = Home::with_policy(DENY_MARKED);
    for host in HOSTS {
        let event = host.default_event();
        let output = run(&mut home.hook(*host, event.name), host.sample("echo marked").to_string().as_bytes());
        assert!(output.denies() && output.stdout.contains("It is marked."), "{output:?}");
        assert!(output.stderr.is_empty() || output.stderr.contains("It is marked."), "{output:?}");
        let output = run(&mut home.hook(*host, event.name), host.sample("echo plain").to_string().as_bytes());
        assert!(output.is_neutral(*host, event) && output.stderr.is_empty(), "{output:?}");
    }
}

#[test]
fn a_broken_policy_is_told_and_on_error_applies_at_gates_only() {
    let cases = [("version: 1\nmoed: guard\n", "unknown key `moed`"), ("rules: [", "not YAML"), ("\0", "not YAML")];
    for (text, what) in cases {
        let home = Home::with_policy(text);
        for host in HOSTS {
            for event in host.events() {
                let mut payload = host.sample("true");
                payload["hook_event_name"] = event.name.into();
                let output = run(&mut home.hook(*host, event.name), payload.to_string().as_bytes());
                assert!(output.stderr.contains("policy.yaml"), "{output:?}");
                assert!(output.stderr.contains(what), "{what}: {output:?}");
                let right =
                    if event.capabilities.gate { output.stops(*host, event) } else { output.is_neutral(*host, event) };
                assert!(right, "{} {}: {output:?}", host.id(), event.name);
            }
        }
    }
}

#[test]
fn of_many_problems_a_call_tells_the_first() {
    let rules: String =
        (0..400).map(|n| format!("  - {{ id: t/{n}, wehn: 1, decision: deny, reason: It is. }}\n")).collect();
    let home = Home::with_policy(&format!("version: 1\nrules:\n{rules}"));
    let host = HOSTS[0];
    let output = run(&mut home.hook(host, host.default_event().name), host.sample("true").to_string().as_bytes());
    assert!(output.stderr.contains("unknown key `wehn`"), "{output:?}");
    assert!(output.stderr.lines().count() < 10 && output.stderr.contains("more: `fourseam lint`"), "{output:?}");
}

#[test]
fn what_is_no_file_counts_as_broken_and_nothing_hangs() {
    for make in ["mkdir", "mkfifo"] {
        let home = Home::new();
        assert!(std::process::Command::new(make).arg(home.path("policy.yaml")).status().unwrap().success());
        for host in HOSTS {
            let event = host.default_event();
            let output = run(&mut home.hook(*host, event.name), host.sample("true").to_string().as_bytes());
            assert!(output.stops(*host, event), "{make}: {output:?}");
            assert!(output.stderr.contains("cannot be read: not a regular file"), "{output:?}");
        }
    }
}

#[test]
fn the_last_good_policy_decides_while_the_current_one_is_broken() {
    let home = Home::with_policy(DENY_MARKED);
    let host = HOSTS[0];
    let event = host.default_event();
    let call = |command: &str| run(&mut home.hook(host, event.name), host.sample(command).to_string().as_bytes());
    call("true");
    call("true");
    home.write("policy.yaml", "version: 1\nrules: 5\n");
    let output = call("echo marked");
    assert!(output.denies() && output.stdout.contains("t/marked"), "{output:?}");
    assert!(output.stderr.contains("policy.yaml:2:8"), "{output:?}");
    let output = call("echo plain");
    assert!(output.is_neutral(host, event), "{output:?}");
    assert!(output.stderr.contains("policy.yaml"), "{output:?}");
}

#[test]
fn a_damaged_or_changed_cache_is_made_anew() {
    let home = Home::with_policy(DENY_MARKED);
    let host = HOSTS[0];
    let event = host.default_event();
    let call = || run(&mut home.hook(host, event.name), host.sample("echo marked").to_string().as_bytes());
    call();
    call();
    let rules: Vec<_> = std::fs::read_dir(home.path("cache"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "rules"))
        .collect();
    assert_eq!(rules.len(), 1, "{rules:?}");
    for damage in [b"".to_vec(), vec![0; 100], std::fs::read(&rules[0]).unwrap()[..100].to_vec()] {
        std::fs::write(&rules[0], damage).unwrap();
        assert!(call().denies());
    }
}

#[test]
fn a_forged_cache_is_found_at_the_next_watched_event() {
    let home = Home::with_policy(DENY_MARKED);
    let host = HOSTS[0];
    let gate = host.default_event();
    let watched = host.events().iter().find(|event| event.capabilities.point.is_none()).unwrap();
    let call = || run(&mut home.hook(host, gate.name), host.sample("echo marked").to_string().as_bytes());
    call();
    call();
    let file = std::fs::read_dir(home.path("cache"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "rules"))
        .unwrap();
    let key = blake3::Hash::from_hex(file.file_stem().unwrap().to_str().unwrap()).unwrap();
    let forged = fourseam_core::policy::compile(&[], &[]).set;
    std::fs::write(&file, forged.to_file(key.as_bytes())).unwrap();
    assert!(call().is_neutral(host, gate), "between sessions the cache is believed");
    let mut payload = host.sample("true");
    payload["hook_event_name"] = watched.name.into();
    let output = run(&mut home.hook(host, watched.name), payload.to_string().as_bytes());
    assert!(output.stderr.contains("the compiled policy was not what its sources say"), "{output:?}");
    assert!(call().denies());
}

#[test]
fn a_required_record_that_cannot_be_written_is_a_failure() {
    for host in HOSTS {
        let home = Home::with_policy("version: 1\naudit: { required: true }\n");
        let event = host.default_event();
        let call = || run(&mut home.hook(*host, event.name), host.sample("true").to_string().as_bytes());
        assert!(call().is_neutral(*host, event));
        assert_eq!(home.records().len(), 1);
        std::fs::remove_dir_all(home.path("audit")).unwrap();
        home.write("audit", "in the way");
        let output = call();
        assert!(output.stops(*host, event) && output.stderr.contains("audit log"), "{output:?}");
    }
}

#[test]
fn a_project_may_add_rules_and_nothing_else() {
    let home = Home::new();
    let project = tempfile::tempdir().unwrap();
    let folder = project.path().join("src/deep");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::create_dir_all(project.path().join(".git")).unwrap();
    let file = project.path().join(".fourseam.yaml");
    for host in HOSTS {
        let event = host.default_event();
        let call = |command| run(&mut home.hook(*host, event.name), &payload(*host, command, &folder));
        std::fs::write(&file, DENY_MARKED).unwrap();
        assert!(call("echo marked").denies());
        assert!(call("echo plain").is_neutral(*host, event));
        std::fs::write(&file, format!("{DENY_MARKED}mode: dry\non_error: abstain\n")).unwrap();
        let output = call("echo plain");
        assert!(output.is_neutral(*host, event) && output.stderr.contains(".fourseam.yaml"), "{output:?}");
        std::fs::write(&file, "version: 1\nrules: [").unwrap();
        let output = call("echo plain");
        assert!(output.is_neutral(*host, event) && output.stderr.contains(".fourseam.yaml"), "{output:?}");
    }
}

#[test]
fn a_policy_outside_of_the_repository_is_not_the_projects() {
    let outer = tempfile::tempdir().unwrap();
    let project = outer.path().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::write(outer.path().join(".fourseam.yaml"), DENY_MARKED).unwrap();
    let (home, host) = (Home::new(), HOSTS[0]);
    let output = run(&mut home.hook(host, host.default_event().name), &payload(host, "echo marked", &project));
    assert!(output.is_neutral(host, host.default_event()), "{output:?}");
}

#[test]
fn the_environment_may_only_tighten() {
    let answer = |policy: &str, name: &str, value: &str, host: &dyn Host, command: &str| {
        let home = Home::with_policy(policy);
        let event = host.default_event();
        run(home.hook(host, event.name).env(name, value), host.sample(command).to_string().as_bytes())
    };
    let dry = format!("{DENY_MARKED}mode: dry\n");
    for host in HOSTS {
        let event = host.default_event();
        assert!(answer(&dry, "X", "", *host, "echo marked").is_neutral(*host, event));
        assert!(answer(&dry, "FOURSEAM_MODE", "guard", *host, "echo marked").denies());
        assert!(answer(DENY_MARKED, "FOURSEAM_MODE", "dry", *host, "echo marked").denies());
        assert!(answer("rules: [", "FOURSEAM_ON_ERROR", "abstain", *host, "true").stops(*host, event));
        assert!(answer("rules: [", "FOURSEAM_ON_ERROR", "deny", *host, "true").denies());
    }
}

#[test]
fn the_state_file_says_the_mode() {
    let home = Home::with_policy("version: 1\nmode: dry\non_error: deny\n");
    let host = HOSTS[0];
    for _ in 0..2 {
        run(&mut home.hook(host, host.default_event().name), host.sample("true").to_string().as_bytes());
    }
    assert_eq!(std::fs::read_to_string(home.path("state")).unwrap(), "dry\ndeny\n");
}

#[test]
fn an_agent_that_was_sent_back_once_may_stop() {
    let rule = "{ id: t/stop, decision: deny, when: { point: output }, reason: Not yet. }";
    let home = Home::with_policy(&format!("version: 1\nrules:\n  - {rule}\n"));
    let host = fourseam_hosts::find("claude-code").unwrap();
    let event = host.event("Stop");
    for (active, stops) in [(false, true), (true, false)] {
        let mut payload = host.sample("true");
        payload["hook_event_name"] = event.name.into();
        payload["stop_hook_active"] = active.into();
        payload["last_assistant_message"] = "done".into();
        let output = run(&mut home.hook(host, event.name), payload.to_string().as_bytes());
        assert_eq!(output.stdout.contains("Not yet."), stops, "{output:?}");
        assert_eq!(output.is_neutral(host, event), !stops, "{output:?}");
    }
}

#[test]
fn in_mode_dry_the_log_alone_knows() {
    let home = Home::with_policy(&format!("{DENY_MARKED}mode: dry\n"));
    for host in HOSTS {
        let event: &Event = host.default_event();
        let output = run(&mut home.hook(*host, event.name), host.sample("echo marked").to_string().as_bytes());
        assert!(output.is_neutral(*host, event) && output.stderr.is_empty(), "{output:?}");
    }
    let records = home.records();
    assert_eq!(records.len(), HOSTS.len());
    for record in records {
        let want = [("decision", "deny"), ("told", "abstain"), ("mode", "dry")];
        assert!(want.iter().all(|(key, value)| record[key] == *value), "{record}");
    }
}
