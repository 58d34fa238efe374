//! `fourseam trust`: a person reads a project's policy and lets exactly that text do what a project may not: set the mode,
//! lift rules, turn packs off. Whatever changes the file ends the trust.

use super::mode::record;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::install::diff_whole;
use crate::policy::{self, LayerFile, PROJECT, PROJECT_WORDS, Pinned, Trusted, switch};
use crate::show::one_line;
use crate::{clock, person};
use fourseam_core::policy::{Level, Surroundings, lint};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `trust`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// End the trust
    #[arg(long, conflicts_with = "list")]
    remove: bool,
    /// List what is trusted, and whether it is still the same
    #[arg(long)]
    list: bool,
    /// Folder of the project [default: the current one]
    #[arg(conflicts_with = "list")]
    dir: Option<PathBuf>,
}

/// Shows the list, or trusts, or ends a trust.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    if args.list {
        return list(&home);
    }
    person::needed("`fourseam trust`")?;
    if !home.exists() {
        return Err(Failure::new("fourseam is not installed").help("run `fourseam install` first"));
    }
    let folder = std::path::absolute(args.dir.as_deref().unwrap_or(Path::new(".")))?;
    if args.remove { remove(&home, &folder) } else { trust(&home, &folder) }
}

fn load(home: &Home) -> Result<Trusted, Failure> {
    let shown = home.trust();
    Trusted::load(home).map_err(|error| {
        Failure::new(format!("`{}` cannot be read, so nothing is trusted: {error}", shown.display()))
            .help("delete it, and trust again what should be")
    })
}

/// Exit code 0 when all is as it was trusted, 1 when a file has changed or is gone.
fn list(home: &Home) -> Result<Outcome, Failure> {
    let mut out = anstream::stdout().lock();
    let mut whole = true;
    let trusted = load(home)?;
    for (path, pinned) in trusted.all() {
        let now = LayerFile::read_project(Path::new(path), Some(home));
        let state = match &now {
            None => "gone",
            Some(file) if file.is_trusted() => "trusted",
            Some(_) => "changed since, so not trusted",
        };
        whole &= now.is_some_and(|file| file.is_trusted());
        writeln!(out, "{}  {state}, {}", one_line(path), one_line(&pinned.time))?;
    }
    if trusted.all().next().is_none() {
        writeln!(out, "no project is trusted")?;
    }
    Ok(if whole { Outcome::Done } else { Outcome::Warnings })
}

/// Trusts the project's rules and its words for the judge, each by itself.
fn trust(home: &Home, folder: &Path) -> Result<Outcome, Failure> {
    let cwd = folder.to_str();
    let rules = cwd.and_then(|cwd| policy::of_project(cwd, Some(home)));
    let words = cwd.and_then(|cwd| policy::words_of_project(cwd, Some(home)));
    if rules.is_none() && words.is_none() {
        let message = format!("there is no `{PROJECT}` and no `{PROJECT_WORDS}` in `{}`", folder.display());
        return Err(Failure::new(message).help("name the folder of the project"));
    }
    if let Some(file) = &rules {
        refuse_broken(file)?;
    }
    for file in rules.into_iter().chain(words) {
        trust_file(home, file)?;
    }
    Ok(Outcome::Done)
}

fn trust_file(home: &Home, file: LayerFile) -> Result<(), Failure> {
    if let Some(why) = file.unreadable() {
        return Err(Failure::new(format!("`{}` cannot be read: {why}", file.name)));
    }
    if file.is_trusted() {
        writeln!(anstream::stdout(), "`{}` is trusted as it is", file.name)?;
        return Ok(());
    }
    let mut trusted = load(home)?;
    let path = Path::new(&file.name);
    // On standard error, as the question: what is agreed to is not to be piped away.
    let before = trusted.of(path).map(|pinned| pinned.text.as_str());
    diff_whole(&mut anstream::stderr().lock(), path, before, &file.text)?;
    if !person::agrees("Trust exactly this?")? {
        return Err(Failure::new("nothing was changed"));
    }
    trusted.pin(path, Pinned { time: clock::now(), text: file.text.clone() });
    put_on_record(home, "trust", &file.name, Some(&file.text))?;
    trusted.save(home)?;
    writeln!(anstream::stdout(), "`{}` is trusted until it changes", file.name)?;
    Ok(())
}

/// A text with errors would be ignored as a whole, now or later.
fn refuse_broken(file: &LayerFile) -> Result<(), Failure> {
    if file.is_trusted() || file.unreadable().is_some() {
        return Ok(());
    }
    let (builtin, today) = (fourseam_packs::builtin(), clock::today());
    let around = Surroundings { builtin: &builtin, knowledge: fourseam_packs::knowledge(), today: &today };
    match lint(&[file.as_if_trusted()], around).iter().find(|problem| problem.level == Level::Error) {
        Some(problem) => Err(Failure::new(policy::one_line(problem)).help("`fourseam lint` shows all that is wrong")),
        None => Ok(()),
    }
}

fn remove(home: &Home, folder: &Path) -> Result<Outcome, Failure> {
    let mut trusted = load(home)?;
    let cwd = folder.to_str();
    let rules = cwd.and_then(|cwd| policy::of_project(cwd, None));
    let words = cwd.and_then(|cwd| policy::words_of_project(cwd, None));
    // A file that is gone may still be named by its folder.
    let place = |file: Option<LayerFile>, name: &str| file.map_or_else(|| folder.join(name), |file| file.name.into());
    let paths = [place(rules, PROJECT), place(words, PROJECT_WORDS)];
    let gone: Vec<&PathBuf> = paths.iter().filter(|path| trusted.forget(path)).collect();
    if gone.is_empty() {
        let message = format!("nothing in `{}` is trusted", folder.display());
        return Err(Failure::new(message).help("`fourseam trust --list` shows what is"));
    }
    trusted.save(home)?;
    for path in gone {
        put_on_record(home, "untrust", &path.display().to_string(), None)?;
        writeln!(anstream::stdout(), "`{}` is not trusted any more", path.display())?;
    }
    Ok(Outcome::Done)
}

fn put_on_record(home: &Home, verb: &str, path: &str, text: Option<&str>) -> Result<(), Failure> {
    let hash = text.map(|text| blake3::hash(text.as_bytes()).to_hex().to_string());
    let mode = policy::mode_with(home, switch::mode(home));
    record(home, verb, mode, &json!({ "file": path, "blake3": hash }))
}
