//! `fourseam native`: the deny rules of the policy in agents' own rules, so that they hold where no hook runs. Shows what
//! each agent can be told, and what not and why; writes it when asked to.

use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::install::{Around, Ledger, Lock, chosen, native};
use crate::policy::{self, switch};
use fourseam_core::decision::Mode;
use fourseam_core::policy::NativeRule;
use fourseam_hosts::Host;
use native::Told;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Arguments of `native`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Agents to tell [default: those found on this machine]
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// Write the rules into the agents' files; `fourseam uninstall` takes them out
    #[arg(long)]
    write: bool,
}

/// Prints the rules of each agent, or writes them.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let around = Around::of_environment()?;
    let hosts = chosen(&args.host, false, &around)?;
    let rules = rules()?;
    let mut out = anstream::stdout().lock();
    if !args.write {
        show(&mut out, &rules, &told(&hosts, &rules, &around))?;
        return Ok(Outcome::Done);
    }
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    check_mode(&home)?;
    let _lock = Lock::take(&home)?;
    let failed = write(&mut out, &home, &told(&hosts, &rules, &around))?;
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

/// The deny rules of built-in packs, organisation and user.
pub(super) fn rules() -> Result<Vec<NativeRule>, Failure> {
    Ok(native::rules(Engine::by_hand(None)?.policy()))
}

/// What each agent can be told of them.
pub(super) fn told(hosts: &[&'static dyn Host], rules: &[NativeRule], around: &Around) -> Vec<Told> {
    hosts.iter().filter_map(|host| Told::make(*host, rules, around)).collect()
}

/// In mode dry nobody is told anything; an agent's own rules would stop calls all the same.
fn check_mode(home: &Home) -> Result<(), Failure> {
    if policy::mode_with(home, switch::mode(home)) > Mode::Dry {
        return Ok(());
    }
    Err(Failure::new("the mode is dry: agents are told nothing, and rules of their own would stop calls all the same")
        .help("a person can say `fourseam mode guard`"))
}

/// Writes the rules, with the lock held. Says whether a file was left alone.
pub(super) fn write(out: &mut dyn Write, home: &Home, told: &[Told]) -> Result<bool, Failure> {
    let mut ledger = Ledger::load(home)?;
    let mut failed = false;
    for told in told {
        let done = match told.rewrite(&ledger) {
            Ok(None) => Ok("as they should be"),
            Ok(Some(rewrite)) => told.write(&rewrite, &mut ledger).map(|()| "written"),
            Err(why) => Err(why),
        };
        let (title, file, count) = (told.host.title(), told.file.display(), told.said.len());
        match done {
            Ok(what) => {
                writeln!(out, "{title}: {count} rules of its own {what}, `{file}`")?;
                told.notes.iter().try_for_each(|note| writeln!(out, "  {note}"))?;
            }
            Err(why) => {
                failed = true;
                writeln!(out, "{title}: no rules of its own, `{file}` is left alone\n  error: {why}")?;
            }
        }
    }
    Ok(failed)
}

fn show(out: &mut dyn Write, rules: &[NativeRule], told: &[Told]) -> io::Result<()> {
    for told in told {
        writeln!(out, "{}: {} rules for `{}`", told.host.title(), told.said.len(), told.file.display())?;
        let mut rule = "";
        for said in &told.said {
            if said.rule != rule {
                rule = &said.rule;
                writeln!(out, "  {rule}")?;
            }
            writeln!(out, "    {}", said.words.replace('\n', " "))?;
        }
        told.notes.iter().try_for_each(|note| writeln!(out, "  note: {note}"))?;
        let unsaid = told.unsaid.iter().map(|(rule, why)| ((*why).to_owned(), rule.clone()));
        grouped(out, "  not said", unsaid)?;
        writeln!(out)?;
    }
    let left_out = rules
        .iter()
        .flat_map(|rule| rule.left_out.iter().map(|(form, why)| (why.clone(), format!("{} `{form}`", rule.rule))));
    grouped(out, "left out, for every agent", left_out)?;
    let silent = rules.iter().filter_map(|rule| Some((rule.silent.clone()?, rule.rule.clone())));
    grouped(out, "no plain form", silent)
}

/// Items under the reason that they share, each once with how often it comes.
fn grouped(out: &mut dyn Write, what: &str, items: impl Iterator<Item = (String, String)>) -> io::Result<()> {
    let mut groups: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (why, item) in items {
        *groups.entry(why).or_default().entry(item).or_default() += 1;
    }
    for (why, items) in groups {
        let items: Vec<String> = items
            .into_iter()
            .map(|(item, count)| if count > 1 { format!("{item} ({count} forms)") } else { item })
            .collect();
        writeln!(out, "{what}: {why}\n    {}", items.join(", "))?;
    }
    Ok(())
}
