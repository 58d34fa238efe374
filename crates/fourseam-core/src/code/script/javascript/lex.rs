//! JavaScript and TypeScript text to tokens: templates, regular expressions, comments.

use super::super::token::{Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

const OPERATORS: &[&str] = &[
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&",
    "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "+", "-", "*", "/",
    "%", "&", "|", "^", "!", "~", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "<", ">", "=", "@", "#",
];

/// Words behind which a `/` begins a regular expression.
const BEFORE_REGEX: [&str; 12] =
    ["return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "new", "await"];

/// Splits JavaScript text into tokens.
pub(super) fn lex(text: &str, work: &Work) -> Vec<Token> {
    let mut cursor = Cursor::new(text, work);
    let mut tokens: Vec<Token> = Vec::new();
    if cursor.starts("#!") {
        cursor.take_line();
    }
    while tokens.len() < MAX_TOKENS {
        let (spaced, fresh) = blank(&mut cursor);
        let Some(first) = cursor.peek() else { break };
        let kind = match first {
            '"' | '\'' => string(&mut cursor, first),
            '`' => template(&mut cursor),
            '/' if regex_stands(tokens.last()) => regex(&mut cursor),
            c if c.is_ascii_digit() => Kind::Number(cursor.number()),
            c if name_start(c) || matches!(c, '$' | '\\') => Kind::Name(name(&mut cursor)),
            _ => match cursor.operator(OPERATORS) {
                Some(op) => Kind::Op(op),
                None => {
                    cursor.next();
                    continue;
                }
            },
        };
        tokens.push(Token { kind, spaced, fresh });
    }
    tokens
}

fn blank(cursor: &mut Cursor<'_>) -> (bool, bool) {
    let (mut spaced, mut fresh) = (false, false);
    loop {
        let blank = cursor.take_while(char::is_whitespace);
        spaced |= !blank.is_empty();
        fresh |= blank.contains('\n');
        if cursor.eat("//") || cursor.eat("<!--") {
            cursor.take_line();
        } else if cursor.eat("/*") {
            fresh |= cursor.take_until("*/").contains('\n');
        } else {
            return (spaced, fresh);
        }
        spaced = true;
    }
}

/// A name; `\u0065val` is `eval`.
fn name(cursor: &mut Cursor<'_>) -> String {
    let mut name = String::new();
    loop {
        name.push_str(cursor.take_while(|c| name_char(c) || c == '$'));
        if !cursor.starts("\\u") {
            if cursor.peek() == Some('\\') && name.is_empty() {
                cursor.next();
            }
            return name;
        }
        cursor.next();
        let mut bits = Bits::default();
        escape(cursor, &mut bits);
        for bit in bits.done() {
            if let super::super::token::Bit::Known(text) = bit {
                name.push_str(&text);
            }
        }
    }
}

fn string(cursor: &mut Cursor<'_>, quote: char) -> Kind {
    cursor.next();
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        match c {
            '\\' => escape(cursor, &mut bits),
            c if c == quote => break,
            c => bits.push(c),
        }
    }
    Kind::Text(bits.done())
}

fn template(cursor: &mut Cursor<'_>) -> Kind {
    cursor.next();
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        match c {
            '`' => break,
            '\\' => escape(cursor, &mut bits),
            '$' if cursor.eat("{") => bits.code(inner(cursor)),
            c => bits.push(c),
        }
    }
    Kind::Text(bits.done())
}

/// Source up to the brace that closes an expression in a template; templates may nest in it.
fn inner(cursor: &mut Cursor<'_>) -> String {
    let mut source = String::new();
    let mut depth = 0usize;
    while let Some(c) = cursor.next() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            '"' | '\'' | '`' => {
                source.push(c);
                while let Some(inside) = cursor.next() {
                    source.push(inside);
                    if inside == '\\' {
                        source.extend(cursor.next());
                    } else if inside == c {
                        break;
                    }
                }
                continue;
            }
            _ => {}
        }
        source.push(c);
    }
    source
}

fn regex_stands(last: Option<&Token>) -> bool {
    match last.map(|token| &token.kind) {
        None => true,
        Some(Kind::Op(op)) => !matches!(*op, ")" | "]" | "}" | "++" | "--"),
        Some(Kind::Name(name)) => BEFORE_REGEX.contains(&name.as_str()),
        Some(Kind::Number(_) | Kind::Text(_) | Kind::Shell(_) | Kind::Regex(..)) => false,
        Some(Kind::Line | Kind::Indent | Kind::Dedent) => true,
    }
}

fn regex(cursor: &mut Cursor<'_>) -> Kind {
    cursor.next();
    let mut class = false;
    while let Some(c) = cursor.next() {
        match c {
            '\\' => {
                cursor.next();
            }
            '[' => class = true,
            ']' => class = false,
            '/' if !class => break,
            '\n' => break,
            _ => {}
        }
    }
    cursor.take_while(char::is_alphabetic);
    Kind::Regex(Vec::new(), false)
}
