//! Follows values through code, without running it: every statement once, every branch, loops over known lists
//! element by element. What a call of a library does is said by [`super::call`].

use super::ast::{Arg, Expr, Function, Piece};
use super::meaning::Meaning;
use super::parse::Parsed;
use super::token::Work;
use super::value::{Shape, Taints, Value, join_path};
use crate::analysis::UnknownClass;
use crate::code::{Act, Part, Reading, Text};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A language as far as following values needs it.
pub(super) struct Profile {
    /// Text to expressions.
    pub(super) parse: fn(&str, &Work) -> Parsed,
    /// Calls that no table can tell: commands of shells. `None` leaves it to the tables.
    pub(super) special: fn(&mut Evaluator, &str, &Args) -> Option<Value>,
    /// Functions, modules' members and constants by path.
    pub(super) functions: &'static [(&'static str, Meaning)],
    /// Methods of any receiver.
    pub(super) methods: &'static [(&'static str, Meaning)],
    /// Methods of texts that are paths.
    pub(super) path_methods: &'static [(&'static str, Meaning)],
    /// Operators that put texts together.
    pub(super) concat: &'static [&'static str],
    /// `/` joins paths.
    pub(super) slash_joins: bool,
    /// A text can be called as a function of that name.
    pub(super) text_is_callable: bool,
    /// The value of the last expression is returned; members are called without parentheses.
    pub(super) everything_is_a_call: bool,
    /// File functions expand a leading `~` themselves.
    pub(super) expands_home: bool,
    /// Path of a library in its one spelling.
    pub(super) normal: fn(&str) -> String,
}

/// State while a text is followed.
pub(super) struct Evaluator {
    pub(super) profile: &'static Profile,
    pub(super) reading: Reading,
    scopes: Vec<BTreeMap<String, Value>>,
    methods: BTreeMap<String, Rc<Function>>,
    star_imports: Vec<String>,
    /// Functions in order of definition, and those that ran.
    defined: Vec<Rc<Function>>,
    is_defined: BTreeSet<*const Function>,
    ran: BTreeSet<*const Function>,
    returns: Vec<Vec<Value>>,
    active: Vec<*const Function>,
    steps: usize,
    /// Depth of the expression that is looked at.
    depth: usize,
    /// What may still be read of the text and of code that it runs.
    work: Work,
    /// Depth of code that may run not at all or an unknown number of times.
    uncertain: usize,
    /// Depth of texts run as code.
    pub(super) nested: usize,
    /// Functions that nothing in the text calls are being read: what depends on their arguments alone is left out.
    pub(super) speculative: bool,
    /// The last host or URL a connection was opened to.
    pub(super) connection: Option<Text>,
    /// The working directory, where the text changed it.
    pub(super) folder: Option<Text>,
    /// Variables of the environment that the text sets.
    environment: BTreeMap<String, Value>,
    /// Commands by another name (PowerShell).
    aliases: BTreeMap<String, Value>,
    /// Meanings that were looked up, by path.
    meanings: RefCell<HashMap<String, Option<Meaning>>>,
}

const MAX_STEPS: usize = 40_000;
/// Nesting of expressions, those of called functions included.
const MAX_DEPTH: usize = 400;
/// Bytes of a value that cost a step.
const WEIGHT_OF_STEP: usize = 1024;
const MAX_CALLS: usize = 10;
const MAX_ELEMENTS: usize = 64;
const MAX_NESTED: usize = 5;

/// Reads a text.
pub(super) fn read(profile: &'static Profile, text: &str) -> Reading {
    let mut evaluator = Evaluator {
        profile,
        reading: Reading::default(),
        scopes: vec![BTreeMap::new()],
        methods: BTreeMap::new(),
        star_imports: Vec::new(),
        defined: Vec::new(),
        is_defined: BTreeSet::new(),
        ran: BTreeSet::new(),
        returns: Vec::new(),
        active: Vec::new(),
        steps: 0,
        depth: 0,
        work: Work::of(text),
        uncertain: 0,
        nested: 0,
        speculative: false,
        connection: None,
        folder: None,
        environment: BTreeMap::new(),
        aliases: BTreeMap::new(),
        meanings: RefCell::default(),
    };
    evaluator.source(text);
    evaluator.uncalled();
    evaluator.reading
}

impl Evaluator {
    /// Reads source text in the present state.
    pub(super) fn source(&mut self, text: &str) -> Value {
        if self.nested >= MAX_NESTED {
            self.reading.doubt(UnknownClass::Limit, text);
            return Value::unknown("nested code");
        }
        self.nested += 1;
        let parsed = (self.profile.parse)(text, &self.work);
        if parsed.overflow {
            self.reading.doubt(UnknownClass::Limit, text);
        }
        let value = self.block(&parsed.program);
        if parsed.errors > 0 && super::risk::is_risky(self.profile, text) {
            self.reading.doubt(UnknownClass::Code, text);
        }
        self.nested -= 1;
        value
    }

    /// Functions that nothing called may still run: as callbacks, methods, exports.
    fn uncalled(&mut self) {
        self.speculative = true;
        let mut at = 0;
        while let Some(function) = self.defined.get(at).cloned() {
            at += 1;
            if !self.ran.contains(&Rc::as_ptr(&function)) {
                self.run(&function, &Args::default());
            }
        }
    }

    pub(super) fn block(&mut self, body: &[Expr]) -> Value {
        let mut last = Value::null();
        for expr in body {
            last = self.eval(expr);
        }
        last
    }

    fn uncertain(&mut self, body: &[Expr]) -> Value {
        self.uncertain += 1;
        let value = self.block(body);
        self.uncertain -= 1;
        value
    }

    pub(super) fn eval(&mut self, expr: &Expr) -> Value {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.depth >= MAX_DEPTH {
            self.reading.doubt(UnknownClass::Limit, "too many steps of code");
            return Value::unknown("beyond the bound");
        }
        self.depth += 1;
        let value = self.value(expr);
        self.depth -= 1;
        value
    }

    fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Name(name) => {
                let value = self.name(name);
                self.weigh(&value);
                value
            }
            Expr::Text(pieces) => {
                let value = self.text(pieces);
                self.weigh(&value);
                value
            }
            Expr::Shell(pieces) => {
                let text = self.text(pieces);
                self.shell(&text);
                self.output_of(&text)
            }
            Expr::Number(number) => parse_number(number)
                .map_or_else(|| Value::known(number.clone()), |number| Value::new(Shape::Number(number))),
            Expr::List(items) => Value::list(self.items(items)),
            Expr::Map(pairs) => self.map(pairs),
            Expr::Attr(base, name) => {
                let base = self.eval(base);
                self.attr(&base, name)
            }
            Expr::Index(base, index) => {
                let base = self.eval(base);
                let index = self.eval(index);
                self.index(&base, &index)
            }
            Expr::Slice(base, parts) => self.slice(base, parts),
            Expr::Call(callee, args) => self.call(callee, args),
            Expr::Binary(op, left, right) => self.binary(op, left, right),
            Expr::Unary(op, value) => {
                let value = self.eval(value);
                match (op.as_str(), value.number()) {
                    ("-", Some(number)) => Value::new(Shape::Number(number.saturating_neg())),
                    ("~", Some(number)) => Value::new(Shape::Number(!number)),
                    ("await" | "+" | "\\" | "@" | "&", _) => value,
                    _ => Value::unknown(op.clone()),
                }
            }
            Expr::Assign(targets, op, value) => self.assign(targets, op, value),
            Expr::Function(function) => self.define(function),
            Expr::Class(name, body) => self.class(name, body),
            Expr::Each(target, source, body) => self.each(target.as_deref(), source, body),
            Expr::Maybe(body) => self.uncertain(body),
            Expr::Block(body) => self.block(body),
            Expr::Either(values) => {
                let values = values.iter().map(|value| self.eval(value)).collect();
                Value::either(values)
            }
            Expr::Import(path, name) => {
                self.set(name, Value::library((self.profile.normal)(path)));
                Value::null()
            }
            Expr::ImportAll(path) => {
                self.star_imports.push(path.clone());
                Value::null()
            }
            Expr::Return(value) => {
                let value = self.eval(value);
                if let Some(returns) = self.returns.last_mut() {
                    returns.push(value.clone());
                }
                value
            }
            Expr::Spread(value) => self.eval(value),
            Expr::Nothing => Value::null(),
        }
    }

    /// Values are copied: large ones cost as many steps as they are large.
    fn weigh(&mut self, value: &Value) {
        if let Shape::Text(text) = &value.shape {
            self.steps = (self.steps + text.weight() / WEIGHT_OF_STEP).min(MAX_STEPS.max(self.steps));
        }
    }

    fn items(&mut self, items: &[Expr]) -> Vec<Value> {
        let mut values = Vec::new();
        for item in items {
            let value = self.eval(item);
            match (item, value.elements()) {
                (Expr::Spread(_) | Expr::Each(..), Some(elements)) => values.extend(elements),
                _ => values.push(value),
            }
        }
        values
    }

    fn map(&mut self, pairs: &[(Expr, Expr)]) -> Value {
        let mut fields = Vec::new();
        let mut spread = Taints::NONE;
        for (key, value) in pairs {
            let value = self.eval(value);
            if let Expr::Spread(base) = key {
                let base = self.eval(base);
                spread = spread.with(base.taint);
                if let Shape::Map(inner) = &base.shape {
                    fields.extend(inner.iter().cloned());
                }
                continue;
            }
            let key = match key {
                Expr::Name(name) => name.clone(),
                key => self.eval(key).as_text().display(),
            };
            fields.push((key, value));
        }
        Value::map(fields).tainted(spread)
    }

    /// The value of a name: of the text, of a star import, else of the language.
    fn name(&mut self, name: &str) -> Value {
        if let Some(value) = self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            return value.clone();
        }
        let starred = self.star_imports.iter().map(|module| (self.profile.normal)(&format!("{module}.{name}")));
        if let Some(path) = starred.into_iter().find(|path| self.meaning(path).is_some()) {
            return self.library(&path);
        }
        if name.starts_with('-') {
            return Value::library(name);
        }
        if name.starts_with(['$', '@', '%']) && self.meaning(name).is_none() {
            return Value::unknown(name);
        }
        let path = (self.profile.normal)(name);
        self.library(&path)
    }

    /// A member of a library, constants and the environment at once as values.
    pub(super) fn library(&mut self, path: &str) -> Value {
        let value = Value::library(path);
        match self.meaning(path) {
            Some(Meaning::Environment) => value.tainted(Taints::ENVIRONMENT),
            Some(Meaning::Constant(text)) => Value::known(text),
            Some(Meaning::Globals) => Value::new(Shape::Scope),
            Some(Meaning::Home) if path.starts_with('$') => Value::text(Text::variable("HOME")),
            _ => value,
        }
    }

    pub(super) fn meaning(&self, path: &str) -> Option<Meaning> {
        if let Some(meaning) = self.meanings.borrow().get(path) {
            return *meaning;
        }
        let meaning = self.looked_up(path);
        self.meanings.borrow_mut().insert(path.to_owned(), meaning);
        meaning
    }

    fn looked_up(&self, path: &str) -> Option<Meaning> {
        find(self.profile.functions, path).or_else(|| {
            // `*.name` is known by its end alone.
            let ends =
                self.profile.functions.iter().filter_map(|(known, meaning)| Some((known.strip_prefix('*')?, *meaning)));
            ends.into_iter().find(|(end, _)| path.ends_with(end)).map(|(_, meaning)| meaning)
        })
    }

    fn text(&mut self, pieces: &[Piece]) -> Value {
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
    pub(super) fn attr(&mut self, base: &Value, name: &str) -> Value {
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
            Shape::Text(path) if name == "parent" => Value::text(super::value::parent_path(path)),
            _ => self.member(base, name),
        }
    }

    pub(super) fn member(&self, base: &Value, name: &str) -> Value {
        Value { shape: Shape::Member(Rc::new(base.clone()), name.to_owned()), taint: base.taint }
    }

    /// A variable of the environment; `None` for the methods of the dictionary.
    pub(super) fn variable(&mut self, name: &Text) -> Option<Value> {
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
        Some(Value::text(Text::variable(name)).tainted(super::secrets::of_variable(name)))
    }

    pub(super) fn index(&mut self, base: &Value, index: &Value) -> Value {
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
    pub(super) fn is_library_of_note(&self, base: &Value) -> bool {
        let Shape::Library(path) = &base.shape else { return base.shape == Shape::Scope };
        let member = |known: &str| known.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'));
        self.profile.functions.iter().any(|(known, _)| member(known))
    }

    fn slice(&mut self, base: &Expr, parts: &[Option<Expr>]) -> Value {
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
        let picked = super::text_ops::slice(&items, bound(0), bound(1), step);
        if let Shape::List(_) = &base.shape {
            return Value::list(picked);
        }
        let text: String = picked.iter().filter_map(Value::literal).collect();
        Value::known(text).tainted(base.taint)
    }

    fn binary(&mut self, op: &str, left: &Expr, right: &Expr) -> Value {
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

    fn operate(&mut self, op: &str, left: &Value, right: &Value) -> Value {
        let taint = left.taint.with(right.taint);
        if let (Shape::Number(a), Shape::Number(b)) = (&left.shape, &right.shape)
            && let Some(number) = super::text_ops::arithmetic(op, *a, *b)
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
            return Value::text(super::text_ops::percent(text, &args)).tainted(taint);
        }
        if let (Shape::Text(text), "*" | "x", Some(count)) = (&left.shape, op, right.number()) {
            return super::text_ops::repeat(text, count).tainted(taint);
        }
        match op {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "in" | "not in" | "is" | "is not" | "===" | "!==" | "=~" | "!~" => {
                Value::unknown("comparison")
            }
            _ => Value::unknown(format!("{} {op} {}", left.source(), right.source())).tainted(taint),
        }
    }

    fn assign(&mut self, targets: &[Expr], op: &str, value: &Expr) -> Value {
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
    pub(super) fn bind(&mut self, target: &Expr, value: &Value) {
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
    fn put(&mut self, name: &str, index: &Value, value: Value) {
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

    pub(super) fn set(&mut self, name: &str, value: Value) {
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
    pub(super) fn set_fresh(&mut self, name: &str, value: Value) {
        let value = value.within_bounds();
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    /// The value of a name that is built.
    pub(super) fn variable_named(&mut self, name: &str) -> Value {
        self.name(name)
    }

    /// What a command is called instead.
    pub(super) fn alias(&self, name: &str) -> Option<Value> {
        self.aliases.get(name).cloned()
    }

    pub(super) fn set_alias(&mut self, name: &str, value: Value) {
        self.aliases.insert(name.to_owned(), value);
    }

    fn define(&mut self, function: &Rc<Function>) -> Value {
        let value = Value::new(Shape::Function(function.clone()));
        if !function.name.is_empty() {
            self.set(&function.name, value.clone());
        }
        if self.is_defined.insert(Rc::as_ptr(function)) {
            self.defined.push(function.clone());
        }
        value
    }

    fn class(&mut self, name: &str, body: &[Expr]) -> Value {
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

    fn each(&mut self, target: Option<&Expr>, source: &Expr, body: &[Expr]) -> Value {
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
    pub(super) fn element_of(&mut self, source: &Value) -> Value {
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

    fn call(&mut self, callee: &Expr, args: &[Arg]) -> Value {
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
    fn mutate(&mut self, variable: &str, method: &str, args: &Args) {
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

    fn args(&mut self, args: &[Arg]) -> Args {
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
    pub(super) fn run(&mut self, function: &Rc<Function>, args: &Args) -> Value {
        let pointer = Rc::as_ptr(function);
        self.ran.insert(pointer);
        if self.active.len() >= MAX_CALLS || self.active.contains(&pointer) {
            return Value::unknown(function.name.clone()).tainted(args.taint());
        }
        let bound = super::powershell::to_parameters(function, args);
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

    fn parameter(&mut self, at: usize, param: &super::ast::Param, args: &Args) {
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
    pub(super) fn own_method(&self, name: &str) -> Option<Rc<Function>> {
        self.methods.get(name).cloned()
    }

    /// Adds an act, unless it only concerns arguments that a function nobody calls would get.
    pub(super) fn act(&mut self, act: Act) {
        if !self.speculative || !super::call::is_all_unknown(&act) {
            self.reading.act(act);
        }
    }

    /// Adds an unknown, unless a function nobody calls is read.
    pub(super) fn doubt(&mut self, class: UnknownClass, text: &str) {
        if !self.speculative {
            self.reading.doubt(class, text);
        }
    }
}

/// Values of the arguments of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Args {
    pub(super) positional: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
}

/// No call of the language is special.
pub(super) fn nothing_special(_: &mut Evaluator, _: &str, _: &Args) -> Option<Value> {
    None
}

impl Args {
    pub(super) fn of(positional: Vec<Value>) -> Self {
        Self { positional, named: Vec::new() }
    }

    /// Everything that flows in.
    pub(super) fn taint(&self) -> Taints {
        let all = self.positional.iter().chain(self.named.iter().map(|(_, value)| value));
        all.fold(Taints::NONE, |taint, value| taint.with(value.taint))
    }

    /// A named argument, or a field of the last dictionary given.
    pub(super) fn option(&self, names: &[&str]) -> Option<&Value> {
        let named = self.named.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value);
        named.or_else(|| {
            let maps = self.positional.iter().rev().filter(|value| matches!(value.shape, Shape::Map(_)));
            maps.into_iter().find_map(|map| names.iter().find_map(|name| map.field(name)))
        })
    }
}

pub(super) fn find(table: &[(&str, Meaning)], name: &str) -> Option<Meaning> {
    table.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

fn element(items: &[Value], at: i64) -> Option<&Value> {
    let at = if at < 0 { at + i64::try_from(items.len()).ok()? } else { at };
    items.get(usize::try_from(at).ok()?)
}

/// One text behind another.
pub(super) fn concat(left: &Value, right: &Value) -> Value {
    pairwise(left, right, |a, b| a.as_text().plus(&b.as_text()))
}

/// Puts every alternative of two values together.
pub(super) fn pairwise(left: &Value, right: &Value, together: impl Fn(&Value, &Value) -> Text) -> Value {
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

fn parse_number(text: &str) -> Option<i64> {
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
