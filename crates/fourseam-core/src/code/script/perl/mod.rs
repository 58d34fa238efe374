//! Perl: list operators without parentheses, statement modifiers, blocks for `map` and `grep`.
//!
//! Limits: prototypes, formats, `tie` and source filters are not followed; typeglobs are plain names; a bare word
//! followed by a value is a call of it.

mod api;
mod lex;

use super::ast::{Arg, Expr, Param};
use super::parse::{Parser, Syntax, question_mark};
use super::token::Kind;

pub(super) use api::PROFILE;

pub(super) static SYNTAX: Syntax = Syntax {
    lex: lex::lex,
    statement,
    primary,
    postfix,
    tail: question_mark,
    argument,
    binary: &[
        ("..", 3),
        ("...", 3),
        ("||", 3),
        ("//", 3),
        ("&&", 4),
        ("==", 6),
        ("!=", 6),
        ("<=>", 6),
        ("eq", 6),
        ("ne", 6),
        ("lt", 6),
        ("gt", 6),
        ("le", 6),
        ("ge", 6),
        ("cmp", 6),
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
        (".", 11),
        ("*", 12),
        ("/", 12),
        ("%", 12),
        ("x", 12),
        ("=~", 13),
        ("!~", 13),
        ("**", 14),
    ],
    unary: &["!", "-", "+", "~", "\\", "not", "++", "--", "defined", "ref", "scalar"],
    member: &[],
};

/// Words that stand between values or behind a statement.
const OPERATORS: [&str; 21] = [
    "if", "unless", "while", "until", "for", "foreach", "and", "or", "xor", "x", "eq", "ne", "lt", "gt", "le", "ge",
    "cmp", "isa", "elsif", "else", "continue",
];

fn statement(p: &mut Parser) -> Expr {
    if p.eat(";") {
        return Expr::Nothing;
    }
    if p.eat("{") {
        return Expr::Block(p.braces());
    }
    let word = match p.peek() {
        Some(Kind::Name(name)) => name.clone(),
        _ => String::new(),
    };
    match word.as_str() {
        "if" | "unless" | "elsif" | "while" | "until" => {
            p.advance();
            p.expect("(");
            let condition = p.list(")");
            Expr::Block(vec![Expr::Block(condition), Expr::Maybe(body(p))])
        }
        "else" | "continue" => {
            p.advance();
            Expr::Maybe(body(p))
        }
        "for" | "foreach" => each(p),
        "sub" if matches!(p.peek_at(1), Some(Kind::Name(_))) => function(p),
        "package" | "use" | "no" => {
            p.advance();
            while p.peek().is_some() && !p.is_op(";") && !p.is_op("{") {
                p.advance();
            }
            Expr::Nothing
        }
        "BEGIN" | "END" | "INIT" | "CHECK" if p.op_at(1, "{") => {
            p.advance();
            Expr::Block(body(p))
        }
        _ => simple(p),
    }
}

/// An expression with the modifiers behind it.
fn simple(p: &mut Parser) -> Expr {
    let mut value = listed(p);
    loop {
        let word = match p.peek() {
            Some(Kind::Name(name)) => name.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "and" | "or" | "xor" => {
                p.advance();
                let other = listed(p);
                value = Expr::Block(vec![value, Expr::Maybe(vec![other])]);
            }
            "if" | "unless" | "while" | "until" => {
                p.advance();
                let condition = listed(p);
                value = Expr::Block(vec![condition, Expr::Maybe(vec![value])]);
            }
            "for" | "foreach" => {
                p.advance();
                let source = listed(p);
                value = Expr::Each(Some(Box::new(Expr::name("$_"))), Box::new(source), vec![value]);
            }
            _ => {
                p.eat(";");
                return value;
            }
        }
    }
}

fn listed(p: &mut Parser) -> Expr {
    let first = p.expression();
    if !p.is_op(",") && !p.is_op("=>") {
        return first;
    }
    let mut all = vec![first];
    while p.eat(",") || p.eat("=>") {
        if p.is_op(";") || p.is_op(")") || p.is_op("}") || p.peek().is_none() {
            break;
        }
        all.push(p.expression());
    }
    Expr::List(all)
}

fn body(p: &mut Parser) -> Vec<Expr> {
    if p.eat("{") {
        p.braces()
    } else {
        p.errors += 1;
        Vec::new()
    }
}

fn each(p: &mut Parser) -> Expr {
    p.advance();
    let _declared = p.eat_word("my") || p.eat_word("our") || p.eat_word("local");
    let target = match p.peek() {
        Some(Kind::Name(name)) if name.starts_with('$') => {
            let name = name.clone();
            p.advance();
            name
        }
        _ => "$_".to_owned(),
    };
    p.expect("(");
    let mut head = Vec::new();
    let mut parts = 0;
    while !p.eat(")") && p.peek().is_some() {
        let before = p.mark();
        if p.eat(";") {
            parts += 1;
        } else if !p.eat(",") && !p.eat("=>") {
            head.push(p.expression());
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    let body = body(p);
    if parts > 0 {
        return Expr::Block(vec![Expr::Block(head), Expr::Maybe(body)]);
    }
    let source = if head.len() == 1 { head.pop().unwrap_or(Expr::Nothing) } else { Expr::List(head) };
    Expr::Each(Some(Box::new(Expr::Name(target))), Box::new(source), body)
}

fn function(p: &mut Parser) -> Expr {
    p.advance();
    let name = if p.is_op("{") || p.is_op("(") { String::new() } else { p.eat_name().unwrap_or_default() };
    let mut params = vec![Param { target: Expr::Spread(Box::new(Expr::name("@_"))), default: None }];
    if p.eat("(") {
        let mut named = Vec::new();
        while p.peek().is_some() && !p.eat(")") {
            if let Some(Kind::Name(name)) = p.advance() {
                named.push(Param::named(&name));
            }
        }
        if !named.is_empty() {
            params = named;
        }
    }
    Expr::function(&name, params, body(p))
}

fn argument(p: &mut Parser) -> Arg {
    Arg::plain(p.expression())
}

/// A block that `map` and the like run for each element.
fn block(p: &mut Parser) -> Expr {
    p.advance();
    let body = p.braces();
    Expr::function("", vec![Param::named("$_")], body)
}

fn postfix(p: &mut Parser, expr: Expr) -> Result<Expr, Expr> {
    let spaced = p.token().is_some_and(|token| token.spaced);
    match (p.peek(), &expr) {
        // `$x[0]` is of `@x`, `$x{a}` of `%x`.
        (Some(Kind::Op("[")), Expr::Name(name)) if name.starts_with(['$', '@']) && !spaced => {
            p.advance();
            let index = p.list("]");
            Ok(Expr::Index(
                Box::new(Expr::Name(format!("@{}", name.get(1..).unwrap_or_default()))),
                Box::new(single(index)),
            ))
        }
        (Some(Kind::Op("{")), Expr::Name(name)) if name.starts_with(['$', '@']) && !spaced => {
            p.advance();
            let index = p.list("}");
            Ok(Expr::Index(
                Box::new(Expr::Name(format!("%{}", name.get(1..).unwrap_or_default()))),
                Box::new(single(index)),
            ))
        }
        (Some(Kind::Op("{" | "[")), Expr::Index(..)) => {
            let close = if p.is_op("{") { "}" } else { "]" };
            p.advance();
            let index = p.list(close);
            Ok(Expr::Index(Box::new(expr), Box::new(single(index))))
        }
        (Some(Kind::Op("->")), _) => {
            p.advance();
            match p.peek() {
                Some(Kind::Op("[")) => {
                    p.advance();
                    let index = p.list("]");
                    Ok(Expr::Index(Box::new(expr), Box::new(single(index))))
                }
                Some(Kind::Op("{")) => {
                    p.advance();
                    let index = p.list("}");
                    Ok(Expr::Index(Box::new(expr), Box::new(single(index))))
                }
                Some(Kind::Op("(")) => {
                    p.advance();
                    let args = p.arguments(")");
                    Ok(Expr::Call(Box::new(expr), args))
                }
                Some(Kind::Name(name)) if name.starts_with('$') => {
                    let method = p.plain();
                    let args = if p.eat("(") { p.arguments(")") } else { Vec::new() };
                    Ok(Expr::Call(Box::new(Expr::Index(Box::new(expr), Box::new(method))), args))
                }
                Some(Kind::Name(_)) => {
                    let name = p.eat_name().unwrap_or_default();
                    let args = if p.eat("(") { p.arguments(")") } else { Vec::new() };
                    Ok(Expr::Call(Box::new(expr.attr(name)), args))
                }
                // `$x->@*`.
                _ => {
                    p.advance();
                    p.eat("*");
                    Ok(expr)
                }
            }
        }
        (Some(Kind::Op("++" | "--")), _) => {
            p.advance();
            Ok(expr)
        }
        (Some(Kind::Op("(")), Expr::Name(name)) if name.starts_with(['@', '%']) => Err(expr),
        (Some(kind), Expr::Name(name)) if begins_argument(p, kind, name) => Ok(list_call(p, expr)),
        _ => Err(expr),
    }
}

fn single(mut index: Vec<Expr>) -> Expr {
    if index.len() == 1 { index.pop().unwrap_or(Expr::Nothing) } else { Expr::List(index) }
}

/// The arguments of a list operator without parentheses.
fn list_call(p: &mut Parser, callee: Expr) -> Expr {
    let mut args = Vec::new();
    if p.is_op("{") {
        args.push(Arg::plain(block(p)));
        p.eat(",");
    }
    while !matches!(p.peek(), None | Some(Kind::Op(")" | "}" | "]" | ";" | ":"))) && !p.is_any(&OPERATORS) {
        let before = p.mark();
        args.push(argument(p));
        // A file handle in front of what is printed has no comma behind it.
        if p.mark().0 == before.0 || !(p.eat(",") || p.eat("=>") || begins_value(p)) {
            break;
        }
    }
    Expr::Call(Box::new(callee), args)
}

fn begins_value(p: &Parser) -> bool {
    match p.peek() {
        Some(Kind::Text(_) | Kind::Number(_) | Kind::Shell(_)) => true,
        Some(Kind::Name(name)) => !OPERATORS.contains(&name.as_str()),
        _ => false,
    }
}

fn begins_argument(p: &Parser, kind: &Kind, callee: &str) -> bool {
    const BLOCKS: [&str; 9] = ["map", "grep", "sort", "eval", "do", "first", "any", "all", "print"];
    if callee.starts_with(['$', '@', '%']) || OPERATORS.contains(&callee) {
        return false;
    }
    match kind {
        Kind::Text(_) | Kind::Shell(_) | Kind::Number(_) | Kind::Regex(..) => true,
        Kind::Name(name) => !OPERATORS.contains(&name.as_str()),
        Kind::Op("{") => BLOCKS.contains(&callee),
        Kind::Op("\\" | "[") => true,
        Kind::Op("-" | "<" | "&") => {
            p.token().is_some_and(|token| token.spaced) && p.token_at(1).is_some_and(|next| !next.spaced)
        }
        Kind::Op(_) | Kind::Line | Kind::Indent | Kind::Dedent => false,
    }
}

fn primary(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Name(name)) => match name.as_str() {
            "my" | "our" | "local" | "state" => {
                p.advance();
                if matches!(p.peek(), Some(Kind::Name(name)) if !name.starts_with(['$', '@', '%'])) {
                    p.advance();
                }
                p.nested(primary)
            }
            "sub" => function(p),
            "do" | "eval" if p.op_at(1, "{") => {
                p.advance();
                Expr::Block(body(p))
            }
            "return" => {
                p.advance();
                let ends = matches!(p.peek(), None | Some(Kind::Op(";" | "}" | ")"))) || p.is_any(&OPERATORS);
                let value = if ends { Expr::Nothing } else { listed(p) };
                Expr::Return(Box::new(value))
            }
            "map" | "grep" | "sort" | "first" | "any" | "all" if p.op_at(1, "(") && p.op_at(2, "{") => {
                let callee = p.plain();
                p.advance();
                let call = list_call(p, callee);
                p.expect(")");
                call
            }
            // Alone they work on `$_` or `@_`.
            "unlink" | "rmdir" | "shift" | "pop" | "eval" | "lc" | "uc" | "chomp" | "print" if stands_alone(p) => {
                let callee = p.plain();
                Expr::call(callee, Vec::new())
            }
            "__PACKAGE__" | "wantarray" | "undef" if !p.op_at(1, "(") => {
                p.advance();
                Expr::Nothing
            }
            _ => p.plain(),
        },
        Some(Kind::Op("{")) => {
            p.advance();
            hash(p)
        }
        Some(Kind::Op("(")) => {
            p.advance();
            let comma = matches!(p.peek(), Some(Kind::Op(")")));
            let mut inner = Vec::new();
            let mut several = comma;
            while !p.eat(")") && p.peek().is_some() {
                let before = p.mark();
                if p.eat(",") || p.eat("=>") {
                    several = true;
                } else if p.is_any(&["and", "or", "xor"]) {
                    p.advance();
                } else {
                    inner.push(p.expression());
                }
                if p.mark().0 == before.0 {
                    p.wrong();
                }
            }
            if several || inner.len() != 1 { Expr::List(inner) } else { single(inner) }
        }
        // `&{ .. }(args)`, `&$f(args)`.
        Some(Kind::Op("&" | "\\" | "@" | "$")) => {
            p.advance();
            if p.eat("{") { Expr::Block(p.braces()) } else { p.nested(primary) }
        }
        Some(Kind::Op("<")) => {
            p.advance();
            Expr::Nothing
        }
        _ => p.plain(),
    }
}

/// No argument follows the name that stands here.
fn stands_alone(p: &Parser) -> bool {
    match p.peek_at(1) {
        None | Some(Kind::Op(";" | ")" | "}" | "]" | "," | "." | "?" | ":" | "||" | "//" | "&&" | "=~")) => true,
        Some(Kind::Name(name)) => OPERATORS.contains(&name.as_str()),
        _ => false,
    }
}

fn hash(p: &mut Parser) -> Expr {
    let items = p.list("}");
    let mut pairs = Vec::new();
    let mut items = items.into_iter();
    while let (Some(key), value) = (items.next(), items.next()) {
        match value {
            Some(value) => pairs.push((Expr::Block(vec![key]), value)),
            None => pairs.push((Expr::Spread(Box::new(key)), Expr::Nothing)),
        }
    }
    Expr::Map(pairs)
}
