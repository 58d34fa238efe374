//! What was written where, so that it can be undone: `backups/ledger.json`, and a backup of the bytes before each change.
//! A convenience: without it, our entries are still found and taken out, by their own mark.

use super::edit::{self, Edit};
use crate::clock;
use crate::exit::Failure;
use crate::file;
use crate::home::Home;
use fourseam_hosts::install::EditError;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Largest ledger and backup that are read.
const LARGEST: usize = 8 * 1024 * 1024;
/// Form of the file.
const VERSION: u32 = 1;

/// Every file of another program that holds something of ours.
pub(crate) struct Ledger {
    folder: PathBuf,
    stored: Stored,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    files: Vec<Entry>,
}

/// One of these files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Id of the agent.
    pub(crate) host: String,
    /// What of ours is in it.
    pub(crate) part: Part,
    /// Absolute path.
    pub(crate) path: PathBuf,
    /// What was there before anything of ours.
    before: Before,
    /// Hashes of what we wrote: one, or two while a change is under way.
    written: Vec<String>,
    /// Folders that were made for it, outermost first.
    folders: Vec<PathBuf>,
    /// Backups of its bytes before each change, oldest first.
    backups: Vec<String>,
    /// The rules of ours in it, in the host's words: both those of before and of after, while a change is under way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<String>,
}

/// Something of ours that is put into a file.
pub(crate) struct Change<'a> {
    /// Id of the agent.
    pub(crate) host: &'a str,
    /// What of ours it is.
    pub(crate) part: Part,
    /// The change of the file.
    pub(crate) edit: &'a Edit,
    /// There is nothing of ours in the file yet.
    pub(crate) clean: bool,
    /// The rules of ours that will be in it, where `part` is that.
    pub(crate) rules: &'a [String],
}

/// What of ours is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    /// Hook entries.
    Hooks,
    /// The host's trust in them.
    Trust,
    /// Rules of its own.
    Native,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Before {
    /// No file.
    Nothing,
    /// A file with the bytes of this backup.
    Backup(String),
    /// A file with something of ours in it already.
    Unknown,
}

impl Ledger {
    /// The ledger of a state folder; an empty one when there is none, or none that can be read.
    ///
    /// # Errors
    /// When a newer release wrote it.
    pub(crate) fn load(home: &Home) -> Result<Self, Failure> {
        let folder = home.backups();
        let text = file::read_text(&folder.join("ledger.json"), LARGEST).unwrap_or_default();
        let empty = Stored { version: VERSION, files: Vec::new() };
        let stored = serde_json::from_str(&text).unwrap_or(empty);
        if stored.version > VERSION {
            let shown = folder.display();
            return Err(Failure::new(format!("`{shown}/ledger.json` was written by a newer release of fourseam"))
                .help("use that release"));
        }
        Ok(Self { folder, stored })
    }

    /// Its entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.stored.files
    }

    /// Whether a file is in it.
    pub(crate) fn has(&self, host: &str, part: Part, path: &Path) -> bool {
        self.find(host, part, path).is_some()
    }

    /// The rules of ours in a file.
    pub(crate) fn rules(&self, host: &str, path: &Path) -> &[String] {
        let entry = self.find(host, Part::Native, path).and_then(|at| self.stored.files.get(at));
        entry.map(|entry| entry.rules.as_slice()).unwrap_or_default()
    }

    /// Puts something of ours into a file: backup, note, write.
    ///
    /// # Errors
    /// When something cannot be written; then the file is as it was.
    pub(crate) fn write(&mut self, change: &Change<'_>) -> io::Result<()> {
        let Change { host, part, edit, clean, rules } = *change;
        let after = edit.after.as_deref().map(hash).unwrap_or_default();
        let backup = edit.before.as_deref().map(|bytes| self.back_up(host, &edit.path, bytes)).transpose()?;
        let known = self.find(host, part, &edit.path);
        let mut entry = known.and_then(|at| self.stored.files.get(at)).cloned().unwrap_or_else(|| Entry {
            host: host.to_owned(),
            part,
            path: edit.path.clone(),
            before: Before::Unknown,
            written: Vec::new(),
            folders: Vec::new(),
            backups: Vec::new(),
            rules: Vec::new(),
        });
        let ours = edit.before.as_deref().is_some_and(|bytes| entry.written.contains(&hash(bytes)));
        if !ours {
            entry.before = match &backup {
                None => Before::Nothing,
                Some(name) if clean => Before::Backup(name.clone()),
                Some(_) => Before::Unknown,
            };
        }
        entry.folders.extend(edit.missing_folders());
        entry.backups.extend(backup);
        entry.written.push(after.clone());
        entry.rules.extend(rules.iter().cloned());
        match known.and_then(|at| self.stored.files.get_mut(at)) {
            Some(place) => *place = entry,
            None => self.stored.files.push(entry),
        }
        self.save()?;
        edit.write()?;
        if let Some(entry) = self.find(host, part, &edit.path).and_then(|at| self.stored.files.get_mut(at)) {
            entry.written = vec![after];
            entry.rules = rules.to_vec();
        }
        self.save()
    }

    /// The edit that takes our part out of a file with these bytes again: the first ones, if nothing else has changed;
    /// else what `take_out` leaves. `None` when there is nothing to do.
    ///
    /// # Errors
    /// Why the file cannot be edited.
    pub(crate) fn undo(
        &self,
        host: &str,
        part: Part,
        path: &Path,
        bytes: Vec<u8>,
        take_out: impl Fn(&str) -> Result<Option<String>, EditError>,
    ) -> Result<Option<Edit>, String> {
        let entry = self.find(host, part, path).and_then(|at| self.stored.files.get(at));
        let untouched = entry.filter(|entry| entry.written.contains(&hash(&bytes)));
        let after = match untouched.and_then(|_| self.first(host, part, path)) {
            Some(first) => first,
            None => {
                let text = std::str::from_utf8(&bytes).map_err(|_| "not UTF-8 text".to_owned())?;
                take_out(text).map_err(|error| error.to_string())?.map(String::into_bytes)
            }
        };
        let edit = Edit { path: path.to_owned(), before: Some(bytes), after };
        Ok(edit.changes().then_some(edit))
    }

    /// Writes what [`Ledger::undo`] gave, and forgets the file.
    ///
    /// # Errors
    /// When the file cannot be written; then it is as it was.
    pub(crate) fn take_out(&mut self, host: &str, part: Part, edit: &Edit) -> io::Result<()> {
        let first = self.first(host, part, &edit.path);
        if let Some(bytes) = edit.before.as_ref().filter(|_| first.as_ref() != Some(&edit.after)) {
            self.back_up(host, &edit.path, bytes)?;
        }
        edit.write()?;
        self.forget(host, part, &edit.path)
    }

    /// Forgets a file that holds nothing of ours any more: with its backups, where it is as it first was. Folders that
    /// were made for it go when they are empty.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub(crate) fn forget(&mut self, host: &str, part: Part, path: &Path) -> io::Result<()> {
        let first = self.first(host, part, path);
        let Some(at) = self.find(host, part, path) else { return Ok(()) };
        let entry = self.stored.files.remove(at);
        self.save()?;
        if first.is_some_and(|first| edit::read(path).is_ok_and(|now| now == first)) {
            for name in &entry.backups {
                let _ = std::fs::remove_file(self.folder.join(name));
            }
        }
        for folder in entry.folders.iter().rev() {
            // One that holds something by now stays.
            let _ = std::fs::remove_dir(folder);
        }
        Ok(())
    }

    /// What was there before anything of ours: bytes, or no file. `None` where that is not known.
    #[expect(clippy::option_option, reason = "not known, no file, bytes")]
    fn first(&self, host: &str, part: Part, path: &Path) -> Option<Option<Vec<u8>>> {
        match &self.find(host, part, path).and_then(|at| self.stored.files.get(at))?.before {
            Before::Nothing => Some(None),
            Before::Backup(name) => file::read(&self.folder.join(name), LARGEST).ok().map(Some),
            Before::Unknown => None,
        }
    }

    /// Takes away the ledger and its folder, when nothing is left in it.
    pub(crate) fn close(self) {
        if self.stored.files.is_empty() {
            let _ = std::fs::remove_file(self.folder.join("ledger.json"));
            let _ = std::fs::remove_file(self.folder.join("lock"));
            let _ = std::fs::remove_dir(&self.folder);
        }
    }

    /// The place of an entry among those of its file: what was put in last has to be taken out first.
    pub(crate) fn age(&self, host: &str, part: Part, path: &Path) -> Option<usize> {
        self.find(host, part, path)
    }

    fn find(&self, host: &str, part: Part, path: &Path) -> Option<usize> {
        self.stored.files.iter().position(|entry| entry.host == host && entry.part == part && entry.path == path)
    }

    /// Keeps bytes; the name tells when, whose and which file.
    fn back_up(&self, host: &str, path: &Path, bytes: &[u8]) -> io::Result<String> {
        file::make_folder(&self.folder)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let time: String = clock::now().chars().filter(|c| *c != ':').collect();
        for number in 0..1000 {
            let again = if number == 0 { String::new() } else { format!("-{number}") };
            let backup = format!("{time}-{host}-{name}{again}");
            let options = OpenOptions::new().write(true).create_new(true).mode(0o600).clone();
            match options.open(self.folder.join(&backup)) {
                Ok(mut file) => {
                    let written = file.write_all(bytes).and_then(|()| file.sync_all());
                    if written.is_err() {
                        let _ = std::fs::remove_file(self.folder.join(&backup));
                    }
                    return written.map(|()| backup);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    fn save(&self) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&self.stored)?;
        file::replace(&self.folder.join("ledger.json"), text.as_bytes())
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
