//! From expanded text to fields: splitting, globs, quote removal.

use crate::ir::{Piece, Span, Unknown, Word};

/// A run of expanded text.
#[derive(Clone, Debug)]
pub(crate) enum Atom {
    /// Unquoted text of the source: globs are active, it is not split.
    Source(String),
    /// Text of an unquoted expansion: split, and globs are active.
    Value(String),
    /// Text from quotes.
    Quoted(String),
    /// Text that is neither split nor a glob, though nothing was quoted.
    Plain(String),
    /// A glob that came with a value (`for f in *`).
    Glob(String, bool),
    Unknown(Unknown),
    /// Between the elements of a list (`"$@"`).
    Break {
        quoted: bool,
    },
}

/// What becomes of globs and separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Split, globs active.
    Words,
    /// One word, globs active.
    Target,
    /// One word, globs are text.
    Single,
}

/// Splits at `ifs` and marks globs.
pub(crate) fn split(atoms: Vec<Atom>, ifs: &str, span: Span, mode: Mode) -> Vec<Word> {
    let mut builder = Builder { words: Vec::new(), word: None, span, mode, after_blank: false };
    for atom in atoms {
        match atom {
            Atom::Source(text) => builder.active(&text),
            Atom::Value(text) if mode == Mode::Words => builder.value(&text, ifs),
            Atom::Value(text) => builder.active(&text),
            Atom::Quoted(text) => {
                builder.literal(&text);
                builder.current().quoted = true;
            }
            Atom::Plain(text) => builder.literal(&text),
            Atom::Glob(text, quoted) => {
                builder.current().quoted |= quoted;
                builder.push(Piece::Glob(text));
            }
            Atom::Unknown(unknown) => builder.push(Piece::Unknown(unknown)),
            Atom::Break { quoted } if mode == Mode::Words => {
                if quoted || builder.word.is_some() {
                    builder.current();
                    builder.flush();
                }
            }
            Atom::Break { .. } => builder.literal(" "),
        }
    }
    builder.flush();
    builder.words
}

struct Builder {
    words: Vec<Word>,
    /// The word being built, once something of it exists.
    word: Option<Word>,
    span: Span,
    mode: Mode,
    /// The last word was ended by a blank of a value.
    after_blank: bool,
}

impl Builder {
    fn current(&mut self) -> &mut Word {
        let span = self.span;
        self.word.get_or_insert_with(|| Word { pieces: Vec::new(), span, quoted: false })
    }

    fn flush(&mut self) {
        self.words.extend(self.word.take());
    }

    fn push(&mut self, piece: Piece) {
        self.after_blank = false;
        self.current().pieces.push(piece);
    }

    fn literal(&mut self, text: &str) {
        self.after_blank = false;
        let word = self.current();
        match word.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Literal(last)) => last.push_str(text),
            _ => word.pieces.push(Piece::Literal(text.to_owned())),
        }
    }

    fn value(&mut self, text: &str, ifs: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(|found| ifs.contains(found)) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            if !before.is_empty() {
                self.active(before);
            }
            let mut characters = from.chars();
            let separator = characters.next().unwrap_or(' ');
            rest = characters.as_str();
            if separator.is_whitespace() {
                self.after_blank = self.word.is_some() || self.after_blank;
                self.flush();
            } else {
                if !self.after_blank {
                    self.current();
                }
                self.flush();
                self.after_blank = false;
            }
        }
        if !rest.is_empty() {
            self.active(rest);
        }
    }

    /// Text in which globs count, if they count at all here.
    fn active(&mut self, text: &str) {
        if self.mode == Mode::Single || !text.contains(['*', '?', '[', '(']) {
            self.literal(text);
            return;
        }
        let mut rest = text;
        while let Some((before, glob, after)) = next_glob(rest) {
            if !before.is_empty() {
                self.literal(before);
            }
            self.after_blank = false;
            let word = self.current();
            match word.pieces.last_mut() {
                Some(Piece::Glob(last)) if glob == "*" && last.bytes().all(|byte| byte == b'*') => last.push('*'),
                _ => word.pieces.push(Piece::Glob(glob.to_owned())),
            }
            rest = after;
        }
        self.literal(rest);
    }
}

/// The first glob operator: what stands before it, the operator, what stands behind it.
fn next_glob(text: &str) -> Option<(&str, &str, &str)> {
    for (at, found) in text.char_indices() {
        let from = text.get(at..)?;
        let length = match found {
            '?' | '*' | '+' | '@' | '!' if from.get(1..)?.starts_with('(') => closing(from),
            '*' | '?' => 1,
            '[' => match bracket(from) {
                Some(length) => length,
                None => continue,
            },
            _ => continue,
        };
        let (glob, after) = from.split_at_checked(length)?;
        return Some((text.get(..at)?, glob, after));
    }
    None
}

/// Length of `?(...)` up to the bracket that closes it.
fn closing(text: &str) -> usize {
    let mut level = 0_u32;
    for (at, found) in text.char_indices() {
        match found {
            '(' => level += 1,
            ')' => {
                level = level.saturating_sub(1);
                if level == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Length of a bracket expression, if one begins here.
fn bracket(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1).peekable();
    if characters.peek().is_some_and(|(_, found)| matches!(found, '!' | '^')) {
        characters.next();
    }
    let mut first = true;
    let mut class = false;
    for (at, found) in characters {
        match found {
            ']' if class => class = false,
            ']' if !first => return Some(at + 1),
            '[' if text.get(at + 1..).is_some_and(|rest| rest.starts_with(':')) => class = true,
            '/' => return None,
            _ => {}
        }
        first = false;
    }
    None
}
