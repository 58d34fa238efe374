//! Which rules are on, which are locked, and what exceptions make of a match. Over all layers.

use super::compile::is_named;
use super::glob;
use super::holds;
use super::rule::Maturity;
use super::scene::Subject;
use super::set::{Stored, StoredOverride, StoredRule};
use super::source::Layer;
use crate::decision::Decision;

/// The switches of all sets.
pub(super) struct Switches<'s> {
    sets: &'s [Stored<'s>],
    /// `None`: not known, so that nothing that ends is in force.
    today: Option<&'s str>,
    /// Rules that are off until enabled are on.
    previews: bool,
}

/// Why a rule is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Off {
    /// A layer has disabled it.
    DisabledBy(Layer),
    /// It is off until it is enabled.
    Preview,
}

impl<'s> Switches<'s> {
    pub(super) fn new(sets: &'s [Stored<'s>], today: Option<&'s str>, previews: bool) -> Self {
        Self { sets, today, previews }
    }

    /// Why the rule is off. `None`: it is on.
    pub(super) fn off(&self, rule: &StoredRule) -> Option<Off> {
        let named = |(layer, entry): &&(Layer, String)| {
            *layer >= rule.layer && is_named(&rule.id, entry) && !self.is_locked(rule, *layer)
        };
        if let Some((layer, _)) = self.sets.iter().flat_map(|set| &set.disable).find(named) {
            return Some(Off::DisabledBy(*layer));
        }
        let enabled = self.previews || self.sets.iter().any(|set| set.enable.iter().any(|entry| named(&entry)));
        (rule.maturity == Maturity::Preview && !enabled).then_some(Off::Preview)
    }

    /// Whether a layer more general than `by` keeps the rule as it is.
    pub(super) fn is_locked(&self, rule: &StoredRule, by: Layer) -> bool {
        let mut locks = self.sets.iter().flat_map(|set| &set.locked);
        locks.any(|(layer, entry)| *layer < by && is_named(&rule.id, entry))
    }

    /// What the rule decides on a subject, exceptions taken into account. Of several the strongest holds.
    pub(super) fn decision(&self, rule: &StoredRule, subject: &Subject<'_>) -> Decision {
        let exceptions = self.sets.iter().flat_map(|set| &set.overrides);
        exceptions
            .filter(|it| self.is_in_force(it) && it.layer >= rule.layer && glob::matches(&it.rule, &rule.id))
            .filter(|it| it.decision >= rule.decision || !self.is_locked(rule, it.layer))
            .filter(|it| applies(it, subject))
            .map(|it| it.decision)
            .max()
            .unwrap_or(rule.decision)
    }

    /// Whether an exception takes something away from the rule, wherever that is.
    pub(super) fn is_lifted_somewhere(&self, rule: &StoredRule) -> bool {
        self.sets.iter().flat_map(|set| &set.overrides).any(|it| {
            self.is_in_force(it)
                && it.layer >= rule.layer
                && it.decision < rule.decision
                && glob::matches(&it.rule, &rule.id)
                && !self.is_locked(rule, it.layer)
        })
    }

    /// Whether an exception has not ended.
    pub(super) fn is_in_force(&self, exception: &StoredOverride) -> bool {
        match (&exception.until, self.today) {
            (None, _) => true,
            (Some(until), Some(today)) => today <= until.as_str(),
            (Some(_), None) => false,
        }
    }
}

fn applies(exception: &StoredOverride, subject: &Subject<'_>) -> bool {
    exception.when.as_ref().is_none_or(|when| holds::condition(when, subject))
        && !exception.unless.as_ref().is_some_and(|unless| holds::condition(unless, subject))
}
