//! Text for people on a terminal. Colours only there: the writers handed in strip them elsewhere.

mod analysis;
mod pending;
#[cfg(feature = "prove")]
mod proof;
mod record;
mod script;

pub(crate) use analysis::analysis;
pub(crate) use pending::pending;
#[cfg(feature = "prove")]
pub(crate) use proof::{proof, proof_as_markdown};
pub(crate) use record::{action, record};
pub(crate) use script::script;

use anstyle::{AnsiColor, Style};
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Verdict;
use fourseam_hosts::{Host, Reply};
use std::io::{self, Write};

/// A decision, its reasons, and safer ways.
pub(crate) fn verdict(out: &mut dyn Write, command: &str, verdict: &Verdict) -> io::Result<()> {
    writeln!(out, "{}  {}", decision(verdict.decision()), one_line(command))?;
    for reason in verdict.reasons() {
        writeln!(out, "  {}  {}", decision(reason.decision), reason.rule)?;
        writeln!(out, "    {}", reason.message)?;
        if !reason.matched.is_empty() {
            writeln!(out, "    matched: {}", one_line(&reason.matched))?;
        }
        if let Some(instead) = &reason.instead {
            writeln!(out, "    instead: {instead}")?;
        }
    }
    Ok(())
}

/// The bytes a host gets.
pub(crate) fn reply(out: &mut dyn Write, host: &dyn Host, event: &str, reply: &Reply) -> io::Result<()> {
    writeln!(out, "{} at {event}: exit {}", host.title(), reply.exit)?;
    writeln!(out, "  stdout: {}", or_nothing(&reply.stdout))?;
    writeln!(out, "  stderr: {}", or_nothing(&reply.stderr))
}

/// A decision, in its colour.
pub(crate) fn decision(decision: Decision) -> String {
    let colour = match decision {
        Decision::Abstain => AnsiColor::BrightBlack,
        Decision::Allow => AnsiColor::Green,
        Decision::Ask => AnsiColor::Yellow,
        Decision::Deny => AnsiColor::Red,
    };
    painted(decision.word(), Style::new().fg_color(Some(colour.into())).bold())
}

/// A word in a style.
pub(crate) fn painted(word: &str, style: Style) -> String {
    format!("{style}{word}{style:#}")
}

/// A text that matters less.
fn dim(text: &str) -> String {
    if text.is_empty() { String::new() } else { painted(text, Style::new().dimmed()) }
}

/// The word that a plain enum variant has in JSON.
fn word_of(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The first characters of a text, marked where there are more.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(most).collect();
    if chars.next().is_some() { format!("{head}...") } else { head }
}

/// Text on one line, control characters and those that are not seen made visible, so that a text cannot draw on the
/// terminal or say something else than it shows.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().flat_map(|c| if is_unseen(c) { c.escape_default().collect() } else { vec![c] }).collect()
}

/// Controls, marks of direction, characters without width, tags.
fn is_unseen(c: char) -> bool {
    let unseen = ['\u{ad}', '\u{61c}', '\u{180e}', '\u{2028}', '\u{2029}', '\u{3164}', '\u{feff}'];
    let ranges = ['\u{200b}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2060}'..='\u{206f}', '\u{e0000}'..='\u{e01ef}'];
    c.is_control() || unseen.contains(&c) || ranges.iter().any(|range| range.contains(&c))
}

fn or_nothing(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { "(nothing)".to_owned() } else { one_line(text) }
}
