//! Addresses that carry data out: a placeholder for the conversation in a picture's address.

/// How much a placeholder in an address of the text tells. The text is a view (lower case).
pub(super) fn placeholder_weight(text: &str) -> f32 {
    let mut best: f32 = 0.0;
    for (at, _) in text.match_indices("://") {
        let is_picture = text.get(..at).is_some_and(|before| {
            let line = before.rsplit('\n').next().unwrap_or(before);
            line.rfind("](").is_some_and(|link| line.get(..link).is_some_and(|alt| alt.contains("![")))
                || line.contains("src=")
        });
        let address = text.get(at + 3..).unwrap_or_default();
        let Some(query) = query_of(address) else { continue };
        let Some(value) = placeholder_in(query) else { continue };
        let names_data = DATA.iter().any(|word| value.contains(word));
        let weight = match (names_data, is_picture) {
            (true, true) => 2.0,
            (true, false) => 1.5,
            (false, true) => 0.75,
            (false, false) => 0.25,
        };
        best = best.max(weight);
    }
    best
}

/// What a placeholder may stand for that is nobody else's business.
const DATA: &[&str] = &[
    "conversation",
    "chat",
    "history",
    "user",
    "question",
    "prompt",
    "data",
    "secret",
    "token",
    "env",
    "password",
    "key",
    "email",
    "e-mail",
    "file",
    "content",
    "message",
    "summary",
    "answer",
    "context",
    "session",
    "cookie",
    "name",
    "base64",
    "encoded",
    "text",
    "credentials",
    "output",
];

/// From `?`, or the last `/`, to the end of the address; braces may hold blanks.
fn query_of(address: &str) -> Option<&str> {
    let mut depth = 0_i32;
    let mut end = address.len();
    for (at, c) in address.char_indices().take(300) {
        match c {
            '<' | '[' | '{' => depth += 1,
            '>' | ']' | '}' if depth > 0 => depth -= 1,
            ' ' | '\n' | '"' | '\'' | ')' | '>' | ']' if depth == 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let address = address.get(..end)?;
    let start = address.find('?').or_else(|| address.find('/'))?;
    address.get(start + 1..)
}

/// The placeholder itself: `{{...}}`, `<...>`, `[...]`, `${...}`, `{...}`, `url-encoded-user-question`.
fn placeholder_in(query: &str) -> Option<&str> {
    for (open, close) in [('{', '}'), ('<', '>'), ('[', ']')] {
        if let Some(start) = query.find(open)
            && let Some(length) = query.get(start..).and_then(|rest| rest.find(close))
        {
            return query.get(start..start + length);
        }
    }
    let value = query.rsplit('=').next()?;
    let words: Vec<&str> = value.split(['-', '_', '+', '&']).collect();
    let is_data = words.len() == 2
        && words.iter().any(|word| ["conversation", "chat", "history", "prompt", "secrets"].contains(word));
    let is_named = (words.len() >= 3 || is_data)
        && words.iter().all(|word| {
            word.len() >= 2
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
    (is_named && query.contains('=')).then_some(value)
}
