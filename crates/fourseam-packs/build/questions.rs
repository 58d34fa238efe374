//! `questions.yaml`, checked, to one blob.

use fourseam_core::judge::Questions;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const FILE: &str = "questions.yaml";

/// Writes `questions.bin` to the output folder of the build.
pub(crate) fn compile() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FILE}");
    let shown = format!("crates/fourseam-packs/{FILE}");
    let text = fs::read_to_string(FILE).map_err(|error| format!("{shown}: cannot be read: {error}"))?;
    let questions: Questions = serde_saphyr::from_str(&text).map_err(|error| format!("{shown}: {error}"))?;
    questions.check().map_err(|error| format!("{shown}: {error}"))?;
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    Ok(fs::write(output.join("questions.bin"), postcard::to_stdvec(&questions)?)?)
}
