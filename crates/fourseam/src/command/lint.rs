//! `fourseam lint`: everything that is wrong or odd about a policy.

use crate::clock;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::policy::{self, LayerFile, Request};
use fourseam_core::policy::{Layer, Level, Source, Surroundings, lint};
use std::io::Write;
use std::path::Path;

/// Arguments of `lint`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A policy file [default: the organisation's, the user's and this project's]
    file: Option<String>,
}

/// Prints every problem. Exit code 0 none, 1 warnings, 2 errors.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let files = files(args.file.as_deref())?;
    let sources: Vec<Source<'_>> = files.iter().map(LayerFile::source).collect();
    let builtin = fourseam_packs::builtin();
    let knowledge = fourseam_packs::knowledge();
    let today = clock::today();
    let mut problems = policy::unreadable_ones(&files);
    problems.extend(lint(&sources, Surroundings { builtin: &builtin, knowledge, today: &today }));
    let mut out = anstream::stdout().lock();
    for problem in &problems {
        writeln!(out, "{problem}\n")?;
    }
    let count = |level| problems.iter().filter(|problem| problem.level == level).count();
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let names = if names.is_empty() { "no policy file".to_owned() } else { names.join(", ") };
    writeln!(out, "{names}: {errors} errors, {warnings} warnings")?;
    Ok(match (errors, warnings) {
        (0, 0) => Outcome::Done,
        (0, _) => Outcome::Warnings,
        (_, _) => Outcome::Errors,
    })
}

/// The file that is named, as the user's layer (`.fourseam.yaml` as a project's), or those of all layers.
pub(super) fn files(name: Option<&str>) -> Result<Vec<LayerFile>, Failure> {
    let home = Home::of_environment();
    let Some(name) = name else {
        let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
        return Ok(policy::files(&Request { home: home.as_ref(), cwd: Some(&cwd), anew: false }));
    };
    let path = Path::new(name);
    let is_project = path.file_name().is_some_and(|name| name == policy::PROJECT);
    let file =
        if is_project { LayerFile::read_project(path, home.as_ref()) } else { LayerFile::read(Layer::User, path) };
    file.map(|file| vec![file]).ok_or_else(|| Failure::new(format!("there is no file `{name}`")))
}
