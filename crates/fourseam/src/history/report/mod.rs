//! What the log says of a stretch of time, counted. `text` and `html` show it; as JSON it is this very structure.

mod html;
mod text;

pub(crate) use html::page;
pub(crate) use text::print;

use crate::show;
use fourseam_core::decision::Decision;
use fourseam_core::record::Record;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The counts.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    /// First and last time that is counted.
    pub(crate) from: String,
    pub(crate) to: String,
    /// Rows of the log, hook calls and others.
    pub(crate) rows: usize,
    /// Tool calls before they ran.
    pub(crate) judged: Counts,
    /// The same by agent, tool and project.
    pub(crate) agents: BTreeMap<String, Counts>,
    pub(crate) tools: BTreeMap<String, Counts>,
    pub(crate) projects: BTreeMap<String, Counts>,
    /// The same by day, `YYYY-MM-DD`.
    pub(crate) days: BTreeMap<String, Counts>,
    /// How often each rule decided, and how often it only would have (`mode: dry`).
    pub(crate) rules: BTreeMap<String, Matches>,
    /// Refused actions, most frequent first, and how often each then ran in the same session: by the user's hand, by an
    /// exception, or with the guard off.
    pub(crate) refused: Vec<Refused>,
    /// Results, prompts and answers with a finding, by pack.
    pub(crate) findings: BTreeMap<String, usize>,
    /// Calls that went on although fourseam could not judge them, with what went wrong.
    pub(crate) failed_open: BTreeMap<String, usize>,
    /// Agents with many commands and no edit in the log: their edits are not judged.
    pub(crate) no_edits: Vec<String>,
    /// The judge's work.
    pub(crate) judge: Judge,
    /// Time from start to answer without the judge, in microseconds.
    pub(crate) micros: Percentiles,
}

/// Tool calls by what the agent was told.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    /// All of them.
    pub(crate) all: usize,
    /// Allowed: a prompt saved.
    pub(crate) allowed: usize,
    /// Asked about.
    pub(crate) asked: usize,
    /// Refused.
    pub(crate) denied: usize,
    /// Would have been asked about or refused, but the mode is dry.
    pub(crate) dry: usize,
}

/// How often a rule matched.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Matches {
    /// It decided.
    pub(crate) decided: usize,
    /// It would have.
    pub(crate) tried: usize,
}

/// An action that was refused.
#[derive(Debug, Serialize)]
pub(crate) struct Refused {
    /// In words.
    pub(crate) action: String,
    /// The rule.
    pub(crate) rule: String,
    /// How often.
    pub(crate) count: usize,
    /// How often it ran later in the same session.
    pub(crate) ran_later: usize,
}

/// The judge's work.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Judge {
    /// Questions, those from the cache included.
    pub(crate) asked: usize,
    /// Answered from the cache.
    pub(crate) cached: usize,
    /// Not answered.
    pub(crate) failed: usize,
    /// Dollars.
    pub(crate) cost: f64,
    /// Time of a call, in microseconds.
    pub(crate) micros: Percentiles,
}

/// Of a list of numbers.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Percentiles {
    pub(crate) p50: u64,
    pub(crate) p95: u64,
    pub(crate) p99: u64,
    pub(crate) max: u64,
}

/// Commands of an agent without one edit that mean its edits do not come in.
const MANY_COMMANDS: usize = 50;
/// Refused actions that are kept.
const MOST_REFUSED: usize = 200;
/// Longest text of an action that is kept.
const LONGEST: usize = 160;

/// Counts records, one after the other.
#[derive(Default)]
pub(crate) struct Counter {
    report: Report,
    took: Vec<u32>,
    judge_took: Vec<u32>,
    /// Refused actions, and by rule how often.
    refused: HashMap<String, BTreeMap<String, Refusals>>,
    kinds: BTreeMap<String, [usize; 2]>,
}

#[derive(Default)]
struct Refusals {
    count: usize,
    ran_later: usize,
    /// Sessions that it was refused in.
    sessions: Vec<String>,
}

impl Counter {
    /// Counts a record.
    pub(crate) fn add(&mut self, record: &Record) {
        let report = &mut self.report;
        report.rows += 1;
        if report.from.is_empty() || record.time < report.from {
            report.from.clone_from(&record.time);
        }
        if record.time > report.to {
            report.to.clone_from(&record.time);
        }
        let event = fourseam_hosts::find(&record.agent).map(|host| host.event(&record.event));
        let Some(event) = event else { return };
        if !record.troubles.is_empty() && event.capabilities.gate && record.told == Decision::Abstain {
            let trouble = record.troubles.first().map(|trouble| shortened(trouble)).unwrap_or_default();
            *report.failed_open.entry(trouble).or_default() += 1;
        }
        if let Some(note) = &record.judge {
            report.judge.asked += 1;
            report.judge.cached += usize::from(note.cached);
            report.judge.failed += usize::from(note.trouble.is_some());
            report.judge.cost += note.cost;
            if !note.cached {
                self.judge_took.push(short(note.micros));
            }
        } else {
            self.took.push(short(record.micros));
        }
        for (ids, tried) in [(&record.rules, false), (&record.dry_rules, true)] {
            for id in ids {
                let matches = report.rules.entry(id.clone()).or_default();
                *(if tried { &mut matches.tried } else { &mut matches.decided }) += 1;
            }
        }
        if event.capabilities.gate {
            self.gate(record);
        } else {
            self.watched(record);
        }
    }

    /// A tool call before it runs.
    fn gate(&mut self, record: &Record) {
        let report = &mut self.report;
        let counted = counts(record);
        let day = record.time.get(..10).unwrap_or_default();
        let tool = record.tool.as_deref().unwrap_or("?");
        let project = record.project.as_deref().unwrap_or("?");
        report.judged.add(counted);
        for (map, key) in [
            (&mut report.agents, record.agent.as_str()),
            (&mut report.tools, tool),
            (&mut report.projects, project),
            (&mut report.days, day),
        ] {
            if let Some(counts) = map.get_mut(key) {
                counts.add(counted);
            } else {
                map.insert(key.to_owned(), counted);
            }
        }
        if let Some(kind) = record.action.get("action").and_then(|kind| kind.as_str()) {
            let kinds = self.kinds.entry(record.agent.clone()).or_default();
            let [commands, edits] = kinds;
            match kind {
                "shell" => *commands += 1,
                "file-write" | "file-edit" | "file-delete" | "patch" => *edits += 1,
                _ => {}
            }
        }
        if record.decision == Decision::Deny
            && let (Some(action), Some(rule)) = (show::action(&record.action), record.rules.first())
        {
            let refusals = self.refused.entry(shortened(&action)).or_default().entry(rule.clone()).or_default();
            refusals.count += 1;
            let session = record.session.clone().unwrap_or_default();
            if refusals.sessions.len() < MOST_REFUSED && !refusals.sessions.contains(&session) {
                refusals.sessions.push(session);
            }
        }
    }

    /// A result, a prompt, an answer.
    fn watched(&mut self, record: &Record) {
        if record.decision >= Decision::Ask {
            let packs: std::collections::BTreeSet<&str> =
                record.rules.iter().filter_map(|rule| rule.split('/').next()).collect();
            for pack in packs {
                *self.report.findings.entry(pack.to_owned()).or_default() += 1;
            }
        }
        // A result: what it is of has run.
        let ran = record.action.get("of").filter(|_| record.action.get("failed").is_none_or(|failed| failed != true));
        let Some(action) = ran.and_then(show::action) else { return };
        let session = record.session.as_deref().unwrap_or_default();
        let refusals = self.refused.get_mut(&shortened(&action)).into_iter().flat_map(BTreeMap::values_mut);
        for refusals in refusals.filter(|it| it.sessions.iter().any(|known| known == session)) {
            refusals.ran_later += 1;
        }
    }

    /// The report.
    pub(crate) fn finish(self) -> Report {
        let Self { mut report, took, judge_took, refused, kinds } = self;
        report.micros = Percentiles::of(took);
        report.judge.micros = Percentiles::of(judge_took);
        report.no_edits = (kinds.into_iter())
            .filter(|(_, [commands, edits])| *commands >= MANY_COMMANDS && *edits == 0)
            .map(|(agent, _)| agent)
            .collect();
        report.refused = (refused.into_iter())
            .flat_map(|(action, rules)| rules.into_iter().map(move |(rule, it)| (action.clone(), rule, it)))
            .map(|(action, rule, Refusals { count, ran_later, .. })| Refused { action, rule, count, ran_later })
            .collect();
        report.refused.sort_by(|one, other| (other.count, &one.action).cmp(&(one.count, &other.action)));
        report.refused.truncate(MOST_REFUSED);
        report
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.all += other.all;
        self.allowed += other.allowed;
        self.asked += other.asked;
        self.denied += other.denied;
        self.dry += other.dry;
    }
}

/// What one record counts for.
fn counts(record: &Record) -> Counts {
    let is = |decision| usize::from(record.told == decision);
    Counts {
        all: 1,
        allowed: is(Decision::Allow),
        asked: is(Decision::Ask),
        denied: is(Decision::Deny),
        dry: usize::from(record.told == Decision::Abstain && record.decision >= Decision::Ask),
    }
}

impl Percentiles {
    fn of(mut numbers: Vec<u32>) -> Self {
        numbers.sort_unstable();
        let at = |share: usize| {
            let index = (numbers.len() * share / 100).min(numbers.len().saturating_sub(1));
            numbers.get(index).copied().unwrap_or_default().into()
        };
        Self { p50: at(50), p95: at(95), p99: at(99), max: at(100) }
    }
}

fn short(micros: u64) -> u32 {
    u32::try_from(micros).unwrap_or(u32::MAX)
}

fn shortened(text: &str) -> String {
    show::shortened(&show::one_line(text), LONGEST)
}

/// Microseconds in milliseconds.
fn ms(micros: u64) -> String {
    format!("{}.{} ms", micros / 1000, micros % 1000 / 100)
}
