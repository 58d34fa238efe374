//! Answers that were given before, one file each, named by a hash of everything that was asked. A convenience: what is
//! old, damaged or cannot be written is asked again.

use crate::clock;
use crate::file;
use crate::home::Home;
use fourseam_core::judge::{Answer, JudgeSettings, Question};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Largest file.
const LARGEST: usize = 16 * 1024;
/// Answers that are kept.
const KEPT: usize = 2000;

#[derive(Serialize, Deserialize)]
struct Stored {
    /// Seconds since 1970.
    at: u64,
    answer: Answer,
}

/// A name for everything that is asked: of whom, in which words, about what.
pub(super) fn key(settings: &JudgeSettings, question: &Question<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    let version = question.version.to_string();
    let parts = [
        settings.url(),
        settings.model.clone(),
        version,
        question.kind.word().to_owned(),
        question.material.policy_text().unwrap_or_default().to_owned(),
        question.material.data().to_owned(),
    ];
    for part in parts {
        hasher.update(&part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// An answer that is not too old.
pub(super) fn get(home: &Home, settings: &JudgeSettings, key: &str) -> Option<Answer> {
    let text = file::read_text(&path(home, key), LARGEST).ok()?;
    let stored: Stored = serde_json::from_str(&text).ok()?;
    let age = clock::seconds().checked_sub(stored.at)?;
    (age < u64::from(settings.cache_hours) * 3600).then_some(stored.answer)
}

/// Keeps an answer. What cannot be kept is asked again.
pub(super) fn put(home: &Home, settings: &JudgeSettings, key: &str, answer: &Answer) {
    if settings.cache_hours == 0 || !home.exists() {
        return;
    }
    let stored = Stored { at: clock::seconds(), answer: answer.clone() };
    if let Ok(text) = serde_json::to_string(&stored) {
        let _ = file::replace(&path(home, key), text.as_bytes());
        prune(&folder(home), Duration::from_secs(u64::from(settings.cache_hours) * 3600));
    }
}

/// Takes away what is too old, and the oldest of too many.
fn prune(folder: &Path, longest: Duration) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, PathBuf)> =
        entries.flatten().filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    files.sort();
    let too_many = files.len().saturating_sub(KEPT);
    for (number, (made, path)) in files.iter().enumerate() {
        let is_old = made.elapsed().is_ok_and(|age| age > longest);
        if is_old || number < too_many {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn folder(home: &Home) -> PathBuf {
    home.cache().join("judge")
}

fn path(home: &Home, key: &str) -> PathBuf {
    folder(home).join(format!("{key}.json"))
}
