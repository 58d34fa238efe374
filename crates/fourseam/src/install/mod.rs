//! What `install`, `uninstall` and `status` share: which agents there are, which files change how, and how they are
//! written so that nothing is ever lost or half there. What stands in a hook file is the host's business.

mod codex;
mod diff;
pub(crate) mod edit;
mod ledger;
mod lock;
pub(crate) mod native;
mod plan;
mod program;
mod removal;
mod target;

pub(crate) use codex::Trust;
pub(crate) use diff::{diff, diff_whole};
pub(crate) use edit::Edit;
pub(crate) use ledger::{Change, Ledger, Part};
pub(crate) use lock::Lock;
pub(crate) use plan::{Plan, Step};
pub(crate) use program::Program;
pub(crate) use removal::{Removal, places, removals};
pub(crate) use target::{Around, Seen, Target, chosen, scope_named};
