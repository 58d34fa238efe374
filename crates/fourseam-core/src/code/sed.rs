//! sed scripts: commands that run programs or touch files.
//!
//! Limits: what the input holds is not known, so text that comes out of it is unknown text for the shell.

use super::{Act, ActTarget, Reading, Text};
use crate::analysis::{EffectKind, UnknownClass};

/// Reads a sed script.
pub(super) fn read(text: &str) -> Reading {
    let mut reader = Reader { rest: text, reading: Reading::default() };
    let mut steps = 0;
    while !reader.rest.is_empty() {
        let before = reader.rest.len();
        reader.command();
        steps += 1;
        if reader.rest.len() == before || steps > 20_000 {
            reader.reading.doubt(UnknownClass::Code, reader.rest);
            break;
        }
    }
    reader.reading
}

struct Reader<'a> {
    rest: &'a str,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    fn skip(&mut self, inside: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(inside);
    }

    fn line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        line
    }

    fn command(&mut self) {
        self.skip(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
        self.address();
        match self.next() {
            None => {}
            Some('#') => {
                self.line();
            }
            Some('s') => self.substitute(),
            Some('y') => {
                let delimiter = self.next().unwrap_or('/');
                self.until(delimiter);
                self.until(delimiter);
            }
            Some('w' | 'W') => {
                let file = self.line().trim();
                self.written(file);
            }
            Some('r' | 'R') => {
                let file = self.line().trim();
                self.path(EffectKind::Read, "read", file);
            }
            Some('e') => {
                let command = self.line().trim();
                self.shell(command, !command.is_empty());
            }
            Some('a' | 'i' | 'c') => self.text(),
            Some('b' | 't' | 'T' | ':') => self.skip(|c| !matches!(c, ';' | '\n' | '}')),
            Some('q' | 'Q' | 'l' | 'L') => self.skip(|c| c == ' ' || c.is_ascii_digit()),
            Some(
                'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | '=' | 'z' | 'F' | '!' | '{' | '}',
            ) => {}
            Some(_) => {
                let rest = self.line();
                self.reading.doubt(UnknownClass::Code, rest);
            }
        }
    }

    /// `1,$`, `/x/I`, `\,x,`, `2~3`, `+4`, `!`.
    fn address(&mut self) {
        loop {
            self.skip(|c| c.is_ascii_digit() || matches!(c, ' ' | ',' | '$' | '~' | '+' | '!' | '\t'));
            if self.rest.starts_with('/') {
                self.next();
                self.until('/');
            } else if self.rest.starts_with('\\') {
                self.next();
                let delimiter = self.next().unwrap_or('/');
                self.until(delimiter);
            } else {
                return;
            }
            self.skip(|c| matches!(c, 'I' | 'M'));
        }
    }

    /// The text up to the delimiter, which is gone over.
    fn until(&mut self, delimiter: char) -> String {
        let mut text = String::new();
        let mut class = false;
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    if !self.rest.starts_with(delimiter) {
                        text.push(c);
                    }
                    text.extend(self.next());
                    continue;
                }
                '[' => class = true,
                ']' => class = false,
                c if c == delimiter && !(class && delimiter == '/' && self.closes_class()) => break,
                _ => {}
            }
            text.push(c);
        }
        text
    }

    /// The bracket expression that is open closes before the next delimiter.
    fn closes_class(&self) -> bool {
        let close = self.rest.find(']');
        let slash = self.rest.find('/');
        matches!((close, slash), (Some(close), Some(slash)) if close < slash)
    }

    fn substitute(&mut self) {
        let delimiter = self.next().unwrap_or('/');
        self.until(delimiter);
        let replacement = self.until(delimiter);
        while let Some(c) = self.rest.chars().next() {
            match c {
                'w' => {
                    self.next();
                    let file = self.line().trim();
                    self.written(file);
                    return;
                }
                'e' => {
                    self.next();
                    // `&` and `\1` are of the input.
                    let open = replacement.contains('&') || replacement.contains('\\');
                    self.shell(&replacement, !open);
                }
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {
                    self.next();
                }
                _ => return,
            }
        }
    }

    /// Text of `a`, `i`, `c`: to the end of the line, longer by backslashes.
    fn text(&mut self) {
        loop {
            let line = self.line();
            self.next();
            if !line.ends_with('\\') {
                return;
            }
        }
    }

    fn written(&mut self, file: &str) {
        if !matches!(file, "/dev/stdout" | "/dev/stderr") {
            self.path(EffectKind::Overwrite, "overwrite", file);
        }
    }

    fn path(&mut self, kind: EffectKind, verb: &'static str, file: &str) {
        let target = ActTarget::Path(Text::known(file));
        self.reading.act(Act::Effect { kind, verb, target, recursive: false, taint: Vec::new() });
    }

    fn shell(&mut self, text: &str, known: bool) {
        let text = if known { text.to_owned() } else { "${unknown_text}".to_owned() };
        self.reading.act(Act::Shell { text, known, taint: Vec::new() });
    }
}
