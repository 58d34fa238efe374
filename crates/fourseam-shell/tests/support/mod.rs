//! Helpers of the tests: programs of a script, data files, a shared folder that need not exist.
#![allow(dead_code, unreachable_pub, clippy::panic, clippy::print_stdout, reason = "every test file uses a part")]

use fourseam_shell::{Command, Frame, Scope, Script, parse};
use std::path::PathBuf;

/// The scope most tests start from.
pub fn scope() -> Scope {
    Scope::default().with_cwd("/home/ana/project").with_variable("HOME", "/home/ana")
}

/// Reads a text in the usual scope.
pub fn read(text: &str) -> Script {
    parse(text, &scope())
}

/// Program words, in order; unknown parts as written.
pub fn programs(script: &Script) -> Vec<String> {
    script.commands.iter().filter_map(|command| command.words.first()).map(|word| word.text()).collect()
}

/// Every command as one line of text.
pub fn lines(script: &Script) -> Vec<String> {
    script.commands.iter().map(line).collect()
}

/// Words of a command with blanks between them; words that hold blanks in brackets.
pub fn line(command: &Command) -> String {
    let shown =
        |text: String| if text.is_empty() || text.contains(char::is_whitespace) { format!("[{text}]") } else { text };
    command.words.iter().map(|word| shown(word.text())).collect::<Vec<_>>().join(" ")
}

/// Commands that stand in the text itself, not in a text that `eval`, `trap` or an alias runs.
pub fn written(script: &Script) -> impl Iterator<Item = &Command> {
    let made = |frame: &Frame| matches!(frame, Frame::Eval | Frame::Trap | Frame::Alias(_));
    script.commands.iter().filter(move |command| !command.inside.iter().any(made))
}

/// A file of the shared material, if it is there. `FOURSEAM_SHARED` names its folder.
pub fn shared(path: &str) -> Option<String> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = std::env::var_os("FOURSEAM_SHARED").map(PathBuf::from).into_iter().collect();
    folders.extend(["../../../shared", "../../shared", "../../../../shared"].map(|folder| here.join(folder)));
    let found = folders.iter().find_map(|folder| std::fs::read_to_string(folder.join(path)).ok());
    if found.is_none() {
        println!("skipped: `{path}` of the shared material is not here");
    }
    found
}

/// The lines of a JSONL text.
pub fn jsonl(text: &str) -> Vec<serde_json::Value> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Whether `bash -n` takes a text; `None` without bash.
pub fn bash_accepts(text: &str) -> Option<bool> {
    let output = std::process::Command::new("bash").args(["-n", "-c", "--", text]).output().ok()?;
    Some(output.status.success())
}
