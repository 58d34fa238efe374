//! Acts in one line each, for people and for cases in tests.

use super::{Act, ActTarget, Language, Text};
use crate::analysis::{EffectKind, SqlClass, Taint, UnknownClass};
use serde::Serialize;
use std::fmt;

impl fmt::Display for Act {
    /// `delete remove path ${HOME} recursive`, `sql drop DROP TABLE t`, `shell ls`, `command git push`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Effect { kind, verb, target, recursive, taint } => {
                write!(f, "{} {verb}{target}{}", word(kind), if *recursive { " recursive" } else { "" })?;
                write_taint(f, taint)
            }
            Self::Sql { class, text } => write!(f, "sql {} {text}", word(class)),
            Self::Shell { text, taint, .. } => {
                write!(f, "shell {text}")?;
                write_taint(f, taint)
            }
            Self::Command { argv, taint } => {
                let words: Vec<String> = argv.iter().map(Text::display).collect();
                write!(f, "command {}", words.join(" "))?;
                write_taint(f, taint)
            }
            Self::Code { language, text } => write!(f, "code {language} {text}"),
        }
    }
}

impl fmt::Display for ActTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(text) => write!(f, " path {}", text.display()),
            Self::Url(text) => write!(f, " url {}", text.display()),
            Self::Host(text) => write!(f, " host {}", text.display()),
            Self::Resource(text) => write!(f, " resource {}", text.display()),
            Self::None => Ok(()),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self))
    }
}

fn write_taint(f: &mut fmt::Formatter<'_>, taint: &[Taint]) -> fmt::Result {
    taint.iter().try_for_each(|taint| write!(f, " taint:{}", word(taint)))
}

/// The word a plain enum is written as in data.
fn word<T: Serialize + Words>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Enums that are written as one word.
trait Words {}
impl Words for EffectKind {}
impl Words for SqlClass {}
impl Words for Taint {}
impl Words for UnknownClass {}
impl Words for Language {}
