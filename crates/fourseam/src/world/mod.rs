//! The real world: facts of this machine, read when asked. Starts no process, opens no socket, changes nothing.

use fourseam_core::world::{Known, PathFact, Repository, World};

/// This machine.
#[derive(Default)]
pub(crate) struct Machine {}

impl World for Machine {
    fn home(&self) -> Option<String> {
        std::env::var("HOME").ok().filter(|home| home.starts_with('/'))
    }

    fn variable(&self, name: &str) -> Known<Option<String>> {
        match std::env::var(name) {
            Ok(value) => Known::Yes(Some(value)),
            // The agent may run its commands in another environment: a variable missing here may be set there.
            Err(_) => Known::Unknown,
        }
    }

    fn path(&self, _path: &str) -> Known<PathFact> {
        Known::Unknown
    }

    fn repository(&self, _path: &str) -> Known<Option<Repository>> {
        Known::Unknown
    }

    fn restorable(&self, _path: &str) -> Known<bool> {
        Known::Unknown
    }

    fn text(&self, _path: &str, _limit: usize) -> Known<String> {
        Known::Unknown
    }
}
