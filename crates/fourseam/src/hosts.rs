//! The way from a verdict to a host's words, and finding a host by name. Knows no host by name itself.

use crate::exit::Failure;
use crate::policy::Settings;
use fourseam_core::verdict::Verdict;
use fourseam_hosts::{Event, HOSTS, Host, Reply};

/// The host a user named.
///
/// # Errors
/// When there is none of that id or alias.
pub(crate) fn named(name: &str) -> Result<&'static dyn Host, Failure> {
    fourseam_hosts::find(name)
        .ok_or_else(|| Failure::new(format!("unknown host `{name}`")).help(format!("known hosts: {}", ids())))
}

/// The ids of all hosts, for messages.
pub(crate) fn ids() -> String {
    HOSTS.iter().map(|host| host.id()).collect::<Vec<_>>().join(", ")
}

/// What a host is told of a verdict at an event.
pub(crate) fn tell(host: &dyn Host, event: &Event, verdict: Verdict, settings: &Settings) -> Reply {
    host.render(event, &verdict.fit(&event.capabilities, settings.mode, settings.asks_in(host.id())))
}
