#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
use super::report::Report;
use super::tests::{home, record};
use super::*;
use fourseam_core::record::{Link, hash};

/// Sets a file aside after every third record.
const SMALL: Limits = Limits { file_age: 0, ..Limits::NONE };

/// A log of ten records in four files: 1 to 3, 4 to 6, 7 to 9, and 10.
fn filled() -> (tempfile::TempDir, Home) {
    let (dir, home) = home();
    for number in 1..=10 {
        let limits = if number % 3 == 0 { SMALL } else { Limits::NONE };
        append_within(&home, &record(&format!("e{number}")), &limits).unwrap();
    }
    (dir, home)
}

fn file(home: &Home, name: &str) -> PathBuf {
    home.audit().join(name)
}

const FIRST: &str = "log-000000000003.jsonl";
const SECOND: &str = "log-000000000006.jsonl";
const THIRD: &str = "log-000000000009.jsonl";
const NEWEST: &str = "log.jsonl";

fn edit(home: &Home, name: &str, change: impl FnOnce(&mut Vec<String>)) {
    let path = file(home, name);
    let mut lines: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    change(&mut lines);
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

/// What a check says, each as `fault file:line first-last`.
fn told(home: &Home, kept: &[KeptHead]) -> Vec<String> {
    let report = verify(home, kept).unwrap();
    assert_eq!(report.more, 0);
    let tell = |finding: &report::Finding| {
        let file = finding.place.file.file_name().unwrap().display().to_string();
        let (first, last) = finding.records.unwrap_or_default();
        format!("{:?} {file}:{} {first}-{last}", finding.fault, finding.place.line)
    };
    report.findings.iter().map(tell).collect()
}

fn found(change: impl FnOnce(&Home)) -> Vec<String> {
    let (_dir, home) = filled();
    change(&home);
    told(&home, &[])
}

#[test]
fn an_untouched_log_is_whole() {
    let (_dir, home) = filled();
    let report = verify(&home, &[]).unwrap();
    let Report { files, records, range, findings, .. } = report;
    assert_eq!((files, records, range, findings), (4, 10, Some((1, 10)), Vec::new()));
    let (_dir, home) = super::tests::home();
    assert_eq!(told(&home, &[]), [""; 0]);
}

#[test]
fn one_changed_byte_is_found() {
    for (name, line, seq) in [(FIRST, 0, 1), (SECOND, 1, 5), (SECOND, 2, 6), (NEWEST, 0, 10)] {
        let want = [format!("Changed {name}:{} {seq}-{seq}", line + 1)];
        let change = |from: &'static str, to: &'static str| {
            move |home: &Home| edit(home, name, |lines| lines[line] = lines[line].replacen(from, to, 1))
        };
        assert_eq!(found(change("\"event\":\"e", "\"event\":\"f")), want);
        // Also where it is no record any more.
        assert_eq!(found(change("{", "(")), want);
    }
    // Every byte of a line counts.
    let (_dir, home) = filled();
    let path = file(&home, SECOND);
    let whole = std::fs::read(&path).unwrap();
    for index in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[index] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(verify(&home, &[]).unwrap().is_tampered(), "byte {index}");
    }
}

#[test]
fn removed_lines_are_found() {
    let without = |name: &'static str, line: usize| found(|home| edit(home, name, |lines| drop(lines.remove(line))));
    assert_eq!(without(SECOND, 1), [format!("Removed {SECOND}:2 5-5")]);
    assert_eq!(without(SECOND, 2), [format!("Cut {SECOND}:2 6-6")]);
    assert_eq!(without(SECOND, 0), [format!("FileRemoved {SECOND}:0 4-4")]);
    assert_eq!(without(FIRST, 0), [format!("BeginningRemoved {FIRST}:1 1-1")]);
}

#[test]
fn lines_in_another_order_are_found() {
    let swapped = |name: &'static str| found(|home| edit(home, name, |lines| lines.swap(0, 1)));
    assert_eq!(swapped(SECOND), [format!("Moved {SECOND}:2 4-4")]);
    assert_eq!(swapped(FIRST).len(), 2);
    let twice = found(|home| edit(home, SECOND, |lines| lines.insert(2, lines[0].clone())));
    assert_eq!(twice, [format!("Repeated {SECOND}:3 4-4")]);
}

#[test]
fn added_lines_are_found() {
    let added = found(|home| edit(home, SECOND, |lines| lines.insert(1, "nothing".to_owned())));
    assert_eq!(added, [format!("Added {SECOND}:2 0-0")]);
    let forged = found(|home| {
        edit(home, NEWEST, |lines| {
            let link = Link { seq: 11, prev: hash(lines[0].as_bytes()) };
            lines.push(record("forged").line(&link).unwrap().trim_end().to_owned());
        });
    });
    assert_eq!(forged, [format!("Behind {NEWEST}:2 11-11")]);
}

#[test]
fn a_cut_end_is_found() {
    assert_eq!(found(|home| edit(home, NEWEST, |lines| lines.clear())), [format!("Cut {THIRD}:3 10-10")]);
    let cut_within = found(|home| {
        let path = file(home, NEWEST);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text.as_bytes()[..text.len() / 2]).unwrap();
    });
    assert_eq!(cut_within, [format!("Changed {NEWEST}:1 10-10")]);
    // And the hole stays when the log goes on.
    let (_dir, home) = filled();
    edit(&home, NEWEST, |lines| lines.clear());
    append(&home, &record("later")).unwrap();
    assert_eq!(told(&home, &[]), [format!("FileRemoved {NEWEST}:0 10-10")]);
}

#[test]
fn a_removed_file_is_found() {
    let without = |name: &'static str| found(|home| std::fs::remove_file(file(home, name)).unwrap());
    assert_eq!(without(FIRST), [format!("BeginningRemoved {SECOND}:1 1-3")]);
    assert_eq!(without(SECOND), [format!("FileRemoved {THIRD}:0 4-6")]);
    assert_eq!(without(THIRD), [format!("FileRemoved {NEWEST}:0 7-9")]);
    assert_eq!(without(NEWEST), [format!("FileRemoved {NEWEST}:0 10-10")]);
    assert_eq!(without("head"), ["HeadLost head:0 0-0"]);
}

#[test]
fn a_torn_line_is_a_warning() {
    let (_dir, home) = filled();
    let mut log = OpenOptions::new().append(true).open(file(&home, NEWEST)).unwrap();
    std::io::Write::write_all(&mut log, b"{\"seq\":11,\"pr").unwrap();
    assert_eq!(told(&home, &[]), [format!("Torn {NEWEST}:2 0-0")]);
    append(&home, &record("later")).unwrap();
    assert_eq!(told(&home, &[]), [format!("Torn {NEWEST}:2 0-0")]);
    assert!(!verify(&home, &[]).unwrap().is_tampered());
}

#[test]
fn a_kept_head_shows_what_was_made_anew() {
    let (_dir, home) = filled();
    let kept = KeptHead::now(&home).unwrap();
    assert_eq!((kept.seq, kept.to_string().parse()), (10, Ok(kept.clone())));
    append(&home, &record("later")).unwrap();
    assert_eq!(told(&home, std::slice::from_ref(&kept)), [""; 0]);
    // The whole log anew, with the same events but one: nothing in it shows that.
    let (_dir, other) = super::tests::home();
    for row in rows(&home).unwrap() {
        let mut record = row.unwrap().record;
        record.event = record.event.replace("e5", "x5");
        append(&other, &record).unwrap();
    }
    assert_eq!(told(&other, &[]), [""; 0]);
    assert_eq!(told(&other, &[kept]), [format!("OtherThanKept {NEWEST}:0 10-10")]);
    for wrong in ["", "fourseam-head-1 2026 x 00", "fourseam-head-2 t 1 00"] {
        assert!(wrong.parse::<KeptHead>().is_err());
    }
}

#[test]
fn what_retention_takes_away_is_on_record() {
    let (_dir, home) = filled();
    let old = KeptHead { seq: 2, ..KeptHead::now(&home).unwrap() };
    let size = file(&home, FIRST).metadata().unwrap().len();
    let limits = Limits { file_age: 0, kept_size: size * 3, ..Limits::NONE };
    append_within(&home, &record("later"), &limits).unwrap();
    assert!(!file(&home, FIRST).exists() && file(&home, SECOND).exists());
    assert_eq!(told(&home, &[]), [""; 0]);
    assert_eq!(told(&home, &[old]), [format!("KeptTooOld {NEWEST}:0 2-2")]);
    let events: Vec<String> = rows(&home).unwrap().map(|row| row.unwrap().record.event).collect();
    assert_eq!(events.first().unwrap(), "e4");
    assert_eq!(events.last().unwrap(), "audit-retention");
    edit(&home, SECOND, |lines| lines[0] = "gone".to_owned());
    assert_eq!(told(&home, &[]), [format!("Changed {SECOND}:1 4-4")]);
    // More than that is not.
    std::fs::remove_file(file(&home, SECOND)).unwrap();
    assert_eq!(told(&home, &[]), [format!("BeginningRemoved {THIRD}:1 1-6")]);
}

#[test]
fn old_files_go_by_age_and_the_newest_stays() {
    let (_dir, home) = filled();
    let limits = Limits { file_age: 0, kept_age: 0, ..Limits::NONE };
    append_within(&home, &record("later"), &limits).unwrap();
    let left: Vec<u64> = rows(&home).unwrap().map(|row| row.unwrap().link.seq).collect();
    assert_eq!(left, [10, 11, 12]);
    assert_eq!(told(&home, &[]), [""; 0]);
}

#[test]
fn a_name_that_is_taken_loses_nothing() {
    let (_dir, home) = filled();
    std::fs::write(file(&home, "log-000000000011.jsonl"), "mine").unwrap();
    append_within(&home, &record("later"), &SMALL).unwrap();
    assert_eq!(std::fs::read_to_string(file(&home, "log-000000000011.jsonl")).unwrap(), "mine");
    assert!(std::fs::read_to_string(file(&home, NEWEST)).unwrap().contains("later"));
}
