//! A report as one page that needs nothing else: no script, no font, no picture from elsewhere.

use super::{Counts, Report, ms};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of a table.
const MOST: usize = 25;
/// Height of the chart of days, in its own units.
const HEIGHT: usize = 120;

/// The page.
pub(crate) fn page(report: &Report) -> String {
    let mut page = String::new();
    let Report { from, to, judged, micros, judge, .. } = report;
    let _ = write!(
        page,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>fourseam report</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <style>{STYLE}</style></head><body><h1>fourseam report</h1><p>{} to {}</p>",
        escaped(from.get(..16).unwrap_or(from)),
        escaped(to.get(..16).unwrap_or(to)),
    );
    tiles(
        &mut page,
        &[
            ("tool calls", judged.all.to_string()),
            ("refused", judged.denied.to_string()),
            ("asked about", judged.asked.to_string()),
            ("prompts saved", judged.allowed.to_string()),
            ("p50", ms(micros.p50)),
            ("p99", ms(micros.p99)),
        ],
    );
    days(&mut page, &report.days);
    bars(&mut page, "By agent", &report.agents);
    bars(&mut page, "By tool", &report.tools);
    bars(&mut page, "By project", &report.projects);
    let mut rules: Vec<_> = report.rules.iter().collect();
    rules.sort_by_key(|(id, matches)| (std::cmp::Reverse(matches.decided), id.to_string()));
    let rules =
        rules.iter().map(|(id, matches)| vec![id.to_string(), matches.decided.to_string(), matches.tried.to_string()]);
    table(&mut page, "Rules", &["rule", "decided", "only tried out"], rules.collect());
    let refused = report
        .refused
        .iter()
        .map(|it| vec![it.action.clone(), it.rule.clone(), it.count.to_string(), it.ran_later.to_string()]);
    table(&mut page, "Refused", &["action", "rule", "times", "ran later"], refused.collect());
    let pair = |(name, count): (&String, &usize)| vec![name.clone(), count.to_string()];
    table(
        &mut page,
        "Found in results, prompts and answers",
        &["pack", "times"],
        report.findings.iter().map(pair).collect(),
    );
    table(&mut page, "Went on without a verdict", &["trouble", "times"], report.failed_open.iter().map(pair).collect());
    if judge.asked > 0 {
        page.push_str("<h2>Judge</h2>");
        tiles(
            &mut page,
            &[
                ("asked", judge.asked.to_string()),
                ("from the cache", judge.cached.to_string()),
                ("failed", judge.failed.to_string()),
                ("cost", format!("${:.4}", judge.cost)),
                ("p50", ms(judge.micros.p50)),
                ("p95", ms(judge.micros.p95)),
            ],
        );
    }
    for agent in &report.no_edits {
        let _ = write!(
            page,
            "<p class=\"warning\">{} has commands and no edit in the log: run <code>fourseam doctor</code>.</p>",
            escaped(agent)
        );
    }
    page.push_str("</body></html>\n");
    page
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2024;background:#fff}\
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{color:#60646c}\
.tiles{display:flex;flex-wrap:wrap;gap:.75rem}.tile{flex:1 1 7rem;border:1px solid #d9d9e0;border-radius:.5rem;padding:.6rem .8rem}\
.tile b{display:block;font-size:1.35rem}.tile span{color:#60646c;font-size:.85rem}\
table{border-collapse:collapse;width:100%;table-layout:fixed}th,td{text-align:left;padding:.3rem .5rem;border-bottom:1px solid #e8e8ec;overflow-wrap:anywhere;vertical-align:top}\
th{font-weight:600;color:#60646c;font-size:.85rem}th:first-child{width:55%}td+td{font-variant-numeric:tabular-nums}\
svg{width:100%;height:auto}.deny{fill:#ce2c31}.ask{fill:#e2a336}.rest{fill:#c8d3e0}.warning{color:#ce2c31}\
.key span{margin-right:1rem;color:#60646c;font-size:.85rem}.key i{display:inline-block;width:.7rem;height:.7rem;border-radius:.15rem;margin-right:.3rem}\
@media(prefers-color-scheme:dark){body{background:#111113;color:#edeef0}.tile,th,td{border-color:#363a3f}.rest{fill:#4a5568}}";

fn tiles(page: &mut String, tiles: &[(&str, String)]) {
    page.push_str("<div class=\"tiles\">");
    for (name, value) in tiles {
        let _ = write!(page, "<div class=\"tile\"><b>{}</b><span>{}</span></div>", escaped(value), escaped(name));
    }
    page.push_str("</div>");
}

const KEY: &str = "<p class=\"key\"><span><i style=\"background:#ce2c31\"></i>refused</span><span><i style=\"background:#e2a336\"></i>asked about</span>\
<span><i style=\"background:#c8d3e0\"></i>left to the agent or allowed</span></p>";

/// One column a day.
fn days(page: &mut String, days: &BTreeMap<String, Counts>) {
    let most = days.values().map(|counts| counts.all).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let days: Vec<_> = days.iter().rev().take(90).collect();
    let width = 10;
    let _ = write!(
        page,
        "<h2>By day</h2>{KEY}<svg viewBox=\"0 0 {} {}\" role=\"img\">",
        (days.len() * width).max(300),
        HEIGHT + 14
    );
    for (index, (day, counts)) in days.iter().rev().enumerate() {
        let mut top = HEIGHT;
        let rest = counts.all.saturating_sub(counts.denied + counts.asked);
        let _ = write!(page, "<g><title>{}: {}</title>", escaped(day), escaped(&words(counts)));
        for (class, count) in [("rest", rest), ("ask", counts.asked), ("deny", counts.denied)] {
            // What happened at all is to be seen.
            let height = if count == 0 { 0 } else { (count * HEIGHT / most).max(1) };
            top = top.saturating_sub(height);
            let _ = write!(
                page,
                "<rect class=\"{class}\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{height}\"/>",
                index * width + 1,
                width - 2
            );
        }
        page.push_str("</g>");
    }
    page.push_str("</svg>");
}

/// One bar a name.
fn bars(page: &mut String, title: &str, map: &BTreeMap<String, Counts>) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.all), name.to_string()));
    let Some(most) = entries.first().map(|(_, counts)| counts.all.max(1)) else { return };
    let _ = write!(page, "<h2>{}</h2>{KEY}<table><tbody>", escaped(title));
    for (name, counts) in entries.iter().take(MOST) {
        let share = |count: usize| if count == 0 { 0 } else { (count * 300 / most).max(1) };
        let (denied, asked) = (share(counts.denied), share(counts.asked));
        let rest = share(counts.all.saturating_sub(counts.denied + counts.asked));
        let _ = write!(
            page,
            "<tr><td>{}<svg viewBox=\"0 0 302 8\" preserveAspectRatio=\"none\" style=\"height:8px\"><rect class=\"deny\" width=\"{denied}\" height=\"8\"/>\
             <rect class=\"ask\" x=\"{denied}\" width=\"{asked}\" height=\"8\"/><rect class=\"rest\" x=\"{}\" width=\"{rest}\" height=\"8\"/></svg></td><td>{}</td></tr>",
            escaped(name),
            denied + asked,
            escaped(&words(counts)),
        );
    }
    page.push_str("</tbody></table>");
}

fn table(page: &mut String, title: &str, head: &[&str], rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(page, "<h2>{}</h2><table><thead><tr>", escaped(title));
    for name in head {
        let _ = write!(page, "<th>{}</th>", escaped(name));
    }
    page.push_str("</tr></thead><tbody>");
    for row in rows.iter().take(MOST) {
        page.push_str("<tr>");
        for cell in row {
            let _ = write!(page, "<td>{}</td>", escaped(cell));
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table>");
    if rows.len() > MOST {
        let _ = write!(page, "<p>and {} more</p>", rows.len() - MOST);
    }
}

fn words(counts: &Counts) -> String {
    let Counts { all, asked, denied, allowed, .. } = counts;
    let mut text = format!("{all} calls, {denied} refused, {asked} asked about");
    if *allowed > 0 {
        let _ = write!(text, ", {allowed} allowed");
    }
    text
}

/// Text as HTML shows it: it may come from an attacker.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
