//! Ruby: calls without parentheses, blocks, modifiers behind statements.
//!
//! Limits: open classes and mixins by the names of their methods alone; `method_missing` and refinements are not
//! followed; a name followed by a value is taken as a call of it.

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
        ("&&", 4),
        ("==", 6),
        ("!=", 6),
        ("===", 6),
        ("=~", 6),
        ("!~", 6),
        ("<=>", 6),
        ("<", 6),
        (">", 6),
        ("<=", 6),
        (">=", 6),
        ("|", 7),
        ("^", 8),
        ("&", 9),
        ("<<", 11),
        (">>", 10),
        ("+", 11),
        ("-", 11),
        ("*", 12),
        ("/", 12),
        ("%", 12),
        ("**", 14),
    ],
    unary: &["!", "-", "+", "~", "not", "defined?", "&", "*", "**"],
    member: &[".", "&.", "::"],
};

/// Words that end a list of arguments without parentheses.
const ENDERS: [&str; 15] = [
    "if", "unless", "while", "until", "rescue", "do", "and", "or", "then", "end", "in", "else", "elsif", "when",
    "ensure",
];

fn statement(p: &mut Parser) -> Expr {
    if p.eat_kind(&Kind::Line) {
        return Expr::Nothing;
    }
    let mut value = listed(p);
    loop {
        if p.is_any(&["if", "unless", "while", "until"]) {
            p.advance();
            let condition = p.expression();
            value = Expr::Block(vec![condition, Expr::Maybe(vec![value])]);
        } else if p.eat_word("rescue") || p.eat_word("and") || p.eat_word("or") {
            let other = listed(p);
            value = Expr::Block(vec![value, Expr::Maybe(vec![other])]);
        } else {
            return value;
        }
    }
}

/// An expression, or several as in `a, b = 1, 2`.
fn listed(p: &mut Parser) -> Expr {
    let first = p.expression();
    if !p.is_op(",") {
        return first;
    }
    let mut all = vec![first];
    while p.eat(",") {
        all.push(p.expression());
    }
    if let Some(Expr::Assign(targets, op, value)) = all.iter().find(|item| matches!(item, Expr::Assign(..))).cloned() {
        let at = all.iter().position(|item| matches!(item, Expr::Assign(..))).unwrap_or(0);
        let mut names: Vec<Expr> = all.drain(..at).collect();
        names.extend(targets);
        let values: Vec<Expr> = std::iter::once(*value).chain(all.into_iter().skip(1)).collect();
        let value = match <[Expr; 1]>::try_from(values) {
            Ok([one]) => one,
            Err(values) => Expr::List(values),
        };
        let target = if names.len() == 1 { names.pop().unwrap_or(Expr::Nothing) } else { Expr::List(names) };
        return Expr::Assign(vec![target], op, Box::new(value));
    }
    Expr::List(all)
}

/// Statements up to one of these words, which is not gone over.
fn until(p: &mut Parser, words: &[&str]) -> Vec<Expr> {
    let mut body = Vec::new();
    while p.peek().is_some() && !p.is_any(words) {
        let before = p.mark();
        body.push(p.nested(statement));
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    body
}

/// The body of something that `end` closes, with its `rescue` and `ensure`.
fn body(p: &mut Parser) -> Vec<Expr> {
    let mut all = until(p, &["end", "rescue", "ensure", "else"]);
    while p.is_any(&["rescue", "ensure", "else"]) {
        let maybe = !p.is_word("ensure");
        let rescues = p.is_word("rescue");
        p.advance();
        if rescues {
            while p.peek().is_some() && p.peek() != Some(&Kind::Line) && !p.is_word("then") {
                p.advance();
            }
            p.eat_word("then");
        }
        let inner = until(p, &["end", "rescue", "ensure", "else"]);
        if maybe {
            all.push(Expr::Maybe(inner));
        } else {
            all.extend(inner);
        }
    }
    if !p.eat_word("end") {
        p.errors += 1;
    }
    all
}

fn condition(p: &mut Parser) -> Expr {
    let held = std::mem::replace(&mut p.held, true);
    let value = p.expression();
    p.held = held;
    let _then = p.eat_word("then") || p.eat_word("do") || p.eat_kind(&Kind::Line);
    p.eat_word("then");
    value
}

fn branch(p: &mut Parser) -> Expr {
    p.advance();
    let mut all = vec![condition(p)];
    all.push(Expr::Maybe(until(p, &["end", "else", "elsif"])));
    loop {
        if p.is_word("elsif") {
            p.advance();
            all.push(condition(p));
            all.push(Expr::Maybe(until(p, &["end", "else", "elsif"])));
        } else if p.eat_word("else") {
            all.push(Expr::Maybe(until(p, &["end"])));
        } else {
            break;
        }
    }
    if !p.eat_word("end") {
        p.errors += 1;
    }
    Expr::Block(all)
}

fn case(p: &mut Parser) -> Expr {
    p.advance();
    let mut all = vec![if p.peek() == Some(&Kind::Line) { Expr::Nothing } else { p.expression() }];
    p.eat_kind(&Kind::Line);
    while p.is_any(&["when", "in"]) {
        p.advance();
        while p.peek().is_some() && p.peek() != Some(&Kind::Line) && !p.is_word("then") {
            p.advance();
        }
        p.eat_word("then");
        all.push(Expr::Maybe(until(p, &["when", "in", "else", "end"])));
    }
    if p.eat_word("else") {
        all.push(Expr::Maybe(until(p, &["end"])));
    }
    if !p.eat_word("end") {
        p.errors += 1;
    }
    Expr::Block(all)
}

fn definition(p: &mut Parser) -> Expr {
    p.advance();
    let mut name = p.eat_name().unwrap_or_default();
    while p.eat(".") {
        name = p.eat_name().unwrap_or_default();
    }
    p.eat("=");
    let params = if p.eat("(") {
        params(p, &Kind::Op(")"))
    } else if p.eat_kind(&Kind::Line) {
        Vec::new()
    } else {
        params(p, &Kind::Line)
    };
    if p.eat("=") {
        let value = p.expression();
        return Expr::function(&name, params, vec![value]);
    }
    Expr::function(&name, params, body(p))
}

/// Parameters up to this token, which is gone over.
fn params(p: &mut Parser, close: &Kind) -> Vec<Param> {
    let mut params = Vec::new();
    while p.peek().is_some() && !p.eat_kind(close) {
        match p.eat_name() {
            Some(name) => {
                let keyword = p.eat(":");
                let default = if p.eat("=") || keyword && !p.is_op(",") && p.peek() != Some(close) {
                    Some(p.operand(8))
                } else {
                    None
                };
                params.push(Param { default, ..Param::named(&name) });
            }
            None => {
                p.advance();
            }
        }
    }
    params
}

/// `{ |x| .. }` or `do |x| .. end` behind a call.
fn block(p: &mut Parser) -> Expr {
    let braces = p.is_op("{");
    p.advance();
    let params = if p.eat("|") { params(p, &Kind::Op("|")) } else { Vec::new() };
    let params = if params.is_empty() {
        vec![Param::named("it"), Param::named("_1")].into_iter().take(1).collect()
    } else {
        params
    };
    if !braces {
        return Expr::function("", params, body(p));
    }
    let mut statements = Vec::new();
    while !p.eat("}") {
        if p.peek().is_none() {
            p.errors += 1;
            break;
        }
        let before = p.mark();
        statements.push(p.nested(statement));
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::function("", params, statements)
}

fn argument(p: &mut Parser) -> Arg {
    while p.eat_kind(&Kind::Line) {}
    if let (Some(Kind::Name(name)), true) =
        (p.peek(), p.op_at(1, ":") && p.token_at(1).is_some_and(|token| !token.spaced))
    {
        let name = Some(name.clone());
        p.advance();
        p.advance();
        if p.is_op(",") || p.is_op(")") || p.is_op("}") {
            let value = Expr::Name(name.clone().unwrap_or_default());
            return Arg { name, value };
        }
        return Arg { name, value: p.expression() };
    }
    if p.eat("*") || p.eat("**") {
        return Arg::plain(Expr::Spread(Box::new(p.expression())));
    }
    let value = p.expression();
    if p.eat("=>") {
        let name = match &value {
            Expr::Text(pieces) => match pieces.as_slice() {
                [super::ast::Piece::Known(name)] => Some(name.clone()),
                _ => Some("key".to_owned()),
            },
            _ => Some("key".to_owned()),
        };
        return Arg { name, value: p.expression() };
    }
    while p.peek() == Some(&Kind::Line) && (p.op_at(1, ")") || p.op_at(1, ",") || p.op_at(1, "]")) {
        p.advance();
    }
    Arg::plain(value)
}

fn postfix(p: &mut Parser, expr: Expr) -> Result<Expr, Expr> {
    let callable = matches!(expr, Expr::Name(_) | Expr::Attr(..) | Expr::Call(..));
    match p.peek() {
        Some(Kind::Op("{")) if callable && !matches!(&expr, Expr::Name(name) if is_constant(name)) => {
            Ok(with_block(p, expr))
        }
        Some(Kind::Name(name)) if name == "do" && callable && !p.held => Ok(with_block(p, expr)),
        // `f.(x)` and `f::(x)`.
        Some(Kind::Op(".")) if p.op_at(1, "(") => {
            p.advance();
            p.advance();
            let args = p.arguments(")");
            Ok(Expr::Call(Box::new(expr.attr("call")), args))
        }
        Some(Kind::Op("("))
            if p.token().is_some_and(|token| token.spaced) && !matches!(expr, Expr::Name(_) | Expr::Attr(..)) =>
        {
            Err(expr)
        }
        Some(kind) if matches!(expr, Expr::Name(_) | Expr::Attr(..)) && begins_argument(p, kind, &expr) => {
            let mut args = vec![argument(p)];
            while p.eat(",") {
                while p.eat_kind(&Kind::Line) {}
                args.push(argument(p));
            }
            Ok(Expr::Call(Box::new(expr), args))
        }
        _ => Err(expr),
    }
}

fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn with_block(p: &mut Parser, expr: Expr) -> Expr {
    let held = std::mem::replace(&mut p.held, false);
    let block = block(p);
    p.held = held;
    match expr {
        Expr::Call(callee, mut args) => {
            args.push(Arg::plain(block));
            Expr::Call(callee, args)
        }
        callee => Expr::Call(Box::new(callee), vec![Arg::plain(block)]),
    }
}

/// A blank and then something that can only be an argument.
fn begins_argument(p: &Parser, kind: &Kind, callee: &Expr) -> bool {
    let Some(token) = p.token() else { return false };
    if !token.spaced
        || matches!(callee, Expr::Name(name) if name.starts_with(['$', '@']) || matches!(name.as_str(), "self" | "nil" | "true" | "false"))
    {
        return false;
    }
    let joined = p.token_at(1).is_some_and(|next| !next.spaced);
    match kind {
        Kind::Text(_) | Kind::Shell(_) | Kind::Number(_) | Kind::Regex(..) => true,
        Kind::Name(name) => !ENDERS.contains(&name.as_str()),
        Kind::Op("->" | "!") => true,
        Kind::Op("[") => {
            matches!(callee, Expr::Name(name) if lex::KEYWORDS.contains(&name.as_str()))
                || matches!(callee, Expr::Attr(..))
        }
        Kind::Op("*" | "&" | "-" | "::" | "**" | ":") => {
            joined && !matches!(callee, Expr::Name(name) if is_constant(name))
        }
        Kind::Op(_) | Kind::Line | Kind::Indent | Kind::Dedent => false,
    }
}

fn primary(p: &mut Parser) -> Expr {
    let word = match p.peek() {
        Some(Kind::Name(name)) if !p.op_at(1, ":") || p.token_at(1).is_some_and(|token| token.spaced) => name.clone(),
        _ => String::new(),
    };
    match word.as_str() {
        "if" | "unless" | "while" | "until" => branch(p),
        "case" => case(p),
        "def" => definition(p),
        "begin" => {
            p.advance();
            Expr::Block(body(p))
        }
        "for" => {
            p.advance();
            let target = p.operand(7);
            p.eat_word("in");
            let source = condition(p);
            let body = body(p);
            Expr::Each(Some(Box::new(target)), Box::new(source), body)
        }
        "class" | "module" => {
            p.advance();
            let mut name = String::new();
            while p.peek().is_some() && p.peek() != Some(&Kind::Line) {
                if let Some(Kind::Name(part)) = p.advance()
                    && name.is_empty()
                {
                    name = part;
                }
            }
            Expr::Class(name, body(p))
        }
        "return" | "next" | "break" | "yield" => {
            p.advance();
            let ends = matches!(p.peek(), None | Some(Kind::Line | Kind::Op("}" | ")"))) || p.is_any(&ENDERS);
            let value = if ends { Expr::Nothing } else { listed(p) };
            if word == "return" { Expr::Return(Box::new(value)) } else { value }
        }
        "BEGIN" | "END" if p.op_at(1, "{") => {
            p.advance();
            p.advance();
            Expr::Block(p.braces())
        }
        "alias" => {
            p.advance();
            p.advance();
            p.advance();
            Expr::Nothing
        }
        "nil" => {
            p.advance();
            Expr::Nothing
        }
        "end" | "then" => {
            p.wrong();
            Expr::Nothing
        }
        _ => match p.peek() {
            Some(Kind::Op("->")) => {
                p.advance();
                let params = if p.eat("(") { params(p, &Kind::Op(")")) } else { Vec::new() };
                match block(p) {
                    Expr::Function(function) if !params.is_empty() => Expr::function("", params, function.body.clone()),
                    other => other,
                }
            }
            Some(Kind::Op("{")) => {
                p.advance();
                hash(p)
            }
            Some(Kind::Op("::")) => {
                p.advance();
                p.plain()
            }
            Some(Kind::Op("(")) => {
                p.advance();
                let mut all = Vec::new();
                while !p.eat(")") && p.peek().is_some() {
                    let before = p.mark();
                    all.push(p.nested(statement));
                    if p.mark().0 == before.0 {
                        p.wrong();
                    }
                }
                all.retain(|expr| *expr != Expr::Nothing);
                Expr::Block(all)
            }
            Some(Kind::Op(".." | "...")) => {
                p.advance();
                p.expression()
            }
            _ => p.plain(),
        },
    }
}

fn hash(p: &mut Parser) -> Expr {
    let mut pairs = Vec::new();
    while !p.eat("}") && p.peek().is_some() {
        let before = p.mark();
        if p.eat(",") || p.eat_kind(&Kind::Line) {
            continue;
        }
        if p.eat("**") {
            pairs.push((Expr::Spread(Box::new(p.expression())), Expr::Nothing));
        } else if p.op_at(1, ":") {
            let key = p.plain();
            p.advance();
            let value = match &key {
                Expr::Name(name) if p.is_op(",") || p.is_op("}") => Expr::Name(name.clone()),
                _ => p.expression(),
            };
            pairs.push((key, value));
        } else {
            let key = p.expression();
            p.eat("=>");
            pairs.push((Expr::Block(vec![key]), p.expression()));
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::Map(pairs)
}
