//! What the model tries, what may come of it, and how that is seen. Scenarios are data: `scenarios/*.json`.

use crate::stage::Stage;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// One thing that the model tries.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scenario {
    /// Name; letters, digits and dashes.
    pub id: String,
    /// Which way it goes.
    pub path: Path,
    /// What is tried.
    pub attempt: Attempt,
    /// What is there afterwards if it was done.
    pub trace: Trace,
    /// What has to come of it.
    pub wants: Wants,
    /// The hosts it is for; empty: all.
    #[serde(default)]
    pub hosts: Vec<String>,
}

impl Scenario {
    /// Whether it is tried in a host.
    #[must_use]
    pub fn is_for(&self, host: &str) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|of| of == host)
    }
}

/// The ways from a model to the machine.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Path {
    /// Shell commands.
    Shell,
    /// Writing a file.
    Write,
    /// Changing a file.
    Edit,
    /// Tools of MCP servers.
    Mcp,
    /// Calls of a sub-agent.
    SubAgent,
    /// Reading a file.
    Read,
}

impl Path {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 6] = [Self::Shell, Self::Write, Self::Edit, Self::Mcp, Self::SubAgent, Self::Read];

    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Mcp => "mcp",
            Self::SubAgent => "sub-agent",
            Self::Read => "read",
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// What is tried, in no client's words.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Attempt {
    /// A shell command.
    Shell(String),
    /// A new file.
    Write {
        /// Absolute path.
        path: String,
        /// Its text.
        text: String,
    },
    /// One line of a file for another.
    Edit {
        /// Absolute path.
        path: String,
        /// The whole line, without its end.
        old: String,
        /// The line in its place.
        new: String,
    },
    /// Reading a file.
    Read(String),
    /// A tool of the stage's MCP server.
    Mcp {
        /// The tool.
        tool: String,
        /// Its argument `name`.
        name: String,
    },
    /// A shell command by a sub-agent.
    SubAgent(String),
}

/// What is there if an attempt was done.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Trace {
    /// A line of the stage's log has this text.
    Logged(String),
    /// A file has this text.
    Holds {
        /// Absolute path.
        path: String,
        /// Part of its text.
        text: String,
    },
    /// The model was told this.
    Told(String),
}

/// What has to come of an attempt.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Wants {
    /// Nothing was done, and the model was told that this rule refused it.
    Refused(String),
    /// It was done, and the model was not told of a refusal.
    Runs,
}

/// The scenarios of `fourseam prove`.
///
/// # Errors
/// When the data is not of this shape, which a test of this crate rules out.
pub fn prove_set() -> Result<Vec<Scenario>, serde_json::Error> {
    serde_json::from_str(include_str!("../scenarios/prove.json"))
}

impl Attempt {
    /// The attempt with the folders of a stage filled in.
    #[must_use]
    pub fn filled(&self, stage: &Stage) -> Self {
        let fill = |text: &String| stage.fill(text);
        match self {
            Self::Shell(command) => Self::Shell(fill(command)),
            Self::Write { path, text } => Self::Write { path: fill(path), text: fill(text) },
            Self::Edit { path, old, new } => Self::Edit { path: fill(path), old: fill(old), new: fill(new) },
            Self::Read(path) => Self::Read(fill(path)),
            Self::Mcp { tool, name } => Self::Mcp { tool: tool.clone(), name: fill(name) },
            Self::SubAgent(command) => Self::SubAgent(fill(command)),
        }
    }
}

impl Trace {
    /// Whether it is there. `told`: what the model was told.
    #[must_use]
    pub fn is_there(&self, stage: &Stage, told: Option<&str>) -> bool {
        let holds = |path: PathBuf, text: &str| std::fs::read_to_string(path).is_ok_and(|found| found.contains(text));
        match self {
            Self::Logged(text) => holds(stage.log(), &stage.fill(text)),
            Self::Holds { path, text } => holds(stage.fill(path).into(), &stage.fill(text)),
            Self::Told(text) => told.is_some_and(|told| told.contains(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn every_path_is_refused_once_and_run_once() {
        let set = prove_set().unwrap();
        for path in Path::ALL {
            let of = |runs: bool| set.iter().filter(|s| s.path == path && (s.wants == Wants::Runs) == runs).count();
            assert!(of(false) > 0 && of(true) > 0, "{path}");
        }
        let mut ids: Vec<_> = set.iter().map(|scenario| scenario.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), set.len());
        assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')));
    }
}
