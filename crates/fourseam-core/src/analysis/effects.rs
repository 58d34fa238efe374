//! From the roles and rules of a program to effects on resolved targets.

use super::analyst::{Analyst, Found};
use super::call::{Understood, display};
use super::effect::{EffectKind, PathClass, PathUse, Place, Taint, Target};
use super::flow::{Taints, is_secret_name};
use super::path::{Follow, UNKNOWN, is_harmless_device};
use super::program::{EffectRule, Reference, Role, StdinUse};
use super::reading::tail;
use super::sources::{Sources, found};
use super::walk::is_process;
use crate::world::{Known, PathFact, Repository};
use fourseam_shell::{Piece, UnknownFrom, Word};
use std::borrow::Cow;

/// What a command takes in: what its reads carry, beside its words and input.
pub(super) type Taken = Taints;

/// Where a copy comes from or goes to.
enum End<'w> {
    Here(&'w Word),
    There { host: String },
    Store { url: String },
}

impl Analyst<'_> {
    /// Tells the effects of a command. Gives what it reads carries.
    pub(super) fn effects(&mut self, understood: &Understood<'_, '_, '_>) -> Taken {
        let reading = &understood.reading;
        let facts = understood.facts();
        let recursive = reading.chain.iter().any(|program| facts.holds(&program.recursive));
        let mut taken = Taints::NONE;
        for (role, word) in reading.words_in_force() {
            taken.add(self.by_role(understood, role, word, recursive));
        }
        if self.stdin_use(understood) == StdinUse::Paths {
            for item in self.items(understood) {
                taken.add(self.read(understood, &item, "read", true));
            }
        }
        // A file that is written carries what was read, so it is noted when all is read.
        let content = taken.with(understood.call.input.taints).with(self.words_taints(understood.call));
        let made = self.output_taints(understood);
        for (role, word) in reading.words_in_force() {
            self.note_change(understood, role, word, content.with(made));
        }
        for program in &reading.chain {
            for rule in program.effects.iter().filter(|rule| facts.holds(&rule.when)) {
                let content = content.with(made).with(taken);
                taken.add(self.by_rule(understood, rule, recursive, content));
            }
        }
        taken
    }

    fn by_role(&mut self, understood: &Understood<'_, '_, '_>, role: Role, word: &Word, recursive: bool) -> Taken {
        let call = understood.call;
        if is_process(word) {
            // What it reads or writes are the commands in it.
            return Sources::new(self, call.walk, call.command).outputs(word);
        }
        match role {
            Role::Read => self.read(understood, word, "read", recursive),
            Role::Upload => self.read(understood, word, "upload", recursive),
            Role::Write => self.write(understood, word, "write", recursive),
            Role::Append => self.at(understood, word, EffectKind::Write, "append", recursive),
            Role::Edit => self.at(understood, word, EffectKind::Overwrite, "edit", recursive),
            Role::Overwrite => self.at(understood, word, EffectKind::Overwrite, "overwrite", recursive),
            Role::Delete => self.at(understood, word, EffectKind::Delete, "delete", recursive),
            Role::Move => {
                self.at(understood, word, EffectKind::Delete, "move", recursive);
                self.content_taints(&self.path(call, word, Follow::Links))
            }
            Role::Payload => self.payload(understood, word),
            Role::From => self.copy_from(understood, word, recursive),
            Role::To => self.copy_to(understood, word, recursive),
            Role::Prose => {
                self.shown_variable(understood, word);
                Taints::NONE
            }
            Role::Text
            | Role::Path
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
            | Role::Shell
            | Role::Code(_)
            | Role::Script(_)
            | Role::Task(_)
            | Role::Placeholder => Taints::NONE,
        }
    }

    fn at(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        word: &Word,
        kind: EffectKind,
        verb: &str,
        recursive: bool,
    ) -> Taken {
        let follow =
            if kind == EffectKind::Delete && !display(word).ends_with('/') { Follow::Itself } else { Follow::Links };
        let (path, place) = self.located(understood.call, word, follow);
        self.file_effect(kind, verb, path, recursive, place, Some(understood.invocation));
        Taints::NONE
    }

    fn write(&mut self, understood: &Understood<'_, '_, '_>, word: &Word, verb: &str, recursive: bool) -> Taken {
        if word.literal() == Some("-") {
            return Taints::NONE;
        }
        let is_folder = self.is_folder(understood, word);
        for word in into_folder(understood, word, is_folder) {
            let (path, place) = self.located(understood.call, &word, Follow::Links);
            let kind = self.write_kind(&path);
            self.file_effect(kind, verb, path, recursive, place, Some(understood.invocation));
        }
        Taints::NONE
    }

    /// Whether a target is a folder, by its looks or by what is known.
    fn is_folder(&self, understood: &Understood<'_, '_, '_>, word: &Word) -> bool {
        let path = self.path(understood.call, word, Follow::Links);
        let is_root = |class: &PathClass| {
            matches!(class, PathClass::Root | PathClass::HomeRoot | PathClass::ProjectRoot | PathClass::TempRoot)
        };
        path.written.ends_with('/')
            || !path.glob && path.classes.iter().any(is_root)
            || path.resolved.as_deref().is_some_and(|path| {
                self.changes.of(path).is_none() && self.world.path(path) == Known::Yes(PathFact::Folder)
            })
    }

    fn read(&mut self, understood: &Understood<'_, '_, '_>, word: &Word, verb: &str, recursive: bool) -> Taken {
        if word.literal() == Some("-") {
            return Taints::NONE;
        }
        let (path, place) = self.located(understood.call, word, Follow::Links);
        if path.resolved.as_deref().is_some_and(is_harmless_device) {
            return Taints::NONE;
        }
        let sources = Sources::new(self, understood.call.walk, understood.call.command);
        let taken = self.content_taints(&path).with(sources.outputs(word));
        self.file_effect(EffectKind::Read, verb, path, recursive, place, Some(understood.invocation));
        taken
    }

    /// `text`, `@file`, `name=@file`, `-`.
    fn payload(&mut self, understood: &Understood<'_, '_, '_>, word: &Word) -> Taken {
        let start = word.known_prefix();
        let at = if start.starts_with('@') { Some(1) } else { start.find("=@").map(|at| at + 2) };
        let at = at.or_else(|| start.find("=<").map(|at| at + 2));
        let file = at.map(|at| super::reading::tail(word, at));
        match file {
            Some(file) if file.literal() == Some("-") => understood.call.input.taints,
            Some(mut file) => {
                // `f=@path;type=text/plain`.
                if let [fourseam_shell::Piece::Literal(text)] = file.pieces.as_mut_slice()
                    && let Some((path, _)) = text.clone().split_once(';')
                {
                    path.clone_into(text);
                }
                self.read(understood, &file, "upload", false)
            }
            None => Sources::new(self, understood.call.walk, understood.call.command).taints(word),
        }
    }

    fn copy_from(&mut self, understood: &Understood<'_, '_, '_>, word: &Word, recursive: bool) -> Taken {
        match end(word) {
            End::Here(word) => self.read(understood, word, "copy", recursive),
            End::There { host } => {
                self.network(understood, "receive", Target::Host { host });
                Taint::Download.into()
            }
            End::Store { url } => {
                self.network(understood, "receive", Target::Url { url });
                Taint::Download.into()
            }
        }
    }

    fn copy_to(&mut self, understood: &Understood<'_, '_, '_>, word: &Word, recursive: bool) -> Taken {
        match end(word) {
            End::Here(word) => self.write(understood, word, "copy", recursive),
            End::There { host } => {
                self.network(understood, "send", Target::Host { host });
                Taints::NONE
            }
            End::Store { url } => {
                self.network(understood, "send", Target::Url { url });
                Taints::NONE
            }
        }
    }

    fn network(&mut self, understood: &Understood<'_, '_, '_>, verb: &str, target: Target) {
        let found = Found {
            kind: EffectKind::Network,
            verb: verb.to_owned(),
            target: Some(target),
            recursive: false,
            taints: Taints::NONE,
        };
        self.effect(found, understood.call.context.place, Some(understood.invocation));
    }

    /// `echo $TOKEN` where the output is seen.
    fn shown_variable(&mut self, understood: &Understood<'_, '_, '_>, word: &Word) {
        if !understood.call.shown {
            return;
        }
        for unknown in word.unknowns() {
            let UnknownFrom::Variable(name) = &unknown.from else { continue };
            if is_secret_name(name)
                && !unknown.source.starts_with("${#")
                && !unknown.source.contains(":+")
                && !unknown.source.contains('+')
            {
                let target = Some(Target::Resource { name: name.clone() });
                let found = Found {
                    kind: EffectKind::Read,
                    verb: "variable".to_owned(),
                    target,
                    recursive: false,
                    taints: Taint::Secret.into(),
                };
                self.effect(found, understood.call.context.place, Some(understood.invocation));
            }
        }
    }

    /// Notes what a command does to files, for the commands behind it.
    fn note_change(&mut self, understood: &Understood<'_, '_, '_>, role: Role, word: &Word, content: Taints) {
        let is_write = matches!(role, Role::Write | Role::Overwrite | Role::To | Role::Edit | Role::Append);
        if !is_write || word.literal() == Some("-") {
            return;
        }
        let path = self.path(understood.call, word, Follow::Links);
        let Some(resolved) = path.resolved else { return };
        for source in understood.reading.args.iter().filter(|arg| arg.role == Role::Link) {
            if let Some(end) = self.path(understood.call, &source.word, Follow::Links).resolved {
                self.changes.link(&resolved, &end);
            }
        }
        let is_tee = matches!(role, Role::Write | Role::Append) && understood.reading.chain.len() == 1;
        let text = if is_tee { understood.call.input.text.clone() } else { None };
        match role {
            Role::Append => self.changes.append(&resolved, content, text),
            Role::Edit => self.changes.append(&resolved, content, None),
            _ => self.changes.write(&resolved, content, text),
        }
        // A copy into a folder makes files below it that are named like their sources.
        if role == Role::To {
            self.changes.fill(&resolved, content);
        }
    }

    /// Tells an effect of a rule. Gives what it reads.
    fn by_rule(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        rule: &EffectRule,
        recursive: bool,
        content: Taints,
    ) -> Taken {
        let here = understood.call.context.place;
        let Some(selection) = &rule.on else {
            if rule.kind == EffectKind::Write && rule.verb == "download" {
                self.download(understood);
                return Taints::NONE;
            }
            return self.told(understood, rule, (None, here), recursive);
        };
        if selection.of == Reference::Role(Role::Root) {
            let is_by_name =
                understood.reading.flags.iter().flat_map(|flag| &flag.values).any(|(role, _)| is_filter(*role));
            let reaches_all = !is_by_name && !understood.reading.filtered;
            for word in found(&understood.reading) {
                let (target, place) = self.target(understood, Role::Path, &word, rule.kind);
                self.told(understood, rule, (Some(target), place), recursive && reaches_all);
            }
            return Taints::NONE;
        }
        let values = understood.facts().select(selection);
        if values.is_empty() && selection.only.is_none() && selection.after.is_none() {
            return self.told(understood, rule, (None, here), recursive);
        }
        let values: Vec<(Role, Word)> = values.into_iter().map(|(role, word)| (role, word.into_owned())).collect();
        let mut taken = Taints::NONE;
        for (role, word) in values {
            let (target, place) = self.target(understood, role, &word, rule.kind);
            if let Target::Path(PathUse { resolved: Some(folder), .. }) = &target
                && matches!(rule.verb.as_str(), "unpack" | "extract" | "clone")
            {
                self.changes.fill(folder, content);
            }
            if let Target::Path(PathUse { resolved: Some(file), .. }) = &target {
                match rule.verb.as_str() {
                    "download" => self.changes.write(file, Taint::Download.into(), None),
                    "decoded" => self.changes.write(file, Taint::Decoded.into(), None),
                    _ => {}
                }
            }
            taken.add(self.told(understood, rule, (Some(target), place), recursive));
        }
        taken
    }

    /// Uncommitted changes are discarded, and there are none: known of the work tree, and the line changed no file.
    fn loses_nothing(&self, understood: &Understood<'_, '_, '_>, rule: &EffectRule, target: Option<&Target>) -> bool {
        let is_of_head = target.is_none_or(|target| matches!(target, Target::Resource { name } if name == "HEAD"));
        let is_asked =
            rule.kind == EffectKind::Vcs && matches!(rule.verb.as_str(), "discard" | "discard-all") && is_of_head;
        is_asked && self.changes.is_empty() && self.repository(understood).is_some_and(|it| it.clean == Some(true))
    }

    /// The repository a command runs in.
    fn repository(&self, understood: &Understood<'_, '_, '_>) -> Option<Repository> {
        let here = Word::known(".", fourseam_shell::Span::default());
        let folder = self.path(understood.call, &here, Follow::Links).resolved?;
        self.world.repository(&folder).ok()?
    }

    /// The current branch, which a push without a refspec pushes.
    fn pushed_branch(&self, understood: &Understood<'_, '_, '_>, rule: &EffectRule) -> Option<Target> {
        if rule.kind != EffectKind::Vcs
            || !matches!(rule.verb.as_str(), "push" | "force-push" | "force-push-with-lease")
        {
            return None;
        }
        let pushes_all = |name: &str| matches!(name, "--mirror" | "--all" | "--branches" | "--tags");
        if understood.reading.flags.iter().any(|flag| pushes_all(&flag.name)) {
            return None;
        }
        self.repository(understood)?.branch.map(|name| Target::Resource { name })
    }

    /// Files in the working directory that are named like what is fetched.
    fn download(&mut self, understood: &Understood<'_, '_, '_>) {
        let urls = understood.reading.args.iter().filter(|arg| arg.role == Role::Url).map(|arg| display(&arg.word));
        for url in urls.collect::<Vec<_>>() {
            let path = url.split(['?', '#']).next().unwrap_or("");
            let name =
                path.split_once("://").map_or(path, |(_, rest)| rest).rsplit_once('/').map_or("", |(_, name)| name);
            let name = if name.is_empty() { "index.html" } else { name };
            let word = Word::known(name, fourseam_shell::Span::default());
            let (path, place) = self.located(understood.call, &word, Follow::Links);
            if let Some(resolved) = &path.resolved {
                self.changes.write(resolved, Taint::Download.into(), None);
            }
            self.file_effect(EffectKind::Write, "download", path, false, place, Some(understood.invocation));
        }
    }

    fn told(
        &mut self,
        understood: &Understood<'_, '_, '_>,
        rule: &EffectRule,
        (target, place): (Option<Target>, Place),
        recursive: bool,
    ) -> Taken {
        let invocation = Some(understood.invocation);
        let is_remote_code = rule.kind == EffectKind::Execute && rule.verb == "remote";
        match target {
            Some(Target::Path(path)) if path.written == "-" => Taints::NONE,
            Some(Target::Path(path)) if !is_remote_code => {
                let taken = if rule.kind == EffectKind::Read { self.content_taints(&path) } else { Taints::NONE };
                self.file_effect(rule.kind, &rule.verb, path, recursive, place, invocation);
                taken
            }
            target => {
                let taints = if is_remote_code { Taint::Download.into() } else { Taints::NONE };
                let verb = if self.loses_nothing(understood, rule, target.as_ref()) {
                    "discard-nothing".to_owned()
                } else {
                    rule.verb.clone()
                };
                let target = target.or_else(|| self.pushed_branch(understood, rule));
                self.effect(Found { kind: rule.kind, verb, target, recursive, taints }, place, invocation);
                Taints::NONE
            }
        }
    }

    /// What an effect is done to, by the role of the word that names it.
    fn target(
        &self,
        understood: &Understood<'_, '_, '_>,
        role: Role,
        word: &Word,
        kind: EffectKind,
    ) -> (Target, Place) {
        let target = match role {
            Role::Url => Target::Url { url: display(word) },
            Role::Host => Target::Host { host: display(word) },
            Role::Path
            | Role::Link
            | Role::Read
            | Role::Write
            | Role::Append
            | Role::Edit
            | Role::Overwrite
            | Role::Delete
            | Role::Move
            | Role::Upload
            | Role::Cwd
            | Role::Root => {
                let follow = if kind == EffectKind::Delete { Follow::Itself } else { Follow::Links };
                let (path, place) = self.located(understood.call, word, follow);
                return (Target::Path(path), place);
            }
            Role::From | Role::To => match end(word) {
                End::Here(word) => {
                    let (path, place) = self.located(understood.call, word, Follow::Links);
                    return (Target::Path(path), place);
                }
                // What is done to files there is told of their path there.
                End::There { .. } if matches!(kind, EffectKind::Delete | EffectKind::Overwrite | EffectKind::Write) => {
                    let at = word.known_prefix().find(':').map_or(0, |at| at + 1);
                    let path = self.path(understood.call, &tail(word, at), Follow::Itself);
                    return (Target::Path(path), Place::Remote);
                }
                End::There { host } => Target::Host { host },
                End::Store { url } => Target::Url { url },
            },
            Role::Text
            | Role::Prose
            | Role::Payload
            | Role::NameFilter
            | Role::PathFilter
            | Role::ExtensionFilter
            | Role::Filter
            | Role::Resource
            | Role::Package
            | Role::Image
            | Role::Entrypoint
            | Role::Env
            | Role::Command
            | Role::CommandUntil
            | Role::Shell
            | Role::Code(_)
            | Role::Script(_)
            | Role::Task(_)
            | Role::Placeholder => Target::Resource { name: display(word) },
        };
        (target, understood.call.context.place)
    }
}

/// Where a copy ends: in a folder, the file that is named like each source.
fn into_folder<'w>(understood: &Understood<'_, '_, '_>, word: &'w Word, is_folder: bool) -> Vec<Cow<'w, Word>> {
    let sources = understood.reading.args.iter().filter(|arg| matches!(arg.role, Role::Read | Role::Move | Role::From));
    let mut words: Vec<Cow<'w, Word>> = Vec::new();
    for source in sources.filter(|_| is_folder).map(|arg| display(&arg.word)) {
        // `rsync a/ b/` fills b itself.
        let Some(name) = source.rsplit('/').next().filter(|name| !name.is_empty() && !name.starts_with('.')) else {
            continue;
        };
        let mut joined = word.clone();
        if !display(word).ends_with('/') {
            joined.pieces.push(Piece::Literal("/".to_owned()));
        }
        let is_glob = name.contains(['*', '?', '[', '$']);
        joined.pieces.push(Piece::Literal(if is_glob { UNKNOWN.to_string() } else { name.to_owned() }));
        words.push(Cow::Owned(joined));
    }
    if words.is_empty() { vec![Cow::Borrowed(word)] } else { words }
}

fn is_filter(role: Role) -> bool {
    matches!(role, Role::NameFilter | Role::ExtensionFilter | Role::PathFilter | Role::Filter)
}

/// Whether the place of a copy is here: a path, `host:path`, or the URL of a store.
fn end(word: &Word) -> End<'_> {
    let text = display(word);
    let start = word.known_prefix();
    if start.contains("://") && !start.starts_with("file://") {
        return End::Store { url: text };
    }
    let Some((host, _)) = start.split_once(':') else { return End::Here(word) };
    let is_drive = host.len() == 1 && host.chars().all(|letter| letter.is_ascii_alphabetic());
    if host.is_empty() || is_drive || host.contains(['/', UNKNOWN]) || host.starts_with('.') {
        return End::Here(word);
    }
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    End::There { host: host.to_owned() }
}
