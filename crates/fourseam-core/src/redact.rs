//! Takes secrets out of text that is kept. Would rather take out too much than too little: what it touches is only
//! a log. Finding secrets in order to decide something is the detectors' business.

use serde_json::Value;

/// What stands in place of a secret.
const GONE: &str = "[redacted]";

/// A key shape of a provider: its beginning, and how many characters follow at least.
const SHAPES: &[(&str, usize)] = &[
    ("AA", 33),
    ("A3T", 16),
    ("ABIA", 16),
    ("ACCA", 16),
    ("AGE-SECRET-KEY-1", 50),
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("EAAA", 40),
    ("NRAK-", 20),
    ("PMAK-", 40),
    ("SG.", 30),
    ("SK", 32),
    ("dapi", 32),
    ("dckr_pat_", 20),
    ("dop_v1_", 40),
    ("doo_v1_", 40),
    ("eyJ", 30),
    ("discord.com/api/webhooks/", 20),
    ("figd_", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gldt-", 16),
    ("glptt-", 16),
    ("glrt-", 16),
    ("glsa_", 20),
    ("gsk_", 20),
    ("hf_", 20),
    ("hooks.slack.com/services/", 20),
    ("hvb.", 20),
    ("hvs.", 20),
    ("key-", 32),
    ("lin_api_", 20),
    ("npm_", 20),
    ("ntn_", 20),
    ("oy2", 40),
    ("pat-na", 30),
    ("pat-eu", 30),
    ("pk_live_", 16),
    ("pplx-", 20),
    ("pypi-", 20),
    ("r8_", 30),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("rubygems_", 20),
    ("shpat_", 20),
    ("shpca_", 20),
    ("shppa_", 20),
    ("shpss_", 20),
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("sq0atp-", 20),
    ("sq0csp-", 20),
    ("tskey-", 20),
    ("vercel_", 20),
    ("whsec_", 20),
    ("xai-", 20),
    ("xapp-", 20),
    ("xoxa-", 16),
    ("xoxb-", 16),
    ("xoxe", 16),
    ("xoxp-", 16),
    ("xoxr-", 16),
    ("xoxs-", 16),
    ("ya29.", 20),
];

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

/// A copy of `text` without secrets.
#[must_use]
pub fn redact(text: &str) -> String {
    let text = without_private_keys(text);
    let mut out = String::with_capacity(text.len());
    let mut before = Context::default();
    for piece in pieces(&text) {
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

/// Takes secrets out of every string; what stands under a key that names a secret goes as a whole.
pub fn redact_json(value: &mut Value) {
    match value {
        Value::String(text) => *text = redact(text),
        Value::Array(items) => items.iter_mut().for_each(redact_json),
        Value::Object(map) => {
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

/// Replaces blocks of PEM and PGP private keys, also when their end is missing.
fn without_private_keys(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((head, block)) = split_before(rest, "-----BEGIN ") {
        out.push_str(head);
        let title = block.get(..block.floor_char_boundary(64)).unwrap_or_default();
        if !title.contains("PRIVATE KEY") {
            let (begin, after) = block.split_at_checked("-----BEGIN ".len()).unwrap_or((block, ""));
            out.push_str(begin);
            rest = after;
            continue;
        }
        out.push_str("[redacted private key]");
        rest = block
            .split_once("-----END ")
            .map_or("", |(_, end)| end.split_once("-----").map_or("", |(_, after)| after));
    }
    out.push_str(rest);
    out
}

fn split_before<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    text.split_at_checked(text.find(mark)?)
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

/// What was read before a run: whether a word that names a secret is waiting for its value.
#[derive(Default)]
struct Context {
    waits: Waits,
    in_url: bool,
}

/// A secret's value that is expected.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Waits {
    /// None.
    #[default]
    No,
    /// After the bare word (`token abc`): only what looks random is taken.
    Word,
    /// After the word and `=` or `:`: anything is taken.
    Value,
    /// After `Bearer` or `Basic` in place of a value: the next run is the value, whatever it is.
    Scheme,
}

impl Context {
    fn between(&mut self, between: &str) {
        self.in_url = between.ends_with("://") || (self.in_url && between == ":");
        if between.contains(['\n', ';', '|', ',', '}', '{', '(', ')']) {
            self.waits = Waits::No;
        } else if self.waits == Waits::Word && between.contains(['=', ':']) {
            self.waits = Waits::Value;
        }
    }
}

fn redact_run(run: &str, before: &mut Context) -> String {
    if let Some(run) = url_credentials(run, before) {
        before.waits = Waits::No;
        return run;
    }
    let waits = std::mem::take(&mut before.waits);
    let secret = match waits {
        Waits::No => false,
        Waits::Word => looks_random(run),
        Waits::Value if is_scheme(run) => {
            before.waits = Waits::Scheme;
            return run.to_owned();
        }
        Waits::Value | Waits::Scheme => may_be_secret(run),
    };
    if secret {
        return GONE.to_owned();
    }
    if is_scheme(run) || names_secret(run) {
        // An option's value follows it without a sign between.
        before.waits = if run.starts_with("--") { Waits::Value } else { Waits::Word };
        return run.to_owned();
    }
    redact_shapes(run)
}

/// `user:password@host` after `://`. The runs of a URL end at `:`, so user and password come as two runs.
fn url_credentials(run: &str, before: &Context) -> Option<String> {
    if !before.in_url {
        return None;
    }
    let (credentials, rest) = run.split_once('@')?;
    if credentials.contains('/') {
        return None;
    }
    Some(format!("{GONE}@{}", redact_shapes(rest)))
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
    KEY_WORDS.iter().any(|word| {
        name.match_indices(word).any(|(at, _)| {
            let rest = name.get(at + word.len()..).unwrap_or_default();
            // `tokens`, `tokenizer` and `secretary` are other words; `token_id` and `password2` are not.
            !rest.starts_with(|c: char| c.is_ascii_alphabetic()) || KEY_WORDS.iter().any(|next| rest.starts_with(next))
        })
    }) && !name.contains('/')
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

/// Replaces key shapes wherever a word begins in a run.
fn redact_shapes(run: &str) -> String {
    if run.len() < 16 {
        return run.to_owned();
    }
    let mut out = String::new();
    let mut rest = run;
    let mut at_start = true;
    while let Some(c) = rest.chars().next() {
        let length = if at_start { shape_length(rest) } else { None };
        if let Some((_, after)) = length.and_then(|length| rest.split_at_checked(length)) {
            out.push_str(GONE);
            rest = after;
            at_start = false;
            continue;
        }
        at_start = !c.is_ascii_alphanumeric();
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// How long a key at the beginning of a text is, if one stands there.
fn shape_length(text: &str) -> Option<usize> {
    let (prefix, least) = SHAPES.iter().find(|(prefix, _)| text.starts_with(prefix))?;
    let body = text.get(prefix.len()..)?;
    // The secret of a web hook is its path.
    let joints = if prefix.ends_with('/') { "_-./" } else { "_-." };
    let length = body.find(|c: char| !(c.is_ascii_alphanumeric() || joints.contains(c))).unwrap_or(body.len());
    let body = body.get(..length)?;
    // Words joined by dashes (`sk-learn-contrib-package`) have no digits.
    (length >= *least && body.bytes().any(|byte| byte.is_ascii_digit())).then_some(prefix.len() + length)
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
        let key = format!("a\n-----BEGIN PRIVATE KEY-----\n{BODY}\n-----END PRIVATE KEY-----\nb");
        assert_eq!(redact(&key), "a\n[redacted private key]\nb");
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
    fn json_goes_by_its_keys_too() {
        let mut value = serde_json::json!({"apiKey": "abcdef", "n": 1, "list": [{"password": "x1y2", "user": "ana"}]});
        redact_json(&mut value);
        let want = serde_json::json!({"apiKey": GONE, "n": 1, "list": [{"password": GONE, "user": "ana"}]});
        assert_eq!(value, want);
    }
}
