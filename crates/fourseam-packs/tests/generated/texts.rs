//! The texts that are made from packs and tables: path and content of each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MARK: &str = "do not edit below -->\n";

/// Every generated text.
pub(crate) fn all() -> io::Result<Vec<(PathBuf, String)>> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = crate_folder.join("packs/README.md");
    let written = fs::read_to_string(&readme)?;
    let head = written.split_once(MARK).map_or(written.as_str(), |(head, _)| head);
    Ok(vec![(readme.clone(), format!("{head}{MARK}\n{}", fourseam_core::policy::reference()))])
}
