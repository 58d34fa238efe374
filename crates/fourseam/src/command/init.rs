//! `fourseam init`: writes a starter policy with comments. Never over an existing one.

use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::{file, policy};
use std::io::Write;
use std::path::PathBuf;

/// The starter of a user's policy.
const USER: &str = include_str!("init/policy.yaml");
/// The starter of a project's policy.
const PROJECT: &str = include_str!("init/project.yaml");

/// Arguments of `init`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write `.fourseam.yaml` in this folder instead of the user's policy
    #[arg(long)]
    project: bool,
}

/// Writes the file and says where.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let (path, text) = if args.project {
        (PathBuf::from(policy::PROJECT), PROJECT)
    } else {
        let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
        (home.policy(), USER)
    };
    let shown = path.display();
    if path.symlink_metadata().is_ok() {
        return Err(Failure::new(format!("`{shown}` exists")).help("edit it; `fourseam lint` checks it"));
    }
    if args.project {
        std::fs::write(&path, text)?;
    } else {
        file::replace(&path, text.as_bytes())?;
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "wrote `{shown}`\n`fourseam lint` checks it, `fourseam test` runs its cases")?;
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::{PROJECT, USER};
    use fourseam_core::policy::{Layer, Policy, Source, Surroundings, compile, lint, read_rules, try_rule};
    use fourseam_packs::{builtin, knowledge};

    #[test]
    fn starters_pass_lint_and_their_own_cases() {
        let builtin = builtin();
        for (layer, file, text) in [(Layer::User, "policy.yaml", USER), (Layer::Project, ".fourseam.yaml", PROJECT)] {
            let source = Source { layer, file, text, trusted: false };
            let around = Surroundings { builtin: &builtin, knowledge: knowledge(), today: "2026-01-01" };
            assert_eq!(lint(&[source], around), []);
            let policy = Policy::new(vec![builtin.clone(), compile(&[source], &[&builtin]).set], None);
            let (rules, _) = read_rules(&source);
            assert!(!rules.is_empty());
            for rule in &rules {
                let misses: Vec<String> =
                    try_rule(rule, &policy, knowledge()).iter().map(ToString::to_string).collect();
                assert_eq!(misses, [""; 0]);
            }
        }
    }
}
