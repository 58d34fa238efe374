//! Names and what they hold: assignments, patterns, variables, aliases.

use super::{Evaluator, MAX_ELEMENTS};
use crate::code::script::ast::Expr;
use crate::code::script::meaning::Meaning;
use crate::code::script::value::{Shape, Taints, Value};

impl Evaluator {
    pub(super) fn assign(&mut self, targets: &[Expr], op: &str, value: &Expr) -> Value {
        let mut value = self.eval(value);
        if op != "=" {
            let operator = op.trim_end_matches('=');
            if let [target] = targets {
                let old = self.eval(target);
                value = if matches!(operator, "||" | "&&" | "??" | "//") {
                    Value::either(vec![old, value])
                } else {
                    self.operate(operator, &old, &value)
                };
            }
        }
        for target in targets {
            self.bind(target, &value);
        }
        value
    }

    /// Gives a name, or the names of a pattern, a value.
    pub(in crate::code::script) fn bind(&mut self, target: &Expr, value: &Value) {
        match target {
            Expr::Name(name) => self.set(name, value.clone()),
            Expr::List(targets) => {
                for (at, target) in targets.iter().enumerate() {
                    let index = Value::new(Shape::Number(i64::try_from(at).unwrap_or(0)));
                    let part = match &value.shape {
                        Shape::Library(path) => Value::unknown(path.clone()).tainted(value.taint),
                        _ => self.index(value, &index),
                    };
                    self.bind(target, &part);
                }
            }
            Expr::Map(pairs) => {
                for (key, target) in pairs {
                    let part = match key {
                        Expr::Name(name) => self.attr(value, name),
                        Expr::Spread(_) => value.clone(),
                        key => {
                            let key = self.eval(key);
                            self.index(value, &key)
                        }
                    };
                    self.bind(target, &part);
                }
            }
            Expr::Assign(targets, _, default) => {
                let default = self.eval(default);
                let value = Value::either(vec![value.clone(), default]);
                targets.iter().for_each(|target| self.bind(target, &value));
            }
            Expr::Attr(base, name) => {
                let base = self.eval(base);
                if base.taint.has(Taints::ENVIRONMENT) && matches!(base.shape, Shape::Library(_)) {
                    self.environment.insert(name.clone(), value.clone());
                    return;
                }
                let path = format!("{}.{name}", base.source());
                if let Some(scope) = self.scopes.first_mut() {
                    scope.insert((self.profile.normal)(&path), value.clone());
                }
            }
            Expr::Index(base, index) => {
                let index = self.eval(index);
                let holder = self.eval(base);
                if holder.taint.has(Taints::ENVIRONMENT) && matches!(holder.shape, Shape::Library(_)) {
                    self.environment.insert(index.as_text().display(), value.clone());
                } else if let Expr::Name(name) = base.as_ref() {
                    self.put(name, &index, value.clone());
                }
            }
            Expr::Spread(inner) | Expr::Unary(_, inner) => self.bind(inner, value),
            Expr::Block(parts) => {
                if let Some(last) = parts.last() {
                    self.bind(last, value);
                }
            }
            Expr::Text(_)
            | Expr::Shell(_)
            | Expr::Number(_)
            | Expr::Slice(..)
            | Expr::Call(..)
            | Expr::Binary(..)
            | Expr::Function(_)
            | Expr::Class(..)
            | Expr::Each(..)
            | Expr::Maybe(_)
            | Expr::Either(_)
            | Expr::Import(..)
            | Expr::ImportAll(_)
            | Expr::Return(_)
            | Expr::Nothing => {}
        }
    }

    /// Sets one element of a list or dictionary that a name holds.
    pub(super) fn put(&mut self, name: &str, index: &Value, value: Value) {
        let old = self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned();
        let mut fields = match old.map(|value| value.shape) {
            Some(Shape::Map(fields)) => fields.as_ref().clone(),
            Some(Shape::List(items)) if index.number().is_none() && items.is_empty() => Vec::new(),
            Some(Shape::List(items)) => {
                let mut items = items.as_ref().clone();
                items.push(value);
                return self.set(name, Value::list(items));
            }
            None => Vec::new(),
            Some(_) => return,
        };
        if fields.len() < MAX_ELEMENTS {
            fields.push((index.as_text().display(), value));
            self.set(name, Value::map(fields));
        }
    }

    pub(in crate::code::script) fn set(&mut self, name: &str, value: Value) {
        // `$HOME` of PowerShell cannot be assigned; the statement fails and the text goes on.
        if name.starts_with('$') && self.meaning(name) == Some(Meaning::Home) {
            return;
        }
        let value = value.within_bounds();
        let value = match self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            Some(old) if self.uncertain > 0 && old.shape != Shape::Null => Value::either(vec![old.clone(), value]),
            _ => value,
        };
        let holder = self.scopes.iter().rposition(|scope| scope.contains_key(name));
        let at = holder.unwrap_or(self.scopes.len().saturating_sub(1));
        if let Some(scope) = self.scopes.get_mut(at) {
            scope.insert(name.to_owned(), value);
        }
    }

    /// Sets a name to a value, whatever it held.
    pub(in crate::code::script) fn set_fresh(&mut self, name: &str, value: Value) {
        let value = value.within_bounds();
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    /// The value of a name that is built.
    pub(in crate::code::script) fn variable_named(&mut self, name: &str) -> Value {
        self.name(name)
    }

    /// What a command is called instead.
    pub(in crate::code::script) fn alias(&self, name: &str) -> Option<Value> {
        self.aliases.get(name).cloned()
    }

    pub(in crate::code::script) fn set_alias(&mut self, name: &str, value: Value) {
        self.aliases.insert(name.to_owned(), value);
    }
}
