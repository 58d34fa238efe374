//! Program knowledge, decoded on first use of each program. A program that is never looked up costs nothing.

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
static DECODED: [OnceLock<Option<Program>>; RANGES.len()] = [const { OnceLock::new() }; RANGES.len()];

struct BuiltIn;

impl Knowledge for BuiltIn {
    fn program(&self, name: &str) -> Option<&Program> {
        let at = NAMES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        let (_, index) = NAMES.get(at)?;
        DECODED.get(*index)?.get_or_init(|| decode(*index)).as_ref()
    }
}

fn decode(index: usize) -> Option<Program> {
    let (start, end) = RANGES.get(index)?;
    postcard::from_bytes(BYTES.get(*start..*end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_decodes_and_knows_its_name() {
        for name in program_names() {
            assert!(knowledge().program(name).is_some_and(|program| program.is_called(name)), "{name}");
        }
    }
}
