//! A refusal for the person who may let it pass: the whole action, so that nothing in it stays unseen.

use super::{decision, dim};
use crate::clock;
use crate::grants::{Pending, UNREAD};
use serde_json::Value;
use std::io::{self, Write};

/// Everything that a grant would be bound to, and why it was refused.
pub(crate) fn pending(out: &mut dyn Write, pending: &Pending) -> io::Result<()> {
    let binding = &pending.binding;
    let none = || "(none)".to_owned();
    writeln!(out, "Refused at {}:", clock::at(pending.at))?;
    writeln!(out, "  agent    {}", plain(&binding.host))?;
    writeln!(out, "  session  {}", binding.session.as_deref().map_or_else(none, plain))?;
    writeln!(out, "  folder   {}", binding.cwd.as_deref().map_or_else(none, plain))?;
    writeln!(out, "  policy   {}", plain(&binding.policy))?;
    for (path, hash) in &binding.scripts {
        let known = if hash == UNREAD { "could not be read" } else { "as it was then" };
        writeln!(out, "  runs     {} {}", plain(path), dim(&format!("({known})")))?;
    }
    writeln!(out, "What would be done:")?;
    action(out, &binding.action)?;
    writeln!(out, "Why it was refused:")?;
    for why in &pending.reasons {
        writeln!(out, "  {}  {}", decision(why.decision), plain(&why.rule))?;
        writeln!(out, "    {}", plain(&why.message))?;
    }
    Ok(())
}

/// Every field of an action, texts whole and line by line behind a bar, so that no text can look like ours.
fn action(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    let mut fields = Vec::new();
    collect("", value, &mut fields);
    for (name, text) in fields {
        let mut lines = text.split('\n');
        let (first, second) = (lines.next().unwrap_or_default(), lines.next());
        match second {
            None => writeln!(out, "  {name}: {}", plain(first))?,
            Some(second) => {
                writeln!(out, "  {name}:")?;
                for line in [first, second].into_iter().chain(lines) {
                    writeln!(out, "    | {}", plain(line))?;
                }
            }
        }
    }
    Ok(())
}

fn collect(name: &str, value: &Value, fields: &mut Vec<(String, String)>) {
    let below = |part: &str| if name.is_empty() { plain(part) } else { format!("{name}.{}", plain(part)) };
    match value {
        Value::Null => {}
        Value::Bool(value) => fields.push((name.to_owned(), value.to_string())),
        Value::Number(number) => fields.push((name.to_owned(), number.to_string())),
        Value::String(text) => fields.push((name.to_owned(), text.clone())),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, it)| collect(&below(&at.to_string()), it, fields))
        }
        Value::Object(entries) => entries.iter().for_each(|(part, it)| collect(&below(part), it, fields)),
    }
}

/// Text in which nothing is hidden and nothing draws on the terminal.
fn plain(text: &str) -> String {
    text.chars().flat_map(|c| if is_hidden(c) { c.escape_unicode().collect() } else { vec![c] }).collect()
}

/// Has no shape of its own, or changes how its neighbours are shown.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;
    use serde_json::json;

    #[test]
    fn every_text_is_shown_whole_and_nothing_hides() {
        let mut out = Vec::new();
        let value = json!({ "action": "shell", "command": "rm -rf /\u{202e}x\u{1b}[2J\nWhy it was refused:\tnothing",
            "edits": [{ "old": "a\u{200b}", "new": "x".repeat(5000) }], "background": false, "cwd": null });
        action(&mut out, &value).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("    | rm -rf /\\u{202e}x\\u{1b}[2J\n    | Why it was refused:\\u{9}nothing\n"),
            "{text}"
        );
        assert!(text.contains("  edits.0.old: a\\u{200b}\n") && text.contains(&"x".repeat(5000)), "{text}");
        assert!(text.lines().all(|line| line.starts_with("  ")), "{text}");
    }
}
