//! Interpreters: text to expressions, expressions followed without running them, calls to acts.
//!
//! One evaluator serves all languages; a language is a lexer, a parser and a table of what its libraries do.
//! Followed: literals, variables, string building, decoders of known text, imports under other names, members
//! picked by known names, callbacks, functions of the text, loops over known lists, `eval` of known text.
//! Limits, for all: branches are taken to run, loops over unknown lists run once, functions that nothing calls are
//! read but what depends on their arguments alone is left out, values are not tracked through objects' fields of
//! unknown objects. Bounds: 40,000 steps, 60,000 tokens, 90 levels of nesting, chains of 250 operators or members, and
//! 24 characters read for each of the text, what is read again included; past them the rest is an unknown of class
//! `limit`. Text that does not parse is an unknown when a name with an effect stands in it.

mod act;
mod ast;
mod awk;
mod call;
mod database;
mod eval;
mod javascript;
mod lua;
mod meaning;
mod parse;
mod perl;
mod php;
mod powershell;
mod python;
mod r;
mod risk;
mod ruby;
mod secrets;
pub(super) mod text_ops;
mod token;
mod value;

use super::{Act, ActTarget, Reading, Text, shorten};
use crate::analysis::{EffectKind, SqlClass, Taint, UnknownClass};

/// Reads Python.
pub(super) fn python(text: &str) -> Reading {
    eval::read(&python::PROFILE, text)
}

/// Reads JavaScript or TypeScript.
pub(super) fn javascript(text: &str) -> Reading {
    eval::read(&javascript::PROFILE, text)
}

/// Reads the JavaScript of mongosh.
pub(super) fn mongo(text: &str) -> Reading {
    let mut reading = eval::read(&javascript::MONGO, text);
    if reading.acts.is_empty() && reading.unknowns.is_empty() {
        reading.act(Act::Sql { class: SqlClass::Read, text: shorten(text) });
    }
    reading
}

/// Reads PowerShell.
pub(super) fn powershell(text: &str) -> Reading {
    eval::read(&powershell::PROFILE, text)
}

/// Reads PowerShell code in base 64 of UTF-16, as `-EncodedCommand` takes it.
pub(super) fn powershell_encoded(text: &str) -> Reading {
    let mut reading = Reading::default();
    reading.act(Act::Effect {
        kind: EffectKind::Execute,
        verb: "decoded",
        target: ActTarget::None,
        recursive: false,
        taint: vec![Taint::Decoded],
    });
    match text_ops::base64(text) {
        Some(code) => reading.merge(powershell(&code)),
        None => reading.doubt(UnknownClass::DecodedCode, text),
    }
    reading
}

/// What reading a file brings in.
pub(super) fn taint_of_file(path: &Text) -> Vec<Taint> {
    secrets::of_file(path).list()
}

/// A path and what stands below it.
pub(super) fn join_path(base: &Text, name: &Text) -> Text {
    value::join_path(base, name)
}

/// Another name in the folder of a path.
pub(super) fn sibling(path: &Text, name: &Text) -> Text {
    value::join_path(&value::parent_path(path), name)
}

/// Reads PHP.
pub(super) fn php(text: &str) -> Reading {
    eval::read(&php::PROFILE, text)
}

/// Reads Ruby.
pub(super) fn ruby(text: &str) -> Reading {
    eval::read(&ruby::PROFILE, text)
}

/// Reads Perl.
pub(super) fn perl(text: &str) -> Reading {
    eval::read(&perl::PROFILE, text)
}

/// Reads Lua.
pub(super) fn lua(text: &str) -> Reading {
    eval::read(&lua::PROFILE, text)
}

/// Reads R.
pub(super) fn r(text: &str) -> Reading {
    eval::read(&r::PROFILE, text)
}

/// Reads awk.
pub(super) fn awk(text: &str) -> Reading {
    eval::read(&awk::PROFILE, text)
}
