//! What happens when something is called: functions of the text, methods, libraries by their [`Meaning`].

use super::eval::{Args, Evaluator, concat, find, pairwise};
use super::meaning::{Decoding, Meaning};
use super::value::{Shape, Taints, Value, expand_home, join_path, parent_path};
use super::{risk, secrets, text_ops};
use crate::analysis::{EffectKind, SqlClass, UnknownClass};
use crate::code::{Act, ActTarget, Part, Text};
use std::rc::Rc;

impl Evaluator {
    /// Calls a value.
    pub(super) fn apply(&mut self, callee: &Value, args: &Args) -> Value {
        match &callee.shape {
            Shape::Library(path) => self.library_call(path, args),
            Shape::Function(function) => {
                let function = function.clone();
                self.run(&function, args)
            }
            Shape::Member(base, name) => {
                let (base, name) = (base.clone(), name.clone());
                self.method(&base, &name, args)
            }
            Shape::Dynamic(source) => {
                self.doubt(UnknownClass::Code, source);
                Value::unknown(source.clone()).tainted(args.taint())
            }
            Shape::Text(name) if self.profile.text_is_callable => match name.literal().map(str::to_owned) {
                Some(name) => self.library_call(&(self.profile.normal)(&name), args),
                None => {
                    self.doubt(UnknownClass::Code, &name.display());
                    Value::unknown(name.display()).tainted(args.taint())
                }
            },
            Shape::Either(values) => {
                let values = values.clone();
                let results = values.iter().map(|value| self.apply(value, args)).collect();
                Value::either(results)
            }
            _ => {
                if callee.taint.has(Taints::DECODED) && self.profile.text_is_callable {
                    self.doubt(UnknownClass::DecodedCode, &callee.source());
                }
                self.callbacks(&Value::null(), args);
                Value::unknown(format!("{}()", callee.source())).tainted(callee.taint.with(args.taint()))
            }
        }
    }

    /// Calls a member of a value.
    pub(super) fn method(&mut self, base: &Value, name: &str, args: &Args) -> Value {
        if let Some(value) = self.called_by_name(base, name, args) {
            return value;
        }
        match &base.shape {
            Shape::Library(path) if self.meaning(path) == Some(Meaning::Environment) => {
                return self.environment_method(base, name, args);
            }
            Shape::Library(path) => {
                let path = path.clone();
                return self.library_member(&path, name, args);
            }
            Shape::Dynamic(source) if !find(self.profile.methods, name).is_some_and(risk::has_effect) => {
                self.doubt(UnknownClass::Code, &format!("{source}.{name}"));
                return Value::unknown(source.clone()).tainted(args.taint());
            }
            Shape::Scope => {
                if matches!(name, "get" | "fetch") && !args.positional.is_empty() {
                    let key = args.positional.first().cloned().unwrap_or_else(Value::null);
                    return self.index(base, &key);
                }
                let member = self.attr(base, name);
                return self.apply(&member, args);
            }
            Shape::Either(values) => {
                let results = values.clone().iter().map(|value| self.method(value, name, args)).collect();
                return Value::either(results);
            }
            Shape::Map(_) => {
                if let Some(member) = base.field(name).cloned() {
                    return self.apply(&member, args);
                }
                if let ("get" | "fetch" | "pop", Some(key)) = (name, args.positional.first()) {
                    return self.index(base, key);
                }
                if name == "values" {
                    let Shape::Map(fields) = &base.shape else { return Value::null() };
                    return Value::list(fields.iter().map(|(_, value)| value.clone()).collect());
                }
                if name == "items" {
                    let Shape::Map(fields) = &base.shape else { return Value::null() };
                    let pairs =
                        fields.iter().map(|(key, value)| Value::list(vec![Value::known(key.clone()), value.clone()]));
                    return Value::list(pairs.collect());
                }
            }
            _ => {}
        }
        if let Some(value) = self.mapped(base, name, args) {
            return value;
        }
        if let Some(value) = text_ops::method(base, name, args) {
            return value;
        }
        // PowerShell calls a member of a list on each element.
        if let Shape::List(items) = &base.shape
            && !items.is_empty()
            && items.iter().all(|item| matches!(item.shape, Shape::Library(_)))
        {
            return Value::list(items.clone().iter().map(|item| self.method(item, name, args)).collect());
        }
        self.member_call(base, name, args)
    }

    /// `list.map(f)`, `list.reduce(f)`, `promise.then(f)`: the value is what the function makes.
    fn mapped(&mut self, base: &Value, name: &str, args: &Args) -> Option<Value> {
        let callee = args.positional.first()?.clone();
        if !matches!(callee.shape, Shape::Function(_) | Shape::Library(_) | Shape::Dynamic(_)) {
            return None;
        }
        match (name, base.elements()) {
            ("then", _) => Some(self.apply(&callee, &Args::of(vec![base.clone()])).tainted(base.taint)),
            ("map" | "collect" | "flatMap", Some(elements)) if elements.len() <= 256 => {
                let results = elements.into_iter().map(|element| self.apply(&callee, &Args::of(vec![element])));
                Some(Value::list(results.collect()))
            }
            ("reduce" | "inject", Some(elements)) if elements.len() <= 256 => {
                let start = args.positional.get(1).cloned();
                let mut elements = elements.into_iter();
                let mut whole = start.or_else(|| elements.next())?;
                for element in elements {
                    whole = self.apply(&callee, &Args::of(vec![whole, element]));
                }
                Some(whole)
            }
            _ => None,
        }
    }

    fn member_call(&mut self, base: &Value, name: &str, args: &Args) -> Value {
        let mut with_receiver = args.clone();
        with_receiver.positional.insert(0, base.clone());
        if let Shape::Instance(path, _) = &base.shape {
            let full = format!("{path}().{name}");
            if let Some(meaning) = self.meaning(&full) {
                return self.carry_out(meaning, name, &with_receiver);
            }
            if let Some(value) = (self.profile.special)(self, &full, args) {
                return value;
            }
        }
        if let Some(function) = self.own_method(name) {
            let own = if function.params.first().is_some_and(is_receiver) { &with_receiver } else { args };
            return self.run(&function, own);
        }
        if matches!(base.shape, Shape::Text(_))
            && let Some(meaning) = find(self.profile.path_methods, name)
        {
            return self.carry_out(meaning, name, &with_receiver);
        }
        if let Some(meaning) = find(self.profile.methods, name) {
            return self.carry_out(meaning, name, &with_receiver);
        }
        self.callbacks(base, args);
        let source = if args.positional.is_empty() { base.source() } else { format!("{}.{name}()", base.source()) };
        let taint = base.taint.with(args.taint());
        match &base.shape {
            // Reading a file's handle or a response gives its content.
            Shape::Content(_) => base.clone(),
            Shape::Instance(path, inner) => {
                Value { shape: Shape::Instance(format!("{path}().{name}"), inner.clone()), taint }
            }
            _ => Value::unknown(source).tainted(taint),
        }
    }

    /// `f.call(this, x)`, `f.apply(this, [x])`, `f.bind(null)`, `method.call(x)`.
    fn called_by_name(&mut self, base: &Value, name: &str, args: &Args) -> Option<Value> {
        let callable = match &base.shape {
            Shape::Library(path) => self.meaning(path).is_some(),
            Shape::Function(_) | Shape::Dynamic(_) => true,
            _ => false,
        };
        if !callable {
            return None;
        }
        // JavaScript passes `this` first, Ruby and Lua do not.
        let passes_this = !self.profile.everything_is_a_call;
        let rest: Vec<Value> = args.positional.iter().skip(usize::from(passes_this)).cloned().collect();
        match name {
            "call" | "__call__" | "yield" | "submit" if name != "__call__" => Some(self.apply(base, &Args::of(rest))),
            "__call__" | "invoke" | "invokereturnasis" | "begininvoke" => Some(self.apply(base, args)),
            "bind" if rest.is_empty() => Some(base.clone()),
            "bind" => Some(self.apply(base, &Args::of(rest))),
            "apply" => {
                let list = rest.first().map(|list| list.elements().unwrap_or_else(|| vec![list.clone()]));
                Some(self.apply(base, &Args::of(list.unwrap_or_default())))
            }
            "constructor" => Some(self.carry_out(Meaning::Define, name, args)),
            _ => None,
        }
    }

    fn environment_method(&mut self, base: &Value, name: &str, args: &Args) -> Value {
        match (name, args.positional.first()) {
            ("get" | "fetch" | "pop" | "setdefault" | "__getitem__" | "dig", Some(key)) => {
                let value = self.index(base, key);
                match args.positional.get(1) {
                    Some(default) => Value::either(vec![value, default.clone()]),
                    None => value,
                }
            }
            ("toObject" | "copy" | "items" | "values" | "to_h" | "to_a" | "map" | "each" | "to_s" | "inspect", _) => {
                Value::unknown("environment").tainted(Taints::ENVIRONMENT)
            }
            _ => Value::unknown(format!("{}.{name}()", base.source())).tainted(base.taint),
        }
    }

    fn library_member(&mut self, path: &str, name: &str, args: &Args) -> Value {
        let full = (self.profile.normal)(&format!("{path}.{name}"));
        if self.meaning(&full).is_some() {
            return self.library_call(&full, args);
        }
        match self.own_method(name) {
            Some(function) if find(self.profile.methods, name).is_none() => self.run(&function, args),
            _ => self.library_call(&full, args),
        }
    }

    /// Calls a function of a library by its path.
    pub(super) fn library_call(&mut self, path: &str, args: &Args) -> Value {
        if let Some(value) = (self.profile.special)(self, path, args) {
            return value;
        }
        if let Some(meaning) = self.meaning(path) {
            return self.carry_out(meaning, path, args);
        }
        let method =
            path.rsplit_once('.').and_then(|(base, name)| Some((base, name, find(self.profile.methods, name)?)));
        match method {
            Some((base, name, meaning)) => {
                let mut with_receiver = args.clone();
                with_receiver.positional.insert(0, Value::library(base));
                self.carry_out(meaning, name, &with_receiver)
            }
            None => {
                self.callbacks(&Value::null(), args);
                let shape = Shape::Instance(path.to_owned(), Rc::new(args.positional.clone()));
                Value { shape, taint: args.taint() }
            }
        }
    }

    /// Functions among the arguments of a call that is otherwise quiet.
    pub(super) fn callbacks_of(&mut self, args: &Args) {
        self.callbacks(&Value::null(), args);
    }

    /// Functions given to a call that is not known run with whatever the receiver holds.
    fn callbacks(&mut self, receiver: &Value, args: &Args) {
        let all = args.positional.iter().enumerate().map(|(at, value)| (at, value.clone()));
        let named = args.named.iter().map(|(_, value)| (usize::MAX, value.clone()));
        for (at, value) in all.chain(named).collect::<Vec<_>>() {
            let runs = match &value.shape {
                Shape::Function(_) | Shape::Dynamic(_) => true,
                Shape::Library(path) => self.meaning(path).is_some_and(risk::has_effect),
                _ => false,
            };
            if runs {
                self.callback(receiver, &value, at, args);
            }
        }
    }

    fn callback(&mut self, receiver: &Value, callee: &Value, at: usize, args: &Args) {
        let given = args.option(&["args", "initargs", "a"]).and_then(Value::elements);
        let behind: Vec<Value> = args.positional.iter().skip(at.saturating_add(1)).cloned().collect();
        let lists: Vec<Vec<Value>> = match (given, behind.as_slice()) {
            (Some(given), _) => vec![given],
            (None, []) => match receiver.elements() {
                Some(elements) => elements.into_iter().take(32).map(|element| vec![element]).collect(),
                None if receiver.shape == Shape::Null => vec![Vec::new()],
                None => vec![vec![self.element_or_self(receiver)]],
            },
            (None, [only]) => match only.elements() {
                Some(elements) => elements.into_iter().take(32).map(|element| vec![element]).collect(),
                None => vec![vec![self.element_or_self(only)]],
            },
            (None, _) => vec![behind],
        };
        for list in lists {
            let args = if list.is_empty() { Args::of(vec![Value::unknown("argument")]) } else { Args::of(list) };
            self.apply(callee, &args);
        }
    }

    /// What a callback is given: the receiver's content as it is, since `then` unwraps and `map` goes over lists.
    fn element_or_self(&mut self, receiver: &Value) -> Value {
        match &receiver.shape {
            Shape::Text(_) | Shape::Either(_) | Shape::Instance(..) => receiver.clone(),
            _ => self.element_of(receiver),
        }
    }

    /// Carries out what a function means, and runs the functions it is given with what it gives.
    pub(super) fn carry_out(&mut self, meaning: Meaning, name: &str, args: &Args) -> Value {
        let value = self.meant(meaning, name, args);
        let functions = args.positional.iter().filter(|value| matches!(value.shape, Shape::Function(_)));
        for function in functions.cloned().collect::<Vec<_>>() {
            self.hand_over(&function, &value);
        }
        value
    }

    /// Runs a callback or block with a result: alone, behind an error, or element by element.
    fn hand_over(&mut self, callee: &Value, value: &Value) {
        let Shape::Function(function) = &callee.shape else { return };
        let lists = if self.profile.everything_is_a_call { value.elements() } else { None };
        match lists {
            Some(elements) => elements.into_iter().take(32).for_each(|element| {
                self.apply(callee, &Args::of(vec![element]));
            }),
            None if function.params.len() >= 2 && !self.profile.everything_is_a_call => {
                self.apply(callee, &Args::of(vec![Value::null(), value.clone()]));
            }
            None => {
                self.apply(callee, &Args::of(vec![value.clone()]));
            }
        }
    }

    fn meant(&mut self, meaning: Meaning, name: &str, args: &Args) -> Value {
        let arg = |at: usize| args.positional.get(at).cloned();
        let value = |at: usize| arg(at).unwrap_or_else(Value::null);
        match meaning {
            Meaning::Delete(at) => {
                let flags = args.option(&["recursive", "force_recursive", "r"]);
                let recursive =
                    flags.is_some_and(|flag| flag.literal().is_none_or(|text| text != "0" && text != "false"));
                self.paths(EffectKind::Delete, "delete", &self.path_argument(args, at), recursive, Taints::NONE);
            }
            Meaning::DeleteAll => self.each_path(args, false),
            Meaning::DeleteTree(at) => {
                self.paths(EffectKind::Delete, "delete", &self.path_argument(args, at), true, Taints::NONE);
            }
            Meaning::DeleteTrees => self.each_path(args, true),
            Meaning::Move(from, to) => {
                self.paths(EffectKind::Delete, "move", &value(from), false, Taints::NONE);
                let taint = self.taint_of_files(&value(from));
                self.paths(EffectKind::Overwrite, "move", &value(to), false, taint);
            }
            Meaning::Copy(from, to) => {
                self.paths(EffectKind::Read, "read", &value(from), false, Taints::NONE);
                let taint = self.taint_of_files(&value(from));
                self.paths(EffectKind::Overwrite, "copy", &value(to), false, taint);
            }
            Meaning::Link(at) => self.paths(EffectKind::Write, "link", &value(at), false, Taints::NONE),
            Meaning::Open(at) => return self.open(args, at),
            Meaning::ReadFile(at) => return self.read_file(&self.path_argument(args, at)),
            Meaning::Overwrite(at) => {
                let taint = args.taint().without(Taints::FILES);
                self.paths(EffectKind::Overwrite, "overwrite", &self.path_argument(args, at), false, taint);
            }
            Meaning::Append(at) => {
                self.paths(EffectKind::Write, "append", &self.path_argument(args, at), false, args.taint());
            }
            Meaning::Create(at) => {
                self.paths(EffectKind::Write, "create", &self.path_argument(args, at), false, Taints::NONE);
            }
            Meaning::Extract(at) => {
                let folder = args.option(&["path", "extract_dir", "cwd", "dir"]).cloned().or_else(|| arg(at));
                let folder = folder.unwrap_or_else(|| Value::known("."));
                self.paths(EffectKind::Write, "extract", &folder, true, args.taint());
            }
            Meaning::Rights(at) => self.paths(EffectKind::Privilege, "mode", &value(at), false, Taints::NONE),
            Meaning::Shell(_) | Meaning::Spawn(_) | Meaning::Program(_) | Meaning::Exec(_) | Meaning::System => {
                return self.in_option_folder(args, |evaluator| evaluator.start(meaning, args));
            }
            Meaning::ChangeFolder(at) => self.change_folder(&value(at)),
            Meaning::Kill(at) => {
                let target = ActTarget::Resource(value(at).as_text());
                self.effect(EffectKind::Process, "kill", target, false, Taints::NONE);
            }
            Meaning::Eval(at) => {
                let code = args.option(&["input_code", "code"]).cloned().or_else(|| arg(at));
                return self.run_code(&code.unwrap_or_else(Value::null));
            }
            Meaning::Define => {
                let code = args.positional.last().cloned().unwrap_or_else(Value::null);
                self.run_code(&code);
                return Value::unknown("function");
            }
            Meaning::Import(at) => return self.import(&value(at)),
            Meaning::RunFile(at) => {
                let file = self.path_argument(args, at);
                return self.run_file(&file);
            }
            Meaning::Named(at) => {
                return match value(at).literal() {
                    Some(name) => self.library(&(self.profile.normal)(&name)),
                    None => Value::new(Shape::Dynamic(format!("{name}({})", value(at).source()))),
                };
            }
            Meaning::Member => {
                let (object, name) = (value(0), value(1));
                return match (name.literal(), &object.shape) {
                    (Some(name), _) => self.attr(&object, &name),
                    (None, Shape::Library(_) | Shape::Scope | Shape::Dynamic(_)) => {
                        Value::new(Shape::Dynamic(format!("{}.{}", object.source(), name.source())))
                    }
                    (None, _) => Value::unknown(format!("{}.{}", object.source(), name.source())),
                };
            }
            Meaning::Send => {
                let object = value(0);
                let rest = Args::of(args.positional.iter().skip(2).cloned().collect());
                let Some(method) = value(1).literal() else {
                    self.doubt(UnknownClass::Code, &format!("{}.{name}", object.source()));
                    return Value::unknown(name);
                };
                return match &object.shape {
                    Shape::Null => self.library_call(&(self.profile.normal)(&method), &rest),
                    _ => self.method(&object, &method, &rest),
                };
            }
            Meaning::Scope | Meaning::Globals => return Value::new(Shape::Scope),
            Meaning::Obscure => self.doubt(UnknownClass::Code, name),
            Meaning::Deserialize(at) => {
                let data = value(at);
                if data.taint.has(Taints::DECODED.with(Taints::DOWNLOAD)) {
                    self.doubt(UnknownClass::DecodedCode, name);
                }
                return Value::unknown(name).tainted(data.taint);
            }
            Meaning::Call(at) => {
                let given = args.option(&["args"]).and_then(Value::elements);
                let callee = args.option(&["target", "func"]).cloned().unwrap_or_else(|| value(at));
                let rest = given.unwrap_or_else(|| args.positional.iter().skip(at + 1).cloned().collect());
                let is_name = matches!(callee.shape, Shape::Text(_) | Shape::Unknown(_));
                if is_name && callee.literal().is_none() {
                    self.doubt(UnknownClass::Code, &format!("{name}({})", callee.source()));
                    return Value::unknown(name);
                }
                if let (Shape::Text(_), Some(name)) = (&callee.shape, callee.literal()) {
                    return self.library_call(&(self.profile.normal)(&name), &Args::of(rest));
                }
                return self.apply(&callee, &Args::of(rest));
            }
            Meaning::MapCall(at, list) => {
                let callee = value(at);
                let list = value(list);
                let elements = list.elements().unwrap_or_else(|| vec![self.element_of(&list)]);
                let known = matches!(callee.shape, Shape::Text(_) if callee.literal().is_none());
                if known {
                    self.doubt(UnknownClass::Code, &format!("{name}({})", callee.source()));
                }
                if matches!(callee.shape, Shape::Unknown(_) | Shape::Null) || known {
                    return Value::list(elements).tainted(args.taint());
                }
                let results =
                    elements.into_iter().take(64).map(|element| self.apply(&callee, &Args::of(vec![element])));
                return Value::list(results.collect());
            }
            Meaning::CallList(at, list) => {
                let list = value(list);
                let list = list.elements().unwrap_or_else(|| vec![list]);
                let rest = std::iter::once(value(at)).chain(list).collect();
                return self.carry_out(Meaning::Call(0), name, &Args::of(rest));
            }
            Meaning::Request(at) => return self.request(args, at, name),
            Meaning::Post(at) => {
                self.network("send", &self.url_argument(args, at), self.sent(args));
                return Value::unknown("response").tainted(Taints::DOWNLOAD);
            }
            Meaning::Remove(at) => {
                self.network("http-delete", &self.url_argument(args, at), self.sent(args));
                return Value::unknown("response").tainted(Taints::DOWNLOAD);
            }
            Meaning::Download(from, to) => {
                self.network("receive", &self.url_argument(args, from), self.sent(args));
                let file = args.option(&["filename", "destfile", "out"]).cloned().or_else(|| arg(to));
                if let Some(file) = file {
                    self.paths(EffectKind::Overwrite, "download", &file, false, Taints::DOWNLOAD);
                }
            }
            Meaning::Connect(at) => return self.connect(args, at),
            Meaning::Transmit => {
                if let (Some(host), true) = (self.connection.clone(), args.taint() != Taints::NONE) {
                    let taint = args.taint();
                    self.effect(EffectKind::Network, "send", host_target(&host), false, taint);
                }
            }
            Meaning::Listen => self.effect(EffectKind::Network, "listen", ActTarget::None, false, Taints::NONE),
            Meaning::Sql(at) => self.statements(args, at, true),
            Meaning::MaybeSql(at) => self.statements(args, at, false),
            Meaning::DeleteRows => {
                let picks = args.positional.first().is_some_and(|from| from.source().contains("where"));
                self.statement(if picks { SqlClass::Write } else { SqlClass::Unbounded }, name, args);
            }
            Meaning::Statement(class) => self.statement(class, name, args),
            Meaning::Documents(at) => {
                let class = super::database::filtered(args.positional.get(at));
                self.statement(class, name, args);
            }
            Meaning::Aggregate(at) => {
                let class = super::database::pipeline(args.positional.get(at));
                self.statement(class, name, args);
            }
            Meaning::DatabaseCommand(at) => {
                let class = super::database::command(args.positional.get(at));
                self.statement(class, name, args);
            }
            Meaning::Environment
            | Meaning::Variable(_)
            | Meaning::Home
            | Meaning::Temporary
            | Meaning::ExpandHome(_)
            | Meaning::Join
            | Meaning::Same(_)
            | Meaning::Glob(_)
            | Meaning::Names(_)
            | Meaning::Entries(_)
            | Meaning::Walk(_)
            | Meaning::Parent(_)
            | Meaning::Decode(..)
            | Meaning::Character
            | Meaning::Ordinal(_)
            | Meaning::Concat
            | Meaning::Collect
            | Meaning::Source
            | Meaning::JoinWith
            | Meaning::Replace
            | Meaning::Sprintf
            | Meaning::Reverse(_)
            | Meaning::Constant(_)
            | Meaning::Brings(_)
            | Meaning::Quiet => return self.compute(meaning, name, args),
        }
        Value::unknown(name).tainted(args.taint())
    }

    /// Meanings that start a program.
    fn start(&mut self, meaning: Meaning, args: &Args) -> Value {
        match meaning {
            Meaning::Spawn(at) => self.spawn(args, at),
            Meaning::Program(at) => self.program(args, at, 1),
            Meaning::Exec(at) => self.program(args, at, 2),
            Meaning::System => self.system(args),
            Meaning::Shell(at) => {
                let text = args.positional.get(at).or_else(|| args.option(&["cmd", "command", "args"])).cloned();
                let text = text.unwrap_or_else(Value::null);
                self.shell(&text);
                self.output_of(&text)
            }
            _ => Value::null(),
        }
    }

    /// Meanings that only give a value.
    fn compute(&mut self, meaning: Meaning, name: &str, args: &Args) -> Value {
        let value = |at: usize| args.positional.get(at).cloned().unwrap_or_else(Value::null);
        let below = |at: usize, glob: &str| {
            let glob = Value::text(Text::of(Part::Glob(glob.to_owned())));
            pairwise(&value(at), &glob, |base, glob| {
                let base = base.as_text();
                let base = if base.parts().is_empty() { Text::known(".") } else { base };
                join_path(&base, &glob.as_text())
            })
        };
        match meaning {
            Meaning::Variable(at) => {
                let name = value(at).as_text();
                if args.positional.get(at).is_none() {
                    return Value::unknown("environment").tainted(Taints::ENVIRONMENT);
                }
                let variable = self.variable(&name).unwrap_or_else(|| Value::unknown(name.display()));
                match args.positional.get(at + 1) {
                    Some(default) => Value::either(vec![variable, default.clone()]),
                    None => variable,
                }
            }
            Meaning::Home => Value::text(Text::variable("HOME")),
            Meaning::Temporary => Value::text(Text::known("/tmp/").plus(&Text::unknown(name))),
            Meaning::ExpandHome(at) => {
                let path = value(at);
                let paths = path.alternatives().into_iter().map(|one| match &one.shape {
                    Shape::Text(text) => Value::text(expand_home(text)),
                    _ => one,
                });
                let home = Value::either(paths.collect()).tainted(path.taint);
                match (name.ends_with("expand_path"), args.positional.get(at + 1)) {
                    (true, Some(base)) => {
                        pairwise(base, &home, |base, path| join_path(&base.as_text(), &path.as_text()))
                    }
                    _ => home,
                }
            }
            Meaning::Join => {
                let parts: Vec<Value> = args
                    .positional
                    .iter()
                    .flat_map(|part| part.elements().unwrap_or_else(|| vec![part.clone()]))
                    .collect();
                let first = parts.first().cloned().unwrap_or_else(|| Value::known("."));
                parts.iter().skip(1).fold(first, |whole, part| {
                    pairwise(&whole, part, |base, name| join_path(&base.as_text(), &name.as_text()))
                })
            }
            Meaning::Same(at) => value(at).tainted(args.taint()),
            Meaning::Glob(at) => {
                let last = value(args.positional.len().saturating_sub(1).max(at));
                let deep = name.contains("rglob");
                let glob = glob_text(&last.as_text(), deep);
                let path = match (at, args.positional.len()) {
                    // A method: the receiver is the folder.
                    (1, _) => pairwise(&value(0), &Value::text(glob), |base, glob| {
                        join_path(&base.as_text(), &glob.as_text())
                    }),
                    _ => Value::text(expand_home(&glob)),
                };
                Value::list(vec![path])
            }
            Meaning::Names(_) => Value::list(vec![Value::text(Text::of(Part::Glob("*".to_owned())))]),
            Meaning::Entries(at) => Value::list(vec![below(at, "*")]),
            Meaning::Walk(at) => {
                let deep = || Value::list(vec![Value::text(Text::of(Part::Glob("**".to_owned())))]);
                let folder = args.positional.get(at).cloned().unwrap_or_else(|| Value::known("."));
                Value::list(vec![Value::list(vec![folder, deep(), deep()])])
            }
            Meaning::Parent(at) => {
                let path = value(at);
                let parents = path.alternatives().into_iter().map(|path| Value::text(parent_path(&path.as_text())));
                Value::either(parents.collect()).tainted(path.taint)
            }
            Meaning::Decode(Decoding::Named, at) => {
                let decoding = match value(at + 1).literal().map(|name| name.to_ascii_lowercase()).as_deref() {
                    Some("base64" | "base64url" | "b64") => Decoding::Base64,
                    Some("hex" | "hex_codec") => Decoding::Hex,
                    Some("rot13" | "rot_13" | "rot-13") => Decoding::Rot13,
                    Some("zlib" | "bz2" | "gzip" | "uu") => Decoding::Other,
                    _ => return value(at),
                };
                text_ops::decode(decoding, &value(at))
            }
            Meaning::Decode(decoding, at) => text_ops::decode(decoding, &value(at)),
            Meaning::Character => {
                let codes =
                    args.positional.iter().flat_map(|code| code.elements().unwrap_or_else(|| vec![code.clone()]));
                codes.fold(Value::known(""), |whole, code| match code.number() {
                    Some(number) => concat(&whole, &Value::text(text_ops::character(number))),
                    None => concat(&whole, &Value::unknown("character").tainted(code.taint)),
                })
            }
            Meaning::Ordinal(at) => match value(at).literal().and_then(|text| text.chars().next()) {
                Some(c) => Value::new(Shape::Number(i64::from(u32::from(c)))),
                None => Value::unknown(name).tainted(args.taint()),
            },
            Meaning::Concat => args.positional.iter().fold(Value::known(""), |whole, next| concat(&whole, next)),
            Meaning::Collect => Value::list(args.positional.clone()),
            Meaning::Source => args.option(&["text"]).cloned().unwrap_or_else(|| value(0)),
            Meaning::Replace => match (value(0).literal(), value(1).literal(), value(2).literal()) {
                (Some(from), Some(to), Some(text)) => Value::known(text.replace(&from, &to)).tainted(args.taint()),
                _ => Value::unknown(name).tainted(args.taint()),
            },
            Meaning::Sprintf => {
                let rest: Vec<Value> = args
                    .positional
                    .iter()
                    .skip(1)
                    .flat_map(|arg| arg.elements().unwrap_or_else(|| vec![arg.clone()]))
                    .collect();
                Value::text(text_ops::percent(&value(0).as_text(), &rest)).tainted(args.taint())
            }
            Meaning::JoinWith => {
                let rest = args.positional.iter().skip(1);
                let items: Vec<Value> =
                    rest.flat_map(|part| part.elements().unwrap_or_else(|| vec![part.clone()])).collect();
                text_ops::join(&items, args.positional.first(), args.taint())
            }
            Meaning::Reverse(at) => text_ops::method(&value(at), "reverse", &Args::default())
                .unwrap_or_else(|| Value::unknown(name).tainted(args.taint())),
            Meaning::Constant(text) => Value::known(text),
            Meaning::Brings(taint) => Value::unknown(name).tainted(taint.with(args.taint())),
            Meaning::Environment => Value::unknown("environment").tainted(Taints::ENVIRONMENT),
            // Quiet, and the meanings that are carried out elsewhere.
            _ => {
                self.callbacks(&Value::null(), args);
                Value::unknown(name).tainted(args.taint())
            }
        }
    }

    /// What reading this path brings in.
    pub(super) fn taint_of_files(&self, path: &Value) -> Taints {
        path.alternatives().iter().fold(Taints::NONE, |taint, path| taint.with(secrets::of_file(&path.as_text())))
    }
}

/// Two paths, one below the other.
pub(super) fn joined(base: &Value, name: &Value) -> Value {
    pairwise(base, name, |base, name| join_path(&base.as_text(), &name.as_text()))
}

fn is_receiver(param: &super::ast::Param) -> bool {
    matches!(&param.target, super::ast::Expr::Name(name) if matches!(name.as_str(), "self" | "cls" | "$self" | "this"))
}

/// A pattern with its globs active.
pub(super) fn glob_text(pattern: &Text, deep: bool) -> Text {
    let mut text = Text::default();
    for part in pattern.parts() {
        let Part::Known(known) = part else {
            text.push(part.clone());
            continue;
        };
        let mut rest = known.as_str();
        while let Some(at) = rest.find(['*', '?']) {
            let (before, glob) = rest.split_at_checked(at).unwrap_or((rest, ""));
            text.push(Part::Known(before.to_owned()));
            let width = glob.chars().take_while(|c| matches!(c, '*' | '?')).count();
            let (glob, after) = glob.split_at_checked(width).unwrap_or((glob, ""));
            text.push(Part::Glob(if deep { "**".to_owned() } else { glob.to_owned() }));
            rest = after;
        }
        text.push(Part::Known(rest.to_owned()));
    }
    text
}

fn host_target(host: &Text) -> ActTarget {
    if host.display().contains("://") { ActTarget::Url(host.clone()) } else { ActTarget::Host(host.clone()) }
}

/// Nothing of what the act is about is known.
pub(super) fn is_all_unknown(act: &Act) -> bool {
    match act {
        Act::Effect { target, .. } => match target {
            ActTarget::Path(text) | ActTarget::Url(text) | ActTarget::Host(text) | ActTarget::Resource(text) => {
                matches!(text.parts().first(), Some(Part::Unknown(_)))
            }
            ActTarget::None => false,
        },
        Act::Shell { text, known, .. } => !known && text.starts_with("${unknown_text}"),
        Act::Command { argv, .. } => argv.first().is_none_or(Text::is_unknown),
        Act::Sql { class, .. } => *class == SqlClass::Unknown,
        Act::Code { .. } => false,
    }
}
