//! `fourseam replay`: what the policy would have said to the tool calls of past sessions. Reads the agents' own session
//! files; nothing is run, changed or sent.

use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::history::Decider;
use crate::history::transcripts::{self, Replayed, Session};
use crate::show::{decision, one_line};
use fourseam_core::decision::Decision;
use fourseam_core::verdict::{Reason, Verdict};
use fourseam_hosts::transcript;
use serde_json::json;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Session files of Claude Code, Codex, Gemini CLI or Qwen Code
    #[arg(required_unless_present = "all")]
    transcripts: Vec<PathBuf>,
    /// Every session file of the agents on this machine
    #[arg(long, conflicts_with = "transcripts")]
    all: bool,
    /// One JSON object a call that would have been asked about or refused
    #[arg(long)]
    json: bool,
    /// Most kinds of calls that are shown
    #[arg(long, value_name = "N", default_value = "40")]
    limit: usize,
}

/// Replays and prints.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let sessions = if args.all {
        transcripts::all()?
    } else {
        args.transcripts.iter().map(|path| transcripts::named(path)).collect::<Result<_, _>>()?
    };
    if sessions.is_empty() {
        return Err(
            Failure::new("there are no session files of a known agent").help("name one: `fourseam replay FILE`")
        );
    }
    let engine = Engine::by_hand(None)?;
    let mut decider = Decider::new(engine.policy());
    let mut tally = Tally::default();
    let mut progress = Progress::new(sessions.len());
    let mut out = anstream::stdout().lock();
    for session in &sessions {
        progress.step();
        match session.calls() {
            Ok(calls) => {
                for replayed in &calls {
                    let verdict = decider.verdict(&replayed.call);
                    tally.add(session, replayed, verdict);
                    if args.json && verdict.decision() >= Decision::Ask {
                        writeln!(out, "{}", as_json(session, replayed, verdict))?;
                    }
                }
            }
            Err(failure) => writeln!(anstream::stderr(), "warning: {failure}")?,
        }
    }
    progress.end();
    if !args.json {
        tally.print(&mut out, args.limit)?;
    }
    Ok(Outcome::Done)
}

fn as_json(session: &Session, replayed: &Replayed, verdict: &Verdict) -> serde_json::Value {
    json!({
        "agent": session.host.id(),
        "file": session.path,
        "time": replayed.time,
        "session": replayed.call.session,
        "tool": replayed.call.tool,
        "action": replayed.call.action,
        "ran": replayed.outcome == transcript::Outcome::Ran,
        "verdict": verdict,
    })
}

/// What was counted.
#[derive(Default)]
struct Tally {
    /// By agent: sessions, and calls by decision.
    agents: BTreeMap<&'static str, (usize, BTreeMap<Decision, usize>)>,
    /// By decision, rule and matched text: how often, and how often it then ran.
    kinds: BTreeMap<(Decision, String, String), (usize, usize)>,
    last: PathBuf,
}

impl Tally {
    fn add(&mut self, session: &Session, replayed: &Replayed, verdict: &Verdict) {
        let (sessions, decisions) = self.agents.entry(session.host.title()).or_default();
        if self.last != session.path {
            self.last.clone_from(&session.path);
            *sessions += 1;
        }
        *decisions.entry(verdict.decision()).or_default() += 1;
        if let Some(Reason { rule, decision, matched, .. }) = verdict.reasons().first()
            && *decision >= Decision::Ask
        {
            let (count, ran) = self.kinds.entry((*decision, rule.clone(), matched.clone())).or_default();
            *count += 1;
            *ran += usize::from(replayed.outcome == transcript::Outcome::Ran);
        }
    }

    fn print(&self, out: &mut dyn Write, limit: usize) -> io::Result<()> {
        for (agent, (sessions, decisions)) in &self.agents {
            let count = |decision: Decision| decisions.get(&decision).copied().unwrap_or_default();
            let calls: usize = decisions.values().sum();
            writeln!(
                out,
                "{agent}: {calls} calls in {sessions} sessions: {} refused, {} asked about, {} left to the agent",
                count(Decision::Deny),
                count(Decision::Ask),
                count(Decision::Abstain) + count(Decision::Allow)
            )?;
        }
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|((kind, rule, _), (count, _))| (Reverse(*kind), Reverse(*count), rule.clone()));
        for ((kind, rule, matched), (count, ran)) in kinds.iter().take(limit) {
            let ran = if *ran > 0 { format!(", {ran} ran") } else { String::new() };
            writeln!(out, "{}  {rule}  {count}x{ran}  {}", decision(*kind), one_line(matched))?;
        }
        if kinds.len() > limit {
            writeln!(out, "... and {} more kinds (`--limit {}`)", kinds.len() - limit, kinds.len())?;
        }
        writeln!(
            out,
            "decided without a look at the files of then; what your git or files would soften is not softened"
        )
    }
}

/// A line on a terminal that says how far it is.
struct Progress {
    of: usize,
    done: usize,
    shown: bool,
}

impl Progress {
    fn new(of: usize) -> Self {
        Self { of, done: 0, shown: io::stderr().is_terminal() && of > 10 }
    }

    fn step(&mut self) {
        self.done += 1;
        if self.shown {
            let width = 30;
            let full = width * self.done / self.of.max(1);
            let bar = format!("{}{}", "#".repeat(full), "-".repeat(width - full.min(width)));
            let _ = write!(anstream::stderr(), "\r{bar} {}/{} sessions", self.done, self.of);
        }
    }

    fn end(&self) {
        if self.shown {
            let _ = write!(anstream::stderr(), "\r{:60}\r", "");
        }
    }
}
