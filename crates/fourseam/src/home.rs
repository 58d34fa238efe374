//! Where fourseam keeps its own files. Names only; reading and writing is done by who needs a file.

use std::path::{Path, PathBuf};

/// The state folder, `~/.fourseam` unless told otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Home(PathBuf);

impl Home {
    /// For calls by hand: `FOURSEAM_HOME`, else `~/.fourseam`. `None` when neither is an absolute path.
    pub(crate) fn of_environment() -> Option<Self> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute("FOURSEAM_HOME").or_else(|| absolute("HOME").map(|home| home.join(".fourseam"))).map(Self)
    }

    /// The folder that `install` wrote into the hook command. `None` when it is not absolute: a relative one
    /// would be another folder in every project.
    pub(crate) fn at(path: impl Into<PathBuf>) -> Option<Self> {
        let path = path.into();
        path.is_absolute().then_some(Self(path))
    }

    /// Whether it is there. Only a hook call and `install` make it; a call by hand leaves nothing behind.
    pub(crate) fn exists(&self) -> bool {
        self.0.is_dir()
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The installed copy of the program.
    pub(crate) fn program(&self) -> PathBuf {
        self.0.join("bin/fourseam")
    }

    /// Other programs' files before `install` changed them, and what it changed.
    pub(crate) fn backups(&self) -> PathBuf {
        self.0.join("backups")
    }

    /// The mode that `fourseam mode` switched to.
    pub(crate) fn mode(&self) -> PathBuf {
        self.0.join("mode")
    }

    /// When the pause of `fourseam pause` ends.
    pub(crate) fn pause(&self) -> PathBuf {
        self.grants().join("pause")
    }

    /// What a person lets pass, and what waits for that.
    pub(crate) fn grants(&self) -> PathBuf {
        self.0.join("grants")
    }

    /// What is remembered of sessions.
    pub(crate) fn sessions(&self) -> PathBuf {
        self.0.join("sessions")
    }

    /// The project policies that the user has trusted.
    pub(crate) fn trust(&self) -> PathBuf {
        self.0.join("trust.json")
    }

    /// The user's policy.
    pub(crate) fn policy(&self) -> PathBuf {
        self.0.join("policy.yaml")
    }

    /// Compiled policies and other conveniences.
    pub(crate) fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    /// The audit log, its chain head and spool.
    pub(crate) fn audit(&self) -> PathBuf {
        self.0.join("audit")
    }

    /// The mode and `on_error` last loaded, for the tail of the hook command and for the nets.
    pub(crate) fn state(&self) -> PathBuf {
        self.0.join(fourseam_hosts::install::STATE_FILE)
    }
}
