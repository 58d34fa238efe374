//! Lists and pipelines, and which kind of command follows.

use super::{Read, Reader, is_meta};
use crate::ir::RedirectKind;
use crate::tree::{AndOr, Command, Connector, List, Part, PartKind, Pipeline, Redirect, Target, Word};

/// Words that are not commands where a command may stand.
const RESERVED: [&str; 24] = [
    "!", "{", "}", "if", "then", "elif", "else", "fi", "for", "select", "while", "until", "do", "done", "case", "esac",
    "in", "function", "coproc", "time", "[[", "]]", "foreach", "end",
];

impl Reader<'_> {
    /// Commands up to a closing bracket or reserved word, which stays.
    pub(super) fn list(&mut self) -> Read<List> {
        let mut list = List::new();
        self.list_into(&mut list)?;
        Ok(list)
    }

    pub(super) fn list_into(&mut self, list: &mut List) -> Read<()> {
        let outermost = list.is_empty() && self.statement == self.pos || self.substitutions == 0 && self.depth == 0;
        loop {
            self.skip_lines();
            while self.peek() == Some(b';') && self.peek_second() != Some(b';') && self.peek_second() != Some(b'&') {
                // A lone `;` is an error in bash; nothing is lost by going over it.
                let at = self.pos;
                self.pos += 1;
                self.fault(crate::ir::Why::Syntax, at, at + 1);
                self.skip_lines();
            }
            if outermost {
                self.statement = self.pos;
            }
            if self.at_end() || self.list_ends() {
                return Ok(());
            }
            let mut and_or = self.and_or()?;
            self.skip_blanks();
            match self.peek() {
                Some(b'&') if self.peek_second() != Some(b'&') => {
                    self.pos += 1;
                    // zsh: `&|` and `&!`.
                    if !self.take(b'|') && self.raw(0) == Some(b'!') {
                        self.pos += 1;
                    }
                    and_or.background = true;
                    list.push(and_or);
                }
                Some(b';') if self.peek_second() != Some(b';') && self.peek_second() != Some(b'&') => {
                    self.pos += 1;
                    list.push(and_or);
                }
                Some(b'\n') => {
                    list.push(and_or);
                    self.newline();
                }
                _ => {
                    list.push(and_or);
                    if self.at_end() || self.list_ends() {
                        return Ok(());
                    }
                    return self.fail(self.pos);
                }
            }
        }
    }

    /// Whether what stands at the cursor closes a list.
    fn list_ends(&mut self) -> bool {
        match self.peek() {
            None | Some(b')' | b';') => true,
            Some(b'}') if self.brace_closes => true,
            Some(_) => {
                matches!(self.reserved(), Some("then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" | "end"))
            }
        }
    }

    /// The reserved word at the cursor, if one stands there unquoted and on its own.
    pub(super) fn reserved(&mut self) -> Option<&'static str> {
        let first = self.peek()?;
        if !matches!(first, b'a'..=b'z' | b'{' | b'}' | b'!' | b'[' | b']') {
            return None;
        }
        let mut word = [0_u8; 10];
        let mut length = 0;
        let mut ahead = 0;
        loop {
            match self.raw(ahead) {
                None => break,
                Some(b'\\') if self.raw(ahead + 1) == Some(b'\n') => ahead += 2,
                Some(b'\r') if matches!(self.raw(ahead + 1), Some(b'\n') | None) => break,
                Some(byte) if is_meta(byte) => break,
                Some(byte) => {
                    *word.get_mut(length)? = byte;
                    length += 1;
                    ahead += 1;
                }
            }
        }
        let word = word.get(..length)?;
        RESERVED.into_iter().find(|reserved| reserved.as_bytes() == word)
    }

    /// Goes over `word` if it stands at the cursor as a reserved word.
    pub(super) fn take_reserved(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let here = self.reserved() == Some(word);
        if here {
            self.go_over(word.len());
        }
        here
    }

    /// Goes over `count` bytes, line continuations apart.
    pub(super) fn go_over(&mut self, count: usize) {
        for _ in 0..count {
            self.peek();
            self.pos += 1;
        }
    }

    /// Goes over `word`, which must stand here; `open` is where its construct begins.
    pub(super) fn expect(&mut self, word: &str, open: usize) -> Read<()> {
        self.skip_lines();
        if self.take_reserved(word) { Ok(()) } else { self.fail(open) }
    }

    pub(super) fn and_or(&mut self) -> Read<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let connector = if self.take_two(*b"&&") {
                Connector::And
            } else if self.take_two(*b"||") {
                Connector::Or
            } else {
                return Ok(AndOr { first, rest, background: false });
            };
            let at = self.pos;
            self.skip_lines();
            if self.at_end() || self.list_ends() {
                self.fault(crate::ir::Why::Syntax, at.saturating_sub(2), at);
                return Ok(AndOr { first, rest, background: false });
            }
            rest.push((connector, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Read<Pipeline> {
        let mut negated = false;
        let mut prefixed = false;
        loop {
            self.skip_blanks();
            if self.take_reserved("!") {
                negated = !negated;
            } else if self.take_reserved("time") {
                self.skip_time_options();
            } else {
                break;
            }
            prefixed = true;
        }
        let mut members = Vec::new();
        if prefixed && (self.at_end() || matches!(self.peek(), Some(b'\n' | b';' | b'&' | b')'))) {
            return Ok(Pipeline { negated, members });
        }
        loop {
            let mut command = self.command()?;
            self.skip_blanks();
            let piped = self.peek() == Some(b'|') && self.peek_second() != Some(b'|');
            if piped {
                let at = self.pos;
                self.pos += 1;
                if self.take(b'&') {
                    command.redirects.push(self.errors_to_output(at));
                }
            }
            members.push(command);
            if !piped {
                return Ok(Pipeline { negated, members });
            }
            self.skip_lines();
        }
    }

    fn skip_time_options(&mut self) {
        loop {
            self.skip_blanks();
            let rest = self.slice(self.pos, self.end);
            let length = ["-p", "--"]
                .into_iter()
                .find(|option| rest.strip_prefix(option).is_some_and(|rest| rest.bytes().next().is_none_or(is_meta)));
            match length {
                Some(option) => self.pos += option.len(),
                None => return,
            }
        }
    }

    /// What `|&` means: `2>&1` behind all other redirects.
    fn errors_to_output(&self, at: usize) -> Redirect {
        let span = self.span(at, at + 2);
        let parts = vec![Part { kind: PartKind::Text("1".to_owned()), quoted: false }];
        Redirect { fd: Some(2), target: Target::File(RedirectKind::Duplicate, Word { parts, span }), span }
    }

    pub(super) fn command(&mut self) -> Read<Command> {
        self.skip_blanks();
        let start = self.pos;
        let kind = if self.peek() == Some(b'(') {
            self.nested(|reader| reader.parenthesis(start))?
        } else {
            match self.reserved() {
                Some("{") => {
                    self.go_over(1);
                    self.nested(|reader| reader.group(start))?
                }
                Some("if") => {
                    self.go_over(2);
                    self.nested(|reader| reader.if_command(start))?
                }
                Some(word @ ("for" | "select" | "foreach")) => {
                    self.go_over(word.len());
                    self.nested(|reader| reader.for_command(start))?
                }
                Some(word @ ("while" | "until")) => {
                    self.go_over(word.len());
                    self.nested(|reader| reader.loop_command(start))?
                }
                Some("case") => {
                    self.go_over(4);
                    self.nested(|reader| reader.case_command(start))?
                }
                Some("function") => {
                    self.go_over(8);
                    self.nested(|reader| reader.function_keyword(start))?
                }
                Some("coproc") => {
                    self.go_over(6);
                    self.nested(|reader| reader.coproc())?
                }
                Some("[[") => {
                    self.go_over(2);
                    self.nested(|reader| reader.test_command(start))?
                }
                Some("then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" | "end") => {
                    return self.fail(start);
                }
                Some(_) | None => return self.simple_command(),
            }
        };
        let mut redirects = Vec::new();
        self.redirects(&mut redirects)?;
        Ok(Command { kind, redirects, span: self.span(start, self.pos) })
    }
}
