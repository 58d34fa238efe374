//! JavaScript and TypeScript of node, deno, bun and browsers: statements, arrow functions, destructuring.
//!
//! Limits: types are gone over, not read; prototypes and getters are not followed; labels and `with` are ignored.

mod api;
mod lex;

use super::ast::{Arg, Expr, Param};
use super::parse::{Parser, Syntax, question_mark};
use super::token::Kind;

pub(super) use api::{MONGO, PROFILE};

pub(super) static SYNTAX: Syntax = Syntax {
    lex: lex::lex,
    statement,
    primary,
    postfix,
    tail: question_mark,
    argument,
    binary: &[
        ("||", 3),
        ("??", 3),
        ("&&", 4),
        ("==", 6),
        ("!=", 6),
        ("===", 6),
        ("!==", 6),
        ("<", 6),
        (">", 6),
        ("<=", 6),
        (">=", 6),
        ("instanceof", 6),
        ("in", 6),
        ("as", 6),
        ("satisfies", 6),
        ("|", 7),
        ("^", 8),
        ("&", 9),
        ("<<", 10),
        (">>", 10),
        (">>>", 10),
        ("+", 11),
        ("-", 11),
        ("*", 12),
        ("/", 12),
        ("%", 12),
        ("**", 14),
    ],
    unary: &["!", "-", "+", "~", "++", "--", "typeof", "void", "delete", "await", "yield"],
    member: &[".", "?."],
};

fn statement(p: &mut Parser) -> Expr {
    if p.eat(";") {
        return Expr::Nothing;
    }
    if p.eat("{") {
        return Expr::Block(p.braces());
    }
    let word = match p.peek() {
        // A name in front of `=>`, `.` or `=` is no keyword.
        Some(Kind::Name(name)) if !matches!(p.peek_at(1), Some(Kind::Op("=>" | "." | "="))) => name.clone(),
        _ => String::new(),
    };
    match word.as_str() {
        "const" | "let" | "var" | "using" => declaration(p),
        "if" | "while" | "switch" => branch(p),
        "for" => each(p),
        "do" | "else" | "finally" => {
            p.advance();
            let body = body(p);
            if word == "else" { Expr::Maybe(body) } else { Expr::Block(body) }
        }
        "try" => {
            p.advance();
            Expr::Block(body(p))
        }
        "catch" => {
            p.advance();
            if p.eat("(") {
                p.list(")");
            }
            Expr::Maybe(body(p))
        }
        "return" | "throw" => {
            p.advance();
            let value = if p.is_op(";") || p.is_op("}") || p.peek().is_none() { Expr::Nothing } else { sequence(p) };
            Expr::Return(Box::new(value))
        }
        "import" if !matches!(p.peek_at(1), Some(Kind::Op("("))) => import(p),
        "export" => {
            p.advance();
            p.eat_word("default");
            p.nested(statement)
        }
        "class" => class(p),
        "interface" | "declare" | "namespace" if matches!(p.peek_at(1), Some(Kind::Name(_))) => skip_type(p),
        "type" if matches!(p.peek_at(2), Some(Kind::Op("=" | "<"))) => skip_type(p),
        "break" | "continue" | "debugger" => {
            p.advance();
            Expr::Nothing
        }
        "case" | "default" if word == "case" || p.op_at(1, ":") => {
            p.advance();
            if word == "case" {
                p.expression();
            }
            p.eat(":");
            Expr::Nothing
        }
        _ => sequence(p),
    }
}

/// Expressions between commas; the value is the last one's.
fn sequence(p: &mut Parser) -> Expr {
    let mut all = vec![p.expression()];
    // `label:` and the colon of a type.
    if p.is_op(":") {
        p.advance();
        return Expr::Nothing;
    }
    while p.eat(",") {
        all.push(p.expression());
    }
    p.eat(";");
    if all.len() == 1 { all.pop().unwrap_or(Expr::Nothing) } else { Expr::Block(all) }
}

fn declaration(p: &mut Parser) -> Expr {
    p.advance();
    let mut all = Vec::new();
    loop {
        let target = pattern(p);
        annotation(p);
        if p.eat("=") {
            let value = p.expression();
            all.push(Expr::assign(target, value));
        } else {
            all.push(Expr::assign(target, Expr::Nothing));
        }
        if !p.eat(",") {
            break;
        }
    }
    p.eat(";");
    Expr::Block(all)
}

/// A name, or the pattern of a destructuring.
fn pattern(p: &mut Parser) -> Expr {
    if p.eat("...") {
        return Expr::Spread(Box::new(p.nested(pattern)));
    }
    let target = if p.eat("[") {
        let mut items = Vec::new();
        while !p.eat("]") && p.peek().is_some() {
            if p.eat(",") {
                continue;
            }
            let before = p.mark();
            items.push(p.nested(pattern));
            if p.mark().0 == before.0 {
                p.wrong();
            }
        }
        Expr::List(items)
    } else if p.eat("{") {
        let mut pairs = Vec::new();
        while !p.eat("}") && p.peek().is_some() {
            let before = p.mark();
            if p.eat("...") {
                let rest = p.nested(pattern);
                pairs.push((Expr::Spread(Box::new(Expr::Nothing)), rest));
            } else {
                let key = key(p);
                let value = if p.eat(":") { p.nested(pattern) } else { default(p, shorthand(&key)) };
                pairs.push((key, value));
            }
            p.eat(",");
            if p.mark().0 == before.0 {
                p.wrong();
            }
        }
        Expr::Map(pairs)
    } else {
        match p.eat_name() {
            Some(name) => Expr::Name(name),
            None => Expr::Nothing,
        }
    };
    default(p, target)
}

fn default(p: &mut Parser, target: Expr) -> Expr {
    // In front of `=` of a declaration the caller reads the value; in patterns it is a default.
    if p.is_op("=") && !matches!(target, Expr::List(_) | Expr::Map(_)) && in_pattern(p) {
        p.advance();
        let value = p.expression();
        return Expr::assign(target, value);
    }
    target
}

/// The name just read stands in brackets: what precedes it is `{`, `[` or `,` of a pattern.
fn in_pattern(p: &Parser) -> bool {
    p.was_op(2, "{") || p.was_op(2, "[")
}

/// Goes over `: Type`.
fn annotation(p: &mut Parser) {
    p.eat("!");
    p.eat("?");
    if !p.eat(":") {
        return;
    }
    let mut depth = 0usize;
    while let Some(kind) = p.peek() {
        match kind {
            Kind::Op("(" | "[" | "{" | "<") => depth += 1,
            Kind::Op(")" | "]" | "}" | ">") if depth > 0 => depth -= 1,
            Kind::Op(")" | "]" | "}" | "," | ";" | "=") if depth == 0 => return,
            Kind::Op("=>") if depth == 0 && !p.was_op(1, ")") => return,
            _ => {}
        }
        p.advance();
        if depth == 0 && p.is_op("{") && !p.was_op(1, ":") && !p.was_op(1, "|") && !p.was_op(1, "=>") {
            return;
        }
    }
}

fn skip_type(p: &mut Parser) -> Expr {
    let mut depth = 0usize;
    while let Some(kind) = p.advance() {
        match kind {
            Kind::Op("{") => depth += 1,
            Kind::Op("}") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Expr::Nothing;
                }
            }
            Kind::Op(";") if depth == 0 => return Expr::Nothing,
            _ => {}
        }
    }
    Expr::Nothing
}

fn body(p: &mut Parser) -> Vec<Expr> {
    if p.eat("{") { p.braces() } else { vec![p.nested(statement)] }
}

fn branch(p: &mut Parser) -> Expr {
    p.advance();
    p.expect("(");
    let condition = p.list(")");
    Expr::Block(vec![Expr::Block(condition), Expr::Maybe(body(p))])
}

fn each(p: &mut Parser) -> Expr {
    p.advance();
    p.eat_word("await");
    p.expect("(");
    let declared = p.eat_word("const") || p.eat_word("let") || p.eat_word("var");
    let mark = p.mark();
    let target = if declared { pattern(p) } else { Expr::Nothing };
    if declared && (p.eat_word("of") || p.eat_word("in")) {
        let source = p.expression();
        p.expect(")");
        let body = body(p);
        return Expr::Each(Some(Box::new(target)), Box::new(source), body);
    }
    p.reset(mark);
    let mut head = Vec::new();
    while !p.eat(")") && p.peek().is_some() {
        let before = p.mark();
        if !p.eat(";") && !p.eat(",") {
            head.push(p.expression());
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::Block(vec![Expr::Block(head), Expr::Maybe(body(p))])
}

fn import(p: &mut Parser) -> Expr {
    p.advance();
    p.eat_word("type");
    let mut bound: Vec<(Option<String>, String)> = Vec::new();
    while p.peek().is_some() && !p.is_word("from") && !matches!(p.peek(), Some(Kind::Text(_))) {
        if p.eat("*") {
            p.eat_word("as");
            if let Some(name) = p.eat_name() {
                bound.push((None, name));
            }
        } else if p.eat("{") {
            while !p.eat("}") && p.peek().is_some() {
                let Some(name) = p.eat_name() else {
                    p.advance();
                    continue;
                };
                let local = if p.eat_word("as") { p.eat_name().unwrap_or_default() } else { name.clone() };
                bound.push((Some(name), local));
            }
        } else if let Some(name) = p.eat_name() {
            bound.push((None, name));
        } else {
            p.advance();
        }
    }
    p.eat_word("from");
    let module = match p.peek() {
        Some(Kind::Text(_)) => p.plain(),
        _ => Expr::Nothing,
    };
    if p.eat_word("with") || p.eat_word("assert") {
        p.expression();
    }
    p.eat(";");
    let value = Expr::call(Expr::name("require"), vec![module]);
    let imports = bound.into_iter().map(|(member, local)| {
        let value = member.map_or_else(|| value.clone(), |member| value.clone().attr(member));
        Expr::assign(Expr::Name(local), value)
    });
    Expr::Block(std::iter::once(value.clone()).chain(imports).collect())
}

fn class(p: &mut Parser) -> Expr {
    p.advance();
    let name = if p.is_word("extends") || p.is_op("{") { String::new() } else { p.eat_name().unwrap_or_default() };
    if p.eat_word("extends") {
        p.operand(14);
    }
    while p.peek().is_some() && !p.eat("{") {
        p.advance();
    }
    let mut body = Vec::new();
    while !p.eat("}") && p.peek().is_some() {
        let before = p.mark();
        if !p.eat(";") && !p.eat(",") {
            body.extend(member(p).map(|(key, value)| match value {
                Expr::Function(_) => value,
                value => Expr::assign(key, value),
            }));
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::Class(name, body)
}

/// A member of a class or object: a method, or a name with a value.
fn member(p: &mut Parser) -> Option<(Expr, Expr)> {
    const MODIFIERS: [&str; 10] =
        ["static", "async", "get", "set", "public", "private", "protected", "readonly", "override", "accessor"];
    while p.is_any(&MODIFIERS) && !matches!(p.peek_at(1), Some(Kind::Op("(" | ":" | "," | "=" | "}" | ";"))) {
        p.advance();
    }
    p.eat("*");
    p.eat("#");
    if p.eat("...") {
        let value = p.expression();
        return Some((Expr::Spread(Box::new(value)), Expr::Nothing));
    }
    if p.is_op("{") {
        // A static block.
        p.advance();
        let body = p.braces();
        return Some((Expr::Nothing, Expr::Block(body)));
    }
    let key = key(p);
    let name = match &key {
        Expr::Name(name) => name.clone(),
        _ => String::new(),
    };
    if p.eat("(") {
        let params = params(p);
        annotation(p);
        let body = body(p);
        return Some((key, Expr::function(&name, params, body)));
    }
    if p.eat(":") {
        return Some((key, p.expression()));
    }
    annotation(p);
    if p.eat("=") {
        return Some((key, p.expression()));
    }
    let value = shorthand(&key);
    Some((key, value))
}

/// The value of `{ name }`. Other keys have none of their own: a copy of what is nested in them would double at each
/// level.
fn shorthand(key: &Expr) -> Expr {
    match key {
        Expr::Name(name) => Expr::Name(name.clone()),
        _ => Expr::Nothing,
    }
}

/// Key of an object: a name, text, number or `[expression]`.
fn key(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Name(name)) => {
            let name = name.clone();
            p.advance();
            Expr::Name(name)
        }
        Some(Kind::Op("[")) => {
            p.advance();
            let key = p.expression();
            p.expect("]");
            Expr::Block(vec![key])
        }
        Some(Kind::Text(_) | Kind::Number(_)) => Expr::Block(vec![p.plain()]),
        _ => Expr::Nothing,
    }
}

/// Parameters; the opening parenthesis has been read.
fn params(p: &mut Parser) -> Vec<Param> {
    let mut params = Vec::new();
    while !p.eat(")") && p.peek().is_some() {
        let before = p.mark();
        while p.is_any(&["public", "private", "protected", "readonly"]) && matches!(p.peek_at(1), Some(Kind::Name(_))) {
            p.advance();
        }
        let target = pattern(p);
        annotation(p);
        let default = p.eat("=").then(|| p.expression());
        params.push(Param { target, default });
        p.eat(",");
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    params
}

fn argument(p: &mut Parser) -> Arg {
    if p.eat("...") {
        return Arg::plain(Expr::Spread(Box::new(p.expression())));
    }
    Arg::plain(p.expression())
}

fn postfix(p: &mut Parser, expr: Expr) -> Result<Expr, Expr> {
    match p.peek() {
        // A tagged template, as `$` of shells in scripts.
        Some(Kind::Text(_)) if matches!(expr, Expr::Name(_) | Expr::Attr(..)) => {
            let text = p.plain();
            Ok(Expr::call(expr, vec![text]))
        }
        Some(Kind::Op("?.")) if p.op_at(1, "(") || p.op_at(1, "[") => {
            p.advance();
            Ok(expr)
        }
        Some(Kind::Op("++" | "--")) if p.token().is_some_and(|token| !token.fresh) => {
            p.advance();
            Ok(Expr::Block(vec![expr, Expr::Nothing]))
        }
        Some(Kind::Op("!")) if p.op_at(1, ".") => {
            p.advance();
            Ok(expr)
        }
        Some(Kind::Op("." | "?.")) if p.op_at(1, "#") => {
            p.advance();
            p.advance();
            Ok(expr.attr(p.eat_name().unwrap_or_default()))
        }
        _ => Err(expr),
    }
}

fn primary(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Name(name)) if p.op_at(1, "=>") => {
            let param = Param::named(name);
            p.advance();
            p.advance();
            arrow_body(p, vec![param])
        }
        Some(Kind::Name(name)) => match name.as_str() {
            "async" if matches!(p.peek_at(1), Some(Kind::Name(_))) || p.op_at(1, "(") && arrow_follows(p, 1) => {
                p.advance();
                p.nested(primary)
            }
            "function" => {
                p.advance();
                p.eat("*");
                let name = p.eat_name().unwrap_or_default();
                p.expect("(");
                let params = params(p);
                annotation(p);
                let body = body(p);
                Expr::function(&name, params, body)
            }
            "class" => class(p),
            "new" => {
                p.advance();
                if p.is_op(".") {
                    return Expr::Nothing;
                }
                new(p)
            }
            "import" => {
                p.advance();
                if p.is_op("(") { Expr::name("require") } else { Expr::name("import") }
            }
            "null" | "undefined" => {
                p.advance();
                Expr::Nothing
            }
            "true" | "false" => {
                let known = if name == "true" { "1" } else { "0" };
                p.advance();
                Expr::Number(known.to_owned())
            }
            _ => p.plain(),
        },
        Some(Kind::Op("(")) if arrow_follows(p, 0) => {
            p.advance();
            let params = params(p);
            annotation(p);
            p.expect("=>");
            arrow_body(p, params)
        }
        Some(Kind::Op("(")) => {
            p.advance();
            let inner = p.list(")");
            Expr::Block(inner)
        }
        Some(Kind::Op("{")) => {
            p.advance();
            object(p)
        }
        Some(Kind::Op("<")) => {
            // A cast or the parameters of a generic function.
            while p.peek().is_some() && !p.eat(">") {
                p.advance();
            }
            p.nested(primary)
        }
        Some(Kind::Op("#" | "@")) => {
            p.advance();
            p.plain()
        }
        _ => p.plain(),
    }
}

/// `new A.B(args)`: a call of what is made.
fn new(p: &mut Parser) -> Expr {
    let mut callee = if p.is_word("new") {
        p.advance();
        p.nested(new)
    } else if p.is_op("(") {
        p.nested(primary)
    } else {
        p.plain()
    };
    while p.is_op(".") {
        p.advance();
        callee = callee.attr(p.eat_name().unwrap_or_default());
    }
    let args = if p.eat("(") { p.arguments(")") } else { Vec::new() };
    Expr::Call(Box::new(callee), args)
}

fn arrow_body(p: &mut Parser, params: Vec<Param>) -> Expr {
    let body = if p.eat("{") { p.braces() } else { vec![p.expression()] };
    Expr::function("", params, body)
}

/// The parenthesis `n` tokens ahead holds the parameters of an arrow function.
fn arrow_follows(p: &Parser, n: usize) -> bool {
    let mut depth = 0usize;
    for at in n..n + 400 {
        p.looked_at(1);
        match p.peek_at(at) {
            Some(Kind::Op("(" | "[" | "{")) => depth += 1,
            Some(Kind::Op(")" | "]" | "}")) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let typed = p.op_at(at + 1, ":") && (at + 2..at + 8).any(|at| p.op_at(at, "=>"));
                    return p.op_at(at + 1, "=>") || typed && n == 0;
                }
            }
            Some(_) => {}
            None => return false,
        }
    }
    false
}

fn object(p: &mut Parser) -> Expr {
    let mut pairs = Vec::new();
    while !p.eat("}") && p.peek().is_some() {
        let before = p.mark();
        if !p.eat(",") {
            pairs.extend(member(p));
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::Map(pairs)
}
