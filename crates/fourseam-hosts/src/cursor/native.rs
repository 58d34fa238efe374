//! The own rules of Cursor's command line: `permissions.deny` of its settings. As its documents say; not run.

use super::Cursor;
use crate::install::Place;
use crate::native::{Keep, Native, absolute};
use fourseam_core::policy::{Form, FormPath};

impl Native for Cursor {
    fn place(&self) -> Place {
        Place {
            variable: Some("CURSOR_CONFIG_DIR"),
            config: Some("cursor"),
            folder: ".cursor",
            file: "cli-config.json",
        }
    }

    /// A file without its other settings is taken for a broken one.
    fn keep(&self) -> Keep {
        Keep::List { fresh: false }
    }

    fn say(&self, form: &Form, home: &str) -> Result<String, &'static str> {
        let whole = |path: &FormPath| absolute(&path.to_string(), home);
        match form {
            Form::Run { .. } => Err("Cursor's rules name a program without its arguments"),
            Form::Read(path) => Ok(format!("Read({})", whole(path))),
            Form::Write(path) => Ok(format!("Write({})", whole(path))),
            Form::Fetch(_) => Err("Cursor's rules know no hosts"),
        }
    }

    fn notes(&self) -> &'static [&'static str] {
        &["these rules are for Cursor's command line; its editor has none in a file"]
    }
}
