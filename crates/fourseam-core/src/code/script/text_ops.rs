//! What methods and operators make of texts, numbers and lists that are known.

use super::eval::{Args, concat};
use super::meaning::Decoding;
use super::value::{Shape, Taints, Value};
use crate::code::{Part, Text};

/// A method of a text or list by its name in any of the languages. `None`: not one of them, or not known enough.
pub(super) fn method(receiver: &Value, name: &str, args: &Args) -> Option<Value> {
    let first = args.positional.first();
    let taint = receiver.taint.with(args.taint());
    let known = |text: String| Some(Value::known(text).tainted(taint));
    if let Shape::List(items) = &receiver.shape {
        return match name {
            "join" | "-join" => Some(join(items, first, taint)),
            "reverse" | "reversed" => Some(Value::list(items.iter().rev().cloned().collect())),
            "slice" => {
                let (from, to) = (first.and_then(Value::number), args.positional.get(1).and_then(Value::number));
                Some(Value::list(slice(items, from, to, 1)))
            }
            "concat" => {
                let more = first.map(|more| more.elements().unwrap_or_else(|| vec![more.clone()])).unwrap_or_default();
                Some(Value::list(items.iter().cloned().chain(more).collect()))
            }
            "pack" => pack(items, &first?.literal()?),
            "first" | "shift" => items.first().cloned(),
            "last" | "pop" => items.last().cloned(),
            "filter" | "select" | "sort" | "sorted" | "uniq" | "compact" | "flatten" | "to_a" | "copy" | "values" => {
                Some(receiver.clone())
            }
            _ => None,
        };
    }
    if let (Shape::Number(code), "chr") = (&receiver.shape, name) {
        return Some(Value::text(character(*code)));
    }
    let Shape::Text(text) = &receiver.shape else { return None };
    match (name, text.literal()) {
        ("join", _) => {
            let items = first?.elements()?;
            Some(join(&items, Some(receiver), taint))
        }
        ("-join", _) => Some(receiver.clone().tainted(taint)),
        ("format", _) => Some(Value::text(braces(text, args)).tainted(taint)),
        ("concat", _) => Some(args.positional.iter().fold(receiver.clone(), |whole, next| concat(&whole, next))),
        (
            "encode" | "decode" | "tostring" | "toString" | "to_s" | "to_str" | "String" | "valueOf" | "as_posix"
            | "__str__" | "freeze" | "dup" | "to_sym" | "absolute" | "resolve" | "resolve_path" | "normalize" | "b",
            _,
        ) if first.is_none_or(|encoding| encoding.literal().is_none_or(|name| is_charset(&name))) => {
            Some(receiver.clone().tainted(taint))
        }
        ("strip" | "trim" | "lstrip" | "rstrip" | "chomp" | "trimEnd" | "trimStart", Some(text)) if first.is_none() => {
            known(text.trim().to_owned())
        }
        ("strip" | "trim" | "lstrip" | "rstrip" | "chomp" | "trimEnd" | "trimStart", None) => Some(receiver.clone()),
        ("lower" | "tolower" | "toLowerCase" | "downcase" | "casefold", Some(text)) => known(text.to_lowercase()),
        ("upper" | "toupper" | "toUpperCase" | "upcase", Some(text)) => known(text.to_uppercase()),
        ("swapcase", Some(text)) => known(
            text.chars()
                .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                .collect(),
        ),
        ("reverse", Some(text)) => known(text.chars().rev().collect()),
        ("replace" | "replaceAll" | "gsub" | "sub" | "tr" | "delete", Some(text)) => {
            let from = first?.literal()?;
            let to = args.positional.get(1).and_then(Value::literal).unwrap_or_default();
            known(text.replace(&from, &to))
        }
        ("split" | "chars" | "each_char" | "bytes", Some(text)) => Some(Value::list(split(text, name, first))),
        ("charAt" | "at", Some(text)) => {
            let at = usize::try_from(first?.number()?).ok()?;
            known(text.chars().nth(at)?.to_string())
        }
        ("charCodeAt" | "ord" | "codePointAt", Some(text)) => {
            let at = first.and_then(Value::number).and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
            Some(Value::new(Shape::Number(i64::from(u32::from(text.chars().nth(at)?)))))
        }
        ("slice" | "substring" | "substr", Some(text)) => {
            let chars: Vec<Value> = text.chars().map(|c| Value::known(c.to_string())).collect();
            let from = first.and_then(Value::number);
            let to = args.positional.get(1).and_then(Value::number);
            let to = if name == "substr" { to.map(|length| from.unwrap_or(0) + length) } else { to };
            known(slice(&chars, from, to, 1).iter().filter_map(Value::literal).collect())
        }
        ("repeat" | "ljust", Some(_)) => Some(repeat(text, first?.number()?).tainted(taint)),
        ("unpack" | "unpack1", Some(text)) if first?.literal()?.starts_with('m') => {
            Some(decode(Decoding::Base64, &Value::known(text)).tainted(taint))
        }
        _ => None,
    }
}

/// `[..].pack("C*")` of Ruby, `pack("C*", ..)` of Perl.
pub(super) fn pack(items: &[Value], format: &str) -> Option<Value> {
    let text = match format.chars().next()? {
        'C' | 'c' | 'U' | 'W' => {
            let codes: Option<Vec<i64>> = items.iter().map(Value::number).collect();
            let chars: Option<String> =
                codes?.iter().map(|code| u32::try_from(*code).ok().and_then(char::from_u32)).collect();
            return Some(Value::known(chars?));
        }
        'H' | 'h' => return Some(decode(Decoding::Hex, items.first()?)),
        'A' | 'a' | 'Z' => items.first()?.as_text(),
        _ => return None,
    };
    Some(Value::text(text))
}

fn is_charset(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utf")
        || name.starts_with("ascii")
        || name.starts_with("latin")
        || name.starts_with("binary")
        || name.starts_with("iso")
}

fn split(text: &str, name: &str, by: Option<&Value>) -> Vec<Value> {
    let separator = by.and_then(Value::literal);
    let parts: Vec<String> = match separator.as_deref() {
        _ if name != "split" => text.chars().map(|c| c.to_string()).collect(),
        Some("") => text.chars().map(|c| c.to_string()).collect(),
        Some(separator) => text.split(separator).map(str::to_owned).collect(),
        None => text.split_whitespace().map(str::to_owned).collect(),
    };
    parts.into_iter().take(2000).map(Value::known).collect()
}

/// The texts of a list, put together.
pub(super) fn join(items: &[Value], separator: Option<&Value>, taint: Taints) -> Value {
    let separator = separator.map(Value::as_text).unwrap_or_default();
    let mut whole = Text::default();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            whole.append(&separator);
        }
        whole.append(&item.as_text());
    }
    Value::text(whole).tainted(taint)
}

/// `items[from:to:step]` as Python counts.
pub(super) fn slice(items: &[Value], from: Option<i64>, to: Option<i64>, step: i64) -> Vec<Value> {
    let length = i64::try_from(items.len()).unwrap_or(0);
    let place = |at: i64| if at < 0 { (at + length).max(0) } else { at.min(length) };
    let step_by = usize::try_from(step.unsigned_abs()).unwrap_or(1).max(1);
    if step < 0 {
        let start = from.map_or(length - 1, place);
        let end = to.map_or(-1, place);
        let picked = items.iter().enumerate().rev().filter(|(at, _)| {
            let at = i64::try_from(*at).unwrap_or(0);
            at <= start && at > end
        });
        return picked.map(|(_, item)| item.clone()).step_by(step_by).collect();
    }
    let start = usize::try_from(from.map_or(0, place)).unwrap_or(0);
    let end = usize::try_from(to.map_or(length, place)).unwrap_or(0);
    items.iter().take(end).skip(start).step_by(step_by).cloned().collect()
}

/// A number out of two.
pub(super) fn arithmetic(op: &str, a: i64, b: i64) -> Option<i64> {
    match op {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "//" | "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "^" => Some(a ^ b),
        "|" => Some(a | b),
        "&" => Some(a & b),
        "<<" => u32::try_from(b).ok().and_then(|b| a.checked_shl(b)),
        ">>" => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
        _ => None,
    }
}

/// A text several times.
pub(super) fn repeat(text: &Text, count: i64) -> Value {
    let count = usize::try_from(count).unwrap_or(0);
    match text.literal() {
        Some(text) if text.len().saturating_mul(count) <= 4096 => Value::known(text.repeat(count)),
        _ => Value::unknown(format!("{} repeated", text.display())),
    }
}

/// `"%s/%d" % args`, `sprintf`.
pub(super) fn percent(format: &Text, args: &[Value]) -> Text {
    let mut args = args.iter();
    let mut whole = Text::default();
    for part in format.parts() {
        let Part::Known(text) = part else {
            whole.push(part.clone());
            continue;
        };
        let mut pieces = text.split('%');
        whole.push(Part::Known(pieces.next().unwrap_or_default().to_owned()));
        let mut literal = false;
        for piece in pieces {
            if literal {
                literal = false;
                whole.push(Part::Known(piece.to_owned()));
                continue;
            }
            let flags = piece.find(|c: char| c.is_ascii_alphabetic());
            match flags {
                _ if piece.is_empty() => {
                    literal = true;
                    whole.push(Part::Known("%".to_owned()));
                }
                Some(at) => {
                    let named = piece.starts_with('(');
                    let at = if named { piece.find(')').map_or(at, |close| close + 1) } else { at };
                    let value = if named { None } else { args.next() };
                    let letter = piece.get(at..).and_then(|rest| rest.chars().next());
                    match (letter, value.and_then(Value::number)) {
                        (Some('c'), Some(code)) => whole.append(&character(code)),
                        _ => whole.append(&value.map_or_else(|| Text::unknown("format"), Value::as_text)),
                    }
                    whole.push(Part::Known(piece.get(at + 1..).unwrap_or_default().to_owned()));
                }
                None => whole.push(Part::Known(format!("%{piece}"))),
            }
        }
    }
    whole
}

/// `"{}/{name}".format(args)`.
fn braces(format: &Text, args: &Args) -> Text {
    let mut next = 0;
    let mut whole = Text::default();
    for part in format.parts() {
        let Part::Known(text) = part else {
            whole.push(part.clone());
            continue;
        };
        let mut pieces = text.split('{');
        whole.push(Part::Known(pieces.next().unwrap_or_default().to_owned()));
        for piece in pieces {
            let Some((field, rest)) = piece.split_once('}') else {
                whole.push(Part::Known(piece.to_owned()));
                continue;
            };
            let name = field.split([':', '!', '.', '[']).next().unwrap_or_default();
            let value = match name.parse::<usize>() {
                Ok(at) => args.positional.get(at),
                Err(_) if name.is_empty() => {
                    next += 1;
                    args.positional.get(next - 1)
                }
                Err(_) => args.named.iter().find(|(given, _)| given == name).map(|(_, value)| value),
            };
            whole.append(&value.map_or_else(|| Text::unknown("format"), Value::as_text));
            whole.push(Part::Known(rest.to_owned()));
        }
    }
    whole
}

/// The text of one character.
pub(super) fn character(code: i64) -> Text {
    let c = u32::try_from(code).ok().and_then(char::from_u32);
    c.map_or_else(|| Text::unknown("chr"), |c| Text::known(c.to_string()))
}

/// Undoes an encoding of a text that is known; what is not known stays so. Either way the result is decoded text.
pub(super) fn decode(decoding: Decoding, value: &Value) -> Value {
    let decoded = value.literal().and_then(|text| match decoding {
        Decoding::Base64 => base64(&text),
        Decoding::Hex => hex(&text),
        Decoding::Rot13 => Some(rot13(&text)),
        Decoding::Percent => Some(percent_decoded(&text)),
        Decoding::Named | Decoding::Other => None,
    });
    let result = match decoded {
        Some(text) => Value::known(text),
        None => Value::unknown(format!("decoded {}", value.source())),
    };
    result.tainted(value.taint.with(Taints::DECODED))
}

/// Text out of base 64, standard or URL alphabet, padding optional. Bytes that are not UTF-8 are replaced.
pub(crate) fn base64(text: &str) -> Option<String> {
    let bytes = base64_bytes(text)?;
    // UTF-16 of ASCII has every second byte zero.
    let zeros = bytes.iter().skip(1).step_by(2).filter(|byte| **byte == 0).count();
    if bytes.len() >= 4 && zeros * 4 > bytes.len() {
        let units: Vec<u16> =
            bytes.chunks(2).map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte))).collect();
        return Some(String::from_utf16_lossy(&units));
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Bytes out of base 64.
pub(crate) fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let (mut bits, mut count, mut bytes) = (0u32, 0u32, Vec::new());
    for c in text.bytes().filter(|c| !c.is_ascii_whitespace() && *c != b'=') {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).unwrap_or(0));
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

fn hex(text: &str) -> Option<String> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit)).collect();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn rot13(text: &str) -> String {
    let turn = |c: char, base: u8| {
        let at = u32::from(c) - u32::from(base);
        char::from_u32((at + 13) % 26 + u32::from(base)).unwrap_or(c)
    };
    text.chars()
        .map(|c| match c {
            'a'..='z' => turn(c, b'a'),
            'A'..='Z' => turn(c, b'A'),
            c => c,
        })
        .collect()
}

/// Percent escapes decoded; what is not valid stays.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = (ahead.next().map(char::from), ahead.next().map(char::from));
        match (byte, digits) {
            (b'%', (Some(high), Some(low))) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let value = high.to_digit(16).unwrap_or(0) * 16 + low.to_digit(16).unwrap_or(0);
                bytes.push(u8::try_from(value).unwrap_or(0));
                rest = ahead;
            }
            (byte, _) => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
