//! What a command changes in the environment of those after it. Names and values only; what they mean is the business of
//! program knowledge.

use fourseam_shell::{Command, Word};

/// Variables that are in every environment, so that a plain assignment reaches the commands after it.
const ALWAYS_THERE: [&str; 2] = ["HOME", "PATH"];

/// Variables that a command exports, or takes out of the environment: those with an empty value.
pub(super) fn exports(command: &Command) -> Vec<(String, Word)> {
    let Some((first, rest)) = command.words.split_first() else {
        let plain = command.assignments.iter().filter(|assignment| ALWAYS_THERE.contains(&assignment.name.as_str()));
        return plain.map(|assignment| (assignment.name.clone(), assignment.value.clone())).collect();
    };
    let words = || rest.iter().filter(|word| !word.known_prefix().starts_with('-'));
    match first.literal() {
        Some("export" | "declare" | "typeset" | "readonly") => words().filter_map(named).collect(),
        Some("unset") => words().map(|word| (word.text(), Word::default())).collect(),
        // csh and fish: the name and the value are words of their own.
        Some("setenv") => pair(words()).into_iter().collect(),
        Some("set") if rest.iter().any(|word| is_fish_export(word.known_prefix())) => {
            pair(words()).into_iter().collect()
        }
        Some(_) | None => Vec::new(),
    }
}

/// `NAME=value`.
fn named(word: &Word) -> Option<(String, Word)> {
    let (name, _) = word.known_prefix().split_once('=')?;
    Some((name.to_owned(), super::reading::tail(word, name.len() + 1)))
}

fn pair<'w>(mut words: impl Iterator<Item = &'w Word>) -> Option<(String, Word)> {
    Some((words.next()?.text(), words.next().cloned().unwrap_or_default()))
}

/// `-x`, alone or among other letters, or `--export`.
fn is_fish_export(option: &str) -> bool {
    option == "--export"
        || option.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains('x'))
}
