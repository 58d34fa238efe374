//! What is wrong with a policy, told with file, line, column, excerpt and advice.

use super::source::Source;
use std::fmt;

/// One thing that is wrong, or odd, in a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub level: Level,
    /// Kind of problem, kebab-case, stable (`unknown-key`).
    pub code: &'static str,
    /// File name as given in the source.
    pub file: String,
    /// Where.
    pub place: Place,
    /// Rule it belongs to.
    pub rule: Option<String>,
    /// What is wrong: lower case, user's words in backticks.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The line of the file.
    pub excerpt: String,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The policy works, but perhaps not as meant.
    Warning,
    /// The part is not in force.
    Error,
}

/// A place in a file. Lines and columns count from 1; 0 means not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column, in characters.
    pub column: u32,
    /// How many characters to underline.
    pub length: u32,
}

impl Level {
    /// The word shown in front of a message.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Diagnostic {
    /// A problem at a place of a file, with nothing said yet.
    pub(super) fn of_source(source: &Source<'_>, level: Level, code: &'static str, place: Place) -> Self {
        let line = usize::try_from(place.line).ok().and_then(|line| line.checked_sub(1));
        let excerpt = line.and_then(|line| source.text.lines().nth(line)).unwrap_or_default().to_owned();
        let (rule, message, help) = (None, String::new(), None);
        Self { level, code, file: source.file.to_owned(), place, rule, message, help, excerpt }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: policy `{}`", self.level.word(), self.file)?;
        if let Some(rule) = &self.rule {
            write!(f, ": rule `{rule}`")?;
        }
        write!(f, ": {} [{}]", self.message, self.code)?;
        let Place { line, column, length } = self.place;
        if line > 0 {
            let number = line.to_string();
            let margin = " ".repeat(number.len());
            write!(f, "\n{margin}--> {}:{line}:{column}", self.file)?;
            if !self.excerpt.trim().is_empty() {
                let before = usize::try_from(column.saturating_sub(1)).unwrap_or(0);
                let rest = self.excerpt.chars().count().saturating_sub(before).max(1);
                let carets = "^".repeat(usize::try_from(length).unwrap_or(1).clamp(1, rest));
                write!(f, "\n{number} | {}\n{margin} | {}{carets}", self.excerpt, " ".repeat(before))?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

/// The entry of `known` that a mistyped `word` most likely means, if one is near enough.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| (distance(&word.to_lowercase(), candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance, a swap of neighbours counted as one, `_` and `-` as the same.
fn distance(a: &str, b: &str) -> usize {
    let letter = |c: char| if c == '_' { '-' } else { c };
    let a: Vec<char> = a.chars().map(letter).collect();
    let b: Vec<char> = b.chars().map(letter).collect();
    let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (at(&above, j) + usize::from(x != y)).min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    at(&above, b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_find_their_key() {
        let known = ["when", "unless", "command", "subcommand", "path_class"];
        for (word, want) in [
            ("wen", Some("when")),
            ("whne", Some("when")),
            ("comand", Some("command")),
            ("path-class", Some("path_class")),
            ("xyz", None),
        ] {
            assert_eq!(nearest(word, known), want, "{word}");
        }
    }
}
