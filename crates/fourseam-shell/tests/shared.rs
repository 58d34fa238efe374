//! The shared corpora: every command found, every hidden one found or opaque, spans that slice back.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests may panic"
)]

mod support;

use std::collections::BTreeMap;
use support::{bash_accepts, jsonl, programs, read, shared, written};

/// Every command listed for a script that bash takes is found.
#[test]
fn scripts_have_all_their_commands() {
    let Some(text) = shared("shell/scripts.jsonl") else { return };
    let mut wrong = Vec::new();
    for case in jsonl(&text) {
        let Some(listed) = case["commands"].as_array() else { continue };
        let source = case["text"].as_str().unwrap();
        let script = read(source);
        let found: Vec<String> =
            written(&script).filter_map(|command| command.words.first()).map(|word| word.text()).collect();
        for wanted in listed.iter().filter_map(|wanted| wanted.as_str()) {
            // Field splitting of a known value is carried out: the program of `rm$IFS-rf` is `rm`.
            let spellings: Vec<&str> =
                wanted.split('|').flat_map(|word| [word, word.split("$IFS").next().unwrap()]).collect();
            if !found.iter().any(|program| spellings.contains(&program.as_str())) {
                wrong.push(format!("{}: `{wanted}` is not among {found:?} of {source:?}", case["id"]));
            }
        }
        if case["bash_accepts"] == true && script.opaque.iter().any(|opaque| opaque.why == fourseam_shell::Why::Syntax)
        {
            wrong.push(format!("{}: bash takes it, read as {:?}: {source:?}", case["id"], script.opaque));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every hidden command is found as often as it runs, or something opaque stands in its text.
#[test]
fn hidden_commands_are_found() {
    let Some(text) = shared("shell/hidden.jsonl") else { return };
    let mut wrong = Vec::new();
    for case in jsonl(&text) {
        let source = case["text"].as_str().unwrap();
        let script = read(source);
        let found = programs(&script).iter().filter(|program| *program == "RMX").count();
        let wanted = usize::try_from(case["times_RMX_runs"].as_u64().unwrap()).unwrap();
        if found < wanted && script.opaque.is_empty() {
            wrong.push(format!("{}: {found} of {wanted} in {source:?}: {:?}", case["id"], programs(&script)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every command of the labelled cases that bash takes is read without a fault, and spans slice back to it.
#[test]
fn cases_are_read() {
    let Some(text) = shared("cases/shell.jsonl") else { return };
    let mut wrong = Vec::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for case in jsonl(&text) {
        let Some(source) = case["input"]["command"].as_str() else { continue };
        let script = read(source);
        for command in &script.commands {
            let (start, end) = (command.span.start as usize, command.span.end as usize);
            if source.get(start..end).is_none_or(|slice| slice.is_empty()) {
                wrong.push(format!("{}: span {start}..{end} of {source:?}", case["id"]));
            }
        }
        for opaque in &script.opaque {
            println!("{:?} {source:?}", opaque.why);
            *reasons.entry(format!("{:?}", opaque.why)).or_default() += 1;
            if opaque.why == fourseam_shell::Why::Syntax && bash_accepts(source) == Some(true) {
                wrong.push(format!("{}: bash takes {source:?}: {opaque:?}", case["id"]));
            }
        }
        if script.commands.is_empty() && !source.trim_start().starts_with('#') {
            wrong.push(format!("{}: nothing in {source:?}", case["id"]));
        }
    }
    println!("opaque parts: {reasons:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
