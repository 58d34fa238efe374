//! What a policy means, written as plainly as possible: no index, no bytes, every rule on everything. The fast
//! evaluator must agree with it. Only used in tests.

mod arbitrary;
mod properties;

use super::condition::{Condition, Test};
use super::holds;
use super::scene::{Scene, Subject, strings};
use super::set::{StoredOverride, StoredRule};
use crate::analysis::{EffectKind, Target, UnknownClass};
use crate::decision::Decision;
use std::collections::BTreeMap;

/// Rules and exceptions, as they are before they become bytes.
#[derive(Clone, Debug)]
struct Plain {
    rules: Vec<StoredRule>,
    overrides: Vec<StoredOverride>,
}

/// The decision of each rule that matches, allow rules left out where not all is allowed.
fn decisions(plain: &Plain, scene: &Scene<'_>) -> BTreeMap<String, Decision> {
    let mut found: BTreeMap<String, Decision> = BTreeMap::new();
    let mut allowed = Allowed { call: false, invocations: Vec::new(), effects: Vec::new() };
    for rule in plain.rules.iter().filter(|rule| !rule.dry) {
        for subject in subjects(rule, scene) {
            if !rule_matches(rule, &subject) {
                continue;
            }
            let decision = decide(rule, plain, &subject);
            if decision == Decision::Allow && rule.decision != Decision::Allow {
                continue;
            }
            if decision == Decision::Allow {
                allowed.add(&subject);
            }
            let strongest = found.entry(rule.id.clone()).or_default();
            *strongest = (*strongest).max(decision);
        }
    }
    if !allowed.is_everything(scene) {
        found.retain(|_, decision| *decision != Decision::Allow);
    }
    found
}

/// The strongest of them.
fn decision(plain: &Plain, scene: &Scene<'_>) -> Decision {
    decisions(plain, scene).into_values().max().unwrap_or_default()
}

fn subjects<'a>(rule: &StoredRule, scene: &'a Scene<'a>) -> Vec<Subject<'a>> {
    let analysis = scene.analysis;
    let whole = Subject { scene, invocation: None, effect: None, unknown: None, finding: None };
    let command = |index: Option<usize>| index.and_then(|index| Some((index, analysis.invocations.get(index)?)));
    let mut subjects = Vec::new();
    for (index, invocation) in analysis.invocations.iter().enumerate() {
        let is_own = |other: Option<usize>| other == Some(index);
        let with_effects = rule.looks.at_effects && analysis.effects.iter().any(|it| is_own(it.invocation));
        let with_unknowns = rule.looks.at_unknowns && analysis.unknowns.iter().any(|it| is_own(it.invocation));
        let looks = rule.looks.at_invocations || rule.looks.at_effects || rule.looks.at_unknowns;
        if looks && !with_effects && !with_unknowns {
            subjects.push(Subject { invocation: Some((index, invocation)), ..whole });
        }
    }
    if rule.looks.at_effects {
        for (index, effect) in analysis.effects.iter().enumerate() {
            subjects.push(Subject { effect: Some((index, effect)), invocation: command(effect.invocation), ..whole });
        }
    }
    if rule.looks.at_unknowns {
        for unknown in &analysis.unknowns {
            subjects.push(Subject { unknown: Some(unknown), invocation: command(unknown.invocation), ..whole });
        }
    }
    if rule.looks.at_findings {
        for finding in &analysis.findings {
            subjects.push(Subject { finding: Some(finding), ..whole });
        }
    }
    if subjects.is_empty() {
        subjects.push(whole);
    }
    subjects
}

fn rule_matches(rule: &StoredRule, subject: &Subject<'_>) -> bool {
    if rule.spares_harmless && subject.invocation.is_some_and(|(_, it)| it.harmless) {
        return false;
    }
    let excepted = match &rule.unless {
        Some(unless) => condition(unless, subject),
        None => false,
    };
    condition(&rule.when, subject) && !excepted
}

fn decide(rule: &StoredRule, plain: &Plain, subject: &Subject<'_>) -> Decision {
    let mut strongest = None;
    for exception in &plain.overrides {
        let when = exception.when.as_ref().is_none_or(|when| condition(when, subject));
        let unless = exception.unless.as_ref().is_some_and(|unless| condition(unless, subject));
        if exception.rule == rule.id && exception.until.is_none() && exception.layer >= rule.layer && when && !unless {
            strongest = strongest.max(Some(exception.decision));
        }
    }
    strongest.unwrap_or(rule.decision)
}

/// What allow rules speak for.
struct Allowed {
    call: bool,
    invocations: Vec<usize>,
    effects: Vec<usize>,
}

impl Allowed {
    fn add(&mut self, subject: &Subject<'_>) {
        if subject.unknown.is_some() || subject.finding.is_some() {
            return;
        }
        match (subject.effect, subject.invocation) {
            (Some((effect, _)), _) => self.effects.push(effect),
            (None, Some((invocation, _))) => self.invocations.push(invocation),
            (None, None) => self.call = true,
        }
    }

    fn is_everything(&self, scene: &Scene<'_>) -> bool {
        let analysis = scene.analysis;
        for unknown in &analysis.unknowns {
            let by_name = unknown.invocation.is_some_and(|invocation| self.invocations.contains(&invocation));
            if !matches!(unknown.class, UnknownClass::Program | UnknownClass::Subcommand) || !by_name {
                return false;
            }
        }
        if self.call {
            return true;
        }
        let mut something = false;
        for (index, effect) in analysis.effects.iter().enumerate() {
            let by_command = effect.invocation.is_some_and(|index| self.invocations.contains(&index));
            if !by_command && !self.effects.contains(&index) {
                return false;
            }
            something = true;
        }
        for index in 0..analysis.invocations.len() {
            let has_effects = analysis.effects.iter().any(|effect| effect.invocation == Some(index));
            if !has_effects && !self.invocations.contains(&index) {
                return false;
            }
            something = true;
        }
        something
    }
}

fn condition(it: &Condition, subject: &Subject<'_>) -> bool {
    match it {
        Condition::All(parts) => !parts.iter().any(|part| !condition(part, subject)),
        Condition::Any(parts) => parts.iter().filter(|part| condition(part, subject)).count() > 0,
        Condition::Not(part) => !condition(part, subject),
        Condition::Test(test) => holds_plainly(test, subject).unwrap_or_else(|| holds::condition(it, subject)),
    }
}

/// The tests that are random in [`arbitrary`], said again. `None`: not said again.
fn holds_plainly(test: &Test, subject: &Subject<'_>) -> Option<bool> {
    let invocation = subject.invocation.map(|(_, it)| it);
    let effect = subject.effect.map(|(_, it)| it);
    Some(match (test, invocation, effect) {
        (Test::Command(globs), Some(it), _) => globs.iter().any(|glob| glob_matches(glob, &it.program)),
        (Test::Subcommand(prefixes), Some(it), _) => prefixes.iter().any(|prefix| {
            let have = format!("{} ", it.subcommand.join(" "));
            have.starts_with(&format!("{prefix} "))
        }),
        (Test::AnyFlag(names), Some(it), _) => it.flags.iter().any(|flag| names.contains(&flag.name)),
        (Test::NoFlag(names), Some(it), _) => it.flags.iter().all(|flag| !names.contains(&flag.name)),
        (Test::OnlyFlags(names), Some(it), _) => it.flags.iter().all(|flag| names.contains(&flag.name)),
        (Test::ArgGlob(globs), Some(it), _) => {
            it.args.iter().any(|arg| globs.iter().any(|glob| glob_matches(glob, arg)))
        }
        (Test::ReadOnly(want), Some(it), _) => {
            let index = subject.invocation.map(|(index, _)| index);
            let own = subject.scene.analysis.effects.iter().filter(|effect| effect.invocation == index);
            let only_reads = own.filter(|effect| effect.kind != EffectKind::Read).count() == 0;
            (it.read_only && only_reads) == *want
        }
        (Test::Harmless(Some(want)), Some(it), _) => it.harmless == *want,
        (Test::Effect(kinds), _, Some(it)) => kinds.contains(&it.kind),
        (Test::Verb(globs), _, Some(it)) => globs.iter().any(|glob| glob_matches(glob, &it.verb)),
        (Test::Recursive(want), _, Some(it)) => it.recursive == *want,
        (Test::Taint(taints), _, Some(it)) => taints.iter().any(|taint| it.taint.contains(taint)),
        (Test::PathClass(classes), _, Some(it)) => match &it.target {
            Some(Target::Path(path)) => classes.iter().any(|class| path.classes.contains(class)),
            _ => false,
        },
        (Test::Unknown(classes), _, _) => subject.unknown.is_some_and(|it| classes.contains(&it.class)),
        (Test::Finding(ids), _, _) => subject.finding.is_some_and(|it| ids.contains(&it.detector)),
        (Test::RawPattern(patterns), _, _) => {
            let raw = subject.scene.raw.join("\n");
            patterns.iter().any(|pattern| raw.contains(pattern.as_str()))
        }
        (Test::Argument(entries), _, _) => match &subject.scene.call.action {
            crate::action::Action::McpCall { arguments, .. } => entries.iter().all(|entry| {
                let value = entry.names.first().and_then(|name| arguments.get(name));
                value.is_some_and(|value| strings(value).iter().any(|text| entry.values.contains(text)))
            }),
            _ => false,
        },
        _ => return None,
    })
}

/// Globs with `*` only, by trying every way.
fn glob_matches(glob: &str, text: &str) -> bool {
    match glob.split_once('*') {
        None => glob == text,
        Some((before, after)) => {
            let Some(rest) = text.strip_prefix(before) else { return false };
            (0..=rest.len()).filter_map(|at| rest.get(at..)).any(|rest| glob_matches(after, rest))
        }
    }
}
