//! The built-in packs.

/// Name and YAML text of every built-in pack, sorted by name.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));
