//! The person at the terminal: whether there is one, and a question to them. Questions go to standard error, so that
//! standard output can be piped.

use crate::exit::Failure;
use std::io::{self, BufRead, IsTerminal, Write};

/// Whether a person can be asked.
pub(crate) fn is_here() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Refuses where there is no person: verbs that weaken the guard are not for agents and scripts.
///
/// # Errors
/// When nobody can be asked.
pub(crate) fn needed(what: &str) -> Result<(), Failure> {
    if is_here() {
        return Ok(());
    }
    Err(Failure::new(format!("{what} is for a person, and this is no terminal"))
        .help("run it yourself in a terminal; an agent cannot do it for you"))
}

/// Whether the person says yes. Anything else is a no.
pub(crate) fn agrees(question: &str) -> io::Result<bool> {
    let said = answer(&format!("{question} [y/N] "))?;
    Ok(["y", "yes"].contains(&said.to_lowercase().as_str()))
}

/// One line of the person's, without the space around it. Empty at the end of input.
pub(crate) fn answer(question: &str) -> io::Result<String> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(question.as_bytes())?;
    stderr.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}
