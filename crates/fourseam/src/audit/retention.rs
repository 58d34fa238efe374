//! How large and how old the log may grow, and which of its files are past that. Deletes nothing itself.

use super::Folder;
use super::files::{last_number, read_only, set_aside};
use super::rows::numbered;
use fourseam_core::policy::AuditFiles;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Longest first line that is looked at.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Limits of the log. Sizes in bytes, ages in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// A file of this size is set aside, and a new one begun.
    pub(crate) file_size: u64,
    /// So is a file of this age.
    pub(crate) file_age: u64,
    /// Files that were set aside go, the oldest first, when all together are larger.
    pub(crate) kept_size: u64,
    /// A file that was set aside goes when its last record is older.
    pub(crate) kept_age: u64,
}

impl Limits {
    /// Never sets aside, never deletes.
    pub(crate) const NONE: Self =
        Self { file_size: u64::MAX, file_age: u64::MAX, kept_size: u64::MAX, kept_age: u64::MAX };

    /// What a policy says.
    pub(crate) fn of(files: &AuditFiles) -> Self {
        let limit = |number: u32, unit: u64| if number == 0 { u64::MAX } else { u64::from(number) * unit };
        Self {
            file_size: limit(files.file_mib, 1024 * 1024),
            file_age: limit(files.file_days, 86_400),
            kept_size: limit(files.keep_mib, 1024 * 1024),
            kept_age: limit(files.keep_days, 86_400),
        }
    }

    /// Whether files that were set aside ever go.
    pub(super) fn take_away(&self) -> bool {
        self.kept_size < u64::MAX || self.kept_age < u64::MAX
    }

    /// Whether a file of this size and age is to be set aside. An empty one never is.
    pub(super) fn are_reached(&self, size: u64, age: u64) -> bool {
        size > 0 && (size >= self.file_size || age >= self.file_age)
    }
}

/// Files to take away: from the oldest up to the one that ends with record `last`.
pub(super) struct Old {
    pub(super) files: Vec<PathBuf>,
    pub(super) last: u64,
    /// Hash of the last line of these files, as the first line that stays names it.
    pub(super) hash: String,
}

/// The oldest files that are past the limits. The newest file that was set aside stays, so that there is a line that
/// names the last one that goes. `now`: seconds since 1970.
pub(super) fn find(folder: &Folder, limits: &Limits, now: u64) -> io::Result<Option<Old>> {
    let files = set_aside(folder)?;
    let mut sizes = Vec::new();
    let mut total = 0_u64;
    for path in &files {
        let facts = path.metadata()?;
        let changed = facts.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        total = total.saturating_add(facts.len());
        sizes.push((facts.len(), now.saturating_sub(changed)));
    }
    let mut count = 0;
    for (size, age) in sizes.iter().take(files.len().saturating_sub(1)) {
        if total <= limits.kept_size && *age < limits.kept_age {
            break;
        }
        total -= size;
        count += 1;
    }
    let mut files = files.into_iter();
    let gone: Vec<PathBuf> = files.by_ref().take(count).collect();
    let last = gone.last().and_then(|path| last_number(path));
    let (Some(last), Some(stays)) = (last, files.next()) else { return Ok(None) };
    // Where that line is damaged, nothing goes: what happened there is still to be looked at.
    Ok(first_prev(&stays)?.map(|hash| Old { files: gone, last, hash }))
}

/// The hash that the first line of a file names.
fn first_prev(path: &Path) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    BufReader::new(read_only(path)?.take(LONGEST)).read_until(b'\n', &mut line)?;
    Ok(numbered(&line).ok().map(|line| line.prev.into_owned()))
}
