#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
use super::*;
use fourseam_core::record::{Circumstances, Link, hash};
use fourseam_core::verdict::Verdict;
use fourseam_core::{capabilities::*, decision::*};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::time::SystemTime;

const WATCHED: Capabilities = Capabilities {
    point: None,
    gate: false,
    deny: false,
    ask: AskSupport::No,
    allow: false,
    rewrite: false,
    context: false,
    replace: ReplaceSupport::No,
    notice: false,
};

pub(super) fn record(event: &str) -> Record {
    let told = Verdict::default().fit(&WATCHED, Mode::Guard, false);
    Record::new(None, &told, Circumstances { event: event.to_owned(), ..Circumstances::default() })
}

pub(super) fn home() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    (dir, home)
}

fn lines(home: &Home) -> Vec<String> {
    std::fs::read_to_string(home.audit().join("log.jsonl")).unwrap().lines().map(str::to_owned).collect()
}

/// The events in order, after checking that every line names the line before and the numbers rise by one.
fn checked_events(home: &Home) -> Vec<String> {
    let mut prev = Link::first().prev;
    let mut seq = 0;
    let mut events = Vec::new();
    for line in lines(home) {
        if let Ok(value) = serde_json::from_str::<Value>(&line) {
            seq += 1;
            assert_eq!(value["prev"], prev, "{line}");
            assert_eq!(value["seq"], seq, "{line}");
            events.push(value["event"].as_str().unwrap().to_owned());
        }
        prev = hash(line.as_bytes());
    }
    events
}

#[test]
fn lines_are_chained_and_private() {
    let (_dir, home) = home();
    for event in ["a", "b", "c"] {
        append(&home, &record(event)).unwrap();
    }
    assert_eq!(checked_events(&home), ["a", "b", "c"]);
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.audit()), 0o700);
    assert_eq!(mode(home.audit().join("log.jsonl")), 0o600);
}

#[test]
fn a_torn_line_is_closed_and_the_chain_goes_on() {
    let (_dir, home) = home();
    append(&home, &record("a")).unwrap();
    let mut log = OpenOptions::new().append(true).open(home.audit().join("log.jsonl")).unwrap();
    std::io::Write::write_all(&mut log, b"{\"seq\":2,\"pr").unwrap();
    append(&home, &record("b")).unwrap();
    assert_eq!(checked_events(&home), ["a", "b"]);
    assert_eq!(lines(&home).len(), 3);
}

#[test]
fn a_lost_head_is_found_again() {
    let (_dir, home) = home();
    append(&home, &record("a")).unwrap();
    std::fs::remove_file(home.audit().join("head")).unwrap();
    append(&home, &record("b")).unwrap();
    std::fs::write(home.audit().join("head"), "nonsense").unwrap();
    append(&home, &record("c")).unwrap();
    // It is on record: what was cut off before then cannot be seen.
    assert_eq!(checked_events(&home), ["a", "audit-head-lost", "b", "audit-head-lost", "c"]);
}

#[test]
fn a_log_that_was_cut_shows_a_hole() {
    let (_dir, home) = home();
    append(&home, &record("a")).unwrap();
    append(&home, &record("b")).unwrap();
    let first = lines(&home).remove(0);
    std::fs::write(home.audit().join("log.jsonl"), format!("{first}\n")).unwrap();
    append(&home, &record("c")).unwrap();
    let last: Value = serde_json::from_str(lines(&home).last().unwrap()).unwrap();
    assert_eq!(last["seq"], 3);
    assert_ne!(last["prev"], hash(first.as_bytes()));
}

#[test]
fn a_held_lock_costs_little_and_the_spool_is_merged() {
    let (_dir, home) = home();
    append(&home, &record("a")).unwrap();
    let lock = File::open(home.audit().join("lock")).unwrap();
    lock.lock().unwrap();
    let started = Instant::now();
    append(&home, &record("b")).unwrap();
    assert!(started.elapsed() < PATIENCE + Duration::from_millis(50), "{:?}", started.elapsed());
    assert_eq!(lines(&home).len(), 1);
    drop(lock);
    append(&home, &record("c")).unwrap();
    assert_eq!(checked_events(&home), ["a", "b", "c"]);
    assert_eq!(std::fs::read_dir(home.audit().join("spool")).unwrap().count(), 0);
}

#[test]
fn a_link_in_the_way_is_not_followed() {
    let (dir, home) = home();
    std::fs::create_dir_all(home.audit()).unwrap();
    let elsewhere = dir.path().join("elsewhere");
    std::fs::write(&elsewhere, "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, home.audit().join("log.jsonl")).unwrap();
    assert!(append(&home, &record("a")).unwrap_err().starts_with("audit log `"));
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "mine");
}

#[test]
fn rows_come_oldest_first_and_broken_lines_with_their_place() {
    let (_dir, home) = home();
    assert_eq!(rows(&home).unwrap().count(), 0);
    for event in ["a", "b"] {
        append(&home, &record(event)).unwrap();
    }
    // Set aside by its last number, as the chain does it.
    let aside = home.audit().join("log-000000000002.jsonl");
    std::fs::rename(home.audit().join("log.jsonl"), &aside).unwrap();
    append(&home, &record("c")).unwrap();
    let mut text = std::fs::read_to_string(&aside).unwrap();
    text.push_str("\n{\"seq\":7}\n{\"seq\":2,\"pr");
    std::fs::write(&aside, text).unwrap();
    let read: Vec<String> = rows(&home)
        .unwrap()
        .map(|row| match row {
            Ok(row) => row.record.event,
            Err(broken) => format!("{}:{}", broken.file.file_name().unwrap().display(), broken.line),
        })
        .collect();
    let aside = |line| format!("log-000000000002.jsonl:{line}");
    assert_eq!(read, ["a".to_owned(), "b".to_owned(), aside(3), aside(4), aside(5), "c".to_owned()]);
}

#[test]
fn the_order_is_that_of_the_chain_whatever_the_clock_says() {
    let (_dir, home) = home();
    // Midnight, and a clock that is set back a year.
    for time in ["2026-11-30T23:59:59.999Z", "2026-12-01T00:00:00.000Z", "2025-12-01T00:00:00.000Z"] {
        append(&home, &Record { time: time.to_owned(), ..record(time) }).unwrap();
    }
    assert_eq!(verify(&home, &[]).unwrap().findings, []);
    let seqs: Vec<u64> = rows(&home).unwrap().map(|row| row.unwrap().link.seq).collect();
    assert_eq!(seqs, [1, 2, 3]);
}

#[test]
fn a_log_begun_in_the_future_is_young() {
    let (_dir, home) = home();
    append(&home, &record("a")).unwrap();
    let head = home.audit().join("head");
    let text = std::fs::read_to_string(&head).unwrap();
    let began = serde_json::from_str::<Value>(&text).unwrap()["began"].as_u64().unwrap();
    std::fs::write(&head, text.replace(&began.to_string(), "9999999999")).unwrap();
    append_within(&home, &record("b"), &Limits { file_age: 1, ..Limits::NONE }).unwrap();
    assert_eq!(checked_events(&home), ["a", "b"]);
}

#[test]
fn a_full_file_is_set_aside_and_the_chain_goes_on() {
    let (_dir, home) = home();
    let limits = Limits { file_size: 2000, kept_size: 6000, ..Limits::NONE };
    for number in 0..100 {
        append_within(&home, &record(&format!("e{number}")), &limits).unwrap();
    }
    let report = verify(&home, &[]).unwrap();
    assert_eq!(report.findings, []);
    let whole: u64 =
        std::fs::read_dir(home.audit()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(report.files > 1 && whole < 12_000, "{report:?} {whole}");
}

/// The number under a key of the head.
fn in_head(folder: &Folder, key: &str) -> u64 {
    serde_json::from_str::<Value>(&std::fs::read_to_string(folder.head()).unwrap()).unwrap()[key].as_u64().unwrap()
}

#[test]
fn old_files_go_once_a_day_though_none_is_set_aside() {
    let (_dir, home) = home();
    let folder = Folder::of(&home);
    let limits = Limits { kept_age: 86_400, ..Limits::NONE };
    // Three files of two days ago, which were looked for just now.
    for event in ["a", "b", "c"] {
        append_within(&home, &record(event), &Limits { file_size: 1, ..Limits::NONE }).unwrap();
    }
    let two_days_ago = SystemTime::now() - Duration::from_secs(2 * 86_400);
    for path in files::set_aside(&folder).unwrap() {
        File::options().write(true).open(path).unwrap().set_modified(two_days_ago).unwrap();
    }
    let count = || files::set_aside(&folder).unwrap().len();
    append_within(&home, &record("d"), &limits).unwrap();
    assert_eq!(count(), 3);
    // The next day. The newest stays.
    let looked = in_head(&folder, "looked");
    let at = |day: u64| {
        let head = std::fs::read_to_string(folder.head()).unwrap();
        let now = in_head(&folder, "looked");
        std::fs::write(folder.head(), head.replace(&format!("\"looked\":{now}"), &format!("\"looked\":{day}")))
            .unwrap();
    };
    at(looked - 86_400);
    append_within(&home, &record("e"), &limits).unwrap();
    assert_eq!(count(), 1);
    assert!(in_head(&folder, "looked") >= looked);
    // A clock that was ahead puts off no look.
    at(looked + 10 * 86_400);
    append_within(&home, &record("f"), &limits).unwrap();
    assert!(in_head(&folder, "looked") < looked + 86_400);
    // Nothing is looked for where nothing ever goes.
    at(0);
    append(&home, &record("g")).unwrap();
    assert_eq!(in_head(&folder, "looked"), 0);
    assert_eq!(verify(&home, &[]).unwrap().findings, []);
}

#[test]
fn a_spool_that_cannot_be_emptied_loses_no_record() {
    let (_dir, home) = home();
    append(&home, &record("a")).unwrap();
    let spool = home.audit().join("spool");
    std::fs::create_dir_all(spool.join("1-1.damaged")).unwrap();
    std::fs::write(spool.join("1-1.jsonl"), "torn").unwrap();
    let troubles = append_within(&home, &record("b"), &Limits::NONE).unwrap();
    assert!(troubles.iter().any(|trouble| trouble.contains("`spool` cannot be emptied")), "{troubles:?}");
    assert_eq!(checked_events(&home), ["a", "audit-spool-damaged", "b"]);
}
