//! Random rules, exceptions, calls and analyses out of a few words, so that they often meet.

use super::Plain;
use crate::action::{Action, Dialect, HookCall, Point, Shell};
use crate::analysis::{
    Analysis, Effect, EffectKind, Finding, Flag, Invocation, PathClass, PathUse, Place, Taint, Target, Unknown,
    UnknownClass,
};
use crate::decision::Decision;
use crate::policy::compile::speaks_of_harmless;
use crate::policy::condition::{Condition, Named, Test};
use crate::policy::rule::Maturity;
use crate::policy::set::{Looks, StoredOverride, StoredRule};
use crate::policy::source::Layer;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn words(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(words).prop_map(str::to_owned)
}

fn kinds() -> impl Strategy<Value = EffectKind> {
    select(&[EffectKind::Delete, EffectKind::Vcs, EffectKind::Read][..])
}

fn classes() -> impl Strategy<Value = PathClass> {
    select(&[PathClass::Root, PathClass::Project, PathClass::Temp][..])
}

fn unknown_classes() -> impl Strategy<Value = UnknownClass> {
    select(&[UnknownClass::ShellCode, UnknownClass::Program, UnknownClass::Subcommand][..])
}

fn test() -> impl Strategy<Value = Test> {
    let globs = |list: &'static [&'static str]| vec(words(list), 1..3);
    prop_oneof![
        globs(&["git", "rm", "g*", "*"]).prop_map(Test::Command),
        globs(&["push", "state rm", "state"]).prop_map(Test::Subcommand),
        globs(&["--force", "-n"]).prop_map(Test::AnyFlag),
        globs(&["--force", "-n"]).prop_map(Test::NoFlag),
        globs(&["--force", "-n"]).prop_map(Test::OnlyFlags),
        globs(&["main", "m*", "*x"]).prop_map(Test::ArgGlob),
        any::<bool>().prop_map(Test::ReadOnly),
        any::<Option<bool>>().prop_map(Test::Harmless),
        vec(kinds(), 1..3).prop_map(Test::Effect),
        globs(&["force-push", "drop", "*p*"]).prop_map(Test::Verb),
        any::<bool>().prop_map(Test::Recursive),
        vec(select(&[Taint::Secret, Taint::Download][..]), 1..2).prop_map(Test::Taint),
        vec(classes(), 1..3).prop_map(Test::PathClass),
        vec(unknown_classes(), 1..2).prop_map(Test::Unknown),
        globs(&["hidden", "secret"]).prop_map(Test::Finding),
        globs(&["push", "zz", "rm"]).prop_map(Test::RawPattern),
        globs(&["git push", "(?i)RM", "drop|alter", "m.in"]).prop_map(Test::Pattern),
        globs(&["shell", "mcp"]).prop_map(Test::Tool),
        (words(&["branch", "repo"]), globs(&["main", "x"]))
            .prop_map(|(name, values)| Test::Argument(vec![Named { names: vec![name], values }])),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    test().prop_map(Condition::Test).prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..3).prop_map(Condition::All),
            vec(inner.clone(), 1..3).prop_map(Condition::Any),
            inner.prop_map(|part| Condition::Not(Box::new(part))),
        ]
    })
}

fn decision() -> impl Strategy<Value = Decision> {
    select(&[Decision::Allow, Decision::Ask, Decision::Deny][..])
}

fn layer() -> impl Strategy<Value = Layer> {
    select(&[Layer::Builtin, Layer::Organisation, Layer::User][..])
}

pub(super) fn rule(decision: impl Strategy<Value = Decision>) -> impl Strategy<Value = StoredRule> {
    (decision, layer(), condition(), proptest::option::of(condition()), proptest::bool::weighted(0.1)).prop_map(
        |(decision, layer, when, unless, dry)| {
            let all = || std::iter::once(&when).chain(&unless);
            StoredRule {
                id: String::new(),
                layer,
                decision,
                reason: "no".to_owned(),
                instead: None,
                dry,
                judge_may_allow: false,
                maturity: Maturity::Stable,
                looks: Looks::of(all()),
                spares_harmless: !all().any(speaks_of_harmless),
                when,
                unless,
                native: Vec::new(),
            }
        },
    )
}

pub(super) fn plain() -> impl Strategy<Value = Plain> {
    let exception = (0usize..4, decision(), layer(), proptest::option::of(condition()), any::<bool>());
    (vec(rule(decision()), 0..6), vec(exception, 0..2)).prop_map(|(mut rules, exceptions)| {
        for (number, rule) in rules.iter_mut().enumerate() {
            rule.id = format!("t/r{number}");
        }
        let overrides = exceptions
            .into_iter()
            .map(|(number, decision, layer, when, ended)| StoredOverride {
                rule: format!("t/r{number}"),
                layer,
                decision,
                when,
                unless: None,
                until: ended.then(|| "2001-01-01".to_owned()),
            })
            .collect();
        Plain { rules, overrides }
    })
}

fn invocation() -> impl Strategy<Value = Invocation> {
    let flags = vec(words(&["--force", "-n"]), 0..2);
    let words_of = (words(&["git", "rm", "ls"]), vec(words(&["push", "state", "rm"]), 0..2));
    let args = vec(words(&["main", "x", "feature/x"]), 0..2);
    (words_of, flags, args, any::<[bool; 2]>()).prop_map(
        |((program, subcommand), flags, args, [harmless, read_only])| {
            let text = [vec![program.clone()], subcommand.clone(), flags.clone(), args.clone()].concat().join(" ");
            let flags = flags.into_iter().map(|name| Flag { name, value: None }).collect();
            Invocation {
                program,
                subcommand,
                flags,
                args,
                text,
                harmless,
                read_only,
                known: true,
                ..Invocation::default()
            }
        },
    )
}

fn effect(invocations: usize) -> impl Strategy<Value = Effect> {
    let target = prop_oneof![
        Just(None),
        vec(classes(), 1..3).prop_map(|classes| Some(Target::Path(PathUse { classes, ..PathUse::default() }))),
        words(&["DROP TABLE a", "alter table b"])
            .prop_map(|text| { Some(Target::Sql { class: crate::analysis::SqlClass::Ddl, text }) }),
    ];
    let taint = vec(select(&[Taint::Secret, Taint::Download][..]), 0..2);
    let verb = words(&["force-push", "drop", "delete"]);
    (kinds(), verb, target, any::<bool>(), taint, 0..=invocations).prop_map(
        move |(kind, verb, target, recursive, taint, at)| Effect {
            kind,
            verb,
            target,
            recursive,
            place: Place::Local,
            taint,
            invocation: (at < invocations).then_some(at),
        },
    )
}

pub(super) fn analysis() -> impl Strategy<Value = Analysis> {
    vec(invocation(), 0..3).prop_flat_map(|invocations| {
        let count = invocations.len();
        let unknown = (unknown_classes(), 0..=count).prop_map(move |(class, at)| Unknown {
            class,
            text: String::new(),
            invocation: (at < count).then_some(at),
        });
        let finding = words(&["hidden", "secret"]).prop_map(|detector| Finding {
            detector,
            confidence: 1.0,
            message: String::new(),
            span: (0, 0),
        });
        (vec(effect(count), 0..3), vec(unknown, 0..2), vec(finding, 0..2)).prop_map(
            move |(effects, unknowns, findings)| Analysis {
                origin: None,
                invocations: invocations.clone(),
                effects,
                unknowns,
                findings,
                carried: std::collections::BTreeMap::new(),
            },
        )
    })
}

pub(super) fn call() -> impl Strategy<Value = HookCall> {
    let shell = words(&["git push", "rm x", "ls"])
        .prop_map(|command| Action::Shell(Shell { command, dialect: Dialect::Posix, cwd: None, background: false }));
    let mcp = (words(&["branch", "repo"]), words(&["main", "y"])).prop_map(|(name, value)| Action::McpCall {
        server: "hub".to_owned(),
        tool: "merge".to_owned(),
        arguments: serde_json::json!({ name: value }),
    });
    prop_oneof![shell, mcp].prop_map(|action| HookCall {
        host: "h".to_owned(),
        event: "e".to_owned(),
        point: Some(Point::ToolCall),
        session: None,
        cwd: None,
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: None,
        stop_hook_active: false,
        action,
    })
}
