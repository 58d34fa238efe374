//! Many calls at once, and a lock of the log that another process holds and does not let go.

use crate::run::{Home, Output, run};
use fourseam_core::record::{Link, hash};
use fourseam_hosts::HOSTS;
use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const POLICY: &str = "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: Marked. }\n";

/// A call of a host chosen by number, and whether it was refused; every third is to be.
fn call(home: &Home, number: usize) -> Output {
    let host = HOSTS[number % HOSTS.len()];
    let word = if number.is_multiple_of(3) { "marked" } else { "plain" };
    let payload = host.sample(&format!("echo {word} {number}")).to_string();
    let output = run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
    let place = format!("{number} {}: {output:?}", host.id());
    if number.is_multiple_of(3) {
        assert!(output.denies() && output.stdout.contains("Marked."), "{place}");
    } else {
        assert!(output.is_neutral(host, host.default_event()), "{place}");
        assert_eq!(output.stderr, "", "{place}");
    }
    output
}

/// The calls of these numbers, all at once.
fn at_once(home: &Home, numbers: std::ops::Range<usize>) {
    std::thread::scope(|scope| {
        for number in numbers {
            scope.spawn(move || call(home, number));
        }
    });
}

/// Another process that has the lock.
struct Holder(Child);

impl Holder {
    fn of(home: &Home) -> Self {
        std::fs::create_dir_all(home.path("audit")).unwrap();
        let mut child = Command::new("flock")
            .arg(home.path("audit/lock"))
            .args(["sh", "-c", "echo held; exec cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 5]).unwrap();
        Self(child)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Numbers of the calls on record, sorted. The chain is whole.
fn recorded(home: &Home) -> Vec<usize> {
    let text = std::fs::read_to_string(home.path("audit/log.jsonl")).unwrap();
    let mut link = Link::first();
    let mut numbers = Vec::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&record["seq"], &record["prev"]), (&Value::from(link.seq), &Value::from(link.prev)), "{line}");
        link = Link { seq: link.seq + 1, prev: hash(line.as_bytes()) };
        let command = record["action"]["command"].as_str().unwrap();
        numbers.push(command.rsplit(' ').next().unwrap().parse().unwrap());
    }
    numbers.sort_unstable();
    let verified = run(&mut home.verb(&["audit", "verify"]), b"");
    assert!(verified.exit == 0 && !verified.stdout.contains("wait in `spool`"), "{verified:?}");
    numbers
}

fn waiting(home: &Home) -> usize {
    std::fs::read_dir(home.path("audit/spool")).into_iter().flatten().count()
}

#[test]
fn sixty_four_calls_at_once_are_answered_and_recorded_also_past_a_held_lock() {
    let home = Home::with_policy(POLICY);
    let holder = Holder::of(&home);
    at_once(&home, 0..64);
    assert_eq!(waiting(&home), 64);
    drop(holder);
    // These put the others into the log while they are in each other's way.
    at_once(&home, 64..128);
    // What had to wait in the spool is merged by the next call.
    call(&home, 128);
    assert_eq!(waiting(&home), 0);
    assert_eq!(recorded(&home), (0..129).collect::<Vec<_>>());
}

#[test]
fn a_lock_that_is_held_for_ever_costs_little_and_loses_nothing() {
    let home = Home::with_policy(POLICY);
    let median = |numbers: std::ops::Range<usize>| {
        let mut times: Vec<Duration> = numbers.map(|number| call(&home, number).took).collect();
        times.sort();
        times[times.len() / 2]
    };
    let free = median(0..21);
    let holder = Holder::of(&home);
    let held = median(21..42);
    assert_eq!(waiting(&home), 21);
    drop(holder);
    call(&home, 42);
    assert_eq!(recorded(&home), (0..43).collect::<Vec<_>>());
    // 50 ms at most, and as much again for a busy machine.
    assert!(held < free * 2 + Duration::from_millis(100), "{free:?} free, {held:?} held");
}
