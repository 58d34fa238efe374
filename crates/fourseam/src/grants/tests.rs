#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
use super::*;
use fourseam_core::action::{Dialect, Point, Shell};

fn home() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    (dir, home)
}

fn call(event: &str, id: Option<&str>) -> HookCall {
    HookCall {
        host: "h".to_owned(),
        event: event.to_owned(),
        point: Some(Point::ToolCall),
        session: Some("s".to_owned()),
        cwd: Some("/p".to_owned()),
        permission_mode: None,
        agent_id: None,
        call_id: id.map(str::to_owned),
        tool: Some("Bash".to_owned()),
        stop_hook_active: false,
        action: Action::Shell(Shell {
            command: "rm a".to_owned(),
            dialect: Dialect::Posix,
            cwd: None,
            background: false,
        }),
    }
}

fn binding() -> Binding {
    Binding::new(&call("e", None), "p", BTreeMap::from([("/p/a.sh".to_owned(), "1".to_owned())]))
}

#[test]
fn a_grant_is_used_once() {
    let (_dir, home) = home();
    assert!(!take(&home, &binding(), &call("e", Some("1"))));
    grant(&home, binding()).unwrap();
    assert!(take(&home, &binding(), &call("e", Some("1"))));
    assert!(!take(&home, &binding(), &call("e", Some("2"))));
    assert!(!take(&home, &binding(), &call("other", Some("2"))));
}

#[test]
fn one_tool_use_seen_twice_shares_a_grant() {
    let (_dir, home) = home();
    grant(&home, binding()).unwrap();
    assert!(take(&home, &binding(), &call("e", Some("1"))));
    assert!(take(&home, &binding(), &call("e", Some("1"))));
    // The permission event of the same use names no call.
    assert!(take(&home, &binding(), &call("permission", None)));
    assert!(!take(&home, &binding(), &call("e", None)));
    assert!(!take(&home, &binding(), &call("e", Some("2"))));
}

#[test]
fn without_call_ids_the_same_event_is_another_use() {
    let (_dir, home) = home();
    grant(&home, binding()).unwrap();
    assert!(take(&home, &binding(), &call("e", None)));
    assert!(!take(&home, &binding(), &call("e", None)));
    assert!(take(&home, &binding(), &call("permission", None)));
}

#[test]
fn a_grant_holds_for_exactly_what_it_was_given_for() {
    let (_dir, home) = home();
    grant(&home, binding()).unwrap();
    let changes: [fn(&mut Binding); 7] = [
        |it| it.host.push('x'),
        |it| it.session = None,
        |it| it.cwd = Some("/q".to_owned()),
        |it| it.action["command"] = "rm b".into(),
        |it| it.policy.push('x'),
        |it| *it.scripts.get_mut("/p/a.sh").unwrap() = "2".to_owned(),
        |it| it.scripts.clear(),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut other = binding();
        change(&mut other);
        assert!(!take(&home, &other, &call("e", Some("1"))), "{number}");
    }
    assert!(take(&home, &binding(), &call("e", Some("1"))));
}

#[test]
fn a_grant_ends_and_cannot_be_prolonged() {
    let (_dir, home) = home();
    for (until, holds) in
        [(clock::seconds() + 5, true), (clock::seconds() - 1, false), (clock::seconds() + 3600, false)]
    {
        let path = once(&home).join(binding().key());
        file::replace(&path, &serde_json::to_vec(&Grant { binding: binding(), until }).unwrap()).unwrap();
        assert_eq!(take(&home, &binding(), &call("e", Some(&until.to_string()))), holds, "{until}");
        assert!(!path.exists());
    }
}

#[test]
fn of_many_at_once_one_wins() {
    let (_dir, home) = home();
    for _ in 0..20 {
        let _ = std::fs::remove_dir_all(used(&home));
        grant(&home, binding()).unwrap();
        let won = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (home, won) = (&home, &won);
                scope.spawn(move || {
                    if take(home, &binding(), &call("e", Some(&number.to_string()))) {
                        won.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(won.into_inner(), 1);
    }
}

#[test]
fn garbage_grants_nothing() {
    let (_dir, home) = home();
    for text in ["", "{}", "[1,2]", "\u{0}", "{\"binding\":{},\"until\":9}"] {
        file::replace(&once(&home).join(binding().key()), text.as_bytes()).unwrap();
        assert!(!take(&home, &binding(), &call("e", Some("1"))), "{text}");
    }
}
