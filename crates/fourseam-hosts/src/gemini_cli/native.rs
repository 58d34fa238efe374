//! Gemini CLI's own rules: a file of its policy engine, in the user's tier. How it reads them was run in 0.61.0.

use super::GeminiCli;
use crate::install::Place;
use crate::native::{Keep, Native};
use fourseam_core::policy::Form;
use serde_json::Value;

impl Native for GeminiCli {
    fn place(&self) -> Place {
        Place { variable: None, config: None, folder: ".gemini", file: "policies/fourseam.toml" }
    }

    fn keep(&self) -> Keep {
        // Above every rule of the user's that allows, `--yolo` included.
        Keep::File(|said| {
            let why = Value::from(format!("Refused by policy (fourseam, rule {}): {}", said.rule, said.reason));
            let words = &said.words;
            format!(
                "\n[[rule]]\ntoolName = \"run_shell_command\"\n{words}\ndecision = \"deny\"\npriority = 999\ndenyMessage = {why}\n"
            )
        })
    }

    /// A prefix ends at the end of a word. A regex is tried on the arguments as JSON, so a quote is the command's end.
    fn say(&self, form: &Form, _: &str) -> Result<String, &'static str> {
        match form {
            Form::Run { words, open: true } => Ok(format!("commandPrefix = {}", Value::from(words.join(" ")))),
            Form::Run { words, open: false } => Ok(format!("commandRegex = '{}\"'", escaped(&words.join(" ")))),
            Form::Read(_) | Form::Write(_) => Err("Gemini CLI's file tools do not leave the workspace anyway"),
            Form::Fetch(_) => Err("Gemini CLI's fetching tool takes a text, not an address"),
        }
    }

    fn notes(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A text as a regex that means it. The words of a form hold no quote and no backslash.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if ".+*".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
