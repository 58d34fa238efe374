//! YAML as a tree in which every node knows where it stands. Knows nothing of rules.

use super::diagnostic::Place;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};
use std::fmt;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) place: Place,
}

/// What a node holds.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing written.
    Null,
    /// A word without quotes that YAML reads as true or false.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// Any other scalar.
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_place: Place,
    pub(super) value: Node,
}

/// Reads one document.
///
/// # Errors
/// What is wrong with the YAML, and where.
pub(super) fn parse(text: &str) -> Result<Node, (Place, String)> {
    match serde_saphyr::from_str::<Spanned<Raw>>(text) {
        Ok(raw) => Ok(node(raw, text)),
        Err(error) => {
            let place = error.location().map_or_else(Place::default, place);
            let message = error.without_snippet().to_string();
            // The place is told apart from the message.
            let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
            let message = match message.split_once(", set DuplicateKeyPolicy") {
                Some((before, _)) => before.to_owned(),
                None => message,
            };
            Err((place, message))
        }
    }
}

impl Node {
    /// The text of a scalar; numbers and booleans as written.
    pub(super) fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Number(text) => Some(text),
            Value::Bool(true) => Some("true"),
            Value::Bool(false) => Some("false"),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// What kind of value it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    /// The same value as JSON.
    pub(super) fn json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => serde_json::Value::Bool(*value),
            Value::Number(text) => serde_json::from_str(text).unwrap_or_else(|_| text.clone().into()),
            Value::Text(text) => text.clone().into(),
            Value::List(items) => items.iter().map(Self::json).collect(),
            Value::Map(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

/// A value before its plain scalars got back the text they were written as.
enum Raw {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn node(raw: Spanned<Raw>, text: &str) -> Node {
    let place_of_node = place(raw.referenced);
    let written = || slice(text, raw.defined).unwrap_or_default().to_owned();
    let value = match raw.value {
        Raw::Null => Value::Null,
        // `on` and `yes` are words in a policy; only true and false are booleans.
        Raw::Bool(value) => match written().to_ascii_lowercase().as_str() {
            "true" | "false" => Value::Bool(value),
            _ => Value::Text(written()),
        },
        Raw::Number => Value::Number(written()),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(|item| node(item, text)).collect()),
        Raw::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| Entry {
                    key_place: place(key.referenced),
                    key: key.value,
                    value: node(value, text),
                })
                .collect(),
        ),
    };
    Node { value, place: place_of_node }
}

fn place(location: Location) -> Place {
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let length = location.span().byte_len().map_or(1, number);
    Place { line: number(location.line()), column: number(location.column()), length: length.max(1) }
}

fn slice(text: &str, location: Location) -> Option<&str> {
    let span = location.span();
    let start = usize::try_from(span.byte_offset()?).ok()?;
    let end = start.checked_add(usize::try_from(span.byte_len()?).ok()?)?;
    text.get(start..end)
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Map(map))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

    use super::*;

    #[test]
    fn scalars_keep_the_text_they_were_written_as() {
        let node = parse("[on, yes, 0.10, 0x1F, true, '5', 2027-01-31, 99999999999999999999]").unwrap();
        let Value::List(items) = node.value else { panic!("not a list") };
        let texts: Vec<_> = items.iter().filter_map(Node::scalar).collect();
        assert_eq!(texts, ["on", "yes", "0.10", "0x1F", "true", "5", "2027-01-31", "99999999999999999999"]);
    }

    #[test]
    fn errors_know_their_place() {
        for (text, line, part) in [
            ("a: [1,\nb: c\n", 1, "unclosed"),
            ("a: 1\na: 2\n", 2, "duplicate mapping key: a"),
            ("a:\n  b: 1\n c: 2\n", 3, "block mapping"),
        ] {
            let (place, message) = parse(text).unwrap_err();
            assert_eq!(place.line, line, "{message}");
            assert!(message.contains(part), "{message}");
        }
    }
}
