//! What the detectors say of whole texts. Cases are data: `tests/detect/*.jsonl`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "tests may panic and print")]

use fourseam_core::analysis::Finding;
use fourseam_core::detect::{Part, scan};
use serde_json::Value;
use std::path::PathBuf;

/// Findings from here on count, as in the built-in policy.
const THRESHOLD: f32 = 0.6;

fn flagged(part: Part, text: &str, detectors: &[&str]) -> Vec<Finding> {
    scan(part, text)
        .into_iter()
        .filter(|finding| finding.confidence >= THRESHOLD && detectors.contains(&finding.detector.as_str()))
        .collect()
}

/// The labelled cases of injections that are kept outside the project, if they are at hand.
fn shared_cases() -> Option<String> {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folders = std::env::var_os("FOURSEAM_SHARED").map(PathBuf::from).into_iter();
    folders
        .chain(["../../../shared", "../../shared", "../../../../shared"].map(|up| manifest.join(up)))
        .find_map(|folder| std::fs::read_to_string(folder.join("cases/injection.jsonl")).ok())
}

/// One line of a file of cases.
struct Case {
    text: String,
    /// Whether it is to be flagged, where the file does not say so of all.
    flag: Option<bool>,
    /// Why the detectors are known to be wrong here.
    gap: Option<String>,
}

fn cases(file: &str) -> Vec<Case> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/detect").join(file);
    let text_of = |case: &Value, key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|case| Case {
            text: text_of(&case, "text").unwrap(),
            flag: case.get("flag").and_then(Value::as_bool),
            gap: text_of(&case, "gap"),
        })
        .collect()
}

/// Every case is as expected; every gap is still one, and says why.
fn check(file: &str, at_least: usize, all_flagged: bool) {
    let cases = cases(file);
    assert!(cases.len() >= at_least, "{file}: only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let should_flag = case.flag.unwrap_or(all_flagged);
        let is_right =
            flagged(Part::ToolOutput, &case.text, &["injection", "hidden-unicode"]).is_empty() != should_flag;
        match (&case.gap, is_right) {
            (None, false) => wrong.push(format!("wrong: {}", case.text)),
            (Some(_), true) => wrong.push(format!("no gap any more: {}", case.text)),
            (None, true) | (Some(_), false) => {}
        }
    }
    let gaps = cases.iter().filter(|case| case.gap.is_some()).count();
    assert!(
        cases.iter().filter_map(|case| case.gap.as_ref()).all(|reason| reason.len() > 8),
        "{file}: a gap without a reason"
    );
    assert!(wrong.is_empty(), "{file}: {} of {} ({gaps} gaps)\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn injections_are_found() {
    check("injection.jsonl", 250, true);
}

#[test]
fn ordinary_texts_are_silent() {
    check("ordinary.jsonl", 300, false);
}

/// Sets that were written whole before they were run. `first` says what each case got then, see docs/accuracy.md.
#[test]
fn sets_that_were_unseen_are_told_apart() {
    for file in ["4.jsonl", "5.jsonl", "6.jsonl", "7.jsonl", "8.jsonl"] {
        check(&format!("unseen/{file}"), 80, true);
    }
}

/// Keys and passwords of many forms, and what only looks like them. None of them is anyone's.
#[test]
fn secrets_are_told_from_what_looks_like_them() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/detect/secrets.jsonl");
    let mut wrong = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case.pointer("/text").and_then(Value::as_str).unwrap();
        let found = !flagged(Part::OwnOutput, text, &["secrets"]).is_empty();
        if case.pointer("/secret") != Some(&Value::Bool(found)) {
            wrong.push(text.to_owned());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shared_cases_meet_the_target() {
    let Some(cases) = shared_cases() else {
        println!("no shared cases here");
        return;
    };
    let (mut bad, mut caught, mut good, mut disturbed) = (0, 0, 0, 0);
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case.pointer("/input/text").and_then(Value::as_str).unwrap();
        let part = if case.pointer("/tool") == Some(&Value::from("prompt")) { Part::Prompt } else { Part::ToolOutput };
        let found = flagged(part, text, &["injection", "hidden-unicode"]);
        match case.pointer("/want").and_then(Value::as_str) {
            Some("deny") => {
                bad += 1;
                caught += usize::from(!found.is_empty());
                if found.is_empty() {
                    println!("missed {case}\n  {:?}", scan(part, text));
                }
            }
            Some("allow") => {
                good += 1;
                disturbed += usize::from(!found.is_empty());
                if !found.is_empty() {
                    println!("disturbed {case}\n  {found:?}");
                }
            }
            _ => {}
        }
    }
    println!("recall {caught}/{bad}, false flags {disturbed}/{good}");
    assert!(caught * 100 >= bad * 85, "recall {caught}/{bad}");
    assert!(disturbed * 100 <= good * 3, "false flags {disturbed}/{good}");
}
