//! `fourseam explain`: what a command would do, as fourseam understands it. Judges nothing.

use crate::exit::{Failure, Outcome};
use crate::show;
use crate::world::Machine;
use fourseam_core::action::Dialect;
use fourseam_core::analysis::{self, Analysis};
use fourseam_core::policy::Case;
use std::io::{self, Write};

/// Arguments of `explain`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The command line to explain
    command: String,
    /// Folder the command would run in [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Analyses a command and prints what was understood.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let cwd = match &args.cwd {
        Some(folder) => std::path::absolute(folder)?,
        None => std::env::current_dir()?,
    };
    let case = Case::of_command(&args.command, Dialect::Posix, Some(cwd.to_string_lossy().into_owned()));
    let analysis = analysis::analyse(&case.call, fourseam_packs::knowledge(), &Machine::default());
    let mut out = anstream::stdout().lock();
    if args.json {
        let text = serde_json::to_string(&analysis).map_err(|error| Failure::new(error.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        print(&mut out, &analysis)?;
    }
    Ok(Outcome::Done)
}

fn print(out: &mut dyn Write, analysis: &Analysis) -> io::Result<()> {
    for invocation in &analysis.invocations {
        writeln!(out, "runs     {}", show::one_line(&invocation.text))?;
        if !invocation.through.is_empty() {
            writeln!(out, "         through {}", invocation.through.join(", "))?;
        }
    }
    for effect in &analysis.effects {
        writeln!(out, "effect   {:?} {}", effect.kind, effect.verb)?;
    }
    for unknown in &analysis.unknowns {
        writeln!(out, "unknown  {:?}: {}", unknown.class, show::one_line(&unknown.text))?;
    }
    Ok(())
}
