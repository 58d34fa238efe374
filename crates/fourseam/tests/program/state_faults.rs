//! Damaged files of state: the answer is right and in time, damage never weakens it, and a person is told where it
//! matters.

use crate::damage::{Damage, remove};
use crate::run::{Home, Output, at_terminal, has_terminal, run};
use fourseam_hosts::{HOSTS, Host};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const POLICY: &str = "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: Marked. }\n";

/// Below the wall time at which a net would step in; the machine may be busy.
const IN_TIME: Duration = Duration::from_millis(2900);

fn call(home: &Home, host: &dyn Host, command: &str) -> Output {
    run(&mut home.hook(host, host.default_event().name), host.sample(command).to_string().as_bytes())
}

/// What a call is answered, and that it came in time and from a judgement.
fn answered(home: &Home, host: &dyn Host, command: &str, place: &str) -> (bool, String) {
    let output = call(home, host, command);
    let place = format!("{place}, {}: {output:?}", host.id());
    assert!(output.took < IN_TIME && !output.stderr.contains("too long"), "{place}");
    let denies = output.denies();
    assert!(denies || output.is_neutral(host, host.default_event()), "{place}");
    assert!(!denies || output.stdout.contains("Marked."), "{place}");
    (denies, output.stderr)
}

/// The files of a folder whose names end so.
fn files(home: &Home, folder: &str, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.path(folder)).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().ends_with(end)).collect()
}

fn verify(home: &Home) -> Output {
    run(&mut home.verb(&["audit", "verify"]), b"")
}

/// Commands on record, in the log or waiting to be put into it, sorted.
fn recorded(home: &Home) -> Vec<String> {
    let mut paths = files(home, "audit", ".jsonl");
    paths.extend(files(home, "audit/spool", ""));
    let texts: Vec<Vec<u8>> = paths.iter().map(|path| end_of(path)).collect();
    let lines = texts.iter().flat_map(|text| text.split(|byte| *byte == b'\n'));
    let records = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut commands: Vec<String> =
        records.filter_map(|record| Some(record["action"]["command"].as_str()?.to_owned())).collect();
    commands.sort();
    commands
}

/// The last MiB of a regular file.
fn end_of(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    if path.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
        let mut file = File::open(path).unwrap();
        let length = file.metadata().unwrap().len();
        file.seek(SeekFrom::Start(length.saturating_sub(1 << 20))).unwrap();
        file.read_to_end(&mut bytes).unwrap();
    }
    bytes
}

/// A file of state, and what is said on standard error once it is damaged, if anything.
type Place = (fn(&Home) -> Option<PathBuf>, Option<&'static str>);

/// The files of state that a call of each kind reads or writes.
const PLACES: &[Place] = &[
    // Conveniences: what they held is made anew.
    (|home| files(home, "cache", ".rules").pop(), None),
    (|home| Some(home.path("cache/last-good")), None),
    (|home| Some(home.path("state")), None),
    (|home| files(home, "grants/pending", "").pop(), None),
    (|home| Some(home.path("grants/pause")), None),
    (|home| Some(home.path("audit/head")), None),
    (|home| Some(home.path("audit/lock")), None),
    (|home| Some(home.path("audit/log.jsonl")), None),
    // What is lost here matters to someone.
    (|home| Some(home.path("mode")), Some("/mode: ")),
    (|home| files(home, "sessions", ".jsonl").pop(), Some("session memory `")),
    (|home| Some(home.path("audit/spool/00000000000000000001-1.jsonl")), Some("is damaged, and kept as")),
];

#[test]
fn damaged_state_weakens_no_answer_and_delays_none() {
    let damages: Vec<Damage> = Damage::ALL.into_iter().filter(|damage| damage.is_possible()).collect();
    std::thread::scope(|scope| {
        for (number, (place, told)) in PLACES.iter().enumerate() {
            let damages = &damages;
            scope.spawn(move || {
                for (turn, damage) in damages.iter().enumerate() {
                    let host = HOSTS[(number + turn) % HOSTS.len()];
                    let home = Home::with_policy(POLICY);
                    home.write("mode", "guard\n");
                    home.write("grants/pause", "1\n");
                    // A deletion, so that the session's memory has something to remember.
                    call(&home, host, "rm marked.csv");
                    let line = std::fs::read_to_string(home.path("audit/log.jsonl")).unwrap();
                    home.write(
                        "audit/spool/00000000000000000001-1.jsonl",
                        &line.replace("rm marked.csv", "echo before"),
                    );
                    // Not every host says which session a call is of.
                    let Some(path) = place(&home) else { continue };
                    damage.to(&path);
                    let what = format!("{damage:?} {}", path.display());
                    let (denies, stderr) = answered(&home, host, "rm marked.csv now", &what);
                    assert!(denies, "{what}: {stderr}");
                    // A memory that is empty is one that was begun just now.
                    let is_begun = *damage == Damage::Empty && path.starts_with(home.path("sessions"));
                    if let Some(told) = told.filter(|_| !is_begun) {
                        assert!(stderr.contains(told), "{what}: {stderr}");
                    }
                    assert!(!answered(&home, host, "echo plain", &what).0, "{what}");
                    let commands = recorded(&home);
                    for command in ["rm marked.csv now", "echo plain"] {
                        assert!(commands.iter().any(|text| text == command), "{what}: {commands:?}");
                    }
                }
            });
        }
    });
}

#[test]
fn a_log_that_cannot_be_opened_keeps_its_records_until_it_can() {
    for name in ["audit/head", "audit/log.jsonl", "audit/lock"] {
        for (turn, damage) in [Damage::Folder, Damage::Fifo, Damage::Loop].into_iter().enumerate() {
            // What waits in the spool is recorded, also where calls have to be.
            let home = Home::with_policy(&format!("version: 1\naudit: {{ required: {} }}\n", turn != 1));
            let host = HOSTS[turn];
            call(&home, host, "echo one");
            let kept = std::fs::read(home.path(name)).unwrap();
            damage.to(&home.path(name));
            let output = call(&home, host, "echo two");
            let place = format!("{name} {damage:?}: {output:?}");
            assert!(output.is_neutral(host, host.default_event()), "{place}");
            assert!(output.stderr.contains("until that is mended, records wait in `spool`"), "{place}");
            remove(&home.path(name));
            std::fs::write(home.path(name), kept).unwrap();
            let output = call(&home, host, "echo three");
            assert!(output.stderr.is_empty(), "{place} then {output:?}");
            assert_eq!(verify(&home).exit, 0, "{place}");
            let commands: Vec<Value> =
                home.records().iter().map(|record| record["action"]["command"].clone()).collect();
            assert_eq!(commands, ["echo one", "echo two", "echo three"], "{place}");
        }
    }
}

#[test]
fn a_head_of_any_bytes_is_found_again() {
    for damage in [Damage::Empty, Damage::Random, Damage::Half, Damage::Huge] {
        let home = Home::new();
        let host = HOSTS[0];
        call(&home, host, "echo one");
        damage.to(&home.path("audit/head"));
        call(&home, host, "echo two");
        call(&home, host, "echo three");
        let output = verify(&home);
        // Lost once, and on record: records 1, 2 (the loss), 3, 4.
        assert!(output.exit == 1 && output.stdout.matches("warning: ").count() == 1, "{damage:?}: {output:?}");
        assert!(output.stdout.contains("records 1 to 4"), "{damage:?}: {output:?}");
    }
}

#[test]
fn damaged_records_that_waited_are_told_and_kept() {
    let home = Home::new();
    let host = HOSTS[0];
    for number in 1..=2 {
        call(&home, host, &format!("echo {number}"));
    }
    let log = std::fs::read_to_string(home.path("audit/log.jsonl")).unwrap();
    let (one, two) = log.split_once('\n').unwrap();
    let torn = format!("{}\n{}", one.replace("echo 1", "echo whole"), two.split_at(two.len() / 2).0);
    home.write("audit/spool/00000000000000000001-7.jsonl", &torn);
    // Many of them keep nobody from being merged.
    for number in 10..100 {
        home.write(&format!("audit/spool/000000000000000000{number}-7.jsonl"), "");
    }
    let waits = one.replace("echo 1", "echo waits");
    home.write("audit/spool/00000000000000000999-7.jsonl", &format!("{waits}\n"));
    let first = call(&home, host, "echo 3");
    assert!(first.is_neutral(host, host.default_event()), "{first:?}");
    let told = "`spool/00000000000000000001-7.jsonl` is damaged, and kept as `00000000000000000001-7.damaged`: \
                1 of its 2 lines are no records";
    assert!(first.stderr.contains(told), "{first:?}");
    call(&home, host, "echo 4");
    let kept = std::fs::read_to_string(home.path("audit/spool/00000000000000000001-7.damaged")).unwrap();
    assert_eq!(kept, torn);
    let commands = recorded(&home);
    for command in ["echo whole", "echo waits"] {
        assert!(commands.iter().any(|text| text == command), "{commands:?}");
    }
    let output = verify(&home);
    assert!(output.exit == 1 && output.stdout.contains("records that waited were damaged"), "{output:?}");
    assert!(!output.stdout.contains("error: "), "{output:?}");
}

#[test]
fn a_damaged_switch_enforces() {
    for host in HOSTS {
        let home = Home::with_policy(&format!("{POLICY}mode: dry\n"));
        assert!(!answered(&home, *host, "echo marked", "dry").0);
        home.write("mode", "guard\n");
        assert!(answered(&home, *host, "echo marked", "switched").0);
        for damage in [Damage::Empty, Damage::Random, Damage::Half, Damage::Folder, Damage::Fifo, Damage::Loop] {
            damage.to(&home.path("mode"));
            let (denies, stderr) = answered(&home, *host, "echo marked", "damaged");
            assert!(denies && stderr.contains("(mode guard)"), "{damage:?}: {stderr}");
            remove(&home.path("mode"));
            home.write("mode", "guard\n");
        }
    }
}

#[test]
fn a_damaged_list_trusts_no_project() {
    let home = Home::with_policy(POLICY);
    let host = HOSTS[0];
    let text = "version: 1\noverrides:\n  - { rule: t/marked, decision: allow, reason: Ours. }\n";
    home.write("work/.fourseam.yaml", text);
    let file = std::fs::canonicalize(home.path("work")).unwrap().join(".fourseam.yaml");
    let list = json!({ file.to_str().unwrap(): { "time": "2026-11-30T12:00:00Z", "text": text } }).to_string();
    let mut payload = host.sample("echo marked");
    payload["cwd"] = home.path("work").to_str().into();
    let call = || run(&mut home.hook(host, host.default_event().name), payload.to_string().as_bytes());
    home.write("trust.json", &list);
    let output = call();
    assert!(!output.denies(), "what is trusted may lift: {output:?}");
    for damage in Damage::ALL.into_iter().filter(|damage| damage.is_possible()) {
        remove(&home.path("trust.json"));
        home.write("trust.json", &list);
        damage.to(&home.path("trust.json"));
        let output = call();
        assert!(output.denies() && output.took < IN_TIME, "{damage:?}: {output:?}");
        assert!(output.stderr.contains("so no project is trusted"), "{damage:?}: {output:?}");
    }
}

#[test]
fn a_damaged_grant_grants_nothing() {
    if !has_terminal() {
        return;
    }
    let home = Home::with_policy(POLICY);
    let host = HOSTS[0];
    let refused = call(&home, host, "echo marked");
    let (_, rest) = refused.stdout.split_once("`fourseam allow-once ").unwrap();
    let code = rest.split('`').next().unwrap();
    assert_eq!(at_terminal(&home, &format!("allow-once {code}"), "y\n").1, Some(0));
    let path = files(&home, "grants/once", "").pop().unwrap();
    let grant = std::fs::read(&path).unwrap();
    for damage in Damage::ALL.into_iter().filter(|damage| damage.is_possible()) {
        remove(&path);
        std::fs::write(&path, &grant).unwrap();
        damage.to(&path);
        let (denies, stderr) = answered(&home, host, "echo marked", "grant");
        assert!(denies, "{damage:?}: {stderr}");
    }
    remove(&path);
    std::fs::write(&path, &grant).unwrap();
    assert!(!answered(&home, host, "echo marked", "whole").0, "the whole grant still grants");
}

#[test]
fn a_changed_byte_in_the_compiled_policy_changes_no_answer() {
    let home = Home::with_policy(POLICY);
    let host = HOSTS[0];
    call(&home, host, "echo marked");
    let path = files(&home, "cache", ".rules").pop().unwrap();
    let whole = std::fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 24) {
        let mut changed = whole.clone();
        changed[at] ^= 0x20;
        std::fs::write(&path, changed).unwrap();
        assert!(answered(&home, host, "echo marked", "changed").0, "byte {at}");
        assert_eq!(std::fs::read(&path).unwrap(), whole, "made anew: byte {at}");
    }
}

#[test]
fn verbs_wait_for_no_damaged_state() {
    let verbs: [&[&str]; 9] = [
        &["status"],
        &["doctor"],
        &["log"],
        &["audit", "verify"],
        &["audit", "head"],
        &["trust", "--list"],
        &["policy"],
        &["report"],
        &["check", "echo plain"],
    ];
    let more: [Place; 3] = [
        (|home| Some(home.path("trust.json")), None),
        (|home| Some(home.path("policy.yaml")), None),
        (|home| Some(home.path("backups/ledger.json")), None),
    ];
    std::thread::scope(|scope| {
        for (place, _) in PLACES.iter().chain(&more) {
            scope.spawn(move || {
                let home = Home::with_policy(POLICY);
                call(&home, HOSTS[0], "rm marked.csv");
                for name in ["mode", "trust.json", "backups/ledger.json", "audit/spool/00000000000000000001-1.jsonl"] {
                    home.write(name, "");
                }
                let path = place(&home).unwrap();
                for damage in [Damage::Fifo, Damage::Random] {
                    damage.to(&path);
                    for verb in verbs {
                        let mut limited = Command::new("timeout");
                        let program = home.verb(verb);
                        limited.args(["-s", "KILL", "30"]).arg(program.get_program()).args(program.get_args());
                        limited
                            .env("FOURSEAM_HOME", home.path(""))
                            .env("HOME", home.path(""))
                            .current_dir(home.path(""));
                        let output = run(limited.env("PATH", "/usr/bin:/bin"), b"");
                        let place = format!("{verb:?} with {damage:?} {}: {output:?}", path.display());
                        assert!((0..=3).contains(&output.exit), "{place}");
                        assert!(!output.stderr.contains("panicked"), "{place}");
                    }
                }
            });
        }
    });
}
