//! Code and script files that a command runs: their effects, or what is known of where they come from.

use super::analyst::{Analyst, Context, Found};
use super::call::{Call, Understood, base_name, display};
use super::effect::{EffectKind, Invocation, PathClass, PathUse, SqlClass, Taint, Target, UnknownClass};
use super::flow::{Input, Taints};
use super::nested::known_output;
use super::path::{Follow, is_harmless_device};
use super::program::{Code, Program};
use super::reading::{Outside, read};
use super::walk::Walk;
use crate::code::{self, Act, ActTarget, Language};
use crate::world::is_below;
use fourseam_shell::{Command, Piece, Pipeline, Scope, Script, Span, Stdin, UnknownFrom, Word};

/// Longest script file that is read, in bytes.
const MAX_SCRIPT: usize = 256 * 1024;

impl Analyst<'_> {
    /// Runs a text as code.
    pub(super) fn code_text(&mut self, understood: &Understood<'_, '_, '_>, code: Code, text: &str) -> Taints {
        let inner = self.inner(understood);
        if self.is_exhausted(&inner, text) {
            return Taints::NONE;
        }
        match code {
            Code::Shell => {
                let scope = understood.call.scope.exported();
                self.text(text, &scope, &inner)
            }
            Code::Language(language) => self.code_acts(understood, &inner, language, text),
            Code::Other => {
                self.unknown(UnknownClass::Code, text, Some(understood.invocation));
                Taints::NONE
            }
        }
    }

    /// A command line that is not for a POSIX shell.
    pub(super) fn code_line(&mut self, language: Language, text: &str, scope: Scope) {
        let context = Context::default();
        let name = if language == Language::Cmd { "cmd" } else { "powershell" };
        let words = vec![Word::known(name, Span::default())];
        let script = Script { commands: vec![command(words, scope.cwd(), scope)], opaque: Vec::new() };
        let walk = Walk { script: &script, context: &context, flows: vec![None] };
        let Some(command) = script.commands.first() else { return };
        let span = (0, u32::try_from(text.len()).unwrap_or(u32::MAX));
        let call = Call {
            words: &command.words,
            assignments: Vec::new(),
            cwd: command.cwd.clone(),
            scope: &command.scope,
            input: Input::default(),
            context: &context,
            span,
            walk: &walk,
            command,
            shown: true,
        };
        let reading =
            read(Program::nothing(), &[], Outside { called: name, stdin: false, assignments: &[] }, self.knowledge);
        self.out.invocations.push(Invocation { program: name.to_owned(), known: true, span, ..Invocation::default() });
        let understood = Understood { call: &call, reading, invocation: 0 };
        let inner = Context { through: vec![name.to_owned()], span: Some(span), ..context.deeper() };
        self.code_acts(&understood, &inner, language, text);
    }

    fn code_acts(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        inner: &Context,
        language: Language,
        text: &str,
    ) -> Taints {
        let read = code::read(language, text);
        for (class, text) in read.unknowns {
            self.unknown(class, &text, Some(understood.invocation));
        }
        let mut flow = Taints::NONE;
        for act in read.acts {
            flow.add(self.act(understood, inner, act));
        }
        flow
    }

    /// One thing that code does. Gives what it takes in.
    fn act(&mut self, understood: &Understood<'_, '_, '_>, inner: &Context, act: Act) -> Taints {
        let call = understood.call;
        match act {
            Act::Effect { kind, verb, target, recursive, taint } => {
                let taints = Taints::from(taint.as_slice());
                let target = match target {
                    ActTarget::Path(path) => {
                        let word = path.word(&|_| None);
                        return self.act_on_path(understood, inner, (kind, verb), &word, recursive, taints);
                    }
                    ActTarget::Url(url) => Some(Target::Url { url: url.display() }),
                    ActTarget::Host(host) => Some(Target::Host { host: host.display() }),
                    ActTarget::Resource(name) => Some(Target::Resource { name: name.display() }),
                    ActTarget::None => None,
                };
                self.effect(
                    Found { kind, verb: verb.to_owned(), target, recursive, taints },
                    inner.place,
                    Some(understood.invocation),
                );
                let is_download = kind == EffectKind::Network && verb == "receive";
                if is_download { taints.with(Taint::Download.into()) } else { taints }
            }
            Act::Sql { class, text } => {
                let target = Some(Target::Sql { class, text });
                let verb = sql_verb(class).to_owned();
                let found = Found { kind: EffectKind::Database, verb, target, recursive: false, taints: Taints::NONE };
                self.effect(found, inner.place, Some(understood.invocation));
                Taints::NONE
            }
            Act::Shell { text, known: _, taint } => {
                let taints = Taints::from(taint.as_slice());
                self.run_unknown(taints, inner.place, Some(understood.invocation));
                let inner = inner.deeper();
                taints.with(self.text(&text, &call.scope.exported(), &inner))
            }
            Act::Command { argv, taint } => {
                let words: Vec<Word> = argv.iter().map(|text| text.word(&|_| None)).collect();
                let inner = inner.deeper();
                let script = single_command(call, words);
                Taints::from(taint.as_slice()).with(self.script(&script, &inner))
            }
            Act::Code { language, text } => {
                let inner = inner.deeper();
                if self.is_exhausted(&inner, &text) {
                    return Taints::NONE;
                }
                self.code_acts(understood, &inner, language, &text)
            }
        }
    }

    fn act_on_path(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        inner: &Context,
        (kind, verb): (EffectKind, &str),
        word: &Word,
        recursive: bool,
        taints: Taints,
    ) -> Taints {
        let follow = if kind == EffectKind::Delete { Follow::Itself } else { Follow::Links };
        let path = self.path(understood.call, word, follow);
        let content = if kind == EffectKind::Read { self.content_taints(&path) } else { Taints::NONE };
        let told = self.out.effects.len();
        self.file_effect(kind, verb, path, recursive, inner.place, Some(understood.invocation));
        if let Some(effect) = self.out.effects.get_mut(told) {
            effect.taint = taints.list();
        }
        taints.with(content)
    }

    /// A file of code that a command runs.
    pub(super) fn script_word(&mut self, understood: &Understood<'_, '_, '_>, code: Code, word: &Word) -> Taints {
        if matches!(word.literal(), Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")) {
            return self.stdin_as(understood, code);
        }
        if let [Piece::Unknown(unknown)] = word.pieces.as_slice()
            && matches!(unknown.from, UnknownFrom::Process(_))
        {
            let sources = super::sources::Sources::new(self, understood.call.walk, understood.call.command);
            let taints = sources.outputs(word);
            let place = self.inner(understood).place;
            if let Some(text) = known_output(understood.call, unknown) {
                return taints.with(self.code_text(understood, code, &text));
            }
            if !self.run_unknown(taints, place, Some(understood.invocation)) {
                self.unknown(UnknownClass::ShellCode, &display(word), Some(understood.invocation));
            }
            return taints;
        }
        if word.known_prefix().contains("://") {
            self.run_unknown(Taint::Download.into(), self.inner(understood).place, Some(understood.invocation));
            return Taint::Download.into();
        }
        let path = self.path(understood.call, word, Follow::Links);
        self.script_file(understood, code, path)
    }

    fn script_file(&mut self, understood: &Understood<'_, '_, '_>, code: Code, path: PathUse) -> Taints {
        let inner = self.inner(understood);
        let resolved = path.resolved.clone();
        if resolved.as_deref().is_some_and(is_harmless_device) {
            return Taints::NONE;
        }
        let change = resolved.as_deref().and_then(|path| self.changes.of(path));
        let (taints, text) = match change {
            Some(change) => (change.taints, change.text),
            None => (Taints::NONE, resolved.as_deref().and_then(|path| self.project_text(path))),
        };
        let shown = path.written.clone();
        let verb = if taints.has(Taint::Download) {
            "remote"
        } else if taints.has(Taint::Decoded) {
            "decoded"
        } else {
            "script"
        };
        let found = Found {
            kind: EffectKind::Execute,
            verb: verb.to_owned(),
            target: Some(Target::Path(path)),
            recursive: false,
            taints,
        };
        self.effect(found, inner.place, Some(understood.invocation));
        let Some(text) = text else {
            if verb == "script" {
                self.unknown(UnknownClass::ScriptFile, &shown, Some(understood.invocation));
            }
            return taints;
        };
        let code = by_first_line(&text).unwrap_or(code);
        taints.with(self.file_text(understood, code, &text, &shown))
    }

    /// Text of a script file: what in it is not understood counts for the file as a whole.
    pub(super) fn file_text(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        code: Code,
        text: &str,
        shown: &str,
    ) -> Taints {
        let before = self.out.unknowns.len();
        let flow = self.code_text(understood, code, text);
        let inside: Vec<_> = self.out.unknowns.drain(before..).collect();
        let is_opaque = inside.iter().any(|unknown| match unknown.class {
            UnknownClass::ShellCode | UnknownClass::DecodedCode | UnknownClass::Unparsed | UnknownClass::Limit => true,
            UnknownClass::CommandWord
            | UnknownClass::DangerousArgument
            | UnknownClass::Code
            | UnknownClass::ScriptFile
            | UnknownClass::Program => false,
        });
        if is_opaque {
            self.unknown(UnknownClass::ScriptFile, shown, Some(understood.invocation));
        }
        flow
    }

    /// Text of a file inside the project, not changed by the line.
    pub(super) fn project_text(&self, path: &str) -> Option<String> {
        let project = self.setting.project.as_deref()?;
        if !is_below(path, project) || self.changes.of(path).is_some() {
            return None;
        }
        self.world.text(path, MAX_SCRIPT).ok()
    }

    /// A command that is a file (`./x.sh`). `None` when its name tells a program.
    pub(super) fn run_file(&mut self, call: &Call<'_>, word: &Word, text: &str, name: &str) -> Option<Taints> {
        if !text.contains('/') {
            return None;
        }
        let path = self.path(call, word, Follow::Links);
        let is_made = path.resolved.as_deref().is_some_and(|path| self.changes.of(path).is_some());
        let folder = text.rsplit('/').nth(1).unwrap_or("");
        let is_installed = matches!(folder, "bin" | "sbin" | ".bin" | "Scripts" | "libexec")
            || path.classes.contains(&PathClass::System);
        if !is_made && (is_installed || self.knowledge.program(name).is_some()) {
            return None;
        }
        let rest = call.words.get(1..).unwrap_or_default();
        let outside = Outside { called: name, stdin: call.input.fed, assignments: &call.assignments };
        let reading = read(Program::nothing(), rest, outside, self.knowledge);
        let invocation = self.out.invocations.len();
        let args = call.words.iter().skip(1).map(display).collect::<Vec<_>>();
        self.out.invocations.push(Invocation {
            program: base_name(text).to_owned(),
            program_path: Some(text.to_owned()),
            text: std::iter::once(text.to_owned()).chain(args.iter().cloned()).collect::<Vec<_>>().join(" "),
            args,
            assignments: call.assignments.iter().map(|(name, value)| (name.clone(), display(value))).collect(),
            place: call.context.place,
            through: call.context.through.clone(),
            span: call.span,
            ..Invocation::default()
        });
        let understood = Understood { call, reading, invocation };
        let code = by_extension(name).unwrap_or(Code::Shell);
        let taken = self.words_taints(call).with(call.input.taints);
        Some(taken.with(self.script_file(&understood, code, path)))
    }
}

/// A script that is one command, run where `call` runs.
fn single_command(call: &Call<'_>, words: Vec<Word>) -> Script {
    Script { commands: vec![command(words, call.cwd.clone(), call.scope.clone())], opaque: Vec::new() }
}

fn command(words: Vec<Word>, cwd: Option<Word>, scope: Scope) -> Command {
    Command {
        words,
        assignments: Vec::new(),
        redirects: Vec::new(),
        stdin: Stdin::Inherited,
        output: None,
        cwd,
        scope,
        inside: Vec::new(),
        pipeline: Pipeline { id: 0, index: 0, len: 1 },
        background: false,
        negated: false,
        span: Span::default(),
    }
}

/// What the first line of a script names.
fn by_first_line(text: &str) -> Option<Code> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace().map(base_name);
    let mut name = words.next()?;
    if name == "env" {
        name = words.find(|word| !word.starts_with('-'))?;
    }
    by_interpreter(name)
}

fn by_interpreter(name: &str) -> Option<Code> {
    let bare = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    Some(match bare {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" => Code::Shell,
        "python" | "pypy" => Code::Language(Language::Python),
        "node" | "deno" | "bun" | "nodejs" | "tsx" | "ts-node" => Code::Language(Language::JavaScript),
        "perl" => Code::Language(Language::Perl),
        "ruby" => Code::Language(Language::Ruby),
        "php" => Code::Language(Language::Php),
        "awk" | "gawk" => Code::Language(Language::Awk),
        "sed" => Code::Language(Language::Sed),
        "pwsh" | "powershell" => Code::Language(Language::PowerShell),
        _ => return None,
    })
}

fn by_extension(name: &str) -> Option<Code> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension {
        "sh" | "bash" | "zsh" => Code::Shell,
        "py" => Code::Language(Language::Python),
        "js" | "mjs" | "cjs" | "ts" => Code::Language(Language::JavaScript),
        "pl" => Code::Language(Language::Perl),
        "rb" => Code::Language(Language::Ruby),
        "php" => Code::Language(Language::Php),
        "ps1" => Code::Language(Language::PowerShell),
        "bat" | "cmd" => Code::Language(Language::Cmd),
        _ => return None,
    })
}

pub(super) fn sql_verb(class: SqlClass) -> &'static str {
    match class {
        SqlClass::Drop => "drop",
        SqlClass::Truncate => "truncate",
        SqlClass::Unbounded => "unbounded",
        SqlClass::Grant => "grant",
        SqlClass::Ddl => "ddl",
        SqlClass::Write => "write",
        SqlClass::Read => "read",
        SqlClass::Execute => "execute",
        SqlClass::Unknown => "unknown",
    }
}
