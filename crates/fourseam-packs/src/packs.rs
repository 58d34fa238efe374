//! The built-in packs: compiled for deciding, as text for reading.

use fourseam_core::action::Dialect;
use fourseam_core::policy::{Case, Diagnostic, Pack, RuleSet, read_pack};

/// Name and YAML text of every built-in pack, sorted by name.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The rules of all built-in packs, compiled when fourseam was built.
#[must_use]
pub fn builtin() -> RuleSet {
    const DIGEST: &[u8; 32] = include_bytes!(concat!(env!("OUT_DIR"), "/packs.digest"));
    RuleSet::of_static(include_bytes!(concat!(env!("OUT_DIR"), "/packs.bin")), DIGEST)
}

/// Every built-in pack, read from its text. Not for the hot path.
#[must_use]
pub fn read_all() -> Vec<(Pack, Vec<Diagnostic>)> {
    SOURCES.iter().map(|(name, text)| read_pack(&format!("packs/{name}.yaml"), text)).collect()
}

/// What agents run all day: none of it should be stopped. One command a line of `routine.txt`.
#[must_use]
pub fn routine_cases() -> Vec<Case> {
    let lines = include_str!("../routine.txt").lines().map(str::trim);
    let commands = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    commands.map(|command| Case::of_command(command, Dialect::Posix, Some("/home/ana/project".to_owned()))).collect()
}
