//! Whether names in a call tell an environment such as production. The words are data of packs and policies.

use super::scene::{Scene, Subject, strings};
use crate::action::Action;
use crate::analysis::{Effect, Invocation, Target};
use serde::{Deserialize, Serialize};

/// An environment and the words that tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Environment {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    /// Also told by what stands around a command: its folder, files loaded and contexts selected before it. Right for
    /// what makes a verdict stronger; a folder called `dev` must not make one weaker.
    pub(super) around: bool,
}

/// Whether something in the subject is named after the environment: a context, profile, host, resource, connection
/// string or file, and what stands around it where the environment says so.
pub(super) fn is_named(environment: &str, subject: &Subject<'_>) -> bool {
    subject.scene.environments.iter().filter(|it| it.name == environment).any(|it| {
        let words: Vec<&str> = it.words.iter().map(String::as_str).collect();
        let around = if it.around { names_around(subject.scene) } else { Vec::new() };
        names(subject).iter().chain(&around).any(|name| is_name(name) && tells(name, &words))
    })
}

/// The names in a subject.
fn names(subject: &Subject<'_>) -> Vec<String> {
    let scene = subject.scene;
    let mut names = Vec::new();
    match (subject.invocation, subject.effect) {
        (Some((index, invocation)), effect) => {
            names.extend(names_of_invocation(invocation));
            match effect {
                Some((_, effect)) => names.extend(name_of_target(effect)),
                None => names.extend(scene.effects_of(index).filter_map(name_of_target)),
            }
        }
        (None, Some((_, effect))) => names.extend(name_of_target(effect)),
        (None, None) => {
            names.extend(scene.analysis.invocations.iter().flat_map(names_of_invocation));
            names.extend(scene.analysis.effects.iter().filter_map(name_of_target));
        }
    }
    match &scene.call.action {
        Action::McpCall { arguments: input, .. } | Action::Other { input, .. } => names.extend(strings(input)),
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
        | Action::Output { .. } => {}
    }
    names
}

/// The folder of the call, and what commands of the line load or select for those behind them.
fn names_around(scene: &Scene<'_>) -> Vec<String> {
    let setting = scene.analysis.invocations.iter().filter(|invocation| sets_surroundings(invocation));
    let selected =
        scene.analysis.effects.iter().filter(|effect| effect.verb == "use-context").filter_map(name_of_target);
    scene.call.cwd.iter().cloned().chain(setting.flat_map(names_of_invocation)).chain(selected).collect()
}

/// Whether a command loads variables or selects a context, project or workspace.
fn sets_surroundings(invocation: &Invocation) -> bool {
    let loads = ["source", ".", "export", "cd", "pushd", "dotenv", "direnv"].contains(&invocation.program.as_str());
    let selects =
        |word: &String| ["select", "use", "use-context", "set-context", "use-project", "link"].contains(&word.as_str());
    loads || (invocation.program != "git" && invocation.subcommand.last().is_some_and(selects))
}

fn names_of_invocation(invocation: &Invocation) -> Vec<String> {
    let mut names: Vec<String> = invocation.args.clone();
    for flag in &invocation.flags {
        names.push(flag.name.clone());
        names.extend(flag.value.clone());
    }
    names.extend(invocation.assignments.iter().map(|(_, value)| value.clone()));
    names
}

fn name_of_target(effect: &Effect) -> Option<String> {
    match effect.target.as_ref()? {
        Target::Path(path) => Some(path.written.clone()),
        Target::Url { url } => Some(url.clone()),
        Target::Host { host } => Some(host.clone()),
        Target::Resource { name } => Some(name.clone()),
        Target::Sql { .. } => None,
    }
}

/// Text with spaces is a statement, message or script, not a name; connection strings (`host=a dbname=b`) are names.
fn is_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first_is_pair = text.split_whitespace().next().is_some_and(|word| word.contains('='));
    words.nth(1).is_none() || (first_is_pair && words.all(|word| word.contains('=')))
}

/// Whether one of the words stands in a name on its own (`prod-db`, `db_prod2`, not `product`), and is not negated
/// (`non-prod`, `preprod`).
fn tells(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    let parts: Vec<&str> = name.split(|c: char| !c.is_ascii_alphabetic()).filter(|part| !part.is_empty()).collect();
    let mut before = "";
    for part in parts {
        if words.contains(&part) && !NEGATIONS.contains(&before) {
            return true;
        }
        before = part;
    }
    false
}

/// What in front of a word makes it another environment.
const NEGATIONS: [&str; 4] = ["non", "not", "pre", "no"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_on_their_own() {
        let words = ["prod", "production", "live"];
        for (name, want) in [
            ("prod-db.example.com", true),
            ("arn:aws:rds:eu:1:db:app_prod2", true),
            (".env.production", true),
            ("postgres://app@db.live.example.com/app", true),
            ("product", false),
            ("reproduce-prodder", false),
            ("non-prod", false),
            ("preprod", false),
            ("olive", false),
        ] {
            assert_eq!(tells(name, &words), want, "{name}");
        }
    }

    #[test]
    fn statements_are_not_names() {
        assert!(!is_name("update users set live = true"));
        assert!(is_name("host=db dbname=prod"));
        assert!(is_name("prod"));
    }
}
