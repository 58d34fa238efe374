//! Private key blocks, and passwords in connection strings (`scheme://user:password@host`).

use super::{Secret, placeholder};

pub(super) const PRIVATE_KEY_ANCHOR: &str = "PRIVATE";

pub(super) const PUTTY_ANCHOR: &str = "Private-Lines: ";

/// The body of a PuTTY key file, whose header is at `at`.
pub(super) fn putty_key(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at + PUTTY_ANCHOR.len()..)?;
    let start = text.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().len();
    let end = start + key_like_length(text.get(start..)?);
    let long = end - start >= 32 && text.get(..at)?.contains("PuTTY-User-Key-File");
    long.then_some(Secret {
        kind: "private-key",
        label: "a private key",
        confidence: 0.95,
        sample: false,
        span: start..end,
    })
}

/// How the body of a key starts: DER of the common kinds, the OpenSSH magic.
const BODY_STARTS: &[&str] = &["MII", "MIG", "MHc", "MHQ", "MC4C", "MFEC", "b3BlbnNz", "lQ", "xc", "Proc-Type"];

/// The block whose header holds `PRIVATE` at `at`. A header without a body is a mention.
pub(super) fn private_key(text: &str, at: usize) -> Option<Secret> {
    let head = text.get(..at)?;
    let begin = head.rfind("-----BEGIN")?;
    // Only words, spaces and their escapes stand between.
    if at - begin > 40 || head.get(begin + 10..)?.contains(['-', '\n']) {
        return None;
    }
    let rest = text.get(at + PRIVATE_KEY_ANCHOR.len()..)?;
    let rest = after_word(rest, "KEY")?;
    let rest = after_word(rest, "BLOCK").unwrap_or(rest);
    let body = rest.strip_prefix("-----")?;
    if !has_key_body(body) {
        return None;
    }
    let end_of_body = body.find("-----END").map(|end| {
        let tail = body.get(end + 8..).unwrap_or_default();
        end + 8 + tail.find("-----").map_or(0, |dashes| dashes + 5)
    });
    let body_start = text.len() - body.len();
    let end = body_start + end_of_body.unwrap_or_else(|| key_like_length(body));
    Some(Secret { kind: "private-key", label: "a private key", confidence: 0.95, sample: false, span: begin..end })
}

/// What follows a blank, written as such or for a URL, and this word.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    [" ", "%20", "+"].iter().find_map(|blank| text.strip_prefix(blank))?.strip_prefix(word)
}

fn has_key_body(body: &str) -> bool {
    let mut body = body;
    // Line breaks, real or written as escapes.
    while let Some(rest) = ["\r", "\n", " ", "\t", "\\n", "\\r", "%0A", "%0D", "%20", "+", "\"", "'"]
        .iter()
        .find_map(|gap| body.strip_prefix(gap))
    {
        body = rest;
    }
    let run = key_like_length_of_line(body);
    BODY_STARTS.iter().any(|start| body.starts_with(start)) && run >= 6
        || run >= 24 && body.get(..run).is_some_and(|line| placeholder::entropy(line) > 3.0)
}

fn key_like_length_of_line(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')).count()
}

fn key_like_length(text: &str) -> usize {
    text.bytes()
        .take(8192)
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r' | b'\\' | b' ')
        })
        .count()
}

/// The password of the URL whose `://` is at `at`.
pub(super) fn connection_string(text: &str, at: usize) -> Option<Secret> {
    let start = at + 3;
    let rest = text.get(start..)?;
    let length = rest
        .bytes()
        .take(512)
        .take_while(|byte| {
            !byte.is_ascii_whitespace()
                && !matches!(byte, b'/' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'?' | b'#' | b',')
        })
        .count();
    let authority = rest.get(..length)?;
    let (credentials, host) = authority.rsplit_once('@')?;
    let (user, password) = credentials.split_once(':')?;
    let is_local = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal"]
        .iter()
        .any(|name| host.starts_with(name));
    let counts = password.len() >= 6
        && password != user
        && !host.is_empty()
        && !is_local
        && !placeholder::is_reference(password)
        && !placeholder::is_filler(password)
        && !placeholder::is_weak(password)
        && !placeholder::names_itself(password)
        && password.bytes().all(|byte| byte.is_ascii_graphic());
    counts.then(|| {
        let from = start + user.len() + 1;
        Secret {
            kind: "connection-password",
            label: "a password in a connection string",
            confidence: 0.85,
            sample: false,
            span: from..from + password.len(),
        }
    })
}
