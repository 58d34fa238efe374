//! Narrow rules for what was asked about, or left to the agent's own prompt, and then ran again and again. Proposes;
//! applying is a person's decision.

use super::candidate::{Shape, shape};
use fourseam_core::decision::Decision;
use fourseam_core::policy::{Case, Layer, Policy, RuleSet, Source, compile, decide_case};
use fourseam_core::record::Record;
use fourseam_packs::{builtin, knowledge, packs};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// Times that an action ran before a rule is proposed, and sessions that it ran in.
const OFTEN: usize = 3;
const SESSIONS: usize = 2;
/// Most different arguments of one rule.
const MOST_ARGUMENTS: usize = 8;
/// Most different commands that are looked at, the most frequent first.
const MOST_COMMANDS: usize = 3000;
/// Examples that are shown.
const EXAMPLES: usize = 3;

/// A proposed rule.
pub(crate) struct Suggestion {
    /// Names it for `--apply`; the same as long as the rule is.
    pub(crate) id: String,
    /// The entry of the policy, as YAML without indent.
    pub(crate) yaml: String,
    /// The key of the policy that it belongs under.
    pub(crate) key: &'static str,
    /// Times it ran after a question, and after none.
    pub(crate) asked: usize,
    pub(crate) left: usize,
    /// Commands that it would allow.
    pub(crate) examples: Vec<String>,
}

/// What is known of one command.
#[derive(Default)]
struct Seen {
    asked: usize,
    left: usize,
    ran: usize,
    sessions: BTreeSet<String>,
    /// Rules that asked.
    rules: BTreeSet<String>,
    denied: bool,
    record: Option<Record>,
}

/// Collects records, oldest first.
#[derive(Default)]
pub(crate) struct Collector {
    /// By the text of the command.
    seen: HashMap<String, Seen>,
}

impl Collector {
    /// Takes a record in.
    pub(crate) fn add(&mut self, record: &Record) {
        let command = |action: &serde_json::Value| action.get("command")?.as_str().map(str::to_owned);
        if let Some(of) = record.action.get("of") {
            let failed = record.action.get("failed").is_some_and(|failed| failed == true);
            if let Some(seen) = command(of).and_then(|command| self.seen.get_mut(&command))
                && !failed
            {
                seen.ran += 1;
            }
            return;
        }
        let Some(text) = command(&record.action) else { return };
        let gate = fourseam_hosts::find(&record.agent).is_some_and(|host| host.event(&record.event).capabilities.gate);
        if !gate {
            return;
        }
        let seen = self.seen.entry(text).or_default();
        match record.decision {
            Decision::Deny => seen.denied = true,
            Decision::Ask => {
                seen.asked += 1;
                seen.rules.extend(record.rules.iter().cloned());
            }
            Decision::Abstain => seen.left += 1,
            Decision::Allow => return,
        }
        if seen.sessions.len() < SESSIONS {
            seen.sessions.extend(record.session.clone());
        }
        seen.record.get_or_insert_with(|| record.clone());
    }

    /// What is proposed, most useful first. `policy`: the user's text, which the rules would be added to.
    pub(crate) fn finish(self, policy: &str) -> Vec<Suggestion> {
        let denied: Vec<Case> = (self.seen.iter())
            .filter(|(_, seen)| seen.denied)
            .filter_map(|(command, seen)| {
                Some(Case {
                    id: serde_json::Value::Null,
                    call: seen.record.as_ref()?.call()?,
                    world: Some(Case::example_world()),
                    label: command.clone(),
                    why: None,
                })
            })
            .collect();
        let mut proposed = propose(self.seen);
        let check = Check::new(policy, denied);
        proposed.retain(|suggestion| check.is_safe(suggestion));
        proposed.sort_by_key(|suggestion| std::cmp::Reverse((suggestion.asked, suggestion.left)));
        proposed
    }
}

/// Commands of one shape, and what was said of them.
#[derive(Default)]
struct Group {
    arguments: BTreeSet<Vec<String>>,
    commands: Vec<String>,
    asked: usize,
    left: usize,
    ran: usize,
    sessions: BTreeSet<String>,
    rules: BTreeSet<String>,
    denied: bool,
}

fn propose(seen: HashMap<String, Seen>) -> Vec<Suggestion> {
    let mut commands: Vec<(String, Seen)> = seen.into_iter().collect();
    commands
        .sort_by(|(one, first), (other, second)| (second.asked, second.ran, one).cmp(&(first.asked, first.ran, other)));
    let mut groups: BTreeMap<Shape, Group> = BTreeMap::new();
    // What was refused is looked at whatever its place, so that its shape is never proposed.
    for (number, (command, seen)) in commands.into_iter().enumerate() {
        if number >= MOST_COMMANDS && !seen.denied {
            continue;
        }
        let Some((shape, arguments)) = seen.record.as_ref().and_then(shape) else { continue };
        let group = groups.entry(shape).or_default();
        group.denied |= seen.denied;
        group.asked += seen.asked;
        group.left += seen.left;
        group.ran += seen.ran;
        group.sessions.extend(seen.sessions);
        group.rules.extend(seen.rules);
        group.arguments.insert(arguments);
        if group.commands.len() < EXAMPLES {
            group.commands.push(command);
        }
    }
    groups.into_iter().flat_map(|(shape, group)| suggestions(&shape, &group)).collect()
}

/// One rule for a shape that no rule spoke of, or an exception to each rule that asked.
fn suggestions(shape: &Shape, group: &Group) -> Vec<Suggestion> {
    let often = group.ran >= OFTEN && group.sessions.len() >= SESSIONS;
    if group.denied || !often || group.arguments.len() > MOST_ARGUMENTS {
        return Vec::new();
    }
    let Some(when) = when(shape, &group.arguments) else { return Vec::new() };
    let name = name(shape, &when);
    let reason = format!("ran {} times in {} or more sessions", group.ran, group.sessions.len());
    let make = |yaml: String, key| Suggestion {
        id: short_hash(&yaml),
        yaml,
        key,
        asked: group.asked,
        left: group.left,
        examples: group.commands.clone(),
    };
    if group.rules.is_empty() {
        let yaml = format!("- id: {name}\n  decision: allow\n  reason: {reason}\n  when: {when}\n  unless: {UNLESS}\n");
        return vec![make(yaml, "rules")];
    }
    let exception = |rule: &String| {
        let yaml =
            format!("- rule: {rule}\n  decision: allow\n  reason: {reason}\n  when: {when}\n  unless: {UNLESS}\n");
        make(yaml, "overrides")
    };
    group.rules.iter().map(exception).collect()
}

/// What must not stand around a command for its rule to hold.
const UNLESS: &str = "{ any: [{ through: '*' }, { assignment: { '*': true } }] }";

/// The condition that holds for a shape with these arguments alone; `None` where it cannot be said.
fn when(shape: &Shape, arguments: &BTreeSet<Vec<String>>) -> Option<String> {
    let Shape { program, subcommand, flags } = shape;
    let mut when = format!("{{ command: {}", quoted(program));
    if !subcommand.is_empty() {
        let _ = write!(when, ", subcommand: {}", quoted(&subcommand.join(" ")));
    }
    let names: Vec<String> = flags.keys().map(|name| quoted(name)).collect();
    // Without options a list would be empty, and an empty list matches nothing.
    let only = if names.is_empty() { "''".to_owned() } else { names.join(", ") };
    let _ = write!(when, ", only_flags: [{only}]");
    if !names.is_empty() {
        let _ = write!(when, ", all_flags: [{}]", names.join(", "));
    }
    let valued: Vec<String> = flags
        .iter()
        .filter_map(|(name, value)| Some(format!("{}: {}", quoted(name), quoted(value.as_ref()?))))
        .collect();
    if !valued.is_empty() {
        let _ = write!(when, ", flag: {{ {} }}", valued.join(", "));
    }
    let count = arguments.first()?.len();
    if arguments.iter().any(|own| own.len() != count) || (count > 1 && arguments.len() > 1) {
        return None;
    }
    let _ = write!(when, ", arg_count: {{ min: {count}, max: {count} }}");
    let words: Vec<String> = arguments.iter().flatten().map(|word| quoted(word)).collect();
    match count {
        0 => {}
        1 => {
            let _ = write!(when, ", arg: [{}]", words.join(", "));
        }
        _ => {
            let each: Vec<String> = words.iter().map(|word| format!("{{ arg: {word} }}")).collect();
            let _ = write!(when, ", all: [{}]", each.join(", "));
        }
    }
    when.push_str(" }");
    Some(when)
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "''"))
}

/// `my/npm-run-build-1a2b`.
fn name(shape: &Shape, when: &str) -> String {
    let words = std::iter::once(&shape.program).chain(&shape.subcommand);
    let words: Vec<String> = words
        .map(|word| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    format!("my/{}-{}", words.join("-"), short_hash(when))
}

fn short_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(6).collect()
}

/// What a proposal must not change: the cases of all built-in rules, and what was refused before.
struct Check<'p> {
    policy: &'p str,
    builtin: RuleSet,
    /// Cases with the decision before.
    cases: Vec<(Case, Decision)>,
}

impl<'p> Check<'p> {
    fn new(policy: &'p str, denied: Vec<Case>) -> Self {
        let builtin = builtin();
        let before = with(&builtin, policy).unwrap_or_default();
        let rules = packs::read_all().into_iter().flat_map(|(pack, _)| pack.rules);
        let stopped = rules.filter(|rule| rule.decision >= Decision::Ask).flat_map(|rule| rule.cases.hit);
        let cases = stopped.chain(denied).map(|case| {
            let decision = decide_case(&case, &before, knowledge()).decision();
            (case, decision)
        });
        let cases = cases.filter(|(_, decision)| *decision >= Decision::Ask).collect();
        Self { policy, builtin, cases }
    }

    /// Whether the policy with the proposal is sound and stops all that it stopped.
    fn is_safe(&self, suggestion: &Suggestion) -> bool {
        let Some(text) = super::amend::added(self.policy, suggestion.key, &suggestion.yaml) else { return false };
        let Some(after) = with(&self.builtin, &text) else { return false };
        let program = suggestion.yaml.split('\'').nth(1).unwrap_or_default();
        // A rule of one program changes nothing for the others.
        self.cases
            .iter()
            .filter(|(case, _)| case.label.contains(program))
            .all(|(case, before)| decide_case(case, &after, knowledge()).decision() >= *before)
    }
}

/// The built-in rules with a user's policy; `None` when it has errors.
fn with(builtin: &RuleSet, text: &str) -> Option<Policy> {
    let source = Source { layer: Layer::User, file: "policy.yaml", text, trusted: true };
    let compiled = compile(&[source], &[builtin]);
    compiled.broken.is_empty().then(|| Policy::new(vec![builtin.clone(), compiled.set], None))
}
