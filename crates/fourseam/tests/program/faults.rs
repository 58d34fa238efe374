//! Planted failures: whatever happens inside, the host gets the answer that its event asks for. Builds without planted
//! failures have none of these tests.
#![cfg(debug_assertions)]

use crate::run::{Home, Output, run};
use fourseam_hosts::{Event, HOSTS, Host};
use std::time::Duration;

/// A payload of the host at an event: the sample with the event's name in it.
fn payload(host: &dyn Host, event: &Event) -> String {
    let mut payload = host.sample("true");
    payload["hook_event_name"] = event.name.into();
    payload.to_string()
}

fn fail(home: &Home, host: &dyn Host, event: &Event, fault: &str) -> Output {
    run(home.hook(host, event.name).env("FOURSEAM_FAULT", fault), payload(host, event).as_bytes())
}

/// An event of the host where nothing is about to run.
fn quiet_event(host: &dyn Host) -> &'static Event {
    host.events().iter().find(|event| !event.capabilities.gate && event.capabilities.point.is_some()).unwrap()
}

#[test]
fn crashes_deny_at_gates_and_are_silent_elsewhere() {
    for host in HOSTS {
        for fault in ["overflow", "abort"] {
            let home = Home::new();
            let gate = host.default_event();
            let output = fail(&home, *host, gate, fault);
            assert!(output.denies(), "{} {fault}: {output:?}", host.id());
            assert!(output.stderr.starts_with("fourseam: the call "), "{output:?}");
            let quiet = quiet_event(*host);
            let output = fail(&home, *host, quiet, fault);
            assert!(output.is_neutral(*host, quiet), "{} {fault}: {output:?}", host.id());
            // Both are on record once the next call has merged them.
            run(&mut home.hook(*host, gate.name), payload(*host, gate).as_bytes());
            let troubles: Vec<String> = home.records().iter().map(|record| record["troubles"].to_string()).collect();
            assert_eq!(troubles.iter().filter(|text| text.contains("ended by a signal")).count(), 2, "{troubles:?}");
        }
    }
}

#[test]
fn a_panic_is_answered_with_on_error() {
    for host in HOSTS {
        let home = Home::new();
        let gate = host.default_event();
        let output = fail(&home, *host, gate, "panic");
        assert!(output.stops(*host, gate), "{output:?}");
        assert!(output.stderr.contains("internal error at "), "{output:?}");
        let quiet = quiet_event(*host);
        assert!(fail(&home, *host, quiet, "panic").is_neutral(*host, quiet));
        let recorded = home.records();
        assert_eq!(recorded.len(), 2);
        assert!(recorded[0]["troubles"].to_string().contains("planted"), "{recorded:?}");
        assert_eq!(recorded[0]["action"]["command"], "true");
    }
}

#[test]
fn loops_and_hangs_are_ended_by_the_timers() {
    std::thread::scope(|scope| {
        for host in HOSTS {
            for (fault, limit) in [("loop", 1), ("hang", 3)] {
                scope.spawn(move || {
                    let home = Home::new();
                    let output = fail(&home, *host, host.default_event(), fault);
                    assert!(output.denies(), "{} {fault}: {output:?}", host.id());
                    let least = Duration::from_millis(limit * 1000 - 100);
                    assert!(output.took >= least && output.took < Duration::from_secs(20), "{output:?}");
                });
            }
        }
    });
}

#[test]
fn on_error_abstain_and_mode_dry_keep_the_nets_silent() {
    for text in ["version: 1\non_error: abstain\n", "version: 1\nmode: dry\n"] {
        for host in HOSTS {
            let home = Home::with_policy(text);
            let gate = host.default_event();
            // The first call that succeeds leaves behind what the nets need to know.
            run(&mut home.hook(*host, gate.name), payload(*host, gate).as_bytes());
            run(&mut home.hook(*host, gate.name), payload(*host, gate).as_bytes());
            for fault in ["overflow", "panic"] {
                let output = fail(&home, *host, gate, fault);
                assert!(output.is_neutral(*host, gate), "{text} {fault}: {output:?}");
            }
        }
    }
}

#[test]
fn the_environment_cannot_silence_the_nets() {
    let home = Home::new();
    for host in HOSTS {
        let gate = host.default_event();
        let mut command = home.hook(*host, gate.name);
        command.env("FOURSEAM_FAULT", "abort").env("FOURSEAM_MODE", "dry").env("FOURSEAM_ON_ERROR", "abstain");
        let output = run(&mut command, payload(*host, gate).as_bytes());
        assert!(output.denies(), "{output:?}");
    }
}
