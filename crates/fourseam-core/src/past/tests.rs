#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
use super::*;

fn wrote(path: &str) -> Entry {
    Entry::Wrote(Written { path: path.to_owned(), taint: Vec::new() })
}

fn refused(path: &str, recursive: bool) -> Entry {
    let deeds = vec![Deed::Destroy { path: path.to_owned(), recursive }];
    Entry::Refused(Refusal { rule: "t/rule".to_owned(), policy: "p".to_owned(), deeds })
}

fn destroy(path: &str, recursive: bool) -> Vec<Deed> {
    vec![Deed::Destroy { path: path.to_owned(), recursive }]
}

#[test]
fn the_oldest_is_forgotten_first() {
    let past = Past::of((0..MOST_WRITTEN + 3).map(|number| wrote(&format!("/p/{number}"))));
    assert!(past.written("/p/2").is_none() && past.written("/p/3").is_some());
    let past = Past::of((0..=MOST_REFUSALS).map(|number| refused(&format!("/p/{number}"), false)));
    let is_known = |path: &str| past.refusal(&destroy(path, false), "p").is_some();
    assert!(!is_known("/p/0") && is_known("/p/1"));
}

#[test]
fn a_file_written_anew_is_not_the_oldest_and_carries_what_is_new() {
    let tainted = Entry::Wrote(Written { path: "/p/a".to_owned(), taint: vec![Taint::Download] });
    let mut past = Past::of([tainted.clone()]);
    assert!(past.knows(&tainted) && !past.knows(&wrote("/p/a")));
    assert_eq!(past.written("/p/a"), Some(&[Taint::Download][..]));
    past.add(wrote("/p/a"));
    assert_eq!(past.written("/p/a"), Some(&[][..]));
}

#[test]
fn what_holds_the_refused_is_the_refused_and_another_policy_is_another_matter() {
    let past = Past::of([refused("/p/data", true)]);
    for (path, recursive, same) in [
        ("/p/data", false, true),
        ("/p", true, true),
        ("/p", false, false),
        ("/p/data/a", false, false),
        ("/p/database", true, false),
    ] {
        let found = past.refusal(&destroy(path, recursive), "p");
        assert_eq!(found.is_some(), same, "{path}");
    }
    assert!(past.refusal(&destroy("/p/data", true), "q").is_none());
    assert!(past.refusal(&[Deed::Change { path: "/p/data".to_owned() }], "p").is_none());
}

#[test]
fn what_was_let_pass_is_refused_no_more() {
    let mut past = Past::of([refused("/p/a", false), refused("/p/b", false)]);
    past.add(Entry::Lifted { deeds: destroy("/p/a", false) });
    let is_known = |path: &str| past.refusal(&destroy(path, false), "p").is_some();
    assert!(!is_known("/p/a") && is_known("/p/b"));
}

#[test]
fn an_approval_needs_a_question_of_the_same_call() {
    let asked = |call: Option<&str>| Asked {
        key: "k".to_owned(),
        action: "a".to_owned(),
        call: call.map(str::to_owned),
        about: None,
    };
    let mut past = Past::of([Entry::Asked(asked(Some("c1"))), Entry::Asked(asked(None))]);
    assert_eq!(past.question("a", Some("c1")), Some(&asked(Some("c1"))));
    assert_eq!(past.question("a", None), Some(&asked(None)));
    assert_eq!(past.question("a", Some("c2")), None);
    assert_eq!(past.question("b", Some("c1")), None);
    assert!(!past.is_approved("k"));
    past.add(Entry::Ran { key: "k".to_owned() });
    assert!(past.is_approved("k") && past.question("a", Some("c1")).is_none());
}

#[test]
fn entries_are_read_back_as_they_were_written() {
    for entry in [
        wrote("/p/a"),
        refused("/p/a", true),
        Entry::Lifted { deeds: destroy("/p", true) },
        Entry::Ran { key: "k".to_owned() },
        Entry::Asked(Asked { key: "k".to_owned(), action: "a".to_owned(), call: None, about: None }),
    ] {
        let text = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), entry, "{text}");
    }
}

#[test]
fn a_question_stands_until_what_it_was_about_ran() {
    let deeds = destroy("/p/a", false);
    let about = Refusal { rule: "t/ask".to_owned(), policy: "p".to_owned(), deeds: deeds.clone() };
    let asked = Asked { key: "k".to_owned(), action: "a".to_owned(), call: None, about: Some(about.clone()) };
    let mut past = Past::of([Entry::Asked(asked)]);
    assert_eq!(past.unanswered(&deeds, "p"), Some(&about));
    assert_eq!(past.unanswered(&deeds, "q"), None);
    assert_eq!(past.unanswered(&destroy("/p/b", false), "p"), None);
    past.add(Entry::Ran { key: "k".to_owned() });
    assert!(past.unanswered(&deeds, "p").is_none() && past.is_untroubled());
}
