//! Lua, with the libraries of its standalone interpreter and of Neovim.
//!
//! Limits: metatables are not followed; `a:b(x)` is `a.b(x)`.

use super::ast::{Arg, Expr, Param};
use super::eval::{Profile, nothing_special};
use super::meaning::{Decoding, Meaning, Meaning::*};
use super::parse::{Parser, Syntax, parse};
use super::token::{Bit, Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

pub(super) static PROFILE: Profile = Profile {
    parse: |text, work| parse(text, &SYNTAX, work),
    special: nothing_special,
    functions: FUNCTIONS,
    methods: &[("execute", MaybeSql(1)), ("exec", MaybeSql(1))],
    path_methods: &[],
    concat: &[".."],
    slash_joins: false,
    text_is_callable: false,
    everything_is_a_call: false,
    expands_home: false,
    normal: |path| path.trim_start_matches("_G.").to_owned(),
};

static SYNTAX: Syntax = Syntax {
    lex,
    statement,
    primary,
    postfix,
    tail: |_, expr| expr,
    argument: |p| Arg::plain(p.expression()),
    binary: &[
        ("or", 3),
        ("and", 4),
        ("<", 6),
        (">", 6),
        ("<=", 6),
        (">=", 6),
        ("~=", 6),
        ("==", 6),
        ("|", 7),
        ("~", 8),
        ("&", 9),
        ("<<", 10),
        (">>", 10),
        ("..", 11),
        ("+", 11),
        ("-", 11),
        ("*", 12),
        ("/", 12),
        ("//", 12),
        ("%", 12),
        ("^", 14),
    ],
    unary: &["not", "-", "#", "~"],
    member: &[".", ":"],
};

const FUNCTIONS: &[(&str, Meaning)] = &[
    ("os.remove", Delete(0)),
    ("os.rename", Move(0, 1)),
    ("os.execute", Shell(0)),
    ("io.popen", Shell(0)),
    ("io.open", Open(0)),
    ("io.lines", ReadFile(0)),
    ("io.output", Overwrite(0)),
    ("lfs.rmdir", Delete(0)),
    ("lfs.dir", Names(0)),
    ("vim.fn.delete", DeleteTree(0)),
    ("vim.fn.system", Shell(0)),
    ("vim.fn.writefile", Overwrite(1)),
    ("vim.system", Spawn(0)),
    ("vim.loop.fs_unlink", Delete(0)),
    ("vim.uv.fs_unlink", Delete(0)),
    ("load", Eval(0)),
    ("loadstring", Eval(0)),
    ("dofile", RunFile(0)),
    ("loadfile", RunFile(0)),
    ("package.loadlib", Obscure),
    ("require", Import(0)),
    ("_G", Globals),
    ("_ENV", Globals),
    ("getfenv", Scope),
    ("pcall", Call(0)),
    ("xpcall", Call(0)),
    ("os.getenv", Variable(0)),
    ("os.tmpname", Temporary),
    ("string.char", Character),
    ("string.reverse", Reverse(0)),
    ("string.format", Sprintf),
    ("string.rep", Same(0)),
    ("tostring", Same(0)),
    ("table.concat", Same(0)),
    ("socket.http.request", Request(0)),
    ("socket.connect", Connect(0)),
    ("socket.tcp().connect", Connect(1)),
    ("mime.unb64", Decode(Decoding::Base64, 0)),
];

const OPERATORS: &[&str] = &[
    "...", "==", "~=", "<=", ">=", "//", "::", "<<", ">>", "..", "+", "-", "*", "/", "%", "^", "#", "&", "~", "|", "<",
    ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
];

fn lex(text: &str, work: &Work) -> Vec<Token> {
    let mut cursor = Cursor::new(text, work);
    let mut tokens = Vec::new();
    if cursor.starts("#") {
        cursor.take_line();
    }
    while tokens.len() < MAX_TOKENS {
        let spaced = !cursor.take_while(char::is_whitespace).is_empty();
        let Some(first) = cursor.peek() else { break };
        let kind = match first {
            '-' if cursor.eat("--") => {
                if long(&mut cursor).is_none() {
                    cursor.take_line();
                }
                continue;
            }
            '"' | '\'' => string(&mut cursor, first),
            '[' => match long(&mut cursor) {
                Some(text) => Kind::Text(vec![Bit::Known(text)]),
                None => {
                    cursor.next();
                    Kind::Op("[")
                }
            },
            c if c.is_ascii_digit() => Kind::Number(cursor.number()),
            c if name_start(c) => Kind::Name(cursor.take_while(name_char).to_owned()),
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

fn string(cursor: &mut Cursor<'_>, quote: char) -> Kind {
    cursor.next();
    let mut bits = Bits::default();
    while let Some(c) = cursor.next() {
        match c {
            c if c == quote => break,
            // `\114` counts in tens.
            '\\' if cursor.peek().is_some_and(|c| c.is_ascii_digit()) => {
                let digits: String = cursor.rest().chars().take(3).take_while(char::is_ascii_digit).collect();
                cursor.eat(&digits);
                digits.parse().ok().and_then(char::from_u32).into_iter().for_each(|c| bits.push(c));
            }
            '\\' => escape(cursor, &mut bits),
            c => bits.push(c),
        }
    }
    Kind::Text(bits.done())
}

/// `[[ .. ]]` and `[=[ .. ]=]`.
fn long(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = cursor.clone();
    ahead.eat("[").then_some(())?;
    let level = ahead.take_while(|c| c == '=').to_owned();
    ahead.eat("[").then_some(())?;
    let text = ahead.take_until(&format!("]{level}]")).to_owned();
    *cursor = ahead;
    Some(text)
}

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

fn closed(p: &mut Parser) -> Vec<Expr> {
    let body = until(p, &["end"]);
    if !p.eat_word("end") {
        p.errors += 1;
    }
    body
}

fn statement(p: &mut Parser) -> Expr {
    if p.eat(";") {
        return Expr::Nothing;
    }
    let word = match p.peek() {
        Some(Kind::Name(name)) => name.clone(),
        _ => String::new(),
    };
    match word.as_str() {
        "local" => {
            p.advance();
            if p.is_word("function") { function(p) } else { listed(p) }
        }
        "function" => function(p),
        "if" => {
            let mut all = Vec::new();
            while p.eat_word("if") || p.eat_word("elseif") {
                all.push(p.expression());
                p.eat_word("then");
                all.push(Expr::Maybe(until(p, &["elseif", "else", "end"])));
            }
            if p.eat_word("else") {
                all.push(Expr::Maybe(until(p, &["end"])));
            }
            if !p.eat_word("end") {
                p.errors += 1;
            }
            Expr::Block(all)
        }
        "while" => {
            p.advance();
            let condition = p.expression();
            p.eat_word("do");
            Expr::Block(vec![condition, Expr::Maybe(closed(p))])
        }
        "do" => {
            p.advance();
            Expr::Block(closed(p))
        }
        "repeat" => {
            p.advance();
            let mut body = until(p, &["until"]);
            p.eat_word("until");
            body.push(p.expression());
            Expr::Block(body)
        }
        "for" => {
            p.advance();
            let mut names = vec![p.plain()];
            while p.eat(",") {
                names.push(p.plain());
            }
            let counts = p.eat("=");
            p.eat_word("in");
            let mut sources = vec![p.expression()];
            while p.eat(",") {
                sources.push(p.expression());
            }
            p.eat_word("do");
            let body = closed(p);
            if counts {
                return Expr::Block(vec![Expr::List(sources), Expr::Maybe(body)]);
            }
            let source = sources.into_iter().next().unwrap_or(Expr::Nothing);
            let target = names.pop().unwrap_or(Expr::Nothing);
            // `ipairs(t)` and `pairs(t)` give what is in `t`.
            let source = match source {
                Expr::Call(callee, mut args) if matches!(callee.as_ref(), Expr::Name(name) if name.ends_with("pairs")) => {
                    args.pop().map_or(Expr::Nothing, |arg| arg.value)
                }
                source => source,
            };
            Expr::Each(Some(Box::new(target)), Box::new(source), body)
        }
        "return" => {
            p.advance();
            let ends = p.peek().is_none() || p.is_any(&["end", "else", "elseif", "until"]) || p.is_op(";");
            let value = if ends { Expr::Nothing } else { listed(p) };
            Expr::Return(Box::new(value))
        }
        "break" | "goto" => {
            p.advance();
            Expr::Nothing
        }
        _ => listed(p),
    }
}

/// `a, b = x, y` and plain expressions.
fn listed(p: &mut Parser) -> Expr {
    let mut all = vec![p.expression()];
    while p.eat(",") {
        all.push(p.expression());
    }
    let Some(at) = all.iter().position(|item| matches!(item, Expr::Assign(..))).filter(|_| all.len() > 1) else {
        return if all.len() == 1 { all.pop().unwrap_or(Expr::Nothing) } else { Expr::List(all) };
    };
    let rest = all.split_off(at + 1);
    let Some(Expr::Assign(targets, op, value)) = all.pop() else { return Expr::Nothing };
    let names = all.into_iter().chain(targets).collect();
    let values = std::iter::once(*value).chain(rest).collect();
    Expr::Assign(vec![Expr::List(names)], op, Box::new(Expr::List(values)))
}

fn function(p: &mut Parser) -> Expr {
    p.advance();
    let mut name = String::new();
    while let Some(part) = p.eat_name() {
        name = part;
        if !p.eat(".") && !p.eat(":") {
            break;
        }
    }
    p.expect("(");
    let mut params = Vec::new();
    while p.peek().is_some() && !p.eat(")") {
        match p.advance() {
            Some(Kind::Name(name)) => params.push(Param::named(&name)),
            Some(Kind::Op("...")) => {
                params.push(Param { target: Expr::Spread(Box::new(Expr::name("..."))), default: None })
            }
            _ => {}
        }
    }
    Expr::function(&name, params, closed(p))
}

/// `f"text"` and `f{table}` are calls.
fn postfix(p: &mut Parser, expr: Expr) -> Result<Expr, Expr> {
    match p.peek() {
        Some(Kind::Text(_)) if matches!(expr, Expr::Name(_) | Expr::Attr(..) | Expr::Call(..)) => {
            let text = p.plain();
            Ok(Expr::call(expr, vec![text]))
        }
        Some(Kind::Op("{")) if matches!(expr, Expr::Name(_) | Expr::Attr(..)) => {
            let table = primary(p);
            Ok(Expr::call(expr, vec![table]))
        }
        _ => Err(expr),
    }
}

fn primary(p: &mut Parser) -> Expr {
    match p.peek() {
        Some(Kind::Name(name)) if name == "function" => function(p),
        Some(Kind::Name(name)) if name == "nil" => {
            p.advance();
            Expr::Nothing
        }
        Some(Kind::Op("...")) => {
            p.advance();
            Expr::name("...")
        }
        Some(Kind::Op("::")) => {
            p.advance();
            p.advance();
            p.advance();
            Expr::Nothing
        }
        Some(Kind::Op("{")) => {
            p.advance();
            table(p)
        }
        _ => p.plain(),
    }
}

fn table(p: &mut Parser) -> Expr {
    let (mut pairs, mut items) = (Vec::new(), Vec::new());
    while !p.eat("}") && p.peek().is_some() {
        let before = p.mark();
        if p.eat(",") || p.eat(";") {
            continue;
        }
        if p.eat("[") {
            let key = p.expression();
            p.expect("]");
            p.eat("=");
            pairs.push((Expr::Block(vec![key]), p.expression()));
        } else if p.op_at(1, "=") {
            let key = p.plain();
            p.advance();
            pairs.push((key, p.expression()));
        } else {
            items.push(p.expression());
        }
        if p.mark().0 == before.0 {
            p.wrong();
        }
    }
    if pairs.is_empty() { Expr::List(items) } else { Expr::Map(pairs) }
}
