//! An effect without the way it is done: deleting a file is one deed by shell, script, edit tool or MCP.

use crate::analysis::{Effect, EffectKind, PathClass, PathUse, Place, Target};
use serde::{Deserialize, Serialize};

/// Longest text of a deed that is remembered.
const MOST_TEXT: usize = 512;

/// What an effect comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// The content of a file or folder goes.
    Destroy {
        /// Absolute path.
        path: String,
        /// With everything below it.
        recursive: bool,
    },
    /// A file gets another content.
    Change {
        /// Absolute path.
        path: String,
    },
    /// A file outside of the project, or one that holds secrets, is read.
    Read {
        /// Absolute path.
        path: String,
    },
    /// A file is run.
    Run {
        /// Absolute path.
        path: String,
    },
    /// Bytes go to a host.
    Send {
        /// Its name or address.
        host: String,
    },
    /// A page is fetched.
    Fetch {
        /// Its address.
        url: String,
    },
    /// A statement is given to a database.
    State {
        /// In lower case, with single blanks.
        statement: String,
    },
    /// Something else that has a name of its own.
    Other {
        /// Kind of the effect.
        kind: EffectKind,
        /// Its finer word.
        verb: String,
        /// What it is done to.
        target: Option<String>,
    },
}

impl Deed {
    /// What an effect comes to. Empty where it says too little to be known again.
    #[must_use]
    pub fn of(effect: &Effect) -> Vec<Self> {
        let deeds = match &effect.target {
            Some(Target::Path(path)) if effect.place == Place::Local => of_path(effect, path),
            Some(Target::Path(_)) => Vec::new(),
            Some(Target::Url { url }) => of_network(effect, url, host_of(url)),
            Some(Target::Host { host }) => of_network(effect, host, host),
            Some(Target::Sql { text, .. }) => vec![Self::State { statement: plain(text) }],
            Some(Target::Resource { name }) => other(effect, Some(name)),
            None => other(effect, None),
        };
        deeds.into_iter().filter(Self::is_short).collect()
    }

    /// Whether doing this does what was refused.
    #[must_use]
    pub fn does(&self, refused: &Self) -> bool {
        match (self, refused) {
            (Self::Destroy { path, recursive }, Self::Destroy { path: gone, .. }) => {
                path == gone || (*recursive && crate::world::is_below(gone, path))
            }
            _ => self == refused,
        }
    }

    fn is_short(&self) -> bool {
        match self {
            Self::Destroy { path, .. } | Self::Change { path } | Self::Read { path } | Self::Run { path } => {
                path.len() <= MOST_TEXT
            }
            Self::Send { host } => host.len() <= MOST_TEXT,
            Self::Fetch { url } => url.len() <= MOST_TEXT,
            Self::State { statement } => statement.len() <= MOST_TEXT,
            Self::Other { verb, target, .. } => verb.len() + target.as_ref().map_or(0, String::len) <= MOST_TEXT,
        }
    }
}

fn of_path(effect: &Effect, used: &PathUse) -> Vec<Deed> {
    let Some(resolved) = used.resolved.as_deref().filter(|_| !used.unknown) else { return Vec::new() };
    // All that stands in a folder is the folder.
    let folder = ["/**", "/*", "/."].iter().find_map(|end| resolved.strip_suffix(end)).filter(|rest| !rest.is_empty());
    let path = folder.unwrap_or(resolved).to_owned();
    let recursive = effect.recursive || folder.is_some();
    match effect.kind {
        EffectKind::Delete => vec![Deed::Destroy { path, recursive }],
        EffectKind::Overwrite if matches!(effect.verb.as_str(), "shred" | "truncate" | "wipe") => {
            vec![Deed::Destroy { path: path.clone(), recursive }, Deed::Change { path }]
        }
        EffectKind::Overwrite | EffectKind::Write => vec![Deed::Change { path }],
        EffectKind::Read => {
            let has = |class| used.classes.contains(&class);
            let is_ordinary = has(PathClass::Project) && !has(PathClass::Secret);
            if is_ordinary { Vec::new() } else { vec![Deed::Read { path }] }
        }
        // Where what a file holds is the trouble, the file with another content is another matter.
        EffectKind::Execute if !effect.taint.is_empty() => Vec::new(),
        EffectKind::Execute => vec![Deed::Run { path }],
        EffectKind::Network
        | EffectKind::Privilege
        | EffectKind::Persist
        | EffectKind::Publish
        | EffectKind::Vcs
        | EffectKind::Database
        | EffectKind::Infrastructure
        | EffectKind::Process
        | EffectKind::Tamper => other(effect, Some(&path)),
    }
}

fn of_network(effect: &Effect, target: &str, host: &str) -> Vec<Deed> {
    match (effect.kind, effect.verb.as_str()) {
        (EffectKind::Network, "receive") => vec![Deed::Fetch { url: target.to_owned() }],
        (EffectKind::Network, _) => vec![Deed::Send { host: host.to_ascii_lowercase() }],
        _ => other(effect, Some(target)),
    }
}

/// An effect that only its own words tell. One that names no target is told where it has but one: a machine is shut
/// down, a package published; raising rights or running code says nothing of what for.
fn other(effect: &Effect, target: Option<&str>) -> Vec<Deed> {
    let tells = match effect.kind {
        EffectKind::Publish
        | EffectKind::Vcs
        | EffectKind::Infrastructure
        | EffectKind::Process
        | EffectKind::Persist
        | EffectKind::Tamper => true,
        EffectKind::Delete
        | EffectKind::Overwrite
        | EffectKind::Write
        | EffectKind::Read
        | EffectKind::Execute
        | EffectKind::Network
        | EffectKind::Privilege
        | EffectKind::Database => target.is_some(),
    };
    if !tells {
        return Vec::new();
    }
    vec![Deed::Other { kind: effect.kind, verb: effect.verb.clone(), target: target.map(str::to_owned) }]
}

fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    rest.rsplit_once('@').map_or(rest, |(_, host)| host)
}

fn plain(statement: &str) -> String {
    let words = statement.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    words.trim_end_matches([';', ' ']).to_owned()
}
