//! Which agents there are on this machine, and where the hook file of each is. Reads names only, no file.

use crate::exit::Failure;
use crate::hosts;
use crate::world;
use fourseam_hosts::install::{Place, Scope};
use fourseam_hosts::native::Native;
use fourseam_hosts::{HOSTS, Host};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// An agent and its hook file in a scope.
#[derive(Clone)]
pub(crate) struct Target {
    /// The agent.
    pub(crate) host: &'static dyn Host,
    /// Absolute path of the hook file, there or not.
    pub(crate) file: PathBuf,
    /// How the agent was found.
    pub(crate) seen: Seen,
}

/// How an agent was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Its program is on `PATH`, here.
    Program(PathBuf),
    /// Its folder is there.
    Folder,
    /// Not at all.
    No,
}

/// The folders that places are relative to.
pub(crate) struct Around {
    /// The user's home folder.
    pub(crate) home: PathBuf,
    /// Root of the project one stands in.
    project: PathBuf,
    /// Folders with programs.
    path: Vec<PathBuf>,
}

impl Around {
    /// As the environment says.
    ///
    /// # Errors
    /// When there is no home folder or no working directory.
    pub(crate) fn of_environment() -> Result<Self, Failure> {
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
        let cwd = std::env::current_dir()?;
        let project = cwd.to_str().and_then(world::project_root).map_or(cwd, PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        Ok(Self { home, project, path })
    }

    /// The agent and its hook file.
    ///
    /// # Errors
    /// When the project is the home folder: its files would be the user's own.
    pub(crate) fn target(&self, host: &'static dyn Host, scope: Scope) -> Result<Target, Failure> {
        let place = host.install().place(scope);
        let folder = match scope {
            Scope::User => self.folder_of(place),
            Scope::Project if self.project == self.home => {
                let shown = self.project.display();
                return Err(Failure::new(format!("`{shown}` is your home folder, not a project"))
                    .help("go to a project, or leave `--scope project` out"));
            }
            Scope::Project => self.project.join(place.folder),
        };
        Ok(Target { host, file: folder.join(place.file), seen: self.seen(host) })
    }

    /// Root of the project one stands in, or else the working directory.
    pub(crate) fn project(&self) -> &Path {
        &self.project
    }

    /// Whether one stands in a project: a repository that is not (around) the home folder.
    pub(crate) fn is_project(&self) -> bool {
        !self.home.starts_with(&self.project) && self.project.join(".git").symlink_metadata().is_ok()
    }

    /// The user's home folder.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The host's folder of the user.
    pub(crate) fn user_folder(&self, host: &dyn Host) -> PathBuf {
        self.folder_of(host.install().place(Scope::User))
    }

    /// The user's file with the host's own rules, there or not.
    pub(crate) fn native_file(&self, native: &dyn Native) -> PathBuf {
        let place = native.place();
        self.folder_of(place).join(place.file)
    }

    /// Whether a path is inside the project one stands in, and that is not (around) the home folder.
    pub(crate) fn is_in_project(&self, path: &Path) -> bool {
        path.starts_with(&self.project) && !self.home.starts_with(&self.project)
    }

    fn folder_of(&self, place: Place) -> PathBuf {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
        let config = || place.config.and_then(|folder| Some(absolute("XDG_CONFIG_HOME")?.join(folder)));
        place.variable.and_then(absolute).or_else(config).unwrap_or_else(|| self.home.join(place.folder))
    }

    fn seen(&self, host: &'static dyn Host) -> Seen {
        let install = host.install();
        let program =
            self.path.iter().flat_map(|folder| install.programs().iter().map(|name| folder.join(name))).find(|path| {
                path.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
            });
        match program {
            Some(path) => Seen::Program(path),
            // A project's folder says nothing: `.github` is in every other project.
            None if self.folder_of(install.place(Scope::User)).is_dir() => Seen::Folder,
            None => Seen::No,
        }
    }
}

/// The agents a user chose: those named, all, or else those that are found.
///
/// # Errors
/// When a name is unknown, or nothing is found.
pub(crate) fn chosen(names: &[String], all: bool, around: &Around) -> Result<Vec<&'static dyn Host>, Failure> {
    if all {
        return Ok(HOSTS.to_vec());
    }
    if names.is_empty() {
        let found: Vec<_> = HOSTS.iter().copied().filter(|host| around.seen(*host) != Seen::No).collect();
        if found.is_empty() {
            return Err(Failure::new("no agent was found: neither a program on `PATH` nor a configuration folder")
                .help(format!("name one: `fourseam install --host HOST`; known hosts: {}", hosts::ids())));
        }
        return Ok(found);
    }
    let mut chosen: Vec<&'static dyn Host> = Vec::new();
    for name in names {
        let host = hosts::named(name)?;
        if !chosen.iter().any(|known| known.id() == host.id()) {
            chosen.push(host);
        }
    }
    Ok(chosen)
}

/// The scope of this name, for the command line.
///
/// # Errors
/// When there is none of that name.
pub(crate) fn scope_named(name: &str) -> Result<Scope, String> {
    match name {
        "user" => Ok(Scope::User),
        "project" => Ok(Scope::Project),
        other => Err(format!("`{other}` is neither `user` nor `project`")),
    }
}
