//! What running something is known to write, way by way, and whether it succeeds.

use crate::ir::Piece;

/// More ways than this count as one that is not known.
const MAX_WAYS: usize = 4;

/// What running something is known to do besides changing the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) output: Output,
    /// Whether it succeeds, if that is known.
    pub(crate) success: Option<bool>,
}

/// The texts that may be written on standard output; `None` stands for one that is not known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Output(Vec<Option<Vec<Piece>>>);

impl Output {
    pub(crate) fn unknown() -> Self {
        Self(vec![None])
    }

    pub(crate) fn silent() -> Self {
        Self(vec![Some(Vec::new())])
    }

    /// A text, if it is known.
    pub(crate) fn of(text: Option<Vec<Piece>>) -> Self {
        Self(vec![text])
    }

    /// The text, if there is only one and it is known.
    pub(crate) fn single(&self) -> Option<&Vec<Piece>> {
        match self.0.as_slice() {
            [Some(text)] => Some(text),
            _ => None,
        }
    }

    pub(crate) fn ways(&self) -> &[Option<Vec<Piece>>] {
        &self.0
    }

    /// This, then what comes after it.
    fn then(&self, next: &Self) -> Self {
        let joined = |one: &Option<Vec<Piece>>, other: &Option<Vec<Piece>>| match (one, other) {
            (Some(one), Some(other)) => Some(super::simple::merged(one.iter().chain(other).cloned().collect())),
            (None, _) | (_, None) => None,
        };
        bounded(self.0.iter().flat_map(|one| next.0.iter().map(move |other| joined(one, other))))
    }

    /// This or something else.
    pub(crate) fn or(&self, other: &Self) -> Self {
        bounded(self.0.iter().chain(&other.0).cloned())
    }
}

fn bounded(all: impl Iterator<Item = Option<Vec<Piece>>>) -> Output {
    let mut ways: Vec<Option<Vec<Piece>>> = Vec::new();
    for way in all {
        if !ways.contains(&way) {
            ways.push(way);
        }
        if ways.len() > MAX_WAYS {
            ways.truncate(MAX_WAYS - 1);
            ways.retain(Option::is_some);
            ways.push(None);
            break;
        }
    }
    Output(ways)
}

impl Outcome {
    pub(crate) fn unknown() -> Self {
        Self { output: Output::unknown(), success: None }
    }

    pub(crate) fn silent(success: Option<bool>) -> Self {
        Self { output: Output::silent(), success }
    }

    /// What two commands do one after the other.
    pub(crate) fn then(&self, second: &Self) -> Self {
        Self { output: self.output.then(&second.output), success: second.success }
    }

    /// What one of two ways does.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let success = if self.success == other.success { self.success } else { None };
        Self { output: self.output.or(&other.output), success }
    }
}
