//! Redirects.

use super::{Read, Reader, is_name};
use crate::ir::RedirectKind;
use crate::tree::{Redirect, Target, Word};

impl Reader<'_> {
    /// Whether a redirect stands at the cursor, with its descriptor if it has one.
    pub(super) fn redirect_begins(&mut self) -> bool {
        match self.peek() {
            Some(byte @ (b'<' | b'>')) => !self.process_begins(byte),
            Some(b'&') => self.peek_second() == Some(b'>'),
            Some(b'0'..=b'9') => {
                let mut ahead = 1;
                while self.raw(ahead).is_some_and(|byte| byte.is_ascii_digit()) {
                    ahead += 1;
                }
                matches!(self.raw(ahead), Some(b'<' | b'>'))
            }
            Some(b'{') => {
                let mut ahead = 1;
                while self.raw(ahead).is_some_and(is_name) {
                    ahead += 1;
                }
                ahead > 1 && self.raw(ahead) == Some(b'}') && matches!(self.raw(ahead + 1), Some(b'<' | b'>'))
            }
            _ => false,
        }
    }

    pub(super) fn redirects(&mut self, redirects: &mut Vec<Redirect>) -> Read<()> {
        loop {
            self.skip_blanks();
            if !self.redirect_begins() {
                return Ok(());
            }
            redirects.push(self.redirect()?);
        }
    }

    fn redirect(&mut self) -> Read<Redirect> {
        let start = self.pos;
        let mut fd = None;
        if self.peek() == Some(b'{') {
            while self.raw(0) != Some(b'}') {
                self.pos += 1;
            }
            self.pos += 1;
            // The shell takes a free descriptor from 10 on.
            fd = Some(10);
        }
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            fd = Some(fd.unwrap_or(0_u32).saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            self.pos += 1;
        }
        if self.peek() == Some(b'<') && self.peek_second() == Some(b'&') {
            fd = fd.or(Some(0));
        }
        let target = self.redirect_target(start)?;
        Ok(Redirect { fd, target, span: self.span(start, self.pos) })
    }

    fn redirect_target(&mut self, start: usize) -> Read<Target> {
        let kind = if self.take(b'&') {
            self.take(b'>');
            if self.take(b'>') { RedirectKind::AppendBoth } else { RedirectKind::WriteBoth }
        } else if self.take(b'<') {
            match self.peek() {
                Some(b'<') => {
                    self.pos += 1;
                    if self.take(b'<') {
                        self.skip_blanks();
                        return Ok(Target::HereString(self.target_word(start)?));
                    }
                    return Ok(Target::Heredoc(self.heredoc()?));
                }
                Some(b'&') => {
                    self.pos += 1;
                    RedirectKind::Duplicate
                }
                Some(b'>') => {
                    self.pos += 1;
                    RedirectKind::ReadWrite
                }
                _ => RedirectKind::Read,
            }
        } else {
            self.take(b'>');
            match self.peek() {
                Some(b'>') => {
                    self.pos += 1;
                    // zsh: `>>|` and `>>!`.
                    self.take(b'|');
                    if self.take(b'&') { RedirectKind::AppendBoth } else { RedirectKind::Append }
                }
                Some(b'|') => {
                    self.pos += 1;
                    RedirectKind::Clobber
                }
                Some(b'&') => {
                    self.pos += 1;
                    self.skip_blanks();
                    let word = self.target_word(start)?;
                    // `>&word` is a file unless the word is a descriptor.
                    let descriptor = word.text().is_none_or(|text| is_descriptor(&text));
                    let kind = if descriptor { RedirectKind::Duplicate } else { RedirectKind::WriteBoth };
                    return Ok(Target::File(kind, word));
                }
                _ => RedirectKind::Write,
            }
        };
        self.skip_blanks();
        Ok(Target::File(kind, self.target_word(start)?))
    }

    fn target_word(&mut self, start: usize) -> Read<Word> {
        let before = self.pos;
        let word = self.word()?;
        if self.pos == before { self.fail(start) } else { Ok(word) }
    }
}

fn is_descriptor(text: &str) -> bool {
    let digits = text.strip_suffix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}
