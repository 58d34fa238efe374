//! What `install` and `uninstall` need of a host: where its hook file is, which text it gets, and what a person still
//! has to do. Text in, text out: reading and writing files is the binary's.

use crate::checkup::Checkup;
use crate::host::Event;
use crate::native::Native;
use std::fmt;

/// Name of the file in the state folder whose first line is the mode (`dry`, `guard`, `on`). The fail-closed tail of a
/// hook command reads it.
pub const STATE_FILE: &str = "state";

/// How a host is wired.
pub trait Install: Sync {
    /// Names of the host's program on `PATH`.
    fn programs(&self) -> &'static [&'static str];
    /// Where the hook file is.
    fn place(&self, scope: Scope) -> Place;
    /// The events that get an entry.
    fn wired(&self, wiring: &Wiring) -> Vec<&'static Event>;
    /// The text of the hook file with our entries in it. `current` is its text now, `None` when there is no file.
    /// What is not ours stays byte for byte; a text that holds our entries already is given back as it is.
    ///
    /// # Errors
    /// When the text cannot be read, or something stands where our entries have to go.
    fn plan(&self, current: Option<&str>, wiring: &Wiring) -> Result<String, EditError>;
    /// The text without our entries: the first bytes when nothing else has changed. `None`: nothing is left that
    /// [`Install::plan`] did not make, so the file goes.
    ///
    /// # Errors
    /// When the text cannot be read.
    fn remove(&self, current: &str) -> Result<Option<String>, EditError>;
    /// The events that have an entry of ours, sorted.
    ///
    /// # Errors
    /// When the text cannot be read.
    fn found(&self, current: &str) -> Result<Vec<String>, EditError>;
    /// Whether a session that is running has to be started anew.
    fn restart(&self) -> bool;
    /// What there is to check of the host when it is wired.
    fn checkup(&self) -> &'static Checkup;
    /// What is left for a person to do, in the order to do it.
    fn steps(&self, scope: Scope) -> &'static [&'static str];
    /// How it is told rules of its own; `None` where that is not known.
    fn native(&self) -> Option<&dyn Native>;
}

/// Whose configuration is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's own.
    User,
    /// A project's, shared with others.
    Project,
}

/// Where a hook file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Environment variable that moves the folder, if it is set to an absolute path.
    pub variable: Option<&'static str>,
    /// Folder below `$XDG_CONFIG_HOME`, which counts where that is set to an absolute path and `variable` is not.
    pub config: Option<&'static str>,
    /// Folder, from the home folder or the project's root. It exists where the host was used before.
    pub folder: &'static str,
    /// File, from that folder.
    pub file: &'static str,
}

/// Which program the entries call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The user's installed copy.
    Installed {
        /// Absolute path of the binary.
        exe: String,
        /// Absolute path of the state folder.
        home: String,
    },
    /// Whatever each user of the project has: `~/.fourseam/bin/fourseam`, else `fourseam` on `PATH`.
    OfEachUser,
}

/// What the entries are made of. Settings of the policy are not part of it: an edited command loses the trust a host has
/// in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The program.
    pub program: Program,
    /// Also wire the gates that can ask, on a host where that makes it ask more (Cursor; `hosts.cursor.ask: native`).
    pub native_ask: bool,
}

/// A hook file that cannot be edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    /// What is wrong.
    pub what: String,
    /// Line and column from 1, where there is a place.
    pub at: Option<(usize, usize)>,
}

impl fmt::Display for EditError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(out, "line {line}, column {column}: {}", self.what),
            None => out.write_str(&self.what),
        }
    }
}

impl std::error::Error for EditError {}
