//! Random values next to a key word: `client_secret = "..."`, `DB_PASSWORD=...`, `Authorization: Bearer ...`.

use super::{Secret, placeholder};
use std::ops::Range;

/// What a key word promises of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Made by a machine: long and random.
    Token,
    /// Chosen by a person: shorter.
    Password,
    /// `Bearer` and `Basic`: the value follows after a blank.
    Scheme,
    /// `sshpass -p`: a password follows after a blank.
    Option,
    /// `curl -u`: a name, a colon and a password follow after a blank.
    Login,
}

pub(super) const WORDS: &[(&str, Word)] = &[
    ("--user ", Word::Login),
    (" -u ", Word::Login),
    ("_pass", Word::Password),
    ("access-key", Word::Token),
    ("access_key", Word::Token),
    ("accesskey", Word::Token),
    ("api-key", Word::Token),
    ("api_key", Word::Token),
    ("apikey", Word::Token),
    ("auth_key", Word::Token),
    ("bearer ", Word::Scheme),
    ("credential", Word::Token),
    ("encryption_key", Word::Token),
    ("encryptionkey", Word::Token),
    ("passphrase", Word::Password),
    ("passwd", Word::Password),
    ("password", Word::Password),
    ("private_key", Word::Token),
    ("privatekey", Word::Token),
    ("pwd", Word::Password),
    ("secret", Word::Token),
    ("signing_key", Word::Token),
    ("sshpass -p ", Word::Option),
    ("token", Word::Token),
];

/// What may follow a key word inside a name without changing what the value is.
const SUFFIXES: &[&str] =
    &["", "key", "value", "base", "token", "secret", "id", "prod", "production", "live", "dev", "staging", "s"];

/// The secret that is given to the name which holds the key word at `word`.
pub(super) fn find(text: &str, word: Range<usize>, kind: Word) -> Option<Secret> {
    if matches!(kind, Word::Token | Word::Password) && is_of_no_worth(text, word.start) {
        return None;
    }
    let value = match kind {
        Word::Scheme | Word::Option => first_token(text, word.end),
        Word::Login => login_password(text, word.clone()),
        Word::Token => assigned_value(text, word.end),
        Word::Password => assigned_value(text, word.end).or_else(|| netrc_password(text, word.clone())),
    }?;
    let written = text.get(value.clone())?;
    let (kind, label, confidence) = match kind {
        Word::Token if is_random(written) => ("assigned-secret", "a random value next to a key word", 0.75),
        Word::Scheme if is_random(written) => ("bearer-token", "a bearer token", 0.75),
        Word::Password | Word::Option if is_password(written) => ("password", "a password", 0.65),
        Word::Login if is_password(written) => ("password", "a password", 0.75),
        Word::Token | Word::Scheme | Word::Password | Word::Option | Word::Login => return None,
    };
    Some(Secret { kind, label, confidence, sample: false, span: value })
}

/// Beginnings of names whose values open nothing: places in lists, samples.
const NO_WORTH: &[&str] =
    &["page", "next", "cursor", "continuation", "sync", "example", "sample", "dummy", "fake", "mock", "placeholder"];

/// The name that the key word at `at` ends says that its value is of no worth (`next_page_token`, `EXAMPLE_TOKEN`).
fn is_of_no_worth(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let length = before
        .bytes()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    let name = before.get(before.len() - length..).unwrap_or_default().to_ascii_lowercase();
    name.split(['_', '-']).any(|piece| NO_WORTH.contains(&piece)) || NO_WORTH.iter().any(|word| name.ends_with(word))
}

/// The password of `curl -u name:password`.
fn login_password(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let line = text.get(..word.start)?.rsplit('\n').next()?;
    let value = first_token(text, word.end)?;
    let colon = text.get(value.clone())?.find(':')?;
    line.contains("curl").then_some(value.start + colon + 1..value.end)
}

/// The password of a line of `.netrc`: `machine NAME login NAME password VALUE`.
fn netrc_password(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..word.start)?;
    let near = before.get(super::super::view::floor(before, before.len().saturating_sub(200))..)?;
    let is_netrc = near.contains("machine ") && near.contains("login ");
    let rest = text.get(word.end..)?;
    (is_netrc && rest.starts_with(' ')).then(|| first_token(text, word.end + blanks(rest, rest)))?
}

/// The value that follows a name: rest of the name, closing quote, `=` or `:` or `=>`, opening quote, value.
fn assigned_value(text: &str, name_end: usize) -> Option<Range<usize>> {
    let rest = text.get(name_end..)?;
    let suffix =
        rest.bytes().take(40).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    let suffix_text = rest.get(..suffix)?;
    if !suffix_text.split(['_', '-']).all(is_plain_suffix) {
        return None;
    }
    let mut at = name_end + suffix;
    at += blanks(text.get(at..)?.trim_start_matches(['"', '\'', ']', '\\']), text.get(at..)?);
    let after_name = text.get(at..)?;
    let separator = ["=>", ":=", "==", "=", ":"].iter().find(|separator| after_name.starts_with(**separator))?;
    if *separator == "==" {
        return None;
    }
    at += separator.len();
    at += blanks(text.get(at..)?, text.get(at..)?);
    first_token(text, at)
}

fn is_plain_suffix(piece: &str) -> bool {
    SUFFIXES.iter().any(|suffix| suffix.eq_ignore_ascii_case(piece)) || piece.bytes().all(|byte| byte.is_ascii_digit())
}

/// How far `whole` reaches to the first byte of `rest` that is no blank on the same line.
fn blanks(rest: &str, whole: &str) -> usize {
    let trimmed = rest.trim_start_matches([' ', '\t']);
    whole.len() - trimmed.len()
}

/// The token at `at`: up to the closing quote, or up to a blank or punctuation when it is not quoted.
fn first_token(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let escaped = rest.strip_prefix('\\').unwrap_or(rest);
    let quote = escaped.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let start = at + (rest.len() - escaped.len()) + usize::from(quote.is_some());
    let value = text.get(start..)?;
    let length =
        value.bytes().take(600).take_while(|byte| byte.is_ascii_graphic() && !ends_value(*byte, quote)).count();
    let next = value.as_bytes().get(length).copied();
    // A call or an index is code, not a value.
    let is_code = quote.is_none() && matches!(next, Some(b'(' | b'['));
    (length > 0 && !is_code).then_some(start..start + length)
}

fn ends_value(byte: u8, quote: Option<char>) -> bool {
    match quote {
        Some(quote) => char::from(byte) == quote || byte == b'\\',
        None => matches!(
            byte,
            b'"' | b'\''
                | b'`'
                | b','
                | b';'
                | b'('
                | b')'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'<'
                | b'>'
                | b'|'
                | b'&'
                | b'\\'
        ),
    }
}

/// Long enough and random enough to have been made by a machine.
fn is_random(value: &str) -> bool {
    let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let min_entropy = if is_hex { 3.0 } else { 3.5 };
    (16..=512).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'.' | b'~' | b'!' | b'@' | b'#' | b'^' | b'*' | b'%' | b'$' | b':'))
        && (!is_hex || value.len() >= 24)
        && !looks_like_place(value)
        && !value.starts_with("sha") // digests: sha256:..., sha512-...
        && !value.starts_with("$2")
        && !placeholder::is_reference(value)
        && !placeholder::is_filler(value)
        && !placeholder::names_itself(value)
        && !placeholder::is_uuid(value)
        && !placeholder::is_words(value)
        && !placeholder::is_sequence(value)
        && placeholder::entropy(value) >= min_entropy
}

/// A path, a URL, a dotted name with an extension.
fn looks_like_place(value: &str) -> bool {
    let is_plain = |piece: &str| {
        piece.bytes().all(|byte| byte.is_ascii_lowercase()) || piece.bytes().all(|byte| byte.is_ascii_digit())
    };
    value.contains("://")
        || value.split('/').count() >= 3 && value.split(['/', '-', '_', '.']).all(is_plain)
        || value.starts_with(['/', '.', '~'])
        || value
            .rsplit_once('.')
            .is_some_and(|(_, end)| (1..=4).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// A password a person would really use: no sample, no reference, no plain word.
fn is_password(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    (8..=128).contains(&value.len())
        && digits > 0
        && letters > 0
        && !looks_like_place(value)
        && !value.starts_with("$2")
        && !value.starts_with("sha")
        && !placeholder::is_reference(value)
        && !placeholder::is_filler(value)
        && !placeholder::names_itself(value)
        && !placeholder::is_weak(value)
        && !placeholder::is_uuid(value)
        && !is_identifier(value)
        && placeholder::entropy(value) >= 2.7
}

/// A name of code rather than a value: letters with `_`, `.` or humps and at most one number.
fn is_identifier(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
        && placeholder::is_words(value)
        && value.contains(['_', '.', '-'])
}
