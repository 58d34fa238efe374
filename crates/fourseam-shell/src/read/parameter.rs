//! `${...}` in all its forms.

use super::word::Parts;
use super::{Read, Reader, is_name_start};
use crate::ir::Why;
use crate::tree::{Operation, Parameter, PartKind, Replace, Subscript, Word};

/// How the words inside the braces are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// Replaces the value: quoted as the expansion itself is.
    Value { in_quotes: bool },
    /// A pattern: active also inside double quotes.
    Pattern,
    /// An offset, length or subscript.
    Arithmetic,
}

impl Reader<'_> {
    /// What follows `${`, up to and including the brace that closes it. `start` is at the `$`.
    pub(super) fn braced_parameter(&mut self, start: usize, in_quotes: bool) -> Read<PartKind> {
        match self.peek() {
            Some(b' ' | b'\t' | b'\n') => return self.function_substitution(start),
            Some(b'|') => {
                self.pos += 1;
                return self.function_substitution(start);
            }
            _ => {}
        }
        let length = self.peek() == Some(b'#') && self.length_prefix();
        let indirect = !length && self.peek() == Some(b'!') && self.peek_second() != Some(b'}');
        if length || indirect {
            self.pos += 1;
        }
        let name = self.parameter_name();
        let subscript = if self.peek() == Some(b'[') { Some(self.subscript(start)?) } else { None };
        let operation = self.operation(start, &name, in_quotes)?;
        let operation = if length && matches!(operation, Operation::None) { Operation::Length } else { operation };
        let source = self.slice(start, self.pos).to_owned();
        Ok(PartKind::Parameter(Box::new(Parameter { name, subscript, indirect, operation, source })))
    }

    /// `${ cmd; }` and `${| cmd; }`.
    fn function_substitution(&mut self, start: usize) -> Read<PartKind> {
        Ok(PartKind::Substitution(self.substitution(start, b'}')?))
    }

    /// Whether the `#` at the cursor asks for a length: `${#x}`, not `${#}` or `${#%y}`.
    fn length_prefix(&mut self) -> bool {
        match self.peek_second() {
            Some(next) if is_name_start(next) || next.is_ascii_digit() => true,
            Some(b'@' | b'*' | b'?' | b'-' | b'$' | b'!' | b'#') => self.raw(2) == Some(b'}'),
            _ => false,
        }
    }

    fn parameter_name(&mut self) -> String {
        match self.peek() {
            Some(byte) if byte.is_ascii_digit() => {
                let mut digits = String::new();
                while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
                    digits.push(char::from(digit));
                    self.pos += 1;
                }
                digits
            }
            Some(byte) if b"@*#?-$!".contains(&byte) => {
                self.pos += 1;
                char::from(byte).to_string()
            }
            _ => self.name(),
        }
    }

    pub(super) fn subscript(&mut self, start: usize) -> Read<Subscript> {
        self.pos += 1;
        if let (Some(all @ (b'@' | b'*')), Some(b']')) = (self.peek(), self.peek_second()) {
            self.pos += 1;
            self.take(b']');
            return Ok(Subscript::All(char::from(all)));
        }
        let word = self.nested(|reader| reader.arithmetic(start, b'[', b']'))?;
        self.pos += 1;
        Ok(Subscript::Index(word))
    }

    /// The operator behind the name, its operands, and the closing brace.
    fn operation(&mut self, start: usize, name: &str, in_quotes: bool) -> Read<Operation> {
        let value = Operand::Value { in_quotes };
        let operation = match self.peek() {
            None => return self.fail(start),
            Some(b'}') => Operation::None,
            Some(_) if name.is_empty() => Operation::Other(vec![self.operand(start, b"", value)?]),
            Some(b':') => {
                self.pos += 1;
                match self.peek() {
                    Some(kind @ (b'-' | b'=' | b'?' | b'+')) => self.default(start, kind, true, value)?,
                    _ => self.slice_operands(start)?,
                }
            }
            Some(kind @ (b'-' | b'=' | b'?' | b'+')) => self.default(start, kind, false, value)?,
            Some(side @ (b'#' | b'%')) => {
                self.pos += 1;
                let longest = self.take(side);
                Operation::Trim { suffix: side == b'%', longest, pattern: self.operand(start, b"", Operand::Pattern)? }
            }
            Some(b'/') => self.replace(start, value)?,
            Some(direction @ (b'^' | b',')) => {
                self.pos += 1;
                let all = self.take(direction);
                let pattern = self.operand(start, b"", Operand::Pattern)?;
                Operation::Case { upper: direction == b'^', all, pattern }
            }
            Some(_) => Operation::Other(vec![self.operand(start, b"", value)?]),
        };
        if self.take(b'}') { Ok(operation) } else { self.fail(start) }
    }

    fn default(&mut self, start: usize, kind: u8, colon: bool, value: Operand) -> Read<Operation> {
        self.pos += 1;
        Ok(Operation::Default { kind: char::from(kind), colon, word: self.operand(start, b"", value)? })
    }

    fn slice_operands(&mut self, start: usize) -> Read<Operation> {
        let offset = self.operand(start, b":", Operand::Arithmetic)?;
        let length = if self.take(b':') { Some(self.operand(start, b"", Operand::Arithmetic)?) } else { None };
        Ok(Operation::Slice { offset, length })
    }

    fn replace(&mut self, start: usize, value: Operand) -> Read<Operation> {
        self.pos += 1;
        let how = match self.peek() {
            Some(b'/') => Replace::All,
            Some(b'#') => Replace::Prefix,
            Some(b'%') => Replace::Suffix,
            _ => Replace::First,
        };
        if how != Replace::First {
            self.pos += 1;
        }
        let pattern = self.operand(start, b"/", Operand::Pattern)?;
        let replacement = if self.take(b'/') { self.operand(start, b"", value)? } else { Word::default() };
        Ok(Operation::Replace { how, pattern, replacement })
    }

    /// A word inside the braces, up to `}` or one of `stops`; the cursor stays on it.
    fn operand(&mut self, start: usize, stops: &[u8], operand: Operand) -> Read<Word> {
        let begin = self.pos;
        let in_quotes = operand == Operand::Value { in_quotes: true };
        let quoted = in_quotes || operand == Operand::Arithmetic;
        let mut single = false;
        let mut parts = Parts::default();
        loop {
            match self.peek() {
                None => return self.fail(start),
                Some(byte) if !single && (byte == b'}' || stops.contains(&byte)) => {
                    return Ok(Word { parts: parts.done(), span: self.span(begin, self.pos) });
                }
                // Single quotes in a double-quoted value are text, yet hide a brace from the end of it.
                Some(b'\'') if in_quotes => {
                    single = !single;
                    parts.text("'", true);
                    self.pos += 1;
                }
                Some(b'\\') if in_quotes => self.double_piece(b'\\', b"$`\"\\}", &mut parts)?,
                Some(b'$') => self.dollar(&mut parts, quoted)?,
                Some(b'`') => parts.push(self.backticks(in_quotes)?, quoted),
                Some(byte @ (b'\\' | b'\'' | b'"')) => self.unquoted(byte, &mut parts)?,
                Some(_) => {
                    if let Some(character) = self.take_char() {
                        parts.character(character, quoted);
                    }
                }
            }
            if self.depth >= super::MAX_DEPTH {
                return Err(super::Fail { why: Why::Limit, at: start });
            }
        }
    }
}
