//! Follows values through code, without running it: every statement once, every branch, loops over known lists
//! element by element. What a call of a library does is said by [`super::call`].

mod args;
mod bind;
mod function;
mod value;

pub(super) use args::Args;
pub(super) use value::{concat, pairwise};

use self::value::parse_number;
use super::ast::{Expr, Function};
use super::meaning::Meaning;
use super::parse::Parsed;
use super::token::Work;
use super::value::{Shape, Taints, Value};
use crate::analysis::UnknownClass;
use crate::code::{Act, Reading, Text};
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

/// No call of the language is special.
pub(super) fn nothing_special(_: &mut Evaluator, _: &str, _: &Args) -> Option<Value> {
    None
}

pub(super) fn find(table: &[(&str, Meaning)], name: &str) -> Option<Meaning> {
    table.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}
