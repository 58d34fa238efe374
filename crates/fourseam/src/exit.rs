//! Exit codes of the verbs for people. The hook's own codes come from the host adapters.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// How a verb ended. The only place where exit codes are given numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Done; for `check`: nothing would be said, or it is allowed.
    Done,
    /// `lint`: warnings.
    Warnings,
    /// `check`: a person would be asked.
    Ask,
    /// `lint`: errors; `test`: cases that are not as written.
    Errors,
    /// `check`: it would be refused.
    Deny,
    /// The verb could not do its work.
    Failed,
    /// Nobody reads on: the reader of a pipe, such as `head`, has seen enough.
    Unheard,
}

impl Outcome {
    /// 0 done, 1 ask or warnings, 2 deny or errors, 3 failed; 141 as of a tool that SIGPIPE ends.
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Done => 0,
            Self::Ask | Self::Warnings => 1,
            Self::Deny | Self::Errors => 2,
            Self::Failed => 3,
            Self::Unheard => 141,
        })
    }
}

/// Why a verb could not do its work: what, where, and what next.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    help: Option<String>,
    /// Standard output was closed by who reads it.
    unheard: bool,
}

impl Failure {
    /// `what` is lower case, without a full stop, with the user's words in backticks.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), help: None, unheard: false }
    }

    /// How the verb ended. Tells the user why, unless there is nothing to tell.
    pub(crate) fn tell(&self) -> Outcome {
        if self.unheard {
            return Outcome::Unheard;
        }
        let _ = writeln!(anstream::stderr(), "{self}");
        Outcome::Failed
    }

    /// What went wrong, without the help.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Adds what the user can do next.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self { unheard: error.kind() == ErrorKind::BrokenPipe, ..Self::new(error.to_string()) }
    }
}
