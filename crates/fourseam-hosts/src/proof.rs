//! What was seen in the real clients: the shape of a proof, and the last one that was kept. Made by `fourseam prove`;
//! nothing here runs anything.

use serde::{Deserialize, Serialize};

/// What `fourseam prove` found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// Version of fourseam.
    pub fourseam: String,
    /// Fingerprint of the policy that was in force.
    pub policy: String,
    /// `YYYY-MM-DD`.
    pub date: String,
    /// What the clients could reach of the network.
    pub network: String,
    /// One for each host, in the order of ids.
    pub hosts: Vec<HostProof>,
}

/// What was found of one host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HostProof {
    /// Id of the host.
    pub host: String,
    /// Version of the client; `None` where no client was run.
    pub version: Option<String>,
    /// One for each way from the model to the machine.
    pub paths: Vec<PathProof>,
}

/// What was found of one way from the model to the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathProof {
    /// `shell`, `write`, `edit`, `mcp`, `sub-agent`, `read`.
    pub path: String,
    /// How sure it is.
    pub state: State,
    /// Why it is not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What a user can do about that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
    /// What was tried, in order.
    pub cases: Vec<CaseProof>,
}

/// How sure it is that refusals hold.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Seen in the client: what is refused was not done and the model was told why, and what is harmless was done.
    Verified,
    /// The client was not there: a recorded payload was answered with a refusal in its words.
    AdapterOnly,
    /// Seen in the client: it did not go as the policy says.
    NotEnforced,
}

/// What came of one attempt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseProof {
    /// What was tried.
    pub id: String,
    /// Whether it came out as the policy says.
    pub passed: bool,
    /// What happened instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl HostProof {
    /// Whether every way is verified.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.paths.iter().all(|path| path.state == State::Verified)
    }
}

/// The last proof that was kept with this release.
///
/// # Errors
/// When the data is not of this shape, which a test rules out.
pub fn last() -> Result<Proof, serde_json::Error> {
    serde_json::from_str(include_str!("../proof.json"))
}

/// The newest version of a host's client that this release was proven in. `None`: in none.
#[must_use]
pub fn newest(host: &str) -> Option<String> {
    last().ok()?.hosts.into_iter().find(|proof| proof.host == host)?.version
}

/// The version in what a client prints of itself: the first word of numbers with dots, perhaps with a `v` in front or
/// more behind.
#[must_use]
pub fn version_in(text: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches('v').trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let (first, _) = word.split_once('.')?;
        (!first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit())).then(|| word.to_owned())
    })
}

/// Whether a client's version is newer than the one that was proven. Numbers are compared one by one; a version that is
/// not made of numbers is newer, since nothing is known of it.
#[must_use]
pub fn is_newer(installed: &str, proven: &str) -> bool {
    let numbers = |text: &str| text.split('.').map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>();
    match (numbers(installed), numbers(proven)) {
        (Some(installed), Some(proven)) => installed > proven,
        _ => installed != proven,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;
    use crate::HOSTS;

    #[test]
    fn the_last_proof_speaks_of_every_host() {
        let proof = last().unwrap();
        assert_eq!(
            proof.hosts.iter().map(|host| host.host.as_str()).collect::<Vec<_>>(),
            HOSTS.iter().map(|host| host.id()).collect::<Vec<_>>()
        );
        assert_eq!(newest("cursor"), None);
    }

    #[test]
    fn versions_as_clients_say_them() {
        for (text, want) in [
            ("2.1.332 (Claude Code)", Some("2.1.332")),
            ("codex-cli 0.171.0\n", Some("0.171.0")),
            ("GitHub Copilot CLI v1.0.102.\nRun `copilot update`.", Some("1.0.102")),
            ("1.18.33-beta.2", Some("1.18.33-beta.2")),
            ("3", None),
            ("", None),
        ] {
            assert_eq!(version_in(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn versions_are_compared_by_number() {
        for (installed, proven, newer) in [
            ("2.1.332", "2.1.332", false),
            ("2.1.400", "2.1.332", true),
            ("2.2.0", "2.1.332", true),
            ("0.9.1", "0.61.0", false),
            ("1.0", "1.0.1", false),
            ("nightly", "1.0.1", true),
        ] {
            assert_eq!(is_newer(installed, proven), newer, "{installed} after {proven}");
        }
    }
}
