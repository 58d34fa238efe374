//! Ways in which a file of state can be damaged.

use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// A way in which a file is not what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    Empty,
    Random,
    Half,
    Folder,
    Fifo,
    Loop,
    /// A gibibyte without content.
    Huge,
    /// Root reads it all the same.
    Forbidden,
}

impl Damage {
    pub(crate) const ALL: [Self; 8] =
        [Self::Empty, Self::Random, Self::Half, Self::Folder, Self::Fifo, Self::Loop, Self::Huge, Self::Forbidden];

    /// Whether it can be done here: nothing can be forbidden to root.
    pub(crate) fn is_possible(self) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "x").unwrap();
        self != Self::Forbidden || {
            self.to(&path);
            File::open(&path).is_err()
        }
    }

    /// Damages what is at a path.
    pub(crate) fn to(self, path: &Path) {
        let is_file = path.symlink_metadata().is_ok_and(|facts| facts.is_file());
        let bytes = if is_file { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
        if self != Self::Forbidden {
            remove(path);
        }
        match self {
            Self::Empty => std::fs::write(path, "").unwrap(),
            Self::Random => std::fs::write(path, noise(bytes.len().max(100))).unwrap(),
            Self::Half => std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap(),
            Self::Folder => std::fs::create_dir(path).unwrap(),
            Self::Fifo => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Self::Loop => symlink(path, path).unwrap(),
            Self::Huge => File::create(path).unwrap().set_len(1 << 30).unwrap(),
            Self::Forbidden => std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap(),
        }
    }
}

/// Takes away whatever is at a path.
pub(crate) fn remove(path: &Path) {
    let Ok(facts) = path.symlink_metadata() else { return };
    if facts.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
}

/// Bytes without any order, and not UTF-8.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    let mut bytes: Vec<u8> = (0..length).map(next).collect();
    bytes[0] = 0xff;
    bytes
}
