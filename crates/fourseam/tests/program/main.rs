//! The whole program, run as its callers run it: payload in, bytes out. One file a subject.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_types,
    clippy::print_stderr,
    reason = "tests may panic and run programs"
)]

mod again;
mod audit;
mod audit_secrets;
mod audit_verbs;
mod bad_input;
mod check;
mod damage;
mod doctor;
mod explain;
mod faults;
mod grants;
mod history;
mod homes;
mod install;
mod judge;
mod lock_faults;
mod log;
mod notice;
mod policy;
mod policy_swaps;
mod policy_verbs;
#[cfg(feature = "prove")]
mod prove;
mod results;
mod run;
mod same_decision;
mod same_edit;
mod self_cases;
mod session;
#[path = "../../../fourseam-hosts/tests/install/settings.rs"]
mod settings;
#[cfg(target_os = "linux")]
mod signals;
mod state_faults;
mod switch;
mod trust;
mod world_faults;
