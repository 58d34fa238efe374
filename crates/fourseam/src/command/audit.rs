//! `fourseam audit`: whether the log is as it was written, its end on one line to keep elsewhere, a recorded call decided
//! again, and the records for other tools.

use crate::audit::{self, Again, Filter, Format, KeptHead, Said};
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::show;
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
    /// Decide a recorded call again, and explain a difference
    Replay(ReplayArgs),
    /// Print the records for other tools
    Export(ExportArgs),
}

#[derive(clap::Args)]
struct VerifyArgs {
    /// A line that `fourseam audit head` printed earlier; may be given several times
    #[arg(long, value_name = "LINE")]
    head: Vec<KeptHead>,
}

#[derive(clap::Args)]
struct ReplayArgs {
    /// Number of the record, as `fourseam log` shows it, or the agent's id of the tool call
    id: String,
}

#[derive(clap::Args)]
struct ExportArgs {
    #[command(flatten)]
    filter: Filter,
    /// Form of the records
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
}

/// Does what was asked for.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let mut out = anstream::stdout().lock();
    match &args.what {
        What::Verify(args) => verify(&mut out, &home, &args.head),
        What::Head => head(&mut out, &home),
        What::Replay(args) => replayed(&mut out, &audit::replay(audit::find(&home, &args.id)?)?),
        What::Export(args) => export(&mut out, &home, args),
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

/// Exit code 0: decided as on record; 1: otherwise.
fn replayed(out: &mut dyn Write, again: &Again) -> Result<Outcome, Failure> {
    let record = &again.row.record;
    let on_record = Said::of_record(record);
    let told = if record.told == record.decision { String::new() } else { format!(", told {}", record.told.word()) };
    let (number, agent, event) = (again.row.link.seq, &record.agent, &record.event);
    writeln!(out, "record {number} of {}: {agent} {event}: {}{told}", record.time, words(&on_record))?;
    writeln!(out, "  {}", show::one_line(&show::action(&record.action).unwrap_or_default()))?;
    if let Some(then) = &again.then {
        let same = if again.is_same() { ", the same" } else { "" };
        writeln!(out, "again, with the facts of then: {}{same}", words(then))?;
    }
    if again.then.as_ref() != Some(&again.now) {
        writeln!(out, "again, with the facts of now: {}", words(&again.now))?;
    }
    if !again.is_same() {
        writeln!(out, "why that may be:")?;
        for cause in &again.causes {
            writeln!(out, "  {cause}")?;
        }
        if again.causes.is_empty() {
            writeln!(out, "  nothing on record says why; the date counts where an exception has ended")?;
        }
    }
    if !again.differences.is_empty() {
        writeln!(out, "facts that are not what they were:")?;
        for fact in &again.differences {
            writeln!(out, "  {}: {} then, {} now", fact.about, fact.then, fact.now)?;
        }
    }
    Ok(if again.is_same() { Outcome::Done } else { Outcome::Warnings })
}

fn words(said: &Said) -> String {
    let rules = if said.rules.is_empty() { String::new() } else { format!(" ({})", said.rules.join(", ")) };
    format!("{}{rules}", said.decision.word())
}

/// Exit code 2 when lines of the log cannot be read.
fn export(out: &mut dyn Write, home: &Home, args: &ExportArgs) -> Result<Outcome, Failure> {
    let rows = audit::rows(home).map_err(|error| failure(home, &error))?;
    let mut out = io::BufWriter::new(out);
    let mut outcome = Outcome::Done;
    let write = || {
        args.format.begin(&mut out)?;
        for row in rows {
            match row {
                Ok(row) if args.filter.admits(&row.record) => args.format.row(&mut out, &row)?,
                Ok(_) => {}
                Err(broken) => {
                    outcome = Outcome::Errors;
                    writeln!(anstream::stderr(), "warning: {broken}")?;
                }
            }
        }
        out.flush()
    };
    match write() {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(outcome),
        written => Ok(written.map(|()| outcome)?),
    }
}

fn failure(home: &Home, error: &io::Error) -> Failure {
    Failure::new(format!("audit log `{}`: {error}", home.audit().display()))
}
