//! What a judge answers: probabilities. Reads any shape that holds them; what is missing or nonsense is 0.5.

use super::question::Sheet;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Probabilities, 0 to 1, one for each class and each risk of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// By class.
    pub classes: BTreeMap<String, f64>,
    /// By risk.
    pub risks: BTreeMap<String, f64>,
}

/// A reply holds no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the reply holds no JSON object with probabilities")]
pub struct Unreadable;

/// What counts where a judge says nothing of use.
const UNSAID: f64 = 0.5;

impl Answer {
    /// An answer in text, such as a chat model writes it: the first JSON object in it, fenced or not.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_text(sheet: &Sheet, text: &str) -> Result<Self, Unreadable> {
        objects(text).find(|map| speaks_of(sheet, map)).map(|map| Self::of_map(sheet, &map)).ok_or(Unreadable)
    }

    /// An answer whose classes and risks stand in one object: `{"class": {"read_only": 0.9, ...}, "irreversible": 0.1}`.
    /// A class may also be told by its name alone.
    #[must_use]
    pub fn of_map(sheet: &Sheet, map: &Map<String, Value>) -> Self {
        let class = map.get("class");
        let of_class = |id: &str| match class {
            Some(Value::Object(classes)) => probability(classes.get(id)),
            // A bare name says which, not how sure.
            _ => UNSAID,
        };
        Self {
            classes: sheet.classes.iter().map(|item| (item.id.clone(), of_class(&item.id))).collect(),
            risks: sheet.risks.iter().map(|risk| (risk.id.clone(), probability(map.get(&risk.id)))).collect(),
        }
    }

    /// An answer to typed questions, one object an id: `{"class": {"probabilities": {...}}, "irreversible": {"noul": 0.1}}`.
    #[must_use]
    pub fn of_typed(sheet: &Sheet, answers: &Map<String, Value>) -> Self {
        let classes = answers.get("class").and_then(|answer| answer.get("probabilities"));
        let class = |id: &str| probability(classes.and_then(|classes| classes.get(id)));
        let risk = |id: &str| probability(answers.get(id).and_then(|answer| answer.get("noul")));
        Self {
            classes: sheet.classes.iter().map(|item| (item.id.clone(), class(&item.id))).collect(),
            risks: sheet.risks.iter().map(|item| (item.id.clone(), risk(&item.id))).collect(),
        }
    }

    /// Probability of a class.
    #[must_use]
    pub fn class(&self, id: &str) -> f64 {
        self.classes.get(id).copied().map_or(UNSAID, sane)
    }

    /// Probability of a risk.
    #[must_use]
    pub fn risk(&self, id: &str) -> f64 {
        self.risks.get(id).copied().map_or(UNSAID, sane)
    }
}

/// A value as a probability.
fn probability(value: Option<&Value>) -> f64 {
    match value {
        Some(Value::Number(number)) => number.as_f64().map_or(UNSAID, sane),
        Some(Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_)) | None => UNSAID,
    }
}

fn sane(value: f64) -> f64 {
    if (0.0..=1.0).contains(&value) { value } else { UNSAID }
}

/// Whether an object answers anything of a sheet. A model may think aloud in JSON first.
fn speaks_of(sheet: &Sheet, map: &Map<String, Value>) -> bool {
    map.contains_key("class") || sheet.risks.iter().any(|risk| map.contains_key(&risk.id))
}

/// Most places of a reply where an object is looked for.
const MOST_STARTS: usize = 64;

/// The JSON objects of a text, from its first brace on.
fn objects(text: &str) -> impl Iterator<Item = Map<String, Value>> {
    text.match_indices('{').take(MOST_STARTS).filter_map(|(at, _)| {
        let mut stream = serde_json::Deserializer::from_str(text.get(at..)?).into_iter::<Map<String, Value>>();
        stream.next()?.ok()
    })
}
