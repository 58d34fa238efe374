//! What the shell would do with a text: commands, words, redirects, and the parts that could not be read.
//! The only vocabulary other crates see; no parser type leaks out of this crate.

use serde::Serialize;
use std::rc::Rc;

/// Byte range into the text that was given to [`crate::parse`]. Always on character boundaries.
///
/// Text that only exists after decoding (an `eval` of a built string, a decoded here-string) carries the
/// span of the construct it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Everything that was understood of one text, in the order it would run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Script {
    /// Every command that would or could run, nested ones included, outermost first. A command whose words or folder may
    /// be one of several (`if a; then X=1; else X=2; fi; rm $X`) stands there once for each, up to a bound, and once with
    /// a value that is not known beyond it.
    pub commands: Vec<Command>,
    /// Every part that could not be read, with the reason. Empty means the whole text was understood.
    pub opaque: Vec<Opaque>,
}

/// A part of the text whose meaning is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opaque {
    /// Why it could not be read.
    pub why: Why,
    /// Where it is.
    pub span: Span,
    /// Index into [`Script::commands`] of the command it belongs to, if it belongs to one.
    pub command: Option<usize>,
}

/// Why a part of a text is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// A syntax error: what stands in the span was not read.
    Syntax,
    /// The parser left shell code in a literal (its known holes).
    Residue,
    /// The program word of a command is not known (`$CMD`, `$(pick)`).
    CommandWord,
    /// `eval`, `trap`, `source` or an alias runs text that is not known.
    Code,
    /// Nesting, size, steps or time went past the bound.
    Limit,
    /// Characters bash does not read as they look (NUL, no-break space in command position).
    Characters,
}

/// One command as it would run: assignments, words, redirects.
#[derive(Clone, Debug, Serialize)]
pub struct Command {
    /// Words after expansion and splitting; the first is the program. Empty for a bare assignment or redirect.
    pub words: Vec<Word>,
    /// `NAME=value` in front of the words, or on their own.
    pub assignments: Vec<Assignment>,
    /// Redirects in source order, heredocs and here-strings excepted (see `stdin`).
    pub redirects: Vec<Redirect>,
    /// What arrives on standard input.
    pub stdin: Stdin,
    /// What it is known to write on standard output before redirects (`echo`, `printf`, `cat` of a known text,
    /// `base64 -d` and the like). `None`: not known.
    pub output: Option<Word>,
    /// Working directory when the command starts. `None`: not known (after `cd "$X"`). Below a home folder that is not
    /// known it begins with a piece from the variable `HOME`.
    pub cwd: Option<Word>,
    /// The variables and functions known when the command runs: pass it on to read text that the command
    /// hands to a shell (`bash -c`, `ssh host '...'`).
    #[serde(skip)]
    pub scope: Scope,
    /// Where in the text's structure the command stands, outermost first.
    pub inside: Vec<Frame>,
    /// Position in its pipeline.
    pub pipeline: Pipeline,
    /// Ends with `&`.
    pub background: bool,
    /// Has `!` in front.
    pub negated: bool,
    /// Where it is.
    pub span: Span,
}

/// Position in a pipeline. A command on its own has `len` 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pipeline {
    /// Same number for all members of one pipeline.
    pub id: u32,
    /// 0 for the first member. Commands inside a compound member share its index.
    pub index: u32,
    /// Number of members.
    pub len: u32,
}

/// One level of structure around a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Frame {
    /// `( ... )`.
    Subshell,
    /// `{ ...; }`.
    Group,
    /// Body of a function, run by a call of it.
    Function(String),
    /// Body of a function that is defined but not called in this text.
    FunctionDefinition(String),
    /// Body or head of `for`, `while`, `until`, `select`.
    Loop,
    /// Condition or branch of `if`, `case`, or the right side of `&&` and `||`.
    Condition,
    /// `$( ... )`, backticks, `${ ...; }`. Holds the index of the command whose word it stands in, if any.
    Substitution,
    /// `<( ... )` or `>( ... )`.
    ProcessSubstitution,
    /// Inside the body of an unquoted heredoc.
    Heredoc,
    /// Text given to `eval`.
    Eval,
    /// Text given to `trap`.
    Trap,
    /// `coproc`.
    Coproc,
    /// Expansion of an alias defined in the text.
    Alias(String),
}

/// `NAME=value` or `NAME+=value`.
#[derive(Clone, Debug, Serialize)]
pub struct Assignment {
    /// Variable name, without subscript.
    pub name: String,
    /// The value; empty for `NAME=`.
    pub value: Word,
    /// Where it is.
    pub span: Span,
}

/// A redirect to or from a file or descriptor.
#[derive(Clone, Debug, Serialize)]
pub struct Redirect {
    /// Kind of redirect.
    pub kind: RedirectKind,
    /// Descriptor it applies to; `None` for the default of its kind and for `&>`. `<&3` has 0, `>&3` none, `{name}>` 10.
    pub fd: Option<u32>,
    /// The file, or the descriptor for `Duplicate`.
    pub target: Word,
    /// Where it is.
    pub span: Span,
}

/// Kind of redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RedirectKind {
    /// `<`.
    Read,
    /// `>`.
    Write,
    /// `>|`.
    Clobber,
    /// `>>`.
    Append,
    /// `<>`.
    ReadWrite,
    /// `&>`, `>&file`.
    WriteBoth,
    /// `&>>`.
    AppendBoth,
    /// `>&2`, `<&3`, `2>&-`.
    Duplicate,
}

/// What arrives on a command's standard input.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stdin {
    /// Whatever the caller has.
    #[default]
    Inherited,
    /// A text known from the source: heredoc, here-string, or the output of `echo`, `printf`, `cat <<X`,
    /// `base64 -d` and the like in front of the pipe, a file that the text itself wrote. `quoted` heredocs have no
    /// expansions in them.
    Text(Word),
    /// A file (`< file`).
    File(Word),
    /// The output of these commands (indexes into [`Script::commands`]), not known as text.
    Pipe(Vec<usize>),
}

/// One word after expansion: what is known of it, piece by piece.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Word {
    /// Known and unknown pieces in order. Neighbouring literals are merged.
    pub pieces: Vec<Piece>,
    /// Where it is.
    pub span: Span,
    /// Some part of it was quoted or escaped in the source (`\rm`, `"r"m`, `'x'`).
    pub quoted: bool,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// Known text, quotes removed.
    Literal(String),
    /// An active glob operator or bracket expression as written: `*`, `?`, `[a-z]`, `!(a|b)`, `**`.
    Glob(String),
    /// Text not known before it runs.
    Unknown(Unknown),
}

/// Text not known before it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// As written: `$X`, `${X:-y}`, `$(date)`.
    pub source: String,
    /// What kind of expansion it is.
    pub from: UnknownFrom,
    /// Unquoted: it may become no word, one or several.
    pub may_split: bool,
}

/// Where an unknown text comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownFrom {
    /// A variable that the text does not assign and the environment does not tell. May be unset, thus empty.
    Variable(String),
    /// A variable given a value that is not known (`read X`, `X=$(date)`); the commands that made it
    /// (indexes into [`Script::commands`]), for data flow.
    Assigned {
        /// Variable name.
        name: String,
        /// Commands whose output it holds.
        commands: Vec<usize>,
    },
    /// Output of commands (indexes into [`Script::commands`]).
    Output(Vec<usize>),
    /// A process substitution: a path that reads from or writes to these commands.
    Process(Vec<usize>),
    /// Arithmetic, positional parameters, special parameters, indirection and the rest.
    Other,
}

impl Word {
    /// The whole text if it is known: no globs, no unknowns.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with globs and unknowns as they were written. For display and for rules that match text.
    #[must_use]
    pub fn text(&self) -> String {
        self.pieces.iter().map(Piece::text).collect()
    }

    /// A word of known text.
    #[must_use]
    pub fn known(text: impl Into<String>, span: Span) -> Self {
        Self { pieces: vec![Piece::Literal(text.into())], span, quoted: false }
    }

    /// The unknown pieces.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Unknown(unknown) => Some(unknown),
            Piece::Literal(_) | Piece::Glob(_) => None,
        })
    }

    /// Holds an active glob.
    #[must_use]
    pub fn has_glob(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)))
    }

    /// Text known to stand at the beginning.
    #[must_use]
    pub fn known_prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Literal(text)) => text,
            _ => "",
        }
    }
}

impl Piece {
    fn text(&self) -> &str {
        match self {
            Self::Literal(text) | Self::Glob(text) => text,
            Self::Unknown(unknown) => &unknown.source,
        }
    }
}

/// What is known when a text starts: handed in by the caller, or taken from a [`Command`] to read the text
/// it passes to another shell. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Scope(pub(crate) Rc<crate::scope::State>);
