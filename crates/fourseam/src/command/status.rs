//! `fourseam status`: which agents are wired, to which program, in which mode. Starts nothing and changes nothing;
//! whether an agent really obeys is shown by running it.

use super::mode::describe;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::install::native::{self, Told};
use crate::install::{Around, Ledger, Part, Plan, Seen, Step, edit, scope_named};
use crate::policy::{self, Request};
use fourseam_core::policy::Policy;
use fourseam_hosts::install::Scope;
use fourseam_hosts::{HOSTS, Host};
use std::io::Write;

/// Arguments of `status`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// `user`: your own configuration; `project`: this project's
    #[arg(long, default_value = "user", value_parser = scope_named)]
    scope: Scope,
}

/// Prints a line an agent. Exit code 0 when every agent that was found is wired, 1 when not.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let around = Around::of_environment()?;
    let loaded = policy::load(&Request { home: Some(&home), ..Request::default() });
    let plan = Plan::make(HOSTS, args.scope, &home, &around, |host| loaded.settings.asks_in(host))?;
    let mut out = anstream::stdout().lock();
    writeln!(out, "fourseam {}, {}, policy {}", env!("CARGO_PKG_VERSION"), describe(&home), loaded.settings.hash)?;
    for problem in &loaded.problems {
        writeln!(out, "{}", policy::one_line(problem))?;
    }
    let width = HOSTS.iter().map(|host| host.title().len()).max().unwrap_or_default();
    let mut whole = true;
    let ledger = Ledger::load(&home)?;
    let native = told(args, &loaded.policy, &around, &ledger);
    for step in &plan.steps {
        let state = State::of(step);
        whole &= state == State::Wired || state == State::NotWired && step.target.seen == Seen::No;
        let seen = match &step.target.seen {
            Seen::Program(path) => format!("`{}`", path.display()),
            Seen::Folder => "folder only".to_owned(),
            Seen::No => "not found".to_owned(),
        };
        writeln!(out, "{:width$}  {}; {seen}", step.target.host.title(), state.words(step))?;
        if let Some(told) = native.iter().find(|told| told.host.id() == step.target.host.id()) {
            let count = ledger.rules(told.host.id(), &told.file).len();
            let stale = !matches!(told.rewrite(&ledger), Ok(None));
            let mend = if stale { ", not as the policy says now: run `fourseam native --write`" } else { "" };
            writeln!(out, "{:width$}  {count} rules of its own in `{}`{mend}", "", told.file.display())?;
            whole &= !stale;
        }
    }
    if plan.program.is_copied() {
        let exe = plan.program.exe.display();
        let what = if plan.program.exe.exists() { "is not this release" } else { "is not there" };
        writeln!(out, "program `{exe}` {what}: run `fourseam install`")?;
        whole = false;
    }
    Ok(if whole { Outcome::Done } else { Outcome::Warnings })
}

/// What agents are to be told in rules of their own, as far as they have any of ours.
fn told(args: &Args, policy: &Policy, around: &Around, ledger: &Ledger) -> Vec<Told> {
    let has_rules = |host: &&dyn Host| {
        let native = host.install().native();
        native.is_some_and(|native| ledger.has(host.id(), Part::Native, &around.native_file(native)))
    };
    let hosts: Vec<_> = HOSTS.iter().copied().filter(has_rules).collect();
    if args.scope == Scope::Project || hosts.is_empty() {
        return Vec::new();
    }
    let rules = native::rules(policy);
    hosts.into_iter().filter_map(|host| Told::make(host, &rules, around)).collect()
}

/// How an agent is wired.
#[derive(PartialEq)]
enum State {
    Wired,
    /// These events only, or with another program.
    Otherwise(usize),
    NotWired,
    Unreadable,
}

impl State {
    fn of(step: &Step) -> Self {
        let text = edit::read(&step.target.file).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
        let found = text.map(|text| step.target.host.install().found(&text));
        match (&step.edit, found) {
            (Err(_), _) | (_, Some(Err(_))) => Self::Unreadable,
            (Ok(edit), Some(Ok(_))) if !edit.changes() => Self::Wired,
            (Ok(_), Some(Ok(events))) if !events.is_empty() => Self::Otherwise(events.len()),
            (Ok(_), Some(Ok(_)) | None) => Self::NotWired,
        }
    }

    fn words(&self, step: &Step) -> String {
        let file = step.target.file.display();
        match self {
            Self::Wired => format!("wired, {} events in `{file}`", step.events),
            Self::Otherwise(count) => {
                format!("wired otherwise than now, {count} events in `{file}`: run `fourseam install`")
            }
            Self::NotWired => "not wired".to_owned(),
            Self::Unreadable => {
                let why = step.edit.as_ref().err().map(String::as_str).unwrap_or_default();
                format!("`{file}` cannot be read: {why}")
            }
        }
    }
}
