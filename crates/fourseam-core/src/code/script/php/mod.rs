//! PHP: with or without its opening tag.
//!
//! Limits: classes by the names of their methods alone; namespaces and `use` of functions are cut off the names;
//! references and generators are plain values.

mod api;
mod lex;

use super::ast::{Arg, Expr, Param};
use super::parse::{Parser, Syntax, no_postfix, question_mark};
use super::token::Kind;

pub(super) use api::PROFILE;

pub(super) static SYNTAX: Syntax = Syntax {
    lex: lex::lex,
    statement,
    primary,
    postfix: no_postfix,
    tail: question_mark,
    argument,
    binary: &[
        ("or", 3),
        ("xor", 3),
        ("and", 3),
        ("||", 3),
        ("??", 3),
        ("&&", 4),
        ("==", 6),
        ("!=", 6),
        ("===", 6),
        ("!==", 6),
        ("<>", 6),
        ("<", 6),
        (">", 6),
        ("<=", 6),
        (">=", 6),
        ("<=>", 6),
        ("instanceof", 6),
        ("|", 7),
        ("^", 8),
        ("&", 9),
        ("<<", 10),
        (">>", 10),
        ("+", 11),
        ("-", 11),
        (".", 11),
        ("*", 12),
        ("/", 12),
        ("%", 12),
        ("**", 14),
    ],
    unary: &["!", "-", "+", "~", "++", "--", "@", "&", "clone", "print"],
    member: &["->", "?->", "::"],
};

fn statement(p: &mut Parser) -> Expr {
    if p.eat(";") {
        return Expr::Nothing;
    }
    if p.eat("{") {
        return Expr::Block(p.braces());
    }
    let word = match p.peek() {
        Some(Kind::Name(name)) => name.to_lowercase(),
        _ => String::new(),
    };
    match word.as_str() {
        "if" | "elseif" | "while" | "switch" | "declare" => {
            p.advance();
            p.expect("(");
            let condition = p.list(")");
            Expr::Block(vec![Expr::Block(condition), Expr::Maybe(body(p))])
        }
        "else" | "do" | "try" | "finally" => {
            p.advance();
            let body = body(p);
            if word == "else" { Expr::Maybe(body) } else { Expr::Block(body) }
        }
        "catch" => {
            p.advance();
            if p.eat("(") {
                while p.peek().is_some() && !p.eat(")") {
                    p.advance();
                }
            }
            Expr::Maybe(body(p))
        }
        "for" => {
            p.advance();
            p.expect("(");
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
        "foreach" => each(p),
        "function" if matches!(p.peek_at(1), Some(Kind::Name(_))) || p.op_at(1, "&") => function(p),
        "class" | "interface" | "trait" | "enum" | "abstract" | "final" | "readonly" if !p.op_at(1, "(") => class(p),
        "return" | "throw" => {
            p.advance();
            let value = if p.is_op(";") || p.is_op("}") || p.peek().is_none() { Expr::Nothing } else { p.expression() };
            Expr::Return(Box::new(value))
        }
        "echo" => {
            p.advance();
            let mut all = vec![p.expression()];
            while p.eat(",") {
                all.push(p.expression());
            }
            Expr::call(Expr::name("echo"), all)
        }
        "use" | "namespace" | "global" | "static" | "const" | "break" | "continue" | "goto"
            if !p.op_at(1, "::") && !p.op_at(1, "(") =>
        {
            p.advance();
            if matches!(word.as_str(), "static" | "const") { sequence(p) } else { skip(p) }
        }
        "case" | "default" => {
            p.advance();
            if word == "case" {
                p.expression();
            }
            let _end = p.eat(":") || p.eat(";");
            Expr::Nothing
        }
        "endif" | "endwhile" | "endfor" | "endforeach" | "endswitch" => {
            p.advance();
            Expr::Nothing
        }
        _ => sequence(p),
    }
}

fn skip(p: &mut Parser) -> Expr {
    while p.peek().is_some() && !p.is_op(";") && !p.is_op("}") && !p.is_op("{") {
        p.advance();
    }
    Expr::Nothing
}

fn sequence(p: &mut Parser) -> Expr {
    let mut all = vec![p.expression()];
    while p.eat(",") {
        all.push(p.expression());
    }
    p.eat(";");
    if all.len() == 1 { all.pop().unwrap_or(Expr::Nothing) } else { Expr::Block(all) }
}

/// `{ .. }`, `: .. end..;` or one statement.
fn body(p: &mut Parser) -> Vec<Expr> {
    if p.eat("{") {
        return p.braces();
    }
    if p.eat(":") {
        // The statements up to `endif` follow as they stand.
        return Vec::new();
    }
    vec![p.nested(statement)]
}

fn each(p: &mut Parser) -> Expr {
    p.advance();
    p.expect("(");
    let source = p.expression();
    p.eat_word("as");
    p.eat("&");
    let mut target = p.operand(7);
    if p.eat("=>") {
        p.eat("&");
        let value = p.operand(7);
        target = Expr::List(vec![target, value]);
    }
    p.expect(")");
    let body = body(p);
    // With a key the value is what lists give.
    let target = match target {
        Expr::List(pair) if pair.len() == 2 => pair.into_iter().nth(1).unwrap_or(Expr::Nothing),
        target => target,
    };
    Expr::Each(Some(Box::new(target)), Box::new(source), body)
}

fn function(p: &mut Parser) -> Expr {
    p.advance();
    p.eat("&");
    let name = p.eat_name().unwrap_or_default();
    p.expect("(");
    let params = params(p);
    if p.eat_word("use") && p.eat("(") {
        p.list(")");
    }
    returns(p);
    let body = if p.eat("{") { p.braces() } else { Vec::new() };
    Expr::function(&name, params, body)
}

/// Goes over `: Type`.
fn returns(p: &mut Parser) {
    if p.eat(":") {
        while p.peek().is_some() && !p.is_op("{") && !p.is_op("=>") && !p.is_op(";") {
            p.advance();
        }
    }
}

fn params(p: &mut Parser) -> Vec<Param> {
    let mut params = Vec::new();
    while !p.eat(")") && p.peek().is_some() {
        match p.peek() {
            Some(Kind::Name(name)) if name.starts_with('$') => {
                let name = name.clone();
                p.advance();
                let default = p.eat("=").then(|| p.expression());
                params.push(Param { default, ..Param::named(&name) });
            }
            _ => {
                p.advance();
            }
        }
    }
    params
}

fn class(p: &mut Parser) -> Expr {
    while p.is_any(&["abstract", "final", "readonly"]) {
        p.advance();
    }
    p.advance();
    let name = p.eat_name().unwrap_or_default();
    while p.peek().is_some() && !p.eat("{") {
        p.advance();
    }
    let mut body = Vec::new();
    while !p.eat("}") && p.peek().is_some() {
        let before = p.mark();
        while p.is_any(&["public", "private", "protected", "static", "abstract", "final", "readonly", "var"]) {
            p.advance();
        }
        if p.is_word("function") {
            body.push(function(p));
        } else {
            // `public string $x = 1;`
            while matches!(p.peek(), Some(Kind::Name(name)) if !name.starts_with('$') && !p.op_at(1, "="))
                || p.is_op("?")
            {
                p.advance();
            }
            body.push(sequence(p));
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::Class(name, body)
}

fn argument(p: &mut Parser) -> Arg {
    if p.eat("...") {
        return if p.is_op(")") {
            Arg::plain(Expr::Nothing)
        } else {
            Arg::plain(Expr::Spread(Box::new(p.expression())))
        };
    }
    if let (Some(Kind::Name(name)), true) = (p.peek(), p.op_at(1, ":") && !p.op_at(1, "::")) {
        let name = Some(name.clone());
        p.advance();
        p.advance();
        return Arg { name, value: p.expression() };
    }
    Arg::plain(p.expression())
}

fn primary(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Name(name)) => {
            let lower = name.to_lowercase();
            match lower.as_str() {
                "function" => function(p),
                "fn" if p.op_at(1, "(") || p.op_at(1, "&") => {
                    p.advance();
                    p.eat("&");
                    p.expect("(");
                    let params = params(p);
                    returns(p);
                    p.expect("=>");
                    let body = p.expression();
                    Expr::function("", params, vec![body])
                }
                "static" if matches!(p.peek_at(1), Some(Kind::Name(next)) if next == "function" || next == "fn") => {
                    p.advance();
                    p.nested(primary)
                }
                "new" => p.nested(new),
                "array" | "list" if p.op_at(1, "(") => {
                    p.advance();
                    p.advance();
                    pairs(p, ")")
                }
                "include" | "include_once" | "require" | "require_once" => {
                    p.advance();
                    let file = p.expression();
                    Expr::call(Expr::name("include"), vec![file])
                }
                "match" if p.op_at(1, "(") => {
                    p.advance();
                    p.advance();
                    let condition = p.list(")");
                    p.expect("{");
                    let arms = p.list("}");
                    Expr::Block(vec![Expr::Block(condition), Expr::Either(arms)])
                }
                "null" | "true" | "false" => {
                    p.advance();
                    if lower == "null" { Expr::Nothing } else { Expr::Number(u8::from(lower == "true").to_string()) }
                }
                "exit" | "die" | "isset" | "empty" | "throw" | "yield" if !p.op_at(1, "(") => {
                    p.advance();
                    if p.is_op(";") || p.peek().is_none() { Expr::Nothing } else { p.expression() }
                }
                _ => p.plain(),
            }
        }
        Some(Kind::Op("[")) => {
            p.advance();
            pairs(p, "]")
        }
        // A cast.
        Some(Kind::Op("(")) if p.op_at(2, ")") && is_type(p.peek_at(1)) => {
            p.advance();
            p.advance();
            p.advance();
            p.operand(13)
        }
        Some(Kind::Op("(")) => {
            p.advance();
            Expr::Block(p.list(")"))
        }
        Some(Kind::Op("$")) => variable_variable(p),
        _ => p.plain(),
    }
}

fn is_type(kind: Option<&Kind>) -> bool {
    const TYPES: [&str; 9] = ["int", "integer", "string", "bool", "float", "array", "object", "binary", "double"];
    matches!(kind, Some(Kind::Name(name)) if TYPES.contains(&name.to_lowercase().as_str()))
}

/// `$$name` and `${expression}`.
fn variable_variable(p: &mut Parser) -> Expr {
    p.advance();
    let name = if p.eat("{") { Expr::Block(p.list("}")) } else { p.nested(primary) };
    Expr::Index(Box::new(Expr::name("$GLOBALS")), Box::new(name))
}

fn new(p: &mut Parser) -> Expr {
    p.advance();
    if p.is_word("class") {
        p.advance();
        if p.eat("(") {
            p.arguments(")");
        }
        while p.peek().is_some() && !p.eat("{") {
            p.advance();
        }
        return Expr::Class(String::new(), p.braces());
    }
    let callee = if p.is_op("(") || p.is_op("$") { p.nested(primary) } else { p.plain() };
    let args = if p.eat("(") { p.arguments(")") } else { Vec::new() };
    Expr::Call(Box::new(callee), args)
}

/// Elements of an array, with or without keys.
fn pairs(p: &mut Parser, close: &str) -> Expr {
    let mut pairs = Vec::new();
    let mut items = Vec::new();
    while !p.eat(close) && p.peek().is_some() {
        let before = p.mark();
        if p.eat(",") {
            continue;
        }
        p.eat("&");
        let first = if p.eat("...") { Expr::Spread(Box::new(p.expression())) } else { p.expression() };
        if p.eat("=>") {
            p.eat("&");
            pairs.push((Expr::Block(vec![first]), p.expression()));
        } else {
            items.push(first);
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    if pairs.is_empty() {
        return Expr::List(items);
    }
    Expr::Map(pairs)
}
