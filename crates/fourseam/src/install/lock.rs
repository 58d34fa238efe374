//! One run at a time changes configurations. The lock is let go when the process ends, also by a crash.

use crate::exit::Failure;
use crate::file::make_folder;
use crate::home::Home;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

/// How long a run waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// Held while files are changed.
pub(crate) struct Lock(#[expect(dead_code, reason = "closing the file lets the lock go")] File);

impl Lock {
    /// Waits for other runs and takes the lock.
    ///
    /// # Errors
    /// When another run holds it for too long, or its file cannot be made.
    pub(crate) fn take(home: &Home) -> Result<Self, Failure> {
        let path = home.backups().join("lock");
        let cannot = |error: std::io::Error| Failure::new(format!("cannot lock `{}`: {error}", path.display()));
        let end = Instant::now() + PATIENCE;
        loop {
            make_folder(&home.backups()).map_err(cannot)?;
            let options = OpenOptions::new()
                .write(true)
                .create(true)
                .mode(0o600)
                .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
                .clone();
            let file = options.open(&path).map_err(cannot)?;
            match file.try_lock() {
                // An uninstall may have taken the file away between opening and locking it.
                Ok(()) if is_at(&file, &path) => return Ok(Self(file)),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if Instant::now() > end => {
                    return Err(Failure::new("another `fourseam install` or `uninstall` is running")
                        .help("wait for it, or end it, and try again"));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(50)),
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
            }
        }
    }
}

fn is_at(file: &File, path: &std::path::Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |facts: std::fs::Metadata| (facts.dev(), facts.ino());
    file.metadata().ok().map(inode) == path.symlink_metadata().ok().map(inode)
}
