//! Rules on an analysis: which match, what exceptions make of it, and which reasons stand.

use super::Policy;
use super::environment::Environment;
use super::gate::{self, Present};
use super::holds;
use super::scene::{Scene, Subject, sql_of};
use super::set::{Stored, StoredRule};
use super::source::Layer;
use super::switches::Switches;
use crate::action::{Action, HookCall};
use crate::analysis::{Analysis, Effect, Target, Unknown, UnknownClass};
use crate::decision::Decision;
use crate::past::Deed;
use crate::remedy::Found;
use crate::verdict::{Doubt, Draft, Grounds, Reason};
use std::cmp::Reverse;

/// A policy whose sets are decoded: once for many calls in a row.
pub struct Opened<'p> {
    policy: &'p Policy,
    sets: Vec<Stored<'p>>,
    environments: Vec<Environment>,
}

impl Policy {
    /// What the rules say of one call. The strongest match wins; the order of rules never matters.
    pub fn evaluate(&self, call: &HookCall, analysis: &Analysis) -> Draft {
        self.opened().evaluate(call, analysis)
    }

    /// The policy with its sets decoded.
    #[must_use]
    pub fn opened(&self) -> Opened<'_> {
        let sets: Vec<Stored<'_>> = self.sets.iter().filter_map(|set| set.decode()).collect();
        let environments = sets.iter().flat_map(|set| set.environments.clone()).collect();
        Opened { policy: self, sets, environments }
    }
}

impl Opened<'_> {
    /// As [`Policy::evaluate`].
    pub fn evaluate(&self, call: &HookCall, analysis: &Analysis) -> Draft {
        let Self { policy, sets, environments } = self;
        let scene = Scene::new(call, analysis, environments);
        let present = Present::new(&call.action, analysis, pattern_texts(&scene));
        let switches = Switches::new(sets, policy.today.as_deref(), policy.previews);
        let guarded = policy.settings.points.guard(&call.action);
        let mut matches = Vec::new();
        for set in sets {
            for number in gate::candidates(set, &present) {
                let Some(bytes) = set.rules.get(usize::from(number)) else { continue };
                let Ok(rule) = postcard::from_bytes::<StoredRule>(bytes) else { continue };
                if switches.off(&rule).is_none() && (guarded || switches.is_locked(&rule, Layer::Project)) {
                    matches.extend(matches_of(&rule, &scene, &switches));
                }
            }
        }
        draft(matches, analysis)
    }
}

/// Everything that patterns may be tried on.
fn pattern_texts<'a>(scene: &'a Scene<'a>) -> Vec<&'a str> {
    let commands = scene.analysis.invocations.iter().map(|invocation| invocation.text.as_str());
    let statements = scene.analysis.effects.iter().filter_map(sql_of);
    commands.chain(statements).chain(scene.raw.iter().map(AsRef::as_ref)).collect()
}

/// A rule and a subject that it matches.
struct Match {
    reason: Reason,
    found: Option<Found>,
    layer: Layer,
    dry: bool,
    judge_may_allow: bool,
    /// The user cannot change what it decides.
    locked: bool,
    covers: Covers,
}

/// How much of a call a match speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Covers {
    /// One effect, and nothing else of its command.
    Effect(usize),
    /// A command with all of its effects.
    Invocation(usize),
    /// A part that no allow can speak for.
    Part,
    /// All of it.
    Call,
}

/// The subjects that a rule matches.
fn matches_of(rule: &StoredRule, scene: &Scene<'_>, switches: &Switches<'_>) -> Vec<Match> {
    let mut matches = Vec::new();
    for subject in scene.subjects(rule.looks) {
        if !is_match(rule, &subject) {
            continue;
        }
        let decision = switches.decision(rule, &subject);
        // An exception takes the match away; only a rule that allows speaks for a call.
        if decision == Decision::Allow && rule.decision != Decision::Allow {
            continue;
        }
        matches.push(Match {
            reason: reason(rule, decision, &subject),
            found: found(rule, &subject),
            layer: rule.layer,
            dry: rule.dry,
            judge_may_allow: rule.judge_may_allow,
            locked: switches.is_locked(rule, Layer::User),
            covers: covers(&subject),
        });
    }
    matches
}

fn is_match(rule: &StoredRule, subject: &Subject<'_>) -> bool {
    let spared = rule.spares_harmless && subject.invocation.is_some_and(|(_, it)| it.harmless);
    !spared
        && holds::condition(&rule.when, subject)
        && !rule.unless.as_ref().is_some_and(|unless| holds::condition(unless, subject))
}

fn covers(subject: &Subject<'_>) -> Covers {
    match (subject.unknown, subject.finding, subject.effect, subject.invocation) {
        (Some(_), _, _, _) | (_, Some(_), _, _) => Covers::Part,
        (None, None, Some((index, _)), _) => Covers::Effect(index),
        (None, None, None, Some((index, _))) => Covers::Invocation(index),
        (None, None, None, None) => Covers::Call,
    }
}

/// The reasons that stand, one a rule, strongest first.
fn draft(mut matches: Vec<Match>, analysis: &Analysis) -> Draft {
    let allowed: Vec<Covers> =
        matches.iter().filter(|it| it.reason.decision == Decision::Allow && !it.dry).map(|it| it.covers).collect();
    if !is_all_allowed(&allowed, analysis) {
        matches.retain(|it| it.reason.decision != Decision::Allow);
    }
    matches.sort_by(|a, b| {
        let key = |it: &Match| (Reverse(it.reason.decision), Reverse(it.layer), it.reason.rule.clone(), it.reason.span);
        key(a).cmp(&key(b))
    });
    let judge_may_allow =
        matches.iter().filter(|it| !it.dry && it.reason.decision >= Decision::Ask).all(|it| it.judge_may_allow);
    let grounds = grounds(&matches, analysis);
    let found = matches.iter_mut().filter(|it| !it.dry).filter_map(|it| it.found.take()).collect();
    let mut told: Vec<String> = Vec::new();
    matches.retain(|it| {
        let first = !told.contains(&it.reason.rule);
        if first {
            told.push(it.reason.rule.clone());
        }
        first
    });
    let (dry, enforced): (Vec<_>, Vec<_>) = matches.into_iter().partition(|it| it.dry);
    let reasons = |matches: Vec<Match>| matches.into_iter().map(|it| it.reason).collect();
    let of_what_runs = analysis.unknowns.iter().any(|unknown| hides_what_runs(unknown.class));
    Draft::new(reasons(enforced), reasons(dry), Doubt { of_what_runs, judge_may_allow })
        .with_grounds(grounds)
        .with_found(found)
}

/// Whether it is not known which command runs, or what text is run as code.
fn hides_what_runs(class: UnknownClass) -> bool {
    match class {
        UnknownClass::CommandWord
        | UnknownClass::DangerousArgument
        | UnknownClass::ShellCode
        | UnknownClass::DecodedCode
        | UnknownClass::Code
        | UnknownClass::Unparsed
        | UnknownClass::Limit
        | UnknownClass::Typed => true,
        UnknownClass::ScriptFile | UnknownClass::Program | UnknownClass::Subcommand => false,
    }
}

/// What the matches that ask or deny are about.
fn grounds(matches: &[Match], analysis: &Analysis) -> Grounds {
    let mut grounds = Grounds::default();
    for it in matches.iter().filter(|it| !it.dry && it.reason.decision >= Decision::Ask) {
        grounds.locked |= it.locked;
        let is_covered = |index: usize, effect: &Effect| match it.covers {
            Covers::Effect(only) => only == index,
            Covers::Invocation(of) => effect.invocation == Some(of),
            // What was found in a text, or could not be read, says nothing of what the rest does.
            Covers::Part => false,
            Covers::Call => true,
        };
        let effects = analysis.effects.iter().enumerate().filter(|(index, effect)| is_covered(*index, effect));
        for deed in effects.flat_map(|(_, effect)| Deed::of(effect)) {
            if !grounds.deeds.contains(&deed) {
                grounds.deeds.push(deed);
            }
        }
    }
    grounds
}

/// Whether allow rules speak for every command and every effect, and nothing was not understood. One allowed command
/// does not allow its neighbours.
fn is_all_allowed(allowed: &[Covers], analysis: &Analysis) -> bool {
    let speaks = allowed.iter().any(|covers| *covers != Covers::Part);
    let has = |covers: Covers| allowed.contains(&covers);
    // A rule that allows a program by its name vouches for one that fourseam does not know.
    let is_vouched = |unknown: &Unknown| {
        matches!(unknown.class, UnknownClass::Program | UnknownClass::Subcommand)
            && unknown.invocation.is_some_and(|index| has(Covers::Invocation(index)))
    };
    if !speaks || !analysis.unknowns.iter().all(is_vouched) {
        return false;
    }
    let effect_is_allowed = |index: usize, effect: &Effect| {
        has(Covers::Effect(index)) || effect.invocation.is_some_and(|invocation| has(Covers::Invocation(invocation)))
    };
    let effects = || analysis.effects.iter().enumerate();
    let invocation_is_allowed = |index: usize| {
        let mut own = effects().filter(|(_, effect)| effect.invocation == Some(index)).peekable();
        has(Covers::Invocation(index))
            || (own.peek().is_some() && own.all(|(index, effect)| effect_is_allowed(index, effect)))
    };
    has(Covers::Call)
        || ((0..analysis.invocations.len()).all(invocation_is_allowed)
            && effects().all(|(index, effect)| effect_is_allowed(index, effect)))
}

fn reason(rule: &StoredRule, decision: Decision, subject: &Subject<'_>) -> Reason {
    let span = match (subject.finding, subject.invocation) {
        (Some(finding), _) => Some(finding.span),
        (None, Some((_, invocation))) => Some(invocation.span),
        (None, None) => None,
    };
    Reason {
        rule: rule.id.clone(),
        decision,
        message: rule.reason.clone(),
        instead: rule.instead.clone(),
        matched: shortened(&matched_text(subject)),
        span,
    }
}

fn found(rule: &StoredRule, subject: &Subject<'_>) -> Option<Found> {
    subject.finding.map(|finding| Found {
        rule: rule.id.clone(),
        detector: finding.detector.clone(),
        message: finding.message.clone(),
        span: finding.span,
    })
}

/// The text that a person should look at.
fn matched_text(subject: &Subject<'_>) -> String {
    if let Some(finding) = subject.finding {
        return finding.message.clone();
    }
    let target = match (subject.effect, subject.invocation) {
        (Some((_, effect)), _) => target_text(effect),
        (None, Some((index, _))) => subject.scene.effects_of(index).find_map(sql_of),
        (None, None) => None,
    };
    if let Some((_, invocation)) = subject.invocation {
        return with_target(&invocation.text, target.unwrap_or_default());
    }
    if let Some(unknown) = subject.unknown {
        return unknown.text.clone();
    }
    if let Some(target) = target {
        return target.to_owned();
    }
    match &subject.scene.call.action {
        Action::McpCall { server, tool, .. } => format!("{server} {tool}"),
        Action::FileRead { path }
        | Action::FileWrite { path, .. }
        | Action::FileEdit { path, .. }
        | Action::FileDelete { path } => path.clone(),
        // A prompt or result may be long and private: what was found in it is a finding.
        Action::Prompt { .. } | Action::ToolResult(_) | Action::Output { .. } | Action::Subagent { .. } => {
            String::new()
        }
        Action::Other { tool, .. } => tool.clone(),
        Action::Shell(_) | Action::Patch { .. } | Action::WebFetch { .. } | Action::WebSearch { .. } => {
            // Enough to know it by: the whole may be megabytes.
            const MOST: usize = 2048;
            subject.scene.raw.first().map(|raw| raw.chars().take(MOST).collect()).unwrap_or_default()
        }
    }
}

/// What an effect is on, in the words of the call.
fn target_text(effect: &Effect) -> Option<&str> {
    match effect.target.as_ref()? {
        Target::Path(path) => Some(&path.written),
        Target::Url { url } => Some(url),
        Target::Host { host } => Some(host),
        Target::Sql { text, .. } => Some(text),
        Target::Resource { name } => Some(name),
    }
}

/// The text of a command, and what it is on where the text does not show that: code and statements are left out of it
/// (`psql -c: DROP DATABASE app`).
fn with_target(text: &str, target: &str) -> String {
    if text.contains(target) {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST_MATCHED / 2).collect();
    format!("{head}: {target}")
}

const MOST_MATCHED: usize = 160;

fn shortened(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_MATCHED).collect();
    if text.chars().nth(MOST_MATCHED).is_some() { format!("{line}...") } else { line }
}
