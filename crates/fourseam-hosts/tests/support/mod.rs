//! Reading of the fixture files, and verdicts to tell.

use fourseam_core::capabilities::Capabilities;
use fourseam_core::decision::{Decision, Mode};
use fourseam_core::verdict::{Draft, Opinion, Reason, Told};
use fourseam_hosts::{Event, HOSTS, Host};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// One payload and what must be made of it.
pub(crate) struct Fixture {
    /// File name without `.json`.
    pub(crate) name: String,
    /// Event of the call.
    pub(crate) event: String,
    /// The payload.
    pub(crate) stdin: Value,
    /// The event as an argument, for payloads without one.
    pub(crate) argument: Option<String>,
    /// Whether the host's shape shows in the payload.
    pub(crate) recognised: bool,
    /// The call but for its action.
    pub(crate) call: Option<Value>,
    /// The action; `$stdin` stands for the whole payload, and the raw result is left out.
    pub(crate) action: Option<Value>,
    /// Part of the error, where there is no call.
    pub(crate) error: Option<String>,
}

impl Fixture {
    pub(crate) fn label(&self, host: &dyn Host) -> String {
        format!("{} {}", host.id(), self.name)
    }
}

/// The folder of a host's sources.
pub(crate) fn folder(host: &dyn Host) -> PathBuf {
    Path::new(SOURCES).join(host.id().replace('-', "_"))
}

/// The fixtures of all hosts.
pub(crate) fn fixtures() -> Vec<(&'static dyn Host, Fixture)> {
    let mut all = Vec::new();
    for host in HOSTS {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder(*host).join("fixtures"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        files.sort();
        assert!(!files.is_empty(), "{} has no fixtures", host.id());
        all.extend(files.iter().map(|file| (*host, fixture(file))));
    }
    all
}

/// The expected answers of a host: event, then decision.
pub(crate) fn replies(host: &dyn Host) -> Value {
    json(&folder(host).join("replies.json"))
}

fn fixture(file: &Path) -> Fixture {
    let value = json(file);
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    Fixture {
        name: file.file_stem().unwrap().to_str().unwrap().to_owned(),
        event: text("event").unwrap_or_default(),
        stdin: value["stdin"].clone(),
        argument: text("argument"),
        recognised: value.get("recognised").is_none_or(|recognised| recognised == true),
        call: value.get("call").cloned(),
        action: value.get("action").cloned(),
        error: text("error"),
    }
}

fn json(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// What a host is told when one rule decides so, in mode on.
pub(crate) fn told(event: &Event, decision: Decision, opt_in: bool) -> Told {
    fit(&event.capabilities, decision, opt_in)
}

fn fit(capabilities: &Capabilities, decision: Decision, opt_in: bool) -> Told {
    let reason = Reason {
        rule: "shop/no-plums".to_owned(),
        decision,
        message: "There are \"no plums today\", only pears.".to_owned(),
        instead: Some("ask for pears".to_owned()),
        matched: "plums".to_owned(),
        span: None,
    };
    let opinion = (decision != Decision::Abstain).then_some(Opinion { reason });
    Draft::default().settle(opinion).fit(capabilities, Mode::On, opt_in)
}
