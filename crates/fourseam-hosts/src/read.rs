//! Lenient reading of a JSON object: a field under any of several names, a number where a string was meant,
//! an object that came as JSON text. Knows no host.

use serde_json::Value;
use std::borrow::Cow;

/// A JSON value read as an object; a value that is none has no fields.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a Value);

impl<'a> Fields<'a> {
    /// The first of these fields that is there and not null.
    pub(crate) fn get(self, names: &[&str]) -> Option<&'a Value> {
        names.iter().find_map(|name| self.0.get(name).filter(|value| !value.is_null()))
    }

    /// The first of these fields that is a string, which may be empty.
    pub(crate) fn text(self, names: &[&str]) -> Option<&'a str> {
        names.iter().find_map(|name| self.0.get(name).and_then(Value::as_str))
    }

    /// The first of these fields that is a string with something in it, or a number.
    pub(crate) fn id(self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| match self.0.get(name)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    }

    /// Whether one of these fields is `true`, as a boolean or a word.
    pub(crate) fn flag(self, names: &[&str]) -> bool {
        names.iter().any(|name| match self.0.get(name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(word)) => word.eq_ignore_ascii_case("true"),
            _ => false,
        })
    }

    /// The first of these fields that is a list.
    pub(crate) fn list(self, names: &[&str]) -> Option<&'a [Value]> {
        names.iter().find_map(|name| self.0.get(name).and_then(Value::as_array)).map(Vec::as_slice)
    }

    /// The first of these fields as an object: what came as JSON text is parsed, other text stays text.
    pub(crate) fn object(self, names: &[&str]) -> Cow<'a, Value> {
        match self.get(names) {
            Some(value) => unfold(value),
            None => Cow::Owned(Value::Null),
        }
    }

    /// Whether any of these fields is there, whatever it holds.
    pub(crate) fn has(self, names: &[&str]) -> bool {
        names.iter().any(|name| self.0.get(name).is_some())
    }
}

/// A value that came as JSON text, parsed; everything else as it is.
pub(crate) fn unfold(value: &Value) -> Cow<'_, Value> {
    if let Value::String(text) = value
        && text.trim_start().starts_with(['{', '['])
        && let Ok(parsed) = serde_json::from_str(text)
    {
        return Cow::Owned(parsed);
    }
    Cow::Borrowed(value)
}
