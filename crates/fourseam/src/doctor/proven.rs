//! The newest version of each agent in which the guard was seen to hold: by this release's own proof, or by one that
//! `fourseam prove` made on this machine.

use crate::file;
use crate::home::Home;
use fourseam_hosts::proof::{self, Proof, State};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// Largest list that is read.
const LARGEST: usize = 64 * 1024;

/// Keeps what a proof on this machine has shown. A client in which something did not hold is left out.
///
/// # Errors
/// When the list cannot be written.
#[cfg_attr(not(feature = "prove"), expect(dead_code, reason = "only `fourseam prove` has something to keep"))]
pub(crate) fn keep(home: &Home, proof: &Proof) -> io::Result<()> {
    let mut own = read(home);
    let held = proof.hosts.iter().filter(|host| host.paths.iter().all(|path| path.state != State::NotEnforced));
    let before = own.len();
    own.extend(held.filter_map(|host| Some((host.host.clone(), host.version.clone()?))));
    if own.is_empty() && before == 0 {
        return Ok(());
    }
    file::replace(&path(home), serde_json::to_string(&own)?.as_bytes())
}

/// The newest proven version of an agent's client. `None`: in none.
pub(super) fn newest(home: &Home, host: &str) -> Option<String> {
    let shipped = proof::newest(host);
    match (shipped, read(home).remove(host)) {
        (Some(shipped), Some(own)) => Some(if proof::is_newer(&own, &shipped) { own } else { shipped }),
        (shipped, own) => shipped.or(own),
    }
}

/// Versions by host; empty where nothing is kept.
fn read(home: &Home) -> BTreeMap<String, String> {
    let text = file::read_text(&path(home), LARGEST).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn path(home: &Home) -> PathBuf {
    home.cache().join("proven.json")
}
