//! One command, several possible values: every combination is tried in turn, up to a bound.

/// Combinations of one command beyond this are not tried; a value that is not known stands for them.
const MAX_COMBINATIONS: usize = 8;

/// The choices made while one command is expanded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// What was chosen, and out of how many.
    made: Vec<(usize, usize)>,
    next: usize,
    tried: usize,
    /// All further values count as not known.
    given_up: bool,
}

impl Choices {
    /// Where nothing is tried again: a value that may be one of several is not known.
    pub(crate) fn none() -> Self {
        Self { given_up: true, ..Self::default() }
    }

    /// Chooses one of `count`; the same one as before when a combination is tried again.
    /// `None`: the bound was reached, take a value that is not known.
    pub(crate) fn choose(&mut self, count: usize) -> Option<usize> {
        if self.given_up {
            return None;
        }
        let choice = match self.made.get(self.next) {
            Some((choice, _)) => *choice,
            None => {
                self.made.push((0, count));
                0
            }
        };
        self.next += 1;
        Some(choice)
    }

    /// Goes on to the next combination. False when there is none.
    pub(crate) fn advance(&mut self) -> bool {
        if self.given_up {
            return false;
        }
        self.tried += 1;
        self.made.truncate(self.next);
        self.next = 0;
        while let Some((choice, count)) = self.made.pop() {
            if choice + 1 < count {
                self.made.push((choice + 1, count));
                self.given_up = self.tried >= MAX_COMBINATIONS;
                return true;
            }
        }
        false
    }
}
