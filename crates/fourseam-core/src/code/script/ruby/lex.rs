//! Ruby text to tokens: percent literals, symbols, heredocs, interpolation, line ends that end a statement.

use super::super::token::{Bit, Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

const OPERATORS: &[&str] = &[
    "**=", "<=>", "===", "...", "<<=", ">>=", "&&=", "||=", "&.", "**", "==", "!=", ">=", "<=", "&&", "||", "=~", "!~",
    "..", "::", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<", ">>", "=>", "->", "+", "-", "*", "/", "%", "=",
    "<", ">", "!", "&", "|", "^", "~", "?", ":", ",", ".", ";", "(", ")", "[", "]", "{", "}", "\\", "$", "@",
];

/// Splits Ruby into tokens.
pub(super) fn lex(text: &str, work: &Work) -> Vec<Token> {
    let text = text.split("\n__END__").next().unwrap_or(text);
    let mut lexer = Lexer { cursor: Cursor::new(text, work), tokens: Vec::new(), heredocs: Vec::new() };
    while !lexer.cursor.is_done() && lexer.tokens.len() < MAX_TOKENS {
        lexer.token();
    }
    lexer.tokens
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    tokens: Vec<Token>,
    /// Heredocs whose bodies begin on the next line: place of the token, tag, raw.
    heredocs: Vec<(usize, String, bool)>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Kind, spaced: bool) {
        if let (Kind::Text(bits), Some(Kind::Text(last))) = (&kind, self.tokens.last_mut().map(|token| &mut token.kind))
            && self.heredocs.is_empty()
        {
            // Adjacent strings are one.
            last.extend(bits.iter().cloned());
            return;
        }
        self.tokens.push(Token { kind, spaced, fresh: false });
    }

    fn token(&mut self) {
        let spaced = !self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r')).is_empty();
        let Some(first) = self.cursor.peek() else { return };
        match first {
            '#' => {
                self.cursor.take_line();
            }
            '\\' if self.cursor.peek_at(1) == Some('\n') => {
                self.cursor.eat("\\\n");
            }
            '\n' => self.line(spaced),
            '"' => self.quoted('"', '"', true, spaced),
            '\'' => self.quoted('\'', '\'', false, spaced),
            '`' => {
                let bits = self.body('`', '`', true);
                self.push(Kind::Shell(bits), spaced);
            }
            '%' if self.literal_stands(spaced) => self.percent(spaced),
            '/' if self.regex_stands(spaced) => {
                let bits = self.body('/', '/', true);
                self.cursor.take_while(|c| c.is_ascii_alphabetic());
                self.push(Kind::Regex(bits, false), spaced);
            }
            '<' if self.heredoc_stands() => self.heredoc(spaced),
            ':' if self.symbol_stands() => self.symbol(spaced),
            '?' if self.value_expected()
                && self.cursor.peek_at(1).is_some_and(char::is_alphanumeric)
                && !self.cursor.peek_at(2).is_some_and(name_char) =>
            {
                self.cursor.next();
                let c = self.cursor.next().map(String::from).unwrap_or_default();
                self.push(Kind::Text(vec![Bit::Known(c)]), spaced);
            }
            c if c.is_ascii_digit() => {
                let number = self.cursor.number();
                self.push(Kind::Number(number), spaced);
            }
            '$' | '@' => {
                let mut name = self.cursor.take_while(|c| matches!(c, '$' | '@')).to_owned();
                let rest = self.cursor.take_while(name_char);
                name.push_str(rest);
                if rest.is_empty() {
                    name.extend(self.cursor.next());
                }
                self.push(Kind::Name(name), spaced);
            }
            c if name_start(c) => {
                let mut name = self.cursor.take_while(name_char).to_owned();
                if matches!(self.cursor.peek(), Some('?' | '!')) && self.cursor.peek_at(1) != Some('=') {
                    let member =
                        matches!(self.cursor.peek_at(1), Some(' ' | '(' | '\n' | ')' | ';' | '.' | ',') | None);
                    if member {
                        name.extend(self.cursor.next());
                    }
                }
                self.push(Kind::Name(name), spaced);
            }
            _ => match self.cursor.operator(OPERATORS) {
                Some(";") => self.push(Kind::Line, spaced),
                Some(op) => self.push(Kind::Op(op), spaced),
                None => {
                    self.cursor.next();
                }
            },
        }
    }

    fn line(&mut self, spaced: bool) {
        self.cursor.next();
        for (at, tag, raw) in std::mem::take(&mut self.heredocs) {
            let body = self.heredoc_body(&tag);
            let bits = if raw { vec![Bit::Known(body)] } else { interpolated(&body, &self.cursor) };
            if let Some(token) = self.tokens.get_mut(at) {
                token.kind = if matches!(token.kind, Kind::Shell(_)) { Kind::Shell(bits) } else { Kind::Text(bits) };
            }
        }
        if self.cursor.starts("=begin") {
            self.cursor.take_until("\n=end");
            self.cursor.take_line();
        }
        // A line that begins with `.` goes on.
        let mut ahead = self.cursor.clone();
        ahead.take_while(char::is_whitespace);
        if ahead.starts("&.") || ahead.starts(".") && !ahead.starts("..") {
            return;
        }
        let open = match self.tokens.last().map(|token| &token.kind) {
            None | Some(Kind::Line) => true,
            Some(Kind::Op(op)) => !matches!(*op, ")" | "]" | "}" | "?" | "*" | "|"),
            Some(Kind::Name(name)) => matches!(name.as_str(), "and" | "or" | "not"),
            Some(_) => false,
        };
        if !open {
            self.tokens.push(Token { kind: Kind::Line, spaced, fresh: true });
        }
    }

    fn value_expected(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            None | Some(Kind::Line) => true,
            Some(Kind::Op(op)) => !matches!(*op, ")" | "]" | "}"),
            Some(Kind::Name(name)) => KEYWORDS.contains(&name.as_str()),
            Some(_) => false,
        }
    }

    fn after_name(&self) -> bool {
        matches!(self.tokens.last().map(|token| &token.kind), Some(Kind::Name(name)) if !KEYWORDS.contains(&name.as_str()))
    }

    /// A blank in front and none behind: an argument, not an operator.
    fn argument_stands(&self, spaced: bool) -> bool {
        self.after_name() && spaced && !self.cursor.peek_at(1).is_some_and(|c| c.is_whitespace() || c == '=')
    }

    fn regex_stands(&self, spaced: bool) -> bool {
        self.value_expected() || self.argument_stands(spaced)
    }

    fn literal_stands(&self, spaced: bool) -> bool {
        let opens = match self.cursor.peek_at(1) {
            Some('w' | 'W' | 'i' | 'I' | 'q' | 'Q' | 'x' | 'r' | 's') => {
                self.cursor.peek_at(2).is_some_and(|c| c.is_ascii_punctuation())
            }
            Some('(' | '[' | '{' | '<' | '|' | '!') => true,
            _ => false,
        };
        opens && (self.value_expected() || self.argument_stands(spaced))
    }

    fn symbol_stands(&self) -> bool {
        !self.cursor.starts("::")
            && self
                .cursor
                .peek_at(1)
                .is_some_and(|c| name_start(c) || matches!(c, '"' | '\'' | '+' | '-' | '*' | '[' | '<' | '='))
            && (self.value_expected()
                || self.after_name()
                || matches!(self.tokens.last().map(|t| &t.kind), Some(Kind::Op("(" | "," | "["))))
    }

    fn symbol(&mut self, spaced: bool) {
        self.cursor.next();
        match self.cursor.peek() {
            Some('"') => self.quoted('"', '"', true, spaced),
            Some('\'') => self.quoted('\'', '\'', false, spaced),
            _ => {
                let name = self.cursor.take_while(|c| name_char(c) || matches!(c, '?' | '!'));
                let name = if name.is_empty() { self.cursor.take_while(|c| "+-*[]<=>".contains(c)) } else { name };
                self.tokens.push(Token { kind: Kind::Text(vec![Bit::Known(name.to_owned())]), spaced, fresh: false });
            }
        }
    }

    fn quoted(&mut self, open: char, close: char, expands: bool, spaced: bool) {
        let bits = self.body(open, close, expands);
        self.push(Kind::Text(bits), spaced);
    }

    /// The content up to the closing character; the opening one stands here.
    fn body(&mut self, open: char, close: char, expands: bool) -> Vec<Bit> {
        self.cursor.next();
        let mut bits = Bits::default();
        let mut depth = 0usize;
        while let Some(c) = self.cursor.next() {
            if c == close && depth == 0 {
                break;
            }
            match c {
                '\\' if expands => escape(&mut self.cursor, &mut bits),
                '\\' if self.cursor.peek() == Some(close) || self.cursor.peek() == Some('\\') => {
                    self.cursor.next().into_iter().for_each(|c| bits.push(c));
                }
                '#' if expands && self.cursor.eat("{") => bits.code(self.cursor.take_balanced('{', '}')),
                c => {
                    if open != close {
                        depth += usize::from(c == open);
                        depth -= usize::from(c == close);
                    }
                    bits.push(c);
                }
            }
        }
        bits.done()
    }

    fn percent(&mut self, spaced: bool) {
        self.cursor.next();
        let letter = self.cursor.next_if(|c| c.is_ascii_alphabetic()).unwrap_or('Q');
        let open = self.cursor.peek().unwrap_or('(');
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            c => c,
        };
        let bits = self.body(open, close, !matches!(letter, 'q' | 'w' | 'i' | 's'));
        match letter {
            'x' => self.push(Kind::Shell(bits), spaced),
            'r' => self.push(Kind::Regex(bits, false), spaced),
            'w' | 'W' | 'i' | 'I' => {
                let text: String = bits
                    .iter()
                    .map(|bit| match bit {
                        Bit::Known(text) => text.clone(),
                        Bit::Code(source) => format!("#{{{source}}}"),
                    })
                    .collect();
                self.tokens.push(Token { kind: Kind::Op("["), spaced, fresh: false });
                for word in text.split_whitespace() {
                    self.tokens.push(Token {
                        kind: Kind::Text(interpolated(word, &self.cursor)),
                        spaced: true,
                        fresh: false,
                    });
                    self.tokens.push(Token { kind: Kind::Op(","), spaced: false, fresh: false });
                }
                self.tokens.push(Token { kind: Kind::Op("]"), spaced: false, fresh: false });
            }
            _ => self.push(Kind::Text(bits), spaced),
        }
    }

    fn heredoc_stands(&self) -> bool {
        let rest = self.cursor.rest();
        let tag = rest.strip_prefix("<<~").or_else(|| rest.strip_prefix("<<-")).or_else(|| rest.strip_prefix("<<"));
        let plain = rest.starts_with("<<~") || rest.starts_with("<<-");
        tag.is_some_and(|tag| {
            tag.starts_with(|c: char| c.is_ascii_uppercase() || matches!(c, '"' | '\'' | '`') || plain && name_start(c))
        }) && (self.value_expected() || self.after_name())
    }

    fn heredoc(&mut self, spaced: bool) {
        self.cursor.take_while(|c| matches!(c, '<' | '~' | '-'));
        let quote = self.cursor.next_if(|c| matches!(c, '"' | '\'' | '`'));
        let tag = self.cursor.take_while(name_char).to_owned();
        if quote.is_some() {
            self.cursor.next();
        }
        self.heredocs.push((self.tokens.len(), tag, quote == Some('\'')));
        let kind = if quote == Some('`') { Kind::Shell(Vec::new()) } else { Kind::Text(Vec::new()) };
        self.tokens.push(Token { kind, spaced, fresh: false });
    }

    fn heredoc_body(&mut self, tag: &str) -> String {
        let mut lines = Vec::new();
        while !self.cursor.is_done() {
            let line = self.cursor.take_until("\n");
            if line.trim() == tag {
                break;
            }
            lines.push(line);
        }
        lines.join("\n")
    }
}

/// A text with `#{..}` in it, that belongs to the one `around`.
fn interpolated(text: &str, around: &Cursor<'_>) -> Vec<Bit> {
    let mut cursor = around.over(text);
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        match c {
            '\\' => escape(&mut cursor, &mut bits),
            '#' if cursor.eat("{") => bits.code(cursor.take_balanced('{', '}')),
            c => bits.push(c),
        }
    }
    bits.done()
}

/// Words behind which a value stands.
pub(super) const KEYWORDS: [&str; 37] = [
    "if", "unless", "while", "until", "case", "when", "in", "then", "else", "elsif", "do", "end", "and", "or", "not",
    "return", "puts", "p", "print", "raise", "yield", "rescue", "ensure", "begin", "for", "def", "class", "module",
    "next", "break", "system", "exec", "eval", "require", "load", "warn", "spawn",
];
