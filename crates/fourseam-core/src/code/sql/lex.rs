//! SQL text to tokens: strings, quoted names, comments, dollar quotes. Knows no statement.

/// How a text is split into tokens where servers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `\` is an ordinary character in `'...'`, `#` an operator, `--` a comment, `/*! ... */` a comment.
    Standard,
    /// `\` escapes in strings, `#` starts a comment, `--` only before white space, `/*! ... */` is code.
    Mysql,
}

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// As written.
    pub(super) source: &'a str,
    /// White space or a comment stands in front.
    pub(super) spaced: bool,
}

/// Kinds of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Keyword or name.
    Word,
    /// `"name"`, `` `name` ``, `[name]`; what stands inside.
    Name(String),
    /// `'text'`, `$$text$$`; what stands inside.
    Text(String),
    /// A number.
    Number,
    /// One other character.
    Op(char),
}

impl Token<'_> {
    /// Is this bare word, whatever its case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.source.eq_ignore_ascii_case(word)
    }

    pub(super) fn is_op(&self, op: char) -> bool {
        self.kind == Kind::Op(op)
    }

    /// Is one of these bare words.
    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// The content of a string.
    pub(super) fn string(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Word | Kind::Name(_) | Kind::Number | Kind::Op(_) => None,
        }
    }

    /// A name, quoted or not.
    pub(super) fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word => Some(self.source),
            Kind::Name(name) => Some(name),
            Kind::Text(_) | Kind::Number | Kind::Op(_) => None,
        }
    }
}

/// Walks over a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    /// Where the next character stands that may end a name in `[ ]`, as far as it was looked for.
    bracket_end: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Self {
        Self { text, at: 0, dialect, bracket_end: 0 }
    }

    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on behind `bytes` more bytes.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// The rest of the line, without its end; goes behind it.
    pub(super) fn take_line(&mut self) -> &'a str {
        let rest = self.rest();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        self.skip(line.len());
        line
    }

    /// Skips white space and comments; says whether there were any.
    pub(super) fn skip_blank(&mut self) -> bool {
        let start = self.at;
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.skip(rest.len() - trimmed.len());
            if !self.skip_comment(trimmed) {
                return self.at != start;
            }
        }
    }

    fn skip_comment(&mut self, rest: &str) -> bool {
        let mysql = self.dialect == Dialect::Mysql;
        let mut chars = rest.chars();
        match (chars.next(), chars.next(), chars.next()) {
            (Some('-'), Some('-'), third) if !mysql || third.is_none_or(char::is_whitespace) => {
                self.take_line();
            }
            (Some('#'), _, _) if mysql => {
                self.take_line();
            }
            (Some('/'), Some('*'), Some('!' | 'M')) if mysql => {
                let digits = rest.trim_start_matches(['/', '*', '!', 'M']);
                let code = digits.trim_start_matches(|c: char| c.is_ascii_digit());
                self.skip(rest.len() - code.len());
            }
            (Some('*'), Some('/'), _) if mysql => self.skip(2),
            (Some('/'), Some('*'), _) => self.skip(block_comment(rest)),
            _ => return false,
        }
        true
    }

    /// The next token, behind blanks. `None` at the end.
    pub(super) fn next_token(&mut self) -> Option<Token<'a>> {
        let spaced = self.skip_blank();
        let rest = self.rest();
        let (kind, length) = self.kind_of(rest)?;
        let source = rest.get(..length).unwrap_or(rest);
        self.skip(length);
        Some(Token { kind, source, spaced })
    }

    fn kind_of(&mut self, rest: &str) -> Option<(Kind, usize)> {
        let first = rest.chars().next()?;
        let escapes = self.dialect == Dialect::Mysql;
        Some(match first {
            '\'' => text(quoted(rest, '\'', escapes)),
            '"' => name(quoted(rest, '"', escapes)),
            '`' => name(quoted(rest, '`', false)),
            '[' => match self.bracket(rest) {
                Some(inside) => (Kind::Name(inside.to_owned()), inside.len() + 2),
                None => (Kind::Op('['), 1),
            },
            '$' => dollar(rest).unwrap_or((Kind::Op('$'), 1)),
            c if c.is_ascii_digit() => (Kind::Number, span(rest, |c| c.is_alphanumeric() || c == '.')),
            c if word_char(c) => {
                prefixed(rest).unwrap_or_else(|| (Kind::Word, span(rest, |c| word_char(c) || c == '$')))
            }
            c => (Kind::Op(c), c.len_utf8()),
        })
    }
}

impl Lexer<'_> {
    /// What stands in `[ ]`, if the bracket closes before the statement or the line ends.
    fn bracket<'t>(&mut self, rest: &'t str) -> Option<&'t str> {
        if self.bracket_end <= self.at {
            self.bracket_end = self.at + rest.find([']', ';', '\n']).unwrap_or(rest.len());
        }
        let end = self.bracket_end - self.at;
        rest.get(end..).filter(|behind| behind.starts_with(']')).and_then(|_| rest.get(1..end))
    }
}

fn word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@')
}

fn span(rest: &str, inside: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !inside(c)).unwrap_or(rest.len())
}

fn text((content, length): (String, usize)) -> (Kind, usize) {
    (Kind::Text(content), length)
}

fn name((content, length): (String, usize)) -> (Kind, usize) {
    (Kind::Name(content), length)
}

/// `E'..'` with backslash escapes, `N'..'`, `B'..'`, `X'..'`, `U&'..'`.
fn prefixed(rest: &str) -> Option<(Kind, usize)> {
    let (prefix, behind) = rest.split_at_checked(1)?;
    let escapes = match prefix {
        "e" | "E" => true,
        "n" | "N" | "b" | "B" | "x" | "X" | "r" | "R" => false,
        _ => return None,
    };
    let (content, length) = behind.starts_with('\'').then(|| quoted(behind, '\'', escapes))?;
    Some((Kind::Text(content), length + 1))
}

/// Content and length of a quoted piece; a doubled quote stands for one. Unclosed ones go to the end.
fn quoted(rest: &str, quote: char, escapes: bool) -> (String, usize) {
    let mut content = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && escapes {
            content.extend(chars.next().map(|(_, c)| c));
        } else if c != quote {
            content.push(c);
        } else if chars.next_if(|(_, next)| *next == quote).is_some() {
            content.push(quote);
        } else {
            return (content, at + quote.len_utf8());
        }
    }
    (content, rest.len())
}

/// `$$ .. $$` and `$tag$ .. $tag$`.
fn dollar(rest: &str) -> Option<(Kind, usize)> {
    let behind = rest.get(1..)?;
    let close = behind.find('$')?;
    let tag = rest.get(..close + 2)?;
    let label = tag.get(1..tag.len() - 1)?;
    if label.starts_with(|c: char| c.is_ascii_digit()) || !label.chars().all(word_char) {
        return None;
    }
    let body = rest.get(tag.len()..)?;
    let end = body.find(tag).unwrap_or(body.len());
    let length = (tag.len() + end + tag.len()).min(rest.len());
    Some((Kind::Text(body.get(..end)?.to_owned()), length))
}

/// Length of a comment `/* .. */`, which may nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..) {
        let Some(step) = tail.find(['/', '*']) else { break };
        let here = tail.get(step..).unwrap_or_default();
        if here.starts_with("/*") {
            depth += 1;
            at += step + 2;
        } else if here.starts_with("*/") {
            at += step + 2;
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        } else {
            at += step + 1;
        }
    }
    rest.len()
}
