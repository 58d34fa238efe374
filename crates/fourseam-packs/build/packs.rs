//! `packs/*.yaml` to one compiled rule set. Every file of the folder is taken; there is no list.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Writes `packs.rs` into `OUT_DIR`: the name and text of every pack, sorted by name.
pub(crate) fn compile() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=packs");
    let mut files = Vec::new();
    for entry in fs::read_dir("packs")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    let mut list = String::from("&[");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("pack file names are UTF-8")?;
        let path = fs::canonicalize(path)?;
        list.push_str(&format!("({name:?}, include_str!({path:?})), "));
    }
    list.push(']');
    fs::write(Path::new(&std::env::var("OUT_DIR")?).join("packs.rs"), list)?;
    Ok(())
}
