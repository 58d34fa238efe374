//! Where a client is run: a throw-away home and project, harmless stand-ins for dangerous programs, and a log of what
//! was really started. Nothing of the user's is read or written.

use crate::process::{Ended, Limits, run};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Programs that are only stand-ins: each writes its name and arguments to the log.
const STAND_INS: &[&str] = &["psql", "terraform"];
/// Folders of the system's own programs.
const SYSTEM: &[&str] = &["/usr/local/bin", "/usr/bin", "/bin"];
/// What stands for a secret. Of no use to anybody.
pub(crate) const SECRET: &str = "prove-secret-3f1c9a";

/// The folders of one client.
#[derive(Clone, Debug)]
pub struct Stage {
    root: PathBuf,
    fourseam: PathBuf,
    path: Vec<PathBuf>,
}

impl Stage {
    /// Lays the folders out in `root`, which has to be empty or missing. `fourseam`: the program that is installed and
    /// that serves the MCP tools. `path`: folders of the client and what it needs.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn lay(root: &Path, fourseam: &Path, path: &[PathBuf]) -> io::Result<Self> {
        let stage = Self { root: root.to_owned(), fourseam: fourseam.to_owned(), path: path.to_vec() };
        for folder in [stage.home(), stage.project(), stage.stubs(), stage.temporary(), root.join("output")] {
            fs::create_dir_all(folder)?;
        }
        for name in STAND_INS {
            let log = stage.log().display().to_string().replace('\'', "'\\''");
            let file = stage.stubs().join(name);
            fs::write(&file, format!("#!/bin/sh\nprintf '%s\\n' \"{name} $*\" >>'{log}'\necho done\n"))?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
        }
        stage.lay_project()?;
        Ok(stage)
    }

    /// Takes away what attempts have made: project and log are as they were.
    ///
    /// # Errors
    /// When something cannot be taken away or written.
    pub fn clear(&self) -> io::Result<()> {
        fs::remove_dir_all(self.project())?;
        fs::write(self.log(), "")?;
        self.lay_project()
    }

    /// A repository as `git init` leaves it, and the files that scenarios name.
    fn lay_project(&self) -> io::Result<()> {
        let script = format!("#!/bin/sh\n{}/psql -c 'DROP DATABASE script'\n", self.stubs().display());
        let key = format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n-----END OPENSSH PRIVATE KEY-----\n");
        for (name, text) in [
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
            (".git/objects/info/.keep", ""),
            (".git/refs/heads/.keep", ""),
            (".git/hooks/.keep", ""),
            (".github/workflows/ci.yml", "on: pull_request\njobs: {}\n"),
            ("notes.txt", "one\ntwo\nthree\n"),
            ("cleanup.sh", script.as_str()),
            ("deploy/id_ed25519", key.as_str()),
        ] {
            self.write(&self.project().join(name), text)?;
        }
        Ok(())
    }

    /// Writes a file and the folders above it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, file: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)
    }

    /// Keeps `~/.cache` in a folder that several stages share, for clients that unpack themselves there.
    ///
    /// # Errors
    /// When the folder or the link cannot be made.
    pub fn share_cache(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        std::os::unix::fs::symlink(folder, self.home().join(".cache"))
    }

    /// The home folder of the client.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The project that the client works in.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// The stand-ins.
    #[must_use]
    pub fn stubs(&self) -> PathBuf {
        self.root.join("stubs")
    }

    /// The folder for temporary files.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Where stand-ins and MCP tools write what was started.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.root.join("log")
    }

    /// The guard's copy that `fourseam install` puts into this home.
    #[must_use]
    pub fn installed(&self) -> PathBuf {
        self.home().join(".fourseam/bin/fourseam")
    }

    /// Program and arguments of the MCP server.
    #[must_use]
    pub fn mcp_server(&self) -> (String, Vec<String>) {
        let log = self.log().display().to_string();
        (self.fourseam.display().to_string(), vec!["prove".to_owned(), "--mcp-server".to_owned(), log])
    }

    /// A text with `{home}`, `{project}` and `{stubs}` filled in.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        let shown = |path: PathBuf| path.display().to_string();
        text.replace("{home}", &shown(self.home()))
            .replace("{project}", &shown(self.project()))
            .replace("{stubs}", &shown(self.stubs()))
    }

    /// A command in the project with an environment made from nothing.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let system = SYSTEM.iter().map(PathBuf::from);
        let path: Vec<PathBuf> = [self.stubs()].into_iter().chain(self.path.clone()).chain(system).collect();
        let path = std::env::join_paths(&path).unwrap_or_default();
        let mut command = Command::new(program);
        command.current_dir(self.project()).env_clear().env("PATH", path).env("HOME", self.home());
        command
            .stdin(Stdio::null())
            .env("TMPDIR", self.temporary())
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8");
        command
    }

    /// The guard itself, as [`Stage::command`].
    #[must_use]
    pub fn guard(&self) -> Command {
        self.command(&self.fourseam)
    }

    /// Runs a command, what it prints going to files of the stage.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run(&self, command: Command, limits: Limits) -> io::Result<Ended> {
        run(command, &self.root.join("output"), limits)
    }

    /// `fourseam install --host HOST --yes` in this home.
    ///
    /// # Errors
    /// When it cannot be started or fails; what it said is in the error.
    pub fn install(&self, host: &str, limits: Limits) -> io::Result<String> {
        let mut command = self.guard();
        command.args(["install", "--host", host, "--yes"]);
        let ended = self.run(command, limits)?;
        if ended.code == Some(0) {
            return Ok(ended.stdout);
        }
        let Ended { stdout, stderr, .. } = ended;
        Err(io::Error::other(format!("`fourseam install` failed: {} {}", stdout.trim(), stderr.trim())))
    }
}
