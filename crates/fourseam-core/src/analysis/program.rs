//! What is known about programs: the form of `fourseam-packs/programs/*.yaml`. Data only.

use serde::{Deserialize, Serialize};

/// Where program knowledge is looked up.
pub trait Knowledge {
    /// What is known of a program, by its name without directory.
    fn program(&self, name: &str) -> Option<&Program>;
}

/// One program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Name.
    pub program: String,
}
