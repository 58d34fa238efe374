//! PowerShell text to expressions. A command becomes a call of its name; `-Parameter` stays in its place among the
//! arguments as a name in front of which a dash stands, since only the command knows which take a value.

mod command;
mod literal;
mod value;

use super::super::ast::{Expr, Param};
use super::super::parse::Parsed;
use super::super::token::{Cursor, Work, name_char};
use super::words::KEYWORDS;

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
}
