//! Learns `weights.txt` from labelled texts: logistic regression with a quadratic penalty. Of a text with an injection
//! the stretch that speaks most for it counts, of an ordinary text those that come closest. The same texts give the
//! same weights.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "tests read files, may panic and print"
)]

use super::super::decoded;
use super::super::lexicon::{self, Concept};
use super::super::sentence::sentences;
use super::super::weigh::stretch_end;
use super::{Feature, all_features};
use crate::detect::view::View;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// One labelled text.
struct Labelled {
    file: String,
    text: String,
    is_injection: bool,
    /// How much it counts.
    weight: f64,
    sentences: Vec<Read>,
}

/// One sentence of it.
struct Read {
    start: usize,
    features: Vec<Feature>,
}

/// A stretch as numbers of features.
type Stretch = Vec<usize>;

#[test]
#[ignore = "writes learned/weights.txt: cargo test -p fourseam-core --lib learned::train -- --ignored --nocapture"]
fn learn() {
    let texts = labelled();
    // Figures on a set that was not learned from: leave it out, and do not commit what is written.
    let left_out = std::env::var("FOURSEAM_LEARN_WITHOUT").unwrap_or_default();
    let texts: Vec<Labelled> = texts.into_iter().filter(|text| left_out.is_empty() || text.file != left_out).collect();
    let model = Model::learn(&texts.iter().collect::<Vec<_>>());
    model.report(&texts);
    std::fs::write(folder().join("src/detect/injection/learned/weights.txt"), model.lines()).unwrap();
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The cases of `tests/detect`, and as background the paragraphs of this project's own pages and sources.
fn labelled() -> Vec<Labelled> {
    let cases = folder().join("tests/detect");
    let mut texts = Vec::new();
    for (name, is_injection) in [("injection.jsonl", true), ("ordinary.jsonl", false)] {
        for case in lines(&cases.join(name)) {
            texts.push(read(name, case["text"].as_str().unwrap(), is_injection, 3.0));
        }
    }
    let mut unseen: Vec<PathBuf> =
        std::fs::read_dir(cases.join("unseen")).unwrap().map(|entry| entry.unwrap().path()).collect();
    unseen.sort();
    for path in unseen {
        let name = format!("unseen/{}", path.file_name().unwrap().to_string_lossy());
        for case in lines(&path) {
            texts.push(read(&name, case["text"].as_str().unwrap(), case["flag"] == Value::Bool(true), 3.0));
        }
    }
    let mut background = Vec::new();
    documents(&folder().join("../.."), &mut background);
    for package in packages() {
        documents(&package, &mut background);
    }
    background.sort();
    background.dedup();
    // Every so many, so that no package outweighs the others.
    texts.extend(background.iter().step_by(BACKGROUND_STEP).map(|text| read("background", text, false, 1.0)));
    texts
}

/// How many documents of the background one is taken of, how long it may be, and how many of its stretches count.
const BACKGROUND_STEP: usize = 8;
const DOCUMENT: usize = 24 << 10;
const OF_DOCUMENT: usize = 16;

/// Where the sources of the packages lie that this project is built with.
fn packages() -> Vec<PathBuf> {
    let lock = std::fs::read_to_string(folder().join("../../Cargo.lock")).unwrap();
    let value = |line: &str, key: &str| line.strip_prefix(key).map(|rest| rest.trim_matches('"').to_owned());
    let names = lock.lines().filter_map(|line| value(line, "name = "));
    let versions = lock.lines().filter_map(|line| value(line, "version = ").filter(|version| version.contains('.')));
    let named: Vec<String> = names.zip(versions).map(|(name, version)| format!("{name}-{version}")).collect();
    let registries = PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo/registry/src");
    let mut found = Vec::new();
    for registry in std::fs::read_dir(registries).unwrap() {
        let registry = registry.unwrap().path();
        found.extend(named.iter().map(|name| registry.join(name)).filter(|path| path.is_dir()));
    }
    found.sort();
    found
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Pages and sources below a folder, without what holds injections itself. Of long ones the start.
fn documents(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_read = [".md", ".rs", ".yaml", ".txt", ".toml"].iter().any(|end| name.ends_with(end));
        if path.is_dir() && !["target", "detect", "tests", ".git", "fuzz", "judge"].contains(&name.as_str()) {
            documents(&path, found);
        } else if is_read && !name.contains("injection") && !name.contains("accuracy") {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let end = crate::detect::view::floor(&text, DOCUMENT);
            found.push(text.get(..end).unwrap_or_default().to_owned());
        }
    }
}

fn read(file: &str, text: &str, is_injection: bool, weight: f64) -> Labelled {
    let mut layers = vec![text.to_owned()];
    layers.extend(decoded::decoded(text).into_iter().map(|layer| layer.text));
    let mut sentences = Vec::new();
    for (layer, text) in layers.iter().enumerate() {
        read_layer(text, layer, &mut sentences);
    }
    Labelled { file: file.to_owned(), text: text.to_owned(), is_injection, weight, sentences }
}

/// What is decoded is a text of its own, far from the others.
fn read_layer(text: &str, layer: usize, read: &mut Vec<Read>) {
    let view = View::of(text);
    let hits = lexicon::hits(&view.text);
    let sentences = sentences(&view.text, &hits);
    read.extend(
        sentences
            .iter()
            .map(|sentence| Read { start: sentence.start + (layer << 32), features: all_features(sentence) }),
    );
}

struct Model {
    numbers: HashMap<Feature, usize>,
    names: Vec<String>,
    weights: Vec<f64>,
    bias: f64,
}

/// How often a feature has to occur to bear a weight.
const OFTEN: usize = 3;
/// Strength of the penalty: larger is weaker.
const FREEDOM: f64 = 0.5;
const ROUNDS: usize = 4;
const EPOCHS: usize = 25;

impl Model {
    fn learn(texts: &[&Labelled]) -> Self {
        let mut model = Self::of_vocabulary(texts);
        let mut hard: Vec<(Stretch, bool, f64)> = Vec::new();
        for round in 0..ROUNDS {
            let mut stretches: Vec<(Stretch, bool, f64)> =
                texts.iter().flat_map(|text| model.chosen(text, round)).collect();
            // What was hard once stays learned.
            hard.extend(stretches.iter().filter(|(_, is_injection, _)| !is_injection).cloned());
            stretches.retain(|(_, is_injection, _)| *is_injection);
            stretches.extend(hard.iter().cloned());
            model.fit(&stretches);
        }
        model
    }

    /// All weights zero.
    fn of_vocabulary(texts: &[&Labelled]) -> Self {
        let mut often: BTreeMap<Feature, usize> = BTreeMap::new();
        for text in texts {
            let own: BTreeSet<Feature> =
                text.sentences.iter().flat_map(|sentence| sentence.features.iter().copied()).collect();
            own.into_iter().for_each(|feature| *often.entry(feature).or_default() += 1);
        }
        let words = names(texts);
        let known: Vec<Feature> =
            often.into_iter().filter(|(_, count)| *count >= OFTEN).map(|(feature, _)| feature).collect();
        Self {
            names: known.iter().map(|feature| words[feature].clone()).collect(),
            weights: vec![0.0; known.len()],
            numbers: known.into_iter().enumerate().map(|(at, feature)| (feature, at)).collect(),
            bias: 0.0,
        }
    }

    fn odds(&self, stretch: &Stretch) -> f64 {
        self.bias + stretch.iter().map(|at| self.weights[*at]).sum::<f64>()
    }

    /// Every stretch of a text: its first and last sentence, and its log odds.
    fn stretches(&self, text: &Labelled) -> Vec<(f64, usize, usize)> {
        let mut all = Vec::new();
        let starts: Vec<usize> = text.sentences.iter().map(|sentence| sentence.start).collect();
        let numbers: Vec<Stretch> = text
            .sentences
            .iter()
            .map(|sentence| sentence.features.iter().filter_map(|feature| self.numbers.get(feature).copied()).collect())
            .collect();
        let mut counted = vec![usize::MAX; self.weights.len()];
        for first in 0..text.sentences.len() {
            let mut odds = self.bias;
            for (last, own) in numbers.iter().enumerate().take(stretch_end(&starts, first)).skip(first) {
                for at in own {
                    if counted[*at] != first {
                        counted[*at] = first;
                        odds += self.weights[*at];
                    }
                }
                all.push((odds, first, last));
            }
        }
        all
    }

    /// The features of a stretch.
    fn of(&self, text: &Labelled, first: usize, last: usize) -> Stretch {
        let features = text.sentences[first..=last].iter().flat_map(|sentence| &sentence.features);
        let own: BTreeSet<usize> = features.filter_map(|feature| self.numbers.get(feature).copied()).collect();
        own.into_iter().collect()
    }

    /// The stretches to learn from: those that speak most for an injection, at first the longest.
    fn chosen(&self, text: &Labelled, round: usize) -> Vec<(Stretch, bool, f64)> {
        let mut all = self.stretches(text);
        if round == 0 {
            all.sort_by_key(|(_, first, last)| (std::cmp::Reverse(last - first), *first));
        } else {
            all.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        let count = match (text.is_injection, text.file.as_str()) {
            (true, _) => 1,
            (false, "background") => OF_DOCUMENT,
            (false, _) => 2,
        };
        let mut sentences = BTreeSet::new();
        all.into_iter()
            .filter(|(_, first, _)| sentences.insert(*first))
            .take(count)
            .map(|(_, first, last)| (self.of(text, first, last), text.is_injection, text.weight))
            .collect()
    }

    /// Gradient descent with a step of its own for each weight.
    fn fit(&mut self, stretches: &[(Stretch, bool, f64)]) {
        let mut often = vec![0.0_f64; self.weights.len()];
        stretches.iter().flat_map(|(stretch, ..)| stretch).for_each(|at| often[*at] += 1.0);
        let mut squares = vec![1e-3_f64; self.weights.len()];
        let mut bias_squares = 1e-3;
        let mut seed = 1_u64;
        let mut order: Vec<usize> = (0..stretches.len()).collect();
        for _ in 0..EPOCHS {
            for at in (1..order.len()).rev() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, usize::try_from(seed >> 33).unwrap() % (at + 1));
            }
            for at in &order {
                let (stretch, is_injection, weight) = &stretches[*at];
                let target = if *is_injection { 1.0 } else { 0.0 };
                let error = (1.0 / (1.0 + (-self.odds(stretch)).exp()) - target) * weight;
                bias_squares += error * error;
                self.bias -= 0.2 * error / bias_squares.sqrt();
                for feature in stretch {
                    let slope = error + self.weights[*feature] / (FREEDOM * often[*feature]);
                    squares[*feature] += slope * slope;
                    self.weights[*feature] -= 0.2 * slope / squares[*feature].sqrt();
                }
            }
        }
    }

    /// The log odds of the stretch that speaks most for an injection.
    fn best(&self, text: &Labelled) -> f64 {
        self.stretches(text).into_iter().fold(-99.0, |best, (odds, ..)| best.max(odds))
    }

    fn report(&self, texts: &[Labelled]) {
        let share = |is_injection: bool, of: &str| {
            let own: Vec<&Labelled> =
                texts.iter().filter(|text| text.is_injection == is_injection && text.file.starts_with(of)).collect();
            let flagged = own.iter().filter(|text| self.best(text) > 0.0).count();
            println!("{of} {is_injection}: {flagged} of {}", own.len());
        };
        for of in ["injection", "ordinary", "unseen", "background"] {
            share(true, of);
            share(false, of);
        }
        println!("{} features", self.weights.len());
    }

    /// What stands in `weights.txt`.
    fn lines(&self) -> String {
        let mut lines: Vec<(String, i64)> =
            self.names.iter().zip(&self.weights).map(|(name, weight)| (name.clone(), hundredths(*weight))).collect();
        lines.retain(|(_, weight)| weight.abs() >= 3);
        lines.sort();
        let mut text = String::from("// Learned by train.rs, not edited: kind, name, hundredths of log odds.\n");
        text.push_str(&format!("bias - {}\n", hundredths(self.bias)));
        lines.iter().for_each(|(name, weight)| text.push_str(&format!("{name} {weight}\n")));
        text
    }
}

fn hundredths(weight: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
    let value = (weight * 100.0).round() as i64;
    value
}

/// The name of every feature of the texts.
fn names(texts: &[&Labelled]) -> HashMap<Feature, String> {
    let mut names = HashMap::new();
    let concepts: Vec<(&str, Concept)> = lexicon::names().collect();
    for (first, concept) in &concepts {
        names.insert(Feature::concept(*concept), format!("concept {first}"));
        names.insert(Feature::command(*concept), format!("command {first}"));
        for (second, other) in &concepts {
            names.insert(Feature::pair(*concept, *other), format!("pair {first}>{second}"));
        }
    }
    for text in texts {
        let layers = decoded::decoded(&text.text).into_iter().map(|layer| layer.text);
        for layer in layers.chain([text.text.clone()]) {
            super::words(&View::of(&layer).text, &mut |word| {
                names.insert(Feature::word(word), format!("word {word}"));
            });
        }
    }
    names
}
