//! Expressions of the interpreters' languages, brought to one form. Control flow is kept only as far as it
//! matters: what may or may not run, what runs for each of several values.

use std::rc::Rc;

/// An expression or statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    /// A variable, function or module by name.
    Name(String),
    /// A string with known pieces and expressions in it.
    Text(Vec<Piece>),
    /// Text that a shell runs, in backticks.
    Shell(Vec<Piece>),
    /// A number as written.
    Number(String),
    /// List, tuple, array, set.
    List(Vec<Expr>),
    /// Dictionary, object, hash.
    Map(Vec<(Expr, Expr)>),
    /// `a.b`, `a->b`, `A::b`.
    Attr(Box<Expr>, String),
    /// `a[b]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a[from:to:step]`.
    Slice(Box<Expr>, Vec<Option<Expr>>),
    /// `f(args)`.
    Call(Box<Expr>, Vec<Arg>),
    /// `a op b`.
    Binary(String, Box<Expr>, Box<Expr>),
    /// `op a`.
    Unary(String, Box<Expr>),
    /// `targets op value`; `op` is `=`, `+=` and the like.
    Assign(Vec<Expr>, String, Box<Expr>),
    /// A function or lambda; its definition does not run it.
    Function(Rc<Function>),
    /// A class: its body runs, its functions become methods.
    Class(String, Vec<Expr>),
    /// Runs `body` once for each element of `source`.
    Each(Option<Box<Expr>>, Box<Expr>, Vec<Expr>),
    /// May run not at all.
    Maybe(Vec<Expr>),
    /// Runs in order; the value is the last one's.
    Block(Vec<Expr>),
    /// One of these values.
    Either(Vec<Expr>),
    /// Binds a name to something of a library: `import a.b as name`.
    Import(String, String),
    /// `from module import *`.
    ImportAll(String),
    /// Leaves a function with a value.
    Return(Box<Expr>),
    /// `*list`, `...list`.
    Spread(Box<Expr>),
    /// Nothing that matters.
    Nothing,
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Known text.
    Known(String),
    /// The value of an expression.
    Value(Expr),
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arg {
    /// Keyword, if it has one.
    pub(super) name: Option<String>,
    /// Value.
    pub(super) value: Expr,
}

/// A function.
#[derive(Debug, PartialEq)]
pub(super) struct Function {
    /// Name; empty for lambdas.
    pub(super) name: String,
    /// Parameters.
    pub(super) params: Vec<Param>,
    /// Body; the value of its last expression is returned where the language does so.
    pub(super) body: Vec<Expr>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Param {
    /// Target it binds: a name or a pattern.
    pub(super) target: Expr,
    /// Default value.
    pub(super) default: Option<Expr>,
}

impl Expr {
    pub(super) fn name(text: &str) -> Self {
        Self::Name(text.to_owned())
    }

    pub(super) fn known(text: impl Into<String>) -> Self {
        Self::Text(vec![Piece::Known(text.into())])
    }

    pub(super) fn call(callee: Expr, args: Vec<Expr>) -> Self {
        Self::Call(Box::new(callee), args.into_iter().map(Arg::plain).collect())
    }

    pub(super) fn attr(self, name: impl Into<String>) -> Self {
        Self::Attr(Box::new(self), name.into())
    }

    pub(super) fn binary(op: &str, left: Expr, right: Expr) -> Self {
        Self::Binary(op.to_owned(), Box::new(left), Box::new(right))
    }

    pub(super) fn assign(target: Expr, value: Expr) -> Self {
        Self::Assign(vec![target], "=".to_owned(), Box::new(value))
    }

    pub(super) fn function(name: &str, params: Vec<Param>, body: Vec<Expr>) -> Self {
        Self::Function(Rc::new(Function { name: name.to_owned(), params, body }))
    }
}

impl Arg {
    pub(super) fn plain(value: Expr) -> Self {
        Self { name: None, value }
    }
}

impl Param {
    pub(super) fn named(name: &str) -> Self {
        Self { target: Expr::name(name), default: None }
    }
}
