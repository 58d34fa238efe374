//! Whole processes, one beside the other in one run: a hook call, an empty Rust process, interpreters, and peers on the
//! same payload. Prints ratios; with `FOURSEAM_BENCH_PAGE` set to a file it writes them there as Markdown.
//!
//! Peers are looked for on `PATH` and in `target/peers` (`just peers` puts them there); who is not there is left out.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench starts processes, prints, may panic, and uses a part of the shared module"
)]

#[path = "../measure/mod.rs"]
mod measure;

use measure::{Bench, Subject};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PIPELINE: &str =
    "cat a | grep b | sort | uniq -c | sort -rn | head -5 | awk '{print $1}' | tr a b | wc -l | tee c";

fn main() {
    let bench = Bench::new("process");
    let home = "home";
    let mut subjects = vec![
        bench.empty(),
        bench.hook("fourseam, `git status`", home, "git status"),
        bench.hook("fourseam, `rm -rf /`", home, "rm -rf /"),
        bench.hook("fourseam, a pipeline of ten", home, PIPELINE),
        bench.words("fourseam, a command of 64 KiB", home, 64 * 1024),
        bench.result("fourseam, a result of 64 KiB", home, 64 * 1024),
    ];
    let others: [(&str, &[&str]); 2] =
        [("python3 -c pass", &["python3", "-c", "pass"]), ("node -e 0", &["node", "-e", "0"])];
    for (name, words) in others {
        if found(words[0]).is_some() {
            subjects.push(bench.subject(name, words, ""));
        }
    }
    subjects.extend(peers(&bench));
    measure::rounds(&mut subjects, 300);
    measure::publish("processes", &table(&mut subjects));
}

/// Guards of others that take the same payload on standard input.
fn peers(bench: &Bench) -> Vec<Subject> {
    let git_status = measure::payload("git status");
    let known: [(&str, &[&str]); 3] = [
        ("cc-safety-net (npm)", &["cc-safety-net", "hook", "--claude-code"]),
        ("nah (PyPI)", &["nah", "_claude-hook"]),
        ("destructive_command_guard (crates.io)", &["dcg"]),
    ];
    known
        .into_iter()
        .filter_map(|(name, words)| {
            let path = found(words[0])?;
            let words: Vec<&str> = std::iter::once(path.to_str()?).chain(words[1..].iter().copied()).collect();
            Some(bench.subject(&format!("{name}, `git status`"), &words, &git_status))
        })
        .collect()
}

fn found(program: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/peers/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::iter::once(own)
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

fn table(subjects: &mut [Subject]) -> String {
    let base = subjects[0].at(50);
    let mut table = String::from("| process | p50 | p95 | times an empty process (p50) |\n|---|---|---|---|\n");
    for subject in subjects {
        let (p50, p95) = (subject.at(50), subject.at(95));
        let _ = writeln!(table, "| {} | {p50:.2} ms | {p95:.2} ms | {:.1} |", subject.name, p50 / base);
    }
    table
}
