//! Writes the generated texts: `cargo run -p fourseam-packs --example generate`. A test fails when they are stale.

#![allow(clippy::disallowed_methods, reason = "a generator reads and writes files")]

#[path = "../tests/generated/texts.rs"]
mod texts;

fn main() -> std::io::Result<()> {
    for (path, text) in texts::all()? {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}
