//! What a person lets pass once: pending refusals under a short code, and grants that are used once. Whether a verdict
//! can be lifted at all is the core's business.
//!
//! `grants/pending/KEY` is written when something is refused, `grants/once/KEY` by `fourseam allow-once`. Using a grant
//! renames it to `grants/used/KEY.CALL.EVENT`: of two calls at once only one can.

mod code;
mod pending;

pub(crate) use code::Code;
pub(crate) use pending::{Pending, find, put as put_pending};

use crate::home::Home;
use crate::{clock, digest, file};
use fourseam_core::action::{Action, HookCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// How long a grant can be used, in seconds.
pub(crate) const LASTS: u64 = 600;
/// Stands for the hash of a file that could not be read.
pub(crate) const UNREAD: &str = "unread";
/// Largest file whose content a grant is bound to; hashing it takes some 50 ms.
const LARGEST_SCRIPT: u64 = 64 * 1024 * 1024;
/// Largest grant or pending refusal; an action beyond it has no code.
const LARGEST: usize = 512 * 1024;

/// What a grant holds for: all that the refusal depended on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Binding {
    pub(crate) host: String,
    pub(crate) session: Option<String>,
    pub(crate) cwd: Option<String>,
    /// The action in its host-neutral form.
    pub(crate) action: Value,
    /// Hash of the policy in force.
    pub(crate) policy: String,
    /// Hash of every script that was read or would be run, by path.
    pub(crate) scripts: BTreeMap<String, String>,
}

/// A person's yes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Grant {
    binding: Binding,
    /// When it ends, in seconds since 1970.
    until: u64,
}

impl Binding {
    /// Of a call under a policy.
    pub(crate) fn new(call: &HookCall, policy: &str, scripts: BTreeMap<String, String>) -> Self {
        Self {
            host: call.host.clone(),
            session: call.session.clone(),
            cwd: call.cwd.clone(),
            action: serde_json::to_value(&call.action).unwrap_or_default(),
            policy: policy.to_owned(),
            scripts,
        }
    }

    /// A name that no other binding has.
    pub(crate) fn key(&self) -> String {
        digest::name_of(self)
    }
}

/// Hash of a script for [`Binding::scripts`].
pub(crate) fn hash_of(path: &str) -> String {
    file::hash(Path::new(path), LARGEST_SCRIPT).unwrap_or_else(|_| UNREAD.to_owned())
}

/// Names an action of a session, whatever else it depends on.
pub(crate) fn action_key(call: &HookCall, action: &Action) -> String {
    digest::name_of(&(&call.host, &call.session, action))
}

/// Lets exactly this pass once within the next [`LASTS`] seconds.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn grant(home: &Home, binding: Binding) -> io::Result<()> {
    let path = once(home).join(binding.key());
    let grant = Grant { binding, until: clock::seconds() + LASTS };
    file::replace(&path, &serde_json::to_vec(&grant)?)
}

/// Uses the grant for this call, if there is one. The same tool use may come to us several times, since hosts run each
/// other's hooks and ask at a permission event after the first gate: those share one grant.
pub(crate) fn take(home: &Home, binding: &Binding, call: &HookCall) -> bool {
    let key = binding.key();
    let path = once(home).join(&key);
    let used = used(home);
    match read(&path) {
        Some(grant) if grant.holds_for(binding) => {
            let name = used.join(Use::of(call).name(&key));
            if file::make_folder(&used).is_ok() && std::fs::rename(&path, name).is_ok() {
                return true;
            }
        }
        Some(_) => {
            let _ = file::remove(&path);
        }
        None => {}
    }
    was_taken_by(&used, binding, &Use::of(call))
}

/// Whether this tool use has taken a grant already.
fn was_taken_by(folder: &Path, binding: &Binding, this: &Use) -> bool {
    let key = binding.key();
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let of_this = |name: &String| Use::named(name, &key).is_some_and(|other| other.is_same(this));
    names.filter(of_this).any(|name| read(&folder.join(name)).is_some_and(|grant| grant.holds_for(binding)))
}

/// By which tool use a grant was taken, at which event.
#[derive(Debug, PartialEq, Eq)]
struct Use {
    /// Short hash of the host's id of the call; empty when it gives none.
    call: String,
    /// Short hash of the event.
    event: String,
}

impl Use {
    fn of(call: &HookCall) -> Self {
        let short = |text: &str| digest::name_of(&text).chars().take(16).collect();
        Self { call: call.call_id.as_deref().map(short).unwrap_or_default(), event: short(&call.event) }
    }

    fn name(&self, key: &str) -> String {
        format!("{key}.{}.{}", self.call, self.event)
    }

    fn named(name: &str, key: &str) -> Option<Self> {
        let (call, event) = name.strip_prefix(key)?.strip_prefix('.')?.split_once('.')?;
        Some(Self { call: call.to_owned(), event: event.to_owned() })
    }

    /// Permission events do not name the call, but they come after a gate that let it pass; so another event without a
    /// name is of the same tool use, and the same event without one is another.
    fn is_same(&self, other: &Self) -> bool {
        let is_named = !self.call.is_empty() && !other.call.is_empty();
        if is_named { self.call == other.call } else { self.event != other.event }
    }
}

impl Grant {
    /// Not past its end, and not longer from it than a grant lasts: a clock that was set back must not prolong it.
    fn holds_for(&self, binding: &Binding) -> bool {
        let left = self.until.checked_sub(clock::seconds());
        self.binding == *binding && left.is_some_and(|left| (1..=LASTS).contains(&left))
    }
}

fn read(path: &Path) -> Option<Grant> {
    serde_json::from_slice(&file::read(path, LARGEST * 2).ok()?).ok()
}

fn once(home: &Home) -> PathBuf {
    home.grants().join("once")
}

fn used(home: &Home) -> PathBuf {
    home.grants().join("used")
}

/// Takes away files that nothing can come of any more, and the oldest of too many.
fn tidy(folder: &Path, oldest: u64, most: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let age = |entry: &std::fs::DirEntry| entry.metadata().ok()?.modified().ok()?.elapsed().ok();
    let mut files: Vec<_> =
        entries.flatten().map(|entry| (age(&entry).unwrap_or_default().as_secs(), entry.path())).collect();
    files.sort();
    for (number, (age, path)) in files.iter().enumerate() {
        if *age > oldest || number >= most {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests;
