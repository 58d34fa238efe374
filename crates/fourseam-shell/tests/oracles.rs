//! Other readers of shell text as oracles: two parsers and `bash -n`. Where they differ, the reason is written down.
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

use fourseam_shell::Why;
use std::collections::BTreeSet;
use support::{bash_accepts, jsonl, programs, read, shared};

/// Texts that other readers take differently, by what is in them, and why they and not we are wrong, or why both may be.
const KNOWN_DIFFERENCES: [(&str, &str); 2] = [
    ("${ ", "bash 5.3 runs `${ cmd; }`; bash 5.2 says it is a bad substitution, and no other reader sees the command"),
    ("time -- ", "the parsers take the end of the options of `time` for a program"),
];

fn known_difference(text: &str) -> bool {
    KNOWN_DIFFERENCES.iter().any(|(part, _)| text.contains(part))
}

/// Programs of plain spelling that `shuck` finds.
fn programs_of_shuck(text: &str) -> Option<BTreeSet<String>> {
    let result = shuck_parser::parser::Parser::new(text).parse();
    if result.is_err() {
        return None;
    }
    let tree = format!("{:?}", result.file.body);
    let heads = tree.split("SimpleCommand { name: Word { parts: [WordPartNode { kind: Literal(").skip(1);
    Some(heads.filter_map(|head| plain_word(head, text)).collect())
}

/// The source of a word that is one plain part.
fn plain_word(head: &str, text: &str) -> Option<String> {
    let (part, after) = head.split_once("} } }]")?;
    if part.contains("WordPartNode") || !after.starts_with(", span") {
        return None;
    }
    let mut offsets = part
        .split("offset: ")
        .skip(1)
        .filter_map(|rest| rest.split(|found: char| !found.is_ascii_digit()).next()?.parse::<usize>().ok());
    let (start, end) = (offsets.next()?, offsets.next()?);
    plain(text.get(start..end)?)
}

/// Programs of plain spelling that `rable` finds.
fn programs_of_rable(text: &str) -> Option<BTreeSet<String>> {
    let nodes = rable::parse(text, true).ok()?;
    let tree = format!("{nodes:?}");
    let heads = tree.split("words: [Node { kind: Word { value: \"").skip(1);
    Some(heads.filter_map(|head| plain(head.split('"').next()?)).collect())
}

fn plain(word: &str) -> Option<String> {
    let fits = |found: char| found.is_ascii_alphanumeric() || "_-./:+".contains(found);
    (!word.is_empty() && word.chars().all(fits)).then(|| word.to_owned())
}

fn texts() -> Vec<String> {
    let own = include_str!("data/texts.jsonl");
    let mut all: Vec<String> = jsonl(own).iter().map(|case| case["text"].as_str().unwrap().to_owned()).collect();
    for (path, pointer) in
        [("shell/scripts.jsonl", "/text"), ("shell/hidden.jsonl", "/text"), ("cases/shell.jsonl", "/input/command")]
    {
        let Some(text) = shared(path) else { continue };
        all.extend(jsonl(&text).iter().filter_map(|case| case.pointer(pointer)?.as_str().map(str::to_owned)));
    }
    all
}

/// Whatever another parser finds is found here too.
#[test]
fn other_parsers_find_nothing_more() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for text in texts() {
        let script = read(&text);
        if script.opaque.iter().any(|opaque| opaque.why != Why::CommandWord) || known_difference(&text) {
            continue;
        }
        let ours: BTreeSet<String> = programs(&script).into_iter().collect();
        for (name, theirs) in [("shuck", programs_of_shuck(&text)), ("rable", programs_of_rable(&text))] {
            let Some(theirs) = theirs else { continue };
            compared += 1;
            let missing: Vec<_> = theirs.difference(&ours).collect();
            if !missing.is_empty() {
                wrong.push(format!("{name} finds {missing:?} in {text:?}, here {ours:?}"));
            }
        }
    }
    println!("{compared} comparisons");
    assert!(compared > 60, "only {compared} comparisons");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// A text that bash refuses is noted as a fault, and one that it takes is not.
#[test]
fn bash_and_the_reader_agree_on_syntax() {
    let mut wrong = Vec::new();
    for text in texts() {
        let Some(accepted) = bash_accepts(&text) else { return };
        if known_difference(&text) || text.contains('\0') {
            continue;
        }
        let script = read(&text);
        let faulty = script.opaque.iter().any(|opaque| matches!(opaque.why, Why::Syntax | Why::Limit | Why::Residue));
        if accepted && faulty {
            wrong.push(format!("bash takes, refused here: {text:?}: {:?}", script.opaque));
        }
        if !accepted && !faulty && !is_leniency(&text) {
            wrong.push(format!("bash refuses, taken here: {text:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// What is taken here though bash refuses it: `extglob` patterns, which it takes once an option is set, maybe in the same
/// text.
fn is_leniency(text: &str) -> bool {
    ["!(", "@(", "+(", "*(", "?("].iter().any(|pattern| text.contains(pattern))
}
