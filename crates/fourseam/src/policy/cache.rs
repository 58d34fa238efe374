//! Compiled rule sets on disk, named by a hash of what they are made from. A convenience: whatever is missing,
//! damaged or cannot be written is compiled anew.

use super::layers::LayerFile;
use super::{Request, damaged, unreadable};
use crate::file;
use crate::home::Home;
use fourseam_core::policy::{self, Compiled, Diagnostic, Layer, Level, RuleSet, Source};
use std::path::PathBuf;

/// Largest compiled set that is read.
const LARGEST: usize = 8 * 1024 * 1024;
/// Sets that are kept.
const KEPT: usize = 32;

/// The compiled set of some files on top of a base, from the cache if it is there.
///
/// Only sets without errors are kept, so that an error is told on every call.
pub(super) fn compile(request: &Request<'_>, files: &[LayerFile], base: &[RuleSet]) -> Compiled {
    let sources: Vec<Source<'_>> = files.iter().map(LayerFile::source).collect();
    let base: Vec<&RuleSet> = base.iter().collect();
    let key = policy::key(&sources, &base, env!("CARGO_PKG_VERSION"));
    let readable = files.iter().all(|file| file.unreadable.is_none());
    let cached = request.home.filter(|_| readable).and_then(|home| read(home, &key));
    if let (Some(set), false) = (&cached, request.anew) {
        return Compiled { set: set.clone(), diagnostics: Vec::new(), broken: Vec::new() };
    }
    let mut compiled = policy::compile(&sources, &base);
    for file in files {
        if let Some(why) = &file.unreadable {
            compiled.diagnostics.push(unreadable(file, why));
        }
    }
    if cached.is_some_and(|cached| cached.as_bytes() != compiled.set.as_bytes()) {
        compiled.diagnostics.push(changed(request, &key));
    }
    if let Some(home) = request.home.filter(|home| home.exists())
        && compiled.diagnostics.iter().all(|problem| problem.level == Level::Warning)
        && readable
    {
        // What cannot be kept is compiled again next time.
        let _ = keep(home, &key, &compiled.set, files);
    }
    compiled
}

/// The last set of the organisation's and user's layers that had no errors.
pub(super) fn last_good(home: &Home) -> Option<RuleSet> {
    let name = file::read_text(&last_good_note(home), 64).ok()?;
    let key = from_hex(name.trim())?;
    read(home, &key)
}

fn changed(request: &Request<'_>, key: &[u8; 32]) -> Diagnostic {
    let file = request.home.map(|home| path(home, key).display().to_string()).unwrap_or_default();
    damaged("cache-changed", file, "the compiled policy was not what its sources say, and was made anew".to_owned())
}

fn read(home: &Home, key: &[u8; 32]) -> Option<RuleSet> {
    RuleSet::of_file(&file::read(&path(home, key), LARGEST).ok()?, key).ok()
}

fn keep(home: &Home, key: &[u8; 32], set: &RuleSet, files: &[LayerFile]) -> std::io::Result<()> {
    forget_oldest(home);
    file::replace(&path(home, key), &set.to_file(key))?;
    if files.iter().any(|file| file.layer != Layer::Project) {
        file::replace(&last_good_note(home), hex(key).as_bytes())?;
    }
    Ok(())
}

/// Makes room: projects and edits leave sets behind that nobody asks for again. The last good one stays.
fn forget_oldest(home: &Home) {
    let Ok(entries) = std::fs::read_dir(home.cache()) else { return };
    let last_good = file::read_text(&last_good_note(home), 64).unwrap_or_default();
    let mut sets: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "rules"))
        .filter(|path| path.file_stem().is_some_and(|name| *name != *last_good.trim()))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .collect();
    sets.sort();
    for (_, path) in sets.iter().rev().skip(KEPT) {
        let _ = std::fs::remove_file(path);
    }
}

fn path(home: &Home, key: &[u8; 32]) -> PathBuf {
    home.cache().join(format!("{}.rules", hex(key)))
}

fn last_good_note(home: &Home) -> PathBuf {
    home.cache().join("last-good")
}

fn hex(key: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*key).to_hex().to_string()
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    blake3::Hash::from_hex(text).ok().map(|hash| *hash.as_bytes())
}
