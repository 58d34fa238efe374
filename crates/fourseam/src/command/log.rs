//! `fourseam log`: what was recorded, one line a record. Reads the log and changes nothing.

use crate::audit::{self, Broken, Filter, Follow, Row};
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::show;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::time::Duration;

/// Records that are shown before those that come, unless more are asked for.
const BEFORE: usize = 10;

/// How often the log is looked at for new records.
const PAUSE: Duration = Duration::from_millis(200);

/// Arguments of `log`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: Filter,
    /// Show what comes, as it comes
    #[arg(short, long)]
    follow: bool,
    /// Show only the last of them [default: all; with --follow: 10]
    #[arg(short = 'n', long, value_name = "COUNT")]
    last: Option<usize>,
    /// The records themselves, one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Prints the records that the filter admits, oldest first. Exit code 2 when lines of the log cannot be read.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    match print(args, &home) {
        // Whoever reads has seen enough (`fourseam log | head`).
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Done),
        printed => printed.map_err(|error| Failure::new(format!("audit log `{}`: {error}", home.audit().display()))),
    }
}

fn print(args: &Args, home: &Home) -> io::Result<Outcome> {
    // What comes while the old records are printed is not to be missed.
    let follow = if args.follow { Some(Follow::from_end(home)?) } else { None };
    let out = io::BufWriter::new(anstream::stdout().lock());
    let mut printer = Printer { args, out, outcome: Outcome::Done };
    let last = args.last.or(args.follow.then_some(BEFORE));
    let mut kept = VecDeque::new();
    let mut seen = 0;
    for row in audit::rows(home)? {
        seen = row.as_ref().map_or(seen, |row| row.link.seq);
        let Some(row) = printer.admitted(row)? else { continue };
        let Some(last) = last else {
            printer.print(&row)?;
            continue;
        };
        kept.push_back(row);
        if kept.len() > last {
            kept.pop_front();
        }
    }
    kept.iter().try_for_each(|row| printer.print(row))?;
    let Some(mut follow) = follow else {
        printer.out.flush()?;
        return Ok(printer.outcome);
    };
    loop {
        printer.out.flush()?;
        for row in follow.more()? {
            if let Some(row) = printer.admitted(row)?.filter(|row| row.link.seq > seen) {
                printer.print(&row)?;
            }
        }
        std::thread::sleep(PAUSE);
    }
}

struct Printer<'a, W: Write> {
    args: &'a Args,
    out: W,
    outcome: Outcome,
}

impl<W: Write> Printer<'_, W> {
    /// A record that is wanted. Of a line that is none, a warning.
    fn admitted(&mut self, row: Result<Row, Broken>) -> io::Result<Option<Row>> {
        match row {
            Ok(row) => Ok(Some(row).filter(|row| self.args.filter.admits(&row.record))),
            Err(broken) => {
                self.outcome = Outcome::Errors;
                writeln!(anstream::stderr(), "warning: {broken}")?;
                Ok(None)
            }
        }
    }

    fn print(&mut self, row: &Row) -> io::Result<()> {
        if self.args.json {
            return self.out.write_all(row.record.line(&row.link)?.as_bytes());
        }
        show::record(&mut self.out, row)
    }
}
