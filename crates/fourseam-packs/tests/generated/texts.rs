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
    let mut texts = vec![(readme, format!("{head}{MARK}\n{}", fourseam_core::policy::reference()))];
    let schema = serde_json::to_string_pretty(&fourseam_core::policy::json_schema()).unwrap_or_default();
    texts.push((crate_folder.join("../../docs/policy.schema.json"), schema + "\n"));
    let pages = crate_folder.join("../../docs/rules");
    for (pack, _) in fourseam_packs::packs::read_all() {
        if !pack.rules.is_empty() {
            texts.push((pages.join(format!("{}.md", pack.name)), pack.page()));
        }
    }
    Ok(texts)
}
