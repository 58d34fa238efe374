//! Text of which parts are known: what code builds before it runs. Not evaluated against the machine here.

use fourseam_shell::{Piece, Span, Unknown, UnknownFrom, Word};

/// Text in pieces: known, a glob, an environment variable, or not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text {
    parts: Vec<Part>,
}

/// One piece of a [`Text`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Known text.
    Known(String),
    /// An active glob as written (`*`, `**`), or `*` for "every entry of the folder in front".
    Glob(String),
    /// The value of an environment variable. The home folder is always `HOME`, whatever the language calls it.
    Variable(String),
    /// Text not known before it runs; the expression it comes from, for display.
    Unknown(String),
}

/// Largest value of a variable where values are put in as they stand, in bytes.
const MAX_VARIABLE: usize = 2048;

impl Part {
    /// The text of it, or what stands for it.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Known(text) | Self::Glob(text) | Self::Variable(text) | Self::Unknown(text) => text,
        }
    }
}

impl Text {
    /// Known text.
    #[must_use]
    pub fn known(text: impl Into<String>) -> Self {
        Self::of(Part::Known(text.into()))
    }

    /// The value of an environment variable.
    #[must_use]
    pub fn variable(name: impl Into<String>) -> Self {
        Self::of(Part::Variable(name.into()))
    }

    /// Text not known; `source` is the expression it comes from.
    #[must_use]
    pub fn unknown(source: impl Into<String>) -> Self {
        Self::of(Part::Unknown(source.into()))
    }

    /// A text of one part.
    #[must_use]
    pub fn of(part: Part) -> Self {
        let mut text = Self::default();
        text.push(part);
        text
    }

    /// The pieces in order; neighbouring known ones are one, none is an empty known text.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Adds one piece at the end.
    pub fn push(&mut self, part: Part) {
        match (self.parts.last_mut(), part) {
            (_, Part::Known(text)) if text.is_empty() => {}
            (Some(Part::Known(last)), Part::Known(text)) => last.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    /// Adds another text at the end.
    pub fn append(&mut self, other: &Text) {
        for part in &other.parts {
            self.push(part.clone());
        }
    }

    /// Both texts, one behind the other.
    #[must_use]
    pub fn plus(mut self, other: &Text) -> Self {
        self.append(other);
        self
    }

    /// How much of it there is, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.parts.iter().map(|part| part.text().len() + 64).sum()
    }

    /// The text as the value of a variable: one that is larger than any path or command is not known, since texts that
    /// hold themselves twice grow without end.
    pub(crate) fn into_variable(self, name: &str) -> Self {
        if self.weight() > MAX_VARIABLE { Self::unknown(name) } else { self }
    }

    /// Every backslash as a slash, for languages that take both between the parts of a path.
    #[must_use]
    pub(crate) fn with_slashes(&self) -> Self {
        let mut text = Self::default();
        for part in &self.parts {
            text.push(match part {
                Part::Known(known) => Part::Known(known.replace('\\', "/")),
                Part::Glob(glob) => Part::Glob(glob.replace('\\', "/")),
                Part::Variable(_) | Part::Unknown(_) => part.clone(),
            });
        }
        text
    }

    /// The text if all of it is known.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Known(text)] => Some(text),
            _ => None,
        }
    }

    /// Nothing of it is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| matches!(part, Part::Unknown(_)))
    }

    /// Some of it is not known before it runs; environment variables and globs do not count.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Unknown(_)))
    }

    /// For display and for rules that match text: unknown parts as they were written.
    #[must_use]
    pub fn display(&self) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Known(text) | Part::Glob(text) => text.clone(),
                Part::Variable(name) => format!("${{{name}}}"),
                Part::Unknown(source) => format!("<{source}>"),
            })
            .collect()
    }

    /// Source text for a shell: environment variables as `${NAME}`, unknown parts as `${unknown_text}`, so that
    /// reading it again as shell gives commands with unknown words. What is known is kept as written.
    #[must_use]
    pub fn shell_source(&self) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Known(text) | Part::Glob(text) => text.clone(),
                Part::Variable(name) => format!("${{{name}}}"),
                Part::Unknown(_) => "${unknown_text}".to_owned(),
            })
            .collect()
    }

    /// As a word of the shell, for everything that resolves words. `lookup` gives the value of an environment
    /// variable; what it does not know stays an unknown variable.
    #[must_use]
    pub fn word(&self, lookup: &dyn Fn(&str) -> Option<String>) -> Word {
        let mut pieces: Vec<Piece> = Vec::new();
        for part in &self.parts {
            let piece = match part {
                Part::Known(text) => Piece::Literal(text.clone()),
                Part::Glob(glob) => Piece::Glob(glob.clone()),
                Part::Variable(name) => match lookup(name) {
                    Some(value) => Piece::Literal(value),
                    None => unknown(format!("${{{name}}}"), UnknownFrom::Variable(name.clone())),
                },
                Part::Unknown(source) => unknown(source.clone(), UnknownFrom::Other),
            };
            match (pieces.last_mut(), piece) {
                (Some(Piece::Literal(last)), Piece::Literal(text)) => last.push_str(&text),
                (_, piece) => pieces.push(piece),
            }
        }
        Word { pieces, span: Span::default(), quoted: true }
    }
}

fn unknown(source: String, from: UnknownFrom) -> Piece {
    Piece::Unknown(Unknown { source, from, may_split: false })
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::known(text)
    }
}
