//! Python: statements by indentation, expressions with comprehensions and lambdas.
//!
//! Limits: no types, no class hierarchy; decorators run but do not wrap; `match` patterns bind nothing.

mod api;
mod lex;

use super::ast::{Arg, Expr, Param};
use super::parse::{Parser, Syntax, no_postfix};
use super::token::Kind;

pub(super) use api::PROFILE;

pub(super) static SYNTAX: Syntax = Syntax {
    lex: lex::lex,
    statement,
    primary,
    postfix: no_postfix,
    tail: conditional,
    argument,
    binary: &[
        ("or", 3),
        ("and", 4),
        ("in", 6),
        ("not in", 6),
        ("is", 6),
        ("is not", 6),
        ("==", 6),
        ("!=", 6),
        ("<", 6),
        (">", 6),
        ("<=", 6),
        (">=", 6),
        ("|", 7),
        ("^", 8),
        ("&", 9),
        ("<<", 10),
        (">>", 10),
        ("+", 11),
        ("-", 11),
        ("*", 12),
        ("/", 12),
        ("//", 12),
        ("%", 12),
        ("@", 12),
        ("**", 14),
    ],
    unary: &["not", "-", "+", "~", "await"],
    member: &["."],
};

fn statement(p: &mut Parser) -> Expr {
    let word = match p.peek() {
        Some(Kind::Line | Kind::Indent | Kind::Dedent | Kind::Op(";")) => {
            p.advance();
            return Expr::Nothing;
        }
        Some(Kind::Name(name)) => name.clone(),
        Some(Kind::Op("@")) => {
            p.advance();
            return p.expression();
        }
        _ => String::new(),
    };
    match word.as_str() {
        "import" => import(p),
        "from" => from_import(p),
        "async" => {
            p.advance();
            p.nested(statement)
        }
        "def" => function(p),
        "class" => class(p),
        "if" | "elif" | "while" | "match" | "case" if word.len() < 5 || opens_block(p) => branch(p),
        "else" | "try" | "finally" => {
            p.advance();
            let body = block(p);
            if word == "else" { Expr::Maybe(body) } else { Expr::Block(body) }
        }
        "except" => except(p),
        "for" => each(p),
        "with" => with(p),
        "return" | "yield" | "raise" | "assert" | "del" => {
            p.advance();
            let value = if ends_here(p) { Expr::Nothing } else { expressions(p) };
            if matches!(word.as_str(), "return" | "yield") { Expr::Return(Box::new(value)) } else { value }
        }
        "global" | "nonlocal" | "pass" | "break" | "continue" => {
            while !ends_here(p) {
                p.advance();
            }
            Expr::Nothing
        }
        _ => simple(p),
    }
}

fn ends_here(p: &Parser) -> bool {
    matches!(p.peek(), None | Some(Kind::Line | Kind::Dedent | Kind::Op(";")))
}

/// `match` and `case` are names elsewhere; here they open a block.
fn opens_block(p: &Parser) -> bool {
    (1..60).map_while(|n| p.peek_at(n)).take_while(|kind| **kind != Kind::Line).last() == Some(&Kind::Op(":"))
}

fn simple(p: &mut Parser) -> Expr {
    let expr = expressions(p);
    // An annotated name: `x: str = ".."`.
    if p.eat(":") {
        p.expression();
        if p.eat("=") {
            let value = expressions(p);
            return Expr::assign(expr, value);
        }
    }
    if let (Expr::List(_), true) = (&expr, p.is_op("=")) {
        p.advance();
        let value = p.nested(simple);
        return Expr::assign(expr, value);
    }
    if !ends_here(p) {
        // `print x` and `exec code` of Python 2 and everything else that fits nowhere.
        if let Expr::Name(name) = &expr
            && matches!(name.as_str(), "print" | "exec")
        {
            let value = expressions(p);
            return Expr::call(expr, vec![value]);
        }
        p.wrong();
    }
    expr
}

/// Expressions between commas, one of them or a tuple.
fn expressions(p: &mut Parser) -> Expr {
    let first = starred(p);
    if !p.is_op(",") {
        return first;
    }
    let mut all = vec![first];
    while p.eat(",") {
        if ends_here(p) || p.is_op("=") || p.is_op(":") || p.is_op(")") {
            break;
        }
        all.push(starred(p));
    }
    // `a, b = x` was read as `a`, `b = x`.
    if let Some(Expr::Assign(targets, op, value)) = all.pop_if(|last| matches!(last, Expr::Assign(..))) {
        all.extend(targets);
        let rest = if p.eat(",") {
            vec![*value, expressions(p)]
        } else {
            return Expr::Assign(vec![Expr::List(all)], op, value);
        };
        return Expr::Assign(vec![Expr::List(all)], op, Box::new(Expr::List(rest)));
    }
    if let Some(Expr::Assign(..)) = all.first() {
        let Expr::Assign(targets, op, value) = all.remove(0) else { return Expr::Nothing };
        all.insert(0, *value);
        return Expr::Assign(targets, op, Box::new(Expr::List(all)));
    }
    Expr::List(all)
}

fn starred(p: &mut Parser) -> Expr {
    if p.eat("*") || p.eat("**") { Expr::Spread(Box::new(p.expression())) } else { p.expression() }
}

/// Statements behind a colon: on the same line or indented.
fn block(p: &mut Parser) -> Vec<Expr> {
    p.expect(":");
    let mut body = Vec::new();
    if p.eat_kind(&Kind::Line) {
        if !p.eat_kind(&Kind::Indent) {
            return body;
        }
        while !p.eat_kind(&Kind::Dedent) && p.peek().is_some() {
            let before = p.mark();
            body.push(p.nested(statement));
            if p.mark().0 == before.0 {
                p.wrong();
            }
        }
        return body;
    }
    while !matches!(p.peek(), None | Some(Kind::Line | Kind::Dedent)) {
        let before = p.mark();
        body.push(p.nested(statement));
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    body
}

fn branch(p: &mut Parser) -> Expr {
    let is_match = p.is_word("match");
    p.advance();
    let condition = expressions(p);
    let guard = if p.eat_word("if") { p.expression() } else { Expr::Nothing };
    let body = block(p);
    if is_match {
        return Expr::Block(std::iter::once(condition).chain(body).collect());
    }
    Expr::Block(vec![condition, guard, Expr::Maybe(body)])
}

fn except(p: &mut Parser) -> Expr {
    p.advance();
    p.eat("*");
    if !p.is_op(":") {
        expressions(p);
        if p.eat_word("as") {
            p.eat_name();
        }
    }
    Expr::Maybe(block(p))
}

fn each(p: &mut Parser) -> Expr {
    p.advance();
    let target = targets(p);
    p.eat_word("in");
    let source = expressions(p);
    let body = block(p);
    Expr::Each(Some(Box::new(target)), Box::new(source), body)
}

/// Names in front of `in`.
fn targets(p: &mut Parser) -> Expr {
    let mut names = Vec::new();
    loop {
        p.eat("*");
        names.push(p.operand(7));
        if !p.eat(",") || p.is_word("in") {
            break;
        }
    }
    if names.len() == 1 { names.pop().unwrap_or(Expr::Nothing) } else { Expr::List(names) }
}

fn with(p: &mut Parser) -> Expr {
    p.advance();
    let mut all = Vec::new();
    let parenthesised = p.is_op("(");
    let mark = p.mark();
    loop {
        let value = p.expression();
        if p.eat_word("as") {
            let target = p.operand(7);
            all.push(Expr::assign(target, value));
        } else {
            all.push(value);
        }
        if !p.eat(",") {
            break;
        }
    }
    if !p.is_op(":") && parenthesised {
        // `with (open(a) as x, open(b) as y):`
        p.reset(mark);
        p.advance();
        all.clear();
        while !p.eat(")") && p.peek().is_some() {
            let value = p.expression();
            if p.eat_word("as") {
                let target = p.operand(7);
                all.push(Expr::assign(target, value));
            } else {
                all.push(value);
            }
            if !p.eat(",") && !p.is_op(")") {
                p.wrong();
            }
        }
    }
    all.extend(block(p));
    Expr::Block(all)
}

fn import(p: &mut Parser) -> Expr {
    p.advance();
    let mut all = Vec::new();
    loop {
        let path = dotted(p);
        let bound = if p.eat_word("as") { p.eat_name() } else { None };
        all.push(match bound {
            Some(name) => Expr::Import(path, name),
            None => {
                let root = path.split('.').next().unwrap_or_default().to_owned();
                Expr::Import(root.clone(), root)
            }
        });
        if !p.eat(",") {
            return Expr::Block(all);
        }
    }
}

fn from_import(p: &mut Parser) -> Expr {
    p.advance();
    let module = dotted(p);
    if !p.eat_word("import") {
        p.wrong();
    }
    if p.eat("*") {
        return Expr::ImportAll(module);
    }
    let open = p.eat("(");
    let mut all = Vec::new();
    while let Some(name) = p.eat_name() {
        let bound = if p.eat_word("as") { p.eat_name() } else { None };
        all.push(Expr::Import(format!("{module}.{name}"), bound.unwrap_or(name)));
        if !p.eat(",") {
            break;
        }
    }
    if open {
        p.expect(")");
    }
    Expr::Block(all)
}

fn dotted(p: &mut Parser) -> String {
    let mut path = String::new();
    while p.eat(".") || p.eat("...") {
        path.push('.');
    }
    while !p.is_word("import")
        && let Some(name) = p.eat_name()
    {
        path.push_str(&name);
        if !p.eat(".") {
            break;
        }
        path.push('.');
    }
    path
}

fn function(p: &mut Parser) -> Expr {
    p.advance();
    let name = p.eat_name().unwrap_or_default();
    p.expect("(");
    let params = params(p, ")");
    if p.eat("->") {
        p.expression();
    }
    let body = block(p);
    Expr::function(&name, params, body)
}

/// Parameters up to the closing token, which is gone over.
fn params(p: &mut Parser, close: &str) -> Vec<Param> {
    let mut params = Vec::new();
    while !p.eat(close) && p.peek().is_some() {
        let _star = p.eat("*") || p.eat("**");
        match p.eat_name() {
            Some(name) => {
                if close == ")" && p.eat(":") {
                    p.operand(3);
                }
                let default = p.eat("=").then(|| p.expression());
                params.push(Param { default, ..Param::named(&name) });
            }
            None if p.eat("/") || p.is_op(",") || p.is_op(close) => {}
            None => p.wrong(),
        }
        p.eat(",");
    }
    params
}

fn class(p: &mut Parser) -> Expr {
    p.advance();
    let name = p.eat_name().unwrap_or_default();
    if p.eat("(") {
        p.arguments(")");
    }
    Expr::Class(name, block(p))
}

fn conditional(p: &mut Parser, value: Expr) -> Expr {
    if !p.is_word("if") {
        return value;
    }
    let mark = p.mark();
    p.advance();
    let condition = p.operand(3);
    if !p.eat_word("else") {
        // The filter of a comprehension.
        p.reset(mark);
        return value;
    }
    let other = p.expression();
    Expr::Block(vec![condition, Expr::Either(vec![value, other])])
}

fn argument(p: &mut Parser) -> Arg {
    if let (Some(Kind::Name(name)), true) = (p.peek(), p.op_at(1, "=")) {
        let name = Some(name.clone());
        p.advance();
        p.advance();
        return Arg { name, value: p.expression() };
    }
    let value = starred(p);
    Arg::plain(comprehension(p, value))
}

/// `value for x in source if condition`, as a loop whose body is the value.
fn comprehension(p: &mut Parser, value: Expr) -> Expr {
    if p.is_word("async") {
        p.advance();
    }
    if !p.eat_word("for") {
        return value;
    }
    let target = targets(p);
    p.eat_word("in");
    let source = p.operand(3);
    let mut conditions = Vec::new();
    while p.eat_word("if") {
        conditions.push(p.operand(3));
    }
    let inner = p.nested(|p| comprehension(p, value));
    let body = conditions.into_iter().chain(std::iter::once(inner)).collect();
    Expr::Each(Some(Box::new(target)), Box::new(source), body)
}

fn primary(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Name(name)) if name == "lambda" => {
            p.advance();
            let params = params(p, ":");
            let body = p.expression();
            Expr::function("", params, vec![body])
        }
        Some(Kind::Name(name)) if name == "yield" => {
            p.advance();
            p.eat_word("from");
            if ends_here(p) || p.is_op(")") { Expr::Nothing } else { Expr::Return(Box::new(p.expression())) }
        }
        Some(Kind::Op("{")) => {
            p.advance();
            braces(p)
        }
        Some(Kind::Op("(")) if p.op_at(1, ")") => {
            p.advance();
            p.advance();
            Expr::List(Vec::new())
        }
        Some(Kind::Op("(")) => {
            p.advance();
            let mut inner = p.list(")");
            let single = inner.len() == 1 && !matches!(inner.first(), Some(Expr::Spread(_))) && !p.was_op(2, ",");
            if single { inner.pop().unwrap_or(Expr::Nothing) } else { Expr::List(inner) }
        }
        Some(Kind::Op("[")) => {
            p.advance();
            let mut inner = p.list("]");
            match inner.pop_if(|only| matches!(only, Expr::Each(..))) {
                Some(each) if inner.is_empty() => each,
                Some(each) => {
                    inner.push(each);
                    Expr::List(inner)
                }
                None => Expr::List(inner),
            }
        }
        Some(Kind::Op("...")) => {
            p.advance();
            Expr::Nothing
        }
        _ => p.plain(),
    }
}

/// A dictionary or set.
fn braces(p: &mut Parser) -> Expr {
    let mut pairs = Vec::new();
    let mut members = Vec::new();
    while !p.eat("}") && p.peek().is_some() {
        let before = p.mark();
        let key = starred(p);
        if p.eat(":") {
            let value = p.expression();
            if p.is_word("for") || p.is_word("async") {
                let each = comprehension(p, Expr::List(vec![key, value]));
                p.eat("}");
                return each;
            }
            pairs.push((key, value));
        } else {
            members.push(comprehension(p, key));
        }
        if !p.eat(",") && !p.is_op("}") {
            p.wrong();
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    if members.is_empty() {
        return Expr::Map(pairs);
    }
    pairs.into_iter().for_each(|(key, value)| members.extend([key, value]));
    Expr::List(members)
}
