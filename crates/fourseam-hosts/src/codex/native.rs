//! Codex's own rules: an execution policy file among those of the user. How it reads them was run in 0.171.0.

use super::Codex;
use crate::install::Place;
use crate::native::{Keep, Native};
use fourseam_core::policy::Form;
use serde_json::Value;

impl Native for Codex {
    fn place(&self) -> Place {
        Place { variable: Some("CODEX_HOME"), config: None, folder: ".codex", file: "rules/fourseam.rules" }
    }

    fn keep(&self) -> Keep {
        Keep::File(|said| {
            let why = Value::from(format!("Refused by policy (fourseam, rule {}): {}", said.rule, said.reason));
            let words = &said.words;
            format!("prefix_rule(pattern = {words}, decision = \"forbidden\", justification = {why})\n")
        })
    }

    /// The words of a command as a list, each as the shell gives it to the program.
    fn say(&self, form: &Form, _: &str) -> Result<String, &'static str> {
        match form {
            Form::Run { open: false, .. } => Err("Codex would also stop it with more words behind it"),
            Form::Run { words, .. } if words.iter().any(|word| word.contains(['*', '~'])) => {
                Err("Codex does not look into a command with `*` or `~` in it")
            }
            Form::Run { words, .. } => {
                let words: Vec<String> = words.iter().map(|word| Value::from(word.as_str()).to_string()).collect();
                Ok(format!("[{}]", words.join(", ")))
            }
            Form::Read(_) | Form::Write(_) | Form::Fetch(_) => Err("Codex's rules are about commands alone"),
        }
    }

    fn notes(&self) -> &'static [&'static str] {
        &[]
    }
}
