//! Claude Code's own rules: `permissions.deny` of its settings. How it reads them was run in 2.1.332.

use super::ClaudeCode;
use crate::install::Place;
use crate::native::{Keep, Native};
use fourseam_core::policy::{Form, FormPath};

impl Native for ClaudeCode {
    fn place(&self) -> Place {
        Place { variable: Some("CLAUDE_CONFIG_DIR"), config: None, folder: ".claude", file: "settings.json" }
    }

    fn keep(&self) -> Keep {
        Keep::List { fresh: true }
    }

    /// ` *` at the end of a command stands for whatever follows, nothing included; without it the whole command is meant.
    fn say(&self, form: &Form, _: &str) -> Result<String, &'static str> {
        Ok(match form {
            Form::Run { words, open } => {
                let line = words.join(" ").replace('*', "\\*");
                format!("Bash({line}{})", if *open { " *" } else { "" })
            }
            Form::Read(path) => format!("Read({})", pattern(path)),
            Form::Write(path) => format!("Edit({})", pattern(path)),
            Form::Fetch(host) => format!("WebFetch(domain:{host})"),
        })
    }

    fn notes(&self) -> &'static [&'static str] {
        &["Claude Code takes `ls` and `stat` of a file for reading it; `ls` of its folder is not stopped"]
    }
}

/// A leading `/` would be the project's root.
fn pattern(path: &FormPath) -> String {
    if path.path.starts_with('/') { format!("/{path}") } else { path.to_string() }
}
