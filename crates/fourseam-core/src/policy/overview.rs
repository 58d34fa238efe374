//! The policy in force as a list of lines, each with the layer it comes from. For people; decides nothing.

use super::Policy;
use super::set::{Stored, StoredRule};
use super::settings;
use super::source::Layer;
use super::switches::{Off, Switches};
use crate::decision::Decision;
use std::collections::BTreeMap;

/// One line: a key of the policy file, what it is, and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Section of the policy: `settings`, `packs`, `rules`, `overrides`, `locked`.
    pub section: &'static str,
    /// Key, pack, or rule.
    pub name: String,
    /// Value in words.
    pub value: String,
    /// Where it comes from, in words (`user`, `default`, `built-in, disabled by user`).
    pub from: String,
}

/// The policy in force. Built-in packs are told as wholes, rules of other layers one by one.
#[must_use]
pub fn overview(policy: &Policy) -> Vec<Line> {
    let sets: Vec<Stored<'_>> = policy.sets.iter().filter_map(|set| set.decode()).collect();
    let switches = Switches::new(&sets, policy.today.as_deref(), policy.previews);
    let rules: Vec<StoredRule> = policy.sets.iter().flat_map(super::RuleSet::rules).collect();
    let mut lines = setting_lines(policy);
    lines.extend(pack_lines(&rules, &switches));
    for rule in rules.iter().filter(|rule| rule.layer != Layer::Builtin) {
        let dry = if rule.dry { ", dry" } else { "" };
        let off = off(rule, &switches).map(|why| format!(", {why}")).unwrap_or_default();
        let value = format!("{}{dry}", rule.decision.word());
        lines.push(line("rules", &rule.id, value, format!("{}{off}", rule.layer.word())));
    }
    for exception in sets.iter().flat_map(|set| &set.overrides) {
        let until = exception.until.as_ref().map(|until| format!(" until {until}")).unwrap_or_default();
        let somewhere = if exception.when.is_some() || exception.unless.is_some() { " where it says" } else { "" };
        let ended = if switches.is_in_force(exception) { "" } else { ", ended" };
        let value = format!("{}{somewhere}{until}", exception.decision.word());
        lines.push(line("overrides", &exception.rule, value, format!("{}{ended}", exception.layer.word())));
    }
    for (layer, entry) in sets.iter().flat_map(|set| &set.locked) {
        lines.push(line("locked", entry, "cannot be overridden or disabled".to_owned(), layer.word().to_owned()));
    }
    lines
}

fn line(section: &'static str, name: &str, value: String, from: String) -> Line {
    Line { section, name: name.to_owned(), value, from }
}

fn setting_lines(policy: &Policy) -> Vec<Line> {
    let parts = settings::parts(&policy.sets);
    let merged = settings::described(policy.settings());
    let layers = [Layer::Organisation, Layer::User, Layer::Project];
    // A setting comes from the layers that say it; the merged value is theirs.
    let from = |key: &str| {
        if key == "mode" && policy.switched {
            return "switched with `fourseam mode` or `fourseam pause`".to_owned();
        }
        let saying: Vec<&str> = (layers.iter().zip(&parts))
            .filter(|(_, part)| settings::says(part, key))
            .map(|(layer, _)| layer.word())
            .collect();
        if saying.is_empty() { "default".to_owned() } else { saying.join(", ") }
    };
    merged.into_iter().map(|(key, value)| line("settings", key, value, from(key))).collect()
}

fn pack_lines(rules: &[StoredRule], switches: &Switches<'_>) -> Vec<Line> {
    let mut packs: BTreeMap<&str, Vec<&StoredRule>> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| rule.layer == Layer::Builtin) {
        packs.entry(rule.id.split('/').next().unwrap_or_default()).or_default().push(rule);
    }
    let mut lines = Vec::new();
    for (pack, rules) in packs {
        let on = rules.iter().filter(|rule| off(rule, switches).is_none()).count();
        let count = |decision| rules.iter().filter(|rule| rule.decision == decision).count();
        let kinds = [Decision::Deny, Decision::Ask, Decision::Allow]
            .map(|decision| (count(decision), decision.word()))
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect::<Vec<_>>()
            .join(", ");
        let value =
            if on == rules.len() { format!("on ({kinds})") } else { format!("{on} of {} rules on", rules.len()) };
        let why = rules.iter().find_map(|rule| off(rule, switches)).map(|why| format!(", {why}")).unwrap_or_default();
        lines.push(line("packs", pack, value, format!("{}{why}", Layer::Builtin.word())));
    }
    lines
}

/// Why a rule is off, in words.
fn off(rule: &StoredRule, switches: &Switches<'_>) -> Option<String> {
    match switches.off(rule)? {
        Off::DisabledBy(layer) => Some(format!("disabled by {}", layer.word())),
        Off::Preview => Some("preview".to_owned()),
    }
}
