//! What the user is told at the start of a session.

use crate::run::{Home, Output, run};
use fourseam_hosts::{Event, HOSTS, Host};
use serde_json::json;

/// Hosts that can show the user a line, and their event.
fn telling() -> Vec<(&'static dyn Host, &'static Event)> {
    let of = |host: &'static dyn Host| {
        host.events().iter().find(|event| event.capabilities.notice).map(|event| (host, event))
    };
    let found: Vec<_> = HOSTS.iter().filter_map(|host| of(*host)).collect();
    assert!(found.len() >= 3, "{}", found.len());
    found
}

fn start(home: &Home, host: &dyn Host, event: &Event) -> Output {
    let mut payload = host.sample("true");
    payload["hook_event_name"] = event.name.into();
    payload["source"] = json!("startup");
    run(&mut home.hook(host, event.name), payload.to_string().as_bytes())
}

#[test]
fn the_start_of_a_session_says_that_the_guard_is_live() {
    for (policy, mode) in [
        ("", "mode guard"),
        ("version: 1\nmode: dry\n", "mode dry: it only records"),
        ("version: 1\nmode: on\n", "mode on"),
    ] {
        let home = if policy.is_empty() { Home::new() } else { Home::with_policy(policy) };
        for (host, event) in telling() {
            let output = start(&home, host, event);
            let line = output.notice().unwrap_or_else(|| panic!("{}: {output:?}", host.id()));
            let live = format!("fourseam {} is live, {mode}, policy ", env!("CARGO_PKG_VERSION"));
            assert!(line.starts_with(&live) && line.len() == live.len() + 16, "{line}");
            assert_eq!(output.exit, 0);
        }
    }
}

#[test]
fn a_broken_policy_and_a_pause_are_told_too() {
    let home = Home::with_policy("version: 1\nmoed: dry\n");
    for (host, event) in telling() {
        let line = start(&home, host, event).notice().unwrap();
        assert!(line.contains("unknown key `moed`"), "{line}");
    }
    let home = Home::new();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    home.write("grants/pause", &format!("{}\n", now + 600));
    for (host, event) in telling() {
        let line = start(&home, host, event).notice().unwrap();
        assert!(line.contains("mode dry: paused until 2"), "{line}");
    }
}

#[test]
fn no_other_event_carries_it() {
    let home = Home::new();
    for host in HOSTS {
        for event in host.events().iter().filter(|event| !event.capabilities.notice) {
            let output = start(&home, *host, event);
            assert!(!output.stdout.contains("is live"), "{} {}: {output:?}", host.id(), event.name);
        }
    }
}
