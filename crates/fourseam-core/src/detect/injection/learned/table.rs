//! `weights.txt`, which people read, into `weights.bin`, which is looked up: nothing is parsed when a text is judged.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a tool of developers that writes a file")]

use super::super::lexicon::{self, Concept};
use super::{Feature, TABLE};
use std::collections::{BTreeMap, HashMap};

#[test]
fn the_table_is_that_of_the_weights() {
    assert_eq!(table(include_str!("weights.txt")), TABLE, "`{WRITE}` makes `weights.bin` anew");
}

/// Makes the table anew after `weights.txt` or the names of concepts changed.
const WRITE: &str = "cargo test -p fourseam-core --lib learned::table -- --ignored";

#[test]
#[ignore = "writes learned/weights.bin"]
fn write() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/detect/injection/learned/weights.bin");
    std::fs::write(file, table(include_str!("weights.txt"))).unwrap();
}

fn table(text: &str) -> Vec<u8> {
    let concepts: HashMap<&str, Concept> = lexicon::names().collect();
    let mut bias = 0;
    let mut weights: BTreeMap<u64, i16> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with("//")) {
        let (kind, rest) = line.split_once(' ').unwrap();
        let (name, weight) = rest.split_once(' ').unwrap();
        let weight: i16 = weight.parse().unwrap();
        if kind == "bias" {
            bias = weight;
        } else if let Some(feature) = named(kind, name, &concepts) {
            weights.insert(feature.0, weight);
        }
    }
    let mut table = bias.to_le_bytes().to_vec();
    for (feature, weight) in weights {
        table.extend(feature.to_le_bytes());
        table.extend(weight.to_le_bytes());
    }
    table
}

/// A feature by its name in `weights.txt`.
fn named(kind: &str, name: &str, concepts: &HashMap<&str, Concept>) -> Option<Feature> {
    let concept = |name: &str| concepts.get(name).copied();
    Some(match kind {
        "word" => Feature::word(name),
        "concept" => Feature::concept(concept(name)?),
        "command" => Feature::command(concept(name)?),
        "pair" => {
            let (first, second) = name.split_once('>')?;
            Feature::pair(concept(first)?, concept(second)?)
        }
        _ => return None,
    })
}
