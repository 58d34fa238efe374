//! Tells real values from those that stand for one: `YOUR_KEY`, `xxxx`, `changeme`, words, sequences.

/// Words by which a value says that it is none.
const SELF_NAMING: &[&str] = &[
    "example",
    "sample",
    "placeholder",
    "your",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "dummy",
    "fake",
    "redacted",
    "todo",
    "insert",
    "notreal",
    "not_a_real",
    "not-a-real",
    "xxxx",
    "0000000000",
    "1111111111",
];

/// Words that people use for passwords in samples and tests.
const WEAK: &[&str] = &[
    "password",
    "passw0rd",
    "passwd",
    "secret",
    "test",
    "admin",
    "root",
    "postgres",
    "mysql",
    "guest",
    "foobar",
    "qwerty",
    "letmein",
    "123456",
    "abc123",
    "default",
    "hunter2",
    "swordfish",
    "correct-horse",
    "demo",
    "local",
    "user",
    "pass",
    "mypass",
    "token",
    "none",
    "null",
    "undefined",
    "true",
    "false",
    "mock",
    "fixture",
    "string",
];

/// Shannon entropy in bits per byte.
pub(super) fn entropy(text: &str) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^24")]
    let total = text.len() as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^24")]
            let share = *count as f32 / total;
            -share * share.log2()
        })
        .sum()
}

/// The value says itself that it is a sample (`AKIA...EXAMPLE`).
pub(super) fn names_itself(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    SELF_NAMING.iter().any(|word| lower.contains(word))
}

/// Long runs of one character: `xxxxxxxx`, `********`.
pub(super) fn is_filler(value: &str) -> bool {
    let mut run = 0;
    let mut last = 0;
    for byte in value.bytes() {
        run = if byte == last { run + 1 } else { 1 };
        last = byte;
        if run >= 6 {
            return true;
        }
    }
    false
}

/// The value stands for one that is put in later: `${TOKEN}`, `<token>`, `{{ token }}`, `$TOKEN`, `%TOKEN%`, `...`.
pub(super) fn is_reference(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '%', '@', '(', '[', '*', '&'])
        || ["${", "{{", "...", "…", "env.", "environ", "secrets.", "vault:", "<", ">"]
            .iter()
            .any(|mark| value.contains(mark))
}

/// A password as samples and tests have it.
pub(super) fn is_weak(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    WEAK.iter().any(|word| lower.contains(word))
}

/// Made of words rather than of random characters: `userPasswordFromConfig`, `my-service-token`, `auth.v2.token`.
pub(super) fn is_words(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 {
        // Random base64 without a digit happens (24 characters: 1 in 60) and is let go.
        return true;
    }
    let pieces = value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|piece| !piece.is_empty());
    let mut wordlike = 0;
    let mut all = 0;
    for piece in pieces {
        all += 1;
        wordlike += usize::from(is_word(piece));
    }
    all > 0 && wordlike == all
}

/// Holds the digits or letters in their order, as people type them.
pub(super) fn is_sequence(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    ["12345678", "abcdefgh", "qwertyui"].iter().any(|order| lower.contains(order))
}

/// A name in humps with short numbers between (`AccessTokenProvider2Factory`): its parts are as long as words are.
fn is_humps(piece: &str) -> bool {
    let (mut words, mut numbers, mut short) = (0, 0, 0);
    let mut rest = piece;
    while let Some(first) = rest.bytes().next() {
        let capitals = rest.bytes().take_while(u8::is_ascii_uppercase).count();
        let run = match first {
            b'0'..=b'9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
            _ if capitals > 1 => capitals,
            _ => capitals + rest.bytes().skip(capitals).take_while(u8::is_ascii_lowercase).count(),
        };
        match first {
            b'0'..=b'9' => numbers += run,
            _ => {
                words += 1;
                short += usize::from(run < 3);
            }
        }
        rest = rest.get(run.max(1)..).unwrap_or_default();
    }
    words > 0 && numbers <= 3 && short * 4 <= words && (piece.len() - numbers) >= 4 * words
}

/// One identifier piece: letters in words with at most a short number (`v2`, `sha256`, `authToken`, `2024`).
fn is_word(piece: &str) -> bool {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.len() - digits;
    if letters == 0 {
        return digits <= 4;
    }
    if is_humps(piece) {
        return true;
    }
    if digits > 4 {
        return false;
    }
    // Digits only at an end, and humps of at least two letters.
    let trimmed = piece.trim_matches(|c: char| c.is_ascii_digit());
    if trimmed.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let humps = trimmed.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    trimmed.bytes().all(|byte| byte.is_ascii_uppercase()) && trimmed.len() < 12 || humps * 3 <= trimmed.len()
}

/// `8-4-4-4-12` hex digits.
pub(super) fn is_uuid(value: &str) -> bool {
    let lengths: Vec<usize> = value.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && value.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}
