//! Strings, here-strings, hashes, lists and variables.

use super::{MAX_DEPTH, Reader};
use crate::code::script::ast::{Expr, Piece};
use crate::code::script::token::name_char;

impl Reader<'_> {
    /// `@(..)`, `@{..}`, `@'..'@`, `@name`.
    pub(super) fn at_form(&mut self) -> Expr {
        self.cursor.next();
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.next();
                let inner = self.statements(Some(')'));
                match <[Expr; 1]>::try_from(inner) {
                    Ok([Expr::List(items)]) => Expr::List(items),
                    Ok([one]) => Expr::List(vec![Expr::Spread(Box::new(one))]),
                    Err(all) => Expr::List(all),
                }
            }
            Some('{') => {
                self.cursor.next();
                self.hash()
            }
            Some('\'' | '"') => self.here_string(),
            _ => {
                let name = self.cursor.take_while(name_char).to_ascii_lowercase();
                Expr::Spread(Box::new(Expr::Name(format!("${name}"))))
            }
        }
    }

    pub(super) fn hash(&mut self) -> Expr {
        let mut pairs = Vec::new();
        loop {
            self.blank(true);
            match self.cursor.peek() {
                None => return Expr::Map(pairs),
                Some('}') => {
                    self.cursor.next();
                    return Expr::Map(pairs);
                }
                Some(';' | ',') => {
                    self.cursor.next();
                }
                Some(_) => {
                    let before = self.cursor.rest().len();
                    let key = match self.cursor.peek() {
                        Some('"' | '\'') => self.string(),
                        _ => Expr::known(
                            self.cursor.take_while(|c| !c.is_whitespace() && !"=;}".contains(c)).to_ascii_lowercase(),
                        ),
                    };
                    self.blank(true);
                    if self.cursor.eat("=") {
                        self.blank(true);
                        let value = self.nested(Self::statement);
                        pairs.push((Expr::Block(vec![key]), value));
                    }
                    if self.cursor.rest().len() == before {
                        self.cursor.next();
                    }
                }
            }
        }
    }

    pub(super) fn here_string(&mut self) -> Expr {
        let quote = self.cursor.next().unwrap_or('"');
        self.cursor.take_until("\n");
        let body = self.cursor.take_until(if quote == '\'' { "\n'@" } else { "\n\"@" });
        if quote == '\'' { Expr::known(body) } else { self.expand(body) }
    }

    pub(super) fn string(&mut self) -> Expr {
        let quote = self.cursor.next().unwrap_or('"');
        let mut text = String::new();
        let mut depth = 0usize;
        while let Some(c) = self.cursor.next() {
            if c == quote && depth == 0 {
                // A doubled quote stands for one.
                if self.cursor.peek() == Some(quote) {
                    self.cursor.next();
                    text.push_str(if quote == '"' { "`\"" } else { "'" });
                    continue;
                }
                break;
            }
            match c {
                '`' if quote == '"' => {
                    text.push(c);
                    text.extend(self.cursor.next());
                    continue;
                }
                '(' if quote == '"' && (depth > 0 || text.ends_with('$')) => depth += 1,
                ')' if quote == '"' => depth = depth.saturating_sub(1),
                _ => {}
            }
            text.push(c);
        }
        if quote == '\'' { Expr::known(text) } else { self.expand(&text) }
    }

    /// Variables, `$( .. )` and escapes in a text.
    pub(super) fn expand(&mut self, text: &str) -> Expr {
        let mut inner = Reader { cursor: self.cursor.over(text), depth: self.depth + 1, errors: 0, overflow: false };
        let mut pieces = Vec::new();
        let mut known = String::new();
        while let Some(c) = inner.cursor.peek() {
            match c {
                '`' => {
                    inner.cursor.next();
                    match inner.cursor.next() {
                        Some('n') => known.push('\n'),
                        Some('t') => known.push('\t'),
                        Some('r') => known.push('\r'),
                        Some(c) => known.push(c),
                        None => {}
                    }
                }
                '$' if inner.cursor.peek_at(1).is_some_and(|c| name_char(c) || matches!(c, '{' | '(' | ':')) => {
                    if self.depth >= MAX_DEPTH {
                        self.overflow = true;
                        break;
                    }
                    pieces.push(Piece::Known(std::mem::take(&mut known)));
                    pieces.push(Piece::Value(inner.variable()));
                }
                c => {
                    known.push(c);
                    inner.cursor.next();
                }
            }
        }
        pieces.push(Piece::Known(known));
        pieces.retain(|piece| *piece != Piece::Known(String::new()));
        self.errors += inner.errors;
        self.overflow |= inner.overflow;
        Expr::Text(pieces)
    }

    /// `$name`, `${name}`, `$env:NAME`, `$( .. )`.
    pub(super) fn variable(&mut self) -> Expr {
        self.cursor.next();
        if self.cursor.eat("(") {
            return Expr::Block(self.statements(Some(')')));
        }
        let name = if self.cursor.eat("{") {
            self.cursor.take_until("}").to_ascii_lowercase()
        } else {
            let mut name = self.cursor.take_while(name_char).to_ascii_lowercase();
            if self.cursor.peek() == Some(':') && self.cursor.peek_at(1).is_some_and(name_char) {
                self.cursor.next();
                name.push(':');
                name.push_str(&self.cursor.take_while(name_char).to_ascii_lowercase());
            }
            if name.is_empty() {
                name.extend(self.cursor.next_if(|c| matches!(c, '?' | '^' | '$' | '_')));
            }
            name
        };
        match name.split_once(':') {
            Some(("env", variable)) => {
                Expr::Index(Box::new(Expr::name("[env]")), Box::new(Expr::known(variable.to_ascii_uppercase())))
            }
            Some((_, name)) => Expr::Name(format!("${name}")),
            None => Expr::Name(format!("${name}")),
        }
    }
}

/// The text of a piece that is known.
pub(super) fn known_piece(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Known(text) => Some(text.clone()),
        Piece::Value(Expr::Text(pieces)) => pieces.iter().map(known_piece).collect(),
        Piece::Value(_) => None,
    }
}
