//! The policy is replaced while calls read it: each answer is that of one of its versions.

use crate::run::{Home, run};
use fourseam_hosts::HOSTS;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A policy whose last rule refuses what is marked, behind so many others: any shorter part of it is a policy too.
fn policy(reason: &str, rules: usize) -> String {
    let mut text = "version: 1\nrules:\n".to_owned();
    for number in 0..rules {
        writeln!(text, "  - {{ id: t/other-{number}, decision: deny, raw_pattern: other{number}x, reason: Other. }}")
            .unwrap();
    }
    writeln!(text, "  - {{ id: t/marked, decision: deny, raw_pattern: marked, reason: {reason}. }}").unwrap();
    text
}

/// A way to replace a file. Gives back for how long at most it lay there half written without a change.
type Way = fn(&Path, &str) -> Duration;

fn rename(path: &Path, text: &str) -> Duration {
    let half = path.with_extension("half");
    std::fs::write(&half, text).unwrap();
    std::fs::rename(half, path).unwrap();
    Duration::ZERO
}

fn at_once(path: &Path, text: &str) -> Duration {
    let started = Instant::now();
    std::fs::write(path, text).unwrap();
    started.elapsed()
}

/// As a program with a small buffer does it.
fn piece_by_piece(path: &Path, text: &str) -> Duration {
    let mut longest = Duration::ZERO;
    let mut last = Instant::now();
    let mut file = std::fs::File::create(path).unwrap();
    for piece in text.split_inclusive('\n') {
        file.write_all(piece.as_bytes()).unwrap();
        longest = longest.max(last.elapsed());
        last = Instant::now();
        std::thread::sleep(Duration::from_micros(200));
    }
    longest
}

#[test]
fn each_answer_is_that_of_a_whole_policy() {
    std::thread::scope(|scope| {
        for (number, way) in [rename as Way, at_once, piece_by_piece].into_iter().enumerate() {
            scope.spawn(move || swap(number, way));
        }
    });
}

fn swap(number: usize, way: Way) {
    let versions = [policy("First", 40), policy("Second", 40)];
    let home = Home::with_policy(&versions[0]);
    let path = home.path("policy.yaml");
    let call = |turn: usize| {
        let host = HOSTS[(number + turn) % HOSTS.len()];
        let payload = host.sample("echo marked").to_string();
        let output = run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
        let is_of_one = output.denies() && ["First.", "Second."].iter().any(|reason| output.stdout.contains(reason));
        let place = format!("way {number}, call {turn} of {}: {output:?}", host.id());
        (!is_of_one || output.stderr.contains("took too long")).then_some(place)
    };
    // The first version is good, and kept as such.
    assert_eq!(call(0), None);
    let done = AtomicBool::new(false);
    // A writer that the machine stopped in the middle for so long leaves a file that looks whole.
    let longest = Mutex::new(Duration::ZERO);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0_u64.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let gap = way(&path, &versions[usize::try_from(turn % 2).unwrap()]);
                let mut longest = longest.lock().unwrap();
                *longest = gap.max(*longest);
                drop(longest);
                // Now and then long enough for a reader to be sure.
                std::thread::sleep(Duration::from_millis(turn % 8 * 12));
            }
        });
        let wrong = (1..40).filter_map(call).collect();
        done.store(true, Ordering::Relaxed);
        wrong
    });
    let longest = *longest.lock().unwrap();
    if longest < Duration::from_millis(20) {
        assert!(wrong.is_empty(), "longest gap {longest:?}: {wrong:?}");
    } else if !wrong.is_empty() {
        eprintln!("SKIPPED: the writer was stopped for {longest:?}: {wrong:?}");
    }
}
