//! Program knowledge, decoded on first use of each program and subcommand. What is never looked up costs nothing.

use fourseam_core::analysis::{Knowledge, Program};
use std::sync::OnceLock;

/// What the built-in data know of programs.
#[must_use]
pub fn knowledge() -> &'static dyn Knowledge {
    &BuiltIn
}

/// Every name and alias in the built-in data, sorted.
pub fn program_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/programs.bin"));
/// Boxed, so that a place for each of them is small: it stands in the program's file and is copied at first use.
static DECODED: [OnceLock<Option<Box<Program>>>; ENDS.len()] = [const { OnceLock::new() }; ENDS.len()];

struct BuiltIn;

impl Knowledge for BuiltIn {
    fn program(&self, name: &str) -> Option<&Program> {
        let at = NAMES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        let (_, index) = NAMES.get(at)?;
        self.stored(*index)
    }

    fn stored(&self, at: u32) -> Option<&Program> {
        let at = usize::try_from(at).ok()?;
        DECODED.get(at)?.get_or_init(|| decode(at).map(Box::new)).as_deref()
    }
}

fn decode(at: usize) -> Option<Program> {
    let start = at.checked_sub(1).map_or(Some(0), |before| ENDS.get(before).copied())?;
    let range = usize::try_from(start).ok()?..usize::try_from(*ENDS.get(at)?).ok()?;
    postcard::from_bytes(BYTES.get(range)?).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn every_program_decodes_and_knows_its_name() {
        for name in program_names() {
            assert!(knowledge().program(name).is_some_and(|program| program.is_called(name)), "{name}");
        }
        for at in 0..ENDS.len() {
            assert!(knowledge().stored(u32::try_from(at).unwrap()).is_some(), "{at}");
        }
    }
}
