//! What `uninstall` is about to take out: which files may hold something of ours, and the change of each. Changes nothing
//! itself.

use super::{Around, Edit, Ledger, Part, Trust, edit};
use crate::hosts;
use fourseam_hosts::install::Scope;
use fourseam_hosts::{Host, codex_trust, native};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::PathBuf;

/// A file that may hold something of ours.
#[derive(Clone, PartialEq)]
pub(crate) struct Place {
    /// Id of the agent.
    pub(crate) host: &'static str,
    /// What of ours.
    pub(crate) part: Part,
    /// Absolute path.
    pub(crate) file: PathBuf,
}

/// What is to be taken out of a file; or why it is left alone.
#[derive(PartialEq)]
pub(crate) struct Removal {
    /// The file.
    pub(crate) place: Place,
    /// The change.
    pub(crate) edit: Result<Edit, String>,
}

/// The host whose trust in hooks was written for it.
const CODEX: &str = "codex";

/// Where something of ours may be: as the ledger says, and where `install` puts it. What came last into a file stands
/// first. `scope`: only this one's, not those of other projects.
pub(crate) fn places(
    hosts: &[&'static dyn Host],
    scope: Option<Scope>,
    around: &Around,
    ledger: &Ledger,
) -> Vec<Place> {
    let scopes = scope.map_or_else(|| vec![Scope::User, Scope::Project], |scope| vec![scope]);
    let mut places = Vec::new();
    for host in hosts {
        let place = |part, file| Place { host: host.id(), part, file };
        for scope in &scopes {
            let Ok(target) = around.target(*host, *scope) else { continue };
            if *scope == Scope::User {
                places.extend(host.install().native().map(|native| place(Part::Native, around.native_file(native))));
                if host.id() == CODEX {
                    places.push(place(Part::Trust, Trust::file(&target.file)));
                }
            }
            places.push(place(Part::Hooks, target.file));
        }
        for entry in ledger.entries().iter().filter(|entry| scope.is_none() && entry.host == host.id()) {
            places.push(place(entry.part, entry.path.clone()));
        }
    }
    let mut once: Vec<Place> = Vec::new();
    for place in places {
        if !once.contains(&place) {
            once.push(place);
        }
    }
    once.sort_by_key(|place| Reverse(ledger.age(place.host, place.part, &place.file)));
    once
}

/// The changes that take ours out of these files, in this order.
pub(crate) fn removals(places: Vec<Place>, ledger: &Ledger) -> Vec<Removal> {
    // What is left of a file after the changes so far.
    let mut left: HashMap<PathBuf, Option<Vec<u8>>> = HashMap::new();
    let mut removals = Vec::new();
    for place in places {
        let bytes = match left.get(&place.file) {
            Some(bytes) => Ok(bytes.clone()),
            None => edit::read(&place.file).map_err(|error| error.to_string()),
        };
        let edit = match bytes {
            Ok(Some(bytes)) => without_ours(&place, bytes, ledger),
            Ok(None) => Ok(None),
            Err(why) => Err(why),
        };
        match edit {
            Ok(None) => {}
            Ok(Some(edit)) => {
                left.insert(place.file.clone(), edit.after.clone());
                removals.push(Removal { place, edit: Ok(edit) });
            }
            // A file that was never ours may be as broken as it likes.
            Err(_) if !ledger.has(place.host, place.part, &place.file) => {}
            Err(why) => removals.push(Removal { place, edit: Err(why) }),
        }
    }
    removals
}

fn without_ours(place: &Place, bytes: Vec<u8>, ledger: &Ledger) -> Result<Option<Edit>, String> {
    let Ok(host) = hosts::named(place.host) else { return Ok(None) };
    let ours = ledger.rules(place.host, &place.file);
    ledger.undo(place.host, place.part, &place.file, bytes, |text| match (place.part, host.install().native()) {
        (Part::Hooks, _) => host.install().remove(text),
        (Part::Trust, _) => codex_trust::untrust(text),
        (Part::Native, Some(rules)) => native::remove(rules, text, ours),
        (Part::Native, None) => Ok(Some(text.to_owned())),
    })
}
