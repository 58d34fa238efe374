//! A client on this machine: where it is and which version.

use crate::process::Limits;
use crate::stage::Stage;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// An installed client.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// Folders that have to be on `PATH` for it: its own, and that of the `node` it may need.
    pub path: Vec<PathBuf>,
}

impl Program {
    /// The first of these names in the folders of `search`.
    #[must_use]
    pub fn find(names: &[&str], search: &[PathBuf]) -> Option<Self> {
        let find = |name: &str| search.iter().map(|folder| folder.join(name)).find(|file| is_program(file));
        let file = names.iter().find_map(|name| find(name))?;
        let folder = |file: &Path| file.parent().map(Path::to_owned);
        let path = [folder(&file), find("node").as_deref().and_then(folder)].into_iter().flatten().collect();
        Some(Self { file, path })
    }

    /// What `--version` says, reduced to the number.
    #[must_use]
    pub fn version(&self, stage: &Stage, limits: Limits) -> Option<String> {
        let mut command = stage.command(&self.file);
        command.arg("--version");
        version_in(&stage.run(command, limits).ok()?.stdout)
    }
}

/// The first word of a text that is a version number.
fn version_in(text: &str) -> Option<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| c == 'v' || c == '.' || c == ','));
    words.filter(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned).next()
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_are_found_in_what_clients_print() {
        for (text, version) in [
            ("2.1.332 (Claude Code)\n", Some("2.1.332")),
            ("codex-cli 0.171.0\n", Some("0.171.0")),
            ("GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check.\n", Some("1.0.102")),
            ("no number\n", None),
        ] {
            assert_eq!(version_in(text).as_deref(), version, "{text}");
        }
    }
}
