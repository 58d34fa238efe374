//! Operators, members, types, and what stands between them.

use super::super::words::DASHED;
use super::Reader;
use crate::code::script::ast::Expr;
use crate::code::script::token::name_char;

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        self.nested(|reader| reader.operators())
    }

    /// Operands joined by operators; all bind alike except `,`, which binds tighter.
    pub(super) fn operators(&mut self) -> Expr {
        let mut left = self.unary();
        let mut links = 0;
        loop {
            self.blank(false);
            let Some(op) = self.operator() else { return left };
            if op != "," && !self.goes_on(&mut links) {
                return left;
            }
            self.blank(true);
            if op == "," {
                let next = self.unary();
                left = match left {
                    Expr::List(mut items) => {
                        items.push(next);
                        Expr::List(items)
                    }
                    first => Expr::List(vec![first, next]),
                };
                continue;
            }
            let right = self.unary();
            // A list behind an operator: `'{0}{1}' -f 'a','b'`.
            let mut items = vec![right];
            loop {
                self.blank(false);
                if !self.cursor.eat(",") {
                    break;
                }
                self.blank(true);
                items.push(self.unary());
            }
            let right = if items.len() == 1 { items.pop().unwrap_or(Expr::Nothing) } else { Expr::List(items) };
            left = apply(&op, left, right);
        }
    }

    pub(super) fn operator(&mut self) -> Option<String> {
        if self.cursor.eat(",") {
            return Some(",".to_owned());
        }
        for op in ["..", "??", "+", "*", "/", "%"] {
            let assigns = self.cursor.rest().get(op.len()..).is_some_and(|rest| rest.starts_with('='));
            if self.cursor.starts(op) && !assigns {
                self.cursor.eat(op);
                return Some(op.to_owned());
            }
        }
        if self.cursor.peek() != Some('-') || self.cursor.starts("-=") || self.cursor.starts("--") {
            return None;
        }
        let rest = self.cursor.rest().get(1..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        if name.is_empty() {
            self.cursor.next();
            return Some("-".to_owned());
        }
        let plain = name.trim_start_matches(['c', 'i']);
        let found = DASHED.iter().find(|known| **known == name || **known == plain)?;
        self.cursor.next();
        self.cursor.take_while(|c| c.is_ascii_alphabetic());
        Some((*found).to_owned())
    }

    pub(super) fn unary(&mut self) -> Expr {
        self.blank(true);
        self.nested(|reader| {
            for op in ["!", "-not ", "-bnot "] {
                if reader.cursor.rest().get(..op.len()).is_some_and(|head| head.eq_ignore_ascii_case(op)) {
                    reader.cursor.eat_bytes(op.len());
                    return Expr::Unary("!".to_owned(), Box::new(reader.unary()));
                }
            }
            for op in ["-join", "-split"] {
                if reader.cursor.rest().get(..op.len()).is_some_and(|head| head.eq_ignore_ascii_case(op)) {
                    reader.cursor.eat_bytes(op.len());
                    let value = reader.unary();
                    let none = Expr::known(if op == "-join" { "" } else { " " });
                    return apply(op.trim_start_matches('-'), value, none);
                }
            }
            if reader.cursor.eat("++") || reader.cursor.eat("--") || reader.cursor.eat("+") || reader.cursor.eat(",") {
                return reader.unary();
            }
            if reader.cursor.peek() == Some('-') {
                reader.cursor.next();
                return Expr::Unary("-".to_owned(), Box::new(reader.unary()));
            }
            let value = reader.operand();
            reader.cursor.eat("++");
            value
        })
    }

    /// A value with its members and indexes.
    pub(super) fn operand(&mut self) -> Expr {
        let mut value = match self.cursor.peek() {
            Some('$') => self.variable(),
            Some('"' | '\'') => self.string(),
            Some('(') => {
                self.cursor.next();
                let mut inner = self.statements(Some(')'));
                if inner.len() == 1 { inner.pop().unwrap_or(Expr::Nothing) } else { Expr::Block(inner) }
            }
            Some('{') => {
                self.cursor.next();
                let params = self.param_block();
                Expr::function("", params, self.statements(Some('}')))
            }
            Some('@') => self.at_form(),
            Some('[') => return self.type_form(),
            Some(c) if c.is_ascii_digit() => {
                let number = self.cursor.number();
                Expr::Number(number)
            }
            _ => self.word(),
        };
        let mut links = 0;
        while self.goes_on(&mut links) {
            match self.cursor.peek() {
                Some('.')
                    if self.cursor.peek_at(1).is_some_and(|c| name_char(c) || matches!(c, '$' | '\'' | '"' | '(')) =>
                {
                    self.cursor.next();
                    value = self.member(value);
                }
                Some(':') if self.cursor.starts("::") => {
                    self.cursor.eat("::");
                    value = self.member(value);
                }
                Some('[') => {
                    self.cursor.next();
                    let mut inner = self.statements(Some(']'));
                    let index =
                        if inner.len() == 1 { inner.pop().unwrap_or(Expr::Nothing) } else { Expr::Block(inner) };
                    value = Expr::Index(Box::new(value), Box::new(index));
                }
                Some('?') if self.cursor.starts("?.") || self.cursor.starts("?[") => {
                    self.cursor.next();
                }
                _ => break,
            }
        }
        value
    }

    /// `.name`, `.name(args)`, `.$name`, `."name"`.
    pub(super) fn member(&mut self, value: Expr) -> Expr {
        let name = match self.cursor.peek() {
            Some('$') => Err(self.variable()),
            Some('"' | '\'') => Err(self.string()),
            Some('(') => {
                self.cursor.next();
                Err(Expr::Block(self.statements(Some(')'))))
            }
            _ => Ok(self.cursor.take_while(name_char).to_ascii_lowercase()),
        };
        let member = match name {
            Ok(name) => value.attr(name),
            Err(expr) => Expr::Index(Box::new(value), Box::new(expr)),
        };
        if !self.cursor.eat("(") {
            return member;
        }
        let mut args = Vec::new();
        loop {
            self.blank(true);
            match self.cursor.peek() {
                None | Some(')') => {
                    self.cursor.next();
                    return Expr::call(member, args);
                }
                Some(',') => {
                    self.cursor.next();
                }
                Some(_) => {
                    let before = self.cursor.rest().len();
                    // Commas separate arguments here.
                    args.push(self.argument_expression());
                    if self.cursor.rest().len() == before {
                        self.cursor.next();
                    }
                }
            }
        }
    }

    /// An expression in which a comma ends it.
    pub(super) fn argument_expression(&mut self) -> Expr {
        let mut left = self.unary();
        let mut links = 0;
        loop {
            self.blank(true);
            if self.cursor.peek() == Some(',') || !self.goes_on(&mut links) {
                return left;
            }
            let Some(op) = self.operator() else { return left };
            let right = self.unary();
            left = apply(&op, left, right);
        }
    }

    /// `[type]`, `[type]::member`, `[type]value`.
    pub(super) fn type_form(&mut self) -> Expr {
        self.cursor.next();
        let name = self.cursor.take_balanced('[', ']').trim().to_ascii_lowercase();
        let name = Expr::Name(format!("[{}]", name.trim_start_matches("system.")));
        if self.cursor.eat("::") {
            let member = self.member(name);
            return self.tail(member);
        }
        if matches!(self.cursor.peek(), Some('$' | '"' | '\'' | '(' | '[' | '@' | '-'))
            || self.cursor.peek().is_some_and(|c| c.is_ascii_digit())
        {
            let value = self.unary();
            return Expr::call(name, vec![value]);
        }
        name
    }

    /// Members and indexes behind a value that has been read.
    pub(super) fn tail(&mut self, mut value: Expr) -> Expr {
        let mut links = 0;
        while self.goes_on(&mut links) {
            match self.cursor.peek() {
                Some('.') if self.cursor.peek_at(1).is_some_and(|c| name_char(c) || matches!(c, '$' | '\'' | '"')) => {
                    self.cursor.next();
                    value = self.member(value);
                }
                Some(':') if self.cursor.eat("::") => value = self.member(value),
                Some('[') => {
                    self.cursor.next();
                    let index = Expr::Block(self.statements(Some(']')));
                    value = Expr::Index(Box::new(value), Box::new(index));
                }
                _ => break,
            }
        }
        value
    }
}

/// An operator as the call that does the same.
fn apply(op: &str, left: Expr, right: Expr) -> Expr {
    let method = |name: &str, left: Expr, args: Vec<Expr>| Expr::call(left.attr(name), args);
    match op {
        "f" => method("format", left, vec![Expr::Spread(Box::new(right))]),
        "join" => method("-join", left, vec![right]),
        "replace" => match right {
            Expr::List(items) => method("replace", left, items),
            one => method("replace", left, vec![one]),
        },
        "split" => method("split", left, vec![right]),
        "bxor" => Expr::binary("^", left, right),
        "band" => Expr::binary("&", left, right),
        "bor" => Expr::binary("|", left, right),
        "and" => Expr::binary("and", left, right),
        "or" | "xor" => Expr::binary("or", left, right),
        "as" => left,
        "eq" | "ne" | "gt" | "lt" | "ge" | "le" | "like" | "notlike" | "match" | "notmatch" | "in" | "notin"
        | "contains" | "notcontains" | "is" | "isnot" => Expr::binary("==", left, right),
        other => Expr::binary(other, left, right),
    }
}
