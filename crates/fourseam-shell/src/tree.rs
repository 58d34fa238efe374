//! The syntax tree: what was written, before any expansion. Not what runs; `run` decides that.

use crate::ir::{RedirectKind, Span, Why};
use std::cell::OnceCell;
use std::rc::Rc;

/// Commands separated by `;`, `&` or newlines.
pub(crate) type List = Vec<AndOr>;

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct AndOr {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Connector, Pipeline)>,
    pub(crate) background: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connector {
    And,
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) negated: bool,
    pub(crate) members: Vec<Command>,
}

/// One command with its redirects.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) kind: Kind,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Simple(Simple),
    Subshell(List),
    Group(List),
    /// Conditions with their branches, then the `else` branch.
    If(Vec<(List, List)>, List),
    For(For),
    /// The three expressions, then the body.
    ArithmeticFor(Vec<Word>, List),
    /// `while` and `until`: head, body.
    Loop(List, List),
    /// Subject and arms.
    Case(Word, Vec<Arm>),
    /// `(( ... ))`.
    Arithmetic(Word),
    /// `[[ ... ]]`: its words without operators.
    Test(Vec<Word>),
    Function(Rc<Function>),
    Coproc(Box<Command>),
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) body: Command,
}

/// One arm of `case`.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) patterns: Vec<Word>,
    pub(crate) body: List,
    /// Ends with `;&` or `;;&`: the next arm may run too.
    pub(crate) falls_through: bool,
}

/// `for` and `select`. `words` is `None` for the positional parameters.
#[derive(Debug)]
pub(crate) struct For {
    pub(crate) name: String,
    pub(crate) words: Option<Vec<Word>>,
    pub(crate) body: List,
}

/// Assignments and words of a simple command.
#[derive(Debug, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<Argument>,
}

/// A word of a simple command; `export A=b` keeps its assignments apart, since they are not split.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Word(Word),
    Assignment(Assignment),
}

#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) subscript: Option<Word>,
    pub(crate) append: bool,
    pub(crate) value: Value,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(Word),
    /// Elements, each with its subscript if it has one.
    Array(Vec<(Option<Word>, Word)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Redirect {
    pub(crate) fd: Option<u32>,
    pub(crate) target: Target,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Target {
    File(RedirectKind, Word),
    HereString(Word),
    /// The body is filled in when the reader reaches the next line.
    Heredoc(Rc<OnceCell<Word>>),
}

/// A word as written, cut at its expansions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    pub(crate) parts: Vec<Part>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    /// Stands in quotes or behind a backslash: no splitting, no globs.
    pub(crate) quoted: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum PartKind {
    Text(String),
    Parameter(Box<Parameter>),
    /// `$( )`, backticks, `${ ; }`.
    Substitution(Rc<Body>),
    /// `<( )` and `>( )`.
    Process(Rc<Body>),
    /// `$(( ))`, `$[ ]`.
    Arithmetic(Box<Word>, String),
}

/// The commands of a substitution.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) list: List,
    /// As written, with its brackets.
    pub(crate) source: String,
    pub(crate) span: Span,
    /// What could not be read in it.
    pub(crate) faults: Vec<(Why, Span)>,
}

/// `$x` and `${...}`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Variable name, or a digit or special character.
    pub(crate) name: String,
    pub(crate) subscript: Option<Subscript>,
    /// `${!x}`.
    pub(crate) indirect: bool,
    pub(crate) operation: Operation,
    /// As written.
    pub(crate) source: String,
}

#[derive(Clone, Debug)]
pub(crate) enum Subscript {
    /// `[@]` and `[*]`.
    All(char),
    Index(Word),
}

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    None,
    /// `${#x}`.
    Length,
    /// `-`, `=`, `?`, `+`; with a colon also when empty.
    Default {
        kind: char,
        colon: bool,
        word: Word,
    },
    /// `#` or `%`, doubled for the longest match.
    Trim {
        suffix: bool,
        longest: bool,
        pattern: Word,
    },
    /// `/`, `//`, `/#`, `/%`.
    Replace {
        how: Replace,
        pattern: Word,
        replacement: Word,
    },
    Slice {
        offset: Word,
        length: Option<Word>,
    },
    /// `^`, `^^`, `,`, `,,`.
    Case {
        upper: bool,
        all: bool,
        pattern: Word,
    },
    /// `@Q` and the like, name lists, and what is not understood. Words in it still run their substitutions.
    Other(Vec<Word>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replace {
    First,
    All,
    Prefix,
    Suffix,
}

impl Word {
    /// The text of a word without quotes or expansions.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part { kind: PartKind::Text(text), quoted: false }] => Some(text),
            _ => None,
        }
    }

    /// The text of a word without expansions, quotes removed.
    pub(crate) fn text(&self) -> Option<String> {
        let mut all = String::new();
        for part in &self.parts {
            match &part.kind {
                PartKind::Text(text) => all.push_str(text),
                PartKind::Parameter(_)
                | PartKind::Substitution(_)
                | PartKind::Process(_)
                | PartKind::Arithmetic(..) => return None,
            }
        }
        Some(all)
    }
}
