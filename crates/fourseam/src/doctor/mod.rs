//! The checks of `fourseam doctor`: whether every agent on this machine is live, and if not, what is wrong and what mends
//! it. Reads and asks; changes nothing. Printing is the verb's business.

mod calls;
mod client;
mod machine;
mod place;
pub(crate) mod proven;
mod running;
mod wiring;

use crate::exit::Failure;
use crate::home::Home;
use crate::install::{Around, Plan, Seen, Step};
use crate::policy::{self, Request};
use fourseam_hosts::install::Scope;
use fourseam_hosts::{HOSTS, Host};
use serde::Serialize;

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Check {
    /// Some agent is on this machine.
    Agents,
    /// The policy can be read and is without errors.
    Policy,
    /// Calls can be recorded.
    Audit,
    /// fourseam's own files say what they should.
    State,
    /// Agents are told what is decided.
    Mode,
    /// How the agent was found.
    Found,
    /// Version of the agent.
    Version,
    /// The hook file holds our entries.
    Wired,
    /// Every event has its entry.
    Events,
    /// The entries call this program, and it can be started.
    Program,
    /// The agent waits long enough.
    Timeout,
    /// No other hook has the last word.
    Order,
    /// One entry for one call.
    Twice,
    /// Nothing turns hooks off.
    SwitchedOff,
    /// What hooks need until they run is done.
    Activation,
    /// Who else can change a call.
    Others,
    /// A real call came in.
    LastCall,
    /// Calls in the agent's own transcripts are in the log.
    Unrecorded,
    /// Edits come in, not commands alone.
    Edits,
    /// Calls that could not be judged.
    Failures,
}

/// What one check found.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// The check.
    pub(crate) check: Check,
    /// Id of the agent; `None` for what concerns all.
    pub(crate) host: Option<&'static str>,
    /// What was found, in words.
    pub(crate) found: String,
    #[serde(flatten)]
    pub(crate) health: Health,
}

/// What to make of it.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "health")]
pub(crate) enum Health {
    /// As it should be.
    Fine,
    /// Worth knowing; nothing is broken.
    Note,
    /// Calls are not judged as they should be.
    Broken {
        /// The command that mends it.
        mend: String,
    },
}

impl Check {
    /// Its id.
    pub(crate) fn word(self) -> String {
        serde_json::to_value(self).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn fine(self, found: impl Into<String>) -> Finding {
        Finding { check: self, host: None, found: found.into(), health: Health::Fine }
    }

    fn note(self, found: impl Into<String>) -> Finding {
        Finding { check: self, host: None, found: found.into(), health: Health::Note }
    }

    fn broken(self, found: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding { check: self, host: None, found: found.into(), health: Health::Broken { mend: mend.into() } }
    }
}

impl Finding {
    fn of(self, host: &dyn Host) -> Self {
        Self { host: Some(host.id()), ..self }
    }

    /// Whether something has to be mended.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.health, Health::Broken { .. })
    }
}

/// An agent under examination.
struct Patient<'a> {
    step: &'a Step,
    home: &'a Home,
    around: &'a Around,
    plan: &'a Plan,
}

impl Patient<'_> {
    fn host(&self) -> &'static dyn Host {
        self.step.target.host
    }

    /// The command that wires the agent anew.
    fn install(&self) -> String {
        format!("fourseam install --host {}", self.host().id())
    }
}

/// Runs every check.
///
/// # Errors
/// When it is not known where things are.
pub(crate) fn examine() -> Result<Vec<Finding>, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let around = Around::of_environment()?;
    let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
    let mut findings = machine::before_loading(&home);
    let loaded = policy::load(&Request { home: Some(&home), cwd: Some(&cwd), anew: false });
    findings.extend(machine::check(&home, &loaded));
    let plan = Plan::make(HOSTS, Scope::User, &home, &around, |host| loaded.settings.asks_in(host))?;
    let found: Vec<&Step> = plan.steps.iter().filter(|step| step.target.seen != Seen::No).collect();
    if found.is_empty() {
        let none = "no agent was found: neither a program on `PATH` nor a configuration folder";
        findings.push(Check::Agents.broken(none, "fourseam install --host HOST"));
    }
    let versions = client::versions(&found);
    let log = calls::Log::read(&home, &mut findings);
    for (step, version) in found.iter().zip(versions) {
        let patient = Patient { step, home: &home, around: &around, plan: &plan };
        let mut own = vec![client::found(&patient), client::version(&patient, &version)];
        own.extend(wiring::check(&patient));
        own.extend(running::check(&patient));
        own.extend(calls::check(&patient, &log));
        findings.extend(own.into_iter().map(|finding| finding.of(patient.host())));
    }
    Ok(findings)
}
