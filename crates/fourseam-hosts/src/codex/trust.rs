//! Codex's trust in our hooks: a table with a hash for each, in the user's `config.toml`. Codex names key and hash when it
//! is asked (`hooks/list` of its app server); a hook without them is skipped without a word.

use crate::install::EditError;
use crate::jsonedit::{BOM, newline, replace};
use crate::tail;
use serde_json::Value;
use toml_edit::Document;

/// File with the trust, beside the hook file of the user.
pub const FILE: &str = "config.toml";

const OPEN: &str = "# >>> fourseam: trust in its hooks";
const CLOSE: &str = "# <<< fourseam";

/// One of our hooks as Codex lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Codex's key: file, event and place in the file.
    pub key: String,
    /// Hash of the hook as it is now.
    pub hash: String,
    /// Whether Codex runs it.
    pub trusted: bool,
}

/// Our hooks in the answer to `hooks/list`, each once.
#[must_use]
pub fn listed(answer: &Value) -> Vec<Listed> {
    let groups = answer.pointer("/result/data").or_else(|| answer.get("data")).and_then(Value::as_array);
    let hooks = groups.into_iter().flatten().filter_map(|group| group.get("hooks")?.as_array()).flatten();
    let mut all: Vec<Listed> = Vec::new();
    for hook in hooks {
        let text = |name: &str| hook.get(name).and_then(Value::as_str);
        let (Some(key), Some(hash)) = (text("key"), text("currentHash")) else { continue };
        if !text("command").is_some_and(tail::is_ours) || all.iter().any(|listed| listed.key == key) {
            continue;
        }
        let trusted = text("trustStatus") == Some("trusted") || hook.get("isManaged") == Some(&Value::Bool(true));
        all.push(Listed { key: key.to_owned(), hash: hash.to_owned(), trusted });
    }
    all
}

/// The text of `config.toml` in which these hooks are trusted as they are now. What the user trusted before keeps its
/// place; the rest comes as one marked block at the end.
///
/// # Errors
/// When the text is not TOML, or has its hook states in a form that cannot be added to.
pub fn trust(current: Option<&str>, hooks: &[Listed]) -> Result<String, EditError> {
    let mut text = match current {
        Some(current) => untrust(current)?.unwrap_or_default(),
        None => String::new(),
    };
    let mut missing = Vec::new();
    for hook in hooks {
        match span_of_hash(&text, &hook.key)? {
            Some(span) => text = replace(&text, span, &quoted(&hook.hash)),
            None => missing.push(hook),
        }
    }
    if missing.is_empty() {
        return Ok(text);
    }
    let newline = newline(&text);
    let mut block = vec![OPEN.to_owned()];
    for hook in missing {
        block.push(format!("[hooks.state.{}]", quoted(&hook.key)));
        block.push(format!("trusted_hash = {}", quoted(&hook.hash)));
    }
    block.push(CLOSE.to_owned());
    // The line break in front is ours, so that a last line without one gets its bytes back.
    let lead = if current.is_none() { "" } else { newline };
    let text = format!("{text}{lead}{}{newline}", block.join(newline));
    parse(&text).map_err(|_| EditError {
        what: "`hooks.state` is written in a form that cannot be added to: trust the hooks with `/hooks` in Codex"
            .to_owned(),
        at: None,
    })?;
    Ok(text)
}

/// The text without our block; `None` when nothing else was in the file that [`trust`] made.
///
/// # Errors
/// When the text is not TOML.
pub fn untrust(current: &str) -> Result<Option<String>, EditError> {
    parse(current)?;
    let Some((before, rest)) = current.split_once(OPEN) else { return Ok(Some(current.to_owned())) };
    let Some((_, after)) = rest.split_once(CLOSE) else {
        return Err(EditError { what: format!("`{OPEN}` has no `{CLOSE}`"), at: None });
    };
    let after = after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n')).unwrap_or(after);
    if before.is_empty() && after.is_empty() {
        return Ok(None);
    }
    let before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before);
    Ok(Some(format!("{before}{after}")))
}

/// Where the hash of a key stands, as bytes of the text.
fn span_of_hash(text: &str, key: &str) -> Result<Option<std::ops::Range<usize>>, EditError> {
    let document = parse(text)?;
    let hash = document.get("hooks").and_then(|hooks| hooks.get("state")?.get(key)?.get("trusted_hash"));
    let skipped = if text.starts_with(BOM) { BOM.len() } else { 0 };
    Ok(hash.and_then(toml_edit::Item::span).map(|span| span.start + skipped..span.end + skipped))
}

fn parse(text: &str) -> Result<Document<&str>, EditError> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    Document::parse(text).map_err(|error| {
        let at = error.span().and_then(|span| text.get(..span.start)).map(|before| {
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            (before.matches('\n').count() + 1, column)
        });
        EditError { what: error.message().to_owned(), at }
    })
}

/// A basic string: JSON's escapes are TOML's too, and it may stand for a key.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;
    use serde_json::json;

    fn hooks(hash: &str) -> Vec<Listed> {
        ["/home/ana/.codex/hooks.json:pre_tool_use:0:0", "/home/ana/it's \"q\"/hooks.json:stop:1:0"]
            .iter()
            .map(|key| Listed { key: (*key).to_owned(), hash: hash.to_owned(), trusted: false })
            .collect()
    }

    fn hash_of(text: &str, key: &str) -> Option<String> {
        let document = parse(text).unwrap();
        Some(document.get("hooks")?.get("state")?.get(key)?.get("trusted_hash")?.as_str()?.to_owned())
    }

    #[test]
    fn trust_comes_and_goes_without_a_trace() {
        for text in [
            "",
            "model = \"x\"",
            "model = \"x\"\n",
            "model = \"x\"\r\n# end\r\n",
            "\u{feff}[a]\nb = 1 # c\n",
            "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[hooks.state.\"other\"]\ntrusted_hash = \"sha256:1\"\n\n\n",
        ] {
            let once = trust(Some(text), &hooks("sha256:aa")).unwrap();
            for hook in hooks("") {
                assert_eq!(hash_of(&once, &hook.key).as_deref(), Some("sha256:aa"), "{once}");
            }
            let again = trust(Some(&once), &hooks("sha256:bb")).unwrap();
            assert_eq!(again, once.replace("sha256:aa", "sha256:bb"));
            assert_eq!(untrust(&again).unwrap().as_deref(), Some(text));
        }
        let new = trust(None, &hooks("sha256:aa")).unwrap();
        assert_eq!(untrust(&new).unwrap(), None);
    }

    proptest::proptest! {
        /// Files of random lines, with and without our hooks' table, a last line break, carriage returns, a mark in front.
        #[test]
        fn any_toml_gets_its_bytes_back(
            lines in proptest::collection::vec(proptest::sample::select(LINES), 0..12),
            crlf in proptest::bool::ANY,
            ended in proptest::bool::ANY,
            bom in proptest::bool::ANY,
        ) {
            let newline = if crlf { "\r\n" } else { "\n" };
            // Names are used once: each line gets one of its own.
            let numbered = lines.iter().enumerate().map(|(at, line)| line.replace('@', &at.to_string()));
            let mut text = numbered.collect::<Vec<_>>().join(newline);
            if ended && !text.is_empty() {
                text.push_str(newline);
            }
            let text = if bom { format!("{BOM}{text}") } else { text };
            proptest::prop_assert!(parse(&text).is_ok(), "{}", text);
            let once = trust(Some(&text), &hooks("sha256:aa")).unwrap();
            for hook in hooks("") {
                proptest::prop_assert_eq!(hash_of(&once, &hook.key), Some("sha256:aa".to_owned()));
            }
            proptest::prop_assert_eq!(&trust(Some(&once), &hooks("sha256:aa")).unwrap(), &once);
            proptest::prop_assert_eq!(untrust(&once).unwrap(), Some(text));
        }
    }

    const LINES: &[&str] = &[
        "",
        "  ",
        "# mine, \"quoted\" = [x]",
        "k@ = 1",
        "  k@   =   'x # no comment'   # one",
        "k@ = [ 1,\n  2, # two\n]",
        "k@ = \"\"\"\n[not.a.table]\n\"\"\"",
        "k@ = { a = 1 }",
        "[t@]",
        "[[hooks.PreToolUse]]",
        "[hooks.state.\"other@\"]",
        "[projects.\"/home/ana/p@\"]",
        "\"k é@\" = 1979-05-27T07:32:00Z",
    ];

    #[test]
    fn a_hash_the_user_trusted_is_renewed_in_its_place() {
        let key = &hooks("").remove(0).key;
        let text = format!("[hooks.state.\"{key}\"]\ntrusted_hash = 'sha256:old' # mine\nenabled = true\n");
        let renewed = trust(Some(&text), &hooks("sha256:new")).unwrap();
        assert!(renewed.starts_with(&text.replace("'sha256:old'", "\"sha256:new\"")), "{renewed}");
        assert_eq!(renewed.matches(key.as_str()).count(), 1);
    }

    #[test]
    fn what_cannot_be_edited_is_said() {
        assert_eq!(trust(Some("a = 1\nb ="), &hooks("x")).unwrap_err().at, Some((2, 4)));
        let inline = trust(Some("hooks = { state = {} }\n"), &hooks("x")).unwrap_err();
        assert!(inline.to_string().contains("/hooks"), "{inline}");
        assert!(untrust(&format!("{OPEN}\n")).is_err());
    }

    #[test]
    fn only_our_hooks_are_listed() {
        let hook = |key: &str, command: &str, status: &str| json!({ "key": key, "command": command, "currentHash": "sha256:1", "trustStatus": status });
        let ours = "/bin/sh -c ': fourseam 1; x'";
        let answer = json!({ "id": 2, "result": { "data": [
            { "hooks": [hook("a", ours, "untrusted"), hook("b", "lint", "untrusted"), hook("c", ours, "trusted")] },
            { "hooks": [hook("a", ours, "untrusted")] },
        ] } });
        let found: Vec<(String, bool)> = listed(&answer).into_iter().map(|hook| (hook.key, hook.trusted)).collect();
        assert_eq!(found, [("a".to_owned(), false), ("c".to_owned(), true)]);
    }
}
