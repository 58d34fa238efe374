//! Where a check looks: files of the host's folder, of the project, of the machine.

use super::Patient;
use crate::file;
use fourseam_hosts::checkup::Root;
use std::path::{Path, PathBuf};

/// Largest settings file that is read.
const LARGEST: usize = 8 * 1024 * 1024;

impl Patient<'_> {
    /// The host's folder of the user.
    pub(super) fn folder(&self) -> PathBuf {
        self.around.user_folder(self.host())
    }

    /// A file of a place.
    pub(super) fn at(&self, root: Root, file: &str) -> PathBuf {
        match root {
            Root::User => self.folder().join(file),
            Root::Project => self.around.project().join(file),
            Root::Machine => PathBuf::from(file),
        }
    }
}

/// The text of a file, if it is there and can be read.
pub(super) fn text(path: &Path) -> Option<String> {
    file::read_text(path, LARGEST).ok()
}

/// A path as a word of a command.
pub(super) fn word(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// The command that lets a person change a file.
pub(super) fn edit(path: &Path) -> String {
    format!("\"${{EDITOR:-vi}}\" {}", word(path))
}
