//! `fourseam suggest`: narrow rules for what you let run again and again. Shows them; `--apply` writes one into your
//! policy, and is for a person at a terminal.

use crate::audit::Filter;
use crate::exit::{Failure, Outcome};
use crate::file;
use crate::history::{
    self, amend,
    suggest::{Collector, Suggestion},
};
use crate::home::Home;
use crate::install::diff_whole;
use crate::person;
use crate::show::one_line;
use serde_json::json;
use std::io::{ErrorKind, Write};

/// Largest policy that is read.
const LARGEST: usize = 2 * 1024 * 1024;

/// Arguments of `suggest`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: Filter,
    /// Write this suggestion into your policy (a person at a terminal only)
    #[arg(long, value_name = "ID")]
    apply: Option<String>,
    /// One JSON object a suggestion
    #[arg(long)]
    json: bool,
}

/// Shows, or applies one.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if args.apply.is_some() {
        person::needed("`fourseam suggest --apply`")?;
    }
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let path = home.policy();
    let policy = match file::read_text(&path, LARGEST) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::new(format!("`{}`: {error}", path.display()))),
    };
    let mut collector = Collector::default();
    for row in history::rows()?.flatten() {
        if args.filter.admits(&row.record) {
            collector.add(&row.record);
        }
    }
    let suggestions = collector.finish(&policy);
    match &args.apply {
        Some(id) => apply(&home, &policy, &suggestions, id),
        None => show(&suggestions, args.json),
    }
}

fn show(suggestions: &[Suggestion], as_json: bool) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    for suggestion in suggestions {
        let Suggestion { id, yaml, key, asked, left, examples } = suggestion;
        if as_json {
            let value = json!({"id": id, "under": key, "yaml": yaml, "asked": asked, "left_to_the_agent": left, "examples": examples});
            writeln!(out, "{value}")?;
            continue;
        }
        writeln!(out, "{id}  asked about {asked}x, left to the agent {left}x; under `{key}:`")?;
        for example in examples {
            writeln!(out, "    {}", one_line(example))?;
        }
        for line in yaml.lines() {
            writeln!(out, "  {line}")?;
        }
        writeln!(out)?;
    }
    if !as_json {
        match suggestions.len() {
            0 => writeln!(out, "nothing to suggest: nothing harmless was asked about and ran often enough")?,
            _ => writeln!(
                out,
                "`fourseam suggest --apply ID` writes one into your policy; rules that allow count in mode `on`"
            )?,
        }
    }
    Ok(Outcome::Done)
}

fn apply(home: &Home, policy: &str, suggestions: &[Suggestion], id: &str) -> Result<Outcome, Failure> {
    let path = home.policy();
    let suggestion = suggestions
        .iter()
        .find(|suggestion| suggestion.id == *id)
        .ok_or_else(|| Failure::new(format!("there is no suggestion `{id}`")).help("`fourseam suggest` lists them"))?;
    let text = amend::added(policy, suggestion.key, &suggestion.yaml).ok_or_else(|| {
        Failure::new(format!("`{}:` in `{}` is not a list with one entry a line", suggestion.key, path.display()))
            .help("add the lines by hand")
    })?;
    diff_whole(&mut anstream::stderr().lock(), &path, Some(policy), &text)?;
    if !person::agrees("Write this into your policy?")? {
        return Err(Failure::new("nothing was changed"));
    }
    file::replace(&path, text.as_bytes())?;
    writeln!(anstream::stdout(), "wrote `{}`", path.display())?;
    Ok(Outcome::Done)
}
