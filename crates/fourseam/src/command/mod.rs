//! One file a verb.

pub(crate) mod allow_once;
pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod install;
pub(crate) mod judge;
pub(crate) mod lint;
pub(crate) mod log;
pub(crate) mod mode;
pub(crate) mod native;
pub(crate) mod pause;
pub(crate) mod policy;
#[cfg(feature = "prove")]
pub(crate) mod prove;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod rule;
pub(crate) mod scan;
pub(crate) mod status;
pub(crate) mod test;
pub(crate) mod trust;
pub(crate) mod uninstall;
