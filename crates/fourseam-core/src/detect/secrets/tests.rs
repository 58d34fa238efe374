//! Tests of the secrets detector. Every token here is made up.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "tests may panic")]

use super::shape::{Piece, Set, Shape};
use super::*;

/// Deterministic characters of a set that look random.
fn random(set: Set, length: usize, seed: &mut u64) -> String {
    let mut out = String::new();
    while out.len() < length {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let byte = u8::try_from((*seed >> 40) & 0x7f).unwrap();
        if set.holds(byte) && byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        }
    }
    out
}

fn example_of(shape: &Shape, seed: &mut u64) -> String {
    let mut out = shape.before.map_or_else(String::new, |(set, min, _)| random(set, min, seed));
    out.push_str(shape.anchor);
    for piece in shape.after {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Run(set, min, _) => out.push_str(&random(*set, *min, seed)),
        }
    }
    out
}

#[test]
fn every_shape_is_found_where_it_stands() {
    let mut seed = 7;
    for shape in SHAPES {
        let example = example_of(shape, &mut seed);
        for text in [
            example.clone(),
            format!("key: \"{example}\","),
            format!("a\\n{example}\\n"),
            format!("export K={example}\n"),
        ] {
            let found = find(&text);
            assert!(
                found.iter().any(|secret| text[secret.span.clone()].contains(&example)),
                "{} in {text}: {found:?}",
                shape.kind
            );
            assert!(!redact(&text).contains(&example), "{text}");
            assert!(!redact_shapes(&text).contains(&example), "{text}");
        }
        let path = format!("/home/ana/{example}/notes");
        assert!(!redact_shapes(&path).contains(&example), "{path}");
    }
}

#[test]
fn no_shape_fires_on_filler() {
    for shape in SHAPES {
        let mut text = shape.before.map_or_else(String::new, |(_, min, _)| "0".repeat(min));
        text.push_str(shape.anchor);
        for piece in shape.after {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Run(set, min, _) => text.push_str(&(if set.holds(b'X') { "X" } else { "0" }).repeat(*min)),
            }
        }
        assert!(Secrets.scan(&text).is_empty(), "{text}");
    }
}

#[test]
fn shapes_are_sorted_by_kind_and_named_in_kebab_case() {
    assert!(SHAPES.is_sorted_by_key(|shape| shape.kind));
    for shape in SHAPES {
        assert!(
            shape.kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{}",
            shape.kind
        );
        assert!(shape.label.starts_with('a'), "{}", shape.label);
    }
}

#[test]
fn secrets_that_are_found() {
    for (text, kind) in [
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "private-key"),
        ("key -----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEAAAAA\\n-----END", "private-key"),
        ("https://c.example.com/?k=-----BEGIN%20OPENSSH%20PRIVATE%20KEY-----%0Ab3BlbnNzaC1rZXk", "private-key"),
        ("-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXktdjEAAAAABG5vbmU error", "private-key"),
        ("DATABASE_URL=postgres://ana:kV9wq27LmR@db.example.com:5432/shop", "connection-password"),
        ("mongodb+srv://svc:7gHq-Lx2Zr@cluster0.example.com", "connection-password"),
        ("client_secret: \"Zk3vQ9xT1mB7rN5pW2yL8cF4\"", "assigned-secret"),
        ("aws_secret_access_key = k7Dq2ZsX9vLm4TtR1wYb8NfC5hJg3PaE6uQoKiVz", "assigned-secret"),
        ("API_KEY=4f9d1c7be02a58e3476bd90c1fa25e88", "assigned-secret"),
        ("{\"auth_token\":\"hT8-zQ2_kL5mXv9RbN3wYc7D\"}", "assigned-secret"),
        ("curl -H 'Authorization: Bearer q8ZtR2xVb7LmN4kY9wPc3HfD' https://api.example.com", "bearer-token"),
        ("DB_PASSWORD=tr0ub4dor&3xK", "password"),
        ("  password: \"Vq7#mLp2xz\"", "password"),
    ] {
        let found = find(text);
        assert_eq!(found.iter().map(|secret| secret.kind).collect::<Vec<_>>(), [kind], "{text}: {found:?}");
        let redacted = redact(text);
        assert!(redacted.contains(&format!("[redacted:{kind}]")), "{redacted}");
        assert!(find(&redacted).is_empty(), "{redacted}");
    }
}

#[test]
fn what_is_no_secret() {
    for text in [
        "",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
        "a file that starts with -----BEGIN RSA PRIVATE KEY----- is a key",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "AKIAIOSFODNN7EXAMPLE",
        "secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'",
        "API_KEY=YOUR_API_KEY_HERE_1234567890",
        "api_key: \"<your-api-key>\"",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "const token = process.env.GITHUB_TOKEN_V2;",
        "password = getPassword(user1, \"main\")",
        "password: changeme123",
        "POSTGRES_PASSWORD=postgres123",
        "postgres://postgres:postgres@localhost:5432/app_test",
        "postgres://app:s3cr3tLocal9@localhost/app",
        "https://user:password@example.com/",
        "postgres://USER:PASSWORD@HOST:5432/DB",
        "\"integrity\": \"sha512-Zk3vQ9xT1mB7rN5pW2yL8cF4Zk3vQ9xT1mB7rN5pW2yL8cF4==\"",
        "checksum = \"0b1c7f4d2a9e8c5b3f6d1a7e9c2b4d8f0b1c7f4d2a9e8c5b3f6d1a7e9c2b4d8f\"",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "client_id: 123e4567-e89b-12d3-a456-426614174000",
        "secret_id: 123e4567-e89b-12d3-a456-426614174000",
        "max_tokens: 4096",
        "tokenizer = AutoTokenizer.from_pretrained(\"acme/model-7b-v2\")",
        "csrf_token_field_name = \"csrfmiddlewaretoken2\"",
        "secretName: my-service-credentials-v2",
        "token_url: https://auth.example.com/oauth2/v2/token",
        "password_hash: $2b$12$KIXQ4W8vXz9cN5sT1aB3eOu7yLrPq2mVd6fGhJkZxCvBnMlKjHgFd",
        "apiKey: config.services.payments.apiKeyV2",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ana@example.com",
        "PASSWORD_RESET_TIMEOUT_DAYS=3",
    ] {
        let found = Secrets.scan(text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn redaction_leaves_the_rest_as_it_was() {
    let text = "curl -H 'X-Key: ghp_0123456789abcdefghijABCDEFGHIJ012345' https://api.example.com # über";
    assert_eq!(redact(text), "curl -H 'X-Key: [redacted:github-token]' https://api.example.com # über");
    assert!(matches!(redact("nothing here"), Cow::Borrowed(_)));
}
