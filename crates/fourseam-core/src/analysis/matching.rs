//! Whether the conditions of program data hold for one invocation, and which values a selection means.

use super::program::{Condition, Glob, Reference, Role, Selection};
use super::reading::{ArgUse, FlagUse, Outside, tail};
use fourseam_shell::{Piece, Word};
use std::borrow::Cow;

/// What is known of an invocation while a condition is asked.
pub(super) struct Facts<'a, 'p, 'w> {
    pub(super) flags: &'a [FlagUse<'p, 'w>],
    /// Arguments with roles; empty while the roles are still being chosen.
    pub(super) args: &'a [ArgUse<'p, 'w>],
    /// Positional words; used while `args` is empty.
    pub(super) words: &'a [Cow<'w, Word>],
    /// Words of the subcommand, as told.
    pub(super) subcommand: &'a [String],
    pub(super) outside: Outside<'a>,
    /// Upper and lower case of values are the same, as in programs of Windows.
    pub(super) ignores_case: bool,
}

impl<'a> Facts<'a, '_, '_> {
    /// Whether the condition holds.
    pub(super) fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Never => false,
            Condition::Always => true,
            Condition::Has(reference) => self.has(reference),
            Condition::Is(reference, glob) => self.values(reference).iter().any(|(_, word)| self.matches(glob, word)),
            Condition::Stdin => self.outside.stdin,
            Condition::CalledAs(name) => self.outside.called == name,
            Condition::Not(inner) => !self.holds(inner),
            Condition::All(all) => all.iter().all(|inner| self.holds(inner)),
            Condition::Any(any) => any.iter().any(|inner| self.holds(inner)),
        }
    }

    fn has(&self, reference: &Reference) -> bool {
        match reference {
            Reference::Option(name) => self.flags.iter().any(|flag| !flag.taken_back && flag.name == *name),
            Reference::Variable(_)
            | Reference::Arg(_)
            | Reference::AnyArg
            | Reference::Role(_)
            | Reference::Name(_)
            | Reference::Subcommand
            | Reference::Literal(_) => !self.values(reference).is_empty(),
        }
    }

    /// The values a selection means, with their roles; none when it names a pattern and nothing matches.
    pub(super) fn select(&self, selection: &Selection) -> Vec<(Role, Cow<'a, Word>)> {
        let mut values = self.values(&selection.of);
        if let Some(glob) = &selection.only {
            values.retain(|(_, word)| self.matches(glob, word));
        }
        if let Some(role) = selection.role {
            values.iter_mut().for_each(|(own, _)| *own = role);
        }
        let Some(marker) = &selection.after else { return values };
        let behind = |(role, word): &(Role, Cow<'a, Word>)| Some((*role, Cow::Owned(behind(word, marker)?)));
        values.iter().filter_map(behind).collect()
    }

    /// Every value a reference means.
    fn values(&self, reference: &Reference) -> Vec<(Role, Cow<'a, Word>)> {
        match reference {
            Reference::Option(name) => {
                let used = self.flags.iter().filter(|flag| !flag.taken_back && flag.name == *name);
                used.flat_map(|flag| &flag.values).map(borrowed).collect()
            }
            Reference::Arg(number) => {
                self.positional().nth(usize::from(*number).saturating_sub(1)).into_iter().collect()
            }
            Reference::AnyArg => self.positional().collect(),
            Reference::Role(role) => {
                let args = self.args.iter().map(of_arg).filter(|(of, _)| of == role);
                let values = self.flags.iter().filter(|flag| !flag.taken_back).flat_map(|flag| &flag.values);
                args.chain(values.map(borrowed).filter(|(of, _)| of == role)).collect()
            }
            Reference::Name(name) => self.args.iter().filter(|arg| arg.name == Some(name)).map(of_arg).collect(),
            Reference::Variable(name) => {
                let set = self.outside.assignments.iter().filter(|(set, _)| set == name);
                set.map(|(_, word)| (Role::Text, Cow::Borrowed(word))).collect()
            }
            Reference::Literal(text) => vec![fixed(text)],
            Reference::Subcommand => vec![fixed(&self.subcommand.join(" "))],
        }
    }

    fn matches(&self, glob: &Glob, word: &Word) -> bool {
        let text = word.literal().map_or_else(|| Cow::Owned(word.text()), Cow::Borrowed);
        if self.ignores_case {
            return Glob(glob.0.to_lowercase()).matches(&text.to_lowercase());
        }
        glob.matches(&text)
    }

    fn positional(&self) -> impl Iterator<Item = (Role, Cow<'a, Word>)> {
        let args = self.args.iter().filter(|arg| !arg.is_default).map(of_arg);
        args.chain(self.words.iter().map(|word| (Role::Text, Cow::Borrowed(&**word))))
    }
}

fn fixed<'a>(text: &str) -> (Role, Cow<'a, Word>) {
    (Role::Text, Cow::Owned(Word::known(text, fourseam_shell::Span::default())))
}

fn of_arg<'a>(arg: &'a ArgUse<'_, '_>) -> (Role, Cow<'a, Word>) {
    (arg.role, Cow::Borrowed(&*arg.word))
}

fn borrowed<'a>((role, word): &'a (Role, Cow<'_, Word>)) -> (Role, Cow<'a, Word>) {
    (*role, Cow::Borrowed(&**word))
}

/// What stands behind the first occurrence of `marker` in the known beginning of a word.
fn behind(word: &Word, marker: &str) -> Option<Word> {
    let Some(Piece::Literal(start)) = word.pieces.first() else { return None };
    let at = start.find(marker)?;
    Some(tail(word, at + marker.len()))
}
