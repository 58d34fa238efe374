//! Every target on its seeds, and on random changes of them for some seconds (`FUZZ_SECONDS`, 3 unless set; in all).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic, and says what it did"
)]

use fourseam_fuzz::{TARGETS, Target};
use std::path::Path;
use std::time::{Duration, Instant};

/// A small generator of its own, so that a failure can be run again: it starts from the same number each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }
}

/// Pieces that parsers care about.
const PIECES: [&str; 30] = [
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\\",
    "\n",
    "\r\n",
    "\u{feff}",
    "\0",
    ";",
    "&&",
    "|",
    "<<EOF\n",
    "#",
    "/*",
    "*/",
    "--",
    "\u{202e}",
    "\u{10ffff}",
    "null",
    "\"a\":",
    "- ",
    "*** Begin Patch\n",
    "@@",
    "-EncodedCommand ",
];

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn changed(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(5) {
            0 => {
                let piece = PIECES[random.below(PIECES.len())].as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
            1 => bytes.truncate(at),
            2 => {
                let end = (at + random.below(9)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                bytes.splice(at..at, other[from..].iter().copied().take(64));
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())].repeat(random.below(200));
                bytes.splice(at..at, piece.bytes());
            }
        }
    }
    bytes
}

/// Longest time for one input: far more than any needs, far less than a hook has.
const LONGEST: Duration = Duration::from_secs(20);

fn run(name: &str, target: Target, bytes: &[u8]) {
    let started = Instant::now();
    target(bytes);
    let took = started.elapsed();
    assert!(took < LONGEST, "{name}: {took:?} for {:?}", String::from_utf8_lossy(bytes));
}

#[test]
fn seeds_and_random_changes_of_them_break_no_promise() {
    let seconds: u64 = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let each = Duration::from_millis(seconds * 1000 / u64::try_from(TARGETS.len()).unwrap());
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(seeds.len() >= 3, "{name}: {} seeds", seeds.len());
        seeds.iter().for_each(|seed| run(name, *target, seed));
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let started = Instant::now();
        let mut runs = 0_usize;
        while started.elapsed() < each {
            run(name, *target, &changed(&mut random, &seeds));
            runs += 1;
        }
        assert!(runs > 0 || seconds == 0, "{name}: not one run");
        println!("{name}: {} seeds, {runs} changes of them", seeds.len());
    }
}
