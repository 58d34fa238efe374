//! `install` and `uninstall` on a machine of their own: a home folder with the files of all agents.

mod faults;
mod native;
pub(crate) mod person;
mod random;
mod whole;
mod wired;

use crate::run::{Output, run};
use fourseam_hosts::install::Scope;
use fourseam_hosts::{HOSTS, Host};
use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A home folder, and a project in it.
pub(crate) struct Machine {
    root: tempfile::TempDir,
    home: PathBuf,
    /// First on `PATH`.
    programs: PathBuf,
}

/// Everything in a folder: what it is, its mode, its bytes.
type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Machine {
    pub(crate) fn new() -> Self {
        Self::named("home")
    }

    /// With a home folder of this name.
    fn named(name: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let (home, programs) = (root.path().join(name), root.path().join("programs"));
        for folder in [&home.join("shop/.git"), &programs] {
            std::fs::create_dir_all(folder).unwrap();
        }
        Self { root, home, programs }
    }

    /// With a hook file of each agent, in the manner of `text`.
    fn with(text: impl Fn(&dyn Host) -> Option<String>) -> Self {
        let machine = Self::new();
        for host in HOSTS {
            if let Some(text) = text(*host) {
                machine.write(&machine.file(*host, Scope::User), &text);
            }
        }
        machine
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.home.join("shop")
    }

    pub(crate) fn write(&self, path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A program on `PATH`.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.programs.join(name);
        self.write(&path, &format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The hook file of an agent.
    pub(crate) fn file(&self, host: &dyn Host, scope: Scope) -> PathBuf {
        let place = host.install().place(scope);
        let folder = if scope == Scope::User { self.home.clone() } else { self.project() };
        folder.join(place.folder).join(place.file)
    }

    pub(crate) fn text(&self, host: &dyn Host) -> String {
        std::fs::read_to_string(self.file(host, Scope::User)).unwrap()
    }

    pub(crate) fn exe(&self) -> PathBuf {
        self.home.join(".fourseam/bin/fourseam")
    }

    /// A verb, with nothing in the environment but where things are.
    pub(crate) fn verb(&self, arguments: &[&str]) -> Command {
        self.verb_of(Path::new(env!("CARGO_BIN_EXE_fourseam")), arguments)
    }

    /// A verb of another copy of the program.
    fn verb_of(&self, exe: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(exe);
        let path = std::env::join_paths([&self.programs, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
        command.args(arguments).env_clear().env("HOME", &self.home).env("PATH", path).current_dir(self.project());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        run(&mut self.verb(arguments), b"")
    }

    /// As [`Machine::run`], where it has to succeed.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.exit, 0, "{arguments:?}: {output:?}");
        output.stdout
    }

    fn snapshot(&self) -> Snapshot {
        let mut all = Snapshot::new();
        collect(&self.home, &mut all);
        all
    }
}

fn collect(folder: &Path, all: &mut Snapshot) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let facts = path.symlink_metadata().unwrap();
        let bytes = if facts.is_symlink() {
            std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if facts.is_dir() {
            collect(&path, all);
            Vec::new()
        } else {
            std::fs::read(&path).unwrap()
        };
        all.insert(path, (facts.permissions().mode(), bytes));
    }
}

/// Says where two snapshots differ.
#[track_caller]
fn assert_same(before: &Snapshot, after: &Snapshot, label: &str) {
    for path in before.keys().chain(after.keys()) {
        let text = |snapshot: &Snapshot| {
            snapshot.get(path).map(|(mode, bytes)| format!("{mode:o} {}", String::from_utf8_lossy(bytes)))
        };
        assert_eq!(text(before), text(after), "{label}: {}", path.display());
    }
}

/// Moves a file elsewhere and leaves a link in its place, as those do who keep their dotfiles in a repository.
fn link_elsewhere(machine: &Machine, path: &Path) {
    let real = machine.home.join("dotfiles").join(path.strip_prefix(&machine.home).unwrap());
    std::fs::create_dir_all(real.parent().unwrap()).unwrap();
    std::fs::rename(path, &real).unwrap();
    symlink(&real, path).unwrap();
}

/// The hook file of an agent with hooks of others, in its host's form.
fn usual(host: &dyn Host) -> Option<String> {
    let event = host.default_event().name;
    Some(match host.id() {
        "opencode" => return None,
        "copilot-cli" => format!(
            "{{\n  \"version\": 1,\n  \"hooks\": {{\n    \"{event}\": [\n      {{ \"type\": \"command\", \"bash\": \"lint\" }}\n    ]\n  }}\n}}\n"
        ),
        "cursor" => {
            format!("{{\n  \"version\": 1,\n  \"hooks\": {{ \"{event}\": [ {{ \"command\": \"lint\" }} ] }}\n}}\n")
        }
        _ => format!(
            "{{\n  \"theme\": \"dark\",\n  \"hooks\": {{\n    \"{event}\": [\n      {{\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {{ \"type\": \"command\", \"command\": \"lint \\\"é\\\"\" }}\n        ]\n      }}\n    ],\n    \"Another\": []\n  }},\n  \"last\": [1.50, 2e3]\n}}\n"
        ),
    })
}

/// Plays Codex: lists one hook of ours, trusted when its hash is in the configuration.
const CODEX: &str = r#"
[ "$1" = app-server ] || exit 9
while read -r line; do
  case $line in
    *'"initialize"'*) echo '{"id":1,"result":{}}' ;;
    *'"hooks/list"'*)
      status=untrusted; grep -q 'sha256:aa' "$HOME/.codex/config.toml" 2>/dev/null && status=trusted
      printf '{"id":2,"result":{"data":[{"hooks":[{"key":"%s","currentHash":"sha256:aa","trustStatus":"%s","command":"%s"}]}]}}\n' \
        "$HOME/.codex/hooks.json:pre_tool_use:0:0" "$status" "/bin/sh -c ': fourseam 1; x'" ;;
  esac
done
"#;
