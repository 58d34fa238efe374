//! Who is calling, at which event, under which settings: what is known so far of one hook call, and the answer to
//! give should the rest fail. Holds no allow or deny logic: the verdicts come from the core.

use crate::nets::{self, Prepared};
use crate::policy::Settings;
use fourseam_core::capabilities::{AskSupport, Capabilities};
use fourseam_core::decision::OnError;
use fourseam_core::verdict::{Told, Verdict};
use fourseam_hosts::{Event, HOSTS, Host, Reply};
use serde_json::Value;

/// An event nothing is known of.
const UNKNOWN: Event = Event {
    name: "unknown",
    capabilities: Capabilities {
        point: None,
        gate: false,
        deny: false,
        ask: AskSupport::No,
        allow: false,
        rewrite: false,
        context: false,
        replace: false,
    },
};

/// What is known so far of one hook call.
pub(crate) struct Situation {
    host: &'static dyn Host,
    event: Event,
    settings: Settings,
    prepared: Reply,
}

impl Situation {
    /// What the command line tells, before anything is read.
    pub(crate) fn new(host: &'static dyn Host, event: Option<&str>, settings: Settings) -> Self {
        let event = find_event(host, event).unwrap_or(*host.default_event());
        let mut situation = Self { host, event, settings, prepared: Reply::default() };
        situation.prepared = situation.fallback();
        situation
    }

    /// Who calls. Hosts run each other's hook files, so the payload says it; the command line decides where it fits.
    pub(crate) fn meet(&mut self, envelope: &Value) {
        if self.host.recognises(envelope) {
            return;
        }
        if let Some(host) = HOSTS.iter().copied().find(|host| host.recognises(envelope)) {
            self.host = host;
            self.event = find_event(host, Some(self.event.name)).unwrap_or(*host.default_event());
            self.renew();
        }
    }

    /// At which event: what the payload says, else what the command line says. An event that the host is not
    /// known to have is watched in silence: only known ones are wired, and a refusal at a stop event would loop.
    ///
    /// # Errors
    /// When the host knows neither.
    pub(crate) fn arrive(&mut self, event: &str, named: Option<&str>) -> Result<(), String> {
        let found = find_event(self.host, Some(event)).or_else(|| find_event(self.host, named));
        self.event = found.unwrap_or(UNKNOWN);
        self.renew();
        found.map(drop).ok_or_else(|| format!("unknown event `{event}`"))
    }

    /// The settings of the policy that was loaded.
    pub(crate) fn learn(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.renew();
    }

    /// The host that calls.
    pub(crate) fn host(&self) -> &'static dyn Host {
        self.host
    }

    /// The event.
    pub(crate) fn event(&self) -> &Event {
        &self.event
    }

    /// Mode, `on_error`, policy hash.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A trouble with its place, for standard error and the log.
    pub(crate) fn place(&self, trouble: &str) -> String {
        format!("hook {} {}: {trouble}", self.host.id(), self.event.name)
    }

    /// The verdict when fourseam fails: `on_error` where something is about to run, silence elsewhere.
    pub(crate) fn failure(&self, trouble: &str) -> Verdict {
        if self.event.capabilities.gate {
            Verdict::of_failure(self.settings.on_error, &format!("fourseam could not judge this call: {trouble}"))
        } else {
            Verdict::default()
        }
    }

    /// A verdict as this host can be told it here.
    pub(crate) fn fit(&self, verdict: Verdict) -> Told {
        verdict.fit(&self.event.capabilities, self.settings.mode, self.settings.asks_in(self.host.id()))
    }

    /// The host's words.
    pub(crate) fn render(&self, told: &Told) -> Reply {
        self.host.render(&self.event, told)
    }

    /// What the nets say of this situation.
    pub(crate) fn prepared(&self) -> Prepared {
        Prepared { reply: self.prepared.clone(), note: None }
    }

    /// The reply the nets would give.
    pub(crate) fn prepared_reply(&self) -> Reply {
        self.prepared.clone()
    }

    /// Deny where something is about to run, unless the user chose otherwise; else nothing. A crashed program
    /// cannot ask.
    fn fallback(&self) -> Reply {
        let verdict = match self.settings.on_error {
            OnError::Abstain => Verdict::default(),
            OnError::Ask | OnError::Deny if !self.event.capabilities.gate => Verdict::default(),
            OnError::Ask | OnError::Deny => {
                Verdict::of_failure(OnError::Deny, "fourseam failed while it judged this call")
            }
        };
        self.render(&self.fit(verdict))
    }

    fn renew(&mut self) {
        self.prepared = self.fallback();
        nets::replace(self.prepared());
    }
}

fn find_event(host: &dyn Host, name: Option<&str>) -> Option<Event> {
    host.events().iter().find(|event| Some(event.name) == name).copied()
}
