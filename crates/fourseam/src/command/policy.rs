//! `fourseam policy`: the policy in force with the layer of each part, and the schema for editors.

use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use fourseam_core::policy::{Line, json_schema};
use std::io::{self, Write};

/// Arguments of `policy`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Print the policy in force, and where each part comes from
    Show,
    /// Print the JSON Schema of policy files
    Schema,
}

/// Prints what was asked for.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    match args.what {
        What::Show => {
            let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
            show(&mut out, &Engine::by_hand(Some(&cwd))?.overview())?;
        }
        What::Schema => {
            let text = serde_json::to_string_pretty(&json_schema()).map_err(|error| Failure::new(error.to_string()))?;
            writeln!(out, "{text}")?;
        }
    }
    Ok(Outcome::Done)
}

/// The lines in the form of a policy file, the origin of each behind it.
fn show(out: &mut dyn Write, lines: &[Line]) -> io::Result<()> {
    writeln!(out, "version: 1")?;
    let mut section = "settings";
    for Line { section: own, name, value, from } in lines {
        if *own != section {
            section = own;
            writeln!(out, "{section}:")?;
        }
        let indent = if section == "settings" { "" } else { "  " };
        let text = format!("{indent}{name}: {value}");
        writeln!(out, "{text:60} # {from}")?;
    }
    Ok(())
}
