//! `fourseam check`: what the policy thinks of a command, or of a batch of cases.

use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::shell_name::ShellName;
use crate::{hosts, show};
use fourseam_core::decision::Decision;
use fourseam_core::policy::Case;
use fourseam_core::verdict::Verdict;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

/// Arguments of `check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The command line to check
    #[arg(required_unless_present = "batch", allow_hyphen_values = true)]
    command: Option<String>,
    /// Folder the command would run in [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// Shell the command is written for
    #[arg(long, value_enum, default_value = "bash")]
    shell: ShellName,
    /// Also show what this agent would be told
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Check JSON cases, one a line (`-`: standard input), and answer one line each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "cwd", "host", "json"])]
    batch: Option<String>,
}

/// Checks, prints, and says by the exit code what was decided.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    match (&args.batch, &args.command) {
        (Some(file), _) => batch(file),
        (None, Some(command)) => one(command, args),
        (None, None) => Err(Failure::new("nothing to check").help("give a command, or `--batch FILE`")),
    }
}

fn one(command: &str, args: &Args) -> Result<Outcome, Failure> {
    let cwd = match &args.cwd {
        Some(folder) => std::path::absolute(folder)?.to_string_lossy().into_owned(),
        None => std::env::current_dir()?.to_string_lossy().into_owned(),
    };
    let host = args.host.as_deref().map(hosts::named).transpose()?;
    let engine = Engine::by_hand(Some(&cwd))?;
    let case = Case::of_command(command, args.shell.dialect(), Some(cwd));
    let verdict = engine.verdict_of_case(&case);
    let told = host.map(|host| (host, hosts::tell(host, host.default_event(), verdict.clone(), engine.settings())));
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut value = verdict_json(&verdict);
        if let (Value::Object(map), Some((host, reply))) = (&mut value, &told) {
            let reply = json!({"host": host.id(), "event": host.default_event().name, "stdout": reply.stdout,
                "stderr": reply.stderr, "exit": reply.exit});
            map.insert("reply".to_owned(), reply);
        }
        writeln!(out, "{value}")?;
    } else {
        show::verdict(&mut out, command, &verdict)?;
        if let Some((host, reply)) = told {
            show::reply(&mut out, host, host.default_event().name, &reply)?;
        }
    }
    Ok(outcome_of(verdict.decision()))
}

fn batch(file: &str) -> Result<Outcome, Failure> {
    let input: Box<dyn BufRead> = if file == "-" {
        Box::new(io::stdin().lock())
    } else {
        let opened = File::open(file).map_err(|error| Failure::new(format!("cannot open `{file}`: {error}")))?;
        Box::new(BufReader::new(opened))
    };
    let engine = Engine::by_hand(None)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut outcome = Outcome::Done;
    for (number, line) in input.lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match Case::of_json(&line) {
            Ok(case) => {
                let verdict = engine.verdict_of_case(&case);
                let mut answer = verdict_json(&verdict);
                if let Value::Object(map) = &mut answer {
                    map.insert("id".to_owned(), case.id);
                }
                writeln!(out, "{answer}")?;
            }
            Err(trouble) => {
                outcome = Outcome::Failed;
                writeln!(anstream::stderr(), "error: {file}:{}: {trouble}", number + 1)?;
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

/// The stable form of a verdict: decision, rule ids, the first reason's message, and all reasons.
fn verdict_json(verdict: &Verdict) -> Value {
    let rules: Vec<&str> = verdict.reasons().iter().map(|reason| reason.rule.as_str()).collect();
    json!({
        "decision": verdict.decision(),
        "rules": rules,
        "reason": verdict.reasons().first().map_or("", |reason| reason.message.as_str()),
        "reasons": verdict.reasons(),
    })
}

fn outcome_of(decision: Decision) -> Outcome {
    match decision {
        Decision::Abstain | Decision::Allow => Outcome::Done,
        Decision::Ask => Outcome::Ask,
        Decision::Deny => Outcome::Deny,
    }
}
