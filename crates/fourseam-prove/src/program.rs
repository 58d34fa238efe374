//! A client on this machine: where it is and which version.

use crate::process::Limits;
use crate::stage::Stage;
use fourseam_hosts::proof;
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
        proof::version_in(&stage.run(command, limits).ok()?.stdout)
    }
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}
