//! From words to paths: resolved as far as they can be, with every class that holds, at worst.
//! Reads no file; asks the world only about links.

mod classes;
mod names;
mod resolve;

pub(super) use classes::{Setting, UNKNOWN, UNKNOWN_SHOWN, is_harmless_device};
pub(super) use resolve::{Follow, Origin, Origins, Resolver};
