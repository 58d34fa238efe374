//! PHP text to tokens: tags, variables, interpolation, heredocs.

use super::super::token::{Bit, Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

const OPERATORS: &[&str] = &[
    "<=>", "**=", "...", "??=", "===", "!==", "<<=", ">>=", "?->", "=>", "->", "::", "==", "!=", "<>", "<=", ">=",
    "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=", ".=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "+", "-",
    "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "<", ">", "=", "@",
    "\\", "$",
];

/// Splits PHP into tokens; text outside of `<?php .. ?>` is left out where a tag stands in it.
pub(super) fn lex(text: &str, work: &Work) -> Vec<Token> {
    let mut cursor = Cursor::new(text, work);
    let mut tokens: Vec<Token> = Vec::new();
    if text.contains("<?") {
        outside(&mut cursor);
    }
    while tokens.len() < MAX_TOKENS {
        let spaced = blank(&mut cursor);
        let Some(first) = cursor.peek() else { break };
        let kind = match first {
            '?' if cursor.eat("?>") => {
                outside(&mut cursor);
                Kind::Op(";")
            }
            '\'' => single(&mut cursor),
            '"' => Kind::Text(double(&mut cursor, '"')),
            '`' => Kind::Shell(double(&mut cursor, '`')),
            '<' if cursor.starts("<<<") => heredoc(&mut cursor),
            '$' if cursor.peek_at(1).is_some_and(name_start) => {
                cursor.next();
                Kind::Name(format!("${}", cursor.take_while(name_char)))
            }
            c if c.is_ascii_digit() => Kind::Number(cursor.number()),
            '\\' if cursor.peek_at(1).is_some_and(name_start) => {
                cursor.next();
                Kind::Name(cursor.take_while(|c| name_char(c) || c == '\\').to_owned())
            }
            c if name_start(c) => Kind::Name(cursor.take_while(|c| name_char(c) || c == '\\').to_owned()),
            _ => match cursor.operator(OPERATORS) {
                Some(op) => Kind::Op(op),
                None => {
                    cursor.next();
                    continue;
                }
            },
        };
        tokens.push(Token { kind, spaced, fresh: false });
    }
    tokens
}

/// Goes over text that is not PHP.
fn outside(cursor: &mut Cursor<'_>) {
    cursor.take_until("<?");
    let _tag = cursor.eat("php") || cursor.eat("=");
}

fn blank(cursor: &mut Cursor<'_>) -> bool {
    let mut spaced = false;
    loop {
        spaced |= !cursor.take_while(char::is_whitespace).is_empty();
        if cursor.starts("#[") {
            cursor.take_until("]");
        } else if cursor.eat("//") || cursor.eat("#") {
            let line = cursor.rest().split('\n').next().unwrap_or_default();
            cursor.looked_at(line.len());
            let end = line.find("?>").unwrap_or(line.len());
            cursor.eat_bytes(end);
        } else if cursor.eat("/*") {
            cursor.take_until("*/");
        } else {
            return spaced;
        }
        spaced = true;
    }
}

fn single(cursor: &mut Cursor<'_>) -> Kind {
    cursor.next();
    let mut text = String::new();
    while let Some(c) = cursor.next() {
        match c {
            '\'' => break,
            '\\' if matches!(cursor.peek(), Some('\'' | '\\')) => text.extend(cursor.next()),
            c => text.push(c),
        }
    }
    Kind::Text(vec![Bit::Known(text)])
}

fn double(cursor: &mut Cursor<'_>, quote: char) -> Vec<Bit> {
    cursor.next();
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        if c == quote {
            break;
        }
        piece(c, cursor, &mut bits);
    }
    bits.done()
}

/// One character of a text with variables in it.
fn piece(c: char, cursor: &mut Cursor<'_>, bits: &mut Bits) {
    match c {
        '\\' if cursor.peek() == Some('$') => {
            cursor.next();
            bits.push('$');
        }
        '\\' => escape(cursor, bits),
        '{' if cursor.peek() == Some('$') => bits.code(cursor.take_balanced('{', '}')),
        '$' if cursor.eat("{") => bits.code(format!("${}", cursor.take_balanced('{', '}'))),
        '$' if cursor.peek().is_some_and(name_start) => {
            let mut source = format!("${}", cursor.take_while(name_char));
            if cursor.starts("->") && cursor.peek_at(2).is_some_and(name_start) {
                cursor.eat("->");
                source.push_str("->");
                source.push_str(cursor.take_while(name_char));
            } else if cursor.eat("[") {
                let index = cursor.take_until("]");
                let bare = index.starts_with(name_start);
                source.push_str(&if bare { format!("['{index}']") } else { format!("[{index}]") });
            }
            bits.code(source);
        }
        c => bits.push(c),
    }
}

fn heredoc(cursor: &mut Cursor<'_>) -> Kind {
    cursor.eat("<<<");
    cursor.take_while(|c| c == ' ');
    let raw = cursor.eat("'");
    cursor.eat("\"");
    let tag = cursor.take_while(name_char).to_owned();
    cursor.take_until("\n");
    let mut body = Vec::new();
    while !cursor.is_done() && !tag.is_empty() {
        let mut ahead = cursor.clone();
        ahead.take_while(|c| matches!(c, ' ' | '\t'));
        if ahead.eat(&tag) && !ahead.peek().is_some_and(name_char) {
            *cursor = ahead;
            break;
        }
        body.push(cursor.take_until("\n"));
    }
    let body = body.join("\n");
    if raw {
        return Kind::Text(vec![Bit::Known(body)]);
    }
    let mut bits = Bits::default();
    let mut inner = cursor.over(&body);
    while let Some(c) = inner.next() {
        piece(c, &mut inner, &mut bits);
    }
    Kind::Text(bits.done())
}
