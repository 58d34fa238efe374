//! Commands: lists, pipelines, compound commands, simple commands and their redirects.

use super::{Read, Reader, is_meta, is_name, is_name_start};
use crate::ir::RedirectKind;
use crate::tree::{
    AndOr, Argument, Arm, Assignment, Command, Connector, For, Function, Kind, List, Part, PartKind, Pipeline,
    Redirect, Simple, Subscript, Target, Value, Word,
};
use std::rc::Rc;

/// Words that are not commands where a command may stand.
const RESERVED: [&str; 24] = [
    "!", "{", "}", "if", "then", "elif", "else", "fi", "for", "select", "while", "until", "do", "done", "case", "esac",
    "in", "function", "coproc", "time", "[[", "]]", "foreach", "end",
];

/// Programs whose arguments may be assignments.
const DECLARATIONS: [&str; 6] = ["export", "declare", "typeset", "local", "readonly", "alias"];

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
    fn take_reserved(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let here = self.reserved() == Some(word);
        if here {
            self.go_over(word.len());
        }
        here
    }

    /// Goes over `count` bytes, line continuations apart.
    fn go_over(&mut self, count: usize) {
        for _ in 0..count {
            self.peek();
            self.pos += 1;
        }
    }

    /// Goes over `word`, which must stand here; `open` is where its construct begins.
    fn expect(&mut self, word: &str, open: usize) -> Read<()> {
        self.skip_lines();
        if self.take_reserved(word) { Ok(()) } else { self.fail(open) }
    }

    fn and_or(&mut self) -> Read<AndOr> {
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

    fn command(&mut self) -> Read<Command> {
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

    /// `((...))`, or `( ... )`.
    fn parenthesis(&mut self, start: usize) -> Read<Kind> {
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

    fn group(&mut self, start: usize) -> Read<Kind> {
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

    fn if_command(&mut self, start: usize) -> Read<Kind> {
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
    fn body(&mut self, start: usize) -> Read<List> {
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

    fn for_command(&mut self, start: usize) -> Read<Kind> {
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

    fn words_to_line_end(&mut self) -> Read<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if self.peek().is_none_or(|byte| is_meta(byte) && !self.process_begins(byte)) {
                return Ok(words);
            }
            words.push(self.word()?);
        }
    }

    fn process_begins(&self, byte: u8) -> bool {
        matches!(byte, b'<' | b'>') && self.peek_second() == Some(b'(')
    }

    fn arithmetic_for(&mut self, start: usize) -> Read<Kind> {
        // The three expressions are read as one: which is which does not matter for what runs in them.
        let word = self.arithmetic(start, b'(', b')')?;
        if !self.take_two(*b"))") {
            return self.fail(start);
        }
        let body = self.body(start)?;
        Ok(Kind::ArithmeticFor(vec![word], body))
    }

    fn loop_command(&mut self, start: usize) -> Read<Kind> {
        let head = self.list()?;
        self.skip_lines();
        let body = self.body(start)?;
        Ok(Kind::Loop(head, body))
    }

    fn case_command(&mut self, start: usize) -> Read<Kind> {
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

    fn function_keyword(&mut self, start: usize) -> Read<Kind> {
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

    fn function_body(&mut self, name: String, start: usize) -> Read<Kind> {
        self.skip_lines();
        if self.at_end() {
            return self.fail(start);
        }
        let body = self.nested(Self::command)?;
        Ok(Kind::Function(Rc::new(Function { name, body })))
    }

    fn coproc(&mut self) -> Read<Kind> {
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
    fn test_command(&mut self, start: usize) -> Read<Kind> {
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
    fn regex(&mut self) -> Read<Word> {
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

    pub(super) fn simple_command(&mut self) -> Read<Command> {
        let start = self.pos;
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut declares = false;
        loop {
            self.skip_blanks();
            if self.redirect_begins() {
                self.redirects(&mut redirects)?;
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    if let Some(name) = function_name(&simple) {
                        self.pos += 1;
                        self.skip_blanks();
                        if self.take(b')') {
                            let kind = self.nested(|reader| reader.function_body(name, start))?;
                            return Ok(Command { kind, redirects, span: self.span(start, self.pos) });
                        }
                    }
                    return self.fail(self.pos);
                }
                Some(_) => {}
            }
            if (simple.words.is_empty() || declares) && self.assignment_begins() {
                let assignment = self.assignment()?;
                if declares {
                    simple.words.push(Argument::Assignment(assignment));
                } else {
                    simple.assignments.push(assignment);
                }
                continue;
            }
            let before = self.pos;
            let word = match self.word() {
                Err(_) if self.loose && !simple.words.is_empty() => {
                    self.count_rework(before)?;
                    self.pos = before;
                    break;
                }
                word => word?,
            };
            if self.pos == before {
                return self.fail(before);
            }
            declares |= simple.words.is_empty() && word.bare().is_some_and(|name| DECLARATIONS.contains(&name));
            simple.words.push(Argument::Word(word));
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && redirects.is_empty() {
            return self.fail(start);
        }
        Ok(Command { kind: Kind::Simple(simple), redirects, span: self.span(start, self.trimmed_end(start)) })
    }

    /// The cursor without the blanks in front of it.
    fn trimmed_end(&self, start: usize) -> usize {
        start + self.slice(start, self.pos).trim_end_matches([' ', '\t', '\r', '\n']).len()
    }

    /// Whether `name=`, `name+=` or `name[...]=` stands at the cursor.
    fn assignment_begins(&mut self) -> bool {
        if !self.peek().is_some_and(is_name_start) {
            return false;
        }
        let mut ahead = 0;
        while self.raw(ahead).is_some_and(is_name) || self.continuation(ahead) {
            ahead += if self.continuation(ahead) { 2 } else { 1 };
        }
        if self.raw(ahead) == Some(b'[') {
            let mut level = 0_u32;
            loop {
                match self.raw(ahead) {
                    None | Some(b'\n' | b';') => return false,
                    Some(b'[') => level += 1,
                    Some(b']') => level -= 1,
                    Some(_) => {}
                }
                ahead += 1;
                if level == 0 {
                    break;
                }
            }
        }
        self.raw(ahead) == Some(b'=') || self.raw(ahead) == Some(b'+') && self.raw(ahead + 1) == Some(b'=')
    }

    fn continuation(&self, ahead: usize) -> bool {
        self.raw(ahead) == Some(b'\\') && self.raw(ahead + 1) == Some(b'\n')
    }

    fn assignment(&mut self) -> Read<Assignment> {
        let start = self.pos;
        let name = self.name();
        let mut subscript = None;
        if self.peek() == Some(b'[') {
            subscript = match self.nested(|reader| reader.subscript(start))? {
                Subscript::Index(word) => Some(word),
                Subscript::All(_) => None,
            };
        }
        let append = self.take(b'+');
        self.take(b'=');
        let value = if self.peek() == Some(b'(') {
            self.pos += 1;
            Value::Array(self.nested(|reader| reader.array(start))?)
        } else {
            Value::Scalar(self.word()?)
        };
        Ok(Assignment { name, subscript, append, value, span: self.span(start, self.pos) })
    }

    fn array(&mut self, start: usize) -> Read<Vec<(Option<Word>, Word)>> {
        let mut elements = Vec::new();
        loop {
            self.skip_lines();
            match self.peek() {
                None => return self.fail(start),
                Some(b')') => {
                    self.pos += 1;
                    return Ok(elements);
                }
                Some(_) => {}
            }
            let before = self.pos;
            let mut key = None;
            if self.peek() == Some(b'[') {
                if let Ok(Subscript::Index(index)) = self.nested(|reader| reader.subscript(start)) {
                    let append = self.take(b'+');
                    if self.take(b'=') {
                        key = Some(index);
                    } else {
                        self.pos = before;
                        let _ = append;
                    }
                } else {
                    self.pos = before;
                }
            }
            let word = self.word()?;
            if self.pos == before {
                return self.fail(start);
            }
            elements.push((key, word));
        }
    }

    /// Whether a redirect stands at the cursor, with its descriptor if it has one.
    fn redirect_begins(&mut self) -> bool {
        match self.peek() {
            Some(byte @ (b'<' | b'>')) => !self.process_begins(byte),
            Some(b'&') => self.peek_second() == Some(b'>'),
            Some(b'0'..=b'9') => {
                let mut ahead = 1;
                while self.raw(ahead).is_some_and(|byte| byte.is_ascii_digit()) {
                    ahead += 1;
                }
                matches!(self.raw(ahead), Some(b'<' | b'>'))
            }
            Some(b'{') => {
                let mut ahead = 1;
                while self.raw(ahead).is_some_and(is_name) {
                    ahead += 1;
                }
                ahead > 1 && self.raw(ahead) == Some(b'}') && matches!(self.raw(ahead + 1), Some(b'<' | b'>'))
            }
            _ => false,
        }
    }

    fn redirects(&mut self, redirects: &mut Vec<Redirect>) -> Read<()> {
        loop {
            self.skip_blanks();
            if !self.redirect_begins() {
                return Ok(());
            }
            redirects.push(self.redirect()?);
        }
    }

    fn redirect(&mut self) -> Read<Redirect> {
        let start = self.pos;
        let mut fd = None;
        if self.peek() == Some(b'{') {
            while self.raw(0) != Some(b'}') {
                self.pos += 1;
            }
            self.pos += 1;
        }
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            fd = Some(fd.unwrap_or(0_u32).saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            self.pos += 1;
        }
        let target = self.redirect_target(start)?;
        Ok(Redirect { fd, target, span: self.span(start, self.pos) })
    }

    fn redirect_target(&mut self, start: usize) -> Read<Target> {
        let kind = if self.take(b'&') {
            self.take(b'>');
            if self.take(b'>') { RedirectKind::AppendBoth } else { RedirectKind::WriteBoth }
        } else if self.take(b'<') {
            match self.peek() {
                Some(b'<') => {
                    self.pos += 1;
                    if self.take(b'<') {
                        self.skip_blanks();
                        return Ok(Target::HereString(self.target_word(start)?));
                    }
                    return Ok(Target::Heredoc(self.heredoc()?));
                }
                Some(b'&') => {
                    self.pos += 1;
                    RedirectKind::Duplicate
                }
                Some(b'>') => {
                    self.pos += 1;
                    RedirectKind::ReadWrite
                }
                _ => RedirectKind::Read,
            }
        } else {
            self.take(b'>');
            match self.peek() {
                Some(b'>') => {
                    self.pos += 1;
                    // zsh: `>>|` and `>>!`.
                    self.take(b'|');
                    if self.take(b'&') { RedirectKind::AppendBoth } else { RedirectKind::Append }
                }
                Some(b'|') => {
                    self.pos += 1;
                    RedirectKind::Clobber
                }
                Some(b'&') => {
                    self.pos += 1;
                    self.skip_blanks();
                    let word = self.target_word(start)?;
                    // `>&word` is a file unless the word is a descriptor.
                    let descriptor = word.text().is_none_or(|text| is_descriptor(&text));
                    let kind = if descriptor { RedirectKind::Duplicate } else { RedirectKind::WriteBoth };
                    return Ok(Target::File(kind, word));
                }
                _ => RedirectKind::Write,
            }
        };
        self.skip_blanks();
        Ok(Target::File(kind, self.target_word(start)?))
    }

    fn target_word(&mut self, start: usize) -> Read<Word> {
        let before = self.pos;
        let word = self.word()?;
        if self.pos == before { self.fail(start) } else { Ok(word) }
    }
}

fn is_descriptor(text: &str) -> bool {
    let digits = text.strip_suffix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name in front of `()`, if what was read so far can be one.
fn function_name(simple: &Simple) -> Option<String> {
    match (simple.assignments.as_slice(), simple.words.as_slice()) {
        ([], [Argument::Word(word)]) => word.text(),
        _ => None,
    }
}
