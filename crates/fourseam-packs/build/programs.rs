//! Every `programs/*.yaml` to one table of names and one blob of encoded programs.

use fourseam_core::analysis::{Program, source};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Writes `programs.bin` and `programs.rs` to the output folder of the build.
///
/// `programs.rs` holds `NAMES`, every name and alias sorted with the index of its program, and `RANGES`, the byte
/// range of each program in `programs.bin`.
pub(crate) fn compile() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("programs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut blob = Vec::new();
    let mut ranges = Vec::new();
    for file in files(folder)? {
        let shown = format!("crates/fourseam-packs/{}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| format!("{shown}: cannot be read: {error}"))?;
        for program in source::read(&shown, &text).map_err(|error| error.to_string())? {
            for name in std::iter::once(&program.name).chain(&program.aliases) {
                if let Some((_, other)) = names.insert(name.clone(), (ranges.len(), shown.clone())) {
                    return Err(format!("{shown}: program `{name}` is already described in {other}").into());
                }
            }
            ranges.push(append(&mut blob, &program)?);
        }
    }
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    fs::write(output.join("programs.bin"), blob)?;
    Ok(fs::write(output.join("programs.rs"), table(&names, &ranges)?)?)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn append(blob: &mut Vec<u8>, program: &Program) -> Result<(usize, usize), String> {
    let start = blob.len();
    let bytes = postcard::to_stdvec(program).map_err(|error| format!("`{}`: {error}", program.name))?;
    blob.extend_from_slice(&bytes);
    Ok((start, blob.len()))
}

fn table(names: &BTreeMap<String, (usize, String)>, ranges: &[(usize, usize)]) -> Result<String, std::fmt::Error> {
    let mut table = String::new();
    writeln!(table, "static NAMES: [(&str, usize); {}] = [", names.len())?;
    for (name, (index, _)) in names {
        writeln!(table, "    ({name:?}, {index}),")?;
    }
    writeln!(table, "];\nstatic RANGES: [(usize, usize); {}] = {ranges:?};", ranges.len())?;
    Ok(table)
}
