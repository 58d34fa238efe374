//! Reading on after a fault: every command that stands in the rest is found, whatever structure it has lost.

use super::{Fail, Reader};
use crate::ir::Why;
use crate::tree::{AndOr, List, Part, PartKind, Pipeline, Word};
use std::rc::Rc;

/// How often reading may begin anew in one text.
const MAX_RETRIES: usize = 200;

impl Reader<'_> {
    /// Notes the fault and reads the statement it stands in loosely: brackets and reserved words only separate.
    /// The faulty statement ends at the next line that can be read, or at the end.
    pub(super) fn recover(&mut self, fail: Fail, list: &mut List) {
        let start = self.statement.min(fail.at);
        let stop = self.line_end(fail.at.max(self.pos));
        self.fault(fail.why, start, stop);
        self.pending.clear();
        let faults = self.faults.len();
        let (depth, substitutions) = (self.depth, self.substitutions);
        self.pos = start;
        let loose = std::mem::replace(&mut self.loose, true);
        self.loose(stop, list);
        self.loose = loose;
        (self.depth, self.substitutions) = (depth, substitutions);
        self.faults.truncate(faults);
        self.pos = self.pos.max(stop);
    }

    fn line_end(&self, from: usize) -> usize {
        let from = from.min(self.end);
        self.slice(from, self.end).find('\n').map_or(self.end, |length| from + length + 1)
    }

    /// Reads commands until `stop`, going over whatever is not one.
    fn loose(&mut self, stop: usize, list: &mut List) {
        let depth = self.depth;
        let mut retries = 0;
        while self.pos < stop {
            let before = self.pos;
            self.go_over_structure(stop);
            if self.pos >= stop {
                return;
            }
            let start = self.pos;
            match self.simple() {
                Ok(Some(and_or)) => list.push(and_or),
                Ok(None) | Err(_) => {
                    self.depth = depth;
                    self.pending.clear();
                    retries += 1;
                    let affordable = self.count_rework(start.min(before)).is_ok();
                    self.pos = self.after_opener(start);
                    if retries > MAX_RETRIES || !affordable {
                        self.pos = self.end;
                        return;
                    }
                }
            }
        }
    }

    /// Brackets, separators and reserved words in front of a command, but nothing from `stop` on.
    fn go_over_structure(&mut self, stop: usize) {
        while self.pos < stop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => self.newline(),
                Some(b'(' | b')' | b';' | b'&' | b'|') => self.pos += 1,
                Some(_) => match self.reserved() {
                    Some(word) if word != "[[" && word != "]]" => self.pos += word.len(),
                    Some(_) | None => return,
                },
                None => return,
            }
        }
    }

    fn simple(&mut self) -> super::Read<Option<AndOr>> {
        let before = self.pos;
        let command = self.simple_command()?;
        if self.pos == before {
            return Ok(None);
        }
        let first = Pipeline { negated: false, members: vec![command] };
        Ok(Some(AndOr { first, rest: Vec::new(), background: false }))
    }

    /// Behind the next bracket or quote after `start`, where commands may stand.
    fn after_opener(&self, start: usize) -> usize {
        let rest = self.slice(start, self.end);
        let opener = rest.char_indices().skip(1).find(|(_, found)| "\"'`({<>| ;&\n".contains(*found));
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let begins = rest.starts_with(['"', '\'', '`', '(', '{', '<', '>', ')', '}']);
        match opener {
            _ if begins => start + first,
            Some((at, found)) => start + at + found.len_utf8(),
            None => self.end,
        }
    }

    /// The body of a heredoc that could not be read as a whole: its text, and its substitutions one by one.
    pub(super) fn loose_body(&mut self, fail: Fail, body_end: usize) -> Word {
        let start = self.pos;
        self.fault(fail.why, fail.at, body_end);
        let mut list = List::new();
        let depth = self.depth;
        let mut parts = vec![Part { kind: PartKind::Text(self.slice(start, body_end).to_owned()), quoted: true }];
        let mut tries = 0;
        while let Some(at) = self.slice(self.pos, body_end).find(['$', '`']) {
            self.pos += at;
            let here = self.pos;
            tries += 1;
            if tries > MAX_RETRIES || self.spend_rework(body_end - here).is_none() {
                self.fault(Why::Limit, here, body_end);
                break;
            }
            let mut found = super::word::Parts::default();
            let byte = self.raw(0).unwrap_or_default();
            if self.double_piece(byte, b"$`\\", &mut found).is_err() {
                self.depth = depth;
                self.pos = here + 1;
                let rest = self.line_end(here).min(body_end);
                if self.raw(0) == Some(b'(') || byte == b'`' {
                    self.loose(rest, &mut list);
                }
            }
            parts.extend(found.done().into_iter().filter(|part| !matches!(part.kind, PartKind::Text(_))));
        }
        if !list.is_empty() {
            let span = self.span(start, body_end);
            let body = crate::tree::Body { list, source: String::new(), span, faults: Vec::new() };
            parts.push(Part { kind: PartKind::Substitution(Rc::new(body)), quoted: true });
        }
        Word { parts, span: self.span(start, body_end) }
    }
}
