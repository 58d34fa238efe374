//! Shells that can be named on the command line.

use fourseam_core::action::Dialect;

/// A shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ShellName {
    /// sh, bash, zsh
    Bash,
    /// Windows PowerShell, pwsh
    Powershell,
    /// cmd.exe
    Cmd,
}

impl ShellName {
    /// Its language.
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Self::Bash => Dialect::Posix,
            Self::Powershell => Dialect::PowerShell,
            Self::Cmd => Dialect::Cmd,
        }
    }
}
