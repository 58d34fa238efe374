//! Compiles the data of this crate, so that nothing is parsed when fourseam starts. One module for each kind of data.

#[path = "build/packs.rs"]
mod packs;
#[path = "build/programs.rs"]
mod programs;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    packs::compile()?;
    programs::compile()
}
