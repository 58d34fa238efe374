//! What is odd about a policy that compiles: rules that do nothing, exceptions that have no force, bad advice.

use super::Policy;
use super::compile::{compile, is_named};
use super::diagnostic::{Diagnostic, Level, Place, nearest};
use super::glob;
use super::never::{is_covered, never_matches};
use super::set::{RuleSet, StoredRule};
use super::source::{self, File, Source};
use super::switches::Switches;
use super::trial::{MissKind, try_rule};
use crate::analysis::Knowledge;
use crate::decision::Decision;

/// What the files are checked against.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    /// The built-in rules.
    pub builtin: &'s RuleSet,
    /// What is known of programs.
    pub knowledge: &'s dyn Knowledge,
    /// The date, `YYYY-MM-DD`.
    pub today: &'s str,
}

/// Everything that is wrong or odd, in the order of the files.
#[must_use]
pub fn lint(sources: &[Source<'_>], around: Surroundings<'_>) -> Vec<Diagnostic> {
    let compiled = compile(sources, &[around.builtin]);
    let own = compiled.set.rules();
    let mut rules = around.builtin.rules();
    rules.extend(own.iter().cloned());
    let policy = Policy::new(vec![around.builtin.clone(), compiled.set.clone()], Some(around.today.to_owned()));
    let sets: Vec<_> = [around.builtin, &compiled.set].into_iter().filter_map(RuleSet::decode).collect();
    let switches = Switches::new(&sets, Some(around.today), false);
    let mut diagnostics = compiled.diagnostics.clone();
    for source in sources {
        let (file, _) = source::read(source);
        let mut notes = Notes { source, diagnostics: &mut diagnostics };
        check_switches(&file, &rules, &mut notes);
        check_overrides(&file, &rules, &switches, around.today, &mut notes);
        for rule in &own {
            if let Some(place) = file.rules.iter().find(|it| it.id == rule.id).map(|it| it.place) {
                check_idle(rule, place, &rules, &mut notes);
            }
        }
        for rule in &file.rules {
            for miss in try_rule(rule, &policy, around.knowledge) {
                let (code, message) = match miss.kind {
                    MissKind::AdviceDenied => {
                        let by = miss.got.join(", ");
                        ("denied-advice", format!("`instead` advises `{}`, which is denied by {by}", miss.case))
                    }
                    MissKind::NativeTooBroad => {
                        ("native-too-broad", format!("`native` would stop what the rule lets pass: {}", miss.case))
                    }
                    MissKind::NotHit | MissKind::NotMissed | MissKind::GapClosed => continue,
                };
                notes.add(Level::Error, code, rule.place, Some(&rule.id), message, None);
            }
        }
    }
    diagnostics
}

fn check_switches(file: &File, rules: &[StoredRule], notes: &mut Notes<'_, '_>) {
    for (name, place) in file.enable.iter().chain(&file.disable) {
        if rules.iter().any(|rule| is_named(&rule.id, name)) {
            continue;
        }
        let packs = rules.iter().filter_map(|rule| rule.id.split('/').next());
        let known: Vec<&str> =
            if name.contains('/') { rules.iter().map(|rule| rule.id.as_str()).collect() } else { packs.collect() };
        let help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        notes.add(Level::Error, "unknown-pack", *place, None, format!("no pack or rule is called `{name}`"), help);
    }
}

fn check_overrides(file: &File, rules: &[StoredRule], switches: &Switches<'_>, today: &str, notes: &mut Notes<'_, '_>) {
    let layer = notes.source.layer;
    for exception in &file.overrides {
        let meant: Vec<&StoredRule> = rules.iter().filter(|rule| glob::matches(&exception.rule, &rule.id)).collect();
        if meant.is_empty() {
            let help = nearest(&exception.rule, rules.iter().map(|rule| rule.id.as_str()));
            let help = help.map(|near| format!("did you mean `{near}`?"));
            let message = format!("no rule is called `{}`", exception.rule);
            notes.add(Level::Error, "unknown-rule", exception.place, None, message, help);
        }
        for rule in &meant {
            if exception.decision < rule.decision && switches.is_locked(rule, layer) {
                let message = format!("`{}` is locked: the override has no force", rule.id);
                notes.add(Level::Error, "locked-rule", exception.place, None, message, None);
            } else if rule.layer > layer {
                let message = format!("`{}` is a rule of the {} layer, which is nearer", rule.id, rule.layer.word());
                notes.add(Level::Warning, "nearer-rule", exception.place, None, message, None);
            }
        }
        if let Some(until) = exception.until.as_deref().filter(|until| *until < today) {
            let message = format!("the override of `{}` ended on {until}", exception.rule);
            let help = Some("remove it, or set a later `until`".to_owned());
            notes.add(Level::Warning, "expired-override", exception.place, None, message, help);
        }
    }
}

fn check_idle(rule: &StoredRule, place: Place, rules: &[StoredRule], notes: &mut Notes<'_, '_>) {
    if let Some(why) = never_matches(rule) {
        notes.add(
            Level::Warning,
            "never-matches",
            place,
            Some(&rule.id),
            format!("the rule can never match: {why}"),
            None,
        );
        return;
    }
    let stronger = |other: &&StoredRule| other.decision > rule.decision && !other.dry && !rule.dry;
    if let Some(strong) = rules.iter().filter(stronger).find(|other| is_covered(rule, other)) {
        let decision = if strong.decision == Decision::Deny { "denies" } else { "asks about" };
        let message = format!("wherever the rule matches, `{}` {decision} it", strong.id);
        notes.add(Level::Warning, "always-beaten", place, Some(&rule.id), message, None);
    }
}

/// The problems of one file.
struct Notes<'n, 's> {
    source: &'n Source<'s>,
    diagnostics: &'n mut Vec<Diagnostic>,
}

impl Notes<'_, '_> {
    fn add(
        &mut self,
        level: Level,
        code: &'static str,
        place: Place,
        rule: Option<&str>,
        message: String,
        help: Option<String>,
    ) {
        let source = self.source;
        let diagnostic = Diagnostic::of_source(source, level, code, place);
        self.diagnostics.push(Diagnostic { rule: rule.map(str::to_owned), message, help, ..diagnostic });
    }
}
