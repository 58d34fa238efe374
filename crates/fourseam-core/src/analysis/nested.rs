//! What a command starts: nested commands, shell text, code, standard input that is code.

use super::analyst::{Analyst, Context, Found, Mount, Outer};
use super::call::{Call, Understood, display};
use super::effect::{EffectKind, Place, Taint, UnknownClass};
use super::flow::{Input, Taints};
use super::path::{Follow, Origin, Origins, UNKNOWN};
use super::program::{Code, Role, StdinUse, Syntax};
use super::reading::{ArgUse, Reading};
use super::sources::{Sources, found};
use fourseam_shell::{Piece, Span, Unknown, UnknownFrom, Word};

/// Targets that replace a placeholder one by one.
const MOST_ITEMS: usize = 16;
/// Words that a known text gives to `xargs`.
const MOST_WORDS: usize = 64;

impl Analyst<'_> {
    /// Everything a command starts. Gives what the output of that carries.
    pub(super) fn nested(&mut self, understood: &Understood<'_, '_, '_>) -> Taints {
        let mut flow = self.nested_commands(understood);
        let reading = &understood.reading;
        let shell: Vec<&Word> =
            reading.args.iter().filter(|arg| arg.role == Role::Shell).map(|arg| &*arg.word).collect();
        if !shell.is_empty() {
            flow.add(self.shell_words(understood, &shell));
        }
        // A command of redis, cmd or PowerShell stands in several words, as one of the shell does.
        let mut args = reading.args.as_slice();
        while let Some((first, rest)) = args.split_first() {
            args = rest;
            match first.role {
                Role::Shell => {}
                Role::Code(_) => {
                    let is_same = |arg: &&ArgUse<'_, '_>| arg.role == first.role;
                    let words: Vec<&Word> =
                        std::iter::once(first).chain(rest.iter().take_while(is_same)).map(|arg| &*arg.word).collect();
                    args = rest.get(words.len() - 1..).unwrap_or_default();
                    flow.add(self.run_value(understood, first.role, &joined(&words)));
                }
                role => flow.add(self.run_value(understood, role, &first.word)),
            }
        }
        for (role, word) in reading.flags.iter().filter(|flag| !flag.taken_back).flat_map(|flag| &flag.values) {
            flow.add(self.run_value(understood, *role, word));
        }
        let facts = understood.facts();
        for run in reading.chain.iter().flat_map(|program| &program.runs).filter(|run| facts.holds(&run.when)) {
            for (_, word) in facts.select(&run.of) {
                flow.add(if run.here {
                    self.run_here(understood, &word)
                } else {
                    self.run_value(understood, run.as_role, &word)
                });
            }
        }
        flow.add(self.stdin_code(understood));
        flow
    }

    /// Runs a text as shell code where the program itself runs.
    fn run_here(&mut self, understood: &Understood<'_, '_, '_>, word: &Word) -> Taints {
        let Some(text) = word.literal() else { return self.shell_words(understood, &[word]) };
        let inner = Context { place: understood.call.context.place, ..self.inner(understood) };
        self.text(text, &understood.call.scope.exported(), &inner)
    }

    fn run_value(&mut self, understood: &Understood<'_, '_, '_>, role: Role, word: &Word) -> Taints {
        match role {
            Role::Shell => self.shell_words(understood, &[word]),
            Role::Code(code) => self.code_word(understood, code, word),
            Role::Script(code) => self.script_word(understood, code, word),
            Role::Task(file) => self.task(understood, file, word),
            Role::Text
            | Role::Prose
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
            | Role::Command
            | Role::CommandUntil
            | Role::Placeholder => Taints::NONE,
        }
    }

    /// Where what a command starts runs.
    pub(super) fn inner(&self, understood: &Understood<'_, '_, '_>) -> Context {
        let call = understood.call;
        let mut inner = call.context.deeper();
        if let Some(place) = understood.reading.chain.iter().rev().find_map(|program| program.place) {
            inner.place = place;
            if place == Place::Container {
                inner.mounts.extend(self.mounts(understood));
            }
        }
        inner.span = Some(call.span);
        inner.hidden = !call.shown;
        inner.through.push(label(understood));
        inner.input = match self.stdin_use(understood) {
            StdinUse::Data | StdinUse::Inherited => call.input.clone(),
            StdinUse::Ignored
            | StdinUse::Code(_)
            | StdinUse::Arguments
            | StdinUse::Lines
            | StdinUse::Paths
            | StdinUse::Schedule
            | StdinUse::Send => Input::default(),
        };
        inner
    }

    /// Folders of this machine that a container sees: where it sees them, and where they are.
    fn mounts(&self, understood: &Understood<'_, '_, '_>) -> Vec<Mount> {
        let flags = understood.reading.flags.iter().filter(|flag| matches!(&*flag.name, "-v" | "--volume" | "--mount"));
        let mut mounts = Vec::new();
        for (_, word) in flags.flat_map(|flag| &flag.values) {
            let text = word.text();
            let (source, target) = match text.split_once("target=").or_else(|| text.split_once("dst=")) {
                Some((before, target)) => {
                    let source = before
                        .split_once("source=")
                        .or_else(|| before.split_once("src="))
                        .map_or("", |(_, source)| source);
                    (source.trim_end_matches([',', '=']), target.split(',').next().unwrap_or(""))
                }
                None => text.split_once(':').unwrap_or((&text, "")),
            };
            let target = target.split(':').next().unwrap_or("");
            let is_path = source.starts_with(['/', '.', '~', '$']);
            if !is_path || !target.starts_with('/') {
                continue;
            }
            let start = Word { pieces: word.pieces.clone(), span: word.span, quoted: false };
            let source = self.path(understood.call, &until(&start, source), Follow::Links);
            if let Some(folder) = source.resolved {
                mounts.push(Mount { seen: target.trim_end_matches('/').to_owned(), folder });
            }
        }
        mounts
    }

    /// Commands whose words are arguments.
    fn nested_commands(&mut self, understood: &Understood<'_, '_, '_>) -> Taints {
        let reading = &understood.reading;
        let mut flow = Taints::NONE;
        let words: Vec<Word> =
            reading.args.iter().filter(|arg| arg.role == Role::Command).map(|arg| (*arg.word).clone()).collect();
        let words = self.with_own_program(reading, words);
        let stdin = self.stdin_use(understood);
        let takes_items = matches!(stdin, StdinUse::Arguments | StdinUse::Lines);
        if takes_items && understood.call.input.fed && words.is_empty() && stdin == StdinUse::Lines {
            flow.add(self.stdin_as(understood, Code::Shell));
        }
        if !words.is_empty() {
            let (words, mut items) = split_items(words);
            if takes_items {
                items.extend(self.items(understood));
            }
            let placeholder =
                reading.flags.iter().flat_map(|flag| &flag.values).find(|(role, _)| *role == Role::Placeholder);
            let placeholder = placeholder.map(|(_, word)| display(word));
            let placeholder = placeholder.or_else(|| (stdin == StdinUse::Lines).then(|| "{}".to_owned()));
            flow.add(self.with_items(understood, &words, &items, placeholder.as_deref(), true));
        }
        for flag in &reading.flags {
            let words: Vec<Word> = flag
                .values
                .iter()
                .filter(|(role, _)| *role == Role::CommandUntil)
                .map(|(_, word)| (**word).clone())
                .collect();
            if !words.is_empty() {
                let appends = reading.chain.iter().all(|program| program.syntax != Syntax::Find);
                flow.add(self.with_items(understood, &words, &found(reading), Some("{}"), appends));
            }
        }
        flow
    }

    /// A command with the program that an option or the image of a container puts in front of it
    /// (`docker run --entrypoint sh`, `docker run hashicorp/terraform plan`).
    fn with_own_program(&self, reading: &Reading<'_, '_>, mut words: Vec<Word>) -> Vec<Word> {
        let mut values = reading.flags.iter().flat_map(|flag| &flag.values);
        if let Some((_, program)) = values.find(|(role, _)| *role == Role::Entrypoint) {
            words.insert(0, (**program).clone());
            return words;
        }
        let is_known = |name: &str| self.knowledge.program(name).is_some();
        let image = reading.args.iter().find(|arg| arg.role == Role::Image).and_then(|arg| arg.word.literal());
        let name = image.map(|image| image.rsplit('/').next().unwrap_or(image)).unwrap_or_default();
        let name = name.split([':', '@']).next().unwrap_or_default();
        let starts_with_program = words.first().and_then(Word::literal).is_none_or(is_known);
        if !words.is_empty() && !starts_with_program && is_known(name) {
            words.insert(0, Word::known(name, Span::default()));
        }
        words
    }

    /// Runs a command once for all targets, or once for each when a placeholder stands for them.
    fn with_items(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        words: &[Word],
        items: &[Word],
        placeholder: Option<&str>,
        appends: bool,
    ) -> Taints {
        let mark = placeholder.filter(|mark| words.iter().any(|word| word.text().contains(mark)));
        if let Some(mark) = mark.filter(|_| !items.is_empty()) {
            let mut flow = Taints::NONE;
            for item in items.iter().take(MOST_ITEMS) {
                let words: Vec<Word> = words.iter().map(|word| replaced(word, mark, item)).collect();
                flow.add(self.start(understood, &words));
            }
            return flow;
        }
        let mut all = words.to_vec();
        if appends {
            all.extend(items.iter().cloned());
        }
        self.start(understood, &all)
    }

    /// Runs words as a command that this one starts.
    pub(super) fn start(&mut self, understood: &Understood<'_, '_, '_>, words: &[Word]) -> Taints {
        let call = understood.call;
        let inner = self.inner(understood);
        let mut assignments = call.assignments.clone();
        for arg in understood.reading.args.iter().filter(|arg| arg.role == Role::Env) {
            if let Some((name, _)) = arg.word.known_prefix().split_once('=') {
                assignments.push((name.to_owned(), super::reading::tail(&arg.word, name.len() + 1)));
            }
        }
        let unset = understood.reading.flags.iter().filter(|flag| flag.name == "-u").flat_map(|flag| &flag.values);
        let unset = unset.filter(|(role, _)| *role == Role::Env).map(|(_, word)| (word.text(), Word::default()));
        let nested = Call {
            words,
            environment: unset.chain(assignments.iter().chain(&self.exported).cloned()).collect(),
            assignments,
            cwd: call.cwd.clone(),
            scope: call.scope,
            input: inner.input.clone(),
            context: &inner,
            span: call.span,
            walk: call.walk,
            command: call.command,
            shown: call.shown,
        };
        self.call(&nested)
    }

    /// The words that standard input gives as arguments.
    pub(super) fn items(&self, understood: &Understood<'_, '_, '_>) -> Vec<Word> {
        let call = understood.call;
        if let Some(text) = &call.input.text {
            let is_by_line = matches!(self.stdin_use(understood), StdinUse::Lines | StdinUse::Paths)
                || understood.reading.flags.iter().any(|flag| matches!(&*flag.name, "-I" | "-d" | "-0" | "-L" | "-i"));
            let separators: &[char] = if is_by_line { &['\n', '\0'] } else { &[' ', '\t', '\n', '\0'] };
            let words = text.split(separators).map(str::trim).filter(|word| !word.is_empty()).take(MOST_WORDS);
            let unquote = |word: &str| word.trim_matches(['"', '\'']).to_owned();
            return words.map(|word| Word { quoted: true, ..Word::known(unquote(word), call.command.span) }).collect();
        }
        let from_file =
            understood.reading.flags.iter().find(|flag| flag.name == "-a").and_then(|flag| flag.values.first());
        if let Some((_, file)) = from_file {
            let source = format!("$(< {})", display(file));
            let unknown = Unknown { source, from: UnknownFrom::Other, may_split: true };
            return vec![Word { pieces: vec![Piece::Unknown(unknown)], ..Word::default() }];
        }
        match &call.input.words {
            Some(words) => Sources::new(self, call.walk, call.command).listed_words(words),
            None => Vec::new(),
        }
    }

    /// Text that a shell runs; several words are joined by blanks.
    fn shell_words(&mut self, understood: &Understood<'_, '_, '_>, words: &[&Word]) -> Taints {
        let joined = joined(words);
        let mut inner = self.inner(understood);
        let scope = understood.call.scope.exported();
        let positional: Vec<Word> = understood
            .reading
            .args
            .iter()
            .skip_while(|arg| arg.role != Role::Shell)
            .skip(1)
            .filter(|arg| arg.role != Role::Shell)
            .skip(1)
            .map(|arg| (*arg.word).clone())
            .collect();
        let scope = if words.len() == 1 { scope.with_positional(&positional) } else { scope };
        if let Some(text) = joined.literal().filter(|text| !text.contains(UNKNOWN)) {
            return self.text(text, &scope, &inner);
        }
        let call = understood.call;
        let sources = Sources::new(self, call.walk, call.command);
        if is_all_unknown(&joined) {
            let taints = sources.outputs(&joined);
            if let [Piece::Unknown(unknown)] = joined.pieces.as_slice()
                && let Some(text) = known_output(call, unknown)
            {
                return self.text(&text, &scope, &inner);
            }
            let text = display(&joined);
            if !self.run_unknown(taints, inner.place, Some(understood.invocation)) {
                self.unknown(UnknownClass::ShellCode, &text, Some(understood.invocation));
            }
            return taints;
        }
        let text = nested_text(&sources, &joined, &mut inner.outer);
        self.text(&text, &scope, &inner)
    }

    /// Text that an interpreter runs.
    fn code_word(&mut self, understood: &Understood<'_, '_, '_>, code: Code, word: &Word) -> Taints {
        if code == Code::Shell {
            return self.shell_words(understood, &[word]);
        }
        if let Some(text) = word.literal() {
            return self.code_text(understood, code, text);
        }
        let call = understood.call;
        let taints = Sources::new(self, call.walk, call.command).outputs(word);
        if self.run_unknown(taints, self.inner(understood).place, Some(understood.invocation)) {
            return taints;
        }
        if is_all_unknown(word) {
            self.unknown(UnknownClass::Code, &display(word), Some(understood.invocation));
            return taints;
        }
        taints.with(self.code_text(understood, code, &display(word)))
    }

    /// Standard input that is code.
    fn stdin_code(&mut self, understood: &Understood<'_, '_, '_>) -> Taints {
        match self.stdin_use(understood) {
            StdinUse::Code(_) if self.is_typed(understood) => {
                self.unknown(UnknownClass::Typed, understood.call_name(), Some(understood.invocation));
                Taints::NONE
            }
            StdinUse::Code(code) => self.stdin_as(understood, code),
            StdinUse::Schedule => self.schedule(understood),
            StdinUse::Data
            | StdinUse::Ignored
            | StdinUse::Arguments
            | StdinUse::Lines
            | StdinUse::Paths
            | StdinUse::Send
            | StdinUse::Inherited => Taints::NONE,
        }
    }

    /// Nothing feeds it: it waits for a terminal. What runs elsewhere is not at hand to be typed into.
    fn is_typed(&self, understood: &Understood<'_, '_, '_>) -> bool {
        !understood.call.input.fed && understood.call.context.place == Place::Local
    }

    /// The command lines of a crontab.
    fn schedule(&mut self, understood: &Understood<'_, '_, '_>) -> Taints {
        let input = &understood.call.input;
        let text = input.text.clone().or_else(|| self.own_text(input.file.as_deref()?)).or(input.known_parts.clone());
        let Some(text) = text else { return Taints::NONE };
        let commands: Vec<&str> = text.lines().filter_map(scheduled).collect();
        self.code_text(understood, Code::Shell, &commands.join("\n"))
    }

    /// Runs standard input as code.
    pub(super) fn stdin_as(&mut self, understood: &Understood<'_, '_, '_>, code: Code) -> Taints {
        let input = &understood.call.input;
        if !input.fed {
            return Taints::NONE;
        }
        let place = self.inner(understood).place;
        let ran = self.run_unknown(input.taints, place, Some(understood.invocation));
        let text = input.text.clone().or_else(|| self.own_text(input.file.as_deref()?));
        match text {
            Some(text) => self.code_text(understood, code, &text),
            None if ran => input.taints,
            None => {
                if let Some(known) = &input.known_parts {
                    self.code_text(understood, code, known);
                }
                let class = if code == Code::Shell { UnknownClass::ShellCode } else { UnknownClass::Code };
                let shown = input.words.as_ref().map(display).or(input.file.clone()).unwrap_or_default();
                self.unknown(class, &shown, Some(understood.invocation));
                input.taints
            }
        }
    }

    /// Tells that text of which only the source is known is run: from the network, or decoded. False when nothing
    /// is known of the source; true without an effect when it is a program's own set-up code.
    pub(super) fn run_unknown(&mut self, taints: Taints, place: Place, invocation: Option<usize>) -> bool {
        let verb = if taints.has(Taint::Download) {
            "remote"
        } else if taints.has(Taint::Decoded) {
            "decoded"
        } else {
            return taints == Taints::SETUP;
        };
        let found = Found { kind: EffectKind::Execute, verb: verb.to_owned(), target: None, recursive: false, taints };
        self.effect(found, place, invocation);
        true
    }
}

/// The pieces of a word that make up a text that it holds.
fn until(word: &Word, text: &str) -> Word {
    let mut pieces = Vec::new();
    let mut rest = text;
    let from = word.text().find(text).unwrap_or(0);
    let mut at = 0;
    for piece in &word.pieces {
        let shown = Word { pieces: vec![piece.clone()], ..Word::default() }.text();
        let skipped = from.saturating_sub(at).min(shown.len());
        at += shown.len();
        let Some(visible) = shown.get(skipped..).filter(|visible| !visible.is_empty()) else { continue };
        let taken = visible.len().min(rest.len());
        match piece {
            Piece::Literal(_) => push_literal(&mut pieces, rest.get(..taken).unwrap_or("")),
            Piece::Glob(_) | Piece::Unknown(_) => pieces.push(piece.clone()),
        }
        rest = rest.get(taken..).unwrap_or("");
        if rest.is_empty() {
            break;
        }
    }
    Word { pieces, span: word.span, quoted: false }
}

/// The command of a crontab line: what stands behind five fields of time, or one word with `@`.
fn scheduled(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let fields = if line.starts_with('@') { 1 } else { 5 };
    let mut rest = line;
    for _ in 0..fields {
        let (field, behind) = rest.split_once([' ', '\t'])?;
        let is_time = |character: char| character.is_ascii_alphanumeric() || "*/,-@".contains(character);
        if !field.chars().all(is_time) {
            return None;
        }
        rest = behind.trim_start();
    }
    (!rest.is_empty()).then_some(rest)
}

/// Program and subcommand, and the option that holds the text: `docker exec`, `bash -c`.
fn label(understood: &Understood<'_, '_, '_>) -> String {
    let reading = &understood.reading;
    let mut label = reading.chain.first().map_or_else(String::new, |program| program.name.clone());
    for subcommand in &reading.subcommand {
        label.push(' ');
        label.push_str(subcommand);
    }
    let code_option = reading.flags.iter().find(|flag| {
        matches!(&*flag.name, "-c" | "-e" | "-r")
            || flag.values.iter().any(|(role, _)| matches!(role, Role::Shell | Role::Code(_)))
    });
    if let Some(flag) = code_option {
        label.push(' ');
        label.push_str(&flag.name);
    }
    label
}

/// Several words as one, with blanks between.
fn joined(words: &[&Word]) -> Word {
    let mut joined = Word::default();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            push_literal(&mut joined.pieces, " ");
        }
        for piece in &word.pieces {
            match piece {
                Piece::Literal(text) => push_literal(&mut joined.pieces, text),
                Piece::Glob(_) | Piece::Unknown(_) => joined.pieces.push(piece.clone()),
            }
        }
    }
    joined
}

/// `parallel rm ::: a b`: the words of the command, and its targets.
fn split_items(mut words: Vec<Word>) -> (Vec<Word>, Vec<Word>) {
    let Some(at) = words.iter().position(|word| matches!(word.literal(), Some(":::" | ":::+"))) else {
        return (words, Vec::new());
    };
    let items =
        words.split_off(at).into_iter().filter(|word| !matches!(word.literal(), Some(":::" | ":::+"))).collect();
    (words, items)
}

/// A word with every placeholder replaced.
fn replaced(word: &Word, mark: &str, item: &Word) -> Word {
    let mut pieces = Vec::new();
    for piece in &word.pieces {
        let Piece::Literal(text) = piece else {
            pieces.push(piece.clone());
            continue;
        };
        for (at, part) in text.split(mark).enumerate() {
            if at > 0 {
                for piece in &item.pieces {
                    match piece {
                        Piece::Literal(text) => push_literal(&mut pieces, text),
                        Piece::Glob(_) | Piece::Unknown(_) => pieces.push(piece.clone()),
                    }
                }
            }
            push_literal(&mut pieces, part);
        }
    }
    Word { pieces, span: word.span, quoted: word.quoted }
}

fn push_literal(pieces: &mut Vec<Piece>, text: &str) {
    if text.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(Piece::Literal(last)) => last.push_str(text),
        _ => pieces.push(Piece::Literal(text.to_owned())),
    }
}

/// Nothing of it but blanks is known.
fn is_all_unknown(word: &Word) -> bool {
    word.pieces.iter().all(|piece| match piece {
        Piece::Literal(text) => text.trim().is_empty(),
        Piece::Glob(_) => false,
        Piece::Unknown(_) => true,
    })
}

/// What the commands of `<( ... )` or `$( ... )` are known to write.
pub(super) fn known_output(call: &Call<'_>, unknown: &fourseam_shell::Unknown) -> Option<String> {
    let [at] = super::walk::from(unknown) else { return None };
    let output = call.walk.script.commands.get(*at)?.output.as_ref()?;
    output.literal().map(str::to_owned)
}

/// The text as the nested shell sees it; what the outer shell puts in is a variable there.
fn nested_text(sources: &Sources<'_>, word: &Word, outer: &mut Vec<Outer>) -> String {
    let mut text = String::new();
    let mut stand_in = |origin: Origin, taints: Taints| {
        let name = format!("outer_text_{}", outer.len());
        let source = format!("${{{name}}}");
        outer.push(Outer { name, origin, taints });
        source
    };
    for piece in &word.pieces {
        match piece {
            Piece::Literal(known) if known.contains(UNKNOWN) => {
                let name = stand_in(Origin::Name, Taints::NONE);
                text.push_str(&known.replace(UNKNOWN, &name));
            }
            Piece::Literal(known) | Piece::Glob(known) => text.push_str(known),
            Piece::Unknown(unknown) => match &unknown.from {
                UnknownFrom::Variable(name) if !name.starts_with("outer_text_") => {
                    text.push_str("${");
                    text.push_str(name);
                    text.push('}');
                }
                UnknownFrom::Variable(_)
                | UnknownFrom::Assigned { .. }
                | UnknownFrom::Output(_)
                | UnknownFrom::Process(_)
                | UnknownFrom::Other => {
                    let single = Word { pieces: vec![piece.clone()], ..Word::default() };
                    let source = stand_in(sources.origin(unknown), sources.taints(&single));
                    text.push_str(&source);
                }
            },
        }
    }
    text
}
