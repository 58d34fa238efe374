//! Goes through the commands of one shell text in the order they run, and carries what flows between them.

use super::analyst::{Analyst, Context, Found};
use super::call::Call;
use super::effect::{EffectKind, Invocation, PathClass, Taint, Target, UnknownClass};
use super::environment::exports;
use super::flow::{Input, Taints};
use super::path::{Follow, is_harmless_device};
use super::sources::Sources;
use fourseam_shell::{Command, Frame, Piece, RedirectKind, Script, Stdin, Unknown, UnknownFrom, Why, Word};

/// What was found of the commands of a text so far.
pub(super) struct Walk<'s> {
    pub(super) script: &'s Script,
    pub(super) context: &'s Context,
    /// What the output of each command carries; `None`: not looked at yet.
    pub(super) flows: Vec<Option<Taints>>,
}

impl Analyst<'_> {
    /// Everything the commands of a text do. Gives what its output carries.
    pub(super) fn script(&mut self, script: &Script, context: &Context) -> Taints {
        let mut walk = Walk { script, context, flows: vec![None; script.commands.len()] };
        for at in 0..script.commands.len() {
            self.visit(&mut walk, at);
        }
        for opaque in &script.opaque {
            let class = match opaque.why {
                Why::Syntax | Why::Residue | Why::Characters => UnknownClass::Unparsed,
                // Told with the command itself.
                Why::CommandWord if opaque.command.is_some() => continue,
                Why::CommandWord => UnknownClass::CommandWord,
                Why::Code => UnknownClass::ShellCode,
                Why::Limit => UnknownClass::Limit,
            };
            let command = opaque.command.and_then(|at| script.commands.get(at));
            let text = command.map(shown).unwrap_or_default();
            if let Some(command) = command.filter(|_| class == UnknownClass::ShellCode) {
                if is_source(command) {
                    // Its file is looked at with the command itself.
                    continue;
                }
                let sources = Sources::new(self, &walk, command);
                let taints = command.words.iter().fold(Taints::NONE, |all, word| all.with(sources.outputs(word)));
                if self.run_unknown(taints, context.place, None) {
                    continue;
                }
            }
            self.unknown(class, &text, None);
        }
        walk.flows.iter().flatten().fold(Taints::NONE, |all, flow| all.with(*flow))
    }

    /// Looks at one command, after those that its words and input come from.
    fn visit(&mut self, walk: &mut Walk<'_>, at: usize) {
        let Some(command) = walk.script.commands.get(at) else { return };
        match walk.flows.get_mut(at) {
            // Set before the command is looked at, so that a circle ends.
            Some(flow @ None) => *flow = Some(Taints::NONE),
            _ => return,
        }
        if command.inside.iter().any(|frame| matches!(frame, Frame::FunctionDefinition(_))) {
            return;
        }
        for needed in needs(command) {
            self.visit(walk, needed);
        }
        let flow = self.command(walk, command);
        if let Some(known) = walk.flows.get_mut(at) {
            *known = Some(flow);
        }
    }

    fn command(&mut self, walk: &Walk<'_>, command: &Command) -> Taints {
        let sources = Sources::new(self, walk, command);
        let mut assigned = Taints::NONE;
        for assignment in &command.assignments {
            assigned.add(sources.taints(&assignment.value));
        }
        let span = walk.context.span.unwrap_or((command.span.start, command.span.end));
        let input = sources.input(command);
        let is_last = command.pipeline.index + 1 >= command.pipeline.len;
        let is_inner =
            command.inside.iter().any(|frame| matches!(frame, Frame::Substitution | Frame::ProcessSubstitution));
        let assignments: Vec<_> =
            command.assignments.iter().map(|assignment| (assignment.name.clone(), assignment.value.clone())).collect();
        let call = Call {
            words: &command.words,
            environment: assignments.iter().chain(&self.exported).cloned().collect(),
            assignments,
            cwd: command.cwd.clone(),
            scope: &command.scope,
            input,
            context: walk.context,
            span,
            walk,
            command,
            shown: is_last && !is_inner && !walk.context.hidden && !is_redirected(command),
        };
        if is_fork_bomb(command) {
            let found = Found {
                kind: EffectKind::Process,
                verb: "fork-bomb".to_owned(),
                target: None,
                recursive: false,
                taints: Taints::NONE,
            };
            self.effect(found, walk.context.place, None);
        }
        let before = self.out.effects.len();
        let invocation = self.out.invocations.len();
        let flow = if command.words.is_empty() {
            self.bare(&call);
            self.read_redirects(&call)
        } else {
            self.call(&call)
        };
        self.exported.extend(exports(command));
        let wrote = self.redirects(&call, flow, invocation);
        if wrote {
            self.mark_written(before, invocation);
        }
        if is_redirected(command) { Taints::NONE } else { flow }
    }

    /// `NAME=value` without a command.
    fn bare(&mut self, call: &Call<'_>) {
        if call.assignments.is_empty() {
            return;
        }
        let assignments: Vec<_> = call.assignments.iter().map(|(name, value)| (name.clone(), value.text())).collect();
        let text = assignments.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
        self.out.invocations.push(Invocation {
            assignments,
            text,
            read_only: true,
            known: true,
            place: call.context.place,
            through: call.context.through.clone(),
            span: call.span,
            ..Invocation::default()
        });
    }

    /// What `$(< file)` reads.
    fn read_redirects(&self, call: &Call<'_>) -> Taints {
        let reads = call.command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
        reads.fold(Taints::NONE, |all, redirect| {
            all.with(self.content_taints(&self.path(call, &redirect.target, Follow::Links)))
        })
    }

    /// Files that redirects read and write. True when one is written.
    fn redirects(&mut self, call: &Call<'_>, flow: Taints, first: usize) -> bool {
        let invocation = (first < self.out.invocations.len()).then_some(first);
        let mut wrote = false;
        for redirect in &call.command.redirects {
            let is_read = match redirect.kind {
                RedirectKind::Read => true,
                RedirectKind::Write
                | RedirectKind::Clobber
                | RedirectKind::Append
                | RedirectKind::ReadWrite
                | RedirectKind::WriteBoth
                | RedirectKind::AppendBoth => false,
                RedirectKind::Duplicate => continue,
            };
            if is_process(&redirect.target) {
                continue;
            }
            let path = self.path(call, &redirect.target, Follow::Links);
            if let Some(host) = path.resolved.as_deref().and_then(socket) {
                let taints = if is_read { Taints::NONE } else { flow };
                let verb = if is_read { "receive" } else { "send" };
                let target = Some(Target::Host { host: host.to_owned() });
                let found =
                    Found { kind: EffectKind::Network, verb: verb.to_owned(), target, recursive: false, taints };
                self.effect(found, call.context.place, invocation);
                continue;
            }
            if path.resolved.as_deref().is_some_and(is_harmless_device) {
                continue;
            }
            if is_read {
                let target = Some(Target::Path(path));
                let found = Found {
                    kind: EffectKind::Read,
                    verb: "redirect".to_owned(),
                    target,
                    recursive: false,
                    taints: Taints::NONE,
                };
                self.effect(found, call.context.place, invocation);
                continue;
            }
            wrote = true;
            let is_append =
                matches!(redirect.kind, RedirectKind::Append | RedirectKind::AppendBoth | RedirectKind::ReadWrite);
            if let Some(resolved) = &path.resolved {
                let text = self.written_text(call);
                // Errors carry nothing of the content.
                let taints = if redirect.fd == Some(2) { Taints::NONE } else { flow };
                if is_append {
                    self.changes.append(resolved, taints, text);
                } else {
                    self.changes.write(resolved, taints, text);
                }
            }
            let (kind, verb) =
                if is_append { (EffectKind::Write, "append") } else { (self.write_kind(&path), "redirect") };
            self.file_effect(kind, verb, path, false, call.context.place, invocation);
        }
        wrote
    }

    /// The text a command writes to its output, if it is known.
    fn written_text(&self, call: &Call<'_>) -> Option<String> {
        call.command.output.as_ref().and_then(|word| word.literal()).map(str::to_owned)
    }

    /// A command whose output goes to a file does not only read.
    fn mark_written(&mut self, _before: usize, first: usize) {
        if let Some(invocation) = self.out.invocations.get_mut(first) {
            invocation.read_only = false;
        }
    }
}

/// Commands whose output is in the words or the input of this one.
fn needs(command: &Command) -> Vec<usize> {
    let mut needed = Vec::new();
    if let Stdin::Pipe(commands) = &command.stdin {
        needed.extend(commands);
    }
    let text = match &command.stdin {
        Stdin::Text(word) | Stdin::File(word) => Some(word),
        Stdin::Pipe(_) | Stdin::Inherited => None,
    };
    let values = command.assignments.iter().map(|assignment| &assignment.value);
    let targets = command.redirects.iter().map(|redirect| &redirect.target);
    for unknown in command.words.iter().chain(values).chain(targets).chain(text).flat_map(Word::unknowns) {
        // What `>( ... )` runs comes after the command that feeds it.
        if !unknown.source.starts_with(">(") {
            needed.extend(from(unknown));
        }
    }
    needed
}

/// The commands an unknown text comes from.
pub(super) fn from(unknown: &Unknown) -> &[usize] {
    match &unknown.from {
        UnknownFrom::Assigned { commands, .. } | UnknownFrom::Output(commands) | UnknownFrom::Process(commands) => {
            commands
        }
        UnknownFrom::Variable(_) | UnknownFrom::Other => &[],
    }
}

/// A process substitution, whose commands are looked at on their own.
pub(super) fn is_process(word: &Word) -> bool {
    let is_process = |piece: &Piece| matches!(piece, Piece::Unknown(Unknown { from: UnknownFrom::Process(_), .. }));
    word.pieces.iter().any(is_process)
}

/// `/dev/tcp/HOST/PORT`: the host.
fn socket(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("/dev/tcp/").or_else(|| path.strip_prefix("/dev/udp/"))?;
    rest.split('/').next().filter(|host| !host.is_empty())
}

/// Standard output goes to a file.
fn is_redirected(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| match redirect.kind {
        RedirectKind::Write | RedirectKind::Clobber | RedirectKind::Append => {
            matches!(redirect.fd, None | Some(1)) && !is_process(&redirect.target)
        }
        RedirectKind::WriteBoth | RedirectKind::AppendBoth => true,
        RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::Duplicate => false,
    })
}

/// A function that starts itself more than once, or in the background.
fn is_fork_bomb(command: &Command) -> bool {
    let Some(name) = command.words.first().and_then(Word::literal) else { return false };
    let is_itself = |frame: &Frame| matches!(frame, Frame::Function(called) if called == name);
    command.inside.iter().any(is_itself) && (command.background || command.pipeline.len > 1)
}

/// `source FILE`.
fn is_source(command: &Command) -> bool {
    command.words.first().and_then(Word::literal).is_some_and(|name| matches!(name, "source" | "."))
}

/// The words of a command as text.
pub(super) fn shown(command: &Command) -> String {
    command.words.iter().map(Word::text).collect::<Vec<_>>().join(" ")
}

impl Sources<'_> {
    /// What arrives on the standard input of a command.
    pub(super) fn input(&self, command: &Command) -> Input {
        match &command.stdin {
            Stdin::Inherited => match self.substituted_input() {
                Some(taints) => Input { taints, fed: true, ..Input::default() },
                None => self.walk.context.input.clone(),
            },
            Stdin::Text(word) => Input {
                taints: self.taints(word),
                text: word.literal().map(str::to_owned),
                known_parts: None,
                file: None,
                fed: true,
                words: Some(word.clone()),
            },
            Stdin::File(word) => {
                let path = self.path(word);
                let mut taints = Taints::NONE;
                if path.classes.contains(&PathClass::Secret) {
                    taints.add(Taint::Secret);
                }
                let change = path.resolved.as_deref().and_then(|path| self.analyst.changes.of(path));
                let text = change.as_ref().and_then(|change| change.text.clone());
                taints.add(match (change, &path.resolved) {
                    (Some(change), _) => change.taints,
                    (None, Some(resolved)) => self.analyst.remembered(resolved).with(Taint::Files.into()),
                    (None, None) => Taint::Files.into(),
                });
                Input {
                    taints: taints.with(self.taints(word)),
                    text,
                    known_parts: None,
                    file: path.resolved,
                    fed: true,
                    words: None,
                }
            }
            Stdin::Pipe(commands) => self.piped(commands),
        }
    }

    fn piped(&self, commands: &[usize]) -> Input {
        let taints = commands.iter().fold(Taints::NONE, |all, at| all.with(self.flow(*at)));
        let source = commands.last().and_then(|at| self.walk.script.commands.get(*at));
        let from = Unknown {
            source: source.map(|command| format!("$({})", shown(command))).unwrap_or_default(),
            from: UnknownFrom::Output(commands.to_vec()),
            may_split: true,
        };
        let words = Word { pieces: vec![Piece::Unknown(from)], ..Word::default() };
        let outputs = commands.iter().filter_map(|at| self.walk.script.commands.get(*at)?.output.as_ref()?.literal());
        let known = outputs.collect::<Vec<_>>().join("\n");
        let known_parts = (!known.trim().is_empty()).then_some(known);
        Input { taints, text: None, known_parts, file: self.passed_file(commands), fed: true, words: Some(words) }
    }
}
