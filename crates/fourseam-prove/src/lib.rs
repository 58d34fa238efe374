//! Runs the real coding agents against a scripted model, to see whether the guard holds. Decides nothing: it looks at
//! what was made on disk and what the model was told.
//!
//! The way of a proof: a [`Stage`] (throw-away home, project, stand-ins), a [`Model`] on loopback, a [`client::Client`]
//! configured for it, `fourseam install` in that home, a [`Session`] that has the model try [`Scenario`]s one after the
//! other, and for each of them an [`Outcome`].

pub mod client;
pub mod mcp;
pub mod model;
pub mod namespace;
mod process;
mod program;
pub mod proof;
mod replay;
mod scenario;
mod session;
mod stage;

pub use model::Model;
pub use process::{Ended, Limits, run};
pub use program::Program;
pub use scenario::{Attempt, Path, Scenario, Trace, Wants, prove_set};
pub use session::{Judged, Outcome, Session};
pub use stage::Stage;
