//! `fourseam audit`: what it prints of a log, and its exit codes.

use crate::run::{Home, Output, run};
use fourseam_hosts::HOSTS;

fn filled(count: usize) -> Home {
    let home = Home::new();
    let host = HOSTS[0];
    for number in 0..count {
        let payload = host.sample(&format!("echo {number}")).to_string();
        run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
    }
    home
}

fn audit(home: &Home, arguments: &[&str]) -> Output {
    let mut words = vec!["audit"];
    words.extend(arguments);
    run(&mut home.verb(&words), b"")
}

#[test]
fn verify_says_what_it_found_and_what_that_proves() {
    let home = filled(3);
    let output = audit(&home, &["verify"]);
    assert_eq!(output.exit, 0, "{output:?}");
    assert!(output.stdout.contains("1 file, records 1 to 3\nnothing was changed"), "{output:?}");
    assert!(output.stdout.contains("A program that runs as you can write the whole log anew"), "{output:?}");
    let path = home.path("audit/log.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("echo 1", "echo 9")).unwrap();
    let output = audit(&home, &["verify"]);
    assert_eq!(output.exit, 2, "{output:?}");
    assert!(output.stdout.contains("log.jsonl:2`: record 2: the line was changed"), "{output:?}");
    // A torn line is a warning.
    std::fs::write(&path, text + "{\"seq\":4,").unwrap();
    let output = audit(&home, &["verify"]);
    assert!(output.exit == 1 && output.stdout.contains("log.jsonl:4`: the line is torn"), "{output:?}");
}

#[test]
fn a_head_kept_elsewhere_is_held_against_the_log() {
    let home = filled(2);
    let output = audit(&home, &["head"]);
    assert_eq!((output.exit, output.stdout.lines().count()), (0, 1), "{output:?}");
    let head = output.stdout.trim();
    let other = filled(3);
    assert_eq!(audit(&home, &["verify", "--head", head]).exit, 0);
    assert_eq!(audit(&other, &["verify"]).exit, 0);
    let output = audit(&other, &["verify", "--head", head]);
    assert!(
        output.exit == 2 && output.stdout.contains("record 2: not the record that the kept head names"),
        "{output:?}"
    );
    let output = audit(&home, &["verify", "--head", "nonsense"]);
    assert!(output.exit == 3 && output.stderr.contains("`nonsense` is no line of `fourseam audit head`"), "{output:?}");
}

const MARKED: &str =
    "version: 1\nrules:\n  - { id: t/ask, decision: ask, raw_pattern: marked, reason: It is marked. }\n";

#[test]
fn replay_decides_again_and_explains_a_difference() {
    let home = Home::with_policy(MARKED);
    let host = HOSTS[0];
    let payload = host.sample("echo marked").to_string();
    run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
    let output = audit(&home, &["replay", "1"]);
    assert!(output.exit == 0 && output.stdout.contains("again, with the facts of then: ask (t/ask"), "{output:?}");
    // By the agent's id of the call too.
    let id = home.records()[0]["call_id"].as_str().unwrap().to_owned();
    assert_eq!(audit(&home, &["replay", &id]).exit, 0);
    home.write("policy.yaml", &MARKED.replace("marked", "otherwise"));
    let output = audit(&home, &["replay", "1"]);
    assert!(output.exit == 1 && output.stdout.contains("the policy changed: `"), "{output:?}");
    assert_eq!(output.stdout.matches("t/ask").count(), 1, "{output:?}");
    let output = audit(&home, &["replay", "99"]);
    assert!(output.exit == 3 && output.stderr.contains("no record `99`"), "{output:?}");
}

#[test]
fn replay_has_the_facts_of_then() {
    let home = Home::new();
    let host = HOSTS[0];
    home.write("work/run.sh", "psql -c 'DROP DATABASE app'\n");
    let mut payload = host.sample("bash run.sh");
    payload["cwd"] = home.path("work").to_string_lossy().into();
    run(&mut home.hook(host, host.default_event().name), payload.to_string().as_bytes());
    assert_eq!(home.records()[0]["decision"], "deny", "{:?}", home.records());
    home.write("work/run.sh", "echo harmless\n");
    let output = audit(&home, &["replay", "1"]);
    assert!(output.exit == 0 && output.stdout.contains("again, with the facts of then: deny"), "{output:?}");
    assert!(output.stdout.contains("again, with the facts of now: abstain"), "{output:?}");
    assert!(output.stdout.contains("facts that are not what they were:\n  text of `"), "{output:?}");
}

#[test]
fn what_was_cut_or_never_read_is_not_decided_again() {
    let home = Home::new();
    let host = HOSTS[0];
    for payload in [host.sample(&"echo long ".repeat(1000)).to_string(), "garbage".to_owned()] {
        run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
    }
    let output = audit(&home, &["replay", "1"]);
    assert!(output.exit == 3 && output.stderr.contains("bytes were left out"), "{output:?}");
    let output = audit(&home, &["replay", "2"]);
    assert!(output.exit == 3 && output.stderr.contains("it holds no call"), "{output:?}");
}

#[test]
fn records_are_exported_for_other_tools() {
    let home = Home::with_policy(MARKED);
    let host = HOSTS[0];
    for command in ["echo one", "echo \"marked\", two\necho three"] {
        run(&mut home.hook(host, host.default_event().name), host.sample(command).to_string().as_bytes());
    }
    let text = std::fs::read_to_string(home.path("audit/log.jsonl")).unwrap();
    assert_eq!(audit(&home, &["export"]).stdout, text);
    let output = audit(&home, &["export", "--format", "csv", "--decision", "ask"]);
    let (names, rows) = output.stdout.split_once("\r\n").unwrap();
    assert!(names.starts_with("seq,time,agent,"), "{output:?}");
    assert!(rows.starts_with("2,20") && rows.ends_with("\r\n"), "{rows}");
    assert!(rows.contains(",\"echo \"\"marked\"\", two\necho three\",ask,"), "{rows}");
}
