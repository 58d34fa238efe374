//! Reading and writing files without surprises: regular files only, bounded, never waiting, never half written.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a file must have lain still before [`read_still`] believes it.
const STILL: Duration = Duration::from_millis(40);
/// How long [`read_still`] waits for that.
const PATIENCE: Duration = Duration::from_millis(250);

/// The bytes of a regular file of at most `limit` bytes. Links are followed.
///
/// # Errors
/// When it is no regular file, larger, or cannot be read. A pipe or device in its place is an error, not a wait.
pub(crate) fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    read_open(&open(path)?, limit)
}

/// As [`read_text`], of a file that someone may be writing just now: who empties a file and writes it anew shows half of
/// it for a moment. Costs nothing unless the file changed within the last [`STILL`].
///
/// # Errors
/// As [`read_text`], and when it is changed all the time.
pub(crate) fn read_still(path: &Path, limit: usize) -> io::Result<String> {
    let end = Instant::now() + PATIENCE;
    loop {
        let file = open(path)?;
        let before = file.metadata()?;
        let text = into_text(read_open(&file, limit)?);
        let after = file.metadata()?;
        let facts = |facts: &Metadata| (facts.len(), facts.ctime(), facts.ctime_nsec());
        if facts(&before) == facts(&after) && lay_still(&after) {
            if after.len() > 0 {
                return text;
            }
            // Who empties a file takes its length away first, and a moment later sets the time of that change.
            std::thread::sleep(STILL / 4);
            if facts(&file.metadata()?) == facts(&after) {
                return text;
            }
        }
        if Instant::now() >= end {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "it is being written all the time"));
        }
        std::thread::sleep(STILL / 4);
    }
}

/// By the time of its last change, which no program can set. One in the future says nothing, unless it is that of a clock
/// which is a little ahead.
fn lay_still(facts: &Metadata) -> bool {
    let seconds = u64::try_from(facts.ctime()).unwrap_or_default();
    let changed = Duration::new(seconds, u32::try_from(facts.ctime_nsec()).unwrap_or_default());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    match now.checked_sub(changed) {
        Some(age) => age >= STILL,
        None => changed.saturating_sub(now) > PATIENCE,
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

/// As [`read`], for text.
pub(crate) fn read_text(path: &Path, limit: usize) -> io::Result<String> {
    into_text(read(path, limit)?)
}

fn into_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "not UTF-8 text"))
}

/// As [`read`], of a file that is open.
pub(crate) fn read_open(file: &File, limit: usize) -> io::Result<Vec<u8>> {
    let facts = regular(file)?;
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, format!("larger than {limit} bytes"));
    let length = usize::try_from(facts.len()).ok().filter(|length| *length <= limit).ok_or_else(too_large)?;
    let mut bytes = Vec::with_capacity(length + 1);
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit { Err(too_large()) } else { Ok(bytes) }
}

/// The facts of a file that is open.
///
/// # Errors
/// When it is a folder, a pipe, a device.
pub(crate) fn regular(file: &File) -> io::Result<Metadata> {
    let facts = file.metadata()?;
    if facts.is_file() { Ok(facts) } else { Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")) }
}

/// Whether an error says that there is no such file.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// BLAKE3 of a regular file of at most `limit` bytes, as hex, read piece by piece.
///
/// # Errors
/// As [`read`].
pub(crate) fn hash(path: &Path, limit: u64) -> io::Result<String> {
    let file = open(path)?;
    regular(&file)?;
    let mut hasher = blake3::Hasher::new();
    let copied = io::copy(&mut file.take(limit + 1), &mut hasher)?;
    if copied > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("larger than {limit} bytes")));
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Puts bytes in place of a file, whole or not at all, readable by the user only. Its folder is made if missing.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    make_folder(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // In a container every run may have the same number, so that what a killed one left behind would be in the way.
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let half = folder.join(format!(".{name}.{}-{nanos}", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&half)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&half, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&half);
    }
    written
}

/// Takes a file away, if it is there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Makes a folder, and those above it, that only the user can enter.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
