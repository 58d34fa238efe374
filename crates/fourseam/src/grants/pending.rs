//! Refusals that a person may yet let pass: kept for an hour, under a code. The same refusal again keeps its code.

use super::{Binding, Code, LARGEST, LASTS, tidy, used};
use crate::home::Home;
use crate::{clock, file};
use fourseam_core::decision::Decision;
use fourseam_core::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How long a refusal can be let pass, in seconds.
const WAITS: u64 = 3600;
/// Refusals that are kept.
const MOST: usize = 64;

/// A refusal that waits for a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    code: String,
    /// When it was refused, in seconds since 1970.
    pub(crate) at: u64,
    /// What was refused.
    pub(crate) binding: Binding,
    /// Why, the strongest first.
    pub(crate) reasons: Vec<Why>,
}

/// A rule and what it says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Why {
    pub(crate) rule: String,
    pub(crate) decision: Decision,
    pub(crate) message: String,
}

/// Keeps a refusal and gives its code. `None` when it cannot be kept, or is too large for a person to judge.
pub(crate) fn put(home: &Home, binding: Binding, verdict: &Verdict) -> Option<Code> {
    let folder = folder(home);
    let path = folder.join(binding.key());
    let known = read(&path).and_then(|pending| Code::parse(&pending.code));
    let code = known.unwrap_or_else(Code::new);
    let reasons = verdict.reasons().iter().map(|reason| Why {
        rule: reason.rule.clone(),
        decision: reason.decision,
        message: reason.message.clone(),
    });
    let pending = Pending { code: code.to_string(), at: clock::seconds(), binding, reasons: reasons.collect() };
    let bytes = serde_json::to_vec(&pending).ok().filter(|bytes| bytes.len() <= LARGEST)?;
    file::replace(&path, &bytes).ok()?;
    tidy(&folder, WAITS, MOST);
    tidy(&used(home), LASTS * 2, MOST);
    tidy(&super::once(home), LASTS * 2, MOST);
    Some(code)
}

/// The refusal that a code names, if it still waits.
pub(crate) fn find(home: &Home, code: &Code) -> Option<Pending> {
    all(home).into_iter().find(|pending| Code::parse(&pending.code).as_ref() == Some(code))
}

impl Pending {
    /// Forgets it.
    pub(crate) fn remove(&self, home: &Home) {
        let _ = file::remove(&folder(home).join(self.binding.key()));
    }
}

fn all(home: &Home) -> Vec<Pending> {
    let Ok(entries) = std::fs::read_dir(folder(home)) else { return Vec::new() };
    let waits = |pending: &Pending| clock::seconds().saturating_sub(pending.at) <= WAITS;
    entries.flatten().filter_map(|entry| read(&entry.path())).filter(waits).collect()
}

fn read(path: &std::path::Path) -> Option<Pending> {
    serde_json::from_slice(&file::read(path, LARGEST).ok()?).ok()
}

fn folder(home: &Home) -> PathBuf {
    home.grants().join("pending")
}
