//! What code does, as effects: one [`Act`] of a reader after the other, seen from where the code runs.

use super::analyst::{Analyst, Context, Found};
use super::call::{Call, Understood};
use super::effect::{EffectKind, Invocation, PathUse, SqlClass, Taint, Target, UnknownClass};
use super::flow::{Input, Taints};
use super::path::Follow;
use super::program::Program;
use super::reading::{Outside, read};
use super::scripts::ran_verb;
use super::walk::Walk;
use crate::code::{self, Act, ActTarget, Language};
use crate::spelling::{Spelling, on_drive};
use fourseam_shell::{Command, Pipeline, Scope, Script, Span, Stdin, Word};

impl Analyst<'_> {
    /// A command line that is not for a POSIX shell.
    pub(super) fn code_line(&mut self, language: Language, text: &str, scope: Scope) {
        let context = Context::default();
        let name = match language {
            Language::Cmd => "cmd",
            Language::Python => "python",
            Language::JavaScript => "node",
            _ => "powershell",
        };
        let words = vec![Word::known(name, Span::default())];
        let script = Script { commands: vec![command(words, scope.cwd(), scope)], opaque: Vec::new() };
        let walk = Walk { script: &script, context: &context, flows: vec![None] };
        let Some(command) = script.commands.first() else { return };
        let span = (0, u32::try_from(text.len()).unwrap_or(u32::MAX));
        let call = Call {
            words: &command.words,
            assignments: Vec::new(),
            environment: self.exported.clone(),
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

    pub(super) fn code_acts(
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
            let act = if self.takes_backslashes(language) { with_slashes(act) } else { act };
            flow.add(self.act(understood, inner, language, act));
        }
        flow
    }

    /// Whether paths of a language have backslashes that the machine's own paths have not (`pwsh` on Linux).
    fn takes_backslashes(&self, language: Language) -> bool {
        let is_of_windows = matches!(language, Language::PowerShell | Language::PowerShellEncoded | Language::Cmd);
        is_of_windows && self.setting.spelling == Spelling::Unix
    }

    /// One thing that code does. Gives what it takes in.
    fn act(&mut self, understood: &Understood<'_, '_, '_>, inner: &Context, language: Language, act: Act) -> Taints {
        let call = understood.call;
        match act {
            Act::Effect { kind, verb, target, recursive, taint } => {
                let taints = Taints::from(taint.as_slice());
                let target = match target {
                    ActTarget::Path(path) => {
                        let word = path.word(&|_| None);
                        if kind == EffectKind::Execute && verb == "script" {
                            return taints.with(self.run_script(understood, inner, language, &word));
                        }
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
        self.note_content(kind, verb, &path, taints);
        let told = self.out.effects.len();
        self.file_effect(kind, verb, path, recursive, inner.place, Some(understood.invocation));
        if let Some(effect) = self.out.effects.get_mut(told) {
            effect.taint = taints.list();
        }
        taints.with(content)
    }

    /// Notes what code does to a file, for what runs behind it.
    fn note_content(&mut self, kind: EffectKind, verb: &str, path: &PathUse, taints: Taints) {
        let Some(resolved) = path.resolved.as_deref().filter(|_| !path.glob && !path.unknown) else { return };
        match kind {
            EffectKind::Overwrite => self.changes.write(resolved, taints, None),
            EffectKind::Write if verb == "append" => self.changes.append(resolved, taints, None),
            EffectKind::Write if verb == "extract" => self.changes.fill(resolved, taints),
            _ => {}
        }
    }

    /// A script file that code runs in its own process (`. ./x.ps1`, `runpy.run_path`).
    fn run_script(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        inner: &Context,
        language: Language,
        word: &Word,
    ) -> Taints {
        let path = self.path(understood.call, word, Follow::Links);
        let resolved = path.resolved.clone();
        let shown = path.written.clone();
        let (taints, text) = self.script_source(resolved.as_deref());
        self.script_effect(path, taints, inner.place, understood.invocation);
        let Some(text) = text else {
            if ran_verb(taints) == "script" {
                self.unknown(UnknownClass::ScriptFile, &shown, Some(understood.invocation));
            }
            return taints;
        };
        let inner = inner.deeper();
        if self.is_exhausted(&inner, &shown) {
            return taints;
        }
        let before = self.out.unknowns.len();
        let flow = self.code_acts(understood, &inner, language, &text);
        self.sum_up_unknowns(before, &shown, understood.invocation);
        taints.with(flow)
    }
}

fn with_slashes(act: Act) -> Act {
    match act {
        Act::Effect { kind, verb, target: ActTarget::Path(path), recursive, taint }
            if path.literal().is_none_or(|path| on_drive(path).is_none()) =>
        {
            Act::Effect { kind, verb, target: ActTarget::Path(path.with_slashes()), recursive, taint }
        }
        act @ (Act::Effect { .. } | Act::Sql { .. } | Act::Shell { .. } | Act::Command { .. } | Act::Code { .. }) => {
            act
        }
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
