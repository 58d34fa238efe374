//! Properties of every script: quoted it is data, wrapped it keeps every command.
//!
//! `PROPTEST_CASES` sets how many are tried.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod support;

use proptest::prelude::*;
use std::collections::BTreeMap;
use support::{lines, programs, read};

/// A script whose programs all begin with `run-`.
fn script() -> impl Strategy<Value = String> {
    let program = prop::sample::select(vec!["run-a", "run-b", "run-c", "run-d"]);
    let word = prop_oneof![
        "[a-z0-9./-]{1,6}",
        "'[a-z $`\"(){};|&<>#*!-]{0,10}'",
        "\"[a-z (){};|&<>#*'-]{0,10}\"",
        Just("$X".to_owned()),
        Just("\"${X:-y}\"".to_owned()),
        Just("\\;".to_owned()),
        Just("{p,q}".to_owned()),
        Just("$'\\x41\\''".to_owned()),
        Just("*.txt".to_owned()),
    ];
    let command = (program, prop::collection::vec(word, 0..4))
        .prop_map(|(program, words)| format!("{program} {}", words.join(" ")));
    command.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("{one}; {two}")),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("{one} && {two}")),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("{one} || {two}")),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("{{ {one}; }} | ( {two} )")),
            inner.clone().prop_map(|one| format!("run-e \"$({one})\"")),
            inner.clone().prop_map(|one| format!("run-f <( {one} ) > out")),
            inner.clone().prop_map(|one| format!("X=1; {one}")),
            inner.clone().prop_map(|one| format!("if {one}; then run-g; else {one}; fi")),
            inner.clone().prop_map(|one| format!("for i in 1 2; do {one}; done")),
            inner.clone().prop_map(|one| format!("while {one}; do run-h $i; done 2> /dev/null")),
            inner.clone().prop_map(|one| format!("case $X in a|b) {one};; *) run-i;; esac")),
            inner.clone().prop_map(|one| format!("g() {{ {one}; }}; g")),
            inner.prop_map(|one| format!("{{ ! {one} & }}")),
        ]
    })
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Every command with how often it stands there.
fn counted(lines: Vec<String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn quoted_scripts_are_data(text in script()) {
        let text = text.as_str();
        let wholes = [
            format!("printf %s {}", quoted(text)),
            format!("git commit -m {}", quoted(text)),
            format!("cat > notes.txt <<'END-OF-TEXT'\n{text}\nEND-OF-TEXT\n"),
            format!("tee -a log <<\"END-OF-TEXT\"\n{text}\nEND-OF-TEXT"),
            format!("true # {}", text.replace('\n', " ")),
            format!("X={}; echo \"$X\"", quoted(text)),
            format!("grep -F {} file | wc -l", quoted(text)),
        ];
        for whole in wholes {
            let script = read(&whole);
            prop_assert!(script.opaque.is_empty(), "{:?} in {whole:?}", script.opaque);
            for program in programs(&script) {
                prop_assert!(!program.starts_with("run-"), "{program} in {whole:?}");
            }
        }
    }

    #[test]
    fn wrapped_scripts_keep_every_command(text in script()) {
        let before = read(&text);
        let bare = counted(lines(&before).into_iter().filter(|line| line.starts_with("run-")).collect());
        let wholes = [
            format!("( {text}\n)"),
            format!("{{ {text}\n}}"),
            format!("wrapped() {{ {text}\n}}; wrapped"),
            format!("wrapped() {{ {text}\n}}"),
            format!("for each in once; do {text}\ndone"),
            format!("while true; do {text}\ndone"),
            format!("if true; then {text}\nfi"),
            format!("if false; then {text}\nfi"),
            format!("case a in b) {text}\n;; esac"),
            format!("false || {{ {text}\n}}"),
            format!("echo \"$( {text}\n)\""),
            format!("cat <( {text}\n)"),
            format!("echo ${{nothing:-$( {text}\n)}}"),
            format!("cat <<END-OF-TEXT\n$( {text}\n)\nEND-OF-TEXT"),
            format!("eval {}", quoted(&text)),
            format!("trap {} EXIT", quoted(&text)),
            format!("coproc {{ {text}\n}}"),
            format!("echo start; {text}\necho end"),
            format!("! {{ {text}\n}} &"),
            format!("source /dev/stdin <<'END-OF-TEXT'\n{text}\nEND-OF-TEXT"),
            // What cannot be read does not hide what can.
            format!("{text}\nif then\n"),
            format!("echo \"open\n\" ; )\n{text}"),
        ];
        for whole in wholes {
            let after = counted(lines(&read(&whole)));
            for (line, count) in &bare {
                let kept = after.get(line).copied().unwrap_or_default();
                // A way that is known not to run may be written down less often, but is never lost.
                prop_assert!(kept > 0, "{line:?} ({count} times) is lost in {whole:?}: {after:#?}");
            }
        }
    }

    #[test]
    fn spans_slice_back(text in script()) {
        let script = read(&text);
        for command in &script.commands {
            let slice = text.get(command.span.start as usize..command.span.end as usize);
            prop_assert!(slice.is_some_and(|slice| !slice.is_empty()), "{:?} of {text:?}", command.span);
            for word in &command.words {
                prop_assert!(text.get(word.span.start as usize..word.span.end as usize).is_some(), "{:?} of {text:?}", word.span);
            }
        }
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}") {
        let _ = read(&text);
    }

    #[test]
    fn any_shell_like_text_is_read(text in prop::collection::vec(prop::sample::select(TOKENS.to_vec()), 0..40)) {
        let _ = read(&text.concat());
    }
}

/// What breaks shell text.
const TOKENS: [&str; 64] = [
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
    "\n",
    " ",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "<",
    ">",
    "<<E",
    "E\n",
    "<<-E",
    "<<<",
    "<(",
    ">(",
    "if ",
    "then ",
    "fi ",
    "do ",
    "done ",
    "case ",
    "esac ",
    " in ",
    "{ ",
    "} ",
    "[[ ",
    "]] ",
    "for ",
    "while ",
    "function ",
    "f() ",
    "!",
    "#",
    "*",
    "~",
    "{a,b}",
    "{1..5}",
    "=",
    "x=",
    "a=(",
    "[",
    "]",
    "$x",
    "$@",
    "${x:-",
    "${x#",
    "${!x",
    "eval ",
    "rm ",
    "\u{e9}",
    "\r\n",
    "\0",
];
