//! Records in the forms of other tools.

use super::Row;
use crate::show;
use std::io::{self, Write};

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The records as they are, one JSON object a line
    Jsonl,
    /// A table with a line of names, quoted as RFC 4180 says
    Csv,
}

const COLUMNS: [&str; 20] = [
    "seq", "time", "agent", "event", "session", "agent_id", "call_id", "project", "tool", "action", "decision", "told",
    "rules", "reason", "matched", "mode", "policy", "troubles", "micros", "version",
];

impl Format {
    /// What comes before the first record.
    pub(crate) fn begin(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Jsonl => Ok(()),
            Self::Csv => write!(out, "{}\r\n", COLUMNS.join(",")),
        }
    }

    /// One record.
    pub(crate) fn row(self, out: &mut dyn Write, row: &Row) -> io::Result<()> {
        match self {
            Self::Jsonl => out.write_all(row.record.line(&row.link)?.as_bytes()),
            Self::Csv => csv(out, row),
        }
    }
}

fn csv(out: &mut dyn Write, Row { link, record }: &Row) -> io::Result<()> {
    let maybe = |text: &Option<String>| text.clone().unwrap_or_default();
    let cells: [String; COLUMNS.len()] = [
        link.seq.to_string(),
        record.time.clone(),
        record.agent.clone(),
        record.event.clone(),
        maybe(&record.session),
        maybe(&record.agent_id),
        maybe(&record.call_id),
        maybe(&record.project),
        maybe(&record.tool),
        show::action(&record.action).unwrap_or_default(),
        record.decision.word().to_owned(),
        record.told.word().to_owned(),
        record.rules.join(" "),
        record.reason.clone(),
        record.matched.clone(),
        record.mode.word().to_owned(),
        record.policy.clone(),
        record.troubles.join("; "),
        record.micros.to_string(),
        record.version.clone(),
    ];
    write!(out, "{}\r\n", cells.map(|text| cell(&text)).join(","))
}

/// A cell. What a spreadsheet would take for a formula gets an apostrophe before it.
fn cell(text: &str) -> String {
    let guarded = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if guarded.contains([',', '"', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        for (text, want) in [
            ("ls -l", "ls -l"),
            ("a,b", "\"a,b\""),
            ("say \"x\"\nnext", "\"say \"\"x\"\"\nnext\""),
            ("=1+1", "'=1+1"),
            ("-x, y", "\"'-x, y\""),
            ("", ""),
        ] {
            assert_eq!(cell(text), want);
        }
    }
}
