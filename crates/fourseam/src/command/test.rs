//! `fourseam test`: runs the cases inside rules, one's own and the built-in ones.

use super::lint::files;
use crate::clock;
use crate::exit::{Failure, Outcome};
use crate::policy::LayerFile;
use fourseam_core::decision::Decision;
use fourseam_core::policy::{Case, Level, Policy, Rule, Source, compile, decide_case, read_rules, try_rule};
use fourseam_packs::{builtin, knowledge, packs};
use std::io::Write;

/// Arguments of `test`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A policy file [default: the built-in packs and every layer's file]
    file: Option<String>,
    /// Also count, and measure how often routine commands are asked about
    #[arg(long)]
    stats: bool,
}

/// Prints every case that does not come out as written. Exit code 0 none, 2 some.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let files = files(args.file.as_deref())?;
    let sources: Vec<Source<'_>> = files.iter().map(LayerFile::source).collect();
    let builtin = builtin();
    let compiled = compile(&sources, &[&builtin]);
    let mut out = anstream::stdout().lock();
    let errors: Vec<_> = compiled.diagnostics.iter().filter(|problem| problem.level == Level::Error).collect();
    for error in &errors {
        writeln!(out, "{error}\n")?;
    }
    let policy = Policy::new(vec![builtin, compiled.set], Some(clock::today())).with_previews();
    let mut groups: Vec<(String, Vec<Rule>)> = Vec::new();
    if args.file.is_none() {
        groups.extend(packs::read_all().into_iter().map(|(pack, _)| (pack.name, pack.rules)));
    }
    groups.extend(sources.iter().map(|source| (source.file.to_owned(), read_rules(source).0)));
    let mut tally = Tally::default();
    for (name, rules) in &groups {
        let before = tally;
        for rule in rules {
            for miss in try_rule(rule, &policy, knowledge()) {
                tally.wrong += 1;
                writeln!(out, "{miss}")?;
            }
            tally.add(rule);
        }
        if args.stats {
            writeln!(out, "{name}: {}", tally.since(before))?;
        }
    }
    if args.stats {
        print_routine(&mut out, &policy)?;
    }
    writeln!(out, "{tally}")?;
    Ok(if tally.wrong == 0 && errors.is_empty() { Outcome::Done } else { Outcome::Errors })
}

/// How often the policy stops routine commands, and how often for want of understanding.
fn print_routine(out: &mut dyn Write, policy: &Policy) -> Result<(), Failure> {
    let cases: Vec<Case> = packs::routine_cases();
    let (mut stopped, mut opaque) = (0, 0);
    for case in &cases {
        let verdict = decide_case(case, policy, knowledge());
        if verdict.decision() < Decision::Ask {
            continue;
        }
        stopped += 1;
        opaque += usize::from(verdict.reasons().iter().any(|reason| reason.rule.starts_with("opaque/")));
        let rules: Vec<&str> = verdict.reasons().iter().map(|reason| reason.rule.as_str()).collect();
        writeln!(out, "routine: {} by {}: {}", verdict.decision().word(), rules.join(", "), case.label)?;
    }
    let rate = |count: usize| format!("{:.1} %", percent(count, cases.len()));
    let (all, stopped_rate, opaque_rate) = (cases.len(), rate(stopped), rate(opaque));
    writeln!(
        out,
        "{all} routine commands: {stopped} stopped ({stopped_rate}), {opaque} by pack opaque ({opaque_rate})"
    )?;
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases are small")]
fn percent(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { count as f64 * 100.0 / of as f64 }
}

/// Counts of rules and cases.
#[derive(Clone, Copy, Default)]
struct Tally {
    rules: usize,
    hits: usize,
    misses: usize,
    gaps: usize,
    wrong: usize,
}

impl Tally {
    fn add(&mut self, rule: &Rule) {
        self.rules += 1;
        self.hits += rule.cases.hit.len();
        self.misses += rule.cases.miss.len();
        self.gaps += rule.cases.gap.len();
    }

    fn since(self, before: Self) -> Self {
        Self {
            rules: self.rules - before.rules,
            hits: self.hits - before.hits,
            misses: self.misses - before.misses,
            gaps: self.gaps - before.gaps,
            wrong: self.wrong - before.wrong,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rules, hits, misses, gaps, wrong } = self;
        let plural = if *rules == 1 { "rule" } else { "rules" };
        write!(f, "{rules} {plural}, {} cases ({hits} hit, {misses} miss, {gaps} gap): ", hits + misses + gaps)?;
        if *wrong == 0 { write!(f, "all as written") } else { write!(f, "{wrong} not as written") }
    }
}
