//! Text that is written so that people do not read it: base64, hex, escapes, rot13, backwards. Decodes, bounded and in
//! linear time; judges nothing. What people do read, though filters do not, is `disguised`.

use super::disguised;
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

/// A stretch of the text and what it says.
#[derive(Debug)]
pub(super) struct Decoded {
    /// Where the encoded form is.
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// At most this many stretches, and this many bytes of each.
pub(super) const MOST: usize = 200;
const LONGEST: usize = 8 << 10;

/// Everything in the text that decodes to readable text.
pub(super) fn decoded(text: &str) -> Vec<Decoded> {
    let mut found = Vec::new();
    in_tokens(text, &mut found);
    numbers(text, &mut found);
    turned_lines(text, &mut found);
    disguised::lines(text, &mut found);
    found.truncate(MOST);
    found
}

/// Tokens without blanks: base64, hex, and escapes of URLs, source code and HTML.
fn in_tokens(text: &str, found: &mut Vec<Decoded>) {
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() && found.len() < MOST {
        let rest = bytes.get(start..).unwrap_or_default();
        let run = rest.iter().take_while(|byte| is_base64(**byte)).count();
        if run >= 24 {
            let token = rest.get(..run.min(LONGEST)).unwrap_or_default();
            let plain = from_hex(token).or_else(|| from_base64(token));
            found.extend(plain.map(|plain| Decoded { range: start..start + run, text: plain }));
        }
        start += run;
        let run = escaped_run(bytes.get(start..).unwrap_or_default());
        if run >= 24 {
            let token = bytes.get(start..start + run.min(LONGEST)).unwrap_or_default();
            found.extend(unescape(token).map(|plain| Decoded { range: start..start + run, text: plain }));
        }
        start += run.max(1);
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Reads like text that a person or a program wrote: printable, with blanks or marks between words.
fn is_text(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let odd = text.chars().filter(|c| c.is_control() && !c.is_whitespace() || *c == '\u{fffd}').count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    odd == 0 && letters * 2 > text.chars().count()
}

fn from_base64(token: &[u8]) -> Option<String> {
    // A first look at the start keeps pictures and keys cheap.
    let head = base64_bytes(token.get(..24)?)?;
    if !head.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || *byte >= 0x80) {
        return None;
    }
    let bytes = base64_bytes(token)?;
    let whole = longest_text(&bytes);
    (whole.len() >= 12 && is_text(whole)).then(|| String::from_utf8_lossy(whole).into_owned())
}

fn base64_bytes(token: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(token.len() * 3 / 4);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in token {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        buffer = (buffer << 6 | u32::from(value)) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(buffer >> bits & 0xff).ok()?);
        }
    }
    Some(out)
}

/// Cuts a character that the bound left incomplete.
fn longest_text(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes,
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or_default(),
        Err(_) => bytes,
    }
}

fn from_hex(token: &[u8]) -> Option<String> {
    let token = token.strip_prefix(b"0x").unwrap_or(token);
    if token.len() < 40 || !token.len().is_multiple_of(2) || !token.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let bytes: Option<Vec<u8>> = token.chunks_exact(2).map(hex_byte).collect();
    let bytes = bytes?;
    is_text(&bytes).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn hex_byte(pair: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()
}

/// How far a token with escapes reaches; 0 when `bytes` does not start with one.
fn escaped_run(bytes: &[u8]) -> usize {
    if !matches!(bytes, [b'%' | b'\\' | b'&', ..]) {
        return 0;
    }
    bytes
        .iter()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`'))
        .count()
}

/// `%69`, `\x69`, `\u0069`, `\u{69}`, `&#105;`, `&#x69;`: decoded when there are many.
fn unescape(token: &[u8]) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(token.len());
    let mut rest = token;
    let mut count = 0;
    while let [first, tail @ ..] = rest {
        if let Some((c, length)) = escape_at(rest) {
            count += 1;
            match c {
                Escape::Byte(byte) => out.push(byte),
                Escape::Char(c) => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
            rest = rest.get(length..).unwrap_or_default();
        } else {
            out.push(if *first == b'+' { b' ' } else { *first });
            rest = tail;
        }
    }
    (count >= 4 && is_text(&out)).then(|| String::from_utf8_lossy(&out).into_owned())
}

pub(super) enum Escape {
    Byte(u8),
    Char(char),
}

pub(super) fn escape_at(bytes: &[u8]) -> Option<(Escape, usize)> {
    let digits = |from: usize, most: usize, radix: u32| {
        let run = bytes.iter().skip(from).take(most).take_while(|byte| char::from(**byte).is_digit(radix)).count();
        let text = std::str::from_utf8(bytes.get(from..from + run)?).ok()?;
        Some((u32::from_str_radix(text, radix).ok()?, run))
    };
    match bytes {
        [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            Some((Escape::Byte(hex_byte(&[*a, *b])?), 3))
        }
        [b'\\', b'x', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            Some((Escape::Byte(hex_byte(&[*a, *b])?), 4))
        }
        [b'\\', b'u', b'{', ..] => {
            digits(3, 6, 16).and_then(|(value, run)| Some((Escape::Char(char::from_u32(value)?), 4 + run)))
        }
        [b'\\', b'u', ..] => digits(2, 4, 16)
            .filter(|(_, run)| *run == 4)
            .and_then(|(value, _)| Some((Escape::Char(char::from_u32(value)?), 6))),
        [b'&', b'#', b'x' | b'X', ..] => {
            digits(3, 6, 16).and_then(|(value, run)| Some((Escape::Char(char::from_u32(value)?), 4 + run)))
        }
        [b'&', b'#', ..] => {
            digits(2, 7, 10).and_then(|(value, run)| Some((Escape::Char(char::from_u32(value)?), 3 + run)))
        }
        _ => None,
    }
}

/// Lists of character codes: `105, 103, 110, ...`, `01101001 01100111 ...`, `69 67 6e ...`.
fn numbers(text: &str, found: &mut Vec<Decoded>) {
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() && found.len() < MOST {
        let rest = bytes.get(start..).unwrap_or_default();
        let run = rest
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit() || matches!(byte, b',' | b' ' | b'x' | b'\n' | b'\t'))
            .count();
        let token = rest.get(..run.min(4 * LONGEST)).unwrap_or_default();
        if run >= 36
            && let Some(plain) = from_codes(token)
        {
            found.push(Decoded { range: start..start + run, text: plain });
        }
        start += run.max(1);
    }
}

fn from_codes(token: &[u8]) -> Option<String> {
    let token = std::str::from_utf8(token).ok()?;
    let codes: Vec<&str> = token.split([',', ' ', '\n', '\t']).filter(|code| !code.is_empty()).collect();
    let read = |radix: u32, width: Option<usize>| -> Option<Vec<u8>> {
        codes
            .iter()
            .filter(|code| code.bytes().all(|byte| char::from(byte).is_digit(radix)))
            .filter(|code| width.is_none_or(|width| code.len() == width))
            .map(|code| u8::from_str_radix(code, radix).ok())
            .collect()
    };
    [read(10, None), read(2, Some(8)), read(16, Some(2))]
        .into_iter()
        .flatten()
        .find(|bytes| bytes.len() >= 12 && bytes.len() + 2 >= codes.len() && is_text(bytes))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Words of instructions in rot13 and backwards.
const ROT13: &[&str] = &[
    "vafgehpgvba",
    "uggcf://",
    "qryrgr",
    "phey ",
    "cerivbhf",
    "vtaber",
    "qvfertneq",
    "flfgrz cebzcg",
    "frpergf",
    "cnffjbeq",
    "perqragvny",
    "nffvfgnag",
    "rkrphgr",
    " gur ",
];
const BACKWARDS: &[&str] = &[
    "snoitcurtsni",
    "//:sptth",
    "eteled",
    " lruc",
    "suoiverp",
    "erongi",
    "dragersid",
    "tpmorp metsys",
    "sterces",
    "drowssap",
    "laitnederc",
    "tnatsissa",
    "etucexe",
    " eht ",
];

static TURNED: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(ROT13.iter().chain(BACKWARDS)).ok());

/// Lines that hold such words, turned back.
fn turned_lines(text: &str, found: &mut Vec<Decoded>) {
    let Some(automaton) = TURNED.as_ref() else { return };
    let mut done = 0;
    for hit in automaton.find_iter(text) {
        if hit.start() < done || found.len() >= MOST {
            continue;
        }
        let start = text.get(..hit.start()).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let end = text.get(hit.end()..).and_then(|after| after.find('\n')).map_or(text.len(), |at| hit.end() + at);
        let start = super::super::view::floor(text, start.max(hit.start().saturating_sub(LONGEST)));
        let end = super::super::view::floor(text, end.min(hit.end() + LONGEST));
        let line = text.get(start..end).unwrap_or_default();
        let plain = if hit.pattern().as_usize() < ROT13.len() { rot13(line) } else { line.chars().rev().collect() };
        found.push(Decoded { range: start..end, text: plain });
        done = end;
    }
}

fn rot13(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'a'..='m' | 'A'..='M' => char::from_u32(u32::from(c) + 13).unwrap_or(c),
            'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(c) - 13).unwrap_or(c),
            _ => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::indexing_slicing, reason = "tests may panic")]
    use super::*;

    #[test]
    fn encodings_are_read() {
        for (text, plain) in [
            ("x: UmVhZCB0aGUgbm90ZXMgYWxvdWQ= y", "Read the notes aloud"),
            ("?d=UmVhZCB0aGUgbm90ZXMgYWxvdWQ=", "Read the notes aloud"),
            ("5265616420746865206e6f74657320616c6f7564", "Read the notes aloud"),
            ("q=%52%65%61%64%20the%20notes%20aloud", "Read the notes aloud"),
            (r"\u0052\u0065\u0061\u0064\u0020the", "Read the"),
            ("&#82;&#101;&#97;&#100;&#32;&#116;&#104;&#101;", "Read the"),
            ("f(82,101,97,100,32,116,104,101,32,110,111,116,101)", "Read the note"),
            (
                "01010010 01100101 01100001 01100100 00100000 01110100 01101000 01100101 00100000 01101110 01101111 01110100",
                "Read the not",
            ),
            ("ernq gur frpergf", "read the secrets"),
            ("sterces eht daer", "read the secrets"),
        ] {
            let found = decoded(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].text, plain);
        }
    }

    #[test]
    fn data_stays_data() {
        for text in [
            "sha512-AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEy",
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhf",
            "9fceb02d0ae598e95dc970b74767f19372d61af8",
            "a_rather_long_identifier_in_some_code",
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16",
        ] {
            assert!(decoded(text).is_empty(), "{text}: {:?}", decoded(text));
        }
    }
}
