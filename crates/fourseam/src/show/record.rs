//! A record of the log on one line.

use super::{decision, dim, one_line, shortened};
use crate::audit::Row;
use fourseam_core::record::Record;
use serde_json::Value;
use std::io::{self, Write};

/// Characters of the action that are shown.
const WIDTH: usize = 100;

/// Number, time, agent, decision, the strongest rule, and what the agent wanted to do.
pub(crate) fn record(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let Row { link, record } = row;
    let time = record.time.get(..19).unwrap_or(&record.time).replace('T', " ");
    let word = record.decision.word();
    // Padded by hand: the colours have a width of their own.
    let space = " ".repeat(8_usize.saturating_sub(word.len()));
    let told = if record.told == record.decision { String::new() } else { format!("told {}: ", record.told.word()) };
    let rule = record.rules.first().map(|rule| format!("{rule}: ")).unwrap_or_default();
    let (number, agent) = (link.seq, &record.agent);
    let what = one_line(&shortened(&what(record), WIDTH));
    writeln!(
        out,
        "{number:>6}  {}  {agent:<12} {}{space}{}{rule}{what}",
        dim(&time),
        decision(record.decision),
        dim(&told)
    )
}

/// What the agent wanted to do; of a record without an action, what went wrong.
fn what(record: &Record) -> String {
    let troubles = record.troubles.join("; ");
    match (action(&record.action), troubles.is_empty()) {
        (Some(action), true) => action,
        (Some(action), false) => format!("{action} (trouble: {troubles})"),
        (None, true) => record.event.clone(),
        (None, false) => format!("{}: {troubles}", record.event),
    }
}

/// An action of the log in words; `None` when there is none.
pub(crate) fn action(action: &Value) -> Option<String> {
    let text = |key: &str| action.get(key).and_then(Value::as_str).unwrap_or_default();
    Some(match action.get("action")?.as_str()? {
        "shell" => text("command").to_owned(),
        "file-read" => format!("read {}", text("path")),
        "file-write" => format!("write {}", text("path")),
        "file-edit" => format!("edit {}", text("path")),
        "file-delete" => format!("delete {}", text("path")),
        "patch" => {
            let paths = action.get("operations").and_then(Value::as_array).into_iter().flatten();
            let paths: Vec<&str> = paths.filter_map(|operation| operation.get("path")?.as_str()).collect();
            format!("patch {}", paths.join(", "))
        }
        "web-fetch" => {
            let urls = action.get("urls").and_then(Value::as_array).into_iter().flatten();
            format!("fetch {}", urls.filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
        }
        "web-search" => format!("search {}", text("query")),
        "mcp-call" => format!("mcp {} {}", text("server"), text("tool")),
        "subagent" => format!("sub-agent {}", text("prompt")),
        "prompt" => format!("prompt {}", text("text")),
        "output" => format!("answer {}", text("text")),
        "tool-result" => {
            let of = action.get("of").and_then(self::action).unwrap_or_default();
            format!("result of {of}")
        }
        // Ours or of a later form: named as it is.
        other => format!("{other} {}", text("tool")),
    })
}
