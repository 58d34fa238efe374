//! Brace expansion: `{a,b}` and `{1..9}`.

use crate::tree::{Part, PartKind};

/// More words than this are not made.
const MAX_WORDS: usize = 256;

/// A piece of a word after brace expansion.
#[derive(Clone, Debug)]
pub(crate) enum Item<'a> {
    /// Unquoted text.
    Text(String),
    Part(&'a Part),
}

/// The words one word becomes; `None` when they are too many.
pub(crate) fn expand(parts: &[Part]) -> Option<Vec<Vec<Item<'_>>>> {
    let has_brace = parts
        .iter()
        .any(|part| matches!(part, Part { kind: PartKind::Text(text), quoted: false } if text.contains('{')));
    if !has_brace {
        return Some(vec![parts.iter().map(Item::Part).collect()]);
    }
    let mut bits = Vec::new();
    for part in parts {
        match part {
            Part { kind: PartKind::Text(text), quoted: false } => bits.extend(text.chars().map(Bit::Character)),
            Part { .. } => bits.push(Bit::Part(part)),
        }
    }
    let mut budget = bits.len() * 64 + 4_096;
    let words = alternatives(&bits, 0, &mut budget)?;
    Some(words.into_iter().map(collect).collect())
}

#[derive(Clone, Copy, Debug)]
enum Bit<'a> {
    Character(char),
    Part(&'a Part),
}

fn is(bit: Option<&Bit>, wanted: char) -> bool {
    matches!(bit, Some(Bit::Character(found)) if *found == wanted)
}

/// All words of `bits`. Nested braces recurse; what follows a brace is done in a loop.
fn alternatives<'a>(bits: &[Bit<'a>], depth: u32, budget: &mut usize) -> Option<Vec<Vec<Bit<'a>>>> {
    let mut words: Vec<Vec<Bit>> = vec![Vec::new()];
    let mut at = 0;
    while let Some(bit) = bits.get(at) {
        *budget = budget.checked_sub(1)?;
        let brace = if is(Some(bit), '{') && depth < 16 { braces(bits, at, budget)? } else { None };
        let Some((choices, after)) = brace else {
            words.iter_mut().for_each(|word| word.push(*bit));
            *budget = budget.checked_sub(words.len())?;
            at += 1;
            continue;
        };
        let mut ends: Vec<Vec<Bit>> = Vec::new();
        for choice in choices {
            match choice {
                Choice::Bits(start, end) => {
                    ends.extend(alternatives(bits.get(start..end).unwrap_or_default(), depth + 1, budget)?);
                }
                Choice::Text(text) => ends.push(text.chars().map(Bit::Character).collect()),
            }
        }
        if words.len() * ends.len() > MAX_WORDS {
            return None;
        }
        let mut all = Vec::with_capacity(words.len() * ends.len());
        for word in &words {
            for end in &ends {
                *budget = budget.checked_sub(word.len() + end.len() + 1)?;
                all.push(word.iter().chain(end).copied().collect());
            }
        }
        words = all;
        at = after;
    }
    Some(words)
}

enum Choice {
    Bits(usize, usize),
    Text(String),
}

/// The alternatives of the brace at `open` and where it ends, if it is one that expands.
#[expect(clippy::option_option, reason = "outer: too much work, inner: not a brace that expands")]
fn braces(bits: &[Bit], open: usize, budget: &mut usize) -> Option<Option<(Vec<Choice>, usize)>> {
    let mut level = 0_u32;
    let mut commas = Vec::new();
    let mut at = open + 1;
    let close = loop {
        let Some(bit) = bits.get(at) else { return Some(None) };
        *budget = budget.checked_sub(1)?;
        match bit {
            Bit::Character('{') => level += 1,
            Bit::Character('}') if level == 0 => break at,
            Bit::Character('}') => level -= 1,
            Bit::Character(',') if level == 0 => commas.push(at),
            Bit::Character(_) | Bit::Part(_) => {}
        }
        at += 1;
    };
    if commas.is_empty() {
        let inside: Option<String> = bits
            .get(open + 1..close)
            .unwrap_or_default()
            .iter()
            .map(|bit| match bit {
                Bit::Character(found) => Some(*found),
                Bit::Part(_) => None,
            })
            .collect();
        let Some(texts) = inside.and_then(|inside| sequence(&inside)) else { return Some(None) };
        return Some(Some((texts.into_iter().map(Choice::Text).collect(), close + 1)));
    }
    let starts = std::iter::once(open).chain(commas.iter().copied()).map(|before| before + 1);
    let ends = commas.iter().copied().chain(std::iter::once(close));
    Some(Some((starts.zip(ends).map(|(start, end)| Choice::Bits(start, end)).collect(), close + 1)))
}

/// `a..e`, `1..9`, `01..10..3`. Of a long one the beginning and the last element: one number is like another.
fn sequence(text: &str) -> Option<Vec<String>> {
    let mut ends = text.split("..");
    let (from, to, step) = (ends.next()?, ends.next()?, ends.next());
    if ends.next().is_some() {
        return None;
    }
    let step: i64 = step.map_or(Ok(1), str::parse).ok()?;
    let step = if step == 0 { 1 } else { step.checked_abs()? };
    if let (Ok(first), Ok(last)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let padded = [from, to]
            .iter()
            .any(|number| number.trim_start_matches('-').starts_with('0') && number.trim_start_matches('-').len() > 1);
        let width = if padded { from.len().max(to.len()) } else { 0 };
        return Some(range(first, last, step)?.map(|number| format!("{number:0width$}")).collect());
    }
    let (first, last) = (single_letter(from)?, single_letter(to)?);
    let letters = range(i64::from(first), i64::from(last), step)?;
    Some(letters.filter_map(|letter| u8::try_from(letter).ok()).map(|letter| char::from(letter).to_string()).collect())
}

fn single_letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    }
}

/// From `first` to `last` in either direction; at most the bound, the last one always.
fn range(first: i64, last: i64, step: i64) -> Option<impl Iterator<Item = i64>> {
    let count = first.checked_sub(last)?.checked_abs()? / step;
    let followed = count.min(i64::try_from(MAX_WORDS).ok()? - 2);
    let signed = if first <= last { step } else { -step };
    let indices = (0..=followed).chain((count > followed).then_some(count));
    Some(indices.filter_map(move |index| first.checked_add(index.checked_mul(signed)?)))
}

fn collect(bits: Vec<Bit<'_>>) -> Vec<Item<'_>> {
    let mut items: Vec<Item> = Vec::new();
    for bit in bits {
        match (items.last_mut(), bit) {
            (Some(Item::Text(text)), Bit::Character(found)) => text.push(found),
            (_, Bit::Character(found)) => items.push(Item::Text(found.to_string())),
            (_, Bit::Part(part)) => items.push(Item::Part(part)),
        }
    }
    items
}
