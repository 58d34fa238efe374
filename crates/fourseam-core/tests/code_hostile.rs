//! Hostile text: no reader of code hangs, overflows the stack or takes much longer than it does for plain text, whatever
//! the text is. What it could not read to the end it says.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::disallowed_methods, reason = "tests may panic and print")]

use fourseam_core::code::{Language, read};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const LANGUAGES: [Language; 18] = [
    Language::Sql,
    Language::Mongo,
    Language::Redis,
    Language::Cql,
    Language::Python,
    Language::JavaScript,
    Language::Perl,
    Language::Ruby,
    Language::Php,
    Language::Lua,
    Language::R,
    Language::Awk,
    Language::Jq,
    Language::Sed,
    Language::PowerShell,
    Language::PowerShellEncoded,
    Language::Cmd,
    Language::AppleScript,
];

/// Size of a text, in bytes. Unoptimised readers are slow, and show what grows too fast on less.
const SIZE: usize = if cfg!(debug_assertions) { 4 * 1024 } else { 64 * 1024 };

/// How many times longer a hostile text may take than a plain one of the same size. A reader that goes over its text
/// again for each of its parts takes some thousand times as long.
const TIMES: u32 = 12;
/// What no comparison is made below.
const SHORT: Duration = Duration::from_millis(150);

/// What opens something, goes on, or nests when it is repeated: brackets, quotes, comments, keywords, operators, and
/// statements that grow their values.
const PIECES: &str = include_str!("hostile/pieces.txt");

#[test]
fn repeated_pieces_cost_databases_what_plain_text_costs() {
    repeated(&[Language::Sql, Language::Mongo, Language::Redis, Language::Cql]);
}

#[test]
fn repeated_pieces_cost_interpreters_what_plain_text_costs() {
    repeated(&[Language::Python, Language::JavaScript, Language::Perl, Language::Ruby, Language::Php]);
}

#[test]
fn repeated_pieces_cost_small_languages_what_plain_text_costs() {
    repeated(&[Language::Lua, Language::R, Language::Awk, Language::Jq, Language::Sed, Language::AppleScript]);
}

#[test]
fn repeated_pieces_cost_shells_what_plain_text_costs() {
    repeated(&[Language::PowerShellEncoded, Language::Cmd, Language::PowerShell]);
}

fn repeated(languages: &'static [Language]) {
    on_main_stack(move || {
        let mut slow = Vec::new();
        for language in languages {
            let plain = time(*language, &"a b c. ".repeat(SIZE / 7));
            let bound = (plain * TIMES).max(SHORT);
            for piece in pieces() {
                // Seen where the stack overflows, which ends the test.
                eprintln!("{language:?} {piece:?}");
                let text = piece.repeat(SIZE / piece.len());
                let is_fine = (0..3).any(|_| time(*language, &text) <= bound);
                if !is_fine {
                    slow.push(format!("{language:?} {piece:?}: more than {bound:?}"));
                }
            }
        }
        assert!(slow.is_empty(), "{}", slow.join("\n"));
    });
}

proptest! {
    #[test]
    fn mixed_pieces_are_read(picked in proptest::collection::vec((0..pieces().len(), 1..12usize), 1..16)) {
        let all = pieces();
        let text: String = picked.iter().map(|(at, times)| all.get(*at).unwrap().repeat(*times)).collect();
        read_by_all(&text);
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,600}") {
        read_by_all(&text);
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        read_by_all(&String::from_utf8_lossy(&bytes));
    }
}

fn read_by_all(text: &str) {
    for language in LANGUAGES {
        let took = time(language, text);
        assert!(took < Duration::from_secs(20), "{language:?}: {took:?}");
    }
}

fn time(language: Language, text: &str) -> Duration {
    let (start, own) = (Instant::now(), own_time());
    let _ = read(language, text);
    match (own, own_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    }
}

/// How long this thread has run, where the system tells: other programs may run on the machine that tests.
fn own_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// One piece a line; `\n` for a line end.
fn pieces() -> Vec<String> {
    let lines = PIECES.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| line.strip_suffix('\u{2423}').map_or_else(|| line.to_owned(), |line| format!("{line} ")))
        .map(|line| line.replace("\\n", "\n"))
        .collect()
}

/// The hook reads on the main thread, whose stack is this large.
fn on_main_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(8 << 20).spawn(test).unwrap().join().unwrap();
}
