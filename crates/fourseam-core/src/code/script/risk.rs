//! Whether a text that was not read in full may do more than compute: names that must not pass unseen.

use super::eval::Profile;
use super::meaning::Meaning;
use super::token::{name_char, name_start};
use std::collections::BTreeSet;

/// A name with an effect, or a way to reach one by another name, stands in the text as a word.
pub(super) fn is_risky(profile: &Profile, text: &str) -> bool {
    let tables = profile.functions.iter().chain(profile.methods);
    let with_effect = tables.filter(|(_, meaning)| has_effect(*meaning));
    let last = |path: &'static str| path.rsplit(['.', ':']).next().unwrap_or(path);
    let names: BTreeSet<&str> = with_effect.map(|(path, _)| last(path)).chain(REACH).collect();
    let is_risky =
        |word: &str| names.contains(word) || word.strip_suffix("Sync").is_some_and(|word| names.contains(word));
    text.split(|c: char| !name_char(c)).any(|word| word.starts_with(name_start) && is_risky(word))
}

/// The meaning is more than a value.
pub(super) fn has_effect(meaning: Meaning) -> bool {
    match meaning {
        Meaning::Delete(_)
        | Meaning::DeleteAll
        | Meaning::DeleteTree(_)
        | Meaning::DeleteTrees
        | Meaning::Move(..)
        | Meaning::Copy(..)
        | Meaning::Link(_)
        | Meaning::Overwrite(_)
        | Meaning::Append(_)
        | Meaning::Extract(_)
        | Meaning::Rights(_)
        | Meaning::Shell(_)
        | Meaning::Spawn(_)
        | Meaning::Program(_)
        | Meaning::Exec(_)
        | Meaning::System
        | Meaning::ChangeFolder(_)
        | Meaning::Kill(_)
        | Meaning::Eval(_)
        | Meaning::Define
        | Meaning::RunFile(_)
        | Meaning::Member
        | Meaning::Named(_)
        | Meaning::Send
        | Meaning::Scope
        | Meaning::Globals
        | Meaning::Obscure
        | Meaning::Call(_)
        | Meaning::CallList(..)
        | Meaning::MapCall(..)
        | Meaning::Request(_)
        | Meaning::Post(_)
        | Meaning::Remove(_)
        | Meaning::Download(..)
        | Meaning::Connect(_)
        | Meaning::DeleteRows
        | Meaning::Statement(_)
        | Meaning::Documents(_)
        | Meaning::DatabaseCommand(_) => true,
        Meaning::Open(_)
        | Meaning::ReadFile(_)
        | Meaning::Create(_)
        | Meaning::Import(_)
        | Meaning::Deserialize(_)
        | Meaning::Transmit
        | Meaning::Listen
        | Meaning::Environment
        | Meaning::Variable(_)
        | Meaning::Home
        | Meaning::Temporary
        | Meaning::ExpandHome(_)
        | Meaning::Join
        | Meaning::Same(_)
        | Meaning::Glob(_)
        | Meaning::Names(_)
        | Meaning::Entries(_)
        | Meaning::Walk(_)
        | Meaning::Parent(_)
        | Meaning::Decode(..)
        | Meaning::Character
        | Meaning::Ordinal(_)
        | Meaning::Concat
        | Meaning::Collect
        | Meaning::Source
        | Meaning::JoinWith
        | Meaning::Replace
        | Meaning::Sprintf
        | Meaning::Reverse(_)
        | Meaning::Constant(_)
        | Meaning::Brings(_)
        | Meaning::Sql(_)
        | Meaning::MaybeSql(_)
        | Meaning::Aggregate(_)
        | Meaning::Quiet => false,
    }
}

/// Words by which a name can be reached that does not stand in the text.
const REACH: [&str; 14] = [
    "__import__",
    "__builtins__",
    "__subclasses__",
    "getattr",
    "importlib",
    "constructor",
    "globalThis",
    "Reflect",
    "child_process",
    "subprocess",
    "const_get",
    "instance_variable_get",
    "call_user_func",
    "create_function",
];
