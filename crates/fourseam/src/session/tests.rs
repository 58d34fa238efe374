#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
use super::*;
use fourseam_core::past::{Deed, Refusal, Written};
use std::os::unix::fs::PermissionsExt;

fn session() -> (tempfile::TempDir, Session) {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("sessions");
    let session = Session { newer: folder.join("a.jsonl"), older: folder.join("a.old") };
    (dir, session)
}

fn wrote(path: &str) -> Entry {
    Entry::Wrote(Written { path: path.to_owned(), taint: Vec::new() })
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_was_added_is_remembered_and_private() {
    let (_dir, session) = session();
    assert_eq!(session.past(), Past::default());
    session.add(&[]).unwrap();
    assert!(!session.newer.exists());
    session.add(&[wrote("/p/a"), wrote("/p/b")]).unwrap();
    session.add(&[wrote("/p/c")]).unwrap();
    let past = session.past();
    assert!(["/p/a", "/p/b", "/p/c"].iter().all(|path| past.written(path).is_some()));
    assert_eq!((mode(&session.newer), mode(session.newer.parent().unwrap())), (0o600, 0o700));
    assert!(session.mentions("/p/b") && !session.mentions("/p/d"));
}

#[test]
fn what_cannot_be_read_counts_as_none() {
    let (_dir, session) = session();
    session.add(&[wrote("/p/a")]).unwrap();
    let mut file = OpenOptions::new().append(true).open(&session.newer).unwrap();
    file.write_all(b"garbage\n[1]\n\xff\xfe\n[1,{\"wrote\":{}}]\n[17,{\"unknown\":{}}]\n[1,{\"wro").unwrap();
    session.add(&[wrote("/p/b")]).unwrap();
    assert!(session.past().written("/p/a").is_some() && session.past().written("/p/b").is_some());
    std::fs::write(&session.newer, vec![b'x'; LARGEST + 1]).unwrap();
    assert_eq!(session.past(), Past::default());
    std::fs::remove_file(&session.newer).unwrap();
    std::fs::create_dir(&session.newer).unwrap();
    assert_eq!(session.past(), Past::default());
    assert!(session.add(&[wrote("/p/c")]).is_err());
}

#[test]
fn a_link_in_its_place_is_not_written_through() {
    let (dir, session) = session();
    std::fs::create_dir(dir.path().join("sessions")).unwrap();
    let elsewhere = dir.path().join("elsewhere");
    std::fs::write(&elsewhere, "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &session.newer).unwrap();
    assert!(session.add(&[wrote("/p/a")]).is_err());
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "mine");
}

#[test]
fn it_stays_bounded_and_keeps_the_newest() {
    let (_dir, session) = session();
    for number in 0..4000 {
        session.add(&[wrote(&format!("/p/{number}/{}", "x".repeat(60)))]).unwrap();
    }
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
    assert!(size(&session.newer) + size(&session.older) < 2 * ROTATE_AT + 1024);
    let past = session.past();
    let is_known = |number: usize| past.written(&format!("/p/{number}/{}", "x".repeat(60))).is_some();
    assert!(is_known(3999) && is_known(3600) && !is_known(3000));
}

#[test]
fn calls_at_once_lose_nothing() {
    let (_dir, session) = session();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let session = session.clone();
            scope.spawn(move || {
                for number in 0..40 {
                    session.add(&[wrote(&format!("/p/{thread}/{number}"))]).unwrap();
                }
            });
        }
    });
    let past = session.past();
    assert!((0..8).all(|thread| (0..40).all(|number| past.written(&format!("/p/{thread}/{number}")).is_some())));
}

#[test]
fn a_refusal_of_long_ago_is_none_of_a_moment_ago() {
    let (_dir, session) = session();
    let deeds = vec![Deed::Change { path: "/p/a".to_owned() }];
    let refusal = Refusal { rule: "t/r".to_owned(), policy: "p".to_owned(), deeds: deeds.clone() };
    session.add(&[Entry::Refused(refusal)]).unwrap();
    assert!(session.past().refusal(&deeds, "p").is_some());
    let text = std::fs::read_to_string(&session.newer).unwrap();
    let now = clock::seconds();
    let then =
        text.replacen(&text.trim().chars().skip(1).take(10).collect::<String>(), &(now - MOMENT - 1).to_string(), 1);
    assert_ne!(text, then);
    std::fs::write(&session.newer, then).unwrap();
    assert!(session.past().refusal(&deeds, "p").is_none());
}

#[test]
fn old_sessions_go_when_a_new_one_begins() {
    let (_dir, session) = session();
    let folder = session.newer.parent().unwrap();
    std::fs::create_dir(folder).unwrap();
    let old = File::create(folder.join("old.jsonl")).unwrap();
    old.set_modified(std::time::SystemTime::now() - LONGEST - Duration::from_secs(60)).unwrap();
    File::create(folder.join("recent.jsonl")).unwrap();
    session.add(&[wrote("/p/a")]).unwrap();
    assert!(!folder.join("old.jsonl").exists() && folder.join("recent.jsonl").exists());
}
