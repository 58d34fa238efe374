//! Compiles the data of this crate, so that nothing is parsed when fourseam starts. One module for each kind of data.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a build script reads files and tells what is wrong with them"
)]

#[path = "build/packs.rs"]
mod packs;
#[path = "build/programs.rs"]
mod programs;
#[path = "build/questions.rs"]
mod questions;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    if let Err(problem) = packs::compile() {
        // Shown as it is: the default report quotes it on one line.
        eprintln!("{problem}");
        return Err("the packs do not compile".into());
    }
    programs::compile()?;
    questions::compile()
}
