//! Generated texts are as the generator writes them.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read files and may panic")]

#[path = "generated/texts.rs"]
mod texts;

#[test]
fn generated_texts_are_up_to_date() {
    let stale: Vec<String> = texts::all()
        .unwrap()
        .into_iter()
        .filter(|(path, text)| std::fs::read_to_string(path).ok().as_deref() != Some(text))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(stale.is_empty(), "run `cargo run -p fourseam-packs --example generate`: {stale:#?}");
}
