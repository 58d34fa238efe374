//! Facts of a git repository, read from its files. Runs nothing of it: no hook, filter, file system monitor.

use super::index::{Entry, Index};
use crate::file;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Largest `HEAD`, `commondir` or reference file that is read.
const SMALL: usize = 4096;
/// Largest `config` that is read.
const CONFIG: usize = 256 * 1024;
/// Largest index that is read; it holds some 80,000 files.
const INDEX: usize = 8 * 1024 * 1024;
/// Files that are looked at to say whether a folder can be brought back.
const FILES: usize = 5000;
/// Folders inside each other.
const DEPTH: usize = 64;

/// One repository.
pub(super) struct Git {
    root: PathBuf,
    /// Of this work tree: `HEAD`, `index`.
    folder: PathBuf,
    /// Shared by all work trees: references, `config`.
    common: PathBuf,
}

impl Git {
    /// The repository whose work tree is `root`. `None` when its `.git` is not one.
    pub(super) fn open(root: &Path) -> Option<Self> {
        let dot_git = root.join(".git");
        let folder = if dot_git.is_dir() {
            dot_git
        } else {
            let text = file::read_text(&dot_git, SMALL).ok()?;
            root.join(text.strip_prefix("gitdir:")?.trim())
        };
        let common = match file::read_text(&folder.join("commondir"), SMALL) {
            Ok(text) => folder.join(text.trim()),
            Err(_) => folder.clone(),
        };
        folder.join("HEAD").is_file().then(|| Self { root: root.to_owned(), folder, common })
    }

    /// The work tree.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The current branch. `None`: detached or not known.
    pub(super) fn branch(&self) -> Option<String> {
        let head = file::read_text(&self.folder.join("HEAD"), SMALL).ok()?;
        head.strip_prefix("ref: refs/heads/").map(|branch| branch.trim_end().to_owned())
    }

    /// The default branch of the remote, as the last clone or `git remote set-head` noted it.
    pub(super) fn default_branch(&self) -> Option<String> {
        let remotes = self.common.join("refs/remotes");
        let noted = |remote: &Path| {
            let name = remote.file_name()?.to_str()?;
            let text = file::read_text(&remote.join("HEAD"), SMALL).ok()?;
            let branch = text.strip_prefix("ref: refs/remotes/")?.strip_prefix(name)?.strip_prefix('/')?;
            Some(branch.trim_end().to_owned())
        };
        noted(&remotes.join("origin")).or_else(|| {
            let mut others = std::fs::read_dir(&remotes).ok()?.flatten();
            let (only, second) = (others.next()?, others.next());
            if second.is_none() { noted(&only.path()) } else { None }
        })
    }

    /// Whether everything at `path` is tracked and unchanged. `None`: not known.
    pub(super) fn restorable(&self, path: &Path) -> Option<bool> {
        let inside = path.strip_prefix(&self.root).ok()?;
        if inside.starts_with(".git") || inside.as_os_str().is_empty() {
            return Some(false);
        }
        let facts = path.symlink_metadata().ok()?;
        let tracked = self.tracked(inside)?;
        if !facts.is_dir() {
            return tracked.get(inside.as_os_str().as_bytes()).map_or(Some(false), |entry| entry.unchanged(&facts));
        }
        let mut left = FILES;
        self.folder_restorable(path, &tracked, &mut left, DEPTH)
    }

    fn folder_restorable(
        &self,
        folder: &Path,
        tracked: &BTreeMap<Vec<u8>, Entry>,
        left: &mut usize,
        depth: usize,
    ) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let mut all = Some(true);
        for entry in std::fs::read_dir(folder).ok()? {
            let entry = entry.ok()?;
            *left = left.checked_sub(1)?;
            let path = entry.path();
            let facts = path.symlink_metadata().ok()?;
            let unchanged = if entry.file_name() == OsStr::new(".git") {
                // A repository of its own: its history is not in this one.
                Some(false)
            } else if facts.is_dir() {
                self.folder_restorable(&path, tracked, left, depth)
            } else {
                let inside = path.strip_prefix(&self.root).ok()?;
                tracked.get(inside.as_os_str().as_bytes()).map_or(Some(false), |entry| entry.unchanged(&facts))
            };
            match unchanged {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// What the index has at or below a path.
    fn tracked(&self, inside: &Path) -> Option<BTreeMap<Vec<u8>, Entry>> {
        // Hashes of another length shift every field.
        let config = file::read_text(&self.common.join("config"), CONFIG).ok()?;
        if config.to_ascii_lowercase().contains("objectformat") {
            return None;
        }
        let path = self.folder.join("index");
        let written = path.metadata().ok()?;
        let bytes = file::read(&path, INDEX).ok()?;
        Index::new(&bytes, &written)?.below(inside.as_os_str().as_bytes())
    }
}
