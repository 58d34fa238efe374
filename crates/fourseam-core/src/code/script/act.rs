//! Calls that do something, as acts: files, programs, code, network, databases.

use super::eval::{Args, Evaluator};
use super::secrets;
use super::value::{Shape, Taints, Value, expand_home, join_path};
use crate::analysis::{EffectKind, UnknownClass};
use crate::code::{Act, ActTarget, Part, Text};

impl Evaluator {
    pub(super) fn effect(
        &mut self,
        kind: EffectKind,
        verb: &'static str,
        target: ActTarget,
        recursive: bool,
        taint: Taints,
    ) {
        self.act(Act::Effect { kind, verb, target, recursive, taint: taint.list() });
    }

    /// The working directory becomes another one.
    pub(super) fn change_folder(&mut self, path: &Value) {
        let path = expand_home(&path.as_text());
        let folder = self.in_folder(&path);
        let home = path.parts().is_empty();
        self.folder = Some(if home { Text::variable("HOME") } else { folder });
    }

    /// Does something in the folder that a call names as its option.
    pub(super) fn in_option_folder(&mut self, args: &Args, inner: impl FnOnce(&mut Self) -> Value) -> Value {
        let before = self.folder.clone();
        if let Some(folder) = args.option(&["cwd", "chdir"]).filter(|folder| folder.shape != Shape::Null) {
            self.change_folder(folder);
        }
        let value = inner(self);
        self.folder = before;
        value
    }

    /// A path as seen from where the text started.
    pub(super) fn in_folder(&self, path: &Text) -> Text {
        match &self.folder {
            Some(folder) => join_path(folder, path),
            None => path.clone(),
        }
    }

    /// An effect on every path a value may be.
    pub(super) fn paths(&mut self, kind: EffectKind, verb: &'static str, path: &Value, recursive: bool, taint: Taints) {
        for one in path.alternatives() {
            if let Shape::List(items) = &one.shape {
                items.iter().for_each(|item| self.paths(kind, verb, item, recursive, taint));
                continue;
            }
            let text = match &one.shape {
                Shape::Null => continue,
                // A handle stands for the file it was opened on.
                Shape::Content(path) => path.clone(),
                Shape::Text(text) if self.profile.expands_home => expand_home(text),
                _ => one.as_text(),
            };
            let (text, deep) = shallow(&self.in_folder(&text));
            self.effect(kind, verb, ActTarget::Path(text), recursive || deep, taint);
        }
    }

    pub(super) fn each_path(&mut self, args: &Args, recursive: bool) {
        for value in &args.positional {
            if !matches!(value.shape, Shape::Map(_) | Shape::Function(_)) {
                self.paths(EffectKind::Delete, "delete", value, recursive, Taints::NONE);
            }
        }
    }

    /// The path among the arguments, by position or name.
    pub(super) fn path_argument(&self, args: &Args, at: usize) -> Value {
        const NAMES: [&str; 10] =
            ["path", "file", "filename", "name", "dir", "src", "fname", "filepath_or_buffer", "x", "con"];
        let named =
            || args.named.iter().find(|(name, _)| NAMES.contains(&name.as_str())).map(|(_, value)| value.clone());
        args.positional.get(at).cloned().or_else(named).unwrap_or_else(Value::null)
    }

    pub(super) fn url_argument(&self, args: &Args, at: usize) -> Value {
        let named = || args.option(&["url", "uri", "hostname", "host", "fullurl"]).cloned();
        match args.positional.get(at) {
            // Options with the address in them, as `https.request({hostname, path})`.
            Some(value) if matches!(value.shape, Shape::Map(_)) => named().unwrap_or_else(|| value.clone()),
            // `Request(url, data=..)`, `URI(url)`, `new URL(url)`.
            Some(Value { shape: Shape::Instance(_, inner), .. }) if !inner.is_empty() => {
                inner.first().cloned().unwrap_or_else(Value::null)
            }
            Some(value) => value.clone(),
            None => named().unwrap_or_else(|| Value::unknown("url")),
        }
    }

    pub(super) fn read_file(&mut self, path: &Value) -> Value {
        let mut contents = Vec::new();
        for one in path.alternatives() {
            if matches!(one.shape, Shape::Content(_)) {
                contents.push(one);
                continue;
            }
            let text = one.as_text();
            if text.display().contains("://") {
                self.network("receive", &one, one.taint);
                contents.push(Value::unknown("download").tainted(Taints::DOWNLOAD));
                continue;
            }
            // Standard input and open descriptors are no files.
            if one.number().is_some() || matches!(one.shape, Shape::Null | Shape::Library(_)) {
                contents.push(Value::unknown("standard input"));
                continue;
            }
            let text = if self.profile.expands_home { expand_home(&text) } else { text };
            self.paths(EffectKind::Read, "read", &one, false, Taints::NONE);
            let taint = secrets::of_file(&text).with(one.taint.without(Taints::FILES));
            contents.push(Value::new(Shape::Content(text)).tainted(taint));
        }
        Value::either(contents)
    }

    /// Opens a file; the mode decides what it is opened for.
    pub(super) fn open(&mut self, args: &Args, at: usize) -> Value {
        let path = self.path_argument(args, at);
        // `open("| command")` of Ruby and Perl.
        if let Some(command) = path.literal().and_then(|path| path.strip_prefix('|').map(str::to_owned)) {
            let command = Value::known(command);
            self.shell(&command);
            return self.output_of(&command);
        }
        let mode = args.option(&["mode", "open"]).or_else(|| args.positional.get(at + 1));
        let mode = match mode.map(|mode| (mode.literal(), mode)) {
            None => "r".to_owned(),
            Some((Some(mode), _)) => mode,
            Some((None, mode)) if matches!(mode.shape, Shape::Map(_) | Shape::Function(_) | Shape::Null) => {
                "r".to_owned()
            }
            Some((None, mode)) => {
                let flags = mode.source();
                let reads = flags.contains("RDONLY") && !flags.contains("TRUNC");
                if reads { "r".to_owned() } else { "a".to_owned() }
            }
        };
        if mode.contains(['w', 'W', '>']) && !mode.contains(">>") || mode.contains('+') && !mode.starts_with(['r', 'a'])
        {
            self.paths(EffectKind::Overwrite, "overwrite", &path, false, Taints::NONE);
        } else if mode.contains(['a', 'x', 'c', '+']) || mode.contains(">>") {
            self.paths(EffectKind::Write, "append", &path, false, Taints::NONE);
        } else {
            return self.read_file(&path);
        }
        Value::new(Shape::Content(path.as_text()))
    }

    /// Text for a shell.
    pub(super) fn shell(&mut self, value: &Value) {
        for one in value.alternatives() {
            if let Shape::List(items) = &one.shape {
                self.command(items, &Args::default());
                continue;
            }
            if one.shape == Shape::Null {
                continue;
            }
            let text = match &self.folder {
                Some(folder) => {
                    let quoted = Text::known("cd \"").plus(folder).plus(&Text::known("\" && "));
                    quoted.plus(&one.as_text())
                }
                None => one.as_text(),
            };
            let known = !text.has_unknown();
            self.act(Act::Shell { text: text.shell_source(), known, taint: one.taint.list() });
        }
    }

    /// `run(words or text, shell=..)`.
    pub(super) fn spawn(&mut self, args: &Args, at: usize) -> Value {
        let what = args.option(&["args", "cmd"]).cloned().or_else(|| args.positional.get(at).cloned());
        let what = what.unwrap_or_else(Value::null);
        let shell = args
            .option(&["shell"])
            .is_some_and(|flag| flag.literal().is_none_or(|text| text != "0" && text != "false"));
        for one in what.alternatives() {
            match &one.shape {
                Shape::List(items) if shell => {
                    let first = items.first().cloned().unwrap_or_else(Value::null);
                    self.shell(&first);
                }
                Shape::List(items) => self.command(items, args),
                _ if shell => self.shell(&one),
                Shape::Null => {}
                _ => self.command(std::slice::from_ref(&one), args),
            }
        }
        self.output_of(&what)
    }

    /// A program by name, its arguments as a list or one by one from `skip` words behind it.
    pub(super) fn program(&mut self, args: &Args, at: usize, skip: usize) -> Value {
        let program = args.positional.get(at).cloned().unwrap_or_else(Value::null);
        let shell = args
            .option(&["shell"])
            .is_some_and(|flag| flag.literal().is_none_or(|text| text != "0" && text != "false"));
        let mut words = vec![program];
        for (n, value) in args.positional.iter().skip(at + 1).enumerate() {
            match &value.shape {
                Shape::List(items) => words.extend(items.iter().skip(if n == 0 { skip - 1 } else { 0 }).cloned()),
                Shape::Map(_) | Shape::Function(_) | Shape::Null => {}
                _ if n + 1 >= skip => words.push(value.clone()),
                _ => {}
            }
        }
        if let Some(Value { shape: Shape::List(items), .. }) = args.option(&["args"]) {
            words.extend(items.iter().cloned());
        }
        let all = Value::list(words.clone());
        if shell {
            let text = super::text_ops::join(&words, Some(&Value::known(" ")), all.taint);
            self.shell(&text);
        } else {
            self.command(&words, args);
        }
        self.output_of(&all)
    }

    /// `system(text)` or `system(program, words)`.
    pub(super) fn system(&mut self, args: &Args) -> Value {
        let words: Vec<Value> = args
            .positional
            .iter()
            .filter(|value| !matches!(value.shape, Shape::Map(_) | Shape::Function(_)))
            .flat_map(|value| match &value.shape {
                Shape::List(items) => items.as_ref().clone(),
                _ => vec![value.clone()],
            })
            .collect();
        match words.as_slice() {
            [text] => {
                self.shell(text);
                self.output_of(text)
            }
            [] => Value::null(),
            _ => {
                self.command(&words, args);
                self.output_of(&Value::list(words))
            }
        }
    }

    pub(super) fn command(&mut self, words: &[Value], args: &Args) {
        const SHELLS: [&str; 6] = ["sh", "bash", "zsh", "dash", "ksh", "fish"];
        let argv: Vec<Text> = words.iter().map(Value::as_text).collect();
        let taint = words.iter().fold(args.taint(), |taint, word| taint.with(word.taint));
        let input = args.option(&["input", "stdin_data"]).cloned();
        let program = argv.first().and_then(Text::literal).and_then(|text| text.rsplit('/').next());
        if let (Some(input), true, true) = (&input, program.is_some_and(|name| SHELLS.contains(&name)), argv.len() == 1)
        {
            return self.shell(input);
        }
        if argv.is_empty() {
            return;
        }
        let argv = match self.folder.clone() {
            Some(folder) if folder.literal() != Some(".") => {
                [Text::known("env"), Text::known("-C"), folder].into_iter().chain(argv).collect()
            }
            _ => argv,
        };
        self.act(Act::Command { argv, taint: taint.without(Taints::FILES).list() });
    }

    /// What the output of a command brings in.
    pub(super) fn output_of(&self, command: &Value) -> Value {
        let words = match &command.shape {
            Shape::List(items) => items.iter().map(|item| item.as_text().display()).collect::<Vec<_>>().join(" "),
            _ => command.as_text().display(),
        };
        let program = words.split_whitespace().next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let program = program.strip_suffix(".exe").unwrap_or(program);
        let taint = match program {
            "curl" | "wget" | "fetch" | "http" => Taints::DOWNLOAD,
            "env" | "printenv" | "set" | "export" => Taints::ENVIRONMENT,
            "base64" | "openssl" | "xxd" if words.contains("-d") => Taints::DECODED,
            _ => words.split_whitespace().fold(Taints::NONE, |taint, word| {
                taint.with(secrets::of_file(&Text::known(word)).without(Taints::FILES))
            }),
        };
        Value::unknown(format!("output of {program}")).tainted(taint)
    }

    /// Runs a text as code of the same language.
    pub(super) fn run_code(&mut self, code: &Value) -> Value {
        let mut results = Vec::new();
        for one in code.alternatives() {
            let taint = one.taint;
            match &one.shape {
                Shape::Null | Shape::Function(_) | Shape::Number(_) => continue,
                Shape::Content(path) => {
                    let path = path.clone();
                    self.run_file(&Value::text(path));
                    continue;
                }
                _ => {}
            }
            if taint.has(Taints::DOWNLOAD) {
                self.effect(EffectKind::Execute, "remote", ActTarget::None, false, taint);
                continue;
            }
            if taint.has(Taints::DECODED) {
                self.effect(EffectKind::Execute, "decoded", ActTarget::None, false, taint);
            }
            let text = match one.literal() {
                Some(text) => text,
                None => {
                    let class = if taint.has(Taints::DECODED) { UnknownClass::DecodedCode } else { UnknownClass::Code };
                    self.doubt(class, &format!("run: {}", one.source()));
                    // The known head of a text often says enough.
                    let Some(Part::Known(head)) = one.as_text().parts().first().cloned() else { continue };
                    head
                }
            };
            results.push(self.source(&text));
        }
        Value::either(results)
    }

    pub(super) fn run_file(&mut self, file: &Value) -> Value {
        for one in file.alternatives() {
            if one.as_text().display().contains("://") {
                self.network("receive", &one, one.taint);
                self.effect(EffectKind::Execute, "remote", ActTarget::Url(one.as_text()), false, Taints::DOWNLOAD);
            } else if one.shape != Shape::Null {
                self.paths(EffectKind::Execute, "script", &one, false, one.taint);
            }
        }
        Value::unknown("result of a file")
    }

    /// A module by the text of its name.
    pub(super) fn import(&mut self, name: &Value) -> Value {
        let modules = name.alternatives().into_iter().map(|one| match one.literal() {
            Some(path) if path.contains("://") => {
                self.run_file(&one);
                Value::unknown(path)
            }
            Some(path) => Value::library((self.profile.normal)(&path)),
            None => Value::new(Shape::Dynamic(format!("module {}", one.source()))),
        });
        Value::either(modules.collect())
    }

    pub(super) fn network(&mut self, verb: &'static str, url: &Value, taint: Taints) {
        for one in url.alternatives() {
            let taint = taint.with(one.taint).without(Taints::DOWNLOAD.with(Taints::DECODED));
            let carries = taint.has(Taints::SECRET_VARIABLE.with(Taints::SECRET_FILE).with(Taints::ENVIRONMENT));
            let verb = if verb == "receive" && carries { "send" } else { verb };
            let text = one.as_text();
            let target = if text.display().contains('/') || text.has_unknown() {
                ActTarget::Url(text)
            } else {
                ActTarget::Host(text)
            };
            self.effect(EffectKind::Network, verb, target, false, taint);
        }
    }

    /// Fetches; sends if a body or a sending method goes with it.
    pub(super) fn request(&mut self, args: &Args, at: usize, name: &str) -> Value {
        const BODY: [&str; 9] =
            ["data", "body", "json", "files", "content", "form", "payload", "postfields", "multipart"];
        let url = self.url_argument(args, at);
        let inner = match args.positional.get(at).map(|value| &value.shape) {
            Some(Shape::Instance(_, inner)) => Args::of(inner.as_ref().clone()),
            _ => Args::default(),
        };
        let method =
            args.option(&["method", "type", "verb"]).and_then(Value::literal).unwrap_or_default().to_ascii_uppercase();
        // `request("DELETE", url)`.
        let first = args.positional.get(at).and_then(Value::literal).unwrap_or_default();
        let (url, method) = match first.to_ascii_uppercase().as_str() {
            "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" => {
                (self.url_argument(args, at + 1), first.to_ascii_uppercase())
            }
            _ => (url, method),
        };
        let extra = args
            .positional
            .get(at + 1)
            .filter(|value| !matches!(value.shape, Shape::Map(_) | Shape::Function(_) | Shape::Null));
        let has_body = args.option(&BODY).is_some_and(|body| body.shape != Shape::Null)
            || name.ends_with("urlopen") && (extra.is_some() || inner.positional.len() > 1);
        let taint = self.sent(args).with(self.sent(&inner));
        let verb = match method.as_str() {
            "DELETE" => "http-delete",
            "POST" | "PUT" | "PATCH" => "send",
            _ if has_body => "send",
            _ => "receive",
        };
        self.network(verb, &url, taint);
        Value::unknown("response").tainted(Taints::DOWNLOAD)
    }

    /// What a request carries. A token in the header that is made for it is its use, not its theft.
    pub(super) fn sent(&self, args: &Args) -> Taints {
        let positional = args.positional.iter().fold(Taints::NONE, |taint, value| taint.with(carried(value)));
        args.named.iter().fold(positional, |taint, (name, value)| {
            let own = if name == "auth" { value.taint.without(Taints::SECRET_VARIABLE) } else { carried(value) };
            taint.with(own)
        })
    }

    /// A connection to `(host, port)` or `host, port` or `port, host`.
    pub(super) fn connect(&mut self, args: &Args, at: usize) -> Value {
        let named = args.option(&["host", "hostname", "path"]).cloned();
        let address = args.positional.get(at).cloned().unwrap_or_else(Value::null);
        let second = args.positional.get(at + 1).cloned();
        let host = match (&address.shape, named) {
            (_, Some(host)) => host,
            (Shape::List(items), None) => items.first().cloned().unwrap_or_else(Value::null),
            (Shape::Number(_), None) => second.unwrap_or_else(|| Value::known("localhost")),
            _ => address,
        };
        let taint = host.taint.without(Taints::DOWNLOAD);
        self.connection = Some(host.as_text());
        self.effect(EffectKind::Network, "send", ActTarget::Host(host.as_text()), false, taint);
        Value::unknown("connection").tainted(Taints::DOWNLOAD)
    }
}

/// What a value carries when it is sent.
fn carried(value: &Value) -> Taints {
    const CREDENTIALS: [&str; 10] = [
        "authorization",
        "x-api-key",
        "private-token",
        "x-auth-token",
        "api-key",
        "apikey",
        "x-vault-token",
        "auth",
        "job-token",
        "x-github-token",
    ];
    match &value.shape {
        Shape::Map(fields) => fields.iter().fold(Taints::NONE, |taint, (name, value)| {
            let own = if CREDENTIALS.contains(&name.to_ascii_lowercase().as_str()) {
                value.taint.without(Taints::SECRET_VARIABLE)
            } else {
                carried(value)
            };
            taint.with(own)
        }),
        _ => value.taint,
    }
}

/// `**` as `*`, and whether there was one.
fn shallow(text: &Text) -> (Text, bool) {
    let mut plain = Text::default();
    let mut deep = false;
    for part in text.parts() {
        match part {
            Part::Glob(glob) if glob == "**" => {
                deep = true;
                plain.push(Part::Glob("*".to_owned()));
            }
            part => plain.push(part.clone()),
        }
    }
    (plain, deep)
}
