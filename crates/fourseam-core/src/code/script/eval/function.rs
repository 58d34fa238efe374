//! Functions, classes and loops of the text, and calls.

use super::{Args, Evaluator, MAX_CALLS};
use crate::code::Part;
use crate::code::script::ast::{Arg, Expr, Function};
use crate::code::script::value::{Shape, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Evaluator {
    pub(super) fn define(&mut self, function: &Rc<Function>) -> Value {
        let value = Value::new(Shape::Function(function.clone()));
        if !function.name.is_empty() {
            self.set(&function.name, value.clone());
        }
        if self.is_defined.insert(Rc::as_ptr(function)) {
            self.defined.push(function.clone());
        }
        value
    }

    pub(super) fn class(&mut self, name: &str, body: &[Expr]) -> Value {
        for expr in body {
            if let Expr::Function(function) = expr {
                self.methods.insert(function.name.clone(), function.clone());
                self.defined.push(function.clone());
            } else {
                self.eval(expr);
            }
        }
        let value = Value::unknown(name);
        self.set(name, value.clone());
        value
    }

    pub(super) fn each(&mut self, target: Option<&Expr>, source: &Expr, body: &[Expr]) -> Value {
        let source = self.eval(source);
        let elements = match (&source.shape, source.elements()) {
            (Shape::Text(text), None) if text.literal().is_some_and(|text| text.len() <= 256) => {
                let text = text.literal().unwrap_or_default();
                Some(text.chars().map(|c| Value::known(c.to_string()).tainted(source.taint)).collect())
            }
            (_, elements) => elements,
        };
        let Some(elements) = elements.filter(|elements: &Vec<Value>| elements.len() <= 512) else {
            if let Some(target) = target {
                let element = self.element_of(&source);
                self.bind(target, &element);
            }
            let value = self.uncertain(body);
            return Value::list(vec![value]);
        };
        let mut values = Vec::new();
        for element in elements {
            if let Some(target) = target {
                self.bind(target, &element);
            }
            let value = self.block(body);
            match (body.last(), value.elements()) {
                (Some(Expr::Each(..)), Some(inner)) => values.extend(inner),
                _ => values.push(value),
            }
        }
        Value::list(values)
    }

    /// One element of a value that is not known as a list.
    pub(in crate::code::script) fn element_of(&mut self, source: &Value) -> Value {
        match &source.shape {
            Shape::Text(text) if text.parts().iter().any(|part| matches!(part, Part::Glob(_))) => source.clone(),
            Shape::Either(values) => {
                let mut all = Vec::new();
                for value in values.iter() {
                    match value.elements() {
                        Some(elements) => all.extend(elements),
                        None => all.push(self.element_of(value)),
                    }
                }
                Value::either(all)
            }
            _ => Value::unknown(format!("element of {}", source.source())).tainted(source.taint),
        }
    }

    pub(super) fn call(&mut self, callee: &Expr, args: &[Arg]) -> Value {
        let args = self.args(args);
        match callee {
            Expr::Attr(base, name) => {
                if let Expr::Name(variable) = base.as_ref() {
                    self.mutate(variable, name, &args);
                }
                let base = self.eval(base);
                self.method(&base, name, &args)
            }
            Expr::Name(name) if self.profile.everything_is_a_call => {
                let bound = self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned();
                match bound {
                    Some(value) => self.apply(&value, &args),
                    None => self.library_call(&(self.profile.normal)(name), &args),
                }
            }
            callee => {
                let callee = self.eval(callee);
                self.apply(&callee, &args)
            }
        }
    }

    /// `list.append(x)` and the like change what a name holds.
    pub(super) fn mutate(&mut self, variable: &str, method: &str, args: &Args) {
        let appends = matches!(method, "append" | "push" | "add" | "insert" | "appendleft" | "unshift");
        let extends = matches!(method, "extend" | "concat");
        let Some(list) = self.scopes.iter().rev().find_map(|scope| scope.get(variable)) else { return };
        let Shape::List(items) = &list.shape else { return };
        let mut items = items.as_ref().clone();
        if appends && items.len() < 512 {
            items.extend(args.positional.last().cloned());
        } else if extends && items.len() < 512 {
            let more = args.positional.first().cloned().unwrap_or_else(Value::null);
            items.extend(more.elements().unwrap_or_else(|| vec![more]));
        } else {
            return;
        }
        let list = Value::list(items).within_bounds();
        if let Some(scope) = self.scopes.iter_mut().rev().find(|scope| scope.contains_key(variable)) {
            scope.insert(variable.to_owned(), list);
        }
    }

    pub(super) fn args(&mut self, args: &[Arg]) -> Args {
        let mut values = Args::default();
        for arg in args {
            let value = self.eval(&arg.value);
            match (&arg.name, &arg.value) {
                (Some(name), _) => values.named.push((name.clone(), value)),
                (None, Expr::Spread(_)) => match (&value.shape, value.elements()) {
                    (Shape::Map(fields), _) => values.named.extend(fields.iter().cloned()),
                    (_, Some(elements)) => values.positional.extend(elements),
                    (_, None) => values.positional.push(value),
                },
                (None, _) => values.positional.push(value),
            }
        }
        values
    }

    /// Runs a function of the text.
    pub(in crate::code::script) fn run(&mut self, function: &Rc<Function>, args: &Args) -> Value {
        let pointer = Rc::as_ptr(function);
        self.ran.insert(pointer);
        if self.active.len() >= MAX_CALLS || self.active.contains(&pointer) {
            return Value::unknown(function.name.clone()).tainted(args.taint());
        }
        let bound = crate::code::script::powershell::to_parameters(function, args);
        let args = &bound;
        self.active.push(pointer);
        self.scopes.push(BTreeMap::new());
        self.returns.push(Vec::new());
        let uncertain = std::mem::take(&mut self.uncertain);
        for (at, param) in function.params.iter().enumerate() {
            self.parameter(at, param, args);
        }
        let last = self.block(&function.body);
        self.uncertain = uncertain;
        self.scopes.pop();
        self.active.pop();
        let mut returns = self.returns.pop().unwrap_or_default();
        if function.name.is_empty() || self.profile.everything_is_a_call {
            returns.push(last);
        }
        if returns.is_empty() { Value::null() } else { Value::either(returns) }
    }

    pub(super) fn parameter(&mut self, at: usize, param: &crate::code::script::ast::Param, args: &Args) {
        let name = match &param.target {
            Expr::Name(name) => name.clone(),
            _ => String::new(),
        };
        let named = args.named.iter().find(|(given, _)| *given == name).map(|(_, value)| value.clone());
        let rest = matches!(param.target, Expr::Spread(_));
        let value = if rest {
            Value::list(args.positional.iter().skip(at).cloned().collect())
        } else {
            match (named.or_else(|| args.positional.get(at).cloned()), &param.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.eval(default),
                (None, None) => Value::unknown(if name.is_empty() { "parameter".to_owned() } else { name }),
            }
        };
        let target = match &param.target {
            Expr::Spread(inner) => inner.as_ref(),
            target => target,
        };
        // A parameter is a fresh name, whatever stands outside.
        if let (Expr::Name(name), Some(scope)) = (target, self.scopes.last_mut()) {
            scope.insert(name.clone(), value);
        } else {
            self.bind(target, &value);
        }
    }

    /// A method that the text defines in a class.
    pub(in crate::code::script) fn own_method(&self, name: &str) -> Option<Rc<Function>> {
        self.methods.get(name).cloned()
    }
}
