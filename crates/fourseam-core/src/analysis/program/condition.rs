//! Conditions of program data: which options and arguments an invocation has. Parsed from text when the data is
//! compiled; see `fourseam-packs/programs/README.md` for the grammar.

use super::Role;
use super::notation;
use serde::{Deserialize, Serialize};

/// When something holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Condition {
    /// Never.
    #[default]
    Never,
    /// Always.
    Always,
    /// Is there at all.
    Has(Reference),
    /// One of its values matches.
    Is(Reference, Glob),
    /// Something is fed to standard input.
    Stdin,
    /// The program was called by this name.
    CalledAs(String),
    /// The opposite.
    Not(Box<Condition>),
    /// Every one.
    All(Vec<Condition>),
    /// At least one.
    Any(Vec<Condition>),
}

/// What a condition or selection refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reference {
    /// An option, by its canonical spelling.
    Option(String),
    /// The positional argument of this number, from 1.
    Arg(u8),
    /// Every positional argument.
    AnyArg,
    /// Arguments and option values of a role.
    Role(Role),
    /// Positional arguments of a name.
    Name(String),
    /// A variable that is set in front of the command or exported before.
    Variable(String),
    /// A fixed text.
    Literal(String),
    /// The words of the subcommand, as told, with blanks between them.
    Subcommand,
}

/// A text pattern: `*`, `?`, `\*` for a star itself, and alternatives split by `|`. Always on the whole text; case
/// counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glob(pub String);

impl Glob {
    /// Whether the whole text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.0.split('|').any(|pattern| matches_one(pattern.as_bytes(), text.as_bytes()))
    }
}

/// Whether `text` matches `pattern` with `*` and `?`. Linear apart from the last star.
fn matches_one(mut pattern: &[u8], mut text: &[u8]) -> bool {
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (Some((b'\\', [b'*', rest @ ..])), Some((b'*', text_rest))) => {
                pattern = rest;
                text = text_rest;
            }
            (Some((b'*', rest)), _) => {
                retry = Some((rest, text));
                pattern = rest;
            }
            (Some((wanted, pattern_rest)), Some((byte, text_rest))) if *wanted == b'?' || wanted == byte => {
                pattern = pattern_rest;
                text = text_rest;
            }
            (None, None) => return true,
            _ => {
                let Some((star, from)) = retry else { return false };
                let Some((_, shorter)) = from.split_first() else { return false };
                retry = Some((star, shorter));
                pattern = star;
                text = shorter;
            }
        }
    }
}

impl Condition {
    /// Parses `--force and not (--dry-run or refspec = +*)`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.trim() {
            "true" | "always" => return Ok(Self::Always),
            "false" | "never" | "" => return Ok(Self::Never),
            _ => {}
        }
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens };
        let condition = parser.any()?;
        match parser.tokens.first() {
            None => Ok(condition),
            Some(token) => Err(format!("`{token}` is not expected here in the condition `{text}`")),
        }
    }

    /// Everything the condition refers to.
    pub fn references(&self, found: &mut Vec<Reference>) {
        match self {
            Self::Never | Self::Always | Self::Stdin | Self::CalledAs(_) => {}
            Self::Has(reference) | Self::Is(reference, _) => found.push(reference.clone()),
            Self::Not(inner) => inner.references(found),
            Self::All(all) | Self::Any(all) => all.iter().for_each(|inner| inner.references(found)),
        }
    }
}

impl Reference {
    /// Parses one word: `--force`, `arg1`, `arg`, `sub`, `env.NAME`, a role, or a name.
    ///
    /// # Errors
    /// What is wrong with the word.
    pub fn parse(word: &str) -> Result<Self, String> {
        if word.starts_with(['-', '+', '/']) {
            return Ok(Self::Option(word.to_owned()));
        }
        if let Some(name) = word.strip_prefix("env.") {
            return Ok(Self::Variable(name.to_owned()));
        }
        if let Some(text) = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            return Ok(Self::Literal(text.to_owned()));
        }
        if word == "sub" {
            return Ok(Self::Subcommand);
        }
        if word == "arg" {
            return Ok(Self::AnyArg);
        }
        if let Some(number) = word.strip_prefix("arg").and_then(|digits| digits.parse().ok()) {
            return Ok(Self::Arg(number));
        }
        if let Ok(role) = notation::role(word) {
            return Ok(Self::Role(role));
        }
        let is_name = word.chars().all(|character| character.is_ascii_alphanumeric() || "-_=".contains(character));
        if is_name { Ok(Self::Name(word.to_owned())) } else { Err(format!("`{word}` is neither an option nor a name")) }
    }
}

struct Parser<'a> {
    tokens: &'a [String],
}

impl Parser<'_> {
    fn take(&mut self, wanted: &str) -> bool {
        match self.tokens.split_first() {
            Some((first, rest)) if first == wanted => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn next(&mut self) -> Result<&str, String> {
        let (first, rest) = self.tokens.split_first().ok_or("the condition ends too early")?;
        self.tokens = rest;
        Ok(first)
    }

    fn any(&mut self) -> Result<Condition, String> {
        let mut parts = vec![self.all()?];
        while self.take("or") {
            parts.push(self.all()?);
        }
        Ok(single_or(parts, Condition::Any))
    }

    fn all(&mut self) -> Result<Condition, String> {
        let mut parts = vec![self.one()?];
        while self.take("and") {
            parts.push(self.one()?);
        }
        Ok(single_or(parts, Condition::All))
    }

    fn one(&mut self) -> Result<Condition, String> {
        if self.take("not") {
            return Ok(Condition::Not(Box::new(self.one()?)));
        }
        if self.take("(") {
            let inner = self.any()?;
            return if self.take(")") { Ok(inner) } else { Err("`)` is missing in the condition".to_owned()) };
        }
        let word = self.next()?.to_owned();
        if word == "stdin" {
            return Ok(Condition::Stdin);
        }
        if word == "called" {
            self.take("=");
            return Ok(Condition::CalledAs(self.next()?.to_owned()));
        }
        let reference = Reference::parse(&word)?;
        if self.take("=") {
            let pattern = self.next()?.trim_matches('\'').to_owned();
            return Ok(Condition::Is(reference, Glob(pattern)));
        }
        Ok(Condition::Has(reference))
    }
}

fn single_or(mut parts: Vec<Condition>, combine: fn(Vec<Condition>) -> Condition) -> Condition {
    match parts.len() {
        1 => parts.pop().unwrap_or_default(),
        _ => combine(parts),
    }
}

/// Words, split at blanks; parentheses stand alone, and quotes hold a word together.
pub(super) fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '\'' => {
                quoted = !quoted;
                word.push(character);
            }
            _ if quoted => word.push(character),
            ' ' | '\n' | '\t' | '(' | ')' => {
                if !word.is_empty() {
                    tokens.push(std::mem::take(&mut word));
                }
                if matches!(character, '(' | ')') {
                    tokens.push(character.to_string());
                }
            }
            _ => word.push(character),
        }
    }
    if quoted {
        return Err(format!("a `'` is not closed in `{text}`"));
    }
    if !word.is_empty() {
        tokens.push(word);
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]
    use super::*;

    #[test]
    fn globs_match_whole_texts() {
        for (pattern, text, wanted) in [
            ("+*", "+main", true),
            ("+*", "main", false),
            ("a|b*", "bc", true),
            ("*.git", "x.git", true),
            ("a*b*c", "a1b2b3c", true),
            ("a?c", "ac", false),
            (r"*\**", "a*b", true),
            (r"*\**", "ab", false),
            ("", "", true),
            ("", "x", false),
        ] {
            assert_eq!(Glob(pattern.to_owned()).matches(text), wanted, "{pattern} on {text}");
        }
    }

    #[test]
    fn conditions_bind_and_before_or() {
        let parsed = Condition::parse("-f or --hard and not (arg1 = 'a b' or stdin)").unwrap();
        let Condition::Any(parts) = parsed else { panic!("not an any") };
        assert_eq!(parts.len(), 2);
        assert!(Condition::parse("-f or").is_err());
        assert!(Condition::parse("-f -g").is_err());
        assert!(Condition::parse("(-f").is_err());
    }
}
