//! R.
//!
//! Limits: S4 and R6 objects are not followed; formulas are plain values.

use super::ast::{Arg, Expr, Param};
use super::eval::{Profile, nothing_special};
use super::meaning::{Decoding, Meaning, Meaning::*};
use super::parse::{Parser, Syntax, no_postfix, parse};
use super::token::{Bit, Bits, Cursor, Kind, MAX_TOKENS, Token, Work, escape, name_char, name_start};

pub(super) static PROFILE: Profile = Profile {
    parse: |text, work| parse(text, &SYNTAX, work),
    special: nothing_special,
    functions: FUNCTIONS,
    methods: &[],
    path_methods: &[],
    concat: &[],
    slash_joins: false,
    text_is_callable: false,
    everything_is_a_call: false,
    expands_home: true,
    normal: |path| path.rsplit("::").next().unwrap_or(path).trim_start_matches(':').to_owned(),
};

static SYNTAX: Syntax = Syntax {
    lex,
    statement,
    primary,
    postfix: no_postfix,
    tail: |_, expr| expr,
    argument,
    binary: &[
        ("|>", 3),
        ("%>%", 3),
        ("~", 3),
        ("||", 3),
        ("|", 3),
        ("&&", 4),
        ("&", 4),
        ("==", 6),
        ("!=", 6),
        ("<", 6),
        (">", 6),
        ("<=", 6),
        (">=", 6),
        ("->", 3),
        ("+", 11),
        ("-", 11),
        ("*", 12),
        ("/", 12),
        ("%%", 12),
        ("%in%", 12),
        (":", 13),
        ("^", 14),
    ],
    unary: &["!", "-", "+", "~", "?"],
    member: &["$", "@"],
};

const FUNCTIONS: &[(&str, Meaning)] = &[
    ("unlink", Delete(0)),
    ("file.remove", DeleteAll),
    ("file_delete", Delete(0)),
    ("dir_delete", DeleteTree(0)),
    ("file.rename", Move(0, 1)),
    ("file.copy", Copy(0, 1)),
    ("file.symlink", Link(1)),
    ("file.create", Overwrite(0)),
    ("writeLines", Overwrite(1)),
    ("write", Overwrite(1)),
    ("writeBin", Overwrite(1)),
    ("write.csv", Overwrite(1)),
    ("write_csv", Overwrite(1)),
    ("saveRDS", Overwrite(1)),
    ("sink", Overwrite(0)),
    ("readLines", ReadFile(0)),
    ("readRDS", ReadFile(0)),
    ("read.csv", ReadFile(0)),
    ("read_csv", ReadFile(0)),
    ("scan", ReadFile(0)),
    ("file", ReadFile(0)),
    ("dir.create", Create(0)),
    ("Sys.chmod", Rights(0)),
    ("system", Shell(0)),
    ("shell", Shell(0)),
    ("shell.exec", Shell(0)),
    ("pipe", Shell(0)),
    ("system2", Program(0)),
    ("run", Program(0)),
    ("setwd", ChangeFolder(0)),
    ("eval", Eval(0)),
    ("evalq", Eval(0)),
    ("parse", Source),
    ("str2lang", Same(0)),
    ("str2expression", Same(0)),
    ("source", RunFile(0)),
    ("source_url", RunFile(0)),
    ("dyn.load", Obscure),
    ("do.call", CallList(0, 1)),
    ("match.fun", Named(0)),
    ("get", Named(0)),
    ("lapply", MapCall(1, 0)),
    ("sapply", MapCall(1, 0)),
    ("Map", MapCall(0, 1)),
    ("walk", MapCall(1, 0)),
    ("download.file", Download(0, 1)),
    ("url", Request(0)),
    ("getURL", Request(0)),
    ("GET", Request(0)),
    ("POST", Post(0)),
    ("PUT", Post(0)),
    ("DELETE", Remove(0)),
    ("socketConnection", Connect(0)),
    ("Sys.getenv", Variable(0)),
    ("path.expand", ExpandHome(0)),
    ("normalizePath", ExpandHome(0)),
    ("file.path", Join),
    ("dirname", Parent(0)),
    ("getwd", Constant(".")),
    ("tempdir", Constant("/tmp")),
    ("tempfile", Temporary),
    ("list.files", Entries(0)),
    ("list.dirs", Entries(0)),
    ("dir", Entries(0)),
    ("Sys.glob", Glob(0)),
    ("paste0", Concat),
    ("paste", Concat),
    ("c", Collect),
    ("list", Collect),
    ("sprintf", Sprintf),
    ("rawToChar", Same(0)),
    ("intToUtf8", Character),
    ("base64decode", Decode(Decoding::Base64, 0)),
    ("base64_dec", Decode(Decoding::Base64, 0)),
    ("unserialize", Deserialize(0)),
    ("dbExecute", Sql(1)),
    ("dbSendStatement", Sql(1)),
    ("dbGetQuery", MaybeSql(1)),
    ("dbRemoveTable", Quiet),
];

const OPERATORS: &[&str] = &[
    "<<-", "%in%", "%>%", "|>", "->", "<-", "<=", ">=", "==", "!=", "&&", "||", "%%", "::", "+", "-", "*", "/", "^",
    "<", ">", "=", "!", "&", "|", "~", "?", ":", "$", "@", "(", ")", "{", "}", "[", "]", ",", ";", "\\",
];

fn lex(text: &str, work: &Work) -> Vec<Token> {
    let mut cursor = Cursor::new(text, work);
    let mut tokens: Vec<Token> = Vec::new();
    while tokens.len() < MAX_TOKENS {
        let spaced = !cursor.take_while(char::is_whitespace).is_empty();
        let Some(first) = cursor.peek() else { break };
        let kind = match first {
            '#' => {
                cursor.take_line();
                continue;
            }
            '"' | '\'' => string(&mut cursor, first),
            '`' => {
                cursor.next();
                Kind::Name(cursor.take_until("`").to_owned())
            }
            'r' | 'R' if cursor.starts("r\"(") || cursor.starts("R\"(") => {
                cursor.eat_bytes(3);
                Kind::Text(vec![Bit::Known(cursor.take_until(")\"").to_owned())])
            }
            c if c.is_ascii_digit() => Kind::Number(cursor.number().trim_end_matches('L').to_owned()),
            c if name_start(c) || c == '.' => {
                let mut name = cursor.take_while(|c| name_char(c) || c == '.').to_owned();
                // `pkg::name` is one name.
                while cursor.starts("::") {
                    cursor.take_while(|c| c == ':');
                    name = cursor.take_while(|c| name_char(c) || c == '.').to_owned();
                }
                Kind::Name(name)
            }
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
            '\\' => escape(cursor, &mut bits),
            c if c == quote => break,
            c => bits.push(c),
        }
    }
    Kind::Text(bits.done())
}

fn statement(p: &mut Parser) -> Expr {
    if p.eat(";") {
        return Expr::Nothing;
    }
    match p.expression() {
        Expr::Binary(op, left, right) => match (op.as_str(), *right) {
            ("|>" | "%>%", Expr::Call(callee, mut args)) => {
                args.insert(0, Arg::plain(*left));
                Expr::Call(callee, args)
            }
            ("->", right) => Expr::assign(right, *left),
            (_, right) => Expr::Binary(op, left, Box::new(right)),
        },
        value => value,
    }
}

fn body(p: &mut Parser) -> Vec<Expr> {
    if p.eat("{") { p.braces() } else { vec![p.nested(statement)] }
}

fn argument(p: &mut Parser) -> Arg {
    let named = matches!(p.peek(), Some(Kind::Name(_) | Kind::Text(_))) && p.op_at(1, "=");
    if named {
        let name = match p.advance() {
            Some(Kind::Name(name)) => Some(name),
            _ => Some("name".to_owned()),
        };
        p.advance();
        return Arg { name, value: if p.is_op(",") || p.is_op(")") { Expr::Nothing } else { statement(p) } };
    }
    Arg::plain(statement(p))
}

fn primary(p: &mut Parser) -> Expr {
    let word = match p.peek() {
        Some(Kind::Name(name)) => name.clone(),
        _ => String::new(),
    };
    match word.as_str() {
        "if" | "while" => {
            p.advance();
            p.expect("(");
            let condition = p.list(")");
            let mut all = vec![Expr::Block(condition), Expr::Maybe(body(p))];
            if p.eat_word("else") {
                all.push(Expr::Maybe(body(p)));
            }
            Expr::Block(all)
        }
        "for" => {
            p.advance();
            p.expect("(");
            let target = p.plain();
            p.eat_word("in");
            let source = p.expression();
            p.expect(")");
            Expr::Each(Some(Box::new(target)), Box::new(source), body(p))
        }
        "repeat" => {
            p.advance();
            Expr::Block(body(p))
        }
        "function" => {
            p.advance();
            function(p)
        }
        "NULL" | "NA" | "break" | "next" => {
            p.advance();
            Expr::Nothing
        }
        "TRUE" | "T" | "FALSE" | "F" if !p.op_at(1, "(") => {
            p.advance();
            Expr::Number(u8::from(word.starts_with('T')).to_string())
        }
        _ if p.is_op("{") => {
            p.advance();
            Expr::Block(p.braces())
        }
        _ if p.is_op("\\") => {
            p.advance();
            function(p)
        }
        _ => p.plain(),
    }
}

fn function(p: &mut Parser) -> Expr {
    p.expect("(");
    let mut params = Vec::new();
    while p.peek().is_some() && !p.eat(")") {
        match p.advance() {
            Some(Kind::Name(name)) => {
                let default = p.eat("=").then(|| p.expression());
                params.push(Param { default, ..Param::named(&name) });
            }
            _ => continue,
        }
    }
    Expr::function("", params, body(p))
}
