//! Shell text to the commands that would run, with decoded words, and what could not be read.
//!
//! Never fails, never reads the machine, bounded in time, memory and depth. Knows nothing of agents,
//! programs or policy: which text reaches which program's stdin is said, what the program does with it is not.

mod ir;
mod scope;

pub use ir::*;

/// Reads `text` as bash would, given what is known when it starts.
///
/// Every input gives a [`Script`]: what could be read plus the parts that could not.
#[must_use]
pub fn parse(_text: &str, _scope: &Scope) -> Script {
    Script::default()
}
