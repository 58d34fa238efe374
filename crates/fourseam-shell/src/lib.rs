//! Shell text to the commands that would run, with decoded words, and what could not be read.
//!
//! Never fails, never reads the machine, bounded in time, memory and depth. Knows nothing of agents,
//! programs or policy: which text reaches which program's stdin is said, what the program does with it is not.
//!
//! `read` makes a syntax tree of the text and goes on after errors; `run` follows the tree as the shell would, with what
//! is known of variables, functions and files, and writes every command down. Conditions go both ways.
//!
//! bash and sh are read as bash 5.3 reads them. Of zsh this differs from bash and is read: `for x (a b) command`,
//! `=(...)`, `=program`, `repeat n command`, `{ } always { }`, `&|`, `&!`, `>>|`, function bodies without braces, the last
//! command of a pipeline in the current shell. Not read, and said to be faulty or not known: `${(flags)x}`, `${=x}`, glob
//! qualifiers beyond their brackets, `if (...) { }`, `foreach ... end`. Not followed: global and suffix aliases, and that an
//! unquoted variable is one word in zsh (it is split here, as in bash).

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
