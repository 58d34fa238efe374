//! PowerShell, Windows and core: pipelines, script blocks, strings, .NET calls, commands with parameters by prefix.
//!
//! Limits: operators bind from left to right; classes and workflows run as plain blocks; a command of a module that is
//! not listed is told as a program of its name, save for verbs that only look or always take away. Aliases hold on
//! every system (`rm` is `Remove-Item`), unless options are given that only the program of that name takes.

mod api;
mod bind;
mod command;
mod nested;
mod objects;
mod parse;
mod registry;
mod system;
mod words;

pub(super) use api::PROFILE;
pub(super) use bind::to_parameters;

/// Name of the call that ties a parameter to the value joined to it (`-Confirm:$false`).
const JOINED: &str = "-:";
