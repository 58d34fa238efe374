//! Homes that are missing, are no folder, or take no byte more: the answer is the same.

use crate::run::{Home, Output, run};
use fourseam_hosts::{HOSTS, Host};
use std::path::Path;
use std::process::Command;

/// `fourseam hook` without `--home`, with this in place of `HOME`.
fn call(home: Option<&Path>, host: &dyn Host, command: &str) -> Output {
    let mut bare = Command::new(env!("CARGO_BIN_EXE_fourseam"));
    bare.args(["hook", host.id(), host.default_event().name]);
    for name in ["FOURSEAM_HOME", "FOURSEAM_MODE", "FOURSEAM_ON_ERROR", "HOME"] {
        bare.env_remove(name);
    }
    if let Some(home) = home {
        bare.env("HOME", home);
    }
    run(&mut bare, host.sample(command).to_string().as_bytes())
}

#[test]
fn no_home_and_odd_homes_change_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let missing = folder.path().join("file/home");
    let homes = [None, missing.to_str(), Some("/dev/null"), Some(""), Some("relative"), Some("/proc"), file.to_str()];
    for home in homes {
        for host in HOSTS {
            let home = home.map(Path::new);
            let place = format!("{home:?} {}", host.id());
            let output = call(home, *host, "psql -c 'DROP DATABASE app'");
            assert!(output.denies(), "{place}: {output:?}");
            let output = call(home, *host, "echo plain");
            assert!(output.is_neutral(*host, host.default_event()), "{place}: {output:?}");
            // Nothing can be kept there, and the agent's standard error says so.
            assert!(output.stderr.contains("audit log"), "{place}: {output:?}");
        }
    }
}

const POLICY: &str = "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: Marked. }\n  - { id: t/doubt, decision: ask, raw_pattern: doubt, reason: Doubtful. }\n";

/// Every file that a call may write: the log, its head and lock, the spool, what is remembered of a session, pending
/// refusals, the compiled policy, the state file, the marks of calls that come twice.
#[test]
fn a_disk_without_room_changes_no_answer_of_any_kind() {
    for host in HOSTS {
        let event = host.default_event();
        for is_new in [true, false] {
            let home = Home::with_policy(POLICY);
            let full = |command: &str| {
                let hook = home.hook(*host, event.name);
                let mut limited = Command::new("sh");
                // With a file size limit of zero every write to a file fails, as on a full disk.
                limited.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(hook.get_program()).args(hook.get_args());
                run(&mut limited, host.sample(command).to_string().as_bytes())
            };
            if !is_new {
                for command in ["echo marked", "echo doubt", "echo plain"] {
                    run(&mut home.hook(*host, event.name), host.sample(command).to_string().as_bytes());
                }
            }
            let output = full("echo marked");
            let place = format!("{} {is_new}", host.id());
            assert!(output.denies() && output.stdout.contains("Marked."), "{place}: {output:?}");
            assert!(output.stderr.contains("audit log `"), "{place}: {output:?}");
            assert!(!output.stdout.contains("allow-once"), "a refusal that could not be kept has no code: {place}");
            let output = full("echo doubt");
            assert!(output.stops(*host, event), "{place}: {output:?}");
            let output = full("echo plain");
            assert!(output.is_neutral(*host, event), "{place}: {output:?}");
            // A policy that is new to the cache, too.
            home.write("policy.yaml", &POLICY.replace("marked", "branded"));
            let output = full("echo branded");
            assert!(output.denies(), "{place}: {output:?}");
            // Nothing half written is in the way of the next call with room.
            let output = run(&mut home.hook(*host, event.name), host.sample("echo branded").to_string().as_bytes());
            assert!(output.denies() && output.stdout.contains("allow-once"), "{place}: {output:?}");
            assert!(!output.stderr.contains("audit log"), "{place}: {output:?}");
        }
    }
}
