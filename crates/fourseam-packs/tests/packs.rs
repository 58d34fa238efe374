//! Every case of every built-in rule, through the whole decision; and what all packs have in common.

use fourseam_core::decision::Decision;
use fourseam_core::policy::{Layer, Policy, Rule, Source, compile, decide_case, try_rule};
use fourseam_packs::{builtin, knowledge, packs};

/// Every pack, off by default or not.
fn policy() -> Policy {
    Policy::new(vec![builtin()], None).with_previews()
}

#[test]
fn cases_come_out_as_written() {
    let policy = policy();
    let mut report = Vec::new();
    let mut count = 0;
    for (pack, _) in packs::read_all() {
        for rule in &pack.rules {
            count += rule.cases.hit.len() + rule.cases.miss.len() + rule.cases.gap.len();
            report.extend(try_rule(rule, &policy, knowledge()).iter().map(ToString::to_string));
        }
    }
    assert!(report.is_empty(), "{} of {count} cases:\n{}", report.len(), report.join("\n"));
}

#[test]
fn what_was_built_in_is_what_the_packs_say() {
    let files: Vec<String> = packs::SOURCES.iter().map(|(name, _)| format!("packs/{name}.yaml")).collect();
    let sources: Vec<Source<'_>> = (packs::SOURCES.iter().zip(&files))
        .map(|((_, text), file)| Source { layer: Layer::Builtin, file, text, trusted: true })
        .collect();
    let compiled = compile(&sources, &[]).set;
    assert_eq!(compiled.as_bytes(), builtin().as_bytes());
    assert_eq!(compiled.digest(), builtin().digest());
}

#[test]
fn packs_have_no_problems() {
    let problems: Vec<String> =
        packs::read_all().iter().flat_map(|(_, problems)| problems).map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn packs_are_named_as_their_files_and_describe_themselves() {
    for ((name, _), (pack, _)) in packs::SOURCES.iter().zip(packs::read_all()) {
        assert_eq!(*name, pack.name);
        assert!(!pack.title.is_empty() && !pack.about.is_empty(), "pack `{name}` has no `title` or no `about`");
    }
}

#[test]
fn rules_are_sorted_unique_and_complete() {
    let mut report = Vec::new();
    for (pack, _) in packs::read_all() {
        for pair in pack.rules.windows(2) {
            if let [before, after] = pair
                && before.id >= after.id
            {
                report.push(format!("{}: stands behind {}, which sorts later or is the same", after.id, before.id));
            }
        }
        report.extend(pack.rules.iter().filter_map(|rule| incomplete(rule).map(|what| format!("{}: {what}", rule.id))));
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// What a built-in rule lacks.
fn incomplete(rule: &Rule) -> Option<&'static str> {
    if rule.cases.hit.len() < 2 || rule.cases.miss.len() < 2 {
        return Some("fewer than two hits or two misses");
    }
    if !rule.reason.ends_with('.') {
        return Some("`reason` is not a sentence with a full stop");
    }
    if rule.cases.gap.iter().any(|gap| gap.why.is_none()) {
        return Some("a gap without `why`");
    }
    None
}

#[test]
fn routine_commands_are_not_stopped() {
    let policy = Policy::new(vec![builtin()], None);
    let mut report = Vec::new();
    let cases = packs::routine_cases();
    for case in &cases {
        let verdict = decide_case(case, &policy, knowledge());
        if verdict.decision() >= Decision::Ask {
            let rules: Vec<&str> = verdict.reasons().iter().map(|reason| reason.rule.as_str()).collect();
            report.push(format!("{}: {} by {}", case.label, verdict.decision().word(), rules.join(", ")));
        }
    }
    assert!(report.is_empty(), "{} of {}:\n{}", report.len(), cases.len(), report.join("\n"));
}
