//! Data: rules with their cases, and what is known of programs. Compiled by `build.rs`; holds no logic.

pub mod packs;
mod programs;
mod questions;

pub use packs::builtin;
pub use programs::{knowledge, program_names};
pub use questions::questions;
