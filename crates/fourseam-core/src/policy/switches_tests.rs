//! Which rules are on, which are locked, and what exceptions make of them: layer by layer.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

use super::Case;
use super::compile::compile;
use super::scene::Scene;
use super::set::{Looks, RuleSet, StoredOverride, StoredRule};
use super::source::{Layer, Source};
use super::switches::{Off, Switches};
use crate::action::Dialect;
use crate::analysis::Analysis;
use crate::decision::Decision;

const TODAY: &str = "2026-06-01";
const LAYERS: [Layer; 3] = [Layer::Organisation, Layer::User, Layer::Project];

/// A built-in rule `git/push` that asks, one more of each layer, and what a layer says besides.
fn set(said: &[(Layer, &str)]) -> RuleSet {
    let pack = "pack: git\ntitle: Git\nabout: Git.\nrules: [{ id: push, decision: ask, reason: n., when: { command: git } }]\n";
    let text = |layer: Layer| {
        let rest: String = said.iter().filter(|(by, _)| *by == layer).map(|(_, rest)| format!("{rest}\n")).collect();
        let id = layer.word();
        format!("version: 1\nrules: [{{ id: {id}/own, decision: ask, reason: n., when: {{ command: x }} }}]\n{rest}")
    };
    let texts = LAYERS.map(|layer| (layer, text(layer)));
    let sources = texts.iter().map(|(layer, text)| Source { layer: *layer, file: "policy.yaml", text, trusted: true });
    let builtin = Source { layer: Layer::Builtin, file: "git.yaml", text: pack, trusted: true };
    let compiled = compile(&std::iter::once(builtin).chain(sources).collect::<Vec<_>>(), &[]);
    assert!(compiled.broken.is_empty(), "{:#?}", compiled.diagnostics);
    compiled.set
}

/// Asks the switches of a set about one of its rules.
fn ask<T>(set: &RuleSet, id: &str, previews: bool, question: impl Fn(&Switches<'_>, &StoredRule) -> T) -> T {
    let sets = [set.decode().unwrap()];
    let rule = set.rules().into_iter().find(|rule| rule.id == id).unwrap();
    question(&Switches::new(&sets, Some(TODAY), previews), &rule)
}

#[test]
fn a_layer_disables_rules_of_its_own_and_of_more_general_ones() {
    for (by, disable, rule, want) in [
        (Layer::Organisation, "git", "git/push", true),
        (Layer::User, "git/push", "git/push", true),
        (Layer::User, "git/*", "git/push", true),
        (Layer::User, "gi", "git/push", false),
        (Layer::User, "user", "user/own", true),
        (Layer::User, "organisation", "organisation/own", true),
        (Layer::User, "project", "project/own", false),
        (Layer::Organisation, "user", "user/own", false),
        (Layer::Project, "user", "user/own", true),
    ] {
        let set = set(&[(by, &format!("packs: {{ disable: ['{disable}'] }}"))]);
        let off = ask(&set, rule, false, |switches, rule| switches.off(rule));
        assert_eq!(off, want.then_some(Off::DisabledBy(by)), "{by:?} disables {disable}: {rule}");
    }
}

#[test]
fn a_lock_holds_against_nearer_layers_alone() {
    for (locked_by, disabled_by, want) in [
        (Layer::Organisation, Layer::User, None),
        (Layer::Organisation, Layer::Project, None),
        (Layer::User, Layer::Project, None),
        (Layer::Organisation, Layer::Organisation, Some(Off::DisabledBy(Layer::Organisation))),
        (Layer::User, Layer::User, Some(Off::DisabledBy(Layer::User))),
        (Layer::User, Layer::Organisation, Some(Off::DisabledBy(Layer::Organisation))),
    ] {
        let set = set(&[(locked_by, "locked: [git]"), (disabled_by, "packs: { disable: [git] }")]);
        let off = ask(&set, "git/push", false, |switches, rule| switches.off(rule));
        assert_eq!(off, want, "locked by {locked_by:?}, disabled by {disabled_by:?}");
        let locked = LAYERS.map(|by| ask(&set, "git/push", false, |switches, rule| switches.is_locked(rule, by)));
        assert_eq!(locked, LAYERS.map(|by| locked_by < by), "{locked_by:?}");
        assert!(!ask(&set, "organisation/own", false, |switches, rule| switches.is_locked(rule, Layer::Project)));
    }
}

#[test]
fn a_preview_is_off_until_it_is_enabled() {
    let preview = "rules: [{ id: t/new, decision: ask, reason: n., maturity: preview, when: { command: y } }]";
    let compiled = |rest: &str| {
        let text = format!("version: 1\n{preview}\n{rest}\n");
        let sources = [Source { layer: Layer::User, file: "policy.yaml", text: &text, trusted: true }];
        compile(&sources, &[]).set
    };
    for (rest, previews, want) in [
        ("", false, Some(Off::Preview)),
        ("", true, None),
        ("packs: { enable: [t] }", false, None),
        ("packs: { enable: [u] }", false, Some(Off::Preview)),
        ("packs: { disable: [t] }", true, Some(Off::DisabledBy(Layer::User))),
    ] {
        let off = ask(&compiled(rest), "t/new", previews, |switches, rule| switches.off(rule));
        assert_eq!(off, want, "{rest} {previews}");
    }
    // What is on needs nobody to enable it.
    assert_eq!(ask(&set(&[]), "git/push", false, |switches, rule| switches.off(rule)), None);
}

/// What `git/push` decides on the command `git push` under these exceptions.
fn decision(said: &[(Layer, &str)], rule: &str) -> Decision {
    let set = set(said);
    let call = Case::of_command("git push", Dialect::Posix, None).call;
    let analysis = Analysis::default();
    let scene = Scene::new(&call, &analysis, &[]);
    let subjects = scene.subjects(Looks::default());
    ask(&set, rule, false, |switches, rule| switches.decision(rule, subjects.first().unwrap()))
}

fn exception(rule: &str, decision: &str, rest: &str) -> String {
    format!("overrides: [{{ rule: '{rule}', decision: {decision}, reason: n.{rest} }}]")
}

#[test]
fn an_exception_speaks_for_its_rule_where_and_while_it_holds() {
    for (rest, want) in [
        ("", Decision::Allow),
        (", when: { tool: shell }", Decision::Allow),
        (", when: { tool: write }", Decision::Ask),
        (", unless: { tool: shell }", Decision::Ask),
        (", unless: { tool: write }", Decision::Allow),
        (", when: { tool: shell }, unless: { tool: shell }", Decision::Ask),
        (", when: { tool: write }, unless: { tool: write }", Decision::Ask),
        (", until: 2026-06-02", Decision::Allow),
        (", until: 2026-06-01", Decision::Allow),
        (", until: 2026-05-31", Decision::Ask),
    ] {
        let exception = exception("git/push", "allow", rest);
        assert_eq!(decision(&[(Layer::User, &exception)], "git/push"), want, "{rest}");
    }
    assert_eq!(decision(&[(Layer::User, &exception("git/pull", "allow", ""))], "git/push"), Decision::Ask);
    assert_eq!(decision(&[(Layer::Organisation, &exception("user/*", "allow", ""))], "user/own"), Decision::Ask);
    assert_eq!(decision(&[(Layer::User, &exception("user/*", "allow", ""))], "user/own"), Decision::Allow);
}

#[test]
fn of_several_exceptions_the_strongest_holds_and_none_weakens_what_is_locked() {
    let (allow, deny) = (exception("git/*", "allow", ""), exception("git/*", "deny", ""));
    for (user, project) in [(&allow, &deny), (&deny, &allow)] {
        assert_eq!(decision(&[(Layer::User, user), (Layer::Project, project)], "git/push"), Decision::Deny);
    }
    let locked = (Layer::Organisation, "locked: [git]");
    for (exception, want) in [("allow", Decision::Ask), ("ask", Decision::Ask), ("deny", Decision::Deny)] {
        let exception = self::exception("git/*", exception, "");
        assert_eq!(decision(&[locked, (Layer::User, &exception)], "git/push"), want, "{exception}");
    }
    // Who locks a rule may still except from it.
    let own = format!("locked: [git]\n{allow}");
    assert_eq!(decision(&[(Layer::Organisation, &own)], "git/push"), Decision::Allow);
}

#[test]
fn an_exception_that_ends_needs_to_know_the_day() {
    let set = set(&[(Layer::User, &exception("git/push", "allow", ", until: 2030-01-01"))]);
    let sets = [set.decode().unwrap()];
    let ends = sets.first().unwrap().overrides.first().unwrap().clone();
    let never = StoredOverride { until: None, ..ends.clone() };
    for (today, in_force) in [(Some("2029-12-31"), true), (Some("2030-01-02"), false), (None, false)] {
        let switches = Switches::new(&sets, today, false);
        assert_eq!(switches.is_in_force(&ends), in_force, "{today:?}");
        assert!(switches.is_in_force(&never), "{today:?}");
    }
}

#[test]
fn a_rule_is_lifted_somewhere_where_a_weaker_exception_has_force() {
    let locked = "locked: [git]\n";
    for (by, said, rule, want) in [
        (Layer::User, exception("git/push", "allow", ", when: { arg: never }"), "git/push", true),
        (Layer::User, exception("git/push", "ask", ""), "git/push", false),
        (Layer::User, exception("git/push", "deny", ""), "git/push", false),
        (Layer::User, exception("git/pull", "allow", ""), "git/push", false),
        (Layer::User, exception("git/push", "allow", ", until: 2026-05-31"), "git/push", false),
        (Layer::User, exception("user/own", "allow", ""), "user/own", true),
        (Layer::Organisation, exception("user/own", "allow", ""), "user/own", false),
        (Layer::Organisation, format!("{locked}{}", exception("git/push", "allow", "")), "git/push", true),
    ] {
        let lifted = ask(&set(&[(by, &said)]), rule, false, |switches, rule| switches.is_lifted_somewhere(rule));
        assert_eq!(lifted, want, "{by:?} {said}: {rule}");
    }
    let kept = set(&[(Layer::Organisation, "locked: [git]"), (Layer::User, &exception("git/push", "allow", ""))]);
    assert!(!ask(&kept, "git/push", false, |switches, rule| switches.is_lifted_somewhere(rule)));
    assert!(!ask(&set(&[]), "git/push", false, |switches, rule| switches.is_lifted_somewhere(rule)));
}
