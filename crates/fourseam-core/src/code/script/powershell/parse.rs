//! PowerShell text to expressions. A command becomes a call of its name; `-Parameter` stays in its place among the
//! arguments as a name in front of which a dash stands, since only the command knows which take a value.

use super::super::ast::{Arg, Expr, Param, Piece};
use super::super::parse::Parsed;
use super::super::token::{Cursor, Work, name_char};
use super::words::{DASHED, KEYWORDS};

/// The argument that carries what a pipe brings.
pub(super) const INPUT: &str = "|";

/// Reads PowerShell.
pub(super) fn parse(text: &str, work: &Work) -> Parsed {
    let mut reader = Reader { cursor: Cursor::new(text, work), depth: 0, errors: 0, overflow: false };
    let program = reader.statements(None);
    Parsed { program, errors: reader.errors, overflow: reader.overflow || work.is_spent() }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    depth: usize,
    errors: usize,
    overflow: bool,
}

const MAX_DEPTH: usize = 60;
/// Pipes, operators or members in one chain.
const MAX_LINKS: usize = 250;

impl Reader<'_> {
    /// Statements up to the closing character, which is gone over.
    fn statements(&mut self, close: Option<char>) -> Vec<Expr> {
        let mut all = Vec::new();
        loop {
            self.blank(true);
            match self.cursor.peek() {
                None => {
                    self.errors += usize::from(close.is_some());
                    return all;
                }
                Some(c) if Some(c) == close => {
                    self.cursor.next();
                    return all;
                }
                Some(';' | '|' | '&' | ',') if !self.cursor.starts("& ") && !self.calls() => {
                    self.cursor.next();
                }
                Some(')' | '}' | ']') => {
                    self.errors += 1;
                    self.cursor.next();
                }
                Some(_) => {
                    let before = self.cursor.rest().len();
                    let statement = self.nested(Self::statement);
                    all.push(statement);
                    if self.cursor.rest().len() == before {
                        self.errors += 1;
                        self.cursor.next();
                    }
                }
            }
        }
    }

    /// `&` that calls something stands here.
    fn calls(&self) -> bool {
        self.cursor.starts("&$")
            || self.cursor.starts("&(")
            || self.cursor.starts("&{")
            || self.cursor.starts("&'")
            || self.cursor.starts("&\"")
    }

    /// Gives up the rest of the text.
    fn give_up(&mut self) {
        self.overflow = true;
        self.cursor = self.cursor.over("");
    }

    /// Whether a chain of pipes, operators or members may go on: what is read from left to right nests as deep as it
    /// is long.
    fn goes_on(&mut self, links: &mut usize) -> bool {
        *links += 1;
        if *links > MAX_LINKS {
            self.give_up();
        }
        *links <= MAX_LINKS
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return Expr::Nothing;
        }
        self.depth += 1;
        let expr = inner(self);
        self.depth -= 1;
        expr
    }

    /// Goes over blanks, comments and continued lines; over line ends too if `lines`.
    fn blank(&mut self, lines: bool) -> bool {
        let before = self.cursor.rest().len();
        loop {
            self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\u{a0}') || lines && c == '\n');
            if self.cursor.eat("<#") {
                self.cursor.take_until("#>");
            } else if self.cursor.peek() == Some('#') {
                self.cursor.take_line();
            } else if self.cursor.starts("`\n") || self.cursor.starts("`\r\n") {
                self.cursor.take_until("\n");
            } else {
                return self.cursor.rest().len() != before;
            }
        }
    }

    fn statement(&mut self) -> Expr {
        let word = self.word_ahead();
        if KEYWORDS.contains(&word.as_str()) {
            return self.keyword(&word);
        }
        let mut all = vec![self.pipeline()];
        // `a && b`, `a || b`: both may run.
        loop {
            self.blank(false);
            if !(self.cursor.eat("&&") || self.cursor.eat("||")) {
                return if all.len() == 1 { all.pop().unwrap_or(Expr::Nothing) } else { Expr::Block(all) };
            }
            self.blank(true);
            all.push(self.pipeline());
        }
    }

    fn word_ahead(&self) -> String {
        let rest = self.cursor.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let behind = rest.get(end..).and_then(|rest| rest.chars().next());
        // `if-something` and `for.exe` are commands.
        if matches!(behind, Some('-' | '.' | '_' | '\\' | '/' | ':')) {
            String::new()
        } else {
            rest.get(..end).unwrap_or_default().to_ascii_lowercase()
        }
    }

    fn keyword(&mut self, word: &str) -> Expr {
        self.cursor.take_while(|c| c.is_ascii_alphabetic());
        self.blank(true);
        match word {
            "if" | "elseif" | "while" | "until" | "switch" => {
                let condition = self.parenthesised();
                let body = self.body();
                Expr::Block(vec![condition, Expr::Maybe(vec![body])])
            }
            "else" | "catch" | "default" => {
                self.cursor.take_until_brace();
                Expr::Maybe(vec![self.body()])
            }
            "try" | "finally" | "do" | "begin" | "process" | "end" | "trap" | "data" => {
                self.cursor.take_until_brace();
                self.body()
            }
            "foreach" => self.each(),
            "for" => {
                self.cursor.eat("(");
                let head = self.statements(Some(')'));
                let body = self.body();
                Expr::Block(vec![Expr::Block(head), Expr::Maybe(vec![body])])
            }
            "function" | "filter" | "workflow" => self.function(),
            "param" => {
                self.cursor.eat("(");
                Expr::Block(
                    self.params()
                        .into_iter()
                        .filter_map(|param| Some(Expr::assign(param.target, param.default?)))
                        .collect(),
                )
            }
            "return" | "throw" | "exit" => {
                self.blank(false);
                let ends = matches!(self.cursor.peek(), None | Some(';' | '}' | ')' | '\n'));
                let value = if ends { Expr::Nothing } else { self.pipeline() };
                Expr::Return(Box::new(value))
            }
            "class" | "enum" => {
                self.cursor.take_until_brace();
                Expr::Maybe(vec![self.body()])
            }
            // break, continue, using
            _ => {
                self.cursor.take_while(|c| !matches!(c, ';' | '\n' | '}'));
                Expr::Nothing
            }
        }
    }

    fn parenthesised(&mut self) -> Expr {
        self.cursor.take_while(|c| !matches!(c, '(' | '{' | ';' | '\n'));
        if self.cursor.eat("(") { Expr::Block(self.statements(Some(')'))) } else { Expr::Nothing }
    }

    /// `{ .. }` as code that runs here.
    fn body(&mut self) -> Expr {
        self.blank(true);
        if self.cursor.eat("{") { Expr::Block(self.statements(Some('}'))) } else { Expr::Nothing }
    }

    /// `foreach ($x in ..) { .. }`.
    fn each(&mut self) -> Expr {
        if !self.cursor.eat("(") {
            // The alias of ForEach-Object.
            let args = self.arguments();
            return Expr::Call(Box::new(Expr::name("foreach-object")), args);
        }
        self.blank(true);
        let target = self.nested(Self::operand);
        self.blank(true);
        self.cursor.take_while(|c| c.is_ascii_alphabetic());
        let source = Expr::Block(self.statements(Some(')')));
        let body = self.body();
        Expr::Each(Some(Box::new(target)), Box::new(source), vec![body])
    }

    fn function(&mut self) -> Expr {
        let name = self.cursor.take_while(|c| name_char(c) || matches!(c, '-' | ':')).to_ascii_lowercase();
        self.blank(true);
        let mut params = if self.cursor.eat("(") { self.params() } else { Vec::new() };
        self.blank(true);
        if !self.cursor.eat("{") {
            return Expr::Nothing;
        }
        params.extend(self.param_block());
        Expr::function(&name, params, self.statements(Some('}')))
    }

    /// `param(..)` at the head of a block.
    fn param_block(&mut self) -> Vec<Param> {
        self.blank(true);
        let mut ahead = self.cursor.clone();
        while ahead.peek() == Some('[') {
            ahead.next();
            ahead.take_balanced('[', ']');
            ahead.take_while(char::is_whitespace);
        }
        if !ahead.rest().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("param")) {
            return Vec::new();
        }
        ahead.take_while(|c| c.is_ascii_alphabetic());
        ahead.take_while(char::is_whitespace);
        if !ahead.eat("(") {
            return Vec::new();
        }
        self.cursor = ahead;
        self.params()
    }

    /// Parameters; the opening parenthesis has been read.
    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        loop {
            self.blank(true);
            match self.cursor.peek() {
                None => return params,
                Some(')') => {
                    self.cursor.next();
                    return params;
                }
                Some('[') => {
                    self.cursor.next();
                    self.cursor.take_balanced('[', ']');
                }
                Some('$') => {
                    let target = self.nested(Self::operand);
                    self.blank(true);
                    let default = self.cursor.eat("=").then(|| {
                        self.blank(true);
                        self.expression()
                    });
                    params.push(Param { target, default });
                }
                Some(_) => {
                    self.cursor.next();
                }
            }
        }
    }

    /// Commands and expressions joined by `|`.
    fn pipeline(&mut self) -> Expr {
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
    fn element(&mut self) -> Expr {
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
    fn number_stands(&self) -> bool {
        let rest = self.cursor.rest();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | 'x'));
        behind.chars().next().is_none_or(|c| c.is_whitespace() || ";|)}],+-*/%".contains(c))
    }

    fn assignment(&mut self) -> Expr {
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
    fn called(&mut self) -> Expr {
        match self.cursor.peek() {
            Some('$' | '"' | '\'' | '(' | '{' | '[' | '@') => self.operand(),
            _ => self.word(),
        }
    }

    fn command(&mut self) -> Expr {
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
    fn arguments(&mut self) -> Vec<Arg> {
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

    fn redirect(&mut self, args: &mut Vec<Arg>) {
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

    fn argument(&mut self) -> Expr {
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
    fn glued(&mut self, value: Expr) -> Expr {
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
    fn parameter(&mut self) -> Expr {
        self.cursor.next();
        let name = self.cursor.take_while(|c| name_char(c) || matches!(c, '-' | '?'));
        let marker = Expr::Name(format!("-{name}"));
        if self.cursor.eat(":") {
            self.blank(false);
            let value = self.nested(Self::argument);
            return Expr::Call(Box::new(Expr::name(super::JOINED)), vec![Arg::plain(marker), Arg::plain(value)]);
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
    fn word(&mut self) -> Expr {
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

    fn expression(&mut self) -> Expr {
        self.nested(|reader| reader.operators())
    }

    /// Operands joined by operators; all bind alike except `,`, which binds tighter.
    fn operators(&mut self) -> Expr {
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

    fn operator(&mut self) -> Option<String> {
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

    fn unary(&mut self) -> Expr {
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
    fn operand(&mut self) -> Expr {
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
    fn member(&mut self, value: Expr) -> Expr {
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
    fn argument_expression(&mut self) -> Expr {
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
    fn type_form(&mut self) -> Expr {
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
    fn tail(&mut self, mut value: Expr) -> Expr {
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

    /// `@(..)`, `@{..}`, `@'..'@`, `@name`.
    fn at_form(&mut self) -> Expr {
        self.cursor.next();
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.next();
                let inner = self.statements(Some(')'));
                match <[Expr; 1]>::try_from(inner) {
                    Ok([Expr::List(items)]) => Expr::List(items),
                    Ok([one]) => Expr::List(vec![Expr::Spread(Box::new(one))]),
                    Err(all) => Expr::List(all),
                }
            }
            Some('{') => {
                self.cursor.next();
                self.hash()
            }
            Some('\'' | '"') => self.here_string(),
            _ => {
                let name = self.cursor.take_while(name_char).to_ascii_lowercase();
                Expr::Spread(Box::new(Expr::Name(format!("${name}"))))
            }
        }
    }

    fn hash(&mut self) -> Expr {
        let mut pairs = Vec::new();
        loop {
            self.blank(true);
            match self.cursor.peek() {
                None => return Expr::Map(pairs),
                Some('}') => {
                    self.cursor.next();
                    return Expr::Map(pairs);
                }
                Some(';' | ',') => {
                    self.cursor.next();
                }
                Some(_) => {
                    let before = self.cursor.rest().len();
                    let key = match self.cursor.peek() {
                        Some('"' | '\'') => self.string(),
                        _ => Expr::known(
                            self.cursor.take_while(|c| !c.is_whitespace() && !"=;}".contains(c)).to_ascii_lowercase(),
                        ),
                    };
                    self.blank(true);
                    if self.cursor.eat("=") {
                        self.blank(true);
                        let value = self.nested(Self::statement);
                        pairs.push((Expr::Block(vec![key]), value));
                    }
                    if self.cursor.rest().len() == before {
                        self.cursor.next();
                    }
                }
            }
        }
    }

    fn here_string(&mut self) -> Expr {
        let quote = self.cursor.next().unwrap_or('"');
        self.cursor.take_until("\n");
        let body = self.cursor.take_until(if quote == '\'' { "\n'@" } else { "\n\"@" });
        if quote == '\'' { Expr::known(body) } else { self.expand(body) }
    }

    fn string(&mut self) -> Expr {
        let quote = self.cursor.next().unwrap_or('"');
        let mut text = String::new();
        let mut depth = 0usize;
        while let Some(c) = self.cursor.next() {
            if c == quote && depth == 0 {
                // A doubled quote stands for one.
                if self.cursor.peek() == Some(quote) {
                    self.cursor.next();
                    text.push_str(if quote == '"' { "`\"" } else { "'" });
                    continue;
                }
                break;
            }
            match c {
                '`' if quote == '"' => {
                    text.push(c);
                    text.extend(self.cursor.next());
                    continue;
                }
                '(' if quote == '"' && (depth > 0 || text.ends_with('$')) => depth += 1,
                ')' if quote == '"' => depth = depth.saturating_sub(1),
                _ => {}
            }
            text.push(c);
        }
        if quote == '\'' { Expr::known(text) } else { self.expand(&text) }
    }

    /// Variables, `$( .. )` and escapes in a text.
    fn expand(&mut self, text: &str) -> Expr {
        let mut inner = Reader { cursor: self.cursor.over(text), depth: self.depth + 1, errors: 0, overflow: false };
        let mut pieces = Vec::new();
        let mut known = String::new();
        while let Some(c) = inner.cursor.peek() {
            match c {
                '`' => {
                    inner.cursor.next();
                    match inner.cursor.next() {
                        Some('n') => known.push('\n'),
                        Some('t') => known.push('\t'),
                        Some('r') => known.push('\r'),
                        Some(c) => known.push(c),
                        None => {}
                    }
                }
                '$' if inner.cursor.peek_at(1).is_some_and(|c| name_char(c) || matches!(c, '{' | '(' | ':')) => {
                    if self.depth >= MAX_DEPTH {
                        self.overflow = true;
                        break;
                    }
                    pieces.push(Piece::Known(std::mem::take(&mut known)));
                    pieces.push(Piece::Value(inner.variable()));
                }
                c => {
                    known.push(c);
                    inner.cursor.next();
                }
            }
        }
        pieces.push(Piece::Known(known));
        pieces.retain(|piece| *piece != Piece::Known(String::new()));
        self.errors += inner.errors;
        self.overflow |= inner.overflow;
        Expr::Text(pieces)
    }

    /// `$name`, `${name}`, `$env:NAME`, `$( .. )`.
    fn variable(&mut self) -> Expr {
        self.cursor.next();
        if self.cursor.eat("(") {
            return Expr::Block(self.statements(Some(')')));
        }
        let name = if self.cursor.eat("{") {
            self.cursor.take_until("}").to_ascii_lowercase()
        } else {
            let mut name = self.cursor.take_while(name_char).to_ascii_lowercase();
            if self.cursor.peek() == Some(':') && self.cursor.peek_at(1).is_some_and(name_char) {
                self.cursor.next();
                name.push(':');
                name.push_str(&self.cursor.take_while(name_char).to_ascii_lowercase());
            }
            if name.is_empty() {
                name.extend(self.cursor.next_if(|c| matches!(c, '?' | '^' | '$' | '_')));
            }
            name
        };
        match name.split_once(':') {
            Some(("env", variable)) => {
                Expr::Index(Box::new(Expr::name("[env]")), Box::new(Expr::known(variable.to_ascii_uppercase())))
            }
            Some((_, name)) => Expr::Name(format!("${name}")),
            None => Expr::Name(format!("${name}")),
        }
    }
}

/// The text of a piece that is known.
fn known_piece(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Known(text) => Some(text.clone()),
        Piece::Value(Expr::Text(pieces)) => pieces.iter().map(known_piece).collect(),
        Piece::Value(_) => None,
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
