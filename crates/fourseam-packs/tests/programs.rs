//! Every `tests/programs/*.yaml`: commands, and all that they are said to do. The form is told in `programs/README.md`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests read files and may panic")]

use fourseam_core::action::{Action, Dialect, HookCall, Point, Shell};
use fourseam_core::analysis::{Analysis, Effect, Place, Target, analyse};
use fourseam_core::world::{FixedWorld, Repository};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One command and what is expected of it. What is left out is not compared, but for `does` and `unknown`: left out,
/// they are empty.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    run: String,
    #[serde(default)]
    does: BTreeSet<String>,
    #[serde(default)]
    unknown: BTreeSet<String>,
    /// The invocations that would run, canonical.
    runs: Option<Vec<String>>,
    /// Every invocation is of a form that changes nothing.
    harmless: Option<bool>,
    /// Every invocation only reads.
    read_only: Option<bool>,
    /// Files of the project, by path.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

#[test]
fn programs_do_what_their_data_say() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut files: Vec<_> = std::fs::read_dir("tests/programs").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "yaml")) {
        for case in cases(file) {
            count += 1;
            wrong.extend(differences(file, &case));
        }
    }
    assert!(count > 100, "only {count} cases were found");
    assert!(wrong.is_empty(), "{} of {count} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap();
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn differences(file: &Path, case: &Case) -> Option<String> {
    let found = analysis(case);
    let does: BTreeSet<String> = found.effects.iter().map(shown).collect();
    let unknown: BTreeSet<String> =
        found.unknowns.iter().map(|unknown| format!("{} {}", word(&unknown.class), unknown.text)).collect();
    let runs: Vec<String> = found.invocations.iter().map(|invocation| invocation.text.clone()).collect();
    let harmless = found.invocations.iter().all(|invocation| invocation.harmless);
    let read_only = found.invocations.iter().all(|invocation| invocation.read_only);
    let is_right = does == case.does
        && unknown == case.unknown
        && case.runs.as_ref().is_none_or(|wanted| *wanted == runs)
        && case.harmless.is_none_or(|wanted| wanted == harmless)
        && case.read_only.is_none_or(|wanted| wanted == read_only);
    if is_right {
        return None;
    }
    let mut text = format!("{}: {}\n", file.file_name()?.display(), case.run);
    for line in does.difference(&case.does) {
        text.push_str(&format!("    too much: {line}\n"));
    }
    for line in case.does.difference(&does) {
        text.push_str(&format!("    missing:  {line}\n"));
    }
    for line in unknown.symmetric_difference(&case.unknown) {
        text.push_str(&format!("    unknown:  {line}\n"));
    }
    text.push_str(&format!("    runs: {runs:?}, harmless: {harmless}, read_only: {read_only}\n"));
    Some(text)
}

fn analysis(case: &Case) -> Analysis {
    let action =
        Action::Shell(Shell { command: case.run.clone(), dialect: Dialect::Posix, cwd: None, background: false });
    let call = HookCall {
        host: "test".to_owned(),
        event: "PreToolUse".to_owned(),
        point: Some(Point::ToolCall),
        session: None,
        cwd: Some("/home/ana/code/app".to_owned()),
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: None,
        stop_hook_active: false,
        action,
    };
    let repository = Repository {
        root: "/home/ana/code/app".to_owned(),
        branch: Some("feature/x".to_owned()),
        clean: None,
        default_branch: Some("main".to_owned()),
    };
    let world = FixedWorld {
        home: Some("/home/ana".to_owned()),
        repository: Some(repository),
        files: case.files.iter().map(|(path, text)| (format!("/home/ana/code/app/{path}"), text.clone())).collect(),
        ..FixedWorld::default()
    };
    analyse(&call, fourseam_packs::knowledge(), &world)
}

/// `KIND VERB TARGET`, then `recursive`, `@place`, `<taint,...>` where they hold.
fn shown(effect: &Effect) -> String {
    let mut text = format!("{} {}", word(&effect.kind), effect.verb);
    if let Some(target) = &effect.target {
        text.push(' ');
        text.push_str(&match target {
            Target::Path(path) => path.written.clone(),
            Target::Url { url } => url.clone(),
            Target::Host { host } => host.clone(),
            Target::Sql { text, .. } => text.clone(),
            Target::Resource { name } => name.clone(),
        });
    }
    if effect.recursive {
        text.push_str(" recursive");
    }
    if effect.place != Place::Local {
        text.push_str(&format!(" @{}", word(&effect.place)));
    }
    if !effect.taint.is_empty() {
        let taints: Vec<String> = effect.taint.iter().map(word).collect();
        text.push_str(&format!(" <{}>", taints.join(",")));
    }
    text
}

/// The serialised word of a plain enum.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap_or_default().to_owned()
}
