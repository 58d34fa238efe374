//! Words: quotes, escapes, and the expansions they hold.

use super::{Base, Read, Reader, is_meta, is_name, is_name_start};
use crate::ir::Span;
use crate::tree::{Body, Operation, Parameter, Part, PartKind, Word};
use std::rc::Rc;

/// Collects the parts of a word; neighbouring texts become one.
#[derive(Default)]
pub(super) struct Parts(Vec<Part>);

impl Parts {
    pub(super) fn text(&mut self, text: &str, quoted: bool) {
        self.make_room();
        match self.0.last_mut() {
            Some(Part { kind: PartKind::Text(last), quoted: before }) if *before == quoted => last.push_str(text),
            _ => self.0.push(Part { kind: PartKind::Text(text.to_owned()), quoted }),
        }
    }

    pub(super) fn character(&mut self, character: char, quoted: bool) {
        self.text(character.encode_utf8(&mut [0; 4]), quoted);
    }

    pub(super) fn push(&mut self, kind: PartKind, quoted: bool) {
        self.make_room();
        self.0.push(Part { kind, quoted });
    }

    /// Most words have one part, and there may be many words: a vector would begin with room for four.
    fn make_room(&mut self) {
        if self.0.is_empty() {
            self.0.reserve_exact(1);
        }
    }

    pub(super) fn done(self) -> Vec<Part> {
        self.0
    }
}

impl Reader<'_> {
    /// A word, up to the next unquoted blank or operator. Empty when one stands at the cursor.
    pub(super) fn word(&mut self) -> Read<Word> {
        self.peek();
        let start = self.pos;
        let mut parts = Parts::default();
        while let Some(byte) = self.peek() {
            match byte {
                b'<' | b'>' if self.peek_second() == Some(b'(') => parts.push(self.process()?, false),
                b'=' if self.pos == start && self.raw(1) == Some(b'(') => parts.push(self.process()?, false),
                b'?' | b'*' | b'+' | b'@' | b'!' if self.raw(1) == Some(b'(') => self.extended_glob(&mut parts)?,
                b'\r' if self.raw(1) == Some(b'\n') => break,
                _ if is_meta(byte) => break,
                _ => self.unquoted(byte, &mut parts)?,
            }
        }
        Ok(Word { parts: parts.done(), span: self.span(start, self.pos) })
    }

    /// One piece of unquoted text: an escape, a quoted string, an expansion or plain characters.
    pub(super) fn unquoted(&mut self, byte: u8, parts: &mut Parts) -> Read<()> {
        match byte {
            b'\\' => {
                self.pos += 1;
                match self.take_char() {
                    Some(escaped) => parts.character(escaped, true),
                    None => parts.text("\\", true),
                }
            }
            b'\'' => self.single(parts)?,
            b'"' => self.double(parts)?,
            b'$' => self.dollar(parts, false)?,
            b'`' => parts.push(self.backticks(false)?, false),
            _ => {
                let start = self.pos;
                self.take_char();
                while self.raw(0).is_some_and(is_plain) {
                    self.pos += 1;
                }
                // The run may end inside a character only if the text is cut there, which `end` never does.
                parts.text(self.slice(start, self.pos), false);
            }
        }
        Ok(())
    }

    fn single(&mut self, parts: &mut Parts) -> Read<()> {
        let open = self.pos;
        self.pos += 1;
        let rest = self.slice(self.pos, self.end);
        let Some(length) = rest.find('\'') else { return self.fail(open) };
        parts.text(self.slice(self.pos, self.pos + length), true);
        self.pos += length + 1;
        Ok(())
    }

    fn double(&mut self, parts: &mut Parts) -> Read<()> {
        let open = self.pos;
        self.pos += 1;
        parts.text("", true);
        loop {
            match self.peek() {
                None => return self.fail(open),
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(());
                }
                Some(byte) => self.double_piece(byte, b"$`\"\\", parts)?,
            }
        }
    }

    /// One piece of text in double quotes or a heredoc; a backslash counts only in front of `escapable`.
    pub(super) fn double_piece(&mut self, byte: u8, escapable: &[u8], parts: &mut Parts) -> Read<()> {
        match byte {
            b'\\' => {
                self.pos += 1;
                if self.raw(0).is_none_or(|next| !escapable.contains(&next)) {
                    parts.text("\\", true);
                } else if let Some(escaped) = self.take_char() {
                    parts.character(escaped, true);
                }
            }
            b'$' => self.dollar(parts, true)?,
            b'`' => parts.push(self.backticks(escapable.contains(&b'"'))?, true),
            _ => {
                let start = self.pos;
                self.take_char();
                // A line is a piece of its own: tabs in front of the next one may have to go.
                let line = byte == b'\n';
                while !line
                    && self
                        .raw(0)
                        .is_some_and(|next| !matches!(next, b'\\' | b'$' | b'`' | b'"' | b'}' | b'\'' | b'\n'))
                {
                    self.pos += 1;
                }
                parts.text(self.slice(start, self.pos), true);
            }
        }
        Ok(())
    }

    /// The body of an unquoted heredoc, up to the end.
    pub(super) fn heredoc_parts(&mut self, strip_tabs: bool) -> Read<Vec<Part>> {
        let mut parts = Parts::default();
        parts.text("", true);
        let mut line_start = true;
        while let Some(byte) = self.peek() {
            if line_start && strip_tabs && byte == b'\t' {
                self.pos += 1;
                continue;
            }
            line_start = byte == b'\n';
            self.double_piece(byte, b"$`\\", &mut parts)?;
            line_start |= self.pos.checked_sub(1).and_then(|at| self.text.as_bytes().get(at)) == Some(&b'\n');
        }
        Ok(parts.done())
    }

    /// Whatever `$` begins.
    pub(super) fn dollar(&mut self, parts: &mut Parts, quoted: bool) -> Read<()> {
        let start = self.pos;
        self.pos += 1;
        match self.peek() {
            Some(b'(') => {
                if self.peek_second() == Some(b'(')
                    && let Some(arithmetic) = self.arithmetic_expansion(start)?
                {
                    parts.push(arithmetic, quoted);
                    return Ok(());
                }
                self.pos += 1;
                parts.push(PartKind::Substitution(self.substitution(start, b')')?), quoted);
            }
            Some(b'{') => {
                self.pos += 1;
                parts.push(self.nested(|reader| reader.braced_parameter(start, quoted))?, quoted);
            }
            Some(b'[') => {
                self.pos += 1;
                let word = self.nested(|reader| reader.arithmetic(start, b'[', b']'))?;
                self.pos += 1;
                parts.push(PartKind::Arithmetic(Box::new(word), self.slice(start, self.pos).to_owned()), quoted);
            }
            Some(b'\'') if !quoted => self.ansi_c(parts)?,
            Some(b'"') if !quoted => self.double(parts)?,
            Some(byte) if is_name_start(byte) => {
                let name = self.name();
                parts.push(plain_parameter(name, self.slice(start, self.pos)), quoted);
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
                self.pos += 1;
                parts.push(plain_parameter(char::from(byte).to_string(), self.slice(start, self.pos)), quoted);
            }
            _ => parts.text("$", quoted),
        }
        Ok(())
    }

    /// A variable name at the cursor; empty if there is none.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(byte) = self.peek() {
            let fits = if name.is_empty() { is_name_start(byte) } else { is_name(byte) };
            if !fits {
                break;
            }
            name.push(char::from(byte));
            self.pos += 1;
        }
        name
    }

    /// The commands of a substitution whose bracket was gone over, and the bracket that closes it.
    pub(super) fn substitution(&mut self, start: usize, close: u8) -> Read<Rc<Body>> {
        let waiting = std::mem::take(&mut self.pending);
        let brace_closes = std::mem::replace(&mut self.brace_closes, close == b'}');
        self.substitutions += 1;
        let list = self.nested(Self::list);
        self.substitutions -= 1;
        self.brace_closes = brace_closes;
        self.pending.splice(0..0, waiting);
        let list = list?;
        if !self.take(close) {
            return self.fail(start);
        }
        let (source, span) = (self.slice(start, self.pos).to_owned(), self.span(start, self.pos));
        Ok(Rc::new(Body { list, source, span, faults: Vec::new() }))
    }

    /// `<( )`, `>( )`, and `=( )` of zsh.
    fn process(&mut self) -> Read<PartKind> {
        let start = self.pos;
        self.pos += 1;
        self.take(b'(');
        Ok(PartKind::Process(self.substitution(start, b')')?))
    }

    /// `$(( ))`, unless it turns out to be a substitution that begins with a subshell; then the cursor is back on `(`.
    fn arithmetic_expansion(&mut self, start: usize) -> Read<Option<PartKind>> {
        let inside = self.pos;
        let waiting = self.pending.len();
        self.pos += 1;
        self.take(b'(');
        let word = self.nested(|reader| reader.arithmetic(start, b'(', b')'));
        match word {
            Ok(word) if self.take_two(*b"))") => {
                Ok(Some(PartKind::Arithmetic(Box::new(word), self.slice(start, self.pos).to_owned())))
            }
            Err(fail) if matches!(fail.why, crate::ir::Why::Limit) => Err(fail),
            _ => {
                self.count_rework(inside)?;
                self.pending.truncate(waiting);
                self.pos = inside;
                Ok(None)
            }
        }
    }

    /// An arithmetic expression up to the `close` that matches; the cursor stays on it.
    pub(super) fn arithmetic(&mut self, start: usize, open: u8, close: u8) -> Read<Word> {
        let begin = self.pos;
        let mut parts = Parts::default();
        let mut level = 0_u32;
        loop {
            match self.peek() {
                None => return self.fail(start),
                Some(byte) if byte == close && level == 0 => {
                    return Ok(Word { parts: parts.done(), span: self.span(begin, self.pos) });
                }
                Some(byte) if byte == open || byte == close => {
                    level = if byte == open { level + 1 } else { level - 1 };
                    parts.character(char::from(byte), true);
                    self.pos += 1;
                }
                Some(b'"') => self.double(&mut parts)?,
                Some(b'\'') => self.single(&mut parts)?,
                Some(b'$') => self.dollar(&mut parts, true)?,
                Some(b'`') => parts.push(self.backticks(false)?, true),
                Some(b'\\') => {
                    self.pos += 1;
                    if let Some(escaped) = self.take_char() {
                        parts.character(escaped, true);
                    }
                }
                Some(_) => {
                    if let Some(character) = self.take_char() {
                        parts.character(character, true);
                    }
                }
            }
        }
    }

    /// `` `...` ``. What stands in it is read as its own text once one level of backslashes is gone.
    pub(super) fn backticks(&mut self, in_double_quotes: bool) -> Read<PartKind> {
        let start = self.pos;
        self.pos += 1;
        let inside = self.pos;
        let mut unescaped: Option<String> = None;
        loop {
            match self.raw(0) {
                None => return self.fail(start),
                Some(b'`') => break,
                Some(b'\\') => {
                    let escapes = match self.raw(1) {
                        Some(b'\\' | b'$' | b'`') => true,
                        Some(b'"') => in_double_quotes,
                        _ => false,
                    };
                    if escapes {
                        unescaped.get_or_insert_with(|| self.text.get(inside..self.pos).unwrap_or_default().to_owned());
                        self.pos += 1;
                    } else {
                        if let Some(text) = &mut unescaped {
                            text.push('\\');
                        }
                        self.pos += 1;
                        if self.raw(0).is_none() {
                            return self.fail(start);
                        }
                    }
                    let kept = self.take_char();
                    if let (Some(text), Some(kept)) = (&mut unescaped, kept) {
                        text.push(kept);
                    }
                }
                Some(_) => {
                    let kept = self.take_char();
                    if let (Some(text), Some(kept)) = (&mut unescaped, kept) {
                        text.push(kept);
                    }
                }
            }
        }
        let close = self.pos;
        self.pos += 1;
        let source = self.slice(start, self.pos).to_owned();
        let span = self.span(start, self.pos);
        let body = match unescaped {
            Some(text) => self.nested(|reader| Ok(reader.made_text(&text, span, source)))?,
            None => self.nested(|reader| Ok(reader.part_of_text(inside, close, span, source)))?,
        };
        Ok(PartKind::Substitution(Rc::new(body)))
    }

    /// Commands of a text that is not in the source as it stands.
    fn made_text(&self, text: &str, span: Span, source: String) -> Body {
        let tree = super::read(text, Base::Fixed(span), self.depth);
        Body { list: tree.list, source, span, faults: tree.faults }
    }

    /// Commands of a part of the source.
    fn part_of_text(&self, start: usize, end: usize, span: Span, source: String) -> Body {
        let tree = self.part(start, end).whole();
        Body { list: tree.list, source, span, faults: tree.faults }
    }

    /// `?(a|b)` and its kind: the operators stay active, what is in it is read.
    fn extended_glob(&mut self, parts: &mut Parts) -> Read<()> {
        let open = self.pos;
        if let Some(operator) = self.take_char() {
            parts.character(operator, false);
        }
        self.nested(|reader| {
            let mut level = 0_u32;
            loop {
                match reader.peek() {
                    None | Some(b'\n') => return reader.fail(open),
                    Some(byte @ (b'(' | b')')) => {
                        level = if byte == b'(' { level + 1 } else { level - 1 };
                        parts.character(char::from(byte), false);
                        reader.pos += 1;
                        if level == 0 {
                            return Ok(());
                        }
                    }
                    Some(byte) => reader.unquoted(byte, parts)?,
                }
            }
        })
    }

    /// `$'...'`, the cursor on the quote.
    fn ansi_c(&mut self, parts: &mut Parts) -> Read<()> {
        let open = self.pos;
        self.pos += 1;
        let start = self.pos;
        loop {
            match self.raw(0) {
                None => return self.fail(open),
                Some(b'\'') => break,
                Some(b'\\') => {
                    self.pos += 1;
                    if self.take_char().is_none() {
                        return self.fail(open);
                    }
                }
                Some(_) => self.pos += 1,
            }
        }
        parts.text(&crate::escape::ansi_c(self.slice(start, self.pos)), true);
        self.pos += 1;
        Ok(())
    }
}

/// `$x`.
fn plain_parameter(name: String, source: &str) -> PartKind {
    PartKind::Parameter(Box::new(Parameter {
        name,
        subscript: None,
        indirect: false,
        operation: Operation::None,
        source: source.to_owned(),
    }))
}

/// Goes into an unquoted word as it stands. Characters beyond ASCII do.
fn is_plain(byte: u8) -> bool {
    byte >= 0x80
        || byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b',' | b':' | b'=' | b'%')
}
