//! One hook call and what is remembered around it: what a person has let pass before it is answered, and what is worth
//! remembering of the answer. Decides nothing: verdicts come from the core.

use super::Session;
use crate::grants::{self, Binding};
use crate::home::Home;
use crate::policy::Settings;
use crate::world::Machine;
use fourseam_core::action::{Action, HookCall};
use fourseam_core::analysis::Analysis;
use fourseam_core::decision::{Decision, Mode};
use fourseam_core::past::{Asked, Entry, Refusal, Written, runs, writes};
use fourseam_core::verdict::{Lift, Told, Verdict};
use fourseam_core::world::World;

/// Longest path that is remembered.
const LONGEST_PATH: usize = 1024;
/// Deeds of one refusal that are remembered.
const MOST_DEEDS: usize = 32;
/// Files of one call that are remembered.
const MOST_WRITES: usize = 128;

/// A call at a gate, with what was found out about it.
pub(crate) struct Remembered<'a> {
    pub(crate) home: &'a Home,
    pub(crate) call: &'a HookCall,
    pub(crate) analysis: &'a Analysis,
    pub(crate) world: &'a Machine,
    pub(crate) settings: &'a Settings,
}

impl Remembered<'_> {
    /// The verdict after a person's grant or earlier yes, where there is one. Nothing is looked for unless something is
    /// asked or refused, and the host is told so.
    pub(crate) fn lift(&self, verdict: Verdict) -> Verdict {
        if !verdict.can_be_lifted() || self.settings.mode == Mode::Dry {
            return verdict;
        }
        let binding = self.binding();
        if grants::take(self.home, &binding, self.call) {
            self.keep(vec![Entry::Lifted { deeds: verdict.deeds().to_vec() }]);
            return verdict.lifted(Lift::Once);
        }
        if verdict.decision() == Decision::Ask && self.world.past().is_approved(&binding.key()) {
            return verdict.lifted(Lift::ApprovedBefore);
        }
        verdict
    }

    /// What the host is told, with the way for the user where it is refused. Remembers what matters for later calls.
    pub(crate) fn tell(&self, told: Told) -> Told {
        let can_be_lifted = told.verdict().can_be_lifted();
        match told.said() {
            Decision::Abstain | Decision::Allow => self.keep(self.written()),
            Decision::Ask => {
                let mut entries = self.written();
                if can_be_lifted {
                    let asked = Asked {
                        key: self.binding().key(),
                        action: grants::action_key(self.call, &self.call.action),
                        call: self.call.call_id.clone(),
                        about: self.troubled(told.verdict()),
                    };
                    entries.push(Entry::Asked(asked));
                }
                self.keep(entries);
            }
            Decision::Deny => {
                self.keep(self.troubled(told.verdict()).map(Entry::Refused).into_iter().collect());
                if can_be_lifted && let Some(code) = grants::put_pending(self.home, self.binding(), told.verdict()) {
                    return told.with_way(&format!("fourseam allow-once {code}"));
                }
            }
        }
        told
    }

    /// All that the verdict depended on.
    fn binding(&self) -> Binding {
        let mut scripts = self.world.texts_read();
        for path in runs(self.analysis) {
            if !scripts.contains_key(path) {
                let hash = grants::hash_of(path);
                scripts.insert(path.to_owned(), hash);
            }
        }
        Binding::new(self.call, &self.settings.hash, scripts)
    }

    fn written(&self) -> Vec<Entry> {
        let is_short = |written: &Written| written.path.len() <= LONGEST_PATH;
        writes(self.analysis).into_iter().filter(is_short).take(MOST_WRITES).map(Entry::Wrote).collect()
    }

    /// What a rule refuses or asks about. `None` where it says too little to be known again.
    fn troubled(&self, verdict: &Verdict) -> Option<Refusal> {
        let is_of_rule = |rule: &str| !rule.starts_with("session/") && !rule.starts_with("fourseam/");
        let reason = verdict.reasons().iter().find(|reason| is_of_rule(&reason.rule))?;
        let deeds: Vec<_> = verdict.deeds().iter().take(MOST_DEEDS).cloned().collect();
        let policy = self.settings.hash.clone();
        (!deeds.is_empty()).then(|| Refusal { rule: reason.rule.clone(), policy, deeds })
    }

    /// Remembers what is not known yet. A memory that cannot be written costs later calls their context, never this one
    /// its answer; that the folder cannot be written is told by the audit log.
    fn keep(&self, entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        let past = self.world.past();
        let news: Vec<Entry> = entries.into_iter().filter(|entry| !past.knows(entry)).collect();
        if let Some(session) = Session::of(self.home, self.call) {
            let _ = session.add(&news);
        }
    }
}

/// Notes that a call ran which a person was asked about: then they said yes. A call that failed may not have run.
pub(crate) fn ran(home: &Home, call: &HookCall) {
    let Action::ToolResult(result) = &call.action else { return };
    let key = grants::action_key(call, &result.of);
    let Some(session) = Session::of(home, call).filter(|session| !result.failed && session.mentions(&key)) else {
        return;
    };
    if let Some(asked) = session.past().question(&key, call.call_id.as_deref()) {
        let _ = session.add(&[Entry::Ran { key: asked.key.clone() }]);
    }
}
