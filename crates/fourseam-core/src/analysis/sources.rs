//! Where unknown texts of a command come from: what they may be as paths, and what they carry.

use super::analyst::Analyst;
use super::effect::{PathUse, Taint};
use super::flow::{Taints, is_secret_name};
use super::path::{Follow, Origin, Origins, Resolver, UNKNOWN};
use super::program::{Program, Role};
use super::reading::{Outside, Reading, read};
use super::walk::{Walk, from};
use fourseam_shell::{Command, Frame, Piece, Stdin, Unknown, UnknownFrom, Word};
use std::borrow::Cow;

/// Commands that are followed backwards to say where a text comes from.
const MAX_STEPS: u8 = 12;

/// The sources of one command's words.
pub(super) struct Sources<'a> {
    pub(super) analyst: &'a Analyst<'a>,
    pub(super) walk: &'a Walk<'a>,
    command: &'a Command,
    steps: u8,
}

/// Paths that the output of a command lists.
enum Listed {
    /// These, with globs.
    Paths(Vec<String>),
    /// Some text that is not empty.
    Name,
    /// Not known.
    Unknown,
}

impl<'a> Sources<'a> {
    pub(super) fn new(analyst: &'a Analyst<'_>, walk: &'a Walk<'_>, command: &'a Command) -> Self {
        Self { analyst, walk, command, steps: 0 }
    }

    /// What the output of a command of this text carries.
    pub(super) fn flow(&self, at: usize) -> Taints {
        self.walk.flows.get(at).copied().flatten().unwrap_or_default()
    }

    /// What a word carries, variables of the environment included.
    pub(super) fn taints(&self, word: &Word) -> Taints {
        word.unknowns().fold(Taints::NONE, |all, unknown| {
            let mut taints = self.carried(unknown);
            if let UnknownFrom::Variable(name) = &unknown.from
                && is_secret_name(name)
            {
                taints.add(Taint::Secret);
            }
            all.with(taints)
        })
    }

    /// What a word carries of the output of commands.
    pub(super) fn outputs(&self, word: &Word) -> Taints {
        word.unknowns().fold(Taints::NONE, |all, unknown| all.with(self.carried(unknown)))
    }

    /// What flows into a command through `>( ... )`.
    pub(super) fn substituted_input(&self) -> Option<Taints> {
        if !self.command.inside.contains(&Frame::ProcessSubstitution) {
            return None;
        }
        let commands = &self.walk.script.commands;
        let at = commands.iter().position(|command| std::ptr::eq(command, self.command))?;
        let feeds = |command: &Command| {
            let targets = command.redirects.iter().map(|redirect| &redirect.target);
            let mut unknowns = command.words.iter().chain(targets).flat_map(Word::unknowns);
            unknowns.any(|unknown| unknown.source.starts_with(">(") && from(unknown).contains(&at))
        };
        commands.iter().position(feeds).map(|feeding| self.flow(feeding))
    }

    fn carried(&self, unknown: &Unknown) -> Taints {
        let outer = match &unknown.from {
            UnknownFrom::Variable(name) => self.walk.context.outer.iter().find(|outer| outer.name == *name),
            UnknownFrom::Assigned { .. } | UnknownFrom::Output(_) | UnknownFrom::Process(_) | UnknownFrom::Other => {
                None
            }
        };
        let own = from(unknown).iter().fold(Taints::NONE, |all, at| all.with(self.flow(*at)));
        own.with(outer.map_or(Taints::NONE, |outer| outer.taints))
    }

    /// The path a word means.
    pub(super) fn path(&self, word: &Word) -> PathUse {
        self.resolver(self.command).resolve(word, Follow::Links)
    }

    /// Resolves words where `command` runs.
    pub(super) fn resolver(&self, command: &Command) -> Resolver<'_> {
        let resolver =
            Resolver { setting: &self.analyst.setting, world: self.analyst.world, origins: self, bases: Vec::new() };
        resolver.with_cwd(command.cwd.as_ref())
    }

    /// The program that the output of a command names (`$(which rm)`).
    pub(super) fn named_program(&self, word: &Word) -> Option<String> {
        let [Piece::Unknown(unknown)] = word.pieces.as_slice() else { return None };
        let [at] = from(unknown) else { return None };
        let words = &self.walk.script.commands.get(*at)?.words;
        let (program, rest) = words.split_first()?;
        let finds = matches!(program.literal()?, "which" | "command" | "type" | "whence" | "readlink" | "realpath");
        let last = rest.last()?.literal()?;
        (finds && !last.starts_with('-')).then(|| last.to_owned())
    }

    /// The file whose content the output of commands is as it stands (`cat x |`).
    pub(super) fn passed_file(&self, commands: &[usize]) -> Option<String> {
        let [at] = commands else { return None };
        let command = self.walk.script.commands.get(*at)?;
        let [program, file] = command.words.as_slice() else { return None };
        if program.literal()? != "cat" {
            return None;
        }
        self.resolver(command).resolve(file, Follow::Links).resolved
    }

    /// The paths that an output lists, as words.
    pub(super) fn listed_words(&self, word: &Word) -> Vec<Word> {
        let [Piece::Unknown(unknown)] = word.pieces.as_slice() else { return vec![word.clone()] };
        let Some(at) = from(unknown).last() else { return vec![word.clone()] };
        match self.listed(*at) {
            Listed::Paths(paths) => paths.iter().map(|path| path_word(path, word)).collect(),
            Listed::Name | Listed::Unknown => vec![word.clone()],
        }
    }

    fn listed(&self, at: usize) -> Listed {
        let Some(command) = self.walk.script.commands.get(at).filter(|_| self.steps < MAX_STEPS) else {
            return Listed::Unknown;
        };
        let Some((first, rest)) = command.words.split_first() else { return Listed::Unknown };
        let Some(name) = first.literal() else { return Listed::Unknown };
        let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
        let deeper = Sources { analyst: self.analyst, walk: self.walk, command, steps: self.steps + 1 };
        let resolver = deeper.resolver(command);
        let program = self.analyst.knowledge.program(name);
        let reading = || {
            let outside = Outside { called: name, stdin: false, assignments: &[] };
            read(program.unwrap_or(Program::nothing()), rest, outside, self.analyst.knowledge)
        };
        match name {
            "find" | "fd" | "fdfind" => Listed::Paths(paths_of(&resolver, &found(&reading()))),
            "ls" | "exa" | "eza" => Listed::Paths(listed_by_ls(&resolver, &reading())),
            "git" => deeper.listed_by_git(&reading()),
            "rg" | "grep" | "ag" | "egrep" | "fgrep" | "ugrep" => match &command.stdin {
                Stdin::Pipe(commands) => deeper.narrowed(commands),
                _ => Listed::Paths(resolver.bases.iter().map(|base| format!("{base}/**/{UNKNOWN}")).collect()),
            },
            "sort" | "uniq" | "cat" | "tac" | "tr" | "shuf" | "tee" | "nl" => match &command.stdin {
                Stdin::Pipe(commands) => commands.last().map_or(Listed::Unknown, |at| deeper.listed(*at)),
                _ => Listed::Name,
            },
            "head" | "tail" | "sed" | "awk" | "gawk" | "cut" | "fzf" | "xargs" | "perl" => match &command.stdin {
                Stdin::Pipe(commands) => deeper.narrowed(commands),
                _ => Listed::Name,
            },
            "which" | "command" | "type" | "whence" => match rest.last().and_then(|word| word.literal()) {
                Some(name) if !name.starts_with('-') => Listed::Paths(vec![format!("/usr/bin/{name}")]),
                _ => Listed::Name,
            },
            "mktemp" => Listed::Paths(vec![format!("/tmp/{UNKNOWN}")]),
            "pwd" => Listed::Paths(resolver.bases),
            "dirname" => deeper.listed_by_dirname(rest),
            "realpath" | "readlink" | "echo" | "printf" => {
                match rest.iter().rfind(|word| !word.known_prefix().starts_with('-')) {
                    Some(word) => Listed::Paths(paths_of(&resolver, std::slice::from_ref(word))),
                    None => Listed::Unknown,
                }
            }
            "basename" | "date" | "uuidgen" | "whoami" | "hostname" | "id" | "uname" | "nproc" | "wc" | "seq"
            | "openssl" | "md5sum" | "sha1sum" | "sha256sum" | "shasum" | "arch" | "logname" | "tty" | "getconf"
            | "stat" | "numfmt" => Listed::Name,
            "brew" | "xcrun" | "conda" | "python" | "python3" | "node" | "jq" | "yq" | "cargo" | "rustc"
            | "llvm-config" => Listed::Name,
            "npm" | "yarn" | "pnpm" | "pip" | "pip3" | "go" | "composer" => deeper.listed_by_cache(rest),
            _ => Listed::Unknown,
        }
    }

    /// Some of the paths that other commands list.
    fn narrowed(&self, commands: &[usize]) -> Listed {
        match commands.last().map(|at| self.listed(*at)) {
            Some(Listed::Paths(paths)) => Listed::Paths(paths.into_iter().map(|path| some_of(&path)).collect()),
            Some(Listed::Name) | None => Listed::Name,
            Some(Listed::Unknown) => Listed::Unknown,
        }
    }

    fn listed_by_git(&self, reading: &Reading<'_, '_>) -> Listed {
        let Some(project) = self.analyst.setting.project.as_deref() else { return Listed::Name };
        let has = |name: &str| {
            reading.flags.iter().any(|flag| flag.name == name)
                || reading.args.iter().any(|arg| arg.word.literal() == Some(name))
        };
        let is_named = !reading.args.is_empty();
        match reading.subcommand.first().map(String::as_str) {
            Some("rev-parse") if has("--show-toplevel") => Listed::Paths(vec![project.to_owned()]),
            Some("rev-parse") if has("--git-dir") || has("--absolute-git-dir") || has("--git-common-dir") => {
                Listed::Paths(vec![format!("{project}/.git")])
            }
            Some("ls-files") if !is_named && !has("--others") && !has("-o") && !has("-d") && !has("-m") => {
                Listed::Paths(vec![format!("{project}/**")])
            }
            Some("ls-files" | "status" | "diff" | "ls-tree" | "grep" | "show" | "clean") => {
                Listed::Paths(vec![format!("{project}/**/{UNKNOWN}")])
            }
            _ => Listed::Name,
        }
    }

    fn listed_by_dirname(&self, words: &[Word]) -> Listed {
        let Some(word) = words.last() else { return Listed::Unknown };
        if matches!(word.text().as_str(), "$0" | "${BASH_SOURCE[0]}" | "${BASH_SOURCE}" | "$BASH_SOURCE") {
            return self.analyst.setting.project.clone().map_or(Listed::Name, |project| Listed::Paths(vec![project]));
        }
        let paths = paths_of(&self.resolver(self.command), std::slice::from_ref(word));
        let above = |path: String| {
            path.rsplit_once('/').map(|(above, _)| if above.is_empty() { "/" } else { above }.to_owned())
        };
        Listed::Paths(paths.into_iter().filter_map(above).collect())
    }

    /// `npm config get cache`, `go env GOCACHE`.
    fn listed_by_cache(&self, words: &[Word]) -> Listed {
        let text = words.iter().map(Word::text).collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        match &self.analyst.setting.home {
            Some(home) if text.contains("cache") => Listed::Paths(vec![format!("{home}/.cache/{UNKNOWN}")]),
            _ => Listed::Name,
        }
    }

    /// In a loop, a variable holds one of the words it goes through: never nothing.
    fn is_in_loop(&self) -> bool {
        self.command.inside.contains(&Frame::Loop)
    }
}

impl Origins for Sources<'_> {
    fn origin(&self, unknown: &Unknown) -> Origin {
        let else_name = if self.is_in_loop() { Origin::Name } else { Origin::Anything };
        match &unknown.from {
            UnknownFrom::Variable(name) => {
                let outer = self.walk.context.outer.iter().find(|outer| outer.name == *name);
                outer.map_or(Origin::Anything, |outer| outer.origin.clone())
            }
            UnknownFrom::Assigned { commands, .. } | UnknownFrom::Output(commands) => {
                match commands.last().map(|at| self.listed(*at)) {
                    Some(Listed::Paths(mut paths)) => paths.pop().map_or(Origin::Name, Origin::Path),
                    Some(Listed::Name) => Origin::Name,
                    Some(Listed::Unknown) | None => else_name,
                }
            }
            UnknownFrom::Process(_) => Origin::Path(format!("/dev/fd/{UNKNOWN}")),
            UnknownFrom::Other => else_name,
        }
    }

    fn is_changed(&self, path: &str) -> bool {
        self.analyst.changes.of(path).is_some()
    }

    fn linked(&self, path: &str, last: bool) -> Option<String> {
        self.analyst.changes.through_links(path, last)
    }
}

/// The words a search finds: its roots, narrowed by patterns of names and paths.
pub(super) fn found(reading: &Reading<'_, '_>) -> Vec<Word> {
    let roots = reading.args.iter().filter(|arg| arg.role == Role::Root).map(|arg| &*arg.word);
    let values = || reading.flags.iter().flat_map(|flag| &flag.values);
    let in_args = reading.args.iter().map(|arg| (arg.role, &arg.word));
    let filters: Vec<(Role, &Cow<'_, Word>)> = values().map(|(role, word)| (*role, word)).chain(in_args).collect();
    let of = |wanted: Role| filters.iter().filter(move |(role, _)| *role == wanted).map(|(_, word)| word.text());
    let is_all = |pattern: &String| matches!(pattern.as_str(), "*" | "." | ".*" | "");
    let mut patterns: Vec<String> = of(Role::NameFilter).filter(|pattern| !is_all(pattern)).collect();
    patterns.extend(of(Role::ExtensionFilter).map(|extension| format!("*.{}", extension.trim_start_matches('.'))));
    patterns.extend(
        of(Role::PathFilter).map(|pattern| pattern.trim_start_matches("./").trim_start_matches("*/").to_owned()),
    );
    patterns.retain(|pattern| !is_all(pattern));
    if patterns.is_empty() && reading.filtered {
        patterns.push(UNKNOWN.to_string());
    }
    let mut words = Vec::new();
    for root in roots {
        if patterns.is_empty() {
            let mut word = root.clone();
            let is_root_alone = reading.flags.iter().any(|flag| {
                flag.name == "-maxdepth" && flag.values.iter().any(|(_, depth)| depth.literal() == Some("0"))
            });
            if !is_root_alone {
                push_below(&mut word, "**".to_owned());
            }
            words.push(word);
        }
        for pattern in patterns.iter().take(8) {
            let mut word = root.clone();
            push_below(&mut word, format!("**/{pattern}"));
            words.push(word);
        }
    }
    words
}

fn push_below(word: &mut Word, glob: String) {
    if !word.text().ends_with('/') {
        word.pieces.push(Piece::Literal("/".to_owned()));
    }
    word.pieces.push(Piece::Glob(glob));
}

fn paths_of(resolver: &Resolver<'_>, words: &[Word]) -> Vec<String> {
    words.iter().flat_map(|word| resolver.paths(word)).collect()
}

/// What `ls` lists: all in its folders, or the paths given to it.
fn listed_by_ls(resolver: &Resolver<'_>, reading: &Reading<'_, '_>) -> Vec<String> {
    let named: Vec<Word> = reading.args.iter().map(|arg| (*arg.word).clone()).collect();
    if named.is_empty() {
        return resolver.bases.iter().map(|base| format!("{base}/*")).collect();
    }
    let lists_folders_themselves = reading.flags.iter().any(|flag| flag.name == "-d");
    let below = |path: String| if path.contains('*') || lists_folders_themselves { path } else { format!("{path}/*") };
    paths_of(resolver, &named).into_iter().map(below).collect()
}

/// Some of what a path with a glob means.
fn some_of(path: &str) -> String {
    match path.strip_suffix("/*").or_else(|| path.strip_suffix("/**")) {
        Some(folder) => format!("{folder}/{UNKNOWN}"),
        None => path.to_owned(),
    }
}

/// A word for a path. What is not known in it stays marked, since it is never empty.
fn path_word(path: &str, from: &Word) -> Word {
    let mut pieces = Vec::new();
    match path.find(['*', '?', '[']).and_then(|at| path.split_at_checked(at)) {
        Some((start, glob)) => {
            pieces.push(Piece::Literal(start.to_owned()));
            pieces.push(Piece::Glob(glob.to_owned()));
        }
        None => pieces.push(Piece::Literal(path.to_owned())),
    }
    Word { pieces, span: from.span, quoted: true }
}
