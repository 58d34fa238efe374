//! What is remembered of a session: files the agent wrote, what it was refused, what a person approved. Pure data;
//! where it is kept is the binary's business.

mod deed;
mod recall;

pub use deed::Deed;
pub(crate) use recall::recalled;

use crate::analysis::{Analysis, EffectKind, Place, Taint, Target};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Refusals that are remembered, the newest of them.
pub const MOST_REFUSALS: usize = 64;
/// Written files that are remembered, the newest of them.
pub const MOST_WRITTEN: usize = 512;
/// Questions and approvals that are remembered, the newest of them.
pub const MOST_ASKED: usize = 128;

/// One thing that is remembered. A session's memory is a list of them, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The agent was let write a file.
    Wrote(Written),
    /// Something was refused.
    Refused(Refusal),
    /// A person let these pass after all.
    Lifted {
        /// What was let pass.
        deeds: Vec<Deed>,
    },
    /// A person was asked.
    Asked(Asked),
    /// What a person was asked about was seen to run.
    Ran {
        /// As [`Asked::key`].
        key: String,
    },
}

/// A file that the agent wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Absolute path.
    pub path: String,
    /// What its content carries, as far as the writing told.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub taint: Vec<Taint>,
}

/// Something that a rule refused, or asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The rule.
    pub rule: String,
    /// Hash of the policy then. Another policy may see it otherwise.
    pub policy: String,
    /// What would have been done.
    pub deeds: Vec<Deed>,
}

impl Refusal {
    fn is_of(&self, deeds: &[Deed], policy: &str) -> bool {
        self.policy == policy && self.deeds.iter().any(|old| deeds.iter().any(|deed| deed.does(old)))
    }
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Names the action with all that the question depended on: directory, policy, scripts.
    pub key: String,
    /// Names the action alone.
    pub action: String,
    /// The host's id of the tool call, if it gives one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call: Option<String>,
    /// What was asked about, and by which rule: while it is not seen to run, the person may have said no.
    pub about: Option<Refusal>,
}

/// What is remembered of a session when one of its calls is decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// By path; the number says how long ago, the newest highest.
    written: BTreeMap<String, (u64, Vec<Taint>)>,
    refused: VecDeque<Refusal>,
    asked: VecDeque<Asked>,
    approved: VecDeque<String>,
    count: u64,
}

impl Past {
    /// The memory of these entries, oldest first.
    #[must_use]
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut past = Self::default();
        entries.into_iter().for_each(|entry| past.add(entry));
        past
    }

    /// Remembers one thing more. What is beyond the bounds is forgotten, the oldest first.
    pub fn add(&mut self, entry: Entry) {
        self.count += 1;
        match entry {
            Entry::Wrote(Written { path, taint }) => {
                self.written.insert(path, (self.count, taint));
                if self.written.len() > MOST_WRITTEN {
                    let oldest = self.written.iter().min_by_key(|(_, (when, _))| *when).map(|(path, _)| path.clone());
                    oldest.and_then(|path| self.written.remove(&path));
                }
            }
            Entry::Refused(refusal) => {
                self.refused.retain(|known| *known != refusal);
                push(&mut self.refused, refusal, MOST_REFUSALS);
            }
            Entry::Lifted { deeds } => {
                self.refused.retain(|refusal| !refusal.deeds.iter().any(|it| deeds.contains(it)))
            }
            Entry::Asked(asked) => {
                self.asked.retain(|known| *known != asked);
                push(&mut self.asked, asked, MOST_ASKED);
            }
            Entry::Ran { key } => {
                self.asked.retain(|asked| asked.key != key);
                self.approved.retain(|known| *known != key);
                push(&mut self.approved, key, MOST_ASKED);
            }
        }
    }

    /// Whether an entry would add nothing.
    #[must_use]
    pub fn knows(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Wrote(Written { path, taint }) => self.written.get(path).is_some_and(|(_, known)| known == taint),
            Entry::Refused(refusal) => self.refused.contains(refusal),
            Entry::Lifted { deeds } => {
                !self.refused.iter().any(|refusal| refusal.deeds.iter().any(|it| deeds.contains(it)))
            }
            Entry::Asked(asked) => self.asked.contains(asked),
            Entry::Ran { key } => self.approved.contains(key),
        }
    }

    /// What a file that the agent wrote carries. `None`: it is not known to have written it.
    #[must_use]
    pub fn written(&self, path: &str) -> Option<&[Taint]> {
        self.written.get(path).map(|(_, taint)| taint.as_slice())
    }

    /// The newest refusal, under this policy, of something that one of these deeds does again.
    #[must_use]
    pub fn refusal(&self, deeds: &[Deed], policy: &str) -> Option<&Refusal> {
        self.refused.iter().rev().find(|refusal| refusal.is_of(deeds, policy))
    }

    /// The newest question, under this policy, about something that one of these deeds does again, and that was not seen
    /// to run.
    #[must_use]
    pub fn unanswered(&self, deeds: &[Deed], policy: &str) -> Option<&Refusal> {
        self.asked.iter().rev().filter_map(|asked| asked.about.as_ref()).find(|about| about.is_of(deeds, policy))
    }

    /// Whether nothing was refused or asked about.
    #[must_use]
    pub fn is_untroubled(&self) -> bool {
        self.refused.is_empty() && self.asked.is_empty()
    }

    /// Whether a person approved this, and it ran.
    #[must_use]
    pub fn is_approved(&self, key: &str) -> bool {
        self.approved.iter().any(|known| known == key)
    }

    /// The question about a call that has now run. Where the host names its calls the names must agree.
    #[must_use]
    pub fn question(&self, action: &str, call: Option<&str>) -> Option<&Asked> {
        self.asked.iter().rev().find(|asked| asked.action == action && asked.call.as_deref() == call)
    }
}

/// The files that an action writes on this machine, with what is put into them.
#[must_use]
pub fn writes(analysis: &Analysis) -> Vec<Written> {
    let mut writes: Vec<Written> = Vec::new();
    for effect in &analysis.effects {
        let is_write = matches!(effect.kind, EffectKind::Write | EffectKind::Overwrite);
        let Some(Target::Path(path)) = &effect.target else { continue };
        let Some(resolved) = path.resolved.as_ref().filter(|_| is_write && !path.glob && !path.unknown) else {
            continue;
        };
        let is_known = writes.iter().any(|known| known.path == *resolved);
        if effect.place == Place::Local && !is_known {
            writes.push(Written { path: resolved.clone(), taint: analysis.carried(resolved) });
        }
    }
    writes
}

/// The files that an action runs on this machine.
pub fn runs(analysis: &Analysis) -> impl Iterator<Item = &str> {
    analysis.effects.iter().filter_map(|effect| match &effect.target {
        Some(Target::Path(path)) if effect.kind == EffectKind::Execute && effect.place == Place::Local => {
            path.resolved.as_deref().filter(|_| !path.glob && !path.unknown)
        }
        Some(
            Target::Path(_) | Target::Url { .. } | Target::Host { .. } | Target::Sql { .. } | Target::Resource { .. },
        )
        | None => None,
    })
}

fn push<T>(list: &mut VecDeque<T>, item: T, most: usize) {
    list.push_back(item);
    if list.len() > most {
        list.pop_front();
    }
}

#[cfg(test)]
mod tests;
