//! What is known of a value while code is read.

use super::ast::Function;
use crate::analysis::Taint;
use crate::code::{Part, Text};
use std::rc::Rc;

/// A value as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) shape: Shape,
    pub(super) taint: Taints,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Text, bytes, a path.
    Text(Text),
    /// A whole number.
    Number(i64),
    /// List, tuple, set.
    List(Rc<Vec<Value>>),
    /// Dictionary, object, hash, with the keys that are known.
    Map(Rc<Vec<(String, Value)>>),
    /// A module, class or function of a library, by its dotted path.
    Library(String),
    /// What a call of a library gave: `zipfile.ZipFile(args)`.
    Instance(String, Rc<Vec<Value>>),
    /// A member of a value that is not known further.
    Member(Rc<Value>, String),
    /// A function of the text itself.
    Function(Rc<Function>),
    /// Something of a library picked by a name that is not known. Calling it is an unknown.
    Dynamic(String),
    /// The names of the text as a dictionary: `globals()`, `globalThis`.
    Scope,
    /// The content of a file.
    Content(Text),
    /// One of these.
    Either(Rc<Vec<Value>>),
    /// Not known; the expression it comes from.
    Unknown(String),
    /// Nothing.
    Null,
}

/// Longest text that tells where a value comes from.
const MAX_SOURCE: usize = 256;
/// Values in values.
const MAX_NESTED: usize = 40;
/// Values that are looked at to find how deep they are nested.
const MAX_LOOKED_AT: usize = 256;

/// Which data flows into a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taints(u8);

impl Taints {
    pub(super) const NONE: Self = Self(0);
    /// A variable of the environment that holds a secret by its name.
    pub(super) const SECRET_VARIABLE: Self = Self(1);
    /// A file that holds a secret by its path.
    pub(super) const SECRET_FILE: Self = Self(2);
    pub(super) const ENVIRONMENT: Self = Self(4);
    pub(super) const DOWNLOAD: Self = Self(8);
    pub(super) const DECODED: Self = Self(16);
    pub(super) const FILES: Self = Self(32);

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// In the words of the analysis.
    pub(super) fn list(self) -> Vec<Taint> {
        let all = [
            (Self::SECRET_VARIABLE.with(Self::SECRET_FILE), Taint::Secret),
            (Self::ENVIRONMENT, Taint::Environment),
            (Self::DOWNLOAD, Taint::Download),
            (Self::DECODED, Taint::Decoded),
            (Self::FILES, Taint::Files),
        ];
        all.into_iter().filter(|(bit, _)| self.has(*bit)).map(|(_, taint)| taint).collect()
    }
}

impl Value {
    pub(super) fn new(shape: Shape) -> Self {
        Self { shape, taint: Taints::NONE }
    }

    pub(super) fn null() -> Self {
        Self::new(Shape::Null)
    }

    pub(super) fn unknown(source: impl Into<String>) -> Self {
        let mut source = source.into();
        if source.len() > MAX_SOURCE {
            let end = (0..=MAX_SOURCE).rev().find(|end| source.is_char_boundary(*end)).unwrap_or(0);
            source.truncate(end);
        }
        Self::new(Shape::Unknown(source))
    }

    /// The value, unless values are nested in it past the bound (`x = [x]` over and over): then it is not known.
    pub(super) fn within_bounds(self) -> Self {
        let mut open = vec![(&self, 0)];
        for _ in 0..MAX_LOOKED_AT {
            let Some((value, depth)) = open.pop() else { return self };
            if depth > MAX_NESTED {
                return Self::unknown("deeply nested value").tainted(self.taint);
            }
            match &value.shape {
                Shape::List(items) | Shape::Instance(_, items) | Shape::Either(items) => {
                    open.extend(items.iter().filter(|item| item.holds_values()).map(|item| (item, depth + 1)));
                }
                Shape::Map(pairs) => {
                    open.extend(
                        pairs.iter().filter(|(_, item)| item.holds_values()).map(|(_, item)| (item, depth + 1)),
                    );
                }
                Shape::Member(base, _) => open.push((base, depth + 1)),
                _ => {}
            }
        }
        self
    }

    fn holds_values(&self) -> bool {
        matches!(
            self.shape,
            Shape::List(_) | Shape::Instance(..) | Shape::Either(_) | Shape::Map(_) | Shape::Member(..)
        )
    }

    pub(super) fn text(text: Text) -> Self {
        Self::new(Shape::Text(text))
    }

    pub(super) fn known(text: impl Into<String>) -> Self {
        Self::text(Text::known(text))
    }

    pub(super) fn library(path: impl Into<String>) -> Self {
        Self::new(Shape::Library(path.into()))
    }

    pub(super) fn list(items: Vec<Value>) -> Self {
        let taint = items.iter().fold(Taints::NONE, |taint, item| taint.with(item.taint));
        Self { shape: Shape::List(Rc::new(items)), taint }
    }

    pub(super) fn map(pairs: Vec<(String, Value)>) -> Self {
        let taint = pairs.iter().fold(Taints::NONE, |taint, (_, item)| taint.with(item.taint));
        Self { shape: Shape::Map(Rc::new(pairs)), taint }
    }

    /// One of several values; equal ones count once.
    pub(super) fn either(values: Vec<Value>) -> Self {
        let mut all: Vec<Value> = Vec::new();
        for value in values {
            let members = match value.shape {
                Shape::Either(inner) => inner.as_ref().clone(),
                shape => vec![Value { shape, taint: value.taint }],
            };
            for member in members {
                if !all.contains(&member) && all.len() < 6 {
                    all.push(member);
                }
            }
        }
        let taint = all.iter().fold(Taints::NONE, |taint, item| taint.with(item.taint));
        match all.len() {
            1 => all.pop().unwrap_or_else(Self::null),
            _ => Self { shape: Shape::Either(Rc::new(all)), taint },
        }
    }

    #[must_use]
    pub(super) fn tainted(mut self, taint: Taints) -> Self {
        self.taint = self.taint.with(taint);
        self
    }

    /// The values it may be.
    pub(super) fn alternatives(&self) -> Vec<Value> {
        match &self.shape {
            Shape::Either(values) => values.as_ref().clone(),
            _ => vec![self.clone()],
        }
    }

    /// As text. What is not known is an unknown part.
    pub(super) fn as_text(&self) -> Text {
        match &self.shape {
            Shape::Text(text) => text.clone(),
            Shape::Number(number) => Text::known(number.to_string()),
            Shape::Either(values) => values.first().map(Self::as_text).unwrap_or_default(),
            Shape::Null => Text::default(),
            Shape::List(_)
            | Shape::Map(_)
            | Shape::Library(_)
            | Shape::Instance(..)
            | Shape::Member(..)
            | Shape::Function(_)
            | Shape::Dynamic(_)
            | Shape::Scope
            | Shape::Content(_)
            | Shape::Unknown(_) => Text::unknown(self.source()),
        }
    }

    /// The text if all of it is known.
    pub(super) fn literal(&self) -> Option<String> {
        match &self.shape {
            Shape::Text(text) => text.literal().map(str::to_owned),
            Shape::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match &self.shape {
            Shape::Number(number) => Some(*number),
            Shape::Text(text) => text.literal()?.trim().parse().ok(),
            _ => None,
        }
    }

    /// Elements of a list, characters of known text.
    pub(super) fn elements(&self) -> Option<Vec<Value>> {
        match &self.shape {
            Shape::List(items) => Some(items.as_ref().clone()),
            Shape::Map(pairs) => Some(pairs.iter().map(|(key, _)| Value::known(key.clone())).collect()),
            _ => None,
        }
    }

    /// Value of a known key.
    pub(super) fn field(&self, key: &str) -> Option<&Value> {
        match &self.shape {
            Shape::Map(pairs) => pairs.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A short name for display.
    pub(super) fn source(&self) -> String {
        match &self.shape {
            Shape::Text(text) => text.display(),
            Shape::Number(number) => number.to_string(),
            Shape::Library(path) => path.clone(),
            Shape::Instance(path, _) => format!("{path}()"),
            Shape::Member(value, name) => format!("{}.{name}", value.source()),
            Shape::Content(path) => format!("content of {}", path.display()),
            Shape::Dynamic(source) | Shape::Unknown(source) => source.clone(),
            Shape::List(_) => "list".to_owned(),
            Shape::Map(_) => "map".to_owned(),
            Shape::Function(function) => function.name.clone(),
            Shape::Scope => "scope".to_owned(),
            Shape::Either(values) => values.first().map(Self::source).unwrap_or_default(),
            Shape::Null => "null".to_owned(),
        }
    }
}

/// A path and what stands below it, as most libraries join them.
pub(super) fn join_path(base: &Text, name: &Text) -> Text {
    let absolute = |text: &Text| match text.parts().first() {
        Some(Part::Known(text)) => text.starts_with('/') || text.get(1..3) == Some(":\\"),
        Some(Part::Variable(name)) => name == "HOME",
        Some(Part::Glob(_) | Part::Unknown(_)) | None => false,
    };
    if base.parts().is_empty() || absolute(name) {
        return name.clone();
    }
    let ends = match base.parts().last() {
        Some(Part::Known(text)) => text.ends_with(['/', '\\']),
        _ => false,
    };
    let windows = base.parts().iter().any(|part| matches!(part, Part::Known(text) if text.contains('\\')));
    let separator = if ends { Text::default() } else { Text::known(if windows { "\\" } else { "/" }) };
    base.clone().plus(&separator).plus(name)
}

/// The folder a path stands in.
pub(super) fn parent_path(path: &Text) -> Text {
    if let Some(text) = path.literal() {
        let trimmed = text.trim_end_matches(['/', '\\']);
        return match trimmed.rsplit_once(['/', '\\']) {
            Some(("", _)) => Text::known("/"),
            Some((parent, _)) => Text::known(parent),
            None => Text::known("."),
        };
    }
    let mut parts = path.parts().to_vec();
    match parts.pop() {
        Some(Part::Known(text)) => {
            let mut parent = Text::default();
            parts.into_iter().for_each(|part| parent.push(part));
            let trimmed = text.trim_end_matches('/');
            parent.plus(&Text::known(trimmed.rsplit_once('/').map_or("", |(head, _)| head)))
        }
        Some(Part::Variable(_)) if parts.is_empty() => path.clone().plus(&Text::known("/..")),
        _ => Text::unknown(format!("parent of {}", path.display())),
    }
}

/// A leading `~` as the home folder.
pub(super) fn expand_home(path: &Text) -> Text {
    let Some(Part::Known(first)) = path.parts().first() else { return path.clone() };
    let Some(rest) = first.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) else {
        return path.clone();
    };
    let mut expanded = Text::variable("HOME").plus(&Text::known(rest));
    path.parts().iter().skip(1).for_each(|part| expanded.push(part.clone()));
    expanded
}
