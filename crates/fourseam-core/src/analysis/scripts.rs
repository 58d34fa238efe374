//! Code and script files that a command runs: what is known of where they come from. What code does is told in
//! [`super::acts`].

use super::analyst::{Analyst, Found};
use super::call::{Call, Understood, base_name, display, lookup};
use super::effect::{EffectKind, Invocation, PathClass, PathUse, Place, Taint, Target, UnknownClass};
use super::flow::Taints;
use super::nested::known_output;
use super::path::{Follow, is_harmless_device};
use super::program::{Code, Program};
use super::reading::{Outside, read};
use crate::code::Language;
use crate::patch;
use crate::spelling::Spelling;
use crate::world::is_below;
use fourseam_shell::{Piece, UnknownFrom, Word};

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
            Code::Patch => {
                let cwd = understood.call.cwd.as_ref().and_then(Word::literal);
                let (operations, incomplete) = patch::read(text);
                self.patch(&operations, cwd);
                if incomplete || operations.is_empty() {
                    self.unknown(UnknownClass::Unparsed, "patch", Some(understood.invocation));
                }
                Taints::NONE
            }
            Code::Other => {
                self.unknown(UnknownClass::Code, text, Some(understood.invocation));
                Taints::NONE
            }
        }
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
        let (taints, text) = self.script_source(resolved.as_deref());
        let shown = path.written.clone();
        self.script_effect(path, taints, inner.place, understood.invocation);
        let Some(text) = text else {
            if ran_verb(taints) == "script" {
                self.unknown(UnknownClass::ScriptFile, &shown, Some(understood.invocation));
            }
            return taints;
        };
        let code = by_first_line(&text).unwrap_or(code);
        taints.with(self.file_text(understood, code, &text, &shown))
    }

    /// What is known of a script file: what its content carries, and its text.
    pub(super) fn script_source(&self, path: Option<&str>) -> (Taints, Option<String>) {
        match path.and_then(|path| self.changes.of(path)) {
            Some(change) => (change.taints, change.text),
            None => path.map_or((Taints::NONE, None), |path| (self.remembered(path), self.own_text(path))),
        }
    }

    /// Tells that a script file is run.
    pub(super) fn script_effect(&mut self, path: PathUse, taints: Taints, place: Place, invocation: usize) {
        let verb = ran_verb(taints).to_owned();
        let target = Some(Target::Path(path));
        let found = Found { kind: EffectKind::Execute, verb, target, recursive: false, taints };
        self.effect(found, place, Some(invocation));
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
        self.sum_up_unknowns(before, shown, understood.invocation);
        flow
    }

    /// Puts one unknown in the place of all that a script file gave, if they matter.
    pub(super) fn sum_up_unknowns(&mut self, before: usize, shown: &str, invocation: usize) {
        let inside: Vec<_> = self.out.unknowns.drain(before..).collect();
        let is_opaque = inside.iter().any(|unknown| match unknown.class {
            UnknownClass::ShellCode | UnknownClass::DecodedCode | UnknownClass::Unparsed | UnknownClass::Limit => true,
            UnknownClass::CommandWord
            | UnknownClass::DangerousArgument
            | UnknownClass::Code
            | UnknownClass::ScriptFile
            | UnknownClass::Program
            | UnknownClass::Subcommand
            | UnknownClass::Typed => false,
        });
        if is_opaque {
            self.unknown(UnknownClass::ScriptFile, shown, Some(invocation));
        }
    }

    /// Text of a file inside the project, or of one that the agent wrote earlier; not changed by the line.
    pub(super) fn own_text(&self, path: &str) -> Option<String> {
        let is_of_project = self.setting.project.as_deref().is_some_and(|project| is_below(path, project));
        let is_own = is_of_project || self.world.past().written(path).is_some();
        if !is_own || self.changes.of(path).is_some() {
            return None;
        }
        self.world.text(path, MAX_SCRIPT).ok()
    }

    /// A command that is a file (`./x.sh`). `None` when its name tells a program.
    pub(super) fn run_file(&mut self, call: &Call<'_>, word: &Word, text: &str, name: &str) -> Option<Taints> {
        // Windows also looks for programs in the working directory.
        let is_of_windows = self.setting.spelling == Spelling::Windows;
        let is_path = text.contains('/') || is_of_windows && text.contains('\\');
        if !is_path && !is_of_windows {
            return None;
        }
        let path = self.path(call, word, Follow::Links);
        let is_made = path.resolved.as_deref().is_some_and(|path| self.changes.of(path).is_some());
        if !is_path && !is_made {
            return None;
        }
        let folder = text.rsplit(['/', '\\']).nth(1).unwrap_or("");
        let is_installed = matches!(folder, "bin" | "sbin" | ".bin" | "Scripts" | "libexec" | "cmd")
            || path.classes.contains(&PathClass::System);
        if !is_made && (is_installed || lookup(name, |name| self.knowledge.program(name)).is_some()) {
            return None;
        }
        let rest = call.words.get(1..).unwrap_or_default();
        let outside = Outside { called: name, stdin: call.input.fed, assignments: &call.environment };
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

/// How a file that is run is told, by what its content carries.
pub(super) fn ran_verb(taints: Taints) -> &'static str {
    if taints.has(Taint::Download) {
        "remote"
    } else if taints.has(Taint::Decoded) {
        "decoded"
    } else {
        "script"
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
