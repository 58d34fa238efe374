//! Finds and reads the files of the layers. Compiles nothing.

use super::trust;
use crate::file;
use crate::home::Home;
use crate::world;
use fourseam_core::policy::{Layer, Source};
use std::path::{Path, PathBuf};

/// The organisation's policy.
const ORGANISATION: &str = "/etc/fourseam/policy.yaml";
/// Name of a project's policy.
pub(crate) const PROJECT: &str = ".fourseam.yaml";
/// Name of a project's policy in plain words, for the judge.
pub(crate) const PROJECT_WORDS: &str = ".fourseam.md";
/// Largest policy of an organisation or user that is read.
const LARGEST: usize = 2 * 1024 * 1024;
/// Largest policy of a project that is read.
const LARGEST_OF_PROJECT: usize = 64 * 1024;

/// A file of a layer that is there.
pub(crate) struct LayerFile {
    pub(super) layer: Layer,
    /// Its path, for messages.
    pub(crate) name: String,
    /// Its text; empty when it could not be read.
    pub(crate) text: String,
    /// Whether the user has trusted exactly this text; matters for a project's only.
    pub(super) trusted: bool,
    /// Why it could not be read.
    pub(super) unreadable: Option<String>,
    /// Why the list of trusted projects could not be read, where it was asked.
    pub(super) trust_damaged: Option<String>,
}

impl LayerFile {
    /// The file at a path; `None` when there is none.
    pub(crate) fn read(layer: Layer, path: &Path) -> Option<Self> {
        let name = path.display().to_string();
        let limit = if layer == Layer::Project { LARGEST_OF_PROJECT } else { LARGEST };
        let (text, unreadable) = match file::read_still(path, limit) {
            Ok(text) => (text, None),
            Err(error) if file::is_missing(&error) => return None,
            Err(error) => (String::new(), Some(error.to_string())),
        };
        Some(Self { layer, name, text, trusted: false, unreadable, trust_damaged: None })
    }

    /// A project's file at a path, with the trust that the user of this state folder has in it.
    pub(crate) fn read_project(path: &Path, home: Option<&Home>) -> Option<Self> {
        let mut file = Self::read(Layer::Project, path)?;
        match home.map(|home| trust::is_trusted(home, path, &file.text)) {
            Some(Ok(trusted)) => file.trusted = trusted,
            Some(Err(error)) => file.trust_damaged = Some(error.to_string()),
            None => {}
        }
        Some(file)
    }

    /// Whether the user has trusted exactly this text.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trusted
    }

    /// Why it cannot be read, if so.
    pub(crate) fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// For the compiler, as if the user trusted it.
    pub(crate) fn as_if_trusted(&self) -> Source<'_> {
        Source { trusted: true, ..self.source() }
    }

    /// For the compiler.
    pub(crate) fn source(&self) -> Source<'_> {
        Source { layer: self.layer, file: &self.name, text: &self.text, trusted: self.trusted }
    }
}

/// Whether the organisation has a policy here.
pub(super) fn has_organisation() -> bool {
    Path::new(ORGANISATION).symlink_metadata().is_ok()
}

/// The organisation's and the user's files.
pub(super) fn of_people(home: Option<&Home>) -> Vec<LayerFile> {
    let organisation = LayerFile::read(Layer::Organisation, Path::new(ORGANISATION));
    let user = home.and_then(|home| LayerFile::read(Layer::User, &home.policy()));
    organisation.into_iter().chain(user).collect()
}

/// The project's file: the nearest from `cwd` upward to the root of the repository; outside of one, in `cwd` only.
pub(crate) fn of_project(cwd: &str, home: Option<&Home>) -> Option<LayerFile> {
    nearest(cwd, PROJECT, home)
}

/// The project's policy in plain words, found as [`of_project`] is.
pub(crate) fn words_of_project(cwd: &str, home: Option<&Home>) -> Option<LayerFile> {
    nearest(cwd, PROJECT_WORDS, home)
}

fn nearest(cwd: &str, name: &str, home: Option<&Home>) -> Option<LayerFile> {
    let cwd = Path::new(cwd);
    if !cwd.is_absolute() {
        return None;
    }
    let top = world::project_root(cwd.to_str()?).map_or(cwd.to_owned(), PathBuf::from);
    cwd.ancestors()
        .take_while(|folder| folder.starts_with(&top))
        .find_map(|folder| LayerFile::read_project(&folder.join(name), home))
}
