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
