//! Commands and their arguments, pipes and assignments.

use super::literal::known_piece;
use super::{INPUT, Reader};
use crate::code::script::ast::{Arg, Expr, Piece};
use crate::code::script::token::name_char;

impl Reader<'_> {
    /// Commands and expressions joined by `|`.
    pub(super) fn pipeline(&mut self) -> Expr {
        let mut value: Option<Expr> = None;
        let mut links = 0;
        loop {
            self.blank(value.is_some());
            let part = self.nested(Self::element);
            value = Some(match (value, part) {
                (Some(input), Expr::Call(callee, mut args)) => {
                    args.push(Arg { name: Some(INPUT.to_owned()), value: input });
                    Expr::Call(callee, args)
                }
                (Some(input), part) => Expr::Block(vec![input, part]),
                (None, part) => part,
            });
            // A pipe may begin the next line.
            let mut ahead = self.cursor.clone();
            ahead.take_while(char::is_whitespace);
            if ahead.starts("|") && !ahead.starts("||") && self.goes_on(&mut links) {
                ahead.next();
                self.cursor = ahead;
                continue;
            }
            self.blank(false);
            return value.unwrap_or(Expr::Nothing);
        }
    }

    /// One command, expression or assignment.
    pub(super) fn element(&mut self) -> Expr {
        if self.cursor.peek() == Some('&')
            || self.cursor.starts(". ")
            || self.cursor.starts(".(")
            || self.cursor.starts(".{")
        {
            let sources = self.cursor.peek() == Some('.');
            self.cursor.next();
            self.blank(false);
            let callee = self.called();
            let args = self.arguments();
            let callee = match callee {
                Expr::Text(_) if sources => return Expr::call(Expr::name("."), vec![callee]),
                callee => callee,
            };
            // `& name args` as a call by text: the name may be built.
            let name = Arg::plain(callee);
            return Expr::Call(Box::new(Expr::name("&")), std::iter::once(name).chain(args).collect());
        }
        let starts_expression = match self.cursor.peek() {
            Some('$' | '"' | '\'' | '(' | '[' | '{' | '@') => true,
            Some(c) if c.is_ascii_digit() => self.number_stands(),
            Some('-' | '!' | '+') => true,
            Some(',') => true,
            _ => false,
        };
        if starts_expression { self.assignment() } else { self.command() }
    }

    /// Digits that are a number, not the name of a program (`7z`).
    pub(super) fn number_stands(&self) -> bool {
        let rest = self.cursor.rest();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | 'x'));
        behind.chars().next().is_none_or(|c| c.is_whitespace() || ";|)}],+-*/%".contains(c))
    }

    pub(super) fn assignment(&mut self) -> Expr {
        let target = self.expression();
        self.blank(false);
        for op in ["=", "+=", "-=", "*=", "/=", "??="] {
            if self.cursor.starts(op) && !self.cursor.starts("==") {
                self.cursor.eat(op);
                self.blank(true);
                let value = self.statement();
                return Expr::Assign(vec![uncast(target)], op.to_owned(), Box::new(value));
            }
        }
        target
    }

    /// What stands behind `&`: a word, string, variable or block.
    pub(super) fn called(&mut self) -> Expr {
        match self.cursor.peek() {
            Some('$' | '"' | '\'' | '(' | '{' | '[' | '@') => self.operand(),
            _ => self.word(),
        }
    }

    pub(super) fn command(&mut self) -> Expr {
        let name = self.word();
        let args = self.arguments();
        match &name {
            Expr::Text(pieces) => match pieces.as_slice() {
                [Piece::Known(name)] => {
                    // Paths keep their case.
                    let name = if name.contains(['/', '\\', '.']) { name.clone() } else { name.to_lowercase() };
                    Expr::Call(Box::new(Expr::Name(name)), args)
                }
                _ => Expr::Call(Box::new(Expr::name("&")), std::iter::once(Arg::plain(name)).chain(args).collect()),
            },
            _ => name,
        }
    }

    /// Arguments of a command up to the end of it.
    pub(super) fn arguments(&mut self) -> Vec<Arg> {
        let mut args: Vec<Arg> = Vec::new();
        loop {
            let spaced = self.blank(false);
            match self.cursor.peek() {
                None | Some(';' | '|' | '\n' | ')' | '}') => return args,
                Some('&')
                    if self.cursor.starts("&&") || !spaced || self.cursor.starts("& ") || self.cursor.starts("&\n") =>
                {
                    if !self.cursor.starts("&&") {
                        self.cursor.next();
                    }
                    return args;
                }
                Some('>') => self.redirect(&mut args),
                Some('2' | '*' | '1') if self.cursor.peek_at(1) == Some('>') => {
                    self.cursor.next();
                    self.redirect(&mut args);
                }
                Some(',') => {
                    // `a, b` is one argument.
                    self.cursor.next();
                    self.blank(true);
                    let next = self.argument();
                    if let Some(last) = args.last_mut() {
                        let first = std::mem::replace(&mut last.value, Expr::Nothing);
                        last.value = match first {
                            Expr::List(mut items) => {
                                items.push(next);
                                Expr::List(items)
                            }
                            first => Expr::List(vec![first, next]),
                        };
                    }
                }
                Some(_) => {
                    let before = self.cursor.rest().len();
                    let value = self.argument();
                    args.push(Arg::plain(value));
                    if self.cursor.rest().len() == before {
                        self.errors += 1;
                        self.cursor.next();
                    }
                }
            }
        }
    }

    pub(super) fn redirect(&mut self, args: &mut Vec<Arg>) {
        let append = self.cursor.starts(">>");
        self.cursor.take_while(|c| c == '>');
        if self.cursor.eat("&1") || self.cursor.eat("&2") {
            return;
        }
        self.blank(false);
        let file = self.argument();
        let name = if append { ">>" } else { ">" };
        args.push(Arg { name: Some(name.to_owned()), value: file });
    }

    pub(super) fn argument(&mut self) -> Expr {
        match self.cursor.peek() {
            Some('-') if self.cursor.peek_at(1).is_some_and(|c| c.is_ascii_alphabetic() || c == '?') => {
                self.parameter()
            }
            Some('$' | '(' | '{' | '@' | '"' | '\'') => self.nested(|reader| {
                let value = reader.operand();
                reader.glued(value)
            }),
            _ => self.word(),
        }
    }

    /// What stands without a blank behind a variable or string belongs to the word.
    pub(super) fn glued(&mut self, value: Expr) -> Expr {
        match self.cursor.peek() {
            Some(c) if !c.is_whitespace() && !",;|)}>&".contains(c) => {
                let rest = self.word();
                match rest {
                    Expr::Text(pieces) => Expr::Text(std::iter::once(Piece::Value(value)).chain(pieces).collect()),
                    rest => Expr::Text(vec![Piece::Value(value), Piece::Value(rest)]),
                }
            }
            _ => value,
        }
    }

    /// `-Name` or `-Name:value`, as a list of the name and the value if one is joined.
    pub(super) fn parameter(&mut self) -> Expr {
        self.cursor.next();
        let name = self.cursor.take_while(|c| name_char(c) || matches!(c, '-' | '?'));
        let marker = Expr::Name(format!("-{name}"));
        if self.cursor.eat(":") {
            self.blank(false);
            let value = self.nested(Self::argument);
            return Expr::Call(Box::new(Expr::name(super::super::JOINED)), vec![Arg::plain(marker), Arg::plain(value)]);
        }
        // Options of programs: `-X=y`, `-L/usr`.
        match self.cursor.peek() {
            Some(c) if !c.is_whitespace() && !",;|)}>".contains(c) => {
                let rest = self.word();
                match rest {
                    Expr::Text(pieces) => {
                        let head = Piece::Known(format!("-{name}"));
                        Expr::Text(std::iter::once(head).chain(pieces).collect())
                    }
                    rest => rest,
                }
            }
            _ => marker,
        }
    }

    /// A bare word with variables and quoted parts in it.
    pub(super) fn word(&mut self) -> Expr {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut known = String::new();
        while let Some(c) = self.cursor.peek() {
            match c {
                c if c.is_whitespace()
                    || ";|)}{(,".contains(c)
                    || c == '>' && pieces.is_empty() && known.is_empty() =>
                {
                    break;
                }
                '&' => break,
                '`' if matches!(self.cursor.peek_at(1), None | Some('\n' | '\r')) => break,
                '`' => {
                    self.cursor.next();
                    known.extend(self.cursor.next());
                }
                '"' | '\'' | '$' => {
                    let value = if c == '$' { self.variable() } else { self.string() };
                    pieces.push(Piece::Known(std::mem::take(&mut known)));
                    pieces.push(Piece::Value(value));
                }
                c => {
                    known.push(c);
                    self.cursor.next();
                }
            }
        }
        pieces.push(Piece::Known(known));
        pieces.retain(|piece| *piece != Piece::Known(String::new()));
        // A word of known pieces alone is known text.
        let whole: Option<String> = pieces.iter().map(known_piece).collect();
        match whole {
            Some(text) => Expr::known(text),
            None => Expr::Text(pieces),
        }
    }
}

/// `[string]$x = ..` assigns `$x`.
fn uncast(target: Expr) -> Expr {
    match target {
        Expr::Call(callee, mut args) if matches!(callee.as_ref(), Expr::Name(name) if name.starts_with('[')) => {
            args.pop().map_or(Expr::Nothing, |arg| uncast(arg.value))
        }
        target => target,
    }
}
