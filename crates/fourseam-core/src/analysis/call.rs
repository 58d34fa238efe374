//! One command: which program it is, what its words are, what it does and starts.

use super::analyst::{Analyst, Context};
use super::effect::{Flag, Invocation, PathUse, Place, UnknownClass};
use super::flow::{Input, Taints};
use super::matching::Facts;
use super::path::{Follow, UNKNOWN, UNKNOWN_SHOWN};
use super::program::{Program, Role};
use super::reading::{Outside, Reading, read};
use super::sources::Sources;
use super::walk::Walk;
use crate::world::is_below;
use fourseam_shell::{Command, Piece, Scope, Word};
use std::collections::HashSet;

/// A command as it would run.
#[derive(Clone)]
pub(super) struct Call<'c> {
    /// Program and arguments.
    pub(super) words: &'c [Word],
    /// Variables in front of it, those of wrappers included.
    pub(super) assignments: Vec<(String, Word)>,
    /// These, and what earlier commands of the line exported.
    pub(super) environment: Vec<(String, Word)>,
    pub(super) cwd: Option<Word>,
    pub(super) scope: &'c Scope,
    pub(super) input: Input,
    pub(super) context: &'c Context,
    pub(super) span: (u32, u32),
    pub(super) walk: &'c Walk<'c>,
    /// The command of the text that it is, or that a wrapper starts it from.
    pub(super) command: &'c Command,
    /// A person or agent sees its output.
    pub(super) shown: bool,
}

/// A command whose words are read.
pub(super) struct Understood<'u, 'p, 'w> {
    pub(super) call: &'u Call<'u>,
    pub(super) reading: Reading<'p, 'w>,
    /// Index of its invocation.
    pub(super) invocation: usize,
}

impl Understood<'_, '_, '_> {
    /// What conditions are asked of.
    pub(super) fn facts(&self) -> Facts<'_, '_, '_> {
        let outside = self.call.outside(self.call_name());
        Facts {
            flags: &self.reading.flags,
            args: &self.reading.args,
            words: &[],
            subcommand: &self.reading.subcommand,
            outside,
            ignores_case: self.reading.ignores_case(),
        }
    }

    /// Name it was called by, without its folder.
    pub(super) fn call_name(&self) -> &str {
        self.call.words.first().map_or("", |word| word.known_prefix()).rsplit('/').next().unwrap_or("")
    }
}

impl<'c> Call<'c> {
    fn outside<'o>(&'o self, called: &'o str) -> Outside<'o> {
        Outside { called, stdin: self.input.fed, assignments: &self.environment }
    }
}

impl Analyst<'_> {
    /// Everything one command does. Gives what its output carries.
    pub(super) fn call(&mut self, call: &Call<'_>) -> Taints {
        let Some((first, rest)) = call.words.split_first() else { return Taints::NONE };
        self.commands += 1;
        if self.is_exhausted(call.context, &first.text()) {
            return Taints::NONE;
        }
        let Some(text) = self.program_text(call, first) else { return self.unknown_program_word(call) };
        let name = base_name(&text);
        if let Some(flow) = self.run_file(call, first, &text, name) {
            return flow;
        }
        let knowledge = self.knowledge;
        let program = lookup(name, |name| knowledge.program(name));
        let reading = read(program.unwrap_or(Program::nothing()), rest, call.outside(name), knowledge);
        let with_cwd = working_directory(call, &reading).map(|cwd| Call { cwd: Some(cwd), ..call.clone() });
        let call = with_cwd.as_ref().unwrap_or(call);
        let invocation = self.invocation(call, &text, program, &reading);
        if program.is_none() && !is_function(call, name) {
            self.unknown(UnknownClass::Program, name, Some(invocation));
        }
        if reading.unlisted_subcommand.is_some() && !reading.help {
            let words = format!("{name} {}", reading.subcommand.join(" "));
            self.unknown(UnknownClass::Subcommand, &words, Some(invocation));
        }
        if let Some(word) = reading.unknown_subcommand {
            self.unknown(UnknownClass::CommandWord, &word.text(), Some(invocation));
        }
        let understood = Understood { call, reading, invocation };
        self.understood(&understood)
    }

    fn understood(&mut self, understood: &Understood<'_, '_, '_>) -> Taints {
        let facts = understood.facts();
        let reading = &understood.reading;
        let harmless = reading.help || reading.chain.iter().any(|program| facts.holds(&program.harmless));
        if harmless {
            if let Some(invocation) = self.out.invocations.get_mut(understood.invocation) {
                invocation.harmless = true;
            }
            return self.words_taints(understood.call);
        }
        let before = self.out.effects.len();
        let taken = self.effects(understood);
        let started = self.nested(understood);
        let sent = self.sent(understood, taken);
        self.taint_effects(before, understood.invocation, sent);
        self.output(understood, taken, started)
    }

    /// The program's name or path, also when a command names it.
    fn program_text(&self, call: &Call<'_>, word: &Word) -> Option<String> {
        if let Some(text) = word.literal() {
            return (!text.is_empty() && !text.contains(UNKNOWN)).then(|| text.to_owned());
        }
        let sources = Sources::new(self, call.walk, call.command);
        sources.named_program(word).or_else(|| match word.pieces.as_slice() {
            // `$DIR/bin/tool`: the last part tells the program.
            [Piece::Unknown(_), Piece::Literal(rest)] if rest.starts_with(['/', '\\']) => Some(rest.clone()),
            _ => None,
        })
    }

    fn unknown_program_word(&mut self, call: &Call<'_>) -> Taints {
        let text = call.words.iter().map(Word::text).collect::<Vec<_>>().join(" ");
        let invocation = self.out.invocations.len();
        self.out.invocations.push(Invocation {
            args: call.words.iter().skip(1).map(Word::text).collect(),
            text: text.replace(UNKNOWN, UNKNOWN_SHOWN),
            place: call.context.place,
            through: call.context.through.clone(),
            span: call.span,
            ..Invocation::default()
        });
        let sources = Sources::new(self, call.walk, call.command);
        let taints = call.words.first().map_or(Taints::NONE, |word| sources.outputs(word));
        if !self.run_unknown(taints, call.context.place, Some(invocation)) {
            self.unknown(UnknownClass::CommandWord, &text, Some(invocation));
        }
        self.words_taints(call)
    }

    /// Tells the invocation and gives its index.
    fn invocation(
        &mut self,
        call: &Call<'_>,
        text: &str,
        program: Option<&Program>,
        reading: &Reading<'_, '_>,
    ) -> usize {
        let name = program.map_or_else(|| base_name(text).to_owned(), |program| program.name.clone());
        let flags = reading.flags.iter().map(|flag| Flag {
            name: flag.name.to_string(),
            value: match flag.values.as_slice() {
                [] => None,
                [(_, word)] => Some(display(word)),
                values => Some(values.iter().map(|(_, word)| display(word)).collect::<Vec<_>>().join(" ")),
            },
        });
        let args = reading.args.iter().filter(|arg| !arg.is_default).map(|arg| display(&arg.word));
        let facts = Facts {
            flags: &reading.flags,
            args: &reading.args,
            words: &[],
            subcommand: &reading.subcommand,
            outside: call.outside(&name),
            ignores_case: reading.ignores_case(),
        };
        let is_quiet_assignment = |(name, _): &(String, Word)| {
            name.starts_with("LC_") || matches!(name.as_str(), "LANG" | "TZ" | "NO_COLOR" | "TERM" | "COLUMNS")
        };
        let read_only = program.is_some()
            && reading.listed
            && reading.leaf().is_some_and(|leaf| facts.holds(&leaf.read_only))
            && call.words.iter().all(|word| word.unknowns().next().is_none() && !word.text().contains(UNKNOWN))
            && call.assignments.iter().all(is_quiet_assignment);
        let known = program.is_some() && reading.leaf().is_some_and(|leaf| !std::ptr::eq(leaf, Program::nothing()));
        let told = Invocation {
            program_path: text.contains(['/', '\\']).then(|| text.to_owned()),
            subcommand: reading.subcommand.clone(),
            flags: flags.collect(),
            args: args.collect(),
            assignments: call.assignments.iter().map(|(name, value)| (name.clone(), display(value))).collect(),
            text: canonical(&name, call, reading),
            harmless: false,
            read_only,
            known,
            place: call.context.place,
            through: call.context.through.clone(),
            span: call.span,
            program: name,
        };
        self.out.invocations.push(told);
        self.out.invocations.len() - 1
    }

    /// What the words of a command carry, its nested commands apart.
    pub(super) fn words_taints(&self, call: &Call<'_>) -> Taints {
        let sources = Sources::new(self, call.walk, call.command);
        call.words.iter().fold(Taints::NONE, |all, word| all.with(sources.taints(word)))
    }

    /// A word of a command as a path, and where it is: a folder that a container was given is of this machine.
    pub(super) fn located(&self, call: &Call<'_>, word: &Word, follow: Follow) -> (PathUse, Place) {
        let path = self.path_inside(call, word, follow);
        let place = call.context.place;
        let Some(resolved) = path.resolved.as_deref().filter(|_| place == Place::Container) else {
            return (path, place);
        };
        let mount = call.context.mounts.iter().find(|mount| is_below(resolved, &mount.seen));
        let Some(mount) = mount else { return (path, place) };
        let below = resolved.strip_prefix(mount.seen.as_str()).unwrap_or("");
        let real = self.named_path(&format!("{}{below}", mount.folder), None, follow);
        (PathUse { written: path.written, glob: path.glob, ..real }, Place::Local)
    }

    /// A word of a command as a path.
    pub(super) fn path(&self, call: &Call<'_>, word: &Word, follow: Follow) -> PathUse {
        self.located(call, word, follow).0
    }

    fn path_inside(&self, call: &Call<'_>, word: &Word, follow: Follow) -> PathUse {
        let sources = Sources::new(self, call.walk, call.command);
        let mut resolver = sources.resolver(call.command);
        if call.cwd.as_ref().map(|cwd| &cwd.pieces) != call.command.cwd.as_ref().map(|cwd| &cwd.pieces) {
            resolver = resolver.with_cwd(call.cwd.as_ref());
        }
        resolver.resolve(word, follow)
    }
}

/// The working directory that options set (`git -C x`), joined with the command's.
fn working_directory(call: &Call<'_>, reading: &Reading<'_, '_>) -> Option<Word> {
    let mut cwd = None;
    for (_, word) in reading.words().filter(|(role, _)| *role == Role::Cwd) {
        let base = cwd.as_ref().or(call.cwd.as_ref());
        let start = word.known_prefix();
        let is_absolute = start.starts_with(['/', '~']) || matches!(word.pieces.first(), Some(Piece::Unknown(_)));
        cwd = match base {
            Some(base) if !is_absolute => {
                let mut pieces = base.pieces.clone();
                pieces.push(Piece::Literal("/".to_owned()));
                pieces.extend(word.pieces.iter().cloned());
                Some(Word { pieces, span: word.span, quoted: word.quoted })
            }
            _ => Some(word.clone()),
        };
    }
    cwd
}

/// The program of a name: as it is, without `.exe` and case, without a version.
pub(super) fn lookup<'k>(name: &str, program: impl Fn(&str) -> Option<&'k Program>) -> Option<&'k Program> {
    if let Some(found) = program(name) {
        return Some(found);
    }
    let lower = name.to_ascii_lowercase();
    let plain = [".exe", ".cmd", ".bat", ".com"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
    program(plain).or_else(|| {
        let bare = plain.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
        let bare = bare.trim_end_matches('-');
        if bare.len() > 1 && bare != plain { program(bare) } else { None }
    })
}

/// Name without folder.
pub(super) fn base_name(text: &str) -> &str {
    let name = text.rsplit('/').next().unwrap_or(text);
    name.rsplit('\\').next().unwrap_or(name)
}

/// A function of the text: what it does is told with its own commands.
fn is_function(call: &Call<'_>, name: &str) -> bool {
    call.walk.script.commands.iter().any(|command| {
        command.inside.iter().any(|frame| matches!(frame, fourseam_shell::Frame::Function(called) if called == name))
    })
}

pub(super) fn display(word: &Word) -> String {
    let text = word.text();
    if text.contains(UNKNOWN) { text.replace(UNKNOWN, UNKNOWN_SHOWN) } else { text }
}

/// Program and subcommand, then the words in written order; what nested commands are and what is only text for
/// people is left out.
fn canonical(name: &str, call: &Call<'_>, reading: &Reading<'_, '_>) -> String {
    let mut text = name.to_owned();
    for subcommand in &reading.subcommand {
        text.push(' ');
        text.push_str(subcommand);
    }
    // By place, as a word may stand twice; once for all words, as there may be thousands.
    let hidden = reading.words().filter(|(role, _)| is_hidden(*role)).map(|(_, word)| word);
    let subcommands = reading.subcommand_words.iter().copied();
    let left_out: HashSet<*const Word> = hidden.chain(subcommands).map(std::ptr::from_ref).collect();
    for word in call.words.iter().skip(1) {
        if left_out.contains(&std::ptr::from_ref(word)) {
            continue;
        }
        text.push(' ');
        text.push_str(&display(word));
    }
    text
}

/// Whether the words of a role are told elsewhere or are only text for people.
fn is_hidden(role: Role) -> bool {
    match role {
        Role::Prose | Role::Command | Role::CommandUntil | Role::Shell | Role::Code(_) => true,
        Role::Text
        | Role::Path
        | Role::Read
        | Role::Write
        | Role::Append
        | Role::Edit
        | Role::Overwrite
        | Role::Delete
        | Role::Move
        | Role::Upload
        | Role::Payload
        | Role::From
        | Role::To
        | Role::Cwd
        | Role::Root
        | Role::NameFilter
        | Role::PathFilter
        | Role::ExtensionFilter
        | Role::Filter
        | Role::Link
        | Role::Url
        | Role::Host
        | Role::Resource
        | Role::Package
        | Role::Image
        | Role::Entrypoint
        | Role::Env
        | Role::Script(_)
        | Role::Task(_)
        | Role::Placeholder => false,
    }
}
