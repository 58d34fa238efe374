//! Shell text to the commands that would run, with decoded words, and what could not be read.
//!
//! Never fails, never reads the machine, bounded in time, memory and depth. Knows nothing of agents,
//! programs or policy: which text reaches which program's stdin is said, what the program does with it is not.

mod escape;
mod ir;
mod map;
mod read;
mod run;
mod scope;
mod tree;

pub use ir::*;

/// Reads `text` as bash would, given what is known when it starts.
///
/// Every input gives a [`Script`]: what could be read plus the parts that could not.
#[must_use]
pub fn parse(text: &str, scope: &Scope) -> Script {
    run::run(text, scope)
}
