//! The policy in agents' own rules: what each can be told, and the change of the file that holds them. Changes nothing
//! itself but through the ledger.

use super::ledger::Change;
use super::{Around, Edit, Ledger, Part, edit, removal};
use fourseam_core::policy::{NativeRule, Policy, native_rules};
use fourseam_hosts::Host;
use fourseam_hosts::native::{self, Said};
use std::path::PathBuf;

/// What one agent is told in its own rules.
pub(crate) struct Told {
    /// The agent.
    pub(crate) host: &'static dyn Host,
    /// The file that holds its rules.
    pub(crate) file: PathBuf,
    /// The rules.
    pub(crate) said: Vec<Said>,
    /// Forms that it would read otherwise, or has no words for: rule and reason.
    pub(crate) unsaid: Vec<(String, &'static str)>,
    /// What a person should know of them.
    pub(crate) notes: &'static [&'static str],
}

/// The change of a file with an agent's own rules.
pub(crate) struct Rewrite {
    edit: Edit,
    /// The rules of ours that will be in it.
    ours: Vec<String>,
    /// There is nothing of ours in it yet.
    clean: bool,
}

/// The deny rules of a policy, as far as they have plain forms.
pub(crate) fn rules(policy: &Policy) -> Vec<NativeRule> {
    native_rules(policy, fourseam_packs::knowledge())
}

impl Told {
    /// What an agent can be told of these rules. `None`: how to tell it is not known.
    pub(crate) fn make(host: &'static dyn Host, rules: &[NativeRule], around: &Around) -> Option<Self> {
        let native = host.install().native()?;
        let home = around.home.to_string_lossy();
        let mut told = Self {
            host,
            file: around.native_file(native),
            said: Vec::new(),
            unsaid: Vec::new(),
            notes: native.notes(),
        };
        for rule in rules {
            for form in &rule.forms {
                match native.say(form, &home) {
                    Ok(words) => told.said.push(Said { rule: rule.rule.clone(), reason: rule.reason.clone(), words }),
                    Err(why) => told.unsaid.push((rule.rule.clone(), why)),
                }
            }
        }
        Some(told)
    }

    /// The change that makes the file say exactly this. `None`: it does.
    ///
    /// # Errors
    /// Why the file is left alone.
    pub(crate) fn rewrite(&self, ledger: &Ledger) -> Result<Option<Rewrite>, String> {
        let Some(rules) = self.host.install().native() else { return Ok(None) };
        let before = edit::read(&self.file).map_err(|error| error.to_string())?;
        let text = before.as_deref().map(std::str::from_utf8).transpose().map_err(|_| "it is not UTF-8 text")?;
        let known = ledger.rules(self.host.id(), &self.file);
        let clean = known.is_empty() && !text.is_some_and(|text| native::is_ours(rules, text));
        let (after, ours) = native::plan(rules, text, &self.said, known).map_err(|error| error.to_string())?;
        let edit = Edit { path: self.file.clone(), before, after: after.map(String::into_bytes) };
        Ok((edit.changes() || ours != known).then_some(Rewrite { edit, ours, clean }))
    }

    /// Writes the rules.
    ///
    /// # Errors
    /// Why the file is left alone.
    pub(crate) fn write(&self, rewrite: &Rewrite, ledger: &mut Ledger) -> Result<(), String> {
        let host = self.host.id();
        if self.said.is_empty() {
            let place = removal::Place { host, part: Part::Native, file: self.file.clone() };
            for removal in removal::removals(vec![place], ledger) {
                ledger.take_out(host, Part::Native, &removal.edit?).map_err(|error| error.to_string())?;
            }
            return Ok(());
        }
        let Rewrite { edit, ours, clean } = rewrite;
        let change = Change { host, part: Part::Native, edit, clean: *clean, rules: ours };
        ledger.write(&change).map_err(|error| error.to_string())
    }
}
