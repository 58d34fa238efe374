//! Python text to tokens: indentation, string prefixes, f-strings.

use super::super::token::{Bit, Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

const OPERATORS: &[&str] = &[
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "<<", ">>", "**", "//", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "@=", "+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "=", "(", ")", "[",
    "]", "{", "}", ",", ":", ".", ";", "!", "$", "?", "`",
];

/// Splits Python text into tokens.
pub(super) fn lex(text: &str, work: &Work) -> Vec<Token> {
    let mut lexer = Lexer { cursor: Cursor::new(text, work), tokens: Vec::new(), open: 0, columns: vec![0] };
    lexer.run();
    lexer.tokens
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    tokens: Vec<Token>,
    /// Open brackets.
    open: usize,
    /// Columns of the open blocks.
    columns: Vec<usize>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        self.indentation();
        while !self.cursor.is_done() && self.tokens.len() < MAX_TOKENS {
            self.token();
        }
        self.push(Kind::Line, false);
        while self.columns.len() > 1 {
            self.columns.pop();
            self.push(Kind::Dedent, false);
        }
    }

    fn push(&mut self, kind: Kind, spaced: bool) {
        if kind == Kind::Line && matches!(self.tokens.last().map(|token| &token.kind), None | Some(Kind::Line)) {
            return;
        }
        self.tokens.push(Token { kind, spaced, fresh: false });
    }

    /// Column of the next line that holds something; opens and closes blocks.
    fn indentation(&mut self) {
        loop {
            let blank = self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\u{c}'));
            if self.cursor.peek() == Some('#') {
                self.cursor.take_line();
            }
            if self.cursor.eat("\n") {
                continue;
            }
            if self.cursor.is_done() {
                return;
            }
            let column = blank.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 });
            if self.tokens.is_empty() {
                self.columns = vec![column];
            }
            if column > self.columns.last().copied().unwrap_or(0) {
                self.columns.push(column);
                self.push(Kind::Indent, false);
            }
            while self.columns.len() > 1 && column < self.columns.last().copied().unwrap_or(0) {
                self.columns.pop();
                self.push(Kind::Dedent, false);
            }
            return;
        }
    }

    fn token(&mut self) {
        let spaced = !self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\u{c}')).is_empty();
        let Some(first) = self.cursor.peek() else { return };
        match first {
            '#' => {
                self.cursor.take_line();
            }
            '\\' if matches!(self.cursor.peek_at(1), Some('\n' | '\r')) => {
                self.cursor.next();
                self.cursor.take_while(|c| c == '\r');
                self.cursor.next();
            }
            '\n' => {
                self.cursor.next();
                if self.open == 0 {
                    self.push(Kind::Line, spaced);
                    self.indentation();
                }
            }
            '"' | '\'' => self.string("", spaced),
            c if c.is_ascii_digit() || c == '.' && self.cursor.peek_at(1).is_some_and(|c| c.is_ascii_digit()) => {
                let number = if c == '.' { String::new() } else { self.cursor.number() };
                let fraction = self.cursor.take_while(|c| c == '.' || c.is_ascii_digit());
                self.push(Kind::Number(number + fraction), spaced);
            }
            c if name_start(c) => {
                let name = self.cursor.take_while(name_char);
                let prefix = name.len() <= 3 && name.chars().all(|c| "rRbBfFuUtT".contains(c));
                if prefix && matches!(self.cursor.peek(), Some('"' | '\'')) {
                    self.string(name, spaced);
                } else {
                    // Python folds compatibility forms: fullwidth `ｏｓ` is `os`.
                    let name = name.chars().map(narrow).collect();
                    self.push(Kind::Name(name), spaced);
                }
            }
            _ => match self.cursor.operator(OPERATORS) {
                Some(op) => {
                    match op {
                        "(" | "[" | "{" => self.open += 1,
                        ")" | "]" | "}" => self.open = self.open.saturating_sub(1),
                        _ => {}
                    }
                    self.push(Kind::Op(op), spaced);
                }
                None => {
                    self.cursor.next();
                    self.push(Kind::Op("?"), spaced);
                }
            },
        }
    }

    fn string(&mut self, prefix: &str, spaced: bool) {
        let raw = prefix.contains(['r', 'R']);
        let formatted = prefix.contains(['f', 'F', 't', 'T']);
        let quote = self.cursor.next().unwrap_or('"');
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let close = match triple.get(1..) {
            Some(two) if self.cursor.starts(two) => {
                self.cursor.eat(two);
                triple
            }
            _ => quote.to_string(),
        };
        let mut bits = Bits::default();
        while !self.cursor.eat(&close) {
            let Some(c) = self.cursor.peek() else { break };
            if c == '\n' && close.len() == 1 {
                break;
            }
            self.cursor.next();
            match c {
                '\\' if raw => {
                    bits.push('\\');
                    self.cursor.next().into_iter().for_each(|c| bits.push(c));
                }
                '\\' => escape(&mut self.cursor, &mut bits),
                '{' | '}' if formatted && self.cursor.peek() == Some(c) => {
                    self.cursor.next();
                    bits.push(c);
                }
                '{' if formatted => {
                    let inner = self.cursor.take_balanced('{', '}');
                    bits.code(expression_part(inner));
                }
                c => bits.push(c),
            }
        }
        self.join(bits.done(), spaced);
    }

    /// Adjacent strings are one.
    fn join(&mut self, bits: Vec<Bit>, spaced: bool) {
        match self.tokens.last_mut().map(|token| &mut token.kind) {
            Some(Kind::Text(last)) => last.extend(bits),
            _ => self.push(Kind::Text(bits), spaced),
        }
    }
}

/// `x!r:>10` of an f-string without its conversion and format.
fn expression_part(inner: &str) -> String {
    let mut depth = 0i32;
    let mut quote = None;
    let bytes: Vec<(usize, char)> = inner.char_indices().collect();
    for (n, (at, c)) in bytes.iter().enumerate() {
        let next = bytes.get(n + 1).map(|(_, c)| *c);
        match (quote, c) {
            (Some(open), c) if open == *c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(*c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ':') if depth == 0 && next != Some('=') => return inner.get(..*at).unwrap_or(inner).to_owned(),
            (None, '!') if depth == 0 && next != Some('=') => return inner.get(..*at).unwrap_or(inner).to_owned(),
            (None, _) => {}
        }
    }
    inner.trim_end_matches('=').to_owned()
}

fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        // Mathematical letters that fold to ASCII, bold and italic Latin.
        '\u{1d400}'..='\u{1d6a3}' => {
            let at = (u32::from(c) - 0x1d400) % 52;
            char::from_u32(if at < 26 { 0x41 + at } else { 0x61 + at - 26 }).unwrap_or(c)
        }
        c => c,
    }
}
