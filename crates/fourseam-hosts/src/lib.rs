//! One folder per coding agent: payload in, that agent's own words out. Holds no allow or deny logic.

mod host;

pub use host::{Event, Host, ParseError, Reply};

/// Every host, sorted by id.
pub static HOSTS: &[&dyn Host] = &[];

/// The host with this id or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.id() == name || host.aliases().contains(&name))
}
