//! Every `programs/*.yaml` to one table of names and one blob of encoded programs.

use fourseam_core::analysis::{Body, Program, source};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Writes `programs.bin` and `programs.rs` to the output folder of the build.
///
/// `programs.rs` holds `NAMES`, every name and alias sorted with the number of its program, and `ENDS`, the byte where
/// each numbered program or subcommand ends in `programs.bin`. Those that are alike are stored once.
pub(crate) fn compile() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("programs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: BTreeMap<String, (u32, String)> = BTreeMap::new();
    let mut store = Store::default();
    for file in files(folder)? {
        let shown = format!("crates/fourseam-packs/{}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| format!("{shown}: cannot be read: {error}"))?;
        for program in source::read(&shown, &text).map_err(|error| error.to_string())? {
            let all_names: Vec<String> = std::iter::once(&program.name).chain(&program.aliases).cloned().collect();
            let at = store.put(program)?;
            for name in all_names {
                if let Some((_, other)) = names.insert(name.clone(), (at, shown.clone())) {
                    return Err(format!("{shown}: program `{name}` is already described in {other}").into());
                }
            }
        }
    }
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    fs::write(output.join("programs.bin"), &store.bytes)?;
    Ok(fs::write(output.join("programs.rs"), table(&names, &store.ends)?)?)
}

/// Encoded programs and subcommands, each once.
#[derive(Default)]
struct Store {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    known: BTreeMap<Vec<u8>, u32>,
}

impl Store {
    /// Stores a program and what it holds; gives its number.
    fn put(&mut self, mut program: Program) -> Result<u32, String> {
        for command in &mut program.commands {
            if let Body::Here(inner) = &command.body {
                command.body = Body::Stored(self.put((**inner).clone())?);
            }
        }
        let bytes = postcard::to_stdvec(&program).map_err(|error| format!("`{}`: {error}", program.name))?;
        if let Some(at) = self.known.get(&bytes) {
            return Ok(*at);
        }
        let at = u32::try_from(self.ends.len()).map_err(|error| error.to_string())?;
        self.bytes.extend_from_slice(&bytes);
        self.ends.push(self.bytes.len());
        self.known.insert(bytes, at);
        Ok(at)
    }
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

fn table(names: &BTreeMap<String, (u32, String)>, ends: &[usize]) -> Result<String, std::fmt::Error> {
    let mut table = String::new();
    writeln!(table, "static NAMES: [(&str, u32); {}] = [", names.len())?;
    for (name, (index, _)) in names {
        writeln!(table, "    ({name:?}, {index}),")?;
    }
    writeln!(table, "];\nstatic ENDS: [u32; {}] = {ends:?};", ends.len())?;
    Ok(table)
}
