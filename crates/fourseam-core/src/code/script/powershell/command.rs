//! What PowerShell's commands do.

use super::super::eval::{Args, Evaluator};
use super::super::value::{Shape, Taints, Value, join_path};
use super::super::{call, text_ops};
use super::bind::{Bound, bind, marker};
use super::parse::INPUT;
use super::words::{ALIASES, PARAMETERS};
use super::{JOINED, objects, registry, system};
use crate::analysis::{EffectKind, UnknownClass};
use crate::code::{Act, ActTarget, Language, Part, Text};

/// Runs a command by its name. `None`: not a command but a type, method or function of the tables.
pub(super) fn special(evaluator: &mut Evaluator, name: &str, args: &Args) -> Option<Value> {
    if name == JOINED {
        return Some(Value::list(args.positional.clone()));
    }
    if name.starts_with('[') {
        return objects::called(evaluator, name, args);
    }
    if name.starts_with(['$', '-']) || name.contains("].") || name.contains("()") {
        return None;
    }
    redirects(evaluator, args);
    match name {
        "&" => Some(invoked(evaluator, args)),
        "." => {
            let file = args.positional.first().cloned().unwrap_or_else(Value::null);
            Some(evaluator.run_file(&file))
        }
        _ => Some(named(evaluator, name, args)),
    }
}

/// `> file` and `>> file` behind a command.
fn redirects(evaluator: &mut Evaluator, args: &Args) {
    for (name, file) in &args.named {
        if file.as_text().literal().is_some_and(|file| file.eq_ignore_ascii_case("nul")) || is_null(file) {
            continue;
        }
        match name.as_str() {
            ">" => evaluator.paths(EffectKind::Overwrite, "overwrite", file, false, args.taint()),
            ">>" => evaluator.paths(EffectKind::Write, "append", file, false, args.taint()),
            _ => {}
        }
    }
}

fn is_null(value: &Value) -> bool {
    matches!(&value.shape, Shape::Unknown(name) if name == "$null")
}

/// `& something args`.
fn invoked(evaluator: &mut Evaluator, args: &Args) -> Value {
    let mut rest = args.clone();
    if rest.positional.is_empty() {
        return Value::null();
    }
    let callee = rest.positional.remove(0);
    let mut results = Vec::new();
    for one in callee.alternatives() {
        results.push(match (&one.shape, one.literal()) {
            (Shape::Text(_), Some(name)) if one.number().is_none() => named(evaluator, &name, &rest),
            (Shape::Function(_) | Shape::Library(_), _) => evaluator.apply(&one, &rest),
            (Shape::Text(_), None) => {
                run_program(evaluator, one.as_text(), &rest);
                if one.as_text().has_unknown() {
                    evaluator.doubt(UnknownClass::CommandWord, &one.source());
                }
                Value::unknown("output")
            }
            _ => {
                evaluator.doubt(UnknownClass::CommandWord, &one.source());
                Value::unknown("output").tainted(rest.taint())
            }
        });
    }
    Value::either(results)
}

fn named(evaluator: &mut Evaluator, written: &str, args: &Args) -> Value {
    let lower = written.to_lowercase();
    let plain = lower.rsplit('\\').next().unwrap_or(&lower);
    let plain = plain.strip_suffix(".exe").unwrap_or(plain);
    if let Some(function) = evaluator.alias(plain) {
        return match function.literal() {
            Some(name) if name.to_lowercase() != plain => named(evaluator, &name.to_lowercase(), args),
            Some(_) => Value::null(),
            None => evaluator.apply(&function, args),
        };
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == plain && plain == lower);
    let command = alias.map_or(plain, |(_, command)| command);
    let bound = bind(command, args);
    if alias.is_some() && is_foreign(plain, &bound, args) {
        return program(evaluator, written, args);
    }
    // Programs have no such switch, commands have their verb in front of a dash.
    if bound.has("whatif") && command.contains('-') {
        return Value::unknown(command);
    }
    match carry_out(evaluator, command, &bound, args) {
        Some(value) => value,
        None => program(evaluator, written, args),
    }
}

/// Options that only the program of this name takes, not the command behind the alias.
fn is_foreign(alias: &str, bound: &Bound, args: &Args) -> bool {
    let short = |value: &Value| {
        marker(value).is_some_and(|name| name.len() < 3) || value.literal().is_some_and(|text| text.starts_with("--"))
    };
    // `sc` is the program of services where PowerShell has no such alias.
    let is_of_services = |value: &Value| {
        const VERBS: [&str; 9] =
            ["delete", "stop", "config", "create", "start", "failure", "pause", "sdset", "control"];
        value.literal().is_some_and(|word| VERBS.contains(&word.to_lowercase().as_str()))
    };
    !bound.strange.is_empty()
        || matches!(alias, "curl" | "wget") && args.positional.iter().any(short)
        || alias == "sc" && args.positional.first().is_some_and(is_of_services)
}

/// Runs a command that another one names.
pub(super) fn run_named(evaluator: &mut Evaluator, name: &str, words: Vec<Value>) {
    named(evaluator, name, &Args::of(words));
}

/// A program of the system, or a command of a module that is not known.
fn program(evaluator: &mut Evaluator, name: &str, args: &Args) -> Value {
    match super::nested::code_of(name, args) {
        Some(super::nested::Nested::PowerShell(code)) => evaluator.run_code(&code),
        Some(super::nested::Nested::Cmd(line)) => {
            match line.literal() {
                Some(text) => evaluator.act(Act::Code { language: Language::Cmd, text }),
                None => evaluator.doubt(UnknownClass::ShellCode, &line.source()),
            }
            Value::unknown("output of cmd")
        }
        None => run_program(evaluator, Text::known(name), args),
    }
}

fn run_program(evaluator: &mut Evaluator, name: Text, args: &Args) -> Value {
    let words = super::nested::words(args);
    let all: Vec<Value> = std::iter::once(Value::text(name)).chain(words).collect();
    let input = args.named.iter().find(|(name, _)| name == INPUT).map(|(_, value)| value.clone());
    let input = input.map(|input| ("input".to_owned(), input));
    evaluator.command(&all, &Args { positional: Vec::new(), named: input.into_iter().collect() });
    evaluator.output_of(&Value::list(all))
}

/// Carries out a command; `None` if it is not known.
fn carry_out(evaluator: &mut Evaluator, command: &str, bound: &Bound, args: &Args) -> Option<Value> {
    let passed = || bound.input.clone().unwrap_or_else(|| Value::unknown(command)).tainted(bound.taint());
    let done = || Value::unknown(command);
    Some(match command {
        "remove-item" | "clear-item" => {
            removed(evaluator, bound);
            done()
        }
        "clear-content" => {
            each_path(evaluator, EffectKind::Overwrite, "truncate", bound, false);
            done()
        }
        "get-childitem" | "get-item" => listed(command, bound),
        "get-content" | "import-csv" | "import-clixml" | "select-string" | "get-filehash" => {
            match (command, bound.paths()) {
                ("select-string", _) | (_, None) => passed(),
                (_, Some(path)) => evaluator.read_file(&path),
            }
        }
        "set-content" | "out-file" | "tee-object" | "export-csv" | "export-clixml" => {
            let path = bound.named("filepath").cloned().or_else(|| bound.named("literalpath").cloned());
            let path = path.or_else(|| bound.value("path", 0));
            let (kind, verb) =
                if bound.has("append") { (EffectKind::Write, "append") } else { (EffectKind::Overwrite, "overwrite") };
            if let Some(path) = path {
                evaluator.paths(kind, verb, &globbed(&path), false, bound.taint().without(Taints::FILES));
            }
            passed()
        }
        "add-content" => {
            each_path(evaluator, EffectKind::Write, "append", bound, false);
            done()
        }
        "copy-item" | "move-item" | "rename-item" => {
            moved(evaluator, command, bound);
            done()
        }
        "new-item" | "set-item" => {
            created(evaluator, command, bound);
            bound.value("path", 0).unwrap_or_else(done)
        }
        "expand-archive" => {
            let target = bound.value("destinationpath", 1).unwrap_or_else(|| Value::known("."));
            evaluator.paths(EffectKind::Write, "extract", &target, true, Taints::NONE);
            done()
        }
        "set-location" | "push-location" => {
            evaluator.change_folder(&bound.paths().unwrap_or_else(|| Value::text(Text::variable("HOME"))));
            done()
        }
        "join-path" => {
            let base = bound.value("path", 0).unwrap_or_else(Value::null);
            let child = bound.value("childpath", 1).unwrap_or_else(Value::null);
            call::joined(&base, &child)
        }
        "resolve-path" | "convert-path" => bound.paths().unwrap_or_else(done),
        "split-path" if !bound.has("leaf") => {
            let path = bound.paths().unwrap_or_else(Value::null);
            Value::text(super::super::value::parent_path(&path.as_text()))
        }
        "invoke-expression" => {
            let code = bound.value("command", 0).or_else(|| bound.input.clone()).unwrap_or_else(Value::null);
            evaluator.run_code(&code)
        }
        "invoke-command" | "start-job" | "start-threadjob" | "measure-command" | "register-scheduledjob" => {
            if command == "register-scheduledjob" {
                evaluator.effect(EffectKind::Persist, "scheduled-job", ActTarget::None, false, Taints::NONE);
            }
            if let Some(file) = bound.named("filepath") {
                evaluator.run_file(file);
            }
            let block =
                bound.value("scriptblock", 0).or_else(|| bound.positional.last().cloned()).unwrap_or_else(Value::null);
            match &block.shape {
                Shape::Function(_) => evaluator.apply(&block, &Args::of(vec![passed()])),
                Shape::Null => done(),
                _ => {
                    evaluator.doubt(UnknownClass::Code, &block.source());
                    done()
                }
            }
        }
        "foreach-object" | "where-object" => blocks(evaluator, command, bound),
        "invoke-webrequest" | "invoke-restmethod" | "start-bitstransfer" => web(evaluator, command, bound),
        "send-mailmessage" => {
            let host = bound.named("smtpserver").cloned().unwrap_or_else(|| Value::unknown("mail server"));
            evaluator.network("send", &host, bound.taint());
            done()
        }
        "start-process" | "invoke-item" => {
            if bound.named("verb").and_then(Value::literal).is_some_and(|verb| verb.eq_ignore_ascii_case("runas")) {
                evaluator.effect(EffectKind::Privilege, "elevate", ActTarget::None, false, Taints::NONE);
            }
            let name = bound.value("filepath", 0).or_else(|| bound.paths()).unwrap_or_else(Value::null);
            let list = bound.value("argumentlist", 1);
            let rest = list.map(|list| super::nested::split(&list)).unwrap_or_default();
            match name.literal() {
                Some(name) => named(evaluator, &name, &Args::of(rest)),
                None => run_program(evaluator, name.as_text(), &Args::of(rest)),
            }
        }
        "new-object" => {
            let name =
                bound.named("comobject").cloned().or_else(|| bound.value("typename", 0)).unwrap_or_else(Value::null);
            let list = bound
                .value("argumentlist", 1)
                .map(|list| list.elements().unwrap_or_else(|| vec![list]))
                .unwrap_or_default();
            match name.literal() {
                Some(name) => {
                    let name = name.to_lowercase();
                    evaluator.library_call(&format!("[{}]", name.trim_start_matches("system.")), &Args::of(list))
                }
                None => Value::new(Shape::Dynamic(name.source())),
            }
        }
        "import-module" => {
            let name = bound.value("name", 0).unwrap_or_else(Value::null);
            if name.as_text().display().contains(['/', '\\']) {
                evaluator.run_file(&name);
            }
            done()
        }
        "add-type" => {
            let code = bound.named("memberdefinition").cloned().or_else(|| bound.value("typedefinition", 0));
            if let Some(code) = code.filter(|_| bound.named("assemblyname").is_none()) {
                evaluator.doubt(UnknownClass::Code, &code.source());
            }
            done()
        }
        "set-alias" | "new-alias" => {
            let name = bound.value("name", 0).and_then(|name| name.literal()).unwrap_or_default();
            let value = bound.value("value", 1).unwrap_or_else(Value::null);
            evaluator.set_alias(&name.to_lowercase(), value);
            done()
        }
        "set-variable" | "new-variable" => {
            let name = bound.value("name", 0).and_then(|name| name.literal()).unwrap_or_default();
            let value = bound.value("value", 1).unwrap_or_else(Value::null);
            evaluator.set(&format!("${}", name.to_lowercase()), value);
            done()
        }
        "get-variable" => {
            let name = bound.value("name", 0).and_then(|name| name.literal()).unwrap_or_default();
            evaluator.variable_named(&format!("${}", name.to_lowercase()))
        }
        "get-command" => match bound.value("name", 0) {
            Some(name) => found_command(&name),
            None => done(),
        },
        // Its name, for what the pipe leads to.
        "get-process" => match bound.value("name", 0) {
            Some(name) if name.literal().is_some() => Value::list(vec![name]),
            _ => done(),
        },
        "get-wmiobject" | "get-ciminstance" => objects::instances(bound),
        "invoke-wmimethod" | "invoke-cimmethod" => {
            objects::method_of_class(evaluator, bound);
            done()
        }
        "remove-wmiobject" | "remove-ciminstance" => {
            objects::removed(evaluator, bound);
            done()
        }
        "write-output" => bound.value("inputobject", 0).unwrap_or_else(passed),
        "select-object" | "sort-object" | "out-string" | "convertto-json" | "convertfrom-json" | "out-host"
        | "get-unique" => passed(),
        _ => {
            return system::carry_out(evaluator, command, bound)
                .or_else(|| quiet(evaluator, command, args).then(passed));
        }
    })
}

/// A command whose verb says that it only looks, prints or computes.
fn quiet(evaluator: &mut Evaluator, command: &str, args: &Args) -> bool {
    const VERBS: [&str; 27] = [
        "get",
        "select",
        "where",
        "sort",
        "measure",
        "group",
        "format",
        "write",
        "out",
        "convertto",
        "convertfrom",
        "test",
        "compare",
        "resolve",
        "split",
        "show",
        "find",
        "search",
        "read",
        "wait",
        "tee",
        "foreach",
        "join",
        "pop",
        "clear",
        "trace",
        "debug",
    ];
    let Some((verb, _)) = command.split_once('-') else { return false };
    let quiet = VERBS.contains(&verb)
        || matches!(
            command,
            "start-sleep"
                | "set-strictmode"
                | "clear-host"
                | "invoke-pester"
                | "receive-job"
                | "remove-variable"
                | "new-timespan"
                | "new-guid"
                | "get-date"
                | "set-psdebug"
                | "export-modulemember"
                | "update-typedata"
        );
    if quiet {
        evaluator.callbacks_of(args);
    }
    quiet
}

/// Wildcards of a path as globs.
pub(super) fn globbed(path: &Value) -> Value {
    match &path.shape {
        Shape::Text(text) => Value::text(call::glob_text(text, false)).tainted(path.taint),
        Shape::List(items) => Value::list(items.iter().map(globbed).collect()),
        Shape::Either(values) => Value::either(values.iter().map(globbed).collect()),
        _ => path.clone(),
    }
}

fn each_path(evaluator: &mut Evaluator, kind: EffectKind, verb: &'static str, bound: &Bound, recursive: bool) {
    let Some(path) = bound.paths() else { return };
    let path = if bound.named("literalpath").is_some() { path } else { globbed(&path) };
    evaluator.paths(kind, verb, &path, recursive, bound.taint().without(Taints::FILES));
}

fn removed(evaluator: &mut Evaluator, bound: &Bound) {
    let Some(path) = bound.paths() else { return };
    let path = if bound.named("literalpath").is_some() { path } else { globbed(&path) };
    let items = path.elements().unwrap_or_else(|| vec![path.clone()]);
    for item in items.iter().flat_map(Value::alternatives) {
        match system::drive(&item) {
            Some(system::Drive::Registry) => {
                registry::removed(evaluator, &item.as_text(), bound.has("recurse"));
            }
            Some(system::Drive::Environment | system::Drive::Other) => {}
            None => evaluator.paths(EffectKind::Delete, "delete", &item, bound.has("recurse"), Taints::NONE),
        }
    }
}

fn listed(command: &str, bound: &Bound) -> Value {
    let folder = bound.paths().unwrap_or_else(|| Value::known("."));
    if let Some(system::Drive::Environment) = system::drive(&folder) {
        return Value::unknown("environment").tainted(Taints::ENVIRONMENT);
    }
    if command == "get-item" {
        return globbed(&folder);
    }
    let has_glob = folder.as_text().display().contains('*');
    let filter = bound.named("filter").or_else(|| bound.named("include")).or_else(|| bound.positional.get(1));
    // `-Include bin,obj` names several.
    let filters = filter.map(|filter| filter.elements().unwrap_or_else(|| vec![filter.clone()])).unwrap_or_default();
    let filters: Option<Vec<String>> = filters.iter().map(Value::literal).collect();
    let filters = filters.unwrap_or_default().into_iter().map(Some);
    let filters = if filters.len() == 0 { vec![None] } else { filters.collect() };
    let folders = folder.elements().unwrap_or_else(|| vec![folder.clone()]);
    let mut found = Vec::new();
    for folder in folders.iter().flat_map(Value::alternatives) {
        let folder = call::glob_text(&folder.as_text(), false);
        if has_glob && !bound.has("recurse") {
            found.push(Value::text(folder));
            continue;
        }
        for filter in &filters {
            found.push(Value::text(join_path(&folder, &below(filter.as_deref(), bound.has("recurse")))));
        }
    }
    Value::list(found)
}

/// Everything in a folder that has this name, or everything; `deep`: in the folders below it too.
fn below(name: Option<&str>, deep: bool) -> Text {
    let mut names = Text::default();
    if deep {
        names.push(Part::Glob("**".to_owned()));
    }
    match name {
        Some(name) => {
            if deep {
                names.push(Part::Known("/".to_owned()));
            }
            names.append(&call::glob_text(&Text::known(name), false));
        }
        None if !deep => names.push(Part::Glob("*".to_owned())),
        None => {}
    }
    names
}

fn moved(evaluator: &mut Evaluator, command: &str, bound: &Bound) {
    let from = bound.named("literalpath").cloned().or_else(|| bound.value("path", 0)).or_else(|| bound.input.clone());
    let from = globbed(&from.unwrap_or_else(Value::null));
    let name = if command == "rename-item" { "newname" } else { "destination" };
    let to = bound.value(name, 1);
    let to = to.unwrap_or_else(|| Value::known("."));
    let to = if command == "rename-item" {
        Value::text(join_path(&super::super::value::parent_path(&from.as_text()), &to.as_text()))
    } else {
        to
    };
    let recursive = bound.has("recurse");
    if command == "copy-item" {
        evaluator.paths(EffectKind::Read, "read", &from, recursive, Taints::NONE);
        evaluator.paths(EffectKind::Overwrite, "copy", &to, recursive, evaluator.taint_of_files(&from));
    } else {
        evaluator.paths(EffectKind::Delete, "move", &from, recursive, Taints::NONE);
        evaluator.paths(EffectKind::Overwrite, "move", &to, recursive, evaluator.taint_of_files(&from));
    }
}

fn created(evaluator: &mut Evaluator, command: &str, bound: &Bound) {
    let path = bound.paths().unwrap_or_else(Value::null);
    match system::drive(&path) {
        Some(system::Drive::Registry) => {
            registry::changed(evaluator, &path.as_text(), bound.named("value"), bound.taint())
        }
        Some(_) => {}
        None => {
            let kind =
                bound.named("itemtype").or_else(|| bound.named("type")).and_then(Value::literal).unwrap_or_default();
            let verb = if kind.to_lowercase().contains("link") { "link" } else { "create" };
            let overwrites = command == "new-item" && bound.has("force") && !kind.eq_ignore_ascii_case("directory");
            let (kind, verb) =
                if overwrites { (EffectKind::Overwrite, "overwrite") } else { (EffectKind::Write, verb) };
            evaluator.paths(kind, verb, &path, false, bound.taint().without(Taints::FILES));
        }
    }
}

/// `ForEach-Object` and `Where-Object`: blocks that run for each of what the pipe brings.
fn blocks(evaluator: &mut Evaluator, command: &str, bound: &Bound) -> Value {
    let input = bound.input.clone().unwrap_or_else(|| Value::unknown("$_"));
    let elements = match input.elements() {
        Some(elements) if elements.len() <= 64 => elements,
        _ => vec![evaluator.element_of(&input)],
    };
    let named =
        ["process", "begin", "end", "parallel", "filterscript"].into_iter().filter_map(|name| bound.named(name));
    let blocks: Vec<Value> =
        named.chain(&bound.positional).filter(|block| matches!(block.shape, Shape::Function(_))).cloned().collect();
    let mut results = Vec::new();
    for element in &elements {
        evaluator.set_fresh("$_", element.clone());
        evaluator.set_fresh("$psitem", element.clone());
        for block in &blocks {
            results.push(evaluator.apply(block, &Args::of(vec![element.clone()])));
        }
    }
    // `% Delete` calls a member by name.
    if let Some(method) = bound.positional.first().filter(|_| blocks.is_empty() && command == "foreach-object")
        && let Some(method) = method.literal()
    {
        for element in &elements {
            results.push(evaluator.method(element, &method.to_lowercase(), &Args::default()));
        }
    }
    if command == "where-object" { input } else { Value::list(results).tainted(input.taint) }
}

fn web(evaluator: &mut Evaluator, command: &str, bound: &Bound) -> Value {
    let first = if command == "start-bitstransfer" { "source" } else { "uri" };
    let url = bound.value(first, 0).unwrap_or_else(|| Value::unknown("url"));
    if let Some(file) = bound.named("infile") {
        evaluator.read_file(file);
    }
    let method =
        bound.named("method").or_else(|| bound.named("custommethod")).and_then(Value::literal).unwrap_or_default();
    let infile = bound.named("infile").map_or(Taints::NONE, |file| evaluator.taint_of_files(file));
    let options = bound.options();
    let taint = evaluator.sent(&Args { positional: Vec::new(), named: options.named }).with(infile);
    let verb = match method.to_lowercase().as_str() {
        "delete" => "http-delete",
        "post" | "put" | "patch" => "send",
        _ if bound.named("body").is_some() || bound.named("infile").is_some() || bound.named("form").is_some() => {
            "send"
        }
        _ => "receive",
    };
    evaluator.network(verb, &url, taint);
    let file = bound
        .named("outfile")
        .cloned()
        .or_else(|| (first == "source").then(|| bound.value("destination", 1)).flatten());
    if let Some(file) = file {
        evaluator.paths(EffectKind::Overwrite, "download", &file, false, Taints::DOWNLOAD);
    }
    Value::unknown("response").tainted(Taints::DOWNLOAD)
}

/// `Get-Command *nvoke-E*`: the command whose name the pattern picks.
fn found_command(name: &Value) -> Value {
    let Some(pattern) = name.literal() else { return Value::new(Shape::Dynamic(name.source())) };
    let pattern = pattern.to_lowercase();
    if !pattern.contains(['*', '?']) {
        return Value::known(pattern);
    }
    let pieces: Vec<&str> = pattern.split(['*', '?']).filter(|piece| !piece.is_empty()).collect();
    let fits = |command: &str| {
        let mut rest = command;
        pieces.iter().all(|piece| match rest.find(piece) {
            Some(at) => {
                rest = rest.get(at + piece.len()..).unwrap_or_default();
                true
            }
            None => false,
        })
    };
    let found: Vec<Value> =
        PARAMETERS.iter().filter(|(command, _)| fits(command)).map(|(command, _)| Value::known(*command)).collect();
    if found.is_empty() { Value::new(Shape::Dynamic(pattern)) } else { Value::either(found) }
}

/// Text of an argument as a word for a program.
pub(super) fn word(value: &Value) -> Value {
    match marker(value) {
        Some(name) => Value::known(format!("-{name}")),
        None => value.clone(),
    }
}

/// Several values as one text with blanks between.
pub(super) fn line(values: &[Value]) -> Value {
    let taint = values.iter().fold(Taints::NONE, |taint, value| taint.with(value.taint));
    text_ops::join(&values.iter().map(word).collect::<Vec<_>>(), Some(&Value::known(" ")), taint)
}
