//! Qwen Code's own rules: `permissions.deny` of its settings. How it reads them was run in 0.24.4.

use super::QwenCode;
use crate::install::Place;
use crate::native::{Keep, Native};
use fourseam_core::policy::{Form, FormPath};

impl Native for QwenCode {
    fn place(&self) -> Place {
        Place { variable: None, config: None, folder: ".qwen", file: "settings.json" }
    }

    fn keep(&self) -> Keep {
        Keep::List { fresh: true }
    }

    fn say(&self, form: &Form, _: &str) -> Result<String, &'static str> {
        match form {
            Form::Run { open: false, .. } => Err("Qwen Code would also stop it with more words behind it"),
            Form::Run { words, .. } if words.iter().any(|word| word.contains('*')) => {
                Err("Qwen Code has no way to name a `*` itself")
            }
            Form::Run { words, .. } => Ok(format!("Bash({} *)", words.join(" "))),
            // `Read` would also mean searching and listing.
            Form::Read(path) => Ok(format!("ReadFile({})", pattern(path))),
            Form::Write(path) => Ok(format!("Edit({})", pattern(path))),
            Form::Fetch(host) if host.contains(|c: char| c.is_ascii_alphabetic()) => {
                Err("Qwen Code would also mean every host below it")
            }
            Form::Fetch(host) => Ok(format!("WebFetch({host})")),
        }
    }

    fn notes(&self) -> &'static [&'static str] {
        &["Qwen Code takes `ls` of a file for reading it; `ls` of its folder is not stopped"]
    }
}

/// A leading `/` would be the project's root.
fn pattern(path: &FormPath) -> String {
    if path.path.starts_with('/') { format!("/{path}") } else { path.to_string() }
}
