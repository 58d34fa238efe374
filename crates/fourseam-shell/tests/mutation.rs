//! Texts broken at random: no crash, no hang, spans inside the text. The fuzz target does the same without end.
//!
//! `PROPTEST_CASES` sets how many are tried.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and the clock")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests may panic"
)]

mod support;

use std::time::{Duration, Instant};
use support::{jsonl, read};

/// Pieces that change what the text around them means.
const PIECES: [&str; 40] = [
    "$(",
    ")",
    "`",
    "${",
    "}",
    "$((",
    "))",
    "((",
    "\"",
    "'",
    "$'",
    "\\",
    "\\\n",
    "\n",
    " ",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "<",
    ">",
    "<<E\n",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    "if ",
    "; then ",
    "; fi",
    "do ",
    "; done",
    "case x in a) ",
    ";; esac",
    "{ ",
    "; }",
    "[[ ",
    " ]]",
    "eval ",
    "#",
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }
}

fn seeds() -> Vec<String> {
    let files = [
        include_str!("data/texts.jsonl"),
        include_str!("data/found.jsonl"),
        include_str!("data/data.jsonl"),
        include_str!("data/opaque.jsonl"),
    ];
    files.iter().flat_map(|file| jsonl(file)).map(|case| case["text"].as_str().unwrap().to_owned()).collect()
}

/// A place between two characters.
fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutated(text: &str, other: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        let (one, two) = (boundary(&text, random), boundary(&text, random));
        let (start, end) = (one.min(two), one.max(two));
        match random.below(5) {
            0 => text.insert_str(start, PIECES[random.below(PIECES.len())]),
            1 => text.replace_range(start..end, ""),
            2 => text = format!("{}{}", &text[..end], &text[start..]),
            3 => text.replace_range(start..end, PIECES[random.below(PIECES.len())]),
            _ => text.insert_str(start, &other[..boundary(other, random)]),
        }
        if text.len() > 2_000 {
            text.truncate(boundary(&text, random).min(2_000));
        }
    }
    text
}

#[test]
fn broken_texts_are_read() {
    let cases: u64 = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000);
    let seeds = seeds();
    let mut random = Random(0x5DEE_CE66_D1CE_1337);
    let mut slowest = (Duration::ZERO, String::new());
    for _ in 0..cases {
        let (one, two) = (random.below(seeds.len()), random.below(seeds.len()));
        let text = mutated(&seeds[one], &seeds[two], &mut random);
        let start = Instant::now();
        let script = read(&text);
        let elapsed = start.elapsed();
        assert!(elapsed < Duration::from_secs(8), "{elapsed:?}: {text:?}");
        if elapsed > slowest.0 {
            slowest = (elapsed, text.clone());
        }
        for command in &script.commands {
            let (start, end) = (command.span.start as usize, command.span.end as usize);
            assert!(text.get(start..end).is_some(), "span {start}..{end} of {text:?}");
            for opaque in &script.opaque {
                assert!(
                    text.get(opaque.span.start as usize..opaque.span.end as usize).is_some(),
                    "{opaque:?} of {text:?}"
                );
                assert!(opaque.command.is_none_or(|index| index < script.commands.len()), "{opaque:?} of {text:?}");
            }
        }
    }
    println!("slowest: {:?} {:?}", slowest.0, slowest.1);
}
