//! Payload bytes to JSON, leniently: hosts and operating systems add byte order marks, raw control characters
//! and halves of surrogate pairs. What still is no JSON is an error, never a guess.

use serde_json::Value;

/// Reads one JSON value.
///
/// # Errors
/// What is wrong, with line and column.
pub(crate) fn parse_lenient(bytes: &[u8]) -> Result<Value, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("empty input".to_owned());
    }
    serde_json::from_slice(bytes).or_else(|strict| {
        let repaired = repair(&String::from_utf8_lossy(bytes));
        // The strict error tells the place in what was sent; the repaired text is ours.
        serde_json::from_str(&repaired).map_err(|_| format!("not JSON: {strict}"))
    })
}

/// Escapes raw control characters in strings and replaces unpaired surrogate escapes.
fn repair(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars();
    let mut in_string = false;
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '\\' if in_string => escape(&mut rest, &mut out),
            c if in_string && (c as u32) < 0x20 => {
                out.push_str(if (c as u32) < 0x10 { "\\u000" } else { "\\u001" });
                out.extend(char::from_digit(c as u32 % 16, 16));
            }
            // Outside of strings a NUL is padding.
            '\0' => {}
            c => out.push(c),
        }
    }
    out
}

/// Copies one escape, the backslash already read.
fn escape(rest: &mut std::str::Chars<'_>, out: &mut String) {
    match hex_escape(rest.as_str()) {
        Some(high @ 0xD800..=0xDBFF) => {
            skip(rest, 5);
            match rest.as_str().strip_prefix('\\').and_then(hex_escape) {
                Some(low @ 0xDC00..=0xDFFF) => {
                    skip(rest, 6);
                    out.push_str(&format!("\\u{high:04x}\\u{low:04x}"));
                }
                _ => out.push_str("\\ufffd"),
            }
        }
        Some(0xDC00..=0xDFFF) => {
            skip(rest, 5);
            out.push_str("\\ufffd");
        }
        Some(_) | None => {
            out.push('\\');
            out.extend(rest.next());
        }
    }
}

/// The number of `uXXXX` at the start of a text.
fn hex_escape(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('u')?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

fn skip(rest: &mut std::str::Chars<'_>, count: usize) {
    rest.by_ref().take(count).for_each(drop);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_bytes_still_read() {
        for (bytes, want) in [
            (&b"\xef\xbb\xbf {\"a\":1}\r\n"[..], r#"{"a":1}"#),
            (b"{\"a\":\"x\0y\"}", r#"{"a":"x\u0000y"}"#),
            (b"{\"a\":\"x\ty\"}\0\0", r#"{"a":"x\ty"}"#),
            (br#"{"a":"\ud800"}"#, "{\"a\":\"\u{fffd}\"}"),
            (br#"{"a":"\udc00\ud83d\ude00"}"#, "{\"a\":\"\u{fffd}\u{1f600}\"}"),
            (br#"{"a":"\ud83d\u0041 \\ud800"}"#, "{\"a\":\"\u{fffd}A \\\\ud800\"}"),
            (b"{\"a\":\"\xff\xfe\"}", "{\"a\":\"\u{fffd}\u{fffd}\"}"),
        ] {
            let value = parse_lenient(bytes);
            assert_eq!(value.map(|value| value.to_string()), Ok(want.to_owned()), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_json_is_an_error_with_its_place() {
        for (bytes, want) in [
            (&b""[..], "empty input"),
            (b" \n", "empty input"),
            (b"{\"a\":", "not JSON: EOF while parsing a value at line 1 column 5"),
            (b"{} {}", "not JSON: trailing characters at line 1 column 4"),
        ] {
            assert_eq!(parse_lenient(bytes), Err(want.to_owned()));
        }
        let deep = "[".repeat(100_000);
        assert!(parse_lenient(deep.as_bytes()).is_err_and(|error| error.contains("recursion limit")));
    }
}
