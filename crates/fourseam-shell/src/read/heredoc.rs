//! Heredocs: delimiters, and bodies at the next line.

use super::{Fail, Reader};
use crate::tree::{Part, PartKind, Word};
use std::cell::OnceCell;
use std::rc::Rc;

/// A heredoc whose body has not been reached.
pub(super) struct Pending {
    delimiter: String,
    /// Part of the delimiter was quoted: the body is data.
    quoted: bool,
    strip_tabs: bool,
    body: Rc<OnceCell<Word>>,
}

impl Reader<'_> {
    /// Reads the delimiter after `<<` or `<<-` and notes that a body will follow.
    pub(super) fn heredoc(&mut self) -> Result<Rc<OnceCell<Word>>, Fail> {
        let strip_tabs = self.take(b'-');
        self.skip_blanks();
        let start = self.pos;
        let (delimiter, quoted) = self.delimiter()?;
        if self.pos == start {
            return self.fail(start);
        }
        let body = Rc::new(OnceCell::new());
        self.pending.push(Pending { delimiter, quoted, strip_tabs, body: Rc::clone(&body) });
        Ok(body)
    }

    /// The delimiter word with its quotes removed. Nothing in it is expanded.
    fn delimiter(&mut self) -> Result<(String, bool), Fail> {
        let mut text = String::new();
        let mut quoted = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => {
                    quoted = true;
                    self.pos += 1;
                    text.extend(self.take_char());
                }
                b'\'' | b'"' => {
                    quoted = true;
                    let open = self.pos;
                    self.pos += 1;
                    loop {
                        match self.take_char() {
                            None => return self.fail(open),
                            Some(found) if found == char::from(byte) => break,
                            Some('\\') if byte == b'"' && matches!(self.raw(0), Some(b'"' | b'\\' | b'$' | b'`')) => {
                                text.extend(self.take_char());
                            }
                            Some(found) => text.push(found),
                        }
                    }
                }
                b'$' if matches!(self.raw(1), Some(b'\'' | b'"')) => self.pos += 1,
                b'\r' if self.raw(1) == Some(b'\n') => break,
                _ if super::is_meta(byte) => break,
                _ => text.extend(self.take_char()),
            }
        }
        Ok((text, quoted))
    }

    /// Goes over a newline and reads the heredoc bodies that begin behind it.
    pub(super) fn newline(&mut self) {
        self.pos += 1;
        for pending in std::mem::take(&mut self.pending) {
            self.heredoc_body(pending);
        }
    }

    fn heredoc_body(&mut self, pending: Pending) {
        let start = self.pos;
        let (body_end, after) = self.find_end(&pending);
        let word = if pending.quoted {
            let mut text = self.slice(start, body_end).to_owned();
            if pending.strip_tabs {
                text = text.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect();
            }
            let parts = vec![Part { kind: PartKind::Text(text), quoted: true }];
            Word { parts, span: self.span(start, body_end) }
        } else {
            self.expanding_body(body_end, pending.strip_tabs)
        };
        // Each cell is filled once: it leaves the list of pending heredocs with its body.
        let _ = pending.body.set(word);
        self.pos = after;
    }

    /// Where the body ends, and where reading goes on behind the delimiter line.
    fn find_end(&self, pending: &Pending) -> (usize, usize) {
        let mut line_start = self.pos;
        let mut continued = false;
        while line_start < self.end {
            let rest = self.slice(line_start, self.end);
            let (line, next) = match rest.split_once('\n') {
                Some((line, _)) => (line, line_start + line.len() + 1),
                None => (rest, self.end),
            };
            let stripped = if pending.strip_tabs { line.trim_start_matches('\t') } else { line };
            if !continued {
                if stripped.strip_suffix('\r').unwrap_or(stripped) == pending.delimiter {
                    return (line_start, next);
                }
                // bash ends a heredoc inside `$( )` at `EOF)` too.
                let tail = stripped.strip_prefix(pending.delimiter.as_str());
                if let Some(tail) = tail.filter(|tail| self.substitutions > 0 && tail.trim_start().starts_with(')')) {
                    return (line_start, line_start + line.len() - tail.len());
                }
            }
            continued = !pending.quoted && line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
            line_start = next;
        }
        (self.end, self.end)
    }

    fn expanding_body(&mut self, body_end: usize, strip_tabs: bool) -> Word {
        let outer_end = std::mem::replace(&mut self.end, body_end);
        let start = self.pos;
        let word = match self.heredoc_parts(strip_tabs) {
            Ok(parts) => Word { parts, span: self.span(start, body_end) },
            Err(fail) if self.depth > 0 => {
                // Looking for what can be read is left to the outermost level, so that it is done once.
                self.fault(fail.why, fail.at, body_end);
                let parts = vec![Part { kind: PartKind::Text(self.slice(start, body_end).to_owned()), quoted: true }];
                Word { parts, span: self.span(start, body_end) }
            }
            Err(fail) => {
                self.pos = start;
                self.loose_body(fail, body_end)
            }
        };
        self.end = outer_end;
        word
    }
}
