//! One command, hidden in many ways, is read as what it is.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests may panic"
)]

mod support;

use support::{jsonl, lines, read};

/// Every text of the list runs `wipe -rf /`.
#[test]
fn hidden_in_plain_sight() {
    let mut lost = Vec::new();
    for case in jsonl(include_str!("data/found.jsonl")) {
        let text = case["text"].as_str().unwrap();
        let script = read(text);
        let lines = lines(&script);
        if !lines.iter().any(|line| line == "wipe -rf /" || line == "/usr/bin/wipe -rf /") {
            lost.push(format!("{text:?}: {lines:?} {:?}", script.opaque));
        }
    }
    assert!(lost.is_empty(), "{}\n{}", lost.len(), lost.join("\n"));
}

/// No text of the list runs `wipe`: there it is data, a comment or a name.
#[test]
fn data_is_not_code() {
    let mut wrong = Vec::new();
    for case in jsonl(include_str!("data/data.jsonl")) {
        let text = case["text"].as_str().unwrap();
        let script = read(text);
        let runs =
            lines(&script).iter().any(|line| line.split(' ').next().is_some_and(|program| program.ends_with("wipe")));
        if runs || !script.opaque.is_empty() {
            wrong.push(format!("{text:?}: {:?} {:?}", lines(&script), script.opaque));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// In every text of the list something cannot be known, and that is said.
#[test]
fn what_is_not_known_is_said() {
    let mut silent = Vec::new();
    for case in jsonl(include_str!("data/opaque.jsonl")) {
        let text = case["text"].as_str().unwrap();
        let script = read(text);
        if script.opaque.is_empty() {
            silent.push(format!("{text:?}: {:?}", lines(&script)));
        }
    }
    assert!(silent.is_empty(), "{}\n{}", silent.len(), silent.join("\n"));
}
