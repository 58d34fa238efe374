//! `fourseam audit`: whether the log is as it was written, and its end on one line to keep elsewhere.

use crate::audit::{self, KeptHead};
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use std::io::{self, Write};

/// Arguments of `audit`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Check that nothing of the log was changed, removed, added or put in another order
    Verify(VerifyArgs),
    /// Print the end of the log on one line, to be kept where no program of yours can write
    Head,
}

#[derive(clap::Args)]
struct VerifyArgs {
    /// A line that `fourseam audit head` printed earlier; may be given several times
    #[arg(long, value_name = "LINE")]
    head: Vec<KeptHead>,
}

/// Does what was asked for.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let mut out = anstream::stdout().lock();
    match &args.what {
        What::Verify(args) => verify(&mut out, &home, &args.head),
        What::Head => head(&mut out, &home),
    }
}

/// Exit code 0: as it was written; 1: a crash left its marks; 2: changed.
fn verify(out: &mut dyn Write, home: &Home, kept: &[KeptHead]) -> Result<Outcome, Failure> {
    let report = audit::verify(home, kept).map_err(|error| failure(home, &error))?;
    let records = match report.range {
        Some((first, last)) => format!("records {first} to {last}"),
        None => "no records".to_owned(),
    };
    let files = if report.files == 1 { "1 file".to_owned() } else { format!("{} files", report.files) };
    writeln!(out, "audit log `{}`: {files}, {records}", home.audit().display())?;
    for finding in &report.findings {
        writeln!(out, "{}: {finding}", if finding.fault.is_accident() { "warning" } else { "error" })?;
    }
    if report.more > 0 {
        writeln!(out, "error: and {} more", report.more)?;
    }
    if report.waiting > 0 {
        writeln!(out, "{} records wait in `spool` for the next call to put them into the log", report.waiting)?;
    }
    let outcome = match (report.is_tampered(), report.findings.is_empty()) {
        (true, _) => Outcome::Errors,
        (false, false) => Outcome::Warnings,
        (false, true) => Outcome::Done,
    };
    if outcome == Outcome::Done {
        writeln!(out, "nothing was changed, removed, added or put in another order")?;
    }
    let proof = if kept.is_empty() {
        "This finds accidents and changes by hand. A program that runs as you can write the whole log anew, hashes and \
         all, and then this finds nothing: only a line of `fourseam audit head` that was kept elsewhere can show that \
         (`fourseam audit verify --head LINE`)."
    } else {
        "Up to the heads that were given, the log is held against what was kept elsewhere. What came after the newest of \
         them could have been written anew by a program that runs as you."
    };
    writeln!(out, "{proof}")?;
    Ok(outcome)
}

fn head(out: &mut dyn Write, home: &Home) -> Result<Outcome, Failure> {
    let head = KeptHead::now(home).map_err(|why| {
        Failure::new(format!("audit log `{}`: {why}", home.audit().display())).help("see `fourseam audit verify`")
    })?;
    writeln!(out, "{head}")?;
    Ok(Outcome::Done)
}

fn failure(home: &Home, error: &io::Error) -> Failure {
    Failure::new(format!("audit log `{}`: {error}", home.audit().display()))
}
