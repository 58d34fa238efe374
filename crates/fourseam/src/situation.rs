//! Who is calling, at which event, under which settings: what is known so far of one hook call, and the answer to
//! give should the rest fail. Holds no allow or deny logic: the verdicts come from the core.

use crate::nets::{self, Note, Prepared};
use crate::policy::Settings;
use fourseam_core::action::{Action, HookCall};
use fourseam_core::decision::OnError;
use fourseam_core::record::Answers;
use fourseam_core::verdict::{Told, Verdict};
use fourseam_hosts::{Event, Host, Reply};
use serde_json::Value;
use std::cell::RefCell;

/// What is known so far of one hook call.
pub(crate) struct Situation {
    host: &'static dyn Host,
    event: &'static Event,
    settings: Settings,
    call: Option<HookCall>,
    answers: RefCell<Answers>,
    prepared: Prepared,
}

impl Situation {
    /// What the command line tells, before anything is read. `crash_note`: where a crash is to be noted, if it can be.
    pub(crate) fn new(
        host: &'static dyn Host,
        event: Option<&str>,
        settings: Settings,
        crash_note: Option<Note>,
    ) -> Self {
        let event = event.and_then(|name| find_event(host, name)).unwrap_or(host.default_event());
        let prepared = Prepared { reply: Reply::default(), note: crash_note };
        let mut situation = Self { host, event, settings, call: None, answers: RefCell::default(), prepared };
        situation.prepared.reply = situation.fallback();
        situation
    }

    /// Who calls. Hosts run each other's hook files, so the payload says it; the command line decides where it fits.
    pub(crate) fn meet(&mut self, envelope: &Value) {
        if self.host.recognises(envelope) {
            return;
        }
        if let Some(host) = fourseam_hosts::caller_of(envelope) {
            self.host = host;
            self.event = find_event(host, self.event.name).unwrap_or(host.default_event());
            self.renew();
        }
    }

    /// The call as it was read, and with it the event.
    ///
    /// # Errors
    /// When the host is not known to have the event. Then the command line's word holds; without one it is watched in
    /// silence, since only known events are wired, and a refusal at a stop event would go on for ever.
    pub(crate) fn arrive(&mut self, call: HookCall, named: Option<&str>) -> Result<(), String> {
        let found = find_event(self.host, &call.event);
        self.event = found.or_else(|| named.and_then(|name| find_event(self.host, name))).unwrap_or(&Event::UNKNOWN);
        self.renew();
        let known = found.map(drop).ok_or_else(|| format!("unknown event `{}`", call.event));
        self.call = Some(call);
        known
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
    pub(crate) fn event(&self) -> &'static Event {
        self.event
    }

    /// The call, once it was read.
    pub(crate) fn call(&self) -> Option<&HookCall> {
        self.call.as_ref()
    }

    /// What was asked of the machine so far, for the log.
    pub(crate) fn answers(&self) -> &RefCell<Answers> {
        &self.answers
    }

    /// Mode, `on_error`, policy hash.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A trouble with its place, for standard error and the log.
    pub(crate) fn place(&self, trouble: &str) -> String {
        let event = if self.event.name.is_empty() { "?" } else { self.event.name };
        format!("hook {} {event}: {trouble}", self.host.id())
    }

    /// The verdict when fourseam fails: `on_error` where something is about to run, silence elsewhere.
    pub(crate) fn failure(&self, trouble: &str) -> Verdict {
        if self.event.capabilities.gate {
            Verdict::of_failure(self.settings.on_error, &format!("fourseam could not judge this call: {trouble}."))
        } else {
            Verdict::default()
        }
    }

    /// A verdict as this host can be told it here.
    pub(crate) fn fit(&self, verdict: Verdict) -> Told {
        let told = verdict.fit(&self.event.capabilities, self.settings.mode, self.settings.asks_in(self.host.id()));
        match self.call.as_ref().map(|call| &call.action) {
            Some(Action::ToolResult(result)) => {
                told.with_result(result, self.settings.inject_action, &self.event.capabilities)
            }
            Some(_) | None => told,
        }
    }

    /// The host's words.
    pub(crate) fn render(&self, told: &Told) -> Reply {
        self.host.render(self.event, told)
    }

    /// What the nets say of this situation.
    pub(crate) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// Deny where something is about to run, unless the user chose otherwise; else nothing. A crashed program
    /// cannot ask.
    fn fallback(&self) -> Reply {
        let verdict = match self.settings.on_error {
            OnError::Abstain => Verdict::default(),
            OnError::Ask | OnError::Deny if !self.event.capabilities.gate => Verdict::default(),
            OnError::Ask | OnError::Deny => {
                Verdict::of_failure(OnError::Deny, "fourseam failed while it judged this call.")
            }
        };
        self.render(&self.fit(verdict))
    }

    fn renew(&mut self) {
        self.prepared.reply = self.fallback();
        nets::replace(self.prepared.clone());
    }
}

fn find_event(host: &dyn Host, name: &str) -> Option<&'static Event> {
    host.events().iter().find(|event| event.name == name)
}
