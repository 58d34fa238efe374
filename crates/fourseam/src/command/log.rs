//! `fourseam log`: what was recorded, one line a record. Reads the log and changes nothing.

use crate::audit::{self, Filter, Row};
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::show;
use std::io::{self, ErrorKind, Write};

/// Arguments of `log`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: Filter,
    /// The records themselves, one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Prints the records that the filter admits, oldest first. Exit code 2 when lines of the log cannot be read.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let folder = home.audit();
    let rows =
        audit::rows(&home).map_err(|error| Failure::new(format!("audit log `{}`: {error}", folder.display())))?;
    let mut out = anstream::stdout().lock();
    let mut outcome = Outcome::Done;
    for row in rows {
        let printed = match row {
            Ok(row) if args.filter.admits(&row.record) => print(&mut out, &row, args.json),
            Ok(_) => Ok(()),
            Err(broken) => {
                outcome = Outcome::Errors;
                writeln!(anstream::stderr(), "warning: {broken}")
            }
        };
        match printed {
            // Whoever reads has seen enough (`fourseam log | head`).
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(outcome),
            printed => printed?,
        }
    }
    Ok(outcome)
}

fn print(out: &mut dyn Write, row: &Row, json: bool) -> io::Result<()> {
    if json {
        return out.write_all(row.record.line(&row.link)?.as_bytes());
    }
    show::record(out, row)
}
