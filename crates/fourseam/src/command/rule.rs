//! `fourseam rule`: lists the rules, or shows a rule or a pack. The same text as docs/rules.

use super::lint::files;
use crate::exit::{Failure, Outcome};
use crate::policy::LayerFile;
use fourseam_core::policy::{Maturity, Rule, read_rules};
use fourseam_packs::packs;
use std::io::{self, Write};

/// Reasons that are of no pack, and what they say. They cannot be disabled.
const OWN: &[(&str, &str)] = &[
    (
        "fourseam/allow-once",
        "The user let this pass once, with `fourseam allow-once`. Named with the rules that it lifted.",
    ),
    ("fourseam/failure", "fourseam could not judge a call, or its policy is broken; `on_error` says what follows."),
    (
        "session/approved-before",
        "A person approved exactly this before in this session, and it ran; it is not asked again.",
    ),
    (
        "session/asked-before",
        "Asks about what a rule asked about within the last hour in another way, and what was not seen to run.",
    ),
    (
        "session/refused-before",
        "Asks about what a rule refused within the last hour in another way: by shell, script, edit or MCP.",
    ),
    ("session/written-before", "A remark beside other reasons: the agent wrote the file that this runs."),
];

/// Arguments of `rule`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule (`git/force-push`) or a pack (`git`) [default: list all]
    id: Option<String>,
}

/// Prints the list, the page of a pack, or the page of a rule.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let packs: Vec<_> = packs::read_all().into_iter().map(|(pack, _)| pack).collect();
    let files = files(None)?;
    let own: Vec<Rule> = files.iter().map(LayerFile::source).flat_map(|source| read_rules(&source).0).collect();
    let mut out = anstream::stdout().lock();
    let all = || packs.iter().flat_map(|pack| &pack.rules).chain(&own);
    let Some(id) = args.id.as_deref() else {
        list(&mut out, all())?;
        return Ok(Outcome::Done);
    };
    if let Some(pack) = packs.iter().find(|pack| pack.name == id) {
        write!(out, "{}", pack.page())?;
    } else if let Some(rule) = all().find(|rule| rule.id == id) {
        write!(out, "{}", rule.page())?;
    } else if let Some((id, text)) = OWN.iter().find(|(own, _)| *own == id) {
        writeln!(out, "{id}\n  {text}")?;
    } else {
        return Err(Failure::new(format!("there is no rule or pack `{id}`")).help("`fourseam rule` lists them"));
    }
    Ok(Outcome::Done)
}

fn list<'r>(out: &mut dyn Write, rules: impl Iterator<Item = &'r Rule> + Clone) -> io::Result<()> {
    let width = rules.clone().map(|rule| rule.id.len()).max().unwrap_or_default();
    for rule in rules {
        let off = if rule.maturity == Maturity::Preview { " (preview)" } else { "" };
        let text = rule.title.as_ref().unwrap_or(&rule.reason);
        writeln!(out, "{:width$}  {:5}  {text}{off}", rule.id, rule.decision.word())?;
    }
    Ok(())
}
