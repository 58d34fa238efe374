//! Simple commands: assignments and words.

use super::{Read, Reader, is_name, is_name_start};
use crate::tree::{Argument, Assignment, Command, Kind, Simple, Subscript, Value, Word};

/// Programs whose arguments may be assignments.
const DECLARATIONS: [&str; 6] = ["export", "declare", "typeset", "local", "readonly", "alias"];

impl Reader<'_> {
    pub(super) fn simple_command(&mut self) -> Read<Command> {
        let start = self.pos;
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut declares = false;
        loop {
            self.skip_blanks();
            if self.redirect_begins() {
                self.redirects(&mut redirects)?;
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    if let Some(name) = function_name(&simple) {
                        self.pos += 1;
                        self.skip_blanks();
                        if self.take(b')') {
                            let kind = self.nested(|reader| reader.function_body(name, start))?;
                            return Ok(Command { kind, redirects, span: self.span(start, self.pos) });
                        }
                    }
                    return self.fail(self.pos);
                }
                Some(_) => {}
            }
            if (simple.words.is_empty() || declares) && self.assignment_begins() {
                let assignment = self.assignment()?;
                if declares {
                    simple.words.push(Argument::Assignment(assignment));
                } else {
                    simple.assignments.push(assignment);
                }
                continue;
            }
            let before = self.pos;
            let word = match self.word() {
                Err(_) if self.loose && !simple.words.is_empty() => {
                    self.count_rework(before)?;
                    self.pos = before;
                    break;
                }
                word => word?,
            };
            if self.pos == before {
                return self.fail(before);
            }
            declares |= simple.words.is_empty() && word.bare().is_some_and(|name| DECLARATIONS.contains(&name));
            simple.words.push(Argument::Word(word));
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && redirects.is_empty() {
            return self.fail(start);
        }
        Ok(Command { kind: Kind::Simple(simple), redirects, span: self.span(start, self.trimmed_end(start)) })
    }

    /// The cursor without the blanks in front of it.
    fn trimmed_end(&self, start: usize) -> usize {
        start + self.slice(start, self.pos).trim_end_matches([' ', '\t', '\r', '\n']).len()
    }

    /// Whether `name=`, `name+=` or `name[...]=` stands at the cursor.
    fn assignment_begins(&mut self) -> bool {
        if !self.peek().is_some_and(is_name_start) {
            return false;
        }
        let mut ahead = 0;
        while self.raw(ahead).is_some_and(is_name) || self.continuation(ahead) {
            ahead += if self.continuation(ahead) { 2 } else { 1 };
        }
        if self.raw(ahead) == Some(b'[') {
            let mut level = 0_u32;
            loop {
                match self.raw(ahead) {
                    None | Some(b'\n' | b';') => return false,
                    Some(b'[') => level += 1,
                    Some(b']') => level -= 1,
                    Some(_) => {}
                }
                ahead += 1;
                if level == 0 {
                    break;
                }
            }
        }
        self.raw(ahead) == Some(b'=') || self.raw(ahead) == Some(b'+') && self.raw(ahead + 1) == Some(b'=')
    }

    fn continuation(&self, ahead: usize) -> bool {
        self.raw(ahead) == Some(b'\\') && self.raw(ahead + 1) == Some(b'\n')
    }

    fn assignment(&mut self) -> Read<Assignment> {
        let start = self.pos;
        let name = self.name();
        let mut subscript = None;
        if self.peek() == Some(b'[') {
            subscript = match self.nested(|reader| reader.subscript(start))? {
                Subscript::Index(word) => Some(word),
                Subscript::All(_) => None,
            };
        }
        let append = self.take(b'+');
        self.take(b'=');
        let value = if self.peek() == Some(b'(') {
            self.pos += 1;
            Value::Array(self.nested(|reader| reader.array(start))?)
        } else {
            Value::Scalar(self.word()?)
        };
        Ok(Assignment { name, subscript, append, value, span: self.span(start, self.pos) })
    }

    fn array(&mut self, start: usize) -> Read<Vec<(Option<Word>, Word)>> {
        let mut elements = Vec::new();
        loop {
            self.skip_lines();
            match self.peek() {
                None => return self.fail(start),
                Some(b')') => {
                    self.pos += 1;
                    return Ok(elements);
                }
                Some(_) => {}
            }
            let before = self.pos;
            let mut key = None;
            if self.peek() == Some(b'[') {
                if let Ok(Subscript::Index(index)) = self.nested(|reader| reader.subscript(start)) {
                    let append = self.take(b'+');
                    if self.take(b'=') {
                        key = Some(index);
                    } else {
                        self.pos = before;
                        let _ = append;
                    }
                } else {
                    self.pos = before;
                }
            }
            let word = self.word()?;
            if self.pos == before {
                return self.fail(start);
            }
            elements.push((key, word));
        }
    }
}

/// The name in front of `()`, if what was read so far can be one.
fn function_name(simple: &Simple) -> Option<String> {
    match (simple.assignments.as_slice(), simple.words.as_slice()) {
        ([], [Argument::Word(word)]) => word.text(),
        _ => None,
    }
}
