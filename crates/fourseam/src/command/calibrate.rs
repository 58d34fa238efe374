//! `fourseam calibrate`: the log under a candidate policy, and the judge's answers under other thresholds. Changes
//! nothing. Lists every action that would newly pass; exit code 1 when there is one.

use crate::audit::Filter;
use crate::clock;
use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::file;
use crate::history::{
    self,
    calibrate::{Answered, Change, Comparer, Comparison, Setting, WORDS, interval, under},
};
use crate::show::{decision, one_line};
use fourseam_core::judge::Thresholds;
use fourseam_core::policy::{Layer, Policy, Source, compile};
use fourseam_core::record::Record;
use fourseam_packs::builtin;
use serde_json::json;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Largest policy that is read.
const LARGEST: usize = 2 * 1024 * 1024;

/// Arguments of `calibrate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: Filter,
    /// A policy to compare with, in place of your own layer
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Thresholds of the judge to try, beside the usual ones
    #[arg(long, value_name = "SHARE", value_parser = share)]
    allow_max: Option<f64>,
    /// As above
    #[arg(long, value_name = "SHARE", value_parser = share)]
    risk_max: Option<f64>,
    /// As above
    #[arg(long, value_name = "SHARE", value_parser = share)]
    deny_min: Option<f64>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("a share is from 0.0 to 1.0".to_owned()) }
}

/// Compares and shows.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let engine = Engine::by_hand(None)?;
    let candidate = args.policy.as_deref().map(candidate).transpose()?;
    let mut comparer = candidate.as_ref().map(|candidate| Comparer::new(engine.policy(), candidate));
    let mut judged: Vec<Record> = Vec::new();
    let mut ran: HashSet<(String, String)> = HashSet::new();
    for row in history::rows()?.flatten().filter(|row| args.filter.admits(&row.record)) {
        let record = row.record;
        let gate = fourseam_hosts::find(&record.agent).is_some_and(|host| host.event(&record.event).capabilities.gate);
        if gate && let Some(comparer) = &mut comparer {
            comparer.add(&record);
        }
        if !gate && record.action.get("of").is_some() {
            ran.extend(record.session.zip(record.call_id));
        } else if record.judge.as_ref().is_some_and(|note| note.answer.is_some()) {
            judged.push(record);
        }
    }
    let comparison = comparer.map(Comparer::finish);
    let settings = settings(args, &engine, &judged, &ran)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", json!({ "policy": comparison, "judge": settings }))?;
    } else {
        print(&mut out, comparison.as_ref(), &settings)?;
    }
    let loosens = comparison.is_some_and(|comparison| !comparison.looser.is_empty());
    Ok(if loosens { Outcome::Warnings } else { Outcome::Done })
}

/// The built-in rules with a policy file in place of the user's.
fn candidate(path: &Path) -> Result<Policy, Failure> {
    let name = path.display().to_string();
    let text =
        file::read_text(path, LARGEST).map_err(|error| Failure::new(format!("cannot read `{name}`: {error}")))?;
    let builtin = builtin();
    let compiled = compile(&[Source { layer: Layer::User, file: &name, text: &text, trusted: true }], &[&builtin]);
    if !compiled.broken.is_empty() {
        return Err(Failure::new(format!("`{name}` has errors")).help(format!("`fourseam lint {name}` shows them")));
    }
    Ok(Policy::new(vec![builtin, compiled.set], Some(clock::today())))
}

/// The judge's answers under several thresholds, the ones in force first.
fn settings(
    args: &Args,
    engine: &Engine,
    judged: &[Record],
    ran: &HashSet<(String, String)>,
) -> Result<Vec<Setting>, Failure> {
    if judged.is_empty() {
        return Ok(Vec::new());
    }
    let questions =
        fourseam_packs::questions().ok_or_else(|| Failure::new("this build has no questions for a judge"))?;
    let did_run =
        |record: &Record| record.session.clone().zip(record.call_id.clone()).is_some_and(|call| ran.contains(&call));
    let answered: Vec<Answered<'_>> =
        judged.iter().filter_map(|record| Answered::of(record, &questions, did_run(record))).collect();
    let now = engine.judge().map(|judge| judge.thresholds).unwrap_or_default();
    let wanted = Thresholds {
        allow_max: args.allow_max.unwrap_or(now.allow_max),
        risk_max: args.risk_max.unwrap_or(now.risk_max),
        deny_min: args.deny_min.unwrap_or(now.deny_min),
        ..now
    };
    let mut tried = vec![now, wanted];
    for (allow_max, risk_max) in [(0.02, 0.2), (0.05, 0.3), (0.15, 0.4), (0.2, 0.5), (0.3, 0.5)] {
        tried.push(Thresholds { allow_max, risk_max, ..wanted });
    }
    tried.dedup();
    Ok(tried.into_iter().map(|thresholds| under(thresholds, &answered)).collect())
}

fn print(out: &mut dyn Write, comparison: Option<&Comparison>, settings: &[Setting]) -> io::Result<()> {
    if let Some(comparison) = comparison {
        let Comparison { calls, left_out, before, after, looser, stricter } = comparison;
        writeln!(
            out,
            "{calls} tool calls decided under both policies, {left_out} left out (cut or of an unknown form)"
        )?;
        for (word, (before, after)) in WORDS.iter().zip(before.iter().zip(after)) {
            let (low, high) = interval(*after, *calls);
            let percent = format!("{low:.2} to {high:.2} %");
            writeln!(
                out,
                "{:<8} now {before:>7}  then {after:>7}  (95 % interval of the share: {percent})",
                word.word()
            )?;
        }
        changes(out, "would newly pass", looser)?;
        changes(out, "would newly be stopped", stricter)?;
    } else {
        writeln!(out, "name a policy to compare with: `fourseam calibrate --policy FILE`")?;
    }
    if settings.is_empty() {
        return writeln!(out, "no answer of a judge is on record");
    }
    writeln!(out, "judge: allow_max risk_max deny_min | allowed  asked denied   none | of the allowed ran")?;
    for setting in settings {
        let Setting { allow_max, risk_max, deny_min, allowed, asked, denied, none, allowed_that_ran } = setting;
        let (low, high) = interval(*allowed_that_ran, *allowed);
        writeln!(
            out,
            "       {allow_max:>9.2} {risk_max:>8.2} {deny_min:>8.2} | {allowed:>7} {asked:>6} {denied:>6} {none:>6} | \
             {allowed_that_ran} ({low:.0} to {high:.0} %)"
        )?;
    }
    Ok(())
}

fn changes(out: &mut dyn Write, title: &str, changes: &[Change]) -> io::Result<()> {
    writeln!(out, "{title}: {}", changes.len())?;
    for Change { action, count, before, after, rule } in changes {
        writeln!(out, "  {} -> {}  {count}x  {rule}  {}", decision(*before), decision(*after), one_line(action))?;
    }
    Ok(())
}
