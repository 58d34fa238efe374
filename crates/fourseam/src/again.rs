//! Whether a call was recorded already: a host that runs hook entries of other hosts too calls us twice for one tool use,
//! once through each. Both calls are judged; one row of the log is enough.

use crate::home::Home;
use crate::{digest, file};
use fourseam_core::action::{Action, HookCall};
use fourseam_core::verdict::Told;
use fourseam_hosts::Host;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// How far apart the two calls of one tool use may come.
const TOGETHER: Duration = Duration::from_secs(10);

/// A call that may come twice.
pub(crate) struct Sight<'a> {
    /// The host that calls.
    pub(crate) host: &'static dyn Host,
    /// The host whose entry it came through, as the command line names it.
    pub(crate) entry: &'a str,
    /// The call.
    pub(crate) call: &'a HookCall,
    /// What it is told.
    pub(crate) told: &'a Told,
}

impl Sight<'_> {
    /// Whether the same tool use, told the same, was seen through another entry a moment ago. The first sight leaves a
    /// mark in the cache, and the second takes it away. Where no mark can be left, every sight counts as the first.
    pub(crate) fn is_second(&self, home: &Home) -> bool {
        if !self.host.install().checkup().runs_others {
            return false;
        }
        let folder = home.cache().join("seen");
        let mark = folder.join(self.key());
        forget_old(&folder);
        match leave(&mark, self.entry) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(()) | Err(_) => return false,
        }
        // An entry is called once for a tool use: the same one again is about another. A damaged mark says nothing.
        let left_by = file::read_text(&mark, 256).ok().and_then(|entry| fourseam_hosts::find(&entry));
        left_by.is_some_and(|entry| entry.id() != self.entry) && std::fs::remove_file(&mark).is_ok()
    }

    /// Names a tool use and what is told of it.
    fn key(&self) -> String {
        let call = self.call;
        let action = match &call.action {
            Action::ToolResult(result) => serde_json::to_vec(&(&result.of, &result.text)),
            action => serde_json::to_vec(action),
        };
        let rules: Vec<&str> = self.told.verdict().reasons().iter().map(|reason| reason.rule.as_str()).collect();
        let of_call = (&call.host, call.event.to_ascii_lowercase(), &call.session, &call.call_id, action.ok());
        digest::name_of(&(of_call, self.told.said(), rules))
    }
}

/// Leaves a mark, unless there is one.
fn leave(mark: &Path, entry: &str) -> std::io::Result<()> {
    let mut how = OpenOptions::new();
    how.write(true).create_new(true).mode(0o600);
    let mut made = match how.open(mark) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            file::make_folder(mark.parent().unwrap_or(Path::new("/")))?;
            how.open(mark)
        }
        made => made,
    }?;
    made.write_all(entry.as_bytes())
}

/// Takes away marks whose second sight did not come.
fn forget_old(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().ok().and_then(|facts| facts.modified().ok()?.elapsed().ok());
        if age.is_none_or(|age| age > TOGETHER) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
