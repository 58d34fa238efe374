//! What is remembered of a session, on disk: one bounded file a session, only the user can read it. What it means is
//! the core's business.
//!
//! A line is `[seconds, entry]`. Each call adds its lines in one write, so that calls at once lose nothing; a line that
//! cannot be read counts as none. A file past its bound becomes the older of two, and the older one goes.

mod call;

pub(crate) use call::{Remembered, ran};

use crate::home::Home;
use crate::{clock, file};
use fourseam_core::action::HookCall;
use fourseam_core::past::{Entry, Past};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes after which a file becomes the older one.
const ROTATE_AT: u64 = 64 * 1024;
/// Largest file that is read.
const LARGEST: usize = 1024 * 1024;
/// Files of sessions that are kept.
const MOST_FILES: usize = 512;
/// How long a session is remembered after its last line.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long a refusal or question counts as one of a moment ago, in seconds.
const MOMENT: u64 = 3600;

/// The memory of one session.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    newer: PathBuf,
    older: PathBuf,
}

impl Session {
    /// The session that a call belongs to, if it has one.
    pub(crate) fn of(home: &Home, call: &HookCall) -> Option<Self> {
        let session = call.session.as_deref()?;
        let name = blake3::hash(format!("{}\0{session}", call.host).as_bytes()).to_hex();
        let name = name.get(..32)?;
        let folder = home.sessions();
        Some(Self { newer: folder.join(format!("{name}.jsonl")), older: folder.join(format!("{name}.old")) })
    }

    /// What is remembered. Whatever is wrong with a file or line, it is as if it were not there.
    pub(crate) fn past(&self) -> Past {
        self.recall().0
    }

    /// As [`Session::past`], with what is wrong, in words.
    pub(crate) fn recall(&self) -> (Past, Vec<String>) {
        let now = clock::seconds();
        let (mut past, mut troubles) = (Past::default(), Vec::new());
        for path in [&self.older, &self.newer] {
            let mut trouble = |why: String| troubles.push(format!("session memory `{}` {why}", path.display()));
            let bytes = match file::read(path, LARGEST) {
                Ok(bytes) => bytes,
                Err(error) => {
                    if !file::is_missing(&error) {
                        trouble(format!("cannot be read, so what came before is not known: {error}"));
                    }
                    continue;
                }
            };
            let mut bad = 0;
            for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let Ok((at, entry)) = serde_json::from_slice::<(u64, Entry)>(line) else {
                    bad += 1;
                    continue;
                };
                let is_old = now.saturating_sub(at) > MOMENT;
                if !(is_old && matches!(entry, Entry::Refused(_) | Entry::Asked(_))) {
                    past.add(entry);
                }
            }
            if bad > 0 {
                trouble(format!("has {bad} damaged lines, which are left out"));
            }
        }
        (past, troubles)
    }

    /// Whether a text stands anywhere in the files: a quick look before they are read.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        let holds = |path: &PathBuf| {
            let bytes = file::read(path, LARGEST).unwrap_or_default();
            bytes.windows(text.len().max(1)).any(|part| part == text.as_bytes())
        };
        holds(&self.newer) || holds(&self.older)
    }

    /// Remembers entries.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn add(&self, entries: &[Entry]) -> io::Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let now = clock::seconds();
        // A line feed in front ends a line that a full disk or a crash left half written.
        let mut text = b"\n".to_vec();
        for entry in entries {
            serde_json::to_writer(&mut text, &(now, entry))?;
            text.push(b'\n');
        }
        let mut file = self.open()?;
        file.write_all(&text)?;
        let facts = file.metadata()?;
        if facts.len() > ROTATE_AT {
            self.rotate(&file, &facts)?;
        }
        Ok(())
    }

    fn open(&self) -> io::Result<File> {
        let mut how = OpenOptions::new();
        how.append(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
        let opened = match how.open(&self.newer) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Some(folder) = self.newer.parent() {
                    file::make_folder(folder)?;
                    tidy(folder);
                }
                how.create(true).open(&self.newer)
            }
            opened => opened,
        }?;
        file::regular(&opened).map(|_| opened)
    }

    /// Makes the file the older one. The lock is on the file itself, so that of two calls only one moves it.
    fn rotate(&self, file: &File, facts: &Metadata) -> io::Result<()> {
        if file.try_lock().is_err() {
            return Ok(());
        }
        let is_it = |there: Metadata| (there.dev(), there.ino()) == (facts.dev(), facts.ino());
        if self.newer.symlink_metadata().is_ok_and(is_it) {
            std::fs::rename(&self.newer, &self.older)?;
        }
        Ok(())
    }
}

/// Forgets sessions of long ago, and the oldest of too many. What cannot be removed stays.
fn tidy(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let age = |facts: &Metadata| facts.modified().ok().and_then(|then| then.elapsed().ok()).unwrap_or_default();
    let mut files: Vec<(Duration, PathBuf)> =
        entries.flatten().filter_map(|entry| Some((age(&entry.metadata().ok()?), entry.path()))).collect();
    files.sort();
    for (number, (age, path)) in files.iter().enumerate() {
        if *age > LONGEST || number >= MOST_FILES {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests;
