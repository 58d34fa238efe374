//! Conditions that nothing can satisfy, and rules that others make idle. Sure or silent: what is told is true, but not
//! everything that is true is found.

use super::condition::{Condition, Facet, Test};
use super::set::StoredRule;
use std::collections::BTreeSet;

/// Why a rule can never match, if that is sure.
pub(super) fn never_matches(rule: &StoredRule) -> Option<String> {
    let mut whole = vec![rule.when.clone()];
    whole.extend(rule.unless.iter().map(|unless| Condition::Not(Box::new(unless.clone()))));
    let whole = Condition::All(whole);
    let ways = ways(&whole, true)?;
    // The reason told is that of the first way; a rule has mostly one.
    ways.iter().map(|way| contradiction(way)).collect::<Option<Vec<_>>>()?.into_iter().next()
}

/// Whether wherever `weak` matches `strong` does too.
pub(super) fn is_covered(weak: &StoredRule, strong: &StoredRule) -> bool {
    let (Some(have), Some(want)) = (plain_tests(&weak.when), plain_tests(&strong.when)) else { return false };
    let harmless_too = !strong.spares_harmless || weak.spares_harmless;
    let same_exceptions = strong.unless.is_none() || strong.unless == weak.unless;
    harmless_too && same_exceptions && want.iter().all(|want| have.iter().any(|have| implies(have, want)))
}

/// A test that must hold, or must not.
type Literal<'c> = (&'c Test, bool);

/// The ways in which a condition can hold, each a list of tests. `None`: too many.
fn ways(condition: &Condition, holds: bool) -> Option<Vec<Vec<Literal<'_>>>> {
    let (parts, together) = match condition {
        Condition::Test(test) => return Some(vec![vec![(test, holds)]]),
        Condition::Not(part) => return ways(part, !holds),
        Condition::All(parts) => (parts, holds),
        Condition::Any(parts) => (parts, !holds),
    };
    let parts: Vec<Vec<Vec<Literal<'_>>>> = parts.iter().map(|part| ways(part, holds)).collect::<Option<_>>()?;
    if !together {
        return Some(parts.into_iter().flatten().collect());
    }
    let mut all: Vec<Vec<Literal<'_>>> = vec![Vec::new()];
    for part in parts {
        if all.len() * part.len() > MOST_WAYS {
            return None;
        }
        all = all.iter().flat_map(|way| part.iter().map(move |more| [way.as_slice(), more].concat())).collect();
    }
    Some(all)
}

const MOST_WAYS: usize = 256;

/// Why the tests of a way cannot hold together.
fn contradiction(way: &[Literal<'_>]) -> Option<String> {
    let (held, unheld): (Vec<_>, Vec<_>) = way.iter().partition(|(_, holds)| *holds);
    for (number, (test, _)) in held.iter().enumerate() {
        if let Test::ArgCount(count) = test
            && count.min > count.max
        {
            return Some("`arg_count` has a `min` above its `max`".to_owned());
        }
        if unheld.iter().any(|(other, _)| implies(test, other)) {
            return Some(format!("`{}` is demanded and excepted", name(test)));
        }
        for (other, _) in held.iter().skip(number + 1) {
            if excludes(test, other) || excludes(other, test) {
                return Some(format!("`{}` and `{}` exclude each other", name(test), name(other)));
            }
        }
    }
    None
}

/// Whether no subject satisfies both.
fn excludes(a: &Test, b: &Test) -> bool {
    match (a, b) {
        (Test::AnyFlag(some), Test::NoFlag(none)) => some.iter().all(|flag| none.contains(flag)),
        (Test::AllFlags(all), Test::NoFlag(none)) => all.iter().any(|flag| none.contains(flag)),
        (Test::ReadOnly(true), Test::Effect(kinds)) => !kinds.contains(&crate::analysis::EffectKind::Read),
        _ => exclude_by_facet(a.facet(), b.facet()) || exclude_by_target(a, b) || have_nothing_in_common(a, b),
    }
}

/// A subject has a command with at most one effect or unknown, or a finding.
fn exclude_by_facet(a: Facet, b: Facet) -> bool {
    match (a, b) {
        (Facet::Effect, Facet::Unknown) => true,
        (Facet::Finding, Facet::Invocation | Facet::Effect | Facet::Unknown) => true,
        (Facet::Call | Facet::Invocation | Facet::Unknown | Facet::Finding | Facet::Effect, _) => false,
    }
}

/// An effect has one target.
fn exclude_by_target(a: &Test, b: &Test) -> bool {
    fn kinds(test: &Test) -> Option<&'static [&'static str]> {
        match test {
            Test::Path(_) | Test::PathClass(_) | Test::Restorable(true) => Some(&["path"]),
            Test::Resource(_) => Some(&["resource"]),
            Test::Sql(_) => Some(&["sql"]),
            Test::Url(_) => Some(&["url"]),
            Test::HostName(_) => Some(&["host", "url"]),
            _ => None,
        }
    }
    matches!((kinds(a), kinds(b)), (Some(a), Some(b)) if !a.iter().any(|kind| b.contains(kind)))
}

/// Two tests of one value that it cannot both satisfy.
fn have_nothing_in_common(a: &Test, b: &Test) -> bool {
    let one_value = matches!(
        a,
        Test::Command(_)
            | Test::Effect(_)
            | Test::Verb(_)
            | Test::Place(_)
            | Test::Sql(_)
            | Test::Unknown(_)
            | Test::Finding(_)
            | Test::Point(_)
            | Test::McpServer(_)
            | Test::McpTool(_)
            | Test::Host(_)
            | Test::Recursive(_)
            | Test::Restorable(_)
            | Test::ReadOnly(_)
            | Test::Harmless(Some(_))
    );
    match (values(a), values(b)) {
        (Some(a), Some(b)) if one_value && a.0 == b.0 => {
            a.1.is_disjoint(&b.1) && a.1.iter().chain(&b.1).all(|value| is_plain(value))
        }
        _ => false,
    }
}

/// Whether every subject that satisfies `a` satisfies `b`.
fn implies(a: &Test, b: &Test) -> bool {
    if a == b || matches!(b, Test::Harmless(None)) {
        return true;
    }
    match (values(a), values(b)) {
        (Some(a), Some(b)) if a.0 == b.0 => a.1.is_subset(&b.1),
        _ => false,
    }
}

fn is_plain(value: &str) -> bool {
    !value.contains(['*', '?', '[', '\\'])
}

/// The key and the values of a test that holds when any of its values does.
fn values(test: &Test) -> Option<(&'static str, BTreeSet<String>)> {
    let all_or_one = matches!(
        test,
        Test::AllFlags(_)
            | Test::NoFlag(_)
            | Test::OnlyFlags(_)
            | Test::Flag(_)
            | Test::Assignment(_)
            | Test::Argument(_)
            | Test::ArgCount(_)
            | Test::Confidence(_)
    );
    let json = serde_json::to_value(test).ok()?;
    let inner = json.as_object()?.values().next()?.clone();
    if all_or_one {
        return None;
    }
    let values = match inner {
        serde_json::Value::Array(items) => items.iter().map(text).collect(),
        other => BTreeSet::from([text(&other)]),
    };
    Some((name(test), values))
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The tests of a condition that is nothing but tests which all hold.
pub(super) fn plain_tests(condition: &Condition) -> Option<Vec<&Test>> {
    match condition {
        Condition::Test(test) => Some(vec![test]),
        Condition::All(parts) => {
            parts.iter().map(plain_tests).collect::<Option<Vec<_>>>().map(|parts| parts.into_iter().flatten().collect())
        }
        Condition::Any(_) | Condition::Not(_) => None,
    }
}

/// The key that a test was made from.
pub(super) fn name(test: &Test) -> &'static str {
    match test {
        Test::Command(_) => "command",
        Test::Subcommand(_) => "subcommand",
        Test::AnyFlag(_) => "any_flag",
        Test::AllFlags(_) => "all_flags",
        Test::NoFlag(_) => "no_flag",
        Test::OnlyFlags(_) => "only_flags",
        Test::Flag(_) => "flag",
        Test::Arg(_) => "arg",
        Test::ArgGlob(_) => "arg_glob",
        Test::ArgPattern(_) => "arg_pattern",
        Test::ArgCount(_) => "arg_count",
        Test::Through(_) => "through",
        Test::Assignment(_) => "assignment",
        Test::ReadOnly(_) => "read_only",
        Test::Harmless(_) => "harmless",
        Test::Place(_) => "place",
        Test::Effect(_) => "effect",
        Test::Verb(_) => "verb",
        Test::Path(_) => "path",
        Test::PathClass(_) => "path_class",
        Test::Recursive(_) => "recursive",
        Test::Restorable(_) => "restorable",
        Test::Resource(_) => "resource",
        Test::Url(_) => "url",
        Test::HostName(_) => "host_name",
        Test::Sql(_) => "sql",
        Test::Taint(_) => "taint",
        Test::Unknown(_) => "unknown",
        Test::Finding(_) => "finding",
        Test::Confidence(_) => "confidence",
        Test::McpServer(_) => "mcp_server",
        Test::McpTool(_) => "mcp_tool",
        Test::Argument(_) => "argument",
        Test::Tool(_) => "tool",
        Test::Point(_) => "point",
        Test::Host(_) => "host",
        Test::PermissionMode(_) => "permission_mode",
        Test::Environment(_) => "environment",
        Test::Pattern(_) => "pattern",
        Test::RawPattern(_) => "raw_pattern",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]
    use super::*;
    use crate::policy::{Layer, Source, compile};

    fn rules(text: &str) -> Vec<StoredRule> {
        let text = format!("version: 1\nrules:\n{text}");
        let source = Source { layer: Layer::User, file: "policy.yaml", text: &text, trusted: false };
        let compiled = compile(&[source], &[]);
        assert_eq!(compiled.diagnostics, [], "{text}");
        compiled.set.rules()
    }

    fn rule(id: &str, rest: &str) -> String {
        format!("  - {{ id: t/{id}, decision: deny, reason: no., {rest} }}\n")
    }

    #[test]
    fn what_can_never_match_is_told() {
        for (rest, want) in [
            ("when: { command: rm, any_flag: [-f], no_flag: [-f] }", true),
            ("when: { effect: delete, unknown: program }", true),
            ("when: { sql: drop, path_class: root }", true),
            ("when: { command: rm }, unless: { command: [rm, mv] }", true),
            ("when: { command: rm, all: [{ command: mv }] }", true),
            ("when: { any: [{ effect: delete, not: { effect: delete } }, { arg_count: { min: 2, max: 1 } }] }", true),
            ("when: { finding: x, command: rm }", true),
            ("when: { read_only: true, effect: delete }", true),
            ("when: { any: [{ effect: delete, not: { effect: delete } }, { command: rm }] }", false),
            ("when: { command: 'r*', all: [{ command: rm }] }", false),
            ("when: { path_class: root, all: [{ path_class: glob }] }".replace("glob", "system").as_str(), false),
            ("when: { command: [rm, mv] }, unless: { command: rm }", false),
        ] {
            let rule = rules(&rule("a", rest)).into_iter().next().unwrap();
            assert_eq!(never_matches(&rule).is_some(), want, "{rest}");
        }
    }

    #[test]
    fn what_a_stronger_rule_covers_is_told() {
        for (weak, strong, want) in [
            ("when: { command: rm, any_flag: -f }", "when: { command: [rm, mv] }", true),
            ("when: { command: rm }", "when: { command: rm, any_flag: -f }", false),
            ("pattern: abc", "pattern: abc", true),
            ("when: { command: rm }", "when: { command: rm }, unless: { arg: x }", false),
            ("when: { command: rm, harmless: any }", "when: { command: rm }", false),
        ] {
            let both = rules(&(rule("a", weak) + &rule("b", strong)));
            let [weak_rule, strong_rule] = both.as_slice() else { panic!("two rules") };
            assert_eq!(is_covered(weak_rule, strong_rule), want, "{weak} / {strong}");
        }
    }
}
