//! Wrapping a command never weakens what is said of it; quoting it as data silences it. Tried on every shell case
//! of every rule, and on the labelled cases where they are at hand (`FOURSEAM_SHARED`, or a folder `shared` beside
//! the checkout).
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "tests read files and say what they did not find")]

use fourseam_core::action::{Action, Dialect};
use fourseam_core::decide;
use fourseam_core::decision::Decision;
use fourseam_core::policy::{Case, Policy};
use fourseam_core::world::{FixedWorld, Repository};
use fourseam_packs::{builtin, knowledge, packs};
use std::path::PathBuf;

/// A way to wrap a command, and its name.
type Wrapper = (&'static str, fn(&str) -> String);

/// Ways that keep what a command does.
const WRAPPERS: &[Wrapper] = &[
    ("bash -c", |text| format!("bash -c {}", quote(text))),
    ("sudo", |text| format!("sudo -n bash -c {}", quote(text))),
    ("env", |text| format!("env X=1 sh -c {}", quote(text))),
    ("subshell", |text| format!("(\n{text}\n)")),
    ("group", |text| format!("{{\n{text}\n}}")),
    ("function", |text| format!("f() {{\n{text}\n}}\nf")),
    ("condition", |text| format!("if true; then\n{text}\nfi")),
    ("heredoc", |text| format!("bash <<'__END__'\n{text}\n__END__")),
    ("or true", |text| format!("{{\n{text}\n}} || true")),
    ("eval", |text| format!("eval {}", quote(text))),
    ("variable", |text| format!("C={}; eval \"$C\"", quote(text))),
];

/// Ways that make a command mere text.
const QUOTERS: &[Wrapper] = &[
    ("echo", |text| format!("echo {}", quote(text))),
    ("commit message", |text| format!("git commit -m {}", quote(text))),
    ("heredoc to a file", |text| format!("cat > docs/notes.md <<'__END__'\n{text}\n__END__")),
    ("search pattern", |text| format!("grep -rn {} docs", quote(text))),
    ("variable, unused", |text| format!("TEXT={}", quote(text))),
];

#[test]
fn denied_commands_stay_denied_in_every_wrapper() {
    let policy = policy();
    let mut weaker = Vec::new();
    let mut count = 0;
    for (id, case, command) in shell_cases() {
        let before = decision(&policy, &case, &command);
        if before != Decision::Deny {
            continue;
        }
        for (name, wrap) in WRAPPERS {
            count += 1;
            let after = decision(&policy, &case, &wrap(&command));
            if after < before {
                weaker.push(format!("{id} in {name}: {} instead of deny: {command}", after.word()));
            }
        }
    }
    assert!(count > 1000, "only {count} wrapped commands");
    assert!(weaker.is_empty(), "{} of {count}:\n{}", weaker.len(), weaker.join("\n"));
}

#[test]
fn commands_quoted_as_data_are_silent() {
    let policy = policy();
    let mut loud = Vec::new();
    let mut count = 0;
    for (id, case, command) in shell_cases() {
        for (name, wrap) in QUOTERS {
            count += 1;
            let after = decision(&policy, &case, &wrap(&command));
            if after > Decision::Allow {
                loud.push(format!("{id} as {name}: {}: {command}", after.word()));
            }
        }
    }
    assert!(count > 1000, "only {count} quoted commands");
    assert!(loud.is_empty(), "{} of {count}:\n{}", loud.len(), loud.join("\n"));
}

fn policy() -> Policy {
    Policy::new(vec![builtin()], None)
}

fn decision(policy: &Policy, case: &Case, command: &str) -> Decision {
    let mut case = case.clone();
    if let Action::Shell(shell) = &mut case.call.action {
        command.clone_into(&mut shell.command);
    }
    let world = case.world.unwrap_or_else(Case::example_world);
    decide(&case.call, policy, knowledge(), &world).draft.settle(None).decision()
}

/// Shell commands of all rules, and of the labelled cases where they are at hand.
fn shell_cases() -> Vec<(String, Case, String)> {
    let of_rules = packs::read_all().into_iter().flat_map(|(pack, _)| pack.rules).flat_map(|rule| {
        let id = rule.id.to_string();
        rule.cases.hit.into_iter().map(move |case| (id.clone(), case))
    });
    of_rules
        .chain(labelled_cases())
        .filter_map(|(id, case)| match &case.call.action {
            Action::Shell(shell) if shell.dialect == Dialect::Posix => {
                let command = shell.command.clone();
                Some((id, case, command))
            }
            _ => None,
        })
        .collect()
}

fn labelled_cases() -> Vec<(String, Case)> {
    let Some(text) =
        shared_folders().iter().find_map(|folder| std::fs::read_to_string(folder.join("cases/shell.jsonl")).ok())
    else {
        println!("labelled cases are not at hand: only the cases of the rules were tried");
        return Vec::new();
    };
    text.lines()
        .filter_map(|line| {
            let case = Case::of_json(line).ok()?;
            let id = case.id.as_str().unwrap_or_default().to_owned();
            Some((id, Case { world: Some(labelled_world()), ..case }))
        })
        .collect()
}

/// What the labelled cases take for granted.
fn labelled_world() -> FixedWorld {
    let repository = Repository {
        root: "/home/user/project".to_owned(),
        branch: Some("feature/login".to_owned()),
        ..Repository::default()
    };
    FixedWorld { home: Some("/home/user".to_owned()), repository: Some(repository), ..FixedWorld::default() }
}

fn shared_folders() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("FOURSEAM_SHARED").map(PathBuf::from);
    named.into_iter().chain([root.join("../../../shared"), root.join("../../../../shared")]).collect()
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
