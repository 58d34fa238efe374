//! `base64`, `base32` and `xxd`.

pub(super) fn base64(arguments: &[&str], text: &str) -> Option<String> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let decodes = |word: &&str| matches!(*word, "-d" | "-D" | "--decode" | "-di" | "-id" | "-dw0");
    if !arguments.iter().any(decodes) {
        return arguments
            .iter()
            .all(|word| matches!(*word, "-w0" | "-w" | "0" | "--wrap=0"))
            .then(|| encoded(text, ALPHABET));
    }
    if arguments
        .iter()
        .any(|word| !decodes(word) && !matches!(*word, "-i" | "--ignore-garbage" | "-w0" | "-" | "/dev/stdin"))
    {
        return None;
    }
    from_bytes(decoded(text, 6, |byte| ALPHABET.iter().position(|known| *known == byte)))
}

pub(super) fn base32(arguments: &[&str], text: &str) -> Option<String> {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    if !matches!(arguments, ["-d" | "--decode"]) {
        return None;
    }
    from_bytes(decoded(text, 5, |byte| ALPHABET.iter().position(|known| *known == byte)))
}

/// Digits of `width` bits put together to bytes; what is no digit is left out.
fn decoded(text: &str, width: u32, digit: impl Fn(u8) -> Option<usize>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for value in text.bytes().filter_map(digit).filter_map(|value| u32::try_from(value).ok()) {
        bits = (bits << width) | value;
        held += width;
        if held >= 8 {
            held -= 8;
            bytes.extend(u8::try_from((bits >> held) & 0xff));
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

fn encoded(text: &str, alphabet: &[u8; 64]) -> String {
    let mut result = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for position in 0..4 {
            let digit = usize::try_from((bits >> (18 - 6 * position)) & 63).unwrap_or(0);
            match alphabet.get(digit) {
                Some(letter) if position <= chunk.len() => result.push(char::from(*letter)),
                _ => result.push('='),
            }
        }
    }
    result.push('\n');
    result
}

/// `xxd -r -p`.
pub(super) fn xxd(arguments: &[&str], text: &str) -> Option<String> {
    let flags: String = arguments.iter().filter_map(|word| word.strip_prefix('-')).collect();
    if !flags.contains('r') || !flags.contains('p') || arguments.iter().any(|word| !word.starts_with('-')) {
        return None;
    }
    let digits: Vec<u8> =
        text.chars().filter_map(|found| found.to_digit(16)).filter_map(|digit| u8::try_from(digit).ok()).collect();
    from_bytes(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit)).collect())
}

/// Text made from bytes; bytes that are no text make it unknown.
fn from_bytes(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}
