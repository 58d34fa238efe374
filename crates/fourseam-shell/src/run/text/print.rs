//! `echo` and `printf`.

use super::super::MAX_VALUE;
use super::super::simple::{merged, size};
use crate::escape;
use crate::ir::{Piece, Word};

pub(super) fn echo(words: &[Word]) -> Option<Vec<Piece>> {
    let mut escapes = false;
    let mut newline = true;
    let mut rest = words;
    while let Some(option) = rest.first().and_then(Word::literal) {
        let flags = option.strip_prefix('-').filter(|flags| !flags.is_empty());
        let Some(flags) = flags.filter(|flags| flags.bytes().all(|flag| b"neE".contains(&flag))) else { break };
        for flag in flags.bytes() {
            match flag {
                b'n' => newline = false,
                b'e' => escapes = true,
                _ => escapes = false,
            }
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    let mut pieces = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        if at > 0 {
            add(&mut pieces, " ");
        }
        for piece in &word.pieces {
            match piece {
                Piece::Literal(text) if escapes => {
                    let (text, ended) = escape::echo(text);
                    add(&mut pieces, &text);
                    if ended {
                        return Some(pieces);
                    }
                }
                Piece::Literal(text) => add(&mut pieces, text),
                Piece::Unknown(_) | Piece::Glob(_) => pieces.push(piece.clone()),
            }
        }
    }
    if newline {
        add(&mut pieces, "\n");
    }
    (size(&pieces) <= MAX_VALUE).then_some(pieces)
}

/// One more text, as a part of the last one where that is known.
fn add(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Literal(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => pieces.push(Piece::Literal(text.to_owned())),
    }
}

/// `printf`: the format is used again until every argument is.
pub(super) fn printf(words: &[Word]) -> Option<Vec<Piece>> {
    let words = if words.first().and_then(Word::literal) == Some("--") { words.get(1..)? } else { words };
    let format = words.first()?.literal()?;
    let mut arguments = words.get(1..)?.iter();
    let mut pieces = Vec::new();
    loop {
        let before = arguments.len();
        one_round(format, &mut arguments, &mut pieces)?;
        if arguments.len() == 0 {
            return Some(merged(pieces));
        }
        if arguments.len() == before || size(&pieces) > MAX_VALUE {
            return if arguments.len() == before { Some(merged(pieces)) } else { None };
        }
    }
}

fn one_round<'a>(format: &str, arguments: &mut impl Iterator<Item = &'a Word>, pieces: &mut Vec<Piece>) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (plain, from) = rest.split_at_checked(at)?;
        pieces.push(Piece::Literal(escape::format(plain)));
        let after = from.get(1..)?;
        let length = after.find(|found: char| !"-+ #0123456789.*".contains(found)).unwrap_or(after.len());
        let (flags, kind) = after.split_at_checked(length)?;
        let mut kinds = kind.chars();
        let kind = kinds.next()?;
        rest = kinds.as_str();
        if kind == '%' {
            pieces.push(Piece::Literal("%".to_owned()));
            continue;
        }
        conversion(kind, flags, arguments.next(), pieces)?;
    }
    pieces.push(Piece::Literal(escape::format(rest)));
    Some(())
}

fn conversion(kind: char, flags: &str, argument: Option<&Word>, pieces: &mut Vec<Piece>) -> Option<()> {
    let Some(argument) = argument else {
        if matches!(kind, 'd' | 'i' | 'u' | 'x' | 'X' | 'o') {
            pieces.push(Piece::Literal("0".to_owned()));
        }
        return Some(());
    };
    match (kind, argument.literal()) {
        ('s', _) if flags.is_empty() => pieces.extend(argument.pieces.iter().cloned()),
        ('s', Some(text)) => pieces.push(Piece::Literal(padded(text, flags)?)),
        ('b', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(escape::echo(text).0)),
        ('q', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(shell_quoted(text))),
        ('c', Some(text)) => pieces.push(Piece::Literal(text.chars().take(1).collect())),
        ('d' | 'i' | 'u', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(number(text)?.to_string())),
        ('x', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(format!("{:x}", number(text)?))),
        ('X', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(format!("{:X}", number(text)?))),
        ('o', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(format!("{:o}", number(text)?))),
        _ => return None,
    }
    Some(())
}

/// `%10s`, `%-10s`, `%.3s`.
fn padded(text: &str, flags: &str) -> Option<String> {
    let (left, flags) = flags.strip_prefix('-').map_or((false, flags), |flags| (true, flags));
    let (width, precision) = flags.split_once('.').map_or((flags, None), |(width, precision)| (width, Some(precision)));
    let width: usize = if width.is_empty() { 0 } else { width.parse().ok().filter(|width| *width <= 1_000)? };
    let text: String = match precision {
        Some(precision) => text.chars().take(if precision.is_empty() { 0 } else { precision.parse().ok()? }).collect(),
        None => text.to_owned(),
    };
    Some(if left { format!("{text:<width$}") } else { format!("{text:>width$}") })
}

fn number(text: &str) -> Option<i64> {
    if let Some(character) = text.strip_prefix(['\'', '"']) {
        return character.chars().next().map(|character| i64::from(u32::from(character)));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok();
    }
    match text.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8).ok(),
        _ => text.parse().ok(),
    }
}

fn shell_quoted(text: &str) -> String {
    let mut quoted = String::new();
    for character in text.chars() {
        if !(character.is_alphanumeric() || "_-./:=,@%+".contains(character)) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted
}
