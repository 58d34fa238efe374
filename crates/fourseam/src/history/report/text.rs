//! A report for a terminal.

use super::{Counts, Report, ms};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Lines of a list.
const MOST: usize = 12;

/// Prints a report.
pub(crate) fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let Report { from, to, rows, judged, judge, micros, .. } = report;
    if *rows == 0 {
        return writeln!(out, "nothing is on record for this choice");
    }
    writeln!(out, "{} to {}, {rows} rows", from.get(..16).unwrap_or(from), to.get(..16).unwrap_or(to))?;
    writeln!(out, "tool calls {}", counts(judged))?;
    writeln!(
        out,
        "time       p50 {} p95 {} p99 {} max {}",
        ms(micros.p50),
        ms(micros.p95),
        ms(micros.p99),
        ms(micros.max)
    )?;
    for (title, map) in [("agent", &report.agents), ("tool", &report.tools), ("project", &report.projects)] {
        list(out, title, map)?;
    }
    let mut rules: Vec<_> = report.rules.iter().collect();
    rules.sort_by_key(|(id, matches)| (std::cmp::Reverse(matches.decided + matches.tried), id.to_string()));
    for (id, matches) in rules.iter().take(MOST) {
        let tried = if matches.tried > 0 { format!(" ({} only tried out)", matches.tried) } else { String::new() };
        writeln!(out, "rule       {:>6}  {id}{tried}", matches.decided + matches.tried)?;
    }
    for refused in report.refused.iter().take(MOST) {
        let ran = if refused.ran_later > 0 { format!(" (ran later {}x)", refused.ran_later) } else { String::new() };
        writeln!(out, "refused    {:>6}  {}  [{}]{ran}", refused.count, refused.action, refused.rule)?;
    }
    for (pack, count) in &report.findings {
        writeln!(out, "finding    {count:>6}  {pack}")?;
    }
    if judge.asked > 0 {
        writeln!(
            out,
            "judge      {} asked, {} from the cache, {} failed, ${:.4}, p50 {} p95 {}",
            judge.asked,
            judge.cached,
            judge.failed,
            judge.cost,
            ms(judge.micros.p50),
            ms(judge.micros.p95)
        )?;
    }
    for (trouble, count) in &report.failed_open {
        writeln!(out, "went on    {count:>6}  without a verdict: {trouble}")?;
    }
    for agent in &report.no_edits {
        writeln!(out, "warning    {agent} has commands and no edit in the log: run `fourseam doctor`")?;
    }
    Ok(())
}

fn list(out: &mut dyn Write, title: &str, map: &BTreeMap<String, Counts>) -> io::Result<()> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.all), name.to_string()));
    for (name, of) in entries.iter().take(MOST) {
        writeln!(out, "{title:<10} {name}: {}", counts(of))?;
    }
    Ok(())
}

fn counts(of: &Counts) -> String {
    let Counts { all, allowed, asked, denied, dry } = of;
    let mut text = format!("{all}, {denied} refused, {asked} asked about");
    if *allowed > 0 {
        text.push_str(&format!(", {allowed} allowed (prompts saved)"));
    }
    if *dry > 0 {
        text.push_str(&format!(", {dry} would have been in another mode"));
    }
    text
}
