//! Which program the hook entries call: the running one where it lives in a folder for programs, else a copy of it in
//! the state folder. Never one inside a project or a temporary folder, where anybody may put another in its place.

use super::Around;
use crate::exit::Failure;
use crate::file::make_folder;
use crate::home::Home;
use crate::nets;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Folders for programs of the system.
const SYSTEM: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// Folders that anybody may write to.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// The program that gets wired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// Absolute path of the program in the hook entries.
    pub(crate) exe: PathBuf,
    /// What is copied there; `None` when it is there.
    from: Option<PathBuf>,
}

impl Program {
    /// The program as it is to be wired.
    ///
    /// # Errors
    /// When the state folder is in a place that others can write to, or the running program is gone.
    pub(crate) fn decide(home: &Home, around: &Around) -> Result<Self, Failure> {
        check_home(home, around)?;
        let running = std::env::current_exe().and_then(|path| path.canonicalize()).map_err(|error| {
            Failure::new(format!("the running program cannot be found: {error}")).help("start it again")
        })?;
        let folder = running.parent().unwrap_or(Path::new("/"));
        if SYSTEM.iter().any(|system| folder == Path::new(system)) || cargo_folders(around).iter().any(|f| f == folder)
        {
            return Ok(Self { exe: running, from: None });
        }
        let exe = home.program();
        let same = exe.canonicalize().is_ok_and(|exe| exe == running) || same_bytes(&exe, &running);
        Ok(Self { exe, from: (!same).then_some(running) })
    }

    /// Whether the program has to be copied.
    pub(crate) fn is_copied(&self) -> bool {
        self.from.is_some()
    }

    /// Copies the program, if it has to be: whole or not at all, also over one that runs.
    ///
    /// # Errors
    /// When it cannot be written; then the old one is as it was.
    pub(crate) fn put(&self) -> io::Result<()> {
        let Some(from) = &self.from else { return Ok(()) };
        let folder = self.exe.parent().unwrap_or(Path::new("/"));
        make_folder(folder)?;
        super::edit::forget_halves(&self.exe);
        let half = folder.join(format!(".fourseam.fourseam-{}", std::process::id()));
        let copied = copy(from, &half).and_then(|()| std::fs::rename(&half, &self.exe));
        if copied.is_err() {
            let _ = std::fs::remove_file(&half);
        }
        copied
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = OpenOptions::new().write(true).create_new(true).mode(0o755).open(to)?;
    io::copy(&mut source, &mut target)?;
    nets::stop_at("copied");
    target.sync_all()
}

fn same_bytes(one: &Path, other: &Path) -> bool {
    let (Ok(a), Ok(b)) = (one.metadata(), other.metadata()) else { return false };
    if a.len() != b.len() || a.mode() & 0o100 == 0 {
        return false;
    }
    if (a.dev(), a.ino()) == (b.dev(), b.ino()) {
        return true;
    }
    let hash = |path: &Path| {
        let mut hasher = blake3::Hasher::new();
        io::copy(&mut File::open(path)?, &mut hasher).map(|_| hasher.finalize())
    };
    hash(one).ok().is_some_and(|one| hash(other).is_ok_and(|other| one == other))
}

fn cargo_folders(around: &Around) -> Vec<PathBuf> {
    let moved = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let moved = moved.filter(|folder| folder.is_absolute() && !is_temporary(folder) && !around.is_in_project(folder));
    moved.into_iter().chain([around.home.join(".cargo")]).map(|folder| folder.join("bin")).collect()
}

/// The state folder stands in every hook entry.
fn check_home(home: &Home, around: &Around) -> Result<(), Failure> {
    let path = home.path();
    let shown = path.display();
    let help = "unset `FOURSEAM_HOME`, or set it to a folder that only you can write to";
    if path.to_str().is_none_or(|path| path.chars().any(char::is_control)) {
        return Err(Failure::new(format!("the state folder `{shown}` is not plain text")).help(help));
    }
    if is_temporary(path) && !is_temporary(&around.home) {
        return Err(Failure::new(format!("the state folder `{shown}` is in a temporary folder")).help(help));
    }
    if around.is_in_project(path) {
        return Err(Failure::new(format!("the state folder `{shown}` is inside this project")).help(help));
    }
    Ok(())
}

fn is_temporary(path: &Path) -> bool {
    TEMPORARY.iter().any(|folder| path.starts_with(folder)) || path.starts_with(std::env::temp_dir())
}
