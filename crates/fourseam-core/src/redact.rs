//! Takes secrets out of text that is kept. On top of what the detector of secrets finds with confidence, it takes
//! whatever is given to a name that sounds like a secret: what it touches is only a log.

use crate::detect::secrets;
use serde_json::Value;
use std::borrow::Cow;

/// What stands in place of a secret.
const GONE: &str = "[redacted]";

/// Characters of a text that is random by itself.
const RANDOM_LENGTH: usize = 30;

/// Words that name a secret, lower case. What is given to them is one.
const KEY_WORDS: &[&str] = &[
    "accesskey",
    "access_key",
    "access-key",
    "api_key",
    "api-key",
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "client_secret",
    "connectionstring",
    "cookie",
    "credential",
    "credentials",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "privatekey",
    "pwd",
    "secret",
    "secretkey",
    "secret_key",
    "session_key",
    "signature",
    "token",
    "webhook",
];

/// First letters of [`KEY_WORDS`].
const KEY_STARTS: &str = "abcpstw";

/// A copy of `text` without secrets.
#[must_use]
pub fn redact(text: &str) -> String {
    // The detector takes half a millisecond to start, as long as all the rest of a call.
    let text = if may_hold_key(text) { secrets::redact(text) } else { Cow::Borrowed(text) };
    redact_lightly(&text)
}

fn redact_runs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = Context::default();
    for piece in pieces(text) {
        match piece {
            Piece::Between(between) => {
                before.between(between);
                out.push_str(between);
            }
            Piece::Run(run) => out.push_str(&redact_run(run, &mut before)),
        }
    }
    out
}

/// A copy of a name without provider keys, at most [`LONGEST_NAME`] characters of it. Names and ids are random by
/// themselves, so that only what has the shape of a key is taken.
#[must_use]
pub fn redact_name(name: &str) -> String {
    let text = secrets::redact_shapes(name);
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// As [`redact`], for many short texts: without the detector, which takes long to start, but with its shapes.
#[must_use]
pub fn redact_lightly(text: &str) -> String {
    redact_runs(&secrets::redact_shapes(text))
}

/// The value of an environment variable without secrets.
#[must_use]
pub fn redact_variable(name: &str, value: &str) -> String {
    if names_secret(name) && may_be_secret(value) { GONE.to_owned() } else { redact_lightly(value) }
}

/// Characters that are kept of a name.
const LONGEST_NAME: usize = 1024;

/// Takes secrets out of every string and key; what stands under a key that names a secret goes as a whole.
pub fn redact_json(value: &mut Value) {
    match value {
        Value::String(text) => *text = redact(text),
        Value::Array(items) => items.iter_mut().for_each(redact_json),
        Value::Object(map) => {
            if map.keys().any(|key| redact_lightly(key) != *key) {
                *map = std::mem::take(map).into_iter().map(|(key, value)| (redact_lightly(&key), value)).collect();
            }
            for (key, value) in map {
                match value {
                    Value::String(text) if names_secret(key) && may_be_secret(text) => GONE.clone_into(text),
                    _ => redact_json(value),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text can hold what the detector finds by its shape: a private key, a password in a URL, or a key, which
/// is one long word with digits in it.
fn may_hold_key(text: &str) -> bool {
    let is_key = |word: &str| word.len() >= 16 && word.bytes().filter(u8::is_ascii_digit).count() >= 2;
    text.contains("-----BEGIN")
        || (text.contains("://") && text.contains('@'))
        || text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).any(is_key)
}

/// A text in turns: runs of characters that keys are made of, and what stands between.
enum Piece<'a> {
    Run(&'a str),
    Between(&'a str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let in_run = is_run(first);
        let end = rest.find(|c| is_run(c) != in_run).unwrap_or(rest.len());
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(if in_run { Piece::Run(piece) } else { Piece::Between(piece) })
    })
}

fn is_run(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-.+/~%@$!^*#&".contains(c) || (!c.is_ascii() && c.is_alphanumeric())
}

/// What was read before a run.
#[derive(Default)]
struct Context {
    waits: Waits,
    /// In the user and password of a URL: after `//ana:`.
    in_credentials: bool,
}

/// A secret's value that is expected.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Waits {
    /// None.
    #[default]
    No,
    /// After the bare word (`token abc`): only what looks random is taken.
    Word,
    /// After the word and `=` or `:`, or after an option: anything is taken.
    Value,
}

impl Context {
    fn between(&mut self, between: &str) {
        self.in_credentials &= between == ":";
        if between.contains(['\n', ';', '|', ',', '}', '{', '(', ')']) {
            self.waits = Waits::No;
        } else if self.waits == Waits::Word && between.contains(['=', ':']) {
            self.waits = Waits::Value;
        }
    }
}

fn redact_run(run: &str, before: &mut Context) -> String {
    if let Some((_, host)) = run.split_once('@').filter(|_| before.in_credentials) {
        before.in_credentials = false;
        return format!("{GONE}@{host}");
    }
    before.in_credentials = run.starts_with("//") && !run.contains('@');
    // `Bearer` stands between the name and the value.
    if is_scheme(run) {
        before.waits = Waits::Value;
        return run.to_owned();
    }
    let secret = match std::mem::take(&mut before.waits) {
        Waits::No => false,
        Waits::Word => looks_random(run),
        Waits::Value => may_be_secret(run),
    };
    if secret {
        return GONE.to_owned();
    }
    if names_secret(run) {
        // An option's value follows it without a sign between.
        before.waits = if run.starts_with("--") { Waits::Value } else { Waits::Word };
    }
    without_random_parts(run)
}

/// Replaces parts of a path, host name or the like that are random by themselves, whatever they are for.
fn without_random_parts(run: &str) -> String {
    if run.len() < RANDOM_LENGTH {
        return run.to_owned();
    }
    let parts = run.split_inclusive(['/', '.', '@', '~']);
    parts.map(|part| if is_random(part.trim_end_matches(['/', '.', '@', '~'])) { GONE } else { part }).collect()
}

/// Longer than hashes in base 64 of 16 bytes; both cases and digits, which hexadecimal hashes and identifiers lack.
fn is_random(part: &str) -> bool {
    let count = |class: fn(&u8) -> bool| part.bytes().filter(class).count();
    part.len() >= RANDOM_LENGTH
        && count(u8::is_ascii_digit) >= 4
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && entropy(part) > 4.2
}

fn is_scheme(run: &str) -> bool {
    ["bearer", "basic", "digest"].iter().any(|scheme| run.eq_ignore_ascii_case(scheme))
}

/// Whether a name (`--db-password`, `AWS_SECRET_ACCESS_KEY`, `apiKey`) is that of a secret.
fn names_secret(name: &str) -> bool {
    if name.len() > 64 {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let name = name.trim_start_matches(['-', '$', '@', '&', '/', '.']);
    let starts = |rest: &str| KEY_WORDS.iter().any(|word| rest.starts_with(word));
    !name.contains('/')
        && name.char_indices().filter(|(_, c)| KEY_STARTS.contains(*c)).any(|(at, _)| {
            let rest = name.get(at..).unwrap_or_default();
            KEY_WORDS.iter().filter_map(|word| rest.strip_prefix(word)).any(|rest| {
                // `tokens`, `tokenizer` and `secretary` are other words; `token_id` and `password2` are not.
                !rest.starts_with(|c: char| c.is_ascii_alphabetic()) || starts(rest)
            })
        })
}

/// Not a variable, a placeholder, a truth value or nothing.
fn may_be_secret(value: &str) -> bool {
    let plain = value.trim_matches(['"', '\'']);
    plain.len() >= 3
        && !plain.starts_with(['$', '%', '<', '-'])
        && !["true", "false", "null", "none"].iter().any(|word| plain.eq_ignore_ascii_case(word))
}

/// Long and mixed enough that nobody wrote it by hand.
fn looks_random(run: &str) -> bool {
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let letters = run.bytes().filter(u8::is_ascii_alphabetic).count();
    run.len() >= 16 && digits >= 2 && letters >= 4 && !run.contains('/') && entropy(run) > 3.2
}

/// Shannon entropy in bits a byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|p| -p * p.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 36 characters of both cases and digits that are no key of anyone.
    const BODY: &str = "Zk3Qw9Xv7Tb1Rn5Ym2Lp8Hd4Gs6Jf0CaUeWi";
    const HEX: &str = "9f86d081884c7d659a2feaa0c55ad015";

    #[test]
    fn planted_secrets_go() {
        let planted: Vec<(String, &str)> = [
            ("git clone https://ghp_{B}@git.example.com/a.git", BODY),
            ("export GITHUB_TOKEN=github_pat_{B}", BODY),
            ("glab auth login -t glpat-{B}", BODY),
            ("AKIA{K} in the log", "Q7Z3W9X5V1T8R2N6"),
            ("aws configure set aws_secret_access_key {B}", BODY),
            ("aws_secret_access_key = {B}/{B}", BODY),
            ("curl -H 'Authorization: Bearer {B}' https://api.example.com", BODY),
            ("curl -H \"Authorization: Basic {B}==\" https://api.example.com", BODY),
            ("curl -H 'x-api-key: {H}' https://api.example.com", HEX),
            ("ANTHROPIC_KEY=sk-ant-api03-{B}", BODY),
            ("OPENAI=sk-proj-{B}", BODY),
            ("stripe --key sk_live_{B}", BODY),
            ("whsec_{B}", BODY),
            ("slack xoxb-{B}", BODY),
            ("curl https://hooks.slack.com/services/T0/B0/{B}", BODY),
            ("curl https://discord.com/api/webhooks/12345/{B}", BODY),
            ("https://api.telegram.example.com/bot12345:AA{B}/send", BODY),
            ("key=AIza{B}", BODY),
            ("npm_{B}", BODY),
            ("twine upload -p pypi-{B}", BODY),
            ("hf_{B}", BODY),
            ("SG.{B}.{B}", BODY),
            ("VAULT hvs.{B}", BODY),
            ("jwt eyJhbGciOiJIUzI1NiJ9.eyJ{B}.{B}", BODY),
            ("psql postgres://ana:hunter2@db.example.com/app", "hunter2"),
            ("redis-cli -u redis://:hunter2@cache.example.com", "hunter2"),
            ("mysql --password hunter2 -e 'select 1'", "hunter2"),
            ("PGPASSWORD=hunter2 psql", "hunter2"),
            (r#"{"client_secret": "hunter2x"}"#, "hunter2x"),
            ("db_password: hunter2", "hunter2"),
            ("the token {H} works", HEX),
            ("-----BEGIN RSA PRIVATE KEY-----\n{B}\n{B}\n-----END RSA PRIVATE KEY-----\nrest", BODY),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\n{B}", BODY),
        ]
        .into_iter()
        .map(|(text, secret)| {
            (text.replace("{B}", BODY).replace("{H}", HEX).replace("{K}", "Q7Z3W9X5V1T8R2N6"), secret)
        })
        .collect();
        let kept: Vec<_> = planted.iter().filter(|(text, secret)| redact(text).contains(secret)).collect();
        assert!(planted.len() >= 25 && kept.is_empty(), "{kept:#?}");
    }

    #[test]
    fn what_surrounds_a_secret_stays() {
        for (text, want) in [
            ("psql postgres://ana:hunter2@db.example.com/app", "psql postgres://ana:[redacted]@db.example.com/app"),
            ("PGPASSWORD=hunter2 psql -c 'select 1'", "PGPASSWORD=[redacted] psql -c 'select 1'"),
        ] {
            assert_eq!(redact(text), want);
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "git commit -m 'rotate the token and the password'",
            "cargo test --workspace -- secret_rotation",
            "export TOKEN=$CI_TOKEN; echo \"$SECRET\"",
            "git push https://git.example.com/ana/app.git main",
            "docker pull registry.example.com/app@sha256:abc",
            "pip install sk-learn-contrib-something-long",
            "ssh ana@host.example.com ls /etc",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "git show 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "tokenizer.encode(text)",
            "",
        ] {
            assert_eq!(redact(text), text);
        }
    }

    #[test]
    fn every_key_word_is_looked_for() {
        for word in KEY_WORDS {
            assert!(names_secret(word) && names_secret(&format!("x_{word}_2")), "{word}");
        }
    }

    #[test]
    fn json_goes_by_its_keys_too() {
        let mut value = serde_json::json!({"apiKey": "abcdef", "n": 1, "list": [{"password": "x1y2", "user": "ana"}]});
        redact_json(&mut value);
        let want = serde_json::json!({"apiKey": GONE, "n": 1, "list": [{"password": GONE, "user": "ana"}]});
        assert_eq!(value, want);
    }
}
