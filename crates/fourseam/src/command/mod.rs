//! One file a verb.

pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod policy;
pub(crate) mod rule;
pub(crate) mod test;
