//! The audit log as the callers leave it: nothing lost, nothing torn, never in the way of a call.

use crate::run::{Home, run};
use fourseam_core::record::{Link, hash};
use fourseam_hosts::HOSTS;
use serde_json::Value;
use std::process::Command;

#[test]
fn a_line_has_every_documented_key() {
    let home = Home::with_policy(
        "version: 1\nrules:\n  - { id: t/ask, decision: ask, raw_pattern: marked, reason: It is marked. }\n",
    );
    for host in HOSTS {
        let command = format!("echo marked token={}", "s3cr3t".repeat(5));
        let payload = host.sample(&command).to_string();
        run(&mut home.hook(*host, host.default_event().name), payload.as_bytes());
    }
    for (record, host) in home.records().iter().zip(HOSTS) {
        let text = |key: &str| record[key].as_str().unwrap_or_else(|| panic!("{key}: {record}")).to_owned();
        assert_eq!(text("agent"), host.id());
        assert_eq!(text("decision"), "ask");
        assert!(["ask", "deny"].contains(&text("told").as_str()));
        assert_eq!(record["rules"][0], "t/ask");
        assert_eq!(record["schema"], 2);
        assert!(record["micros"].as_u64().is_some_and(|micros| micros > 0));
        for key in ["prev", "time", "session", "project", "tool", "mode", "policy", "version"] {
            assert!(!text(key).is_empty(), "{key}: {record}");
        }
        assert!(!record.to_string().contains("s3cr3t"), "{record}");
    }
    assert_eq!(home.records().len(), HOSTS.len());
}

#[test]
fn sixty_four_processes_at_once_lose_no_line() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for number in 0..64 {
            let (home, host) = (&home, HOSTS[number % HOSTS.len()]);
            scope.spawn(move || {
                let payload = host.sample(&format!("echo {number}")).to_string();
                let output = run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
                assert!(output.stderr.is_empty(), "{output:?}");
            });
        }
    });
    // What had to wait in the spool is merged by the next call.
    let host = HOSTS[0];
    run(&mut home.hook(host, host.default_event().name), host.sample("echo 64").to_string().as_bytes());
    let text = std::fs::read_to_string(home.path("audit/log.jsonl")).unwrap();
    let mut link = Link::first();
    let mut seen = Vec::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&record["seq"], &record["prev"]), (&Value::from(link.seq), &Value::from(link.prev)), "{line}");
        link = Link { seq: link.seq + 1, prev: hash(line.as_bytes()) };
        seen.push(record["action"]["command"].as_str().unwrap().to_owned());
    }
    seen.sort();
    let mut want: Vec<String> = (0..=64).map(|number| format!("echo {number}")).collect();
    want.sort();
    assert_eq!(seen, want);
}

#[test]
fn a_home_that_cannot_be_written_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    for host in HOSTS {
        let event = host.default_event();
        let payload = host.sample("true").to_string();
        // Below a file no folder can be made, not even by root.
        let mut command = Home::new().hook(*host, event.name);
        let output = run(command.args(["--home"]).arg(file.join("home")), payload.as_bytes());
        assert!(output.is_neutral(*host, event), "{output:?}");
        assert!(output.stderr.contains("audit log `"), "{output:?}");
    }
}

#[test]
fn a_full_disk_changes_no_answer() {
    for host in HOSTS {
        let home = Home::new();
        let event = host.default_event();
        let hook = home.hook(*host, event.name);
        // With a file size limit of zero every write to a file fails, as on a full disk.
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(hook.get_program()).args(hook.get_args());
        let output = run(&mut limited, host.sample("true").to_string().as_bytes());
        assert!(output.is_neutral(*host, event), "{output:?}");
        assert!(output.stderr.contains("audit log `"), "{output:?}");
    }
}

/// What `fourseam audit verify` says, and its exit code.
fn verified(home: &Home) -> (i32, String) {
    let output = run(&mut home.verb(&["audit", "verify"]), b"");
    (output.exit, output.stdout)
}

#[test]
fn killed_calls_leave_a_log_that_goes_on() {
    let home = Home::new();
    let host = HOSTS[0];
    std::thread::scope(|scope| {
        for worker in 0..8_u64 {
            let home = &home;
            scope.spawn(move || {
                for round in 0..12_u64 {
                    let mut command = home.hook(host, host.default_event().name);
                    let mut child = command
                        .stdin(std::process::Stdio::piped())
                        .stdout(std::process::Stdio::null())
                        .stderr(std::process::Stdio::null())
                        .spawn()
                        .unwrap();
                    let payload = host.sample(&format!("echo {worker}-{round}")).to_string();
                    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), payload.as_bytes());
                    // From before the payload is read to after the answer.
                    std::thread::sleep(std::time::Duration::from_micros((worker * 977 + round * 1931) % 12_000));
                    child.kill().unwrap();
                    child.wait().unwrap();
                }
            });
        }
    });
    run(&mut home.hook(host, host.default_event().name), host.sample("echo last").to_string().as_bytes());
    let (exit, text) = verified(&home);
    assert!(exit <= 1, "{text}");
    assert!(home.records().last().unwrap()["action"]["command"] == "echo last", "{text}");
}

#[test]
fn a_disk_that_fills_up_in_the_middle_of_a_line_is_repaired_forward() {
    let home = Home::new();
    let host = HOSTS[0];
    let call = |command: &str| {
        run(&mut home.hook(host, host.default_event().name), host.sample(command).to_string().as_bytes())
    };
    call("echo one");
    let before = std::fs::read(home.path("audit/log.jsonl")).unwrap();
    // A size limit in the middle of the next line. The shell counts in blocks, so the log is filled up to one.
    let mut limited = Command::new("bash");
    let hook = home.hook(host, host.default_event().name);
    let blocks = before.len() / 1024 + 1;
    limited
        .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(hook.get_program())
        .args(hook.get_args());
    let output = run(&mut limited, host.sample(&format!("echo {}", "two ".repeat(400))).to_string().as_bytes());
    assert!(output.stderr.contains("audit log `"), "{output:?}");
    let torn = std::fs::read(home.path("audit/log.jsonl")).unwrap();
    assert!(torn.len() > before.len() && !torn.ends_with(b"\n"), "{}", torn.len());
    call("echo three");
    let after = std::fs::read(home.path("audit/log.jsonl")).unwrap();
    assert!(after.starts_with(&torn), "what was written is never changed");
    let (exit, text) = verified(&home);
    assert!(exit == 1 && text.contains("the line is torn"), "{text}");
    assert_eq!(home.records().len(), 2);
}

#[test]
fn a_full_file_system_is_told_and_the_log_goes_on() {
    let home = Home::new();
    let host = HOSTS[0];
    let hook = home.hook(host, host.default_event().name);
    let payload = host.sample(&format!("echo {}", "x ".repeat(900))).to_string();
    home.write("payload", &payload);
    // A file system of 64 KiB of its own, filled by calls; then room again.
    let script = "mkdir -p \"$1/audit\" && mount -t tmpfs -o size=64k none \"$1/audit\" || exit 99
        for i in $(seq 40); do \"$2\" hook \"$3\" \"$4\" --home \"$1\" < \"$1/payload\" > \"$1/answer\" 2> \"$1/trouble\" || exit 98; done
        mount -o remount,size=256k \"$1/audit\" || exit 97
        \"$2\" hook \"$3\" \"$4\" --home \"$1\" < \"$1/payload\" || exit 96
        FOURSEAM_HOME=\"$1\" \"$2\" audit verify";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, "sh"]).arg(home.path("")).arg(hook.get_program());
    command.args([host.id(), host.default_event().name]);
    let output = run(&mut command, b"");
    if output.exit == 99 || output.stderr.contains("unshare") {
        eprintln!("SKIPPED: no file system can be mounted here: {}", output.stderr);
        return;
    }
    let trouble = std::fs::read_to_string(home.path("trouble")).unwrap();
    assert!(trouble.contains("audit log `"), "{trouble}");
    assert!(output.exit <= 1 && output.stdout.contains("records 1 to "), "{output:?}");
    assert!(!output.stdout.contains("error:"), "{output:?}");
}
