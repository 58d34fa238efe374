//! Whole processes, one beside the other in one run: a hook call, an empty Rust process, interpreters, and peers on the
//! same payload. Prints ratios; with `FOURSEAM_BENCH_PAGE` set to a file it writes them there as Markdown.
//!
//! Peers are looked for on `PATH` and in `target/peers` (`just peers` puts them there); who is not there is left out.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a bench starts processes, prints, and may panic"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each program, after as many warm ones as a tenth.
const RUNS: usize = 300;

/// A program that is measured.
struct Subject {
    name: String,
    command: Vec<String>,
    stdin: String,
    took: Vec<Duration>,
}

fn payload(command: &str) -> String {
    let command = command.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!(
        "{{\"session_id\":\"s\",\"transcript_path\":\"/tmp/t\",\"cwd\":\"/tmp\",\"permission_mode\":\"default\",\
         \"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"{command}\"}},\"tool_use_id\":\"t\"}}"
    )
}

fn subject(name: &str, command: &[&str], stdin: &str) -> Subject {
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    Subject { name: name.to_owned(), command, stdin: stdin.to_owned(), took: Vec::new() }
}

fn main() {
    let home = std::env::temp_dir().join(format!("fourseam-bench-{}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    let exe = env!("CARGO_BIN_EXE_fourseam");
    let state = home.to_str().unwrap();
    let hook = ["hook", "claude-code", "PreToolUse", "--home", state];
    let ours = |command: &str| -> (Vec<String>, String) {
        let words = std::iter::once(exe).chain(hook).map(str::to_owned).collect();
        (words, payload(command))
    };
    let empty = empty_program(&home);
    let mut subjects = vec![subject("empty Rust process", &[empty.to_str().unwrap()], "")];
    let long = format!("echo {}", "word ".repeat(64 * 1024 / 5));
    for (name, command) in [
        ("fourseam, `git status`", "git status"),
        ("fourseam, `rm -rf /`", "rm -rf /"),
        (
            "fourseam, a pipeline of ten",
            "cat a | grep b | sort | uniq -c | sort -rn | head -5 | awk '{print $1}' | tr a b | wc -l | tee c",
        ),
        ("fourseam, 64 KiB", long.as_str()),
    ] {
        let (command, stdin) = ours(command);
        subjects.push(Subject { name: name.to_owned(), command, stdin, took: Vec::new() });
    }
    let others: [(&str, &[&str]); 2] =
        [("python3 -c pass", &["python3", "-c", "pass"]), ("node -e 0", &["node", "-e", "0"])];
    for (name, command) in others {
        if found(command[0]).is_some() {
            subjects.push(subject(name, command, ""));
        }
    }
    subjects.extend(peers());
    for round in 0..RUNS + RUNS / 10 {
        for subject in &mut subjects {
            // Slow programs need fewer runs to be told apart from fast ones.
            if subject.took.len() > 30 && subject.took[30] > Duration::from_millis(15) && round % 10 != 0 {
                continue;
            }
            let took = run(subject);
            if round >= RUNS / 10 {
                subject.took.push(took);
            }
        }
    }
    let table = table(&mut subjects);
    println!("{table}");
    if let Some(page) = std::env::var_os("FOURSEAM_BENCH_PAGE") {
        write_page(Path::new(&page), &table);
    }
    std::fs::remove_dir_all(&home).unwrap();
}

/// A program that does nothing, made by the same compiler.
fn empty_program(folder: &Path) -> PathBuf {
    let source = folder.join("empty.rs");
    std::fs::write(&source, "fn main() {}").unwrap();
    let program = folder.join("empty");
    let compiled = Command::new("rustc").args(["-O", "-o"]).arg(&program).arg(&source).status().unwrap();
    assert!(compiled.success(), "rustc cannot compile an empty program");
    program
}

/// Guards of others that take the same payload on standard input.
fn peers() -> Vec<Subject> {
    let git_status = payload("git status");
    let known: [(&str, &[&str]); 3] = [
        ("cc-safety-net (npm)", &["cc-safety-net", "hook", "--claude-code"]),
        ("nah (PyPI)", &["nah", "hook"]),
        ("destructive_command_guard (crates.io)", &["dcg"]),
    ];
    known
        .into_iter()
        .filter_map(|(name, command)| {
            let path = found(command[0])?;
            let words: Vec<&str> = std::iter::once(path.to_str()?).chain(command[1..].iter().copied()).collect();
            Some(subject(name, &words, &git_status))
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

fn run(subject: &Subject) -> Duration {
    let started = Instant::now();
    let mut child = Command::new(&subject.command[0])
        .args(&subject.command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(subject.stdin.as_bytes());
    child.wait().unwrap();
    started.elapsed()
}

fn table(subjects: &mut [Subject]) -> String {
    let at = |took: &[Duration], share: usize| took[(took.len() * share / 100).min(took.len() - 1)];
    subjects.iter_mut().for_each(|subject| subject.took.sort_unstable());
    let base = at(&subjects[0].took, 50).as_secs_f64();
    let mut table = String::from("| process | p50 | p95 | times an empty process (p50) |\n|---|---|---|---|\n");
    for Subject { name, took, .. } in subjects.iter() {
        let (p50, p95) = (at(took, 50).as_secs_f64(), at(took, 95).as_secs_f64());
        let _ = writeln!(table, "| {name} | {:.2} ms | {:.2} ms | {:.1} |", p50 * 1e3, p95 * 1e3, p50 / base);
    }
    table
}

/// Puts the table between the marks of the page.
fn write_page(page: &Path, table: &str) {
    const MARKS: [&str; 2] = ["<!-- processes -->\n", "<!-- end -->\n"];
    let text = std::fs::read_to_string(page).unwrap();
    let (before, rest) = text.split_once(MARKS[0]).unwrap();
    let (_, after) = rest.split_once(MARKS[1]).unwrap();
    std::fs::write(page, format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1])).unwrap();
}
