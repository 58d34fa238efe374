//! `packs/*.yaml` to one compiled rule set. Every file of the folder is taken; there is no list.

use fourseam_core::policy::{self, Layer, Level, Source};
use std::error::Error;
use std::fs;
use std::path::Path;

/// Writes into `OUT_DIR`: `packs.bin`, the compiled rules, `packs.digest`, their hash, and `packs.rs`, the name and text of
/// every pack by name.
pub(crate) fn compile() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=packs");
    let mut files = Vec::new();
    for entry in fs::read_dir("packs")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("pack file names are UTF-8")?.to_owned();
            let text = fs::read_to_string(&path)?;
            files.push((name, fs::canonicalize(&path)?, text));
        }
    }
    files.sort();
    let names: Vec<String> = files.iter().map(|(name, ..)| format!("packs/{name}.yaml")).collect();
    let sources: Vec<Source<'_>> = (files.iter().zip(&names))
        .map(|((_, _, text), file)| Source { layer: Layer::Builtin, file, text, trusted: true })
        .collect();
    let compiled = policy::compile(&sources, &[]);
    let problems: Vec<String> = compiled.diagnostics.iter().map(ToString::to_string).collect();
    if compiled.diagnostics.iter().any(|problem| problem.level == Level::Error) {
        return Err(format!("\n{}", problems.join("\n\n")).into());
    }
    let out = std::env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("packs.bin"), compiled.set.as_bytes())?;
    fs::write(Path::new(&out).join("packs.digest"), compiled.set.digest())?;
    let list: Vec<String> = files.iter().map(|(name, path, _)| format!("({name:?}, include_str!({path:?}))")).collect();
    fs::write(Path::new(&out).join("packs.rs"), format!("&[{}]", list.join(", ")))?;
    Ok(())
}
