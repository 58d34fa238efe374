//! `cmd.exe` text to simple commands and words: `^` escapes, quotes, `%NAME%`, redirects. Knows no command.

use crate::code::{Part, Text};
use std::collections::BTreeMap;

/// How a command is joined to the one in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// After it, or in a block.
    Next,
    /// Reads its output.
    Pipe,
}

/// Splits a line at `&`, `&&`, `||`, `|` and the parentheses of blocks, outside of quotes. Pieces keep their `^`.
pub(super) fn commands(line: &str) -> Vec<(Join, String)> {
    let mut found = Vec::new();
    let mut current = String::new();
    let (mut join, mut quoted, mut depth) = (Join::Next, false, 0usize);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '^' if !quoted => {
                current.push(c);
                current.extend(chars.next());
            }
            '"' => {
                quoted = !quoted;
                current.push(c);
            }
            '&' | '|' | '\n' if !quoted => {
                let pipe = c == '|' && chars.peek() != Some(&'|');
                if c != '\n' {
                    chars.next_if_eq(&c);
                }
                found.push((join, std::mem::take(&mut current)));
                join = if pipe { Join::Pipe } else { Join::Next };
            }
            '(' if !quoted && opens_block(&current) => {
                depth += 1;
                found.push((join, std::mem::take(&mut current)));
                join = Join::Next;
            }
            '(' if !quoted && is_for(&current) => {
                // The set of a `for`.
                current.push(c);
                for c in chars.by_ref() {
                    current.push(c);
                    if c == ')' {
                        break;
                    }
                }
            }
            ')' if !quoted && depth > 0 => {
                depth -= 1;
                found.push((join, std::mem::take(&mut current)));
                join = Join::Next;
            }
            c => current.push(c),
        }
    }
    found.push((join, current));
    found.retain(|(_, command)| !command.trim().is_empty());
    found
}

/// A parenthesis behind this opens a block: at the start, behind `do`, `else` or a condition.
fn opens_block(before: &str) -> bool {
    let trimmed = before.trim();
    trimmed.is_empty()
        || trimmed == "@"
        || ends_with_word(trimmed, "do")
        || ends_with_word(trimmed, "else")
        || starts_with(trimmed, "if ") && !trimmed.ends_with('=')
}

fn is_for(before: &str) -> bool {
    let trimmed = before.trim_start_matches(['@', ' ']);
    starts_with(trimmed, "for ") && ends_with_word(trimmed.trim_end(), "in")
}

/// Both look at the ends alone: what is in front of each parenthesis of a long command is asked about.
fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let Some(at) = text.len().checked_sub(word.len()) else { return false };
    let is_word = text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace));
    is_word && text.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(word))
}

/// A simple command: words and redirects.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) words: Vec<Text>,
    /// Files that are written: append or not.
    pub(super) written: Vec<(bool, Text)>,
    pub(super) read: Vec<Text>,
}

/// Values of variables that the text sets, by upper-case name; loop variables as `%I`.
pub(super) type Variables = BTreeMap<String, Text>;

/// Splits a simple command into words.
pub(super) fn simple(command: &str, variables: &Variables) -> Simple {
    let mut simple = Simple::default();
    let mut target: Option<(char, bool)> = None;
    let mut reader = Reader { rest: command, variables };
    while let Some(token) = reader.token() {
        match token {
            Token::Redirect(c, append) => target = Some((c, append)),
            Token::Word(word) => match target.take() {
                Some(('>', append)) => simple.written.push((append, word)),
                Some(_) => simple.read.push(word),
                None => simple.words.push(word),
            },
        }
    }
    simple
}

enum Token {
    Word(Text),
    Redirect(char, bool),
}

struct Reader<'a> {
    rest: &'a str,
    variables: &'a Variables,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    fn token(&mut self) -> Option<Token> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', ',', ';', '=']);
        let first = self.rest.chars().next()?;
        let numbered = first.is_ascii_digit() && self.rest.get(1..).is_some_and(|rest| rest.starts_with('>'));
        if numbered || matches!(first, '>' | '<') {
            if numbered {
                self.next();
            }
            let c = self.next()?;
            let append = self.rest.starts_with('>');
            self.rest = self.rest.trim_start_matches('>');
            if let Some(rest) = self.rest.strip_prefix('&') {
                self.rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                return self.token();
            }
            return Some(Token::Redirect(c, append));
        }
        let mut word = Text::default();
        let mut quoted = false;
        while let Some(c) = self.rest.chars().next() {
            match c {
                ' ' | '\t' | '\r' | '<' | '>' | ',' | ';' if !quoted => break,
                // `cd\` and `rd/s` need no blank; options end a word that does not hold a colon.
                '/' if !quoted && is_command(&word) => break,
                '"' => {
                    quoted = !quoted;
                    self.next();
                }
                '^' if !quoted => {
                    self.next();
                    word.push(known(self.next()));
                }
                '%' | '!' => match self.variable(c) {
                    Some(value) => word.append(&value),
                    None => word.push(known(self.next())),
                },
                '*' | '?' if !quoted => {
                    let width = self.rest.chars().take_while(|c| matches!(c, '*' | '?' | '.')).count();
                    let glob = self.rest.get(..width).unwrap_or("*");
                    let whole = glob == "*.*";
                    let glob = if whole { "*" } else { glob.trim_end_matches('.') };
                    let taken = if whole { width } else { glob.len() };
                    word.push(Part::Glob(glob.to_owned()));
                    self.rest = self.rest.get(taken..).unwrap_or_default();
                }
                c => {
                    self.next();
                    word.push(known(Some(c)));
                }
            }
        }
        Some(Token::Word(word))
    }

    /// `%NAME%`, `!NAME!`, `%NAME:~a,b%`, `%%i`, `%~dp0`.
    fn variable(&mut self, mark: char) -> Option<Text> {
        let rest = self.rest.get(1..)?;
        if mark == '%' {
            if let Some(value) = self.loop_variable(rest) {
                return Some(value);
            }
            if rest.starts_with(|c: char| c.is_ascii_digit() || c == '*' || c == '~') {
                let length = rest.find(|c: char| c.is_ascii_digit() || c == '*').map_or(rest.len(), |at| at + 1);
                let name = rest.get(..length)?;
                self.rest = rest.get(length..)?;
                return Some(Text::unknown(format!("%{name}")));
            }
        }
        let end = rest.find(mark)?;
        let inner = rest.get(..end)?;
        let (name, change) = inner.split_once(':').unwrap_or((inner, ""));
        if name.is_empty() || name.contains([' ', '\\', '"', '/']) {
            return None;
        }
        self.rest = rest.get(end + 1..)?;
        let value = match self.variables.get(&name.to_ascii_uppercase()) {
            Some(value) => value.clone(),
            None => environment(name),
        };
        if change.is_empty() {
            return Some(value);
        }
        Some(match value.literal() {
            Some(text) => changed(text, change),
            None => Text::unknown(format!("%{inner}%")),
        })
    }

    fn loop_variable(&mut self, rest: &'a str) -> Option<Text> {
        let name = rest.strip_prefix('%').unwrap_or(rest);
        let modified = name
            .strip_prefix('~')
            .map(|name| name.trim_start_matches(|c: char| "dpnxfsatz".contains(c) && name.len() > 1));
        let name = modified.unwrap_or(name);
        let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
        let key = format!("%{}", letter.to_ascii_uppercase());
        let value = self.variables.get(&key)?.clone();
        self.rest = name.get(1..)?;
        Some(value)
    }
}

/// The word so far is the name of a built-in command that options may follow without a blank.
fn is_command(word: &Text) -> bool {
    const NAMES: [&str; 9] = ["rd", "del", "rmdir", "erase", "copy", "move", "dir", "cd", "cmd"];
    word.literal().is_some_and(|word| NAMES.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

fn known(c: Option<char>) -> Part {
    Part::Known(c.map(String::from).unwrap_or_default())
}

/// A variable of the environment.
fn environment(name: &str) -> Text {
    match name.to_ascii_uppercase().as_str() {
        "USERPROFILE" | "HOMEPATH" | "HOME" => Text::variable("HOME"),
        "HOMEDRIVE" => Text::default(),
        "CD" => Text::known("."),
        "SYSTEMDRIVE" => Text::known("C:"),
        "SYSTEMROOT" | "WINDIR" => Text::known("C:\\Windows"),
        "PROGRAMFILES" => Text::known("C:\\Program Files"),
        "PROGRAMDATA" | "ALLUSERSPROFILE" => Text::known("C:\\ProgramData"),
        "RANDOM" | "DATE" | "TIME" | "ERRORLEVEL" => Text::unknown(name),
        name => Text::variable(name),
    }
}

/// `%X:~1,2%` and `%X:a=b%`.
fn changed(text: &str, change: &str) -> Text {
    if let Some(range) = change.strip_prefix('~') {
        let mut numbers = range.split(',').map(|number| number.trim().parse::<i64>().ok());
        let chars: Vec<char> = text.chars().collect();
        let length = i64::try_from(chars.len()).unwrap_or(0);
        let from = numbers.next().flatten().unwrap_or(0);
        let from = if from < 0 { (length + from).max(0) } else { from.min(length) };
        let to = match numbers.next().flatten() {
            Some(count) if count < 0 => length + count,
            Some(count) => from + count,
            None => length,
        };
        let skip = usize::try_from(from).unwrap_or(0);
        let take = usize::try_from((to - from).max(0)).unwrap_or(0);
        return Text::known(chars.into_iter().skip(skip).take(take).collect::<String>());
    }
    match change.split_once('=') {
        Some((from, to)) if !from.is_empty() => Text::known(text.replace(from, to)),
        _ => Text::known(text),
    }
}
