//! Texts, members, places and operators: values made of values.

use super::{Args, Evaluator, find};
use crate::code::Text;
use crate::code::script::ast::{Expr, Piece};
use crate::code::script::meaning::Meaning;
use crate::code::script::value::{Shape, Taints, Value, join_path};
use std::rc::Rc;

impl Evaluator {
    pub(super) fn text(&mut self, pieces: &[Piece]) -> Value {
        let mut whole = Value::known("");
        let mut weight = 0;
        for piece in pieces {
            let next = match piece {
                Piece::Known(text) => Value::known(text.clone()),
                Piece::Value(expr) => self.eval(expr),
            };
            // Alternatives are put together each with each; all else is added as it comes.
            match (&mut whole.shape, &next.shape) {
                (Shape::Text(text), shape) if !matches!(shape, Shape::Either(_)) => {
                    let more = next.as_text();
                    weight += more.weight();
                    if weight > crate::code::MAX_TEXT {
                        return Value::unknown("long text").tainted(whole.taint.with(next.taint));
                    }
                    text.append(&more);
                    whole.taint = whole.taint.with(next.taint);
                }
                _ => whole = concat(&whole, &next),
            }
        }
        whole
    }

    /// A member by its name.
    pub(in crate::code::script) fn attr(&mut self, base: &Value, name: &str) -> Value {
        match &base.shape {
            Shape::Library(path) if matches!(name, "__dict__" | "prototype" | "default" | "promises") => {
                Value { shape: Shape::Library(path.clone()), taint: base.taint }
            }
            Shape::Library(path) => {
                if let Some(Meaning::Environment) = self.meaning(path) {
                    return self.variable(&Text::known(name)).unwrap_or_else(|| self.member(base, name));
                }
                let full = (self.profile.normal)(&format!("{path}.{name}"));
                if let Some(value) = self.scopes.first().and_then(|scope| scope.get(&full)) {
                    return value.clone();
                }
                let known = self.meaning(&full).is_some() || find(self.profile.methods, name).is_some();
                if self.profile.everything_is_a_call && known {
                    return self.library_call(&full, &Args::default());
                }
                self.library(&full).tainted(base.taint.without(Taints::ENVIRONMENT))
            }
            Shape::Scope if name == "__dict__" => base.clone(),
            Shape::Scope => self.name(name),
            Shape::Map(_) => base.field(name).cloned().unwrap_or_else(|| self.member(base, name)),
            Shape::Either(values) => {
                let values = values.iter().map(|value| self.attr(value, name)).collect();
                Value::either(values)
            }
            _ if self.profile.everything_is_a_call => self.method(base, name, &Args::default()),
            Shape::Text(path) if name == "parent" => Value::text(crate::code::script::value::parent_path(path)),
            _ => self.member(base, name),
        }
    }

    pub(in crate::code::script) fn member(&self, base: &Value, name: &str) -> Value {
        Value { shape: Shape::Member(Rc::new(base.clone()), name.to_owned()), taint: base.taint }
    }

    /// A variable of the environment; `None` for the methods of the dictionary.
    pub(in crate::code::script) fn variable(&mut self, name: &Text) -> Option<Value> {
        let Some(name) = name.literal() else {
            return Some(Value::unknown("variable of the environment").tainted(Taints::ENVIRONMENT));
        };
        let is_variable = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if !is_variable && !matches!(name, "http_proxy" | "https_proxy" | "Path") {
            return None;
        }
        if let Some(value) = self.environment.get(name) {
            return Some(value.clone());
        }
        let name = if matches!(name, "USERPROFILE" | "HOMEPATH") { "HOME" } else { name };
        Some(Value::text(Text::variable(name)).tainted(crate::code::script::secrets::of_variable(name)))
    }

    pub(in crate::code::script) fn index(&mut self, base: &Value, index: &Value) -> Value {
        let unknown = || Value::unknown(format!("{}[..]", base.source())).tainted(base.taint);
        match &base.shape {
            Shape::Library(path) if self.meaning(path) == Some(Meaning::Environment) => {
                self.variable(&index.as_text()).unwrap_or_else(unknown)
            }
            Shape::Library(_) | Shape::Scope => match index.literal() {
                Some(name) if index.number().is_none() => match &base.shape {
                    Shape::Library(path) if path.ends_with("modules") => Value::library(name),
                    _ => self.attr(base, &name),
                },
                Some(_) => unknown(),
                None if self.is_library_of_note(base) => {
                    Value::new(Shape::Dynamic(format!("{}[{}]", base.source(), index.source())))
                }
                None => unknown(),
            },
            Shape::List(items) => match index.number() {
                Some(at) => element(items, at).cloned().unwrap_or_else(unknown),
                None => Value::either(items.iter().take(6).cloned().chain(std::iter::once(unknown())).collect()),
            },
            Shape::Map(fields) => match index.literal() {
                Some(key) => base.field(&key).cloned().unwrap_or_else(unknown),
                None => Value::either(fields.iter().take(6).map(|(_, value)| value.clone()).collect()),
            },
            Shape::Text(_) if index.elements().is_some() => {
                let places = index.elements().unwrap_or_default();
                Value::list(places.iter().map(|place| self.index(base, place)).collect())
            }
            Shape::Text(text) => match (text.literal(), index.number()) {
                (Some(text), Some(at)) => {
                    let chars: Vec<char> = text.chars().collect();
                    let at = if at < 0 { at + i64::try_from(chars.len()).unwrap_or(0) } else { at };
                    let found = usize::try_from(at).ok().and_then(|at| chars.get(at));
                    found.map_or_else(unknown, |c| Value::known(c.to_string()).tainted(base.taint))
                }
                _ => unknown(),
            },
            Shape::Either(values) => {
                let values = values.iter().map(|value| self.index(value, index)).collect();
                Value::either(values)
            }
            _ => match index.literal() {
                Some(name) if index.number().is_none() && !name.is_empty() => self.attr(base, &name),
                _ => unknown(),
            },
        }
    }

    /// The names of the text, or a module that the tables know members of.
    pub(in crate::code::script) fn is_library_of_note(&self, base: &Value) -> bool {
        let Shape::Library(path) = &base.shape else { return base.shape == Shape::Scope };
        let member = |known: &str| known.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'));
        self.profile.functions.iter().any(|(known, _)| member(known))
    }

    pub(super) fn slice(&mut self, base: &Expr, parts: &[Option<Expr>]) -> Value {
        let base = self.eval(base);
        let bounds: Vec<Option<Value>> = parts.iter().map(|part| part.as_ref().map(|part| self.eval(part))).collect();
        let numbers: Vec<Option<i64>> = bounds.iter().map(|bound| bound.as_ref().and_then(Value::number)).collect();
        let known = bounds.iter().zip(&numbers).all(|(bound, number)| bound.is_some() == number.is_some());
        let bound = |at: usize| numbers.get(at).copied().flatten();
        let step = bound(2).unwrap_or(1);
        let chars;
        let items: Vec<Value> = match &base.shape {
            Shape::List(items) if known => items.as_ref().clone(),
            Shape::Text(text) if known && text.literal().is_some() => {
                chars = text.literal().unwrap_or_default().chars().map(|c| Value::known(c.to_string()));
                chars.collect()
            }
            _ => return Value::unknown(format!("{}[..]", base.source())).tainted(base.taint),
        };
        let picked = crate::code::script::text_ops::slice(&items, bound(0), bound(1), step);
        if let Shape::List(_) = &base.shape {
            return Value::list(picked);
        }
        let text: String = picked.iter().filter_map(Value::literal).collect();
        Value::known(text).tainted(base.taint)
    }

    pub(super) fn binary(&mut self, op: &str, left: &Expr, right: &Expr) -> Value {
        let left = self.eval(left);
        if matches!(op, "and" | "&&" | "or" | "||" | "??" | "//" | "?:") && !(op == "//" && left.number().is_some()) {
            self.uncertain += 1;
            let right = self.eval(right);
            self.uncertain -= 1;
            let both = if matches!(left.shape, Shape::Null) { vec![right] } else { vec![left, right] };
            return Value::either(both);
        }
        let right = self.eval(right);
        self.operate(op, &left, &right)
    }

    pub(super) fn operate(&mut self, op: &str, left: &Value, right: &Value) -> Value {
        let taint = left.taint.with(right.taint);
        if let (Shape::Number(a), Shape::Number(b)) = (&left.shape, &right.shape)
            && let Some(number) = crate::code::script::text_ops::arithmetic(op, *a, *b)
        {
            return Value::new(Shape::Number(number)).tainted(taint);
        }
        if let (Shape::List(a), Shape::List(b), "+") = (&left.shape, &right.shape, op) {
            return Value::list(a.iter().chain(b.iter()).cloned().collect());
        }
        if self.profile.concat.contains(&op) {
            return concat(left, right);
        }
        let is_path = matches!(left.shape, Shape::Text(_) | Shape::Unknown(_) | Shape::Either(_) | Shape::Member(..));
        if op == "/" && self.profile.slash_joins && is_path && right.number().is_none() {
            return pairwise(left, right, |a, b| join_path(&a.as_text(), &b.as_text()));
        }
        if let (Shape::Text(text), "%") = (&left.shape, op) {
            let args = right.elements().unwrap_or_else(|| vec![right.clone()]);
            return Value::text(crate::code::script::text_ops::percent(text, &args)).tainted(taint);
        }
        if let (Shape::Text(text), "*" | "x", Some(count)) = (&left.shape, op, right.number()) {
            return crate::code::script::text_ops::repeat(text, count).tainted(taint);
        }
        match op {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "in" | "not in" | "is" | "is not" | "===" | "!==" | "=~" | "!~" => {
                Value::unknown("comparison")
            }
            _ => Value::unknown(format!("{} {op} {}", left.source(), right.source())).tainted(taint),
        }
    }
}

fn element(items: &[Value], at: i64) -> Option<&Value> {
    let at = if at < 0 { at + i64::try_from(items.len()).ok()? } else { at };
    items.get(usize::try_from(at).ok()?)
}

/// One text behind another.
pub(in crate::code::script) fn concat(left: &Value, right: &Value) -> Value {
    pairwise(left, right, |a, b| a.as_text().plus(&b.as_text()))
}

/// Puts every alternative of two values together.
pub(in crate::code::script) fn pairwise(
    left: &Value,
    right: &Value,
    together: impl Fn(&Value, &Value) -> Text,
) -> Value {
    let taint = left.taint.with(right.taint);
    let mut all = Vec::new();
    for a in left.alternatives().iter().take(4) {
        for b in right.alternatives().iter().take(4) {
            let text = together(a, b);
            if text.weight() > crate::code::MAX_TEXT {
                return Value::unknown("long text").tainted(taint);
            }
            all.push(Value::text(text));
        }
    }
    Value::either(all).tainted(taint)
}

pub(super) fn parse_number(text: &str) -> Option<i64> {
    let text = text.replace('_', "");
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = lower.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok();
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        return i64::from_str_radix(digits, 2).ok();
    }
    text.trim_end_matches('n').parse().ok()
}
