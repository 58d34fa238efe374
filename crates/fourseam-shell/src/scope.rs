//! What is known when a text starts: variables, functions, working directory.

use crate::ir::{Scope, Word};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Shared state behind [`Scope`].
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) variables: BTreeMap<String, Variable>,
    pub(crate) cwd: Option<Word>,
}

/// What is known of one variable.
#[derive(Clone, Debug)]
pub(crate) enum Variable {
    Known { value: String, exported: bool },
    Unset,
}

impl Scope {
    /// Sets an exported variable, as the environment does. `HOME` also serves `~`.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        let known = Variable::Known { value: value.to_owned(), exported: true };
        Rc::make_mut(&mut self.0).variables.insert(name.to_owned(), known);
        self
    }

    /// Says that a variable is known to be unset.
    #[must_use]
    pub fn with_unset(mut self, name: &str) -> Self {
        Rc::make_mut(&mut self.0).variables.insert(name.to_owned(), Variable::Unset);
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn with_cwd(mut self, path: &str) -> Self {
        Rc::make_mut(&mut self.0).cwd = Some(Word::known(path, crate::ir::Span::default()));
        self
    }
}
