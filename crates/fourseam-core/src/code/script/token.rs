//! Tokens that the interpreters' lexers share, a cursor over text, and how much of it is read. Knows no language.

use std::cell::Cell;
use std::rc::Rc;

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// White space stands in front.
    pub(super) spaced: bool,
    /// A line break stands in front.
    pub(super) fresh: bool,
}

/// Kinds of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Identifier or keyword; sigils of Perl and PHP stay in front.
    Name(String),
    /// A number as written.
    Number(String),
    /// A string: known pieces and pieces of code.
    Text(Vec<Bit>),
    /// Backticks, `qx`, `%x`: text for a shell.
    Shell(Vec<Bit>),
    /// A regular expression; true if its replacement is code (`s/x/y/e`), which then stands in the bits.
    Regex(Vec<Bit>, bool),
    /// Operator or punctuation.
    Op(&'static str),
    /// End of a logical line, where the language has them.
    Line,
    /// A block of deeper indentation begins.
    Indent,
    /// It ends.
    Dedent,
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bit {
    /// Known text, escapes resolved.
    Known(String),
    /// Source of an expression.
    Code(String),
}

/// Most tokens that are read of one text.
pub(super) const MAX_TOKENS: usize = 60_000;

/// What may still be read of a text, its parts that are read again and what is looked at ahead included. One for all
/// that belongs to a text: strings with code in them, code that it runs.
#[derive(Clone, Debug)]
pub(super) struct Work(Rc<Cell<usize>>);

impl Work {
    /// Characters that are read for each of a text, at most: nested strings are read once for each level, and nothing
    /// that people write is looked at ahead more than a few times.
    const TIMES: usize = 24;
    /// The least that is read, however short the text is.
    const LEAST: usize = 64 * 1024;

    /// For a text and all that belongs to it.
    pub(super) fn of(text: &str) -> Self {
        Self(Rc::new(Cell::new(text.len().saturating_mul(Self::TIMES).saturating_add(Self::LEAST))))
    }

    /// Takes so many characters off.
    pub(super) fn spend(&self, amount: usize) {
        self.0.set(self.0.get().saturating_sub(amount));
    }

    /// Nothing more is read.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// A cursor over text. At its end once the work of the text is spent, which whoever made the work says.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    work: Work,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, work: &Work) -> Self {
        Self { text, at: 0, work: work.clone() }
    }

    /// A cursor over another text that belongs to this one.
    pub(super) fn over<'t>(&self, text: &'t str) -> Cursor<'t> {
        Cursor::new(text, &self.work)
    }

    pub(super) fn rest(&self) -> &'a str {
        if self.work.is_spent() { "" } else { self.text.get(self.at..).unwrap_or_default() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.text.len() || self.work.is_spent()
    }

    fn go(&mut self, bytes: usize) {
        self.at += bytes;
        self.work.spend(bytes);
    }

    /// Notes that so many bytes were looked at without going over them.
    pub(super) fn looked_at(&self, bytes: usize) {
        self.work.spend(bytes);
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn peek_at(&self, n: usize) -> Option<char> {
        self.rest().chars().nth(n)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.go(c.len_utf8());
        Some(c)
    }

    /// Goes over `expected` if it stands here.
    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.go(expected.len());
        }
        found
    }

    /// Goes back over so many bytes.
    pub(super) fn step_back(&mut self, bytes: usize) {
        self.at = self.at.saturating_sub(bytes);
        while !self.text.is_char_boundary(self.at) {
            self.at -= 1;
        }
    }

    /// Goes over so many bytes; to the next character if they end in one.
    pub(super) fn eat_bytes(&mut self, bytes: usize) {
        self.go(bytes.min(self.text.len().saturating_sub(self.at)));
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// The next character if it is one of those.
    pub(super) fn next_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        self.peek().filter(|c| wanted(*c)).and_then(|_| self.next())
    }

    /// Goes on to the next opening brace, if one stands on this line.
    pub(super) fn take_until_brace(&mut self) {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        self.looked_at(line.len());
        if let Some(at) = line.find('{') {
            self.go(at);
        }
    }

    pub(super) fn starts(&self, expected: &str) -> bool {
        self.rest().starts_with(expected)
    }

    pub(super) fn take_while(&mut self, inside: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        self.go(end);
        rest.get(..end).unwrap_or_default()
    }

    /// The text up to `end`, which is gone over too; all of the rest if it does not come.
    pub(super) fn take_until(&mut self, end: &str) -> &'a str {
        let rest = self.rest();
        let found = rest.find(end);
        let length = found.unwrap_or(rest.len());
        self.go(length + if found.is_some() { end.len() } else { 0 });
        rest.get(..length).unwrap_or_default()
    }

    /// The rest of the line; stays in front of its end.
    pub(super) fn take_line(&mut self) -> &'a str {
        self.take_while(|c| c != '\n')
    }

    /// Source up to the bracket that closes one already open; strings in it are gone over.
    pub(super) fn take_balanced(&mut self, open: char, close: char) -> &'a str {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(c) = self.next() {
            if c == '\\' {
                self.next();
            } else if c == open && open != close {
                depth += 1;
            } else if c == close {
                if depth == 0 {
                    return self.text.get(start..self.at - close.len_utf8()).unwrap_or_default();
                }
                depth -= 1;
            } else if matches!(c, '"' | '\'') && close == '}' {
                self.skip_string(c);
            }
        }
        self.text.get(start..).unwrap_or_default()
    }

    /// Goes over a string whose quote has been read, if it ends on this line.
    fn skip_string(&mut self, quote: char) {
        let mut ahead = self.clone();
        while let Some(c) = ahead.next() {
            match c {
                '\\' => {
                    ahead.next();
                }
                '\n' => return,
                c if c == quote => {
                    *self = ahead;
                    return;
                }
                _ => {}
            }
        }
    }

    /// The longest of `operators` that stands here; sorted longest first.
    pub(super) fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let found = operators.iter().find(|op| self.starts(op)).copied()?;
        self.go(found.len());
        Some(found)
    }

    /// A number of the common forms.
    pub(super) fn number(&mut self) -> String {
        if self.starts("0x") || self.starts("0X") {
            return self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        }
        let mut number = self.take_while(|c| c.is_ascii_digit() || c == '_').to_owned();
        if self.peek() == Some('.') && self.peek_at(1).is_some_and(|c| c.is_ascii_digit()) {
            self.next();
            number.push('.');
            number.push_str(self.take_while(|c| c.is_ascii_digit() || c == '_'));
        }
        number.push_str(self.take_while(|c| c.is_ascii_alphanumeric()));
        number
    }
}

/// Builds the bits of a string.
#[derive(Default)]
pub(super) struct Bits(Vec<Bit>);

impl Bits {
    pub(super) fn push(&mut self, c: char) {
        match self.0.last_mut() {
            Some(Bit::Known(text)) => text.push(c),
            Some(Bit::Code(_)) | None => self.0.push(Bit::Known(c.to_string())),
        }
    }

    pub(super) fn code(&mut self, source: impl Into<String>) {
        self.0.push(Bit::Code(source.into()));
    }

    pub(super) fn done(self) -> Vec<Bit> {
        self.0
    }
}

/// Reads the escape behind a backslash as most languages have them.
pub(super) fn escape(cursor: &mut Cursor<'_>, bits: &mut Bits) {
    let Some(c) = cursor.next() else { return };
    match c {
        'n' => bits.push('\n'),
        't' => bits.push('\t'),
        'r' => bits.push('\r'),
        '0'..='7' => {
            let mut octal = c.to_string();
            while octal.len() < 3 && cursor.peek().is_some_and(|c| c.is_digit(8)) {
                octal.extend(cursor.next());
            }
            push_code(bits, u32::from_str_radix(&octal, 8).ok());
        }
        'x' => {
            if cursor.eat("{") {
                push_code(bits, u32::from_str_radix(cursor.take_until("}"), 16).ok());
            } else {
                hex(cursor, bits, 2);
            }
        }
        'u' => {
            if cursor.eat("{") {
                push_code(bits, u32::from_str_radix(cursor.take_until("}"), 16).ok());
            } else {
                hex(cursor, bits, 4);
            }
        }
        'U' => hex(cursor, bits, 8),
        'a' | 'b' | 'f' | 'v' | 'e' => bits.push(' '),
        '\n' => {}
        other => bits.push(other),
    }
}

fn hex(cursor: &mut Cursor<'_>, bits: &mut Bits, most: usize) {
    let mut digits = String::new();
    while digits.len() < most && cursor.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
        digits.extend(cursor.next());
    }
    push_code(bits, u32::from_str_radix(&digits, 16).ok());
}

fn push_code(bits: &mut Bits, code: Option<u32>) {
    if let Some(c) = code.and_then(char::from_u32) {
        bits.push(c);
    }
}

/// First character of a name.
pub(super) fn name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Later character of a name.
pub(super) fn name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
