//! What is tried and what has to come of it, as data: `setups/*.json`. A setup is one way in which a client and the guard
//! are put up; in it, scenarios; and for single clients, what else comes of one and why.

use fourseam_prove::client::{Permission, Voice};
use fourseam_prove::{Attempt, Path, Scenario, Trace, Wants, prove_set};
use serde::Deserialize;

/// The files, in the order of the table.
const FILES: &[(&str, &str)] = &[
    ("guarded", include_str!("../setups/guarded.json")),
    ("careful", include_str!("../setups/careful.json")),
    ("default-permission", include_str!("../setups/default-permission.json")),
    ("deleted", include_str!("../setups/deleted.json")),
    ("deleted-careful", include_str!("../setups/deleted-careful.json")),
    ("crashing", include_str!("../setups/crashing.json")),
    ("failing", include_str!("../setups/failing.json")),
    ("hanging", include_str!("../setups/hanging.json")),
    ("native", include_str!("../setups/native.json")),
    ("results", include_str!("../setups/results.json")),
    ("prompt", include_str!("../setups/prompt.json")),
    ("prompt-careful", include_str!("../setups/prompt-careful.json")),
];

/// One way to put a client and the guard up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Setup {
    /// Name of the file.
    #[serde(skip)]
    pub(crate) id: String,
    /// What it is, in one line of the table.
    pub(crate) about: String,
    /// Arguments of `fourseam install` beside the host.
    #[serde(default)]
    pub(crate) install: Vec<String>,
    /// Whether `fourseam native --write` follows.
    #[serde(default)]
    pub(crate) native: bool,
    /// What becomes of the installed program.
    #[serde(default)]
    pub(crate) guard: Guard,
    /// How much the client lets pass by itself.
    #[serde(default)]
    permission: Mode,
    /// What the user says beside the tag of the task.
    #[serde(default)]
    pub(crate) prompt: String,
    /// Files changed after the installation.
    #[serde(default)]
    pub(crate) changes: Vec<Change>,
    /// The longest that one start of the client may take.
    #[serde(default = "usual_seconds")]
    pub(crate) seconds: u64,
    /// Whether the scenarios of `fourseam prove` belong to it.
    #[serde(default)]
    proof: bool,
    /// What is tried.
    #[serde(default, rename = "scenarios")]
    own: Vec<Case>,
    /// What comes of it in a client where it is something else.
    #[serde(default)]
    explained: Vec<Explained>,
    /// Clients that it is nothing for.
    #[serde(default)]
    without: Vec<Without>,
    /// All that is tried.
    #[serde(skip)]
    pub(crate) cases: Vec<Case>,
}

fn usual_seconds() -> u64 {
    90
}

/// What becomes of the installed program.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Guard {
    /// It stays as installed.
    #[default]
    Works,
    /// It is deleted.
    Deleted,
    /// A signal ends it.
    Crashes,
    /// It ends with exit code 1 and a text.
    Fails,
    /// It does not answer before a tool call, and never ends.
    Hangs,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    #[default]
    Everything,
    Default,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Dialect {
    Plain,
    Code,
}

impl From<Voice> for Dialect {
    fn from(voice: Voice) -> Self {
        match voice {
            Voice::Plain => Self::Plain,
            Voice::Code => Self::Code,
        }
    }
}

/// A change of a client's own file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Change {
    /// In which client; in every one where left out.
    host: Option<String>,
    /// The file, `{home}`, `{project}` and `{stubs}` filled in.
    pub(crate) file: String,
    /// What is done to it.
    #[serde(flatten)]
    pub(crate) how: How,
}

/// How a file is changed.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum How {
    /// Keys of a JSON object that are set.
    Set(serde_json::Map<String, serde_json::Value>),
    /// Text behind the end, filled in.
    Append(String),
    /// A shell script that may be run, filled in.
    Script(String),
}

/// One thing that the model tries.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Case {
    /// Name; letters, digits and dashes.
    pub(crate) id: String,
    path: Path,
    attempt: Attempt,
    trace: Trace,
    /// What has to come of it.
    pub(crate) expect: Expect,
}

/// What comes of a scenario.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum Expect {
    /// Not done, and the model was told that this rule refused it.
    Refused(String),
    /// Not done, and the model was told this.
    Stopped(String),
    /// Done, and no word of the guard's reached the model.
    Runs,
    /// Done, and the model was told all of the first texts and none of the second, as a result or beside it.
    Told(Vec<String>, Vec<String>),
    /// Not done, and no request to the model holds this text.
    Unsaid(String),
    /// Not done, since the client did not come to it: how it ended.
    Ends(String),
    /// The client has no tool for it; what the driver says.
    NoTool(String),
}

/// What comes of a scenario in one client, where that is something else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Explained {
    /// In which client.
    host: String,
    /// In which of its dialects; in each where left out.
    voice: Option<Dialect>,
    /// Which scenarios.
    scenarios: Vec<String>,
    /// What comes of them there. It is tested as everything else is.
    expect: Expect,
    /// Why.
    because: String,
}

/// A client that a setup is nothing for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Without {
    host: String,
    because: String,
}

/// Every setup.
///
/// # Errors
/// When a file is not of this shape, or explains what is not there; says which.
pub(crate) fn all() -> Result<Vec<Setup>, String> {
    FILES.iter().map(|(id, text)| read(id, text).map_err(|error| format!("setups/{id}.json: {error}"))).collect()
}

fn read(id: &str, text: &str) -> Result<Setup, String> {
    let mut setup: Setup = serde_json::from_str(text).map_err(|error| error.to_string())?;
    id.clone_into(&mut setup.id);
    if setup.proof {
        let all = prove_set().map_err(|error| error.to_string())?;
        // What is for some hosts alone is left to `fourseam prove`.
        setup.cases = all.into_iter().filter(|scenario| scenario.hosts.is_empty()).map(Case::from).collect();
    }
    setup.cases.append(&mut setup.own);
    for explained in &setup.explained {
        for id in &explained.scenarios {
            if !setup.cases.iter().any(|case| case.id == *id) {
                return Err(format!("explains `{id}`, which is not tried"));
            }
        }
    }
    Ok(setup)
}

impl From<Scenario> for Case {
    fn from(scenario: Scenario) -> Self {
        let Scenario { id, path, attempt, trace, wants, hosts: _ } = scenario;
        let expect = match wants {
            Wants::Refused(rule) => Expect::Refused(rule),
            Wants::Runs => Expect::Runs,
        };
        Self { id, path, attempt, trace, expect }
    }
}

impl Case {
    /// The scenario for the session. What it wants there does not matter: `judge` looks at what came of it.
    pub(crate) fn scenario(&self) -> Scenario {
        let Self { id, path, attempt, trace, expect: _ } = self.clone();
        Scenario { id, path, attempt, trace, wants: Wants::Runs, hosts: Vec::new() }
    }
}

impl Setup {
    /// How much the client lets pass by itself.
    pub(crate) fn permission(&self) -> Permission {
        match self.permission {
            Mode::Everything => Permission::Everything,
            Mode::Default => Permission::Default,
        }
    }

    /// What has to come of a case in a client, and why where that is something else than elsewhere.
    pub(crate) fn expected<'a>(&'a self, case: &'a Case, host: &str, voice: Voice) -> (&'a Expect, Option<&'a str>) {
        let is_meant = |one: &&Explained| {
            let speaks = one.voice.is_none_or(|of| of == voice.into());
            one.host == host && speaks && one.scenarios.contains(&case.id)
        };
        let explained = self.explained.iter().find(is_meant);
        explained.map_or((&case.expect, None), |one| (&one.expect, Some(one.because.as_str())))
    }

    /// Why there is nothing to try in this client, if so.
    pub(crate) fn nothing_for(&self, host: &str) -> Option<&str> {
        self.without.iter().find(|without| without.host == host).map(|without| without.because.as_str())
    }

    /// The files of the client that are changed after the installation.
    pub(crate) fn changes_of(&self, host: &str) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.host.as_deref().is_none_or(|of| of == host))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::{Expect, all};
    use fourseam_prove::client::CLIENTS;
    use std::path::Path;

    #[test]
    fn every_file_is_read_and_every_explanation_differs_from_the_rule() {
        let setups = all().unwrap();
        let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("setups"))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort_unstable();
        let mut ids: Vec<_> = setups.iter().map(|setup| setup.id.clone()).collect();
        ids.sort_unstable();
        assert_eq!(ids, files);
        for setup in &setups {
            for one in &setup.explained {
                assert!(CLIENTS.iter().any(|client| client.host() == one.host), "{}: {}", setup.id, one.host);
                assert!(!one.because.is_empty());
                for case in setup.cases.iter().filter(|case| one.scenarios.contains(&case.id)) {
                    assert_ne!(case.expect, one.expect, "{}: {} explains nothing", setup.id, case.id);
                }
            }
        }
    }

    #[test]
    fn names_are_given_once_and_every_setup_tries_what_must_not_run() {
        for setup in all().unwrap() {
            let mut ids: Vec<_> = setup.cases.iter().map(|case| case.id.as_str()).collect();
            let all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), all, "{}", setup.id);
            assert!(setup.cases.iter().any(|case| case.expect != Expect::Runs) || setup.id.contains("careful"));
        }
    }
}
