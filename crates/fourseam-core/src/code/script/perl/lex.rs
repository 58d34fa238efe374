//! Perl text to tokens: sigils, quote-like operators, regular expressions, heredocs, interpolation.

use super::super::token::{Bit, Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

const OPERATORS: &[&str] = &[
    "<=>", "**=", "||=", "&&=", "//=", "...", "<<=", ">>=", "=>", "->", "::", "++", "--", "**", "=~", "!~", "==", "!=",
    "<=", ">=", "&&", "||", "//", "..", "<<", ">>", "+=", "-=", "*=", "/=", ".=", "%=", "x=", "&=", "|=", "^=", "+",
    "-", "*", "/", "%", "=", "<", ">", "!", "~", "\\", "?", ":", ".", ",", ";", "(", ")", "[", "]", "{", "}", "&", "|",
    "^", "@", "$",
];

/// Words behind which an operator stands, not a value.
const VALUES: [&str; 4] = ["}", ")", "]", "++"];

/// Splits Perl into tokens.
pub(super) fn lex(text: &str, work: &Work) -> Vec<Token> {
    let text = ["\n__END__", "\n__DATA__"].iter().fold(text, |text, end| text.split(end).next().unwrap_or(text));
    let mut lexer = Lexer { cursor: Cursor::new(text, work), tokens: Vec::new(), heredocs: Vec::new() };
    while !lexer.cursor.is_done() && lexer.tokens.len() < MAX_TOKENS {
        lexer.token();
    }
    lexer.tokens
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    tokens: Vec<Token>,
    heredocs: Vec<(usize, String, bool)>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Kind, spaced: bool) {
        self.tokens.push(Token { kind, spaced, fresh: false });
    }

    fn token(&mut self) {
        let spaced = !self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r')).is_empty();
        let Some(first) = self.cursor.peek() else { return };
        match first {
            '\n' => self.line(),
            '#' => {
                self.cursor.take_line();
            }
            '"' => {
                let bits = self.quoted(true);
                self.push(Kind::Text(bits), spaced);
            }
            '\'' => {
                let bits = self.quoted(false);
                self.push(Kind::Text(bits), spaced);
            }
            '`' => {
                let bits = self.quoted(true);
                self.push(Kind::Shell(bits), spaced);
            }
            '$' | '@' | '%' | '&' if self.sigil_stands(first) => self.variable(first, spaced),
            '/' if self.value_expected() => {
                let bits = self.quoted(true);
                self.cursor.take_while(|c| c.is_ascii_alphabetic());
                self.push(Kind::Regex(bits, false), spaced);
            }
            '<' if self.value_expected() => self.angle(spaced),
            '-' if self.value_expected() && self.is_file_test() => {
                self.cursor.next();
                self.cursor.next();
            }
            c if c.is_ascii_digit() => {
                let number = self.cursor.number();
                self.push(Kind::Number(number), spaced);
            }
            c if name_start(c) => self.word(spaced),
            _ => match self.cursor.operator(OPERATORS) {
                Some(op) => self.push(Kind::Op(op), spaced),
                None => {
                    self.cursor.next();
                }
            },
        }
    }

    fn line(&mut self) {
        self.cursor.next();
        for (at, tag, raw) in std::mem::take(&mut self.heredocs) {
            let mut lines = Vec::new();
            while !self.cursor.is_done() {
                let line = self.cursor.take_until("\n");
                if line.trim() == tag {
                    break;
                }
                lines.push(line);
            }
            let body = lines.join("\n");
            if let Some(token) = self.tokens.get_mut(at) {
                token.kind = Kind::Text(if raw { vec![Bit::Known(body)] } else { interpolated(&body, &self.cursor) });
            }
        }
        if self.cursor.peek() == Some('=')
            && self.cursor.peek_at(1).is_some_and(|c| c.is_ascii_alphabetic())
            && self.value_expected()
        {
            self.cursor.take_until("\n=cut");
            self.cursor.take_line();
        }
    }

    fn value_expected(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            None | Some(Kind::Line) => true,
            Some(Kind::Op(op)) => !VALUES.contains(op),
            Some(Kind::Name(name)) => {
                !name.starts_with(['$', '@', '%']) && !name.starts_with(|c: char| c.is_ascii_uppercase())
            }
            Some(_) => false,
        }
    }

    /// `%` and `&` are operators behind a value; `$` and `@` never are.
    fn sigil_stands(&self, sigil: char) -> bool {
        let next = self.cursor.peek_at(1);
        let named = next.is_some_and(|c| name_start(c) || matches!(c, '{' | '$' | ':' | '^'));
        match sigil {
            '$' => named || next.is_some_and(|c| !c.is_whitespace()),
            '@' => named || next == Some('_'),
            _ => named && self.value_expected() && !self.cursor.starts("&&"),
        }
    }

    fn variable(&mut self, sigil: char, spaced: bool) {
        self.cursor.next();
        let mut name = sigil.to_string();
        match self.cursor.peek() {
            Some('{') => {
                let mut ahead = self.cursor.clone();
                ahead.next();
                let inner = ahead.take_while(|c| name_char(c) || matches!(c, '^' | ':'));
                if !inner.is_empty() && ahead.eat("}") {
                    name.push_str(inner);
                    self.cursor = ahead;
                } else {
                    // `@{ expression }`.
                    return self.push(Kind::Op(if sigil == '&' { "&" } else { "\\" }), spaced);
                }
            }
            Some('$') if self.cursor.peek_at(1).is_some_and(|c| name_start(c) || c == '{') => {
                // `@$x`, `$$x`.
                return self.push(Kind::Op(if sigil == '&' { "&" } else { "\\" }), spaced);
            }
            Some('#') => {
                self.cursor.next();
                name.push('#');
                let _brace = self.cursor.eat("{") || self.cursor.eat("$");
                name.push_str(self.cursor.take_while(name_char));
            }
            Some('^') => {
                self.cursor.next();
                name.extend(self.cursor.next());
            }
            Some(c) if name_start(c) || c.is_ascii_digit() || c == ':' => name.push_str(self.path()),
            _ => name.extend(self.cursor.next()),
        }
        if sigil == '&' {
            name = name.trim_start_matches('&').to_owned();
        }
        self.push(Kind::Name(name), spaced);
    }

    /// A name with `::` in it.
    fn path(&mut self) -> &str {
        let rest = self.cursor.rest();
        let mut end = 0;
        loop {
            let tail = rest.get(end..).unwrap_or_default();
            let width = tail.find(|c| !name_char(c)).unwrap_or(tail.len());
            end += width;
            let behind = rest.get(end..).unwrap_or_default();
            if behind.starts_with("::") && behind.get(2..).is_some_and(|next| next.starts_with(name_start)) {
                end += 2;
            } else {
                break;
            }
        }
        self.cursor.eat_bytes(end);
        rest.get(..end).unwrap_or_default()
    }

    fn is_file_test(&self) -> bool {
        self.cursor.peek_at(1).is_some_and(|c| "edfrwxszlopSbcugkTBAMC".contains(c))
            && self.cursor.peek_at(2).is_some_and(|c| matches!(c, ' ' | '$' | '"' | '\''))
            && !self.cursor.rest().get(2..).is_some_and(|rest| rest.trim_start().starts_with("=>"))
    }

    fn angle(&mut self, spaced: bool) {
        if self.cursor.starts("<<") && self.heredoc(spaced) {
            return;
        }
        let inner = self.cursor.rest().get(1..).and_then(|rest| rest.split('>').next()).unwrap_or_default();
        self.cursor.looked_at(inner.len());
        if inner.contains(['\n', ' ', ';', '=']) || self.cursor.rest().len() <= inner.len() + 1 {
            self.cursor.next();
            return self.push(Kind::Op("<"), spaced);
        }
        let inner = inner.to_owned();
        self.cursor.eat_bytes(inner.len() + 2);
        if inner.contains(['*', '/', '~', '.']) {
            self.push(Kind::Name("glob".to_owned()), spaced);
            self.push(Kind::Op("("), false);
            self.push(Kind::Text(interpolated(&inner, &self.cursor)), false);
            self.push(Kind::Op(")"), false);
        } else {
            self.push(Kind::Name(if inner.starts_with('$') { inner } else { format!("$<{inner}>") }), spaced);
        }
    }

    fn heredoc(&mut self, spaced: bool) -> bool {
        let rest = self.cursor.rest().get(2..).unwrap_or_default();
        let rest = rest.strip_prefix('~').unwrap_or(rest);
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = rest.get(usize::from(quote.is_some())..).unwrap_or_default();
        let width = inner.find(|c| !name_char(c)).unwrap_or(inner.len());
        let tag = inner.get(..width).unwrap_or_default().to_owned();
        if tag.is_empty() || quote.is_none() && !tag.starts_with(name_start) {
            return false;
        }
        self.cursor.take_while(|c| matches!(c, '<' | '~'));
        self.cursor.eat_bytes(tag.len() + 2 * usize::from(quote.is_some()));
        self.heredocs.push((self.tokens.len(), tag, quote == Some('\'')));
        self.push(Kind::Text(Vec::new()), spaced);
        true
    }

    fn word(&mut self, spaced: bool) {
        let word = self.path().to_owned();
        let member = matches!(self.tokens.last().map(|token| &token.kind), Some(Kind::Op("->")));
        let rest = self.cursor.rest().trim_start();
        let key = rest.starts_with("=>") || rest.starts_with('}') && self.in_subscript();
        if key {
            return self.push(Kind::Text(vec![Bit::Known(word)]), spaced);
        }
        let quotes = matches!(word.as_str(), "q" | "qq" | "qw" | "qx" | "qr" | "m" | "s" | "tr" | "y");
        let opens = match self.cursor.peek() {
            Some(c) if c.is_ascii_punctuation() && !matches!(c, ',' | ';' | ')') => {
                !(c == '=' && self.cursor.starts("=>"))
            }
            Some(' ') => {
                rest.starts_with(['(', '{', '[', '<', '/', '|', '!']) && !matches!(word.as_str(), "s" | "y" | "m" | "q")
            }
            _ => false,
        };
        if !quotes || member || !opens {
            return self.push(Kind::Name(word), spaced);
        }
        self.cursor.take_while(|c| c == ' ');
        self.quote_like(&word, spaced);
    }

    /// The brace in front opens a subscript, not a block.
    fn in_subscript(&self) -> bool {
        let mut back = self.tokens.iter().rev().map(|token| &token.kind);
        matches!(back.next(), Some(Kind::Op("{")))
            && match back.next() {
                Some(Kind::Name(name)) => name.starts_with(['$', '@', '%']),
                Some(Kind::Op(op)) => matches!(*op, "->" | "}" | "]"),
                _ => false,
            }
    }

    fn quote_like(&mut self, word: &str, spaced: bool) {
        let raw = self.cursor.peek() == Some('\'');
        let open = self.cursor.peek().unwrap_or('/');
        match word {
            "q" | "qw" => {
                let bits = self.quoted(false);
                if word == "q" {
                    return self.push(Kind::Text(bits), spaced);
                }
                let text: String = bits
                    .into_iter()
                    .map(|bit| match bit {
                        Bit::Known(text) | Bit::Code(text) => text,
                    })
                    .collect();
                self.push(Kind::Op("("), spaced);
                for word in text.split_whitespace() {
                    self.push(Kind::Text(vec![Bit::Known(word.to_owned())]), true);
                    self.push(Kind::Op(","), false);
                }
                self.push(Kind::Op(")"), false);
            }
            "qq" => {
                let bits = self.quoted(true);
                self.push(Kind::Text(bits), spaced);
            }
            "qx" => {
                let bits = self.quoted(!raw);
                self.push(Kind::Shell(bits), spaced);
            }
            "qr" | "m" => {
                let bits = self.quoted(true);
                self.cursor.take_while(|c| c.is_ascii_alphabetic());
                self.push(Kind::Regex(bits, false), spaced);
            }
            _ => {
                self.quoted(false);
                let paired = matches!(open, '(' | '{' | '[' | '<');
                if paired {
                    self.cursor.take_while(char::is_whitespace);
                } else {
                    self.cursor = back_one(&self.cursor, open);
                }
                let replacement = self.quoted(false);
                let flags = self.cursor.take_while(|c| c.is_ascii_alphabetic());
                let runs = word == "s" && flags.contains('e');
                let bits = replacement.into_iter().map(|bit| match bit {
                    Bit::Known(text) if runs => Bit::Code(text),
                    bit => bit,
                });
                self.push(Kind::Regex(bits.collect(), runs), spaced);
            }
        }
    }

    /// The content of a quote whose opening character stands here.
    fn quoted(&mut self, expands: bool) -> Vec<Bit> {
        let open = self.cursor.next().unwrap_or('"');
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            c => c,
        };
        let mut bits = Bits::default();
        let mut depth = 0usize;
        while let Some(c) = self.cursor.next() {
            if c == close && depth == 0 {
                break;
            }
            if open != close {
                depth += usize::from(c == open);
                depth -= usize::from(c == close);
            }
            if expands {
                piece(c, &mut self.cursor, &mut bits);
            } else if c == '\\' && self.cursor.peek().is_some_and(|next| next == close || next == '\\') {
                self.cursor.next().into_iter().for_each(|c| bits.push(c));
            } else {
                bits.push(c);
            }
        }
        bits.done()
    }
}

/// The cursor in front of the separator that has just been read: it opens the second half of `s/a/b/`.
fn back_one<'a>(cursor: &Cursor<'a>, open: char) -> Cursor<'a> {
    let mut back = cursor.clone();
    back.step_back(open.len_utf8());
    back
}

/// A text with variables in it, that belongs to the one `around`.
fn interpolated(text: &str, around: &Cursor<'_>) -> Vec<Bit> {
    let mut cursor = around.over(text);
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        piece(c, &mut cursor, &mut bits);
    }
    bits.done()
}

fn piece(c: char, cursor: &mut Cursor<'_>, bits: &mut Bits) {
    match c {
        '\\' => escape(cursor, bits),
        '$' | '@' if cursor.peek() == Some('{') => {
            cursor.next();
            let inner = cursor.take_balanced('{', '}');
            let plain = inner.chars().all(name_char) && !inner.is_empty();
            bits.code(if plain { format!("{c}{inner}{}", subscripts(cursor)) } else { inner.to_owned() });
        }
        '$' if cursor.peek().is_some_and(|c| name_start(c) || c == '&' || c.is_ascii_digit()) => {
            let mut source = String::from('$');
            let name = cursor.take_while(name_char);
            source.push_str(name);
            if name.is_empty() {
                source.extend(cursor.next());
            }
            source.push_str(&subscripts(cursor));
            bits.code(source);
        }
        '@' if cursor.peek().is_some_and(name_start) => {
            let name = cursor.take_while(name_char);
            bits.code(format!("join(' ', @{name})"));
        }
        c => bits.push(c),
    }
}

/// `[0]`, `{key}`, `->{key}` behind a variable in a text.
fn subscripts(cursor: &mut Cursor<'_>) -> String {
    let mut source = String::new();
    loop {
        let arrow = cursor.starts("->[") || cursor.starts("->{");
        if arrow {
            cursor.eat("->");
            source.push_str("->");
        }
        let index = cursor.peek() == Some('[')
            && cursor.peek_at(1).is_some_and(|c| c.is_ascii_digit() || matches!(c, '$' | '-'));
        if index {
            cursor.next();
            source.push_str(&format!("[{}]", cursor.take_balanced('[', ']')));
        } else if cursor.peek() == Some('{') {
            cursor.next();
            source.push_str(&format!("{{{}}}", cursor.take_balanced('{', '}')));
        } else {
            return source;
        }
    }
}
