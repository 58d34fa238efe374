//! `fourseam report`: what happened, counted from the log. Reads only; `--html` writes one page.

use crate::audit::Filter;
use crate::exit::{Failure, Outcome};
use crate::history;
use crate::history::report::{self, Counter};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `report`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: Filter,
    /// One JSON object instead of text
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Write one page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Counts and shows. Exit code 2 when lines of the log cannot be read.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut counter = Counter::default();
    let mut broken = 0_usize;
    for row in history::rows()? {
        match row {
            Ok(row) if args.filter.admits(&row.record) => counter.add(&row.record),
            Ok(_) => {}
            Err(_) => broken += 1,
        }
    }
    let report = counter.finish();
    let mut out = anstream::stdout().lock();
    match (&args.html, args.json) {
        (Some(path), _) => {
            std::fs::write(path, report::page(&report))
                .map_err(|error| Failure::new(format!("cannot write `{}`: {error}", path.display())))?;
            writeln!(out, "wrote {}", path.display())?;
        }
        (None, true) => writeln!(out, "{}", serde_json::to_string(&report).unwrap_or_default())?,
        (None, false) => report::print(&mut out, &report)?,
    }
    if broken > 0 {
        writeln!(anstream::stderr(), "warning: {broken} lines of the log cannot be read: see `fourseam audit verify`")?;
        return Ok(Outcome::Errors);
    }
    Ok(Outcome::Done)
}
