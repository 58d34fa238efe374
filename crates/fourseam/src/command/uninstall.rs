//! `fourseam uninstall`: takes our entries out of agents' files, and with the last of them the program. The user's
//! policy and the audit log stay.

use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::install::{Around, Ledger, Lock, Removal, diff, edit, places, removals, scope_named};
use crate::{file, hosts, person};
use fourseam_hosts::HOSTS;
use fourseam_hosts::install::Scope;
use std::io::{self, Write};
use std::path::Path;

/// Arguments of `uninstall`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Agents to unwire [default: all]
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// Only `user`: your own configuration; or only `project`: this project's [default: both, and all other projects]
    #[arg(long, value_parser = scope_named)]
    scope: Option<Scope>,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
    /// Also delete the audit log and the backups
    #[arg(long)]
    purge: bool,
}

/// Shows what goes, asks, and takes it away.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let around = Around::of_environment()?;
    let hosts = if args.host.is_empty() {
        HOSTS.to_vec()
    } else {
        args.host.iter().map(|name| hosts::named(name)).collect::<Result<Vec<_>, _>>()?
    };
    let make = |ledger: &Ledger| removals(places(&hosts, args.scope, &around, ledger), ledger);
    let mut out = anstream::stdout().lock();
    let shown = make(&Ledger::load(&home)?);
    show(&mut out, &shown, args)?;
    if args.dry_run {
        return Ok(if shown.iter().any(|removal| removal.edit.is_err()) { Outcome::Failed } else { Outcome::Done });
    }
    if !args.yes && !person::is_here() {
        return Err(Failure::new("this is no terminal, so nobody can be asked")
            .help("`--yes` does it without asking, `--dry-run` only shows it"));
    }
    if shown.is_empty() && !home.exists() {
        writeln!(out, "fourseam is not installed")?;
        return Ok(Outcome::Done);
    }
    if !args.yes && !person::agrees("Do this?")? {
        return Err(Failure::new("nothing was changed"));
    }
    let lock = Lock::take(&home)?;
    let mut ledger = Ledger::load(&home)?;
    let again = make(&ledger);
    if !args.yes && again != shown {
        return Err(Failure::new("a file was changed since it was read").help("run the command again"));
    }
    let failed = take_out(&mut out, &mut ledger, &again)?;
    for place in places(&hosts, args.scope, &around, &ledger) {
        if !again.iter().any(|removal| removal.place == place) {
            ledger.forget(place.host, place.part, &place.file)?;
        }
    }
    if !failed && ledger.entries().is_empty() && !is_wired_somewhere(&around) {
        forget_home(&mut out, &home, args)?;
        ledger.close();
        let _ = std::fs::remove_dir(home.path());
    }
    drop(lock);
    Ok(if failed { Outcome::Failed } else { Outcome::Done })
}

fn show(out: &mut dyn Write, removals: &[Removal], args: &Args) -> io::Result<()> {
    if removals.is_empty() {
        writeln!(out, "no agent is wired")?;
    }
    for Removal { place, edit } in removals {
        match edit {
            Err(why) => writeln!(out, "{}: `{}`: {why}; it is left alone", place.host, place.file.display())?,
            Ok(edit) if !args.yes => {
                let text =
                    |bytes: &Option<Vec<u8>>| bytes.as_deref().map(String::from_utf8_lossy).map(Into::<String>::into);
                diff(out, &edit.path, text(&edit.before).as_deref(), text(&edit.after).as_deref())?;
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Writes the files. Says whether one could not be.
fn take_out(out: &mut dyn Write, ledger: &mut Ledger, removals: &[Removal]) -> io::Result<bool> {
    let mut failed = false;
    for Removal { place, edit } in removals {
        let done = edit
            .clone()
            .and_then(|edit| ledger.take_out(place.host, place.part, &edit).map_err(|error| error.to_string()));
        let file = place.file.display();
        match done {
            Ok(()) => writeln!(out, "{}: unwired, `{file}`", place.host)?,
            Err(why) => {
                failed = true;
                writeln!(out, "{}: left alone, `{file}`\n  error: {why}", place.host)?;
            }
        }
    }
    Ok(failed)
}

/// Whether an agent of this user would still call the program.
fn is_wired_somewhere(around: &Around) -> bool {
    HOSTS.iter().any(|host| {
        let Ok(target) = around.target(*host, Scope::User) else { return false };
        let text = edit::read(&target.file).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
        text.is_some_and(|text| host.install().found(&text).is_ok_and(|events| !events.is_empty()))
    })
}

/// Takes away what is fourseam's own. What the user wrote and what was recorded stays.
fn forget_home(out: &mut dyn Write, home: &Home, args: &Args) -> io::Result<()> {
    let at = |name: &str| home.path().join(name);
    for file in [home.program(), home.state(), home.mode()] {
        file::remove(&file)?;
    }
    let _ = std::fs::remove_dir(at("bin"));
    let mut folders = vec!["cache", "grants", "sessions"];
    if args.purge {
        file::remove(&home.trust())?;
        folders.extend(["audit", "backups"]);
    }
    for folder in folders {
        remove_folder(&at(folder))?;
    }
    let kept: Vec<String> = ["policy.yaml", "trust.json", "audit", "backups"]
        .map(at)
        .into_iter()
        .filter(|path| path.exists() && !is_only_bookkeeping(path))
        .map(|path| format!("`{}`", path.display()))
        .collect();
    let kept = if kept.is_empty() { String::new() } else { format!("; kept: {}", kept.join(", ")) };
    writeln!(out, "fourseam is uninstalled{kept}")
}

/// The folder of backups holds none.
fn is_only_bookkeeping(path: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(path) else { return false };
    entries.flatten().all(|entry| ["ledger.json", "lock"].iter().any(|name| entry.file_name() == *name))
}

fn remove_folder(path: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
