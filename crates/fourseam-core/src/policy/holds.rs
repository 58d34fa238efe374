//! Whether a condition holds for a subject. A key that looks at something the subject has not does not hold.

use super::condition::{Condition, Count, Named, Test};
use super::environment;
use super::glob;
use super::scene::{Subject, strings};
use super::words::tool_name;
use crate::action::Action;
use crate::analysis::{Effect, EffectKind, Finding, Invocation, PathUse, Place, Target};
use crate::spelling::drive;
use serde_json::Value;

/// Whether all of a condition holds.
pub(super) fn condition(condition: &Condition, subject: &Subject<'_>) -> bool {
    match condition {
        Condition::All(parts) => parts.iter().all(|part| self::condition(part, subject)),
        Condition::Any(parts) => parts.iter().any(|part| self::condition(part, subject)),
        Condition::Not(part) => !self::condition(part, subject),
        Condition::Test(test) => self::test(test, subject),
    }
}

fn test(test: &Test, subject: &Subject<'_>) -> bool {
    let command = |holds: &dyn Fn(&Invocation) -> bool| subject.invocation.is_some_and(|(_, it)| holds(it));
    let effect = |holds: &dyn Fn(&Effect) -> bool| subject.effect.is_some_and(|(_, it)| holds(it));
    let path = |holds: &dyn Fn(&PathUse) -> bool| effect(&|it| path_of(it).is_some_and(holds));
    let regex = |patterns: &[String], texts: &[&str]| {
        patterns.iter().any(|pattern| subject.scene.regexes.matches(pattern, texts.iter().copied()))
    };
    let call = subject.scene.call;
    match test {
        Test::Command(globs) => command(&|it| any(globs, &it.program)),
        Test::Subcommand(prefixes) => command(&|it| prefixes.iter().any(|prefix| is_prefix(prefix, &it.subcommand))),
        Test::AnyFlag(globs) => command(&|it| globs.iter().any(|glob| has_flag(it, glob))),
        Test::AllFlags(globs) => command(&|it| globs.iter().all(|glob| has_flag(it, glob))),
        Test::NoFlag(globs) => command(&|it| !globs.iter().any(|glob| has_flag(it, glob))),
        Test::OnlyFlags(globs) => command(&|it| it.flags.iter().all(|flag| any(globs, &flag.name))),
        Test::Flag(entries) => command(&|it| entries.iter().all(|entry| has_flag_value(it, entry))),
        Test::Arg(texts) => command(&|it| it.args.iter().any(|arg| texts.contains(arg))),
        Test::ArgGlob(globs) => command(&|it| it.args.iter().any(|arg| any(globs, arg))),
        Test::ArgPattern(patterns) => {
            command(&|it| regex(patterns, &it.args.iter().map(String::as_str).collect::<Vec<_>>()))
        }
        Test::ArgCount(count) => command(&|it| count.holds(it.args.len())),
        Test::Through(globs) => command(&|it| it.through.iter().any(|wrapper| any(globs, wrapper))),
        Test::Assignment(entries) => command(&|it| entries.iter().all(|entry| entry.holds(&it.assignments))),
        Test::ReadOnly(want) => subject.invocation.is_some_and(|it| reads_only(subject, it) == *want),
        Test::Harmless(Some(want)) => command(&|it| it.harmless == *want),
        Test::Harmless(None) => true,
        Test::Place(places) => place_of(subject).is_some_and(|place| places.contains(&place)),
        Test::Effect(kinds) => effect(&|it| kinds.contains(&it.kind)),
        Test::Verb(globs) => effect(&|it| any(globs, &it.verb)),
        Test::Path(globs) => path(&|it| on_path(globs, it)),
        Test::PathClass(classes) => path(&|it| it.classes.iter().any(|class| classes.contains(class))),
        Test::Recursive(want) => effect(&|it| it.recursive == *want),
        Test::Restorable(want) => path(&|it| (it.restorable == Some(true)) == *want),
        Test::Resource(globs) => {
            effect(&|it| matches!(&it.target, Some(Target::Resource { name }) if any(globs, name)))
        }
        Test::Url(globs) => effect(&|it| matches!(&it.target, Some(Target::Url { url }) if on_url(globs, url))),
        Test::HostName(globs) => effect(&|it| host_of(it).is_some_and(|host| any(globs, &host))),
        Test::Sql(classes) => {
            effect(&|it| matches!(&it.target, Some(Target::Sql { class, .. }) if classes.contains(class)))
        }
        Test::Taint(taints) => effect(&|it| it.taint.iter().any(|taint| taints.contains(taint))),
        Test::Unknown(classes) => subject.unknown.is_some_and(|it| classes.contains(&it.class)),
        Test::Finding(globs) => subject.finding.is_some_and(|it| any(globs, &it.detector)),
        Test::Confidence(least) => subject.finding.is_some_and(|it| is_sure(it, *least)),
        Test::McpServer(globs) => on_mcp(&call.action, |server, _| any_ignoring_case(globs, server)),
        Test::McpTool(globs) => on_mcp(&call.action, |_, tool| any_ignoring_case(globs, tool)),
        Test::Argument(entries) => entries.iter().all(|entry| has_argument(&call.action, entry)),
        Test::Tool(globs) => {
            any(globs, tool_name(&call.action)) || call.tool.as_ref().is_some_and(|tool| any(globs, tool))
        }
        Test::Point(points) => call.point.is_some_and(|point| points.contains(&point)),
        Test::Host(globs) => any(globs, &call.host),
        Test::PermissionMode(globs) => call.permission_mode.as_ref().is_some_and(|mode| any(globs, mode)),
        Test::Environment(names) => names.iter().any(|name| environment::is_named(name, subject)),
        Test::Pattern(patterns) => regex(patterns, &subject.texts()),
        Test::RawPattern(patterns) => patterns.iter().any(|pattern| subject.scene.raw_matches(pattern)),
    }
}

fn any(globs: &[String], text: &str) -> bool {
    globs.iter().any(|glob| glob::matches(glob, text))
}

fn any_ignoring_case(globs: &[String], text: &str) -> bool {
    globs.iter().any(|glob| glob::matches_ignoring_case(glob, text))
}

impl Count {
    fn holds(self, number: usize) -> bool {
        u32::try_from(number).is_ok_and(|number| (self.min..=self.max).contains(&number))
    }
}

impl Named {
    fn holds(&self, pairs: &[(String, String)]) -> bool {
        pairs.iter().any(|(name, value)| any(&self.names, name) && self.has_value(value))
    }

    fn has_value(&self, value: &str) -> bool {
        self.values.is_empty() || any(&self.values, value)
    }
}

/// Whether the words of `prefix`, each a glob, stand at the beginning of `words`.
fn is_prefix(prefix: &str, words: &[String]) -> bool {
    let mut words = words.iter();
    prefix.split_whitespace().all(|glob| words.next().is_some_and(|word| glob::matches(glob, word)))
}

fn has_flag(invocation: &Invocation, glob: &str) -> bool {
    invocation.flags.iter().any(|flag| glob::matches(glob, &flag.name))
        || (!invocation.known && invocation.flags.iter().any(|flag| is_in_cluster(glob, &flag.name)))
}

/// Whether a one-letter option stands in a cluster such as `-rf`. Only of programs whose options are not known.
fn is_in_cluster(option: &str, written: &str) -> bool {
    let (Some(letter), Some(cluster)) = (option.strip_prefix('-'), written.strip_prefix('-')) else { return false };
    let mut letters = letter.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return false };
    cluster.len() <= 4 && cluster.chars().all(|c| c.is_ascii_alphabetic()) && cluster.contains(letter)
}

fn has_flag_value(invocation: &Invocation, entry: &Named) -> bool {
    let values = |flag: &crate::analysis::Flag| match &flag.value {
        Some(value) => entry.has_value(value),
        None => entry.values.is_empty(),
    };
    invocation.flags.iter().any(|flag| any(&entry.names, &flag.name) && values(flag))
}

fn reads_only(subject: &Subject<'_>, (index, invocation): (usize, &Invocation)) -> bool {
    invocation.read_only && subject.scene.effects_of(index).all(|effect| effect.kind == EffectKind::Read)
}

fn place_of(subject: &Subject<'_>) -> Option<Place> {
    subject.effect.map(|(_, effect)| effect.place).or(subject.invocation.map(|(_, invocation)| invocation.place))
}

fn path_of(effect: &Effect) -> Option<&PathUse> {
    match &effect.target {
        Some(Target::Path(path)) => Some(path),
        Some(Target::Url { .. } | Target::Host { .. } | Target::Sql { .. } | Target::Resource { .. }) | None => None,
    }
}

fn on_path(globs: &[String], path: &PathUse) -> bool {
    let text = path.resolved.as_ref().unwrap_or(&path.written).replace('\\', "/");
    if drive(&text).is_some() {
        // Upper and lower case are the same on Windows.
        let text = text.to_lowercase();
        return globs.iter().any(|glob| glob::matches_path(&glob.to_lowercase(), &text));
    }
    globs.iter().any(|glob| glob::matches_path(glob, &text))
}

/// A glob with `/` is for the whole URL, with or without its scheme; one without is for its host.
fn on_url(globs: &[String], url: &str) -> bool {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    globs.iter().any(|glob| {
        if glob.contains('/') {
            glob::matches(glob, url) || glob::matches(glob, bare)
        } else {
            glob::matches(glob, &url_host(url))
        }
    })
}

fn host_of(effect: &Effect) -> Option<String> {
    match &effect.target {
        Some(Target::Host { host }) => Some(url_host(host)),
        Some(Target::Url { url }) => Some(url_host(url)),
        Some(Target::Path(_) | Target::Sql { .. } | Target::Resource { .. }) | None => None,
    }
}

/// The host of a URL or of `user@host:port`, in lower case.
fn url_host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or_default(),
    };
    host.trim_end_matches('.').to_ascii_lowercase()
}

fn is_sure(finding: &Finding, least: u8) -> bool {
    finding.confidence * 100.0 + 0.01 >= f32::from(least)
}

fn on_mcp(action: &Action, holds: impl Fn(&str, &str) -> bool) -> bool {
    matches!(action, Action::McpCall { server, tool, .. } if holds(server, tool))
}

fn has_argument(action: &Action, entry: &Named) -> bool {
    let input = match action {
        Action::McpCall { arguments, .. } => arguments,
        Action::Other { input, .. } => input,
        Action::Shell(_)
        | Action::FileRead { .. }
        | Action::FileWrite { .. }
        | Action::FileEdit { .. }
        | Action::FileDelete { .. }
        | Action::Patch { .. }
        | Action::WebFetch { .. }
        | Action::WebSearch { .. }
        | Action::Subagent { .. }
        | Action::Prompt { .. }
        | Action::ToolResult(_)
        | Action::Output { .. } => return false,
    };
    arguments(input, String::new()).iter().any(|(name, value)| {
        any(&entry.names, name)
            && (entry.values.is_empty() || strings(value).iter().any(|text| any(&entry.values, text)))
    })
}

/// Every value of a JSON value under its dotted name.
fn arguments(value: &Value, name: String) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    if let Value::Object(entries) = value {
        for (key, inner) in entries {
            let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            found.extend(arguments(inner, name));
        }
    }
    if !name.is_empty() {
        found.push((name, value));
    }
    found
}
