//! The end of the log on one line, to be kept where no program of the user can write.

use super::Folder;
use super::chain;
use super::files::Lines;
use super::rows::numbered;
use crate::clock;
use crate::home::Home;
use fourseam_core::record::{Link, hash};
use std::fmt;
use std::str::FromStr;

/// How the line begins; the number is that of its form.
const FORM: &str = "fourseam-head-1";

/// The end of the log at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptHead {
    /// When it was printed.
    pub(crate) time: String,
    /// Number of the last record; 0 for an empty log.
    pub(crate) seq: u64,
    /// Hash of the last line, as the next one would name it.
    pub(crate) hash: String,
}

impl KeptHead {
    /// The end of the log as it is.
    ///
    /// # Errors
    /// When it cannot be read, or is not the one that the head of the log names.
    pub(crate) fn now(home: &Home) -> Result<Self, String> {
        let folder = Folder::of(home);
        let lock = super::lock_to_read(&folder);
        let head = chain::read_head(&folder);
        let mut lines = Lines::newest(&folder).map_err(|error| error.to_string())?;
        drop(lock);
        let mut end: Option<Link> = None;
        while let Some(line) = lines.next() {
            let line = line.map_err(|(file, error)| format!("`{}` cannot be read: {error}", file.display()))?;
            let seq = numbered(line.bytes).ok().map(|line| line.seq + 1);
            let seq = seq.or(end.as_ref().map(|end| end.seq)).unwrap_or(1);
            end = Some(Link { seq, prev: hash(line.bytes) });
        }
        let end = end.unwrap_or_else(Link::first);
        if head.is_some_and(|head| head.next != end) {
            return Err("its end is not the one that its head names".to_owned());
        }
        Ok(Self { time: clock::now(), seq: end.seq.saturating_sub(1), hash: end.prev })
    }
}

impl fmt::Display for KeptHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FORM} {} {} {}", self.time, self.seq, self.hash)
    }
}

impl FromStr for KeptHead {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let wrong = || format!("`{line}` is no line of `fourseam audit head`");
        let [FORM, time, seq, hash] = words.as_slice() else { return Err(wrong()) };
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let seq = seq.parse().ok().filter(|_| is_hash).ok_or_else(wrong)?;
        Ok(Self { time: (*time).to_owned(), seq, hash: hash.to_ascii_lowercase() })
    }
}
