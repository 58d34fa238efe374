//! Reads shell text into the syntax tree. Expands nothing; never fails: what cannot be read is a fault.
//!
//! Recursive descent with one bound on nesting. A fault in one command does not lose its neighbours: the rest is read
//! again loosely (`loose`), so that every command that stands there is found.

mod command;
mod compound;
mod heredoc;
mod loose;
mod parameter;
mod redirect;
mod simple;
mod word;

use crate::ir::{Span, Why};
use crate::tree::List;
use heredoc::Pending;

/// How deep brackets and compound commands may nest.
pub(crate) const MAX_DEPTH: u32 = 60;

/// What was read of a text, and the parts that were not.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) list: List,
    pub(crate) faults: Vec<(Why, Span)>,
}

/// How offsets of the text being read become spans.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    /// The text given to `parse`, or a part of it at its own place.
    Exact,
    /// Text that was made: everything in it has this span.
    Fixed(Span),
}

/// Reads a whole text, `depth` levels below the text given to `parse`.
pub(crate) fn read(text: &str, base: Base, depth: u32) -> Tree {
    Reader::new(text, base, depth).whole()
}

/// Why reading stopped, and where the construct that could not be read opens.
#[derive(Debug)]
struct Fail {
    pub(super) why: Why,
    pub(super) at: usize,
}

type Read<T> = Result<T, Fail>;

/// A cursor over the text.
struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    /// Reading stops here; less than the length of the text inside backticks and heredoc bodies.
    pub(super) end: usize,
    pub(super) base: Base,
    pub(super) depth: u32,
    /// Levels of `$( )` around the cursor.
    pub(super) substitutions: u32,
    /// The innermost of them is `${ ...; }`: a brace in command position closes it, whatever follows.
    pub(super) brace_closes: bool,
    /// Heredocs whose bodies begin at the next line.
    pub(super) pending: Vec<Pending>,
    pub(super) faults: Vec<(Why, Span)>,
    /// Where the outermost statement being read begins.
    pub(super) statement: usize,
    /// Reading on after a fault: a command whose words cannot all be read is kept as far as it goes.
    pub(super) loose: bool,
    /// Bytes that may still be read a second time.
    pub(super) rework: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, base: Base, depth: u32) -> Self {
        Reader {
            text,
            pos: 0,
            end: text.len(),
            base,
            depth,
            substitutions: 0,
            brace_closes: false,
            pending: Vec::new(),
            faults: Vec::new(),
            statement: 0,
            loose: false,
            rework: text.len() * 4 + 10_000,
        }
    }

    /// Reads all there is, statement by statement.
    pub(super) fn whole(mut self) -> Tree {
        let mut list = List::new();
        while !self.at_end() {
            self.statement = self.pos;
            match self.list_into(&mut list) {
                Ok(()) if self.at_end() => {}
                Ok(()) => self.recover(Fail { why: Why::Syntax, at: self.pos }, &mut list),
                Err(fail) => self.recover(fail, &mut list),
            }
        }
        Tree { list, faults: self.faults }
    }

    /// A reader of a part of the same text.
    pub(super) fn part(&self, start: usize, end: usize) -> Reader<'a> {
        Reader { pos: start, end, statement: start, ..Reader::new(self.text, self.base, self.depth) }
    }

    /// Counts the bytes since `start` as read once for nothing.
    pub(super) fn count_rework(&mut self, start: usize) -> Read<()> {
        self.spend_rework(self.pos.saturating_sub(start)).ok_or(Fail { why: Why::Limit, at: start })
    }

    /// `None` when there is not that much left.
    pub(super) fn spend_rework(&mut self, bytes: usize) -> Option<()> {
        self.rework = self.rework.checked_sub(bytes)?;
        Some(())
    }

    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.end
    }

    /// The byte at the cursor, line continuations skipped.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = self.raw(0)?;
            if byte == b'\\' && self.raw(1) == Some(b'\n') {
                self.pos += 2;
            } else {
                return Some(byte);
            }
        }
    }

    /// The byte after the one at the cursor, line continuations skipped. Call `peek` first.
    pub(super) fn peek_second(&self) -> Option<u8> {
        let mut ahead = 1;
        while self.raw(ahead) == Some(b'\\') && self.raw(ahead + 1) == Some(b'\n') {
            ahead += 2;
        }
        self.raw(ahead)
    }

    /// The byte `ahead` of the cursor as it stands.
    pub(super) fn raw(&self, ahead: usize) -> Option<u8> {
        let at = self.pos + ahead;
        if at < self.end { self.text.as_bytes().get(at).copied() } else { None }
    }

    /// Goes over `byte` if it stands at the cursor.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        if here {
            self.pos += 1;
        }
        here
    }

    /// Goes over `pair` if both stand at the cursor.
    pub(super) fn take_two(&mut self, pair: [u8; 2]) -> bool {
        let here = self.peek() == Some(pair[0]) && self.peek_second() == Some(pair[1]);
        if here {
            self.pos += 1;
            self.take(pair[1]);
        }
        here
    }

    /// Goes over one character and gives it.
    pub(super) fn take_char(&mut self) -> Option<char> {
        let found = self.text.get(self.pos..self.end)?.chars().next()?;
        self.pos += found.len_utf8();
        Some(found)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        match self.base {
            Base::Exact => Span { start: offset(start), end: offset(end) },
            Base::Fixed(span) => span,
        }
    }

    pub(super) fn fault(&mut self, why: Why, start: usize, end: usize) {
        let span = self.span(start, end);
        if self.faults.last() != Some(&(why, span)) {
            self.faults.push((why, span));
        }
    }

    /// Runs `read` one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Fail { why: Why::Limit, at: self.pos });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn fail<T>(&self, at: usize) -> Read<T> {
        Err(Fail { why: Why::Syntax, at })
    }

    /// Skips blanks, comments and line continuations.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\r') if self.raw(1) == Some(b'\n') || self.pos + 1 == self.end => self.pos += 1,
                Some(b'#') if self.comment_may_start() => {
                    let rest = self.text.as_bytes().get(self.pos..self.end).unwrap_or_default();
                    self.pos = memchr(b'\n', rest).map_or(self.end, |line| self.pos + line);
                }
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines, reading the heredocs whose bodies begin there.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() == Some(b'\n') {
                self.newline();
            } else {
                return;
            }
        }
    }

    fn comment_may_start(&self) -> bool {
        let before = self.pos.checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
        before.is_none_or(|byte| is_meta(*byte) || *byte == b'`')
    }
}

/// Ends an unquoted word.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|found| *found == byte)
}

/// Texts longer than four gigabytes are refused before they are read.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
