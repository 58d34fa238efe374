//! Expressions out of tokens, as far as the languages agree; each language adds its own forms by [`Syntax`].
//! Never fails: what does not fit is counted as an error and gone over.

use super::ast::{Arg, Expr, Piece};
use super::token::{Bit, Kind, MAX_TOKENS, Token, Work};

/// What a language adds to the common expressions.
pub(super) struct Syntax {
    /// Text to tokens.
    pub(super) lex: fn(&str, &Work) -> Vec<Token>,
    /// One statement.
    pub(super) statement: fn(&mut Parser) -> Expr,
    /// An operand, without what may follow it.
    pub(super) primary: fn(&mut Parser) -> Expr,
    /// Something that follows an operand; gives it back unchanged if nothing does.
    pub(super) postfix: fn(&mut Parser, Expr) -> Result<Expr, Expr>,
    /// What may follow a whole operand chain: conditional expressions.
    pub(super) tail: fn(&mut Parser, Expr) -> Expr,
    /// One argument of a call.
    pub(super) argument: fn(&mut Parser) -> Arg,
    /// Operators between operands, with how strongly they bind (3 to 14).
    pub(super) binary: &'static [(&'static str, u8)],
    /// Operators in front of operands.
    pub(super) unary: &'static [&'static str],
    /// Operators between a value and the name of a member.
    pub(super) member: &'static [&'static str],
}

/// A text as expressions, and how well it fitted.
pub(super) struct Parsed {
    pub(super) program: Vec<Expr>,
    /// Tokens that fitted nowhere.
    pub(super) errors: usize,
    /// Nesting or size went past the bound; the rest was not read.
    pub(super) overflow: bool,
}

/// Reads a text by the forms of a language.
pub(super) fn parse(text: &str, syntax: &'static Syntax, work: &Work) -> Parsed {
    let mut parser = Parser::new(text, syntax, 0, work);
    let program = parser.program();
    parser.overflow |= work.is_spent();
    Parsed { program, errors: parser.errors, overflow: parser.overflow }
}

/// Reads tokens.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    work: Work,
    pub(super) syntax: &'static Syntax,
    /// Tokens that fitted nowhere.
    pub(super) errors: usize,
    /// Nesting or size went past the bound.
    pub(super) overflow: bool,
    /// A word that opens a block belongs to the statement around (`while x do`).
    pub(super) held: bool,
}

const MAX_DEPTH: usize = 90;
/// Operators or members in one chain.
const MAX_LINKS: usize = 250;
const ASSIGNMENTS: [&str; 19] = [
    "=", ":=", "+=", "-=", "*=", "/=", ".=", "%=", "||=", "&&=", "??=", "//=", "**=", "|=", "&=", "^=", "x=", "<-",
    "<<-",
];

impl Parser {
    pub(super) fn new(text: &str, syntax: &'static Syntax, depth: usize, work: &Work) -> Self {
        let tokens = (syntax.lex)(text, work);
        let overflow = tokens.len() >= MAX_TOKENS;
        Self { tokens, at: 0, depth, work: work.clone(), syntax, errors: 0, overflow, held: false }
    }

    /// All statements to the end.
    pub(super) fn program(&mut self) -> Vec<Expr> {
        let mut statements = Vec::new();
        while self.peek().is_some() {
            let before = self.at;
            statements.push((self.syntax.statement)(self));
            if self.at == before {
                self.wrong();
            }
        }
        statements
    }

    pub(super) fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    pub(super) fn peek_at(&self, n: usize) -> Option<&Kind> {
        self.tokens.get(self.at + n).map(|token| &token.kind)
    }

    /// The operator `n` tokens back is this one.
    pub(super) fn was_op(&self, n: usize, op: &str) -> bool {
        let token = self.at.checked_sub(n).and_then(|at| self.tokens.get(at));
        matches!(token.map(|token| &token.kind), Some(Kind::Op(found)) if *found == op)
    }

    pub(super) fn token(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn token_at(&self, n: usize) -> Option<&Token> {
        self.tokens.get(self.at + n)
    }

    pub(super) fn advance(&mut self) -> Option<Kind> {
        let kind = self.peek().cloned();
        self.at += 1;
        kind
    }

    /// Takes the token so many places ahead for another operator.
    pub(super) fn retag(&mut self, n: usize, op: &'static str) {
        if let Some(token) = self.tokens.get_mut(self.at + n) {
            token.kind = Kind::Op(op);
        }
    }

    /// Goes over a token that fits nowhere.
    pub(super) fn wrong(&mut self) {
        self.errors += 1;
        self.at += 1;
    }

    /// The place in the tokens, to come back to.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.at, self.errors)
    }

    pub(super) fn reset(&mut self, (at, errors): (usize, usize)) {
        self.looked_at(self.at.saturating_sub(at));
        self.at = at;
        self.errors = errors;
    }

    /// Notes that so many tokens were looked at that will be read again.
    pub(super) fn looked_at(&self, tokens: usize) {
        self.work.spend(tokens);
    }

    /// Gives up the rest of the text.
    fn give_up(&mut self) {
        self.overflow = true;
        self.at = self.tokens.len();
    }

    /// Whether a chain of operators or members may go on: what is read from left to right nests as deep as it is long.
    pub(super) fn goes_on(&mut self, links: &mut usize) -> bool {
        *links += 1;
        if *links > MAX_LINKS {
            self.give_up();
        }
        *links <= MAX_LINKS
    }

    pub(super) fn is_op(&self, op: &str) -> bool {
        matches!(self.peek(), Some(Kind::Op(found)) if *found == op)
    }

    pub(super) fn op_at(&self, n: usize, op: &str) -> bool {
        matches!(self.peek_at(n), Some(Kind::Op(found)) if *found == op)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Kind::Name(found)) if found == word)
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        matches!(self.peek(), Some(Kind::Name(found)) if words.contains(&found.as_str()))
    }

    pub(super) fn eat(&mut self, op: &str) -> bool {
        let found = self.is_op(op);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn eat_kind(&mut self, kind: &Kind) -> bool {
        let found = self.peek() == Some(kind);
        if found {
            self.at += 1;
        }
        found
    }

    /// A closing token that must come; an error if it does not.
    pub(super) fn expect(&mut self, op: &str) {
        if !self.eat(op) {
            self.errors += 1;
        }
    }

    /// The name that stands here, if one does.
    pub(super) fn eat_name(&mut self) -> Option<String> {
        match self.peek() {
            Some(Kind::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Some(name)
            }
            _ => None,
        }
    }

    /// Goes on only while nesting is within bounds; past them the rest is given up.
    pub(super) fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if self.depth >= MAX_DEPTH || self.work.is_spent() {
            self.give_up();
            return Expr::Nothing;
        }
        self.depth += 1;
        let expr = inner(self);
        self.depth -= 1;
        expr
    }

    /// An expression without commas.
    pub(super) fn expression(&mut self) -> Expr {
        self.nested(|parser| {
            let left = parser.operand(3);
            let left = (parser.syntax.tail)(parser, left);
            let Some(Kind::Op(op)) = parser.peek() else { return left };
            let op = *op;
            if !ASSIGNMENTS.contains(&op) {
                return left;
            }
            parser.at += 1;
            let value = parser.expression();
            let targets = match left {
                Expr::List(targets) if op == "=" => vec![Expr::List(targets)],
                other => vec![other],
            };
            let op = if matches!(op, ":=" | "<-" | "<<-") { "=" } else { op };
            Expr::Assign(targets, op.to_owned(), Box::new(value))
        })
    }

    /// Operands joined by operators that bind at least as strongly as `level`.
    pub(super) fn operand(&mut self, level: u8) -> Expr {
        let mut left = self.prefix();
        let mut links = 0;
        while let Some((op, strength)) = self.operator().filter(|(_, strength)| *strength >= level) {
            if !self.goes_on(&mut links) {
                return left;
            }
            self.at += 1;
            if op == "not in" || op == "is not" {
                self.at += 1;
            }
            let right = self.operand(if strength == 14 { 14 } else { strength + 1 });
            left = Expr::Binary(op.to_owned(), Box::new(left), Box::new(right));
        }
        left
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let found = match self.peek()? {
            Kind::Op(op) => *op,
            Kind::Name(name) if name == "not" && matches!(self.peek_at(1), Some(Kind::Name(next)) if next == "in") => {
                "not in"
            }
            Kind::Name(name) if name == "is" && matches!(self.peek_at(1), Some(Kind::Name(next)) if next == "not") => {
                "is not"
            }
            Kind::Name(name) => name,
            _ => return None,
        };
        self.syntax.binary.iter().find(|(op, _)| *op == found).copied()
    }

    fn prefix(&mut self) -> Expr {
        self.nested(|parser| {
            let word = match parser.peek() {
                Some(Kind::Op(op)) => (*op).to_owned(),
                Some(Kind::Name(name)) => name.clone(),
                _ => String::new(),
            };
            if parser.syntax.unary.contains(&word.as_str()) {
                parser.at += 1;
                return Expr::Unary(word, Box::new(parser.prefix()));
            }
            let mut expr = (parser.syntax.primary)(parser);
            let mut links = 0;
            loop {
                match parser.follow(expr) {
                    Ok(longer) if parser.goes_on(&mut links) => expr = longer,
                    Ok(done) | Err(done) => return done,
                }
            }
        })
    }

    /// A member, call or index behind an operand.
    fn follow(&mut self, expr: Expr) -> Result<Expr, Expr> {
        let expr = match (self.syntax.postfix)(self, expr) {
            Ok(longer) => return Ok(longer),
            Err(expr) => expr,
        };
        match self.peek() {
            Some(Kind::Op(op)) if self.syntax.member.contains(op) => {
                if let Some(Kind::Name(name)) = self.peek_at(1) {
                    let name = name.clone();
                    self.at += 2;
                    return Ok(expr.attr(name));
                }
                Err(expr)
            }
            Some(Kind::Op("(")) => {
                self.at += 1;
                let args = self.arguments(")");
                Ok(Expr::Call(Box::new(expr), args))
            }
            Some(Kind::Op("[")) => {
                self.at += 1;
                Ok(self.index(expr))
            }
            _ => Err(expr),
        }
    }

    /// What stands between `[` and `]` behind a value.
    fn index(&mut self, value: Expr) -> Expr {
        let mut parts: Vec<Option<Expr>> = Vec::new();
        let mut colons = 0;
        loop {
            if self.eat(":") {
                colons += 1;
                if parts.len() < colons {
                    parts.push(None);
                }
            } else if self.is_op("]") || self.peek().is_none() {
                self.expect("]");
                break;
            } else if self.eat(",") {
            } else {
                let before = self.at;
                let part = self.expression();
                parts.push(Some(part));
                if self.at == before {
                    self.wrong();
                }
            }
        }
        if colons > 0 {
            return Expr::Slice(Box::new(value), parts);
        }
        let mut parts = parts.into_iter().flatten();
        let first = parts.next().unwrap_or(Expr::Nothing);
        let rest: Vec<Expr> = parts.collect();
        let index = if rest.is_empty() { first } else { Expr::List(std::iter::once(first).chain(rest).collect()) };
        Expr::Index(Box::new(value), Box::new(index))
    }

    /// Arguments up to the closing token.
    pub(super) fn arguments(&mut self, close: &str) -> Vec<Arg> {
        let mut args = Vec::new();
        loop {
            while self.eat(",") || self.eat("=>") || self.eat_kind(&Kind::Line) {}
            if self.is_op(close) || self.peek().is_none() {
                self.expect(close);
                return args;
            }
            let before = self.at;
            args.push((self.syntax.argument)(self));
            if self.at == before {
                self.wrong();
            }
        }
    }

    /// Expressions between commas up to the closing token.
    pub(super) fn list(&mut self, close: &str) -> Vec<Expr> {
        self.arguments(close).into_iter().map(|arg| arg.value).collect()
    }

    /// Statements in braces; the opening one has been read.
    pub(super) fn braces(&mut self) -> Vec<Expr> {
        let mut statements = Vec::new();
        loop {
            if self.is_op("}") || self.peek().is_none() {
                self.expect("}");
                return statements;
            }
            let before = self.at;
            let statement = self.nested(|parser| (parser.syntax.statement)(parser));
            statements.push(statement);
            if self.at == before {
                self.wrong();
            }
        }
    }

    /// The pieces of a string, expressions in it read.
    pub(super) fn pieces(&mut self, bits: Vec<Bit>) -> Vec<Piece> {
        bits.into_iter()
            .map(|bit| match bit {
                Bit::Known(text) => Piece::Known(text),
                Bit::Code(source) => Piece::Value(self.inner(&source)),
            })
            .collect()
    }

    /// An expression that stands in a string.
    pub(super) fn inner(&mut self, source: &str) -> Expr {
        self.nested(|parser| {
            let mut inner = Parser::new(source, parser.syntax, parser.depth, &parser.work);
            let mut statements = inner.program();
            statements.retain(|statement| *statement != Expr::Nothing);
            parser.errors += inner.errors;
            parser.overflow |= inner.overflow;
            Expr::Block(statements)
        })
    }

    /// Operands all languages have: names, numbers, strings, lists, parentheses.
    pub(super) fn plain(&mut self) -> Expr {
        match self.advance() {
            Some(Kind::Name(name)) => Expr::Name(name),
            Some(Kind::Number(number)) => Expr::Number(number),
            Some(Kind::Text(bits)) => Expr::Text(self.pieces(bits)),
            Some(Kind::Shell(bits)) => Expr::Shell(self.pieces(bits)),
            Some(Kind::Regex(bits, runs)) => {
                let pieces = self.pieces(bits);
                if runs { Expr::Text(pieces) } else { Expr::Nothing }
            }
            Some(Kind::Op("(")) => {
                let mut inner = self.list(")");
                if inner.len() == 1 { inner.pop().unwrap_or(Expr::Nothing) } else { Expr::List(inner) }
            }
            Some(Kind::Op("[")) => Expr::List(self.list("]")),
            Some(Kind::Op(_) | Kind::Line | Kind::Indent | Kind::Dedent) | None => {
                self.errors += 1;
                Expr::Nothing
            }
        }
    }
}

/// No language-specific form follows an operand.
pub(super) fn no_postfix(_: &mut Parser, expr: Expr) -> Result<Expr, Expr> {
    Err(expr)
}

/// `condition ? a : b` and `condition ?: b`.
pub(super) fn question_mark(parser: &mut Parser, condition: Expr) -> Expr {
    if !parser.eat("?") {
        return condition;
    }
    if parser.eat(":") {
        let second = parser.expression();
        return Expr::Either(vec![condition, second]);
    }
    let first = parser.expression();
    parser.expect(":");
    let second = parser.expression();
    Expr::Block(vec![condition, Expr::Either(vec![first, second])])
}
