//! The cases of `tests/code/*.jsonl`: what a text in a language does, or that it stays silent.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, missing_docs, reason = "tests may panic")]

use fourseam_core::analysis::{EffectKind, SqlClass};
use fourseam_core::code::{Act, Language, Reading, read};
use serde::Deserialize;
use std::path::Path;

/// One case: either `acts` (each must be the beginning of an act or unknown as written) or `silent`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    language: Language,
    text: String,
    #[serde(default)]
    acts: Vec<String>,
    /// Begins of lines that must not be there.
    #[serde(default)]
    not: Vec<String>,
    #[serde(default)]
    silent: bool,
    /// The reason why the case is not met yet. It must fail.
    #[serde(default)]
    gap: Option<String>,
}

#[test]
fn code_is_read_as_the_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in files {
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{}:{}", file.file_name().unwrap().to_string_lossy(), number + 1);
            let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            count += 1;
            assert!(case.silent == (case.acts.is_empty() && case.not.is_empty()), "{place}: `silent` or `acts`");
            let said = lines(&read(case.language, &case.text));
            let failure = failure(&case, &said);
            match (&case.gap, failure) {
                (None, Some(failure)) => wrong.push(format!("{place}: {failure}\n  {}\n  said: {said:#?}", case.text)),
                (Some(_), None) => wrong.push(format!("{place}: the gap is closed; drop `gap`\n  {}", case.text)),
                (None, None) | (Some(_), Some(_)) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn failure(case: &Case, said: &[String]) -> Option<String> {
    if case.silent {
        return said.iter().any(|line| !line.starts_with("(")).then(|| "should be silent".to_owned());
    }
    let begins = |want: &String| said.iter().any(|line| line.trim_start_matches('(').starts_with(want.as_str()));
    let missing: Vec<_> = case.acts.iter().filter(|want| !begins(want)).collect();
    let present: Vec<_> = case.not.iter().filter(|want| begins(want)).collect();
    (!missing.is_empty() || !present.is_empty()).then(|| format!("missing {missing:?}, unwanted {present:?}"))
}

/// Acts and unknowns as lines; harmless reads begin with `(`.
fn lines(reading: &Reading) -> Vec<String> {
    let mut lines: Vec<String> = reading
        .acts
        .iter()
        .map(|act| match act {
            Act::Sql { class: SqlClass::Read, .. } | Act::Effect { kind: EffectKind::Read, .. } => format!("({act}"),
            Act::Effect { .. } | Act::Sql { .. } | Act::Shell { .. } | Act::Command { .. } | Act::Code { .. } => {
                act.to_string()
            }
        })
        .collect();
    for (class, text) in &reading.unknowns {
        let class = serde_json::to_value(class).unwrap();
        lines.push(format!("unknown {} {text}", class.as_str().unwrap()));
    }
    lines
}
