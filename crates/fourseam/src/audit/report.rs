//! What a check of the log found, and in which words a person is told.

use std::fmt;
use std::path::Path;
use std::rc::Rc;

/// What a check found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Files read.
    pub(crate) files: usize,
    /// Records read.
    pub(crate) records: u64,
    /// Numbers of the first and the last record.
    pub(crate) range: Option<(u64, u64)>,
    /// What is wrong, in the order of the log; at most [`Report::MOST`].
    pub(crate) findings: Vec<Finding>,
    /// Findings beyond those.
    pub(crate) more: usize,
    /// Records that wait to be put into the chain.
    pub(crate) waiting: usize,
}

/// Something that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What happened.
    pub(crate) fault: Fault,
    /// Where.
    pub(crate) place: Place,
    /// Numbers of the records it is about, first and last.
    pub(crate) records: Option<(u64, u64)>,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Its file.
    pub(crate) file: Rc<Path>,
    /// Its number in the file, from 1; 0 for the file as a whole.
    pub(crate) line: u64,
}

/// What can happen to a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The line is not the one that the next line or the head names.
    Changed,
    /// Records are missing before the line.
    Removed,
    /// Records are missing at the end of a file.
    Cut,
    /// The log begins later than it should.
    BeginningRemoved,
    /// A file is missing before this one; at the end of the log: this one.
    FileRemoved,
    /// The record stands behind later ones.
    Moved,
    /// There is an earlier line of this number.
    Repeated,
    /// A line that is no record, where nothing was written.
    Added,
    /// A line that is not whole, closed by the next call: a crash or a full disk.
    Torn,
    /// The head was lost; what was cut off before then is not known.
    HeadLost,
    /// There are lines that the head does not know: a crash, or lines added by hand.
    Behind,
    /// The log is not the one that a kept head names.
    OtherThanKept,
    /// A kept head is of records that retention took away.
    KeptTooOld,
    /// Records that waited to be put into the chain could not be read.
    SpoolDamaged(String),
    /// A file could not be read on.
    Unreadable(String),
}

impl Report {
    /// Findings that are told one by one.
    pub(super) const MOST: usize = 200;

    /// Whether something is wrong that no crash and no full disk does.
    pub(crate) fn is_tampered(&self) -> bool {
        self.more > 0 || self.findings.iter().any(|finding| !finding.fault.is_accident())
    }
}

impl Fault {
    /// Whether a crash or a full disk may do the same, so that it is only a warning.
    pub(crate) fn is_accident(&self) -> bool {
        match self {
            Self::Torn | Self::HeadLost | Self::Behind | Self::KeptTooOld | Self::SpoolDamaged(_) => true,
            Self::Changed
            | Self::Removed
            | Self::Cut
            | Self::BeginningRemoved
            | Self::FileRemoved
            | Self::Moved
            | Self::Repeated
            | Self::Added
            | Self::OtherThanKept
            | Self::Unreadable(_) => false,
        }
    }

    fn words(&self) -> &str {
        match self {
            Self::Changed => "the line was changed after it was written",
            Self::Removed => "missing before this line",
            Self::Cut => "missing after this line: the end was cut off",
            Self::BeginningRemoved => {
                "missing before this line, the first of the log: taken out, or their file removed"
            }
            Self::FileRemoved => "missing here: a file was removed",
            Self::Moved => "stands behind later ones: lines were put in another order",
            Self::Repeated => "is there twice: a line was added",
            Self::Added => "the line is no record: it was added",
            Self::Torn => "the line is torn: a crash or a full disk; the log went on after it",
            Self::HeadLost => "the head was lost: what was cut off before then cannot be seen",
            Self::Behind => "the head does not know these: a crash, or lines added by hand",
            Self::OtherThanKept => "not the record that the kept head names: the log was made anew or cut",
            Self::KeptTooOld => "older than what retention has kept: give a newer head",
            Self::SpoolDamaged(why) | Self::Unreadable(why) => why,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "`{}`", self.file.display()),
            line => write!(f, "`{}:{line}`", self.file.display()),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        match self.records {
            Some((first, last)) if first == last => write!(f, "record {first}: ")?,
            Some((first, last)) => write!(f, "records {first} to {last}: ")?,
            None => {}
        }
        f.write_str(self.fault.words())
    }
}
