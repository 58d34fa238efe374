//! The structure of a command that a rule can name: program, subcommand, options, arguments. Only of commands that stand
//! by themselves and whose every word is known.

use fourseam_core::action::Action;
use fourseam_core::analysis::{self, Analysis, EffectKind, Invocation, UnknownClass};
use fourseam_core::record::Record;
use fourseam_core::world::FixedWorld;
use std::collections::BTreeMap;

/// What makes two commands alike but for their arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Shape {
    /// Program.
    pub(crate) program: String,
    /// Subcommand words.
    pub(crate) subcommand: Vec<String>,
    /// Options and their values.
    pub(crate) flags: BTreeMap<String, Option<String>>,
}

/// The shape of a recorded command and its arguments; `None` where no narrow rule could speak of it.
pub(crate) fn shape(record: &Record) -> Option<(Shape, Vec<String>)> {
    let call = record.call()?;
    if !matches!(call.action, Action::Shell(_)) || record.cut > 0 || record.is_redacted() {
        return None;
    }
    let analysis = analysis::analyse(&call, fourseam_packs::knowledge(), &FixedWorld::default());
    let [invocation] = analysis.invocations.as_slice() else { return None };
    if dispatches(&analysis, invocation)
        || !analysis.unknowns.iter().all(|unknown| unknown.class == UnknownClass::Program)
    {
        return None;
    }
    let flags = invocation.flags.iter().map(|flag| (flag.name.clone(), flag.value.clone())).collect();
    let shape = Shape { program: invocation.program.clone(), subcommand: invocation.subcommand.clone(), flags };
    let words = shape.flags.values().flatten().chain(&invocation.args).chain(shape.flags.keys());
    let plain = !shape.program.is_empty() && words.chain(&shape.subcommand).all(|word| is_plain(word));
    plain.then(|| (shape, invocation.args.clone()))
}

/// Whether a command runs something else: code, a script, another command. A rule on it would allow anything.
fn dispatches(analysis: &Analysis, invocation: &Invocation) -> bool {
    !invocation.through.is_empty()
        || !invocation.assignments.is_empty()
        || invocation.program_path.is_some()
        || analysis.effects.iter().any(|effect| {
            matches!(
                effect.kind,
                EffectKind::Execute | EffectKind::Privilege | EffectKind::Tamper | EffectKind::Persist
            )
        })
}

/// A word that stands for itself in a rule, where texts are globs.
fn is_plain(word: &str) -> bool {
    word.len() <= 80 && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@+,%".contains(c))
}
