//! awk of every kind.
//!
//! Limits: fields and records are not known; uninitialised variables are unknown text; a value behind a value on the
//! same line is put together with it.

use super::ast::{Arg, Expr, Param};
use super::eval::{Args, Evaluator, Profile};
use super::meaning::{Meaning, Meaning::*};
use super::parse::{Parser, Syntax, no_postfix, parse, question_mark};
use super::token::{Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};
use super::value::{Taints, Value};
use crate::analysis::EffectKind;
use crate::code::{ActTarget, Text};

pub(super) static PROFILE: Profile = Profile {
    parse: |text, work| parse(text, &SYNTAX, work),
    special,
    functions: FUNCTIONS,
    methods: &[],
    path_methods: &[],
    concat: &[CONCAT],
    slash_joins: false,
    text_is_callable: false,
    everything_is_a_call: false,
    expands_home: false,
    normal: str::to_owned,
};

static SYNTAX: Syntax = Syntax {
    lex,
    statement,
    primary,
    postfix: no_postfix,
    tail,
    argument: |p| Arg::plain(p.expression()),
    binary: &[
        ("||", 3),
        ("&&", 4),
        ("in", 5),
        ("~", 6),
        ("!~", 6),
        ("<", 7),
        (">", 7),
        ("<=", 7),
        (">=", 7),
        ("==", 7),
        ("!=", 7),
        ("+", 11),
        ("-", 11),
        ("*", 12),
        ("/", 12),
        ("%", 12),
        ("^", 14),
        ("**", 14),
    ],
    unary: &["!", "-", "+", "++", "--"],
    member: &[],
};

/// The operator of values that stand side by side.
const CONCAT: &str = "juxtaposed";
/// Names of calls that the grammar makes: output into files and commands, input from them.
const TO_FILE: &str = "print >";
const TO_FILE_END: &str = "print >>";
const TO_COMMAND: &str = "print |";
const FROM_COMMAND: &str = "| getline";

const FUNCTIONS: &[(&str, Meaning)] = &[
    ("system", Shell(0)),
    (FROM_COMMAND, Shell(0)),
    (TO_COMMAND, Shell(0)),
    ("getline <", ReadFile(0)),
    ("ENVIRON", Environment),
    ("sprintf", Sprintf),
    ("tolower", Same(0)),
];

/// Output into a file; the standard streams and gawk's sockets are none.
fn special(evaluator: &mut Evaluator, name: &str, args: &Args) -> Option<Value> {
    if !matches!(name, TO_FILE | TO_FILE_END | TO_COMMAND | FROM_COMMAND) {
        return None;
    }
    let file = args.positional.first()?;
    let text = file.as_text().display();
    if matches!(name, TO_COMMAND | FROM_COMMAND) && !text.starts_with("/inet") {
        return None;
    }
    if let Some(socket) = text.strip_prefix("/inet") {
        let host = socket.split('/').nth(3).unwrap_or_default();
        evaluator.effect(EffectKind::Network, "send", ActTarget::Host(Text::known(host)), false, Taints::NONE);
    } else if !text.starts_with("/dev/std")
        && !text.starts_with("/dev/fd/")
        && !matches!(text.as_str(), "/dev/null" | "/dev/tty" | "-")
    {
        let (kind, verb) =
            if name == TO_FILE { (EffectKind::Overwrite, "overwrite") } else { (EffectKind::Write, "append") };
        evaluator.paths(kind, verb, file, false, Taints::NONE);
    }
    Some(Value::null())
}

const OPERATORS: &[&str] = &[
    "**=", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "!=", "<=", ">=", "!~", "&&", "||", "|&",
    "+", "-", "*", "/", "%", "^", "!", "<", ">", "|", "?", ":", "~", "$", "=", "(", ")", "{", "}", "[", "]", ",", ";",
    "@",
];

fn lex(text: &str, work: &Work) -> Vec<Token> {
    let mut cursor = Cursor::new(text, work);
    let mut tokens: Vec<Token> = Vec::new();
    while tokens.len() < MAX_TOKENS {
        let mut blank = String::new();
        loop {
            blank.push_str(cursor.take_while(char::is_whitespace));
            if cursor.peek() == Some('#') {
                cursor.take_line();
            } else if !cursor.eat("\\\n") {
                break;
            }
        }
        let Some(first) = cursor.peek() else { break };
        let kind = match first {
            '"' => Kind::Text(string(&mut cursor)),
            '/' if regex_stands(tokens.last()) => {
                regex(&mut cursor);
                Kind::Regex(Vec::new(), false)
            }
            c if c.is_ascii_digit() || c == '.' => {
                let number = cursor.number();
                if number.is_empty() {
                    cursor.next();
                }
                Kind::Number(number)
            }
            c if name_start(c) => Kind::Name(cursor.take_while(name_char).to_owned()),
            _ => match cursor.operator(OPERATORS) {
                Some(op) => Kind::Op(op),
                None => {
                    cursor.next();
                    continue;
                }
            },
        };
        let continues = matches!(tokens.last().map(|token| &token.kind), Some(Kind::Op("," | "{" | "&&" | "||")));
        tokens.push(Token { kind, spaced: !blank.is_empty(), fresh: blank.contains('\n') && !continues });
    }
    tokens
}

fn string(cursor: &mut Cursor<'_>) -> Vec<super::token::Bit> {
    cursor.next();
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        match c {
            '"' => break,
            '\\' => escape(cursor, &mut bits),
            c => bits.push(c),
        }
    }
    bits.done()
}

fn regex_stands(last: Option<&Token>) -> bool {
    match last.map(|token| &token.kind) {
        None => true,
        Some(Kind::Op(op)) => !matches!(*op, ")" | "]" | "++" | "--"),
        Some(Kind::Name(name)) => matches!(name.as_str(), "return" | "print" | "printf" | "case"),
        Some(_) => false,
    }
}

fn regex(cursor: &mut Cursor<'_>) {
    cursor.next();
    let mut class = false;
    while let Some(c) = cursor.next() {
        match c {
            '\\' => {
                cursor.next();
            }
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return,
            '\n' => return,
            _ => {}
        }
    }
}

fn statement(p: &mut Parser) -> Expr {
    if p.eat(";") || p.eat(",") {
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
        "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | "next" | "nextfile" | "break" | "continue" => {
            p.advance();
            Expr::Nothing
        }
        "function" | "func" => {
            p.advance();
            let name = p.eat_name().unwrap_or_default();
            p.expect("(");
            let mut params = Vec::new();
            while p.peek().is_some() && !p.eat(")") {
                if let Some(Kind::Name(name)) = p.advance() {
                    params.push(Param::named(&name));
                }
            }
            p.expect("{");
            Expr::function(&name, params, p.braces())
        }
        "if" | "while" | "switch" => {
            p.advance();
            p.expect("(");
            let condition = p.list(")");
            Expr::Block(vec![Expr::Block(condition), Expr::Maybe(vec![p.nested(statement)])])
        }
        "else" | "do" => {
            p.advance();
            Expr::Maybe(vec![p.nested(statement)])
        }
        "for" => each(p),
        "print" | "printf" => print(p),
        "return" | "exit" | "delete" => {
            p.advance();
            let ends = p.is_op(";") || p.is_op("}") || p.token().is_none_or(|token| token.fresh);
            let value = if ends { Expr::Nothing } else { p.expression() };
            if word == "return" { Expr::Return(Box::new(value)) } else { value }
        }
        "case" | "default" => {
            p.advance();
            if word == "case" {
                p.operand(8);
            }
            p.eat(":");
            Expr::Nothing
        }
        _ => p.expression(),
    }
}

fn each(p: &mut Parser) -> Expr {
    p.advance();
    p.expect("(");
    let mut head = Vec::new();
    while p.peek().is_some() && !p.eat(")") {
        let before = p.mark();
        if !p.eat(";") {
            head.push(p.expression());
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    Expr::Block(vec![Expr::Block(head), Expr::Maybe(vec![p.nested(statement)])])
}

/// `print a, b > "file"`, `print | "command"`.
fn print(p: &mut Parser) -> Expr {
    p.advance();
    let (mut depth, mut at) = (0usize, 0);
    let redirect = loop {
        let (Some(kind), Some(token)) = (p.peek_at(at), p.token_at(at)) else { break None };
        if token.fresh && at > 0 {
            break None;
        }
        match kind {
            Kind::Op("(" | "[") => depth += 1,
            Kind::Op(")" | "]") => depth = depth.saturating_sub(1),
            Kind::Op(";" | "}") if depth == 0 => break None,
            Kind::Op(op @ (">" | ">>" | "|" | "|&")) if depth == 0 => break Some(*op),
            _ => {}
        }
        at += 1;
    };
    if redirect.is_some() {
        p.retag(at, ";");
    }
    let mut values = Vec::new();
    while !p.is_op(";")
        && !p.is_op("}")
        && p.token().is_some_and(|token| !token.fresh || values.is_empty() && redirect.is_some())
    {
        let before = p.mark();
        values.push(p.expression());
        p.eat(",");
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    let Some(redirect) = redirect else { return Expr::List(values) };
    p.eat(";");
    let target = p.expression();
    let name = match redirect {
        ">" => TO_FILE,
        ">>" => TO_FILE_END,
        _ => TO_COMMAND,
    };
    values.push(Expr::call(Expr::name(name), vec![target]));
    Expr::List(values)
}

/// Values side by side, `"command" | getline`, conditional values.
fn tail(p: &mut Parser, mut value: Expr) -> Expr {
    let mut links = 0;
    loop {
        if !p.goes_on(&mut links) {
            return value;
        }
        let joins = match p.peek() {
            Some(Kind::Text(_) | Kind::Number(_)) => true,
            Some(Kind::Name(name)) => {
                !matches!(name.as_str(), "in" | "getline" | "else" | "while" | "if" | "for" | "print" | "printf")
            }
            Some(Kind::Op("$" | "(")) => true,
            _ => false,
        };
        if joins && p.token().is_some_and(|token| !token.fresh) {
            let next = p.operand(8);
            value = Expr::binary(CONCAT, value, next);
        } else if (p.is_op("|") || p.is_op("|&")) && matches!(p.peek_at(1), Some(Kind::Name(name)) if name == "getline")
        {
            p.advance();
            p.advance();
            if matches!(p.peek(), Some(Kind::Name(_))) && p.token().is_some_and(|token| !token.fresh) {
                p.advance();
            }
            value = Expr::call(Expr::name(FROM_COMMAND), vec![value]);
        } else {
            return question_mark(p, value);
        }
    }
}

fn primary(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Op("$")) => {
            p.advance();
            let field = p.operand(14);
            Expr::Block(vec![field, Expr::name("$field")])
        }
        Some(Kind::Op("@")) => {
            p.advance();
            p.plain()
        }
        Some(Kind::Op("(")) => {
            p.advance();
            Expr::Block(p.list(")"))
        }
        Some(Kind::Name(name)) if name == "getline" => {
            p.advance();
            if matches!(p.peek(), Some(Kind::Name(_))) {
                p.advance();
            }
            if p.eat("<") {
                let file = p.operand(8);
                return Expr::call(Expr::name("getline <"), vec![file]);
            }
            Expr::name("$getline")
        }
        Some(Kind::Name(name)) if !p.op_at(1, "(") && name.starts_with(|c: char| c.is_ascii_lowercase()) => p.plain(),
        _ => p.plain(),
    }
}
