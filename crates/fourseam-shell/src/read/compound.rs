//! Compound commands and function definitions.

use super::{Read, Reader, is_meta};
use crate::tree::{Arm, For, Function, Kind, List, Word};
use std::rc::Rc;

impl Reader<'_> {
    /// `((...))`, or `( ... )`.
    pub(super) fn parenthesis(&mut self, start: usize) -> Read<Kind> {
        self.pos += 1;
        if self.peek() == Some(b'(') {
            let inside = self.pos;
            let waiting = self.pending.len();
            self.pos += 1;
            match self.arithmetic(start, b'(', b')') {
                Ok(word) if self.take_two(*b"))") => return Ok(Kind::Arithmetic(word)),
                Err(fail) if fail.why == crate::ir::Why::Limit => return Err(fail),
                Ok(_) | Err(_) => {
                    self.count_rework(inside)?;
                    self.pending.truncate(waiting);
                    self.pos = inside;
                }
            }
        }
        let list = self.list()?;
        if self.take(b')') { Ok(Kind::Subshell(list)) } else { self.fail(start) }
    }

    pub(super) fn group(&mut self, start: usize) -> Read<Kind> {
        let list = self.list()?;
        self.expect("}", start)?;
        // zsh: `{ ... } always { ... }`.
        let at = self.pos;
        self.skip_blanks();
        if self.slice(self.pos, self.end).starts_with("always") && self.raw(6).is_some_and(is_meta) {
            self.pos += 6;
            self.skip_blanks();
            if self.take_reserved("{") {
                let mut list = list;
                list.extend(self.list()?);
                self.expect("}", start)?;
                return Ok(Kind::Group(list));
            }
        }
        self.pos = at;
        Ok(Kind::Group(list))
    }

    pub(super) fn if_command(&mut self, start: usize) -> Read<Kind> {
        let mut branches = Vec::new();
        loop {
            let condition = self.list()?;
            self.expect("then", start)?;
            let body = self.list()?;
            branches.push((condition, body));
            self.skip_lines();
            if self.take_reserved("elif") {
                continue;
            }
            let otherwise = if self.take_reserved("else") { self.list()? } else { List::new() };
            self.expect("fi", start)?;
            return Ok(Kind::If(branches, otherwise));
        }
    }

    /// `do ... done`, or `{ ... }`.
    pub(super) fn body(&mut self, start: usize) -> Read<List> {
        self.skip_blanks();
        if self.take(b';') {
            self.skip_blanks();
        }
        self.skip_lines();
        let close = if self.take_reserved("do") {
            "done"
        } else if self.take_reserved("{") {
            "}"
        } else {
            return self.fail(start);
        };
        let list = self.list()?;
        self.expect(close, start)?;
        Ok(list)
    }

    pub(super) fn for_command(&mut self, start: usize) -> Read<Kind> {
        self.skip_blanks();
        if self.take_two(*b"((") {
            return self.arithmetic_for(start);
        }
        let name = self.word()?.text().unwrap_or_default();
        if name.is_empty() {
            return self.fail(start);
        }
        self.skip_lines();
        let mut words = None;
        if self.take_reserved("in") {
            words = Some(self.words_to_line_end()?);
        } else if self.take(b'(') {
            // zsh: `for x (a b c) ...`.
            let list = self.words_to_line_end()?;
            if !self.take(b')') {
                return self.fail(start);
            }
            words = Some(list);
            self.skip_blanks();
            if !matches!(self.reserved(), Some("do" | "{")) && !matches!(self.peek(), Some(b';' | b'\n')) {
                let body = vec![self.and_or()?];
                return Ok(Kind::For(For { name, words, body }));
            }
        }
        let body = self.body(start)?;
        Ok(Kind::For(For { name, words, body }))
    }

    pub(super) fn words_to_line_end(&mut self) -> Read<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if self.peek().is_none_or(|byte| is_meta(byte) && !self.process_begins(byte)) {
                return Ok(words);
            }
            words.push(self.word()?);
        }
    }

    pub(super) fn process_begins(&self, byte: u8) -> bool {
        matches!(byte, b'<' | b'>') && self.peek_second() == Some(b'(')
    }

    pub(super) fn arithmetic_for(&mut self, start: usize) -> Read<Kind> {
        // The three expressions are read as one: which is which does not matter for what runs in them.
        let word = self.arithmetic(start, b'(', b')')?;
        if !self.take_two(*b"))") {
            return self.fail(start);
        }
        let body = self.body(start)?;
        Ok(Kind::ArithmeticFor(vec![word], body))
    }

    pub(super) fn loop_command(&mut self, start: usize) -> Read<Kind> {
        let head = self.list()?;
        self.skip_lines();
        let body = self.body(start)?;
        Ok(Kind::Loop(head, body))
    }

    pub(super) fn case_command(&mut self, start: usize) -> Read<Kind> {
        self.skip_blanks();
        let subject = self.word()?;
        self.expect("in", start)?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.take_reserved("esac") {
                return Ok(Kind::Case(subject, arms));
            }
            self.take(b'(');
            let mut patterns = Vec::new();
            loop {
                self.skip_blanks();
                let before = self.pos;
                patterns.push(self.word()?);
                self.skip_blanks();
                if self.take(b')') {
                    break;
                }
                if !self.take(b'|') || self.pos == before {
                    return self.fail(start);
                }
            }
            let body = self.list()?;
            self.skip_lines();
            let ends = self.take_two(*b";;");
            let falls_through = if ends { self.take(b'&') } else { self.take_two(*b";&") || self.take_two(*b";|") };
            arms.push(Arm { patterns, body, falls_through });
            if !ends && !falls_through {
                self.expect("esac", start)?;
                return Ok(Kind::Case(subject, arms));
            }
        }
    }

    pub(super) fn function_keyword(&mut self, start: usize) -> Read<Kind> {
        self.skip_blanks();
        let name = self.word()?.text().unwrap_or_default();
        if name.is_empty() {
            return self.fail(start);
        }
        self.skip_blanks();
        if self.peek() == Some(b'(') && self.peek_second() == Some(b')') {
            self.take_two(*b"()");
        }
        self.function_body(name, start)
    }

    pub(super) fn function_body(&mut self, name: String, start: usize) -> Read<Kind> {
        self.skip_lines();
        if self.at_end() {
            return self.fail(start);
        }
        let body = self.nested(Self::command)?;
        Ok(Kind::Function(Rc::new(Function { name, body })))
    }

    pub(super) fn coproc(&mut self) -> Read<Kind> {
        self.skip_blanks();
        let before = self.pos;
        // `coproc NAME { ...; }`: a name counts only in front of a compound command.
        let named = self.name();
        self.skip_blanks();
        let compound = self.peek() == Some(b'(')
            || matches!(self.reserved(), Some("{" | "if" | "for" | "while" | "until" | "case" | "select" | "[["));
        if named.is_empty() || !compound {
            self.pos = before;
        }
        Ok(Kind::Coproc(Box::new(self.command()?)))
    }

    /// `[[ ... ]]`: words are kept, operators are gone over.
    pub(super) fn test_command(&mut self, start: usize) -> Read<Kind> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.skip_lines();
            match self.peek() {
                None => return self.fail(start),
                Some(b'(' | b')') => self.pos += 1,
                Some(b'&' | b'|') if self.take_two(*b"&&") || self.take_two(*b"||") => {}
                Some(byte @ (b'<' | b'>')) if !self.process_begins(byte) => self.pos += 1,
                Some(b';' | b'&' | b'|') => return self.fail(start),
                Some(_) => {
                    if self.take_reserved("]]") {
                        return Ok(Kind::Test(words));
                    }
                    let word = self.word()?;
                    let regex = word.bare() == Some("=~");
                    words.push(word);
                    if regex {
                        self.skip_blanks();
                        words.push(self.regex()?);
                    }
                }
            }
        }
    }

    /// The right side of `=~`: brackets and bars belong to it.
    pub(super) fn regex(&mut self) -> Read<Word> {
        let start = self.pos;
        let mut parts = super::word::Parts::default();
        let mut level = 0_u32;
        loop {
            match self.peek() {
                None | Some(b'\n') => break,
                Some(b' ' | b'\t') if level == 0 => break,
                Some(b'&') if level == 0 && self.peek_second() == Some(b'&') => break,
                Some(b')') if level == 0 => break,
                Some(byte @ (b'(' | b')')) => {
                    level = if byte == b'(' { level + 1 } else { level - 1 };
                    parts.character(char::from(byte), false);
                    self.pos += 1;
                }
                Some(byte) => self.unquoted(byte, &mut parts)?,
            }
        }
        Ok(Word { parts: parts.done(), span: self.span(start, self.pos) })
    }
}
