//! Reads the words of one command with what is known of its program: subcommands, options, roles of arguments.
//! Says what stands where; what it does is told by [`super::effects`].

use super::matching::Facts;
use super::program::{Arg, Command, Knowledge, OptionSpec, Program, Role, Syntax, TaskFile};
use fourseam_shell::{Piece, Word};
use std::borrow::Cow;

/// The words of a command, each with its part.
#[derive(Debug)]
pub(super) struct Reading<'p, 'w> {
    /// The program and the subcommands on the way to the last one. Never empty.
    pub(super) chain: Vec<&'p Program>,
    /// Subcommand words, aliases resolved; an unlisted one as written.
    pub(super) subcommand: Vec<String>,
    /// The same words as written.
    pub(super) subcommand_words: Vec<&'w Word>,
    /// Options in order.
    pub(super) flags: Vec<FlagUse<'p, 'w>>,
    /// Positional arguments in order, subcommands excepted.
    pub(super) args: Vec<ArgUse<'p, 'w>>,
    /// Every option and subcommand is listed.
    pub(super) listed: bool,
    /// A search is narrowed by something else than names.
    pub(super) filtered: bool,
    /// Asks for help or the version only.
    pub(super) help: bool,
    /// The word at the place of a subcommand that is not known before it runs.
    pub(super) unknown_subcommand: Option<&'w Word>,
    /// The word at the place of a subcommand that the data of the program does not list.
    pub(super) unlisted_subcommand: Option<&'w Word>,
}

/// One option as used.
#[derive(Debug)]
pub(super) struct FlagUse<'p, 'w> {
    /// Canonical spelling, or as written when it is not listed.
    pub(super) name: Cow<'p, str>,
    /// Values with their roles.
    pub(super) values: Vec<(Role, Cow<'w, Word>)>,
    /// A later option or `=false` takes it back.
    pub(super) taken_back: bool,
}

/// One positional argument as used.
#[derive(Debug)]
pub(super) struct ArgUse<'p, 'w> {
    /// Its role.
    pub(super) role: Role,
    /// Its name in the data of the program.
    pub(super) name: Option<&'p str>,
    /// The word.
    pub(super) word: Cow<'w, Word>,
    /// Not written, but assumed.
    pub(super) is_default: bool,
}

impl<'p> Reading<'p, '_> {
    /// Every word with its role: arguments, then the values of options.
    pub(super) fn words(&self) -> impl Iterator<Item = (Role, &Word)> {
        self.words_of(|_| true)
    }

    /// As [`Reading::words`], without the values of options that a later one takes back.
    pub(super) fn words_in_force(&self) -> impl Iterator<Item = (Role, &Word)> {
        self.words_of(|flag| !flag.taken_back)
    }

    fn words_of(&self, counts: impl Fn(&FlagUse<'_, '_>) -> bool) -> impl Iterator<Item = (Role, &Word)> {
        let args = self.args.iter().map(|arg| (arg.role, &*arg.word));
        let flags = self.flags.iter().filter(move |flag| counts(flag)).flat_map(|flag| &flag.values);
        args.chain(flags.map(|(role, word)| (*role, &**word)))
    }

    /// The data of the last subcommand, or of the program itself.
    pub(super) fn leaf(&self) -> Option<&'p Program> {
        self.chain.last().copied()
    }

    /// Upper and lower case of values are the same for the program.
    pub(super) fn ignores_case(&self) -> bool {
        self.leaf().is_some_and(|leaf| leaf.syntax.ignores_case())
    }
}

/// Reads the words behind the program word.
pub(super) fn read<'p, 'w>(
    program: &'p Program,
    words: &'w [Word],
    outside: Outside<'_>,
    knowledge: &'p dyn Knowledge,
) -> Reading<'p, 'w> {
    let reading = Reading {
        chain: vec![program],
        subcommand: Vec::new(),
        subcommand_words: Vec::new(),
        flags: Vec::new(),
        args: Vec::new(),
        listed: true,
        filtered: false,
        help: false,
        unknown_subcommand: None,
        unlisted_subcommand: None,
    };
    let mut reader = Reader {
        rest: words,
        node: program,
        any_words: None,
        pattern: None,
        positionals: Vec::new(),
        divided: None,
        ended: false,
        negated: false,
        reading,
        outside,
        knowledge,
    };
    reader.run();
    reader.finish()
}

/// What a condition may ask of beside the words.
#[derive(Clone, Copy)]
pub(super) struct Outside<'a> {
    /// Name the program was called by.
    pub(super) called: &'a str,
    /// Something is fed to standard input.
    pub(super) stdin: bool,
    /// Variables in front of the command.
    pub(super) assignments: &'a [(String, Word)],
}

struct Reader<'p, 'w, 'a> {
    rest: &'w [Word],
    node: &'p Program,
    /// What stands for any number of words here (`**`): of this level, or of one above it.
    any_words: Option<&'p Command>,
    /// What a pattern beside the last subcommand stands for (`* delete` beside `node list`).
    pattern: Option<&'p Command>,
    positionals: Vec<Cow<'w, Word>>,
    /// How many of them stand in front of `--`.
    divided: Option<usize>,
    /// Everything that follows is positional.
    ended: bool,
    /// The next filter of a search is turned around (`! -name x`).
    negated: bool,
    reading: Reading<'p, 'w>,
    outside: Outside<'a>,
    knowledge: &'p dyn Knowledge,
}

impl<'p, 'w> Reader<'p, 'w, '_> {
    fn run(&mut self) {
        if self.node.syntax == Syntax::Tar {
            self.first_word_bundle();
        }
        while let Some((word, rest)) = self.rest.split_first() {
            self.rest = rest;
            if self.ended || !self.option(word) {
                self.positional(word);
            }
        }
    }

    fn finish(mut self) -> Reading<'p, 'w> {
        let specs = self.specs();
        self.reading.args = match (self.divided, specs.iter().position(|spec| spec.divider)) {
            (Some(words), Some(at)) => {
                let (before, after) = specs.split_at(at);
                let behind = self.positionals.split_off(words.min(self.positionals.len()));
                let mut args = assign(before, self.positionals);
                args.extend(assign(after, behind));
                args
            }
            _ => assign(specs, self.positionals),
        };
        for at in 0..self.reading.flags.len() {
            let (before, rest) = self.reading.flags.split_at_mut(at);
            let Some(this) = rest.first() else { break };
            let bare = this.name.strip_prefix("--no-").unwrap_or(&this.name);
            let is_taken_back =
                |other: &&mut FlagUse<'p, 'w>| other.name != this.name && without_no(&other.name) == bare;
            before.iter_mut().filter(is_taken_back).for_each(|other| other.taken_back = true);
        }
        self.reading
    }

    /// The roles that hold for the options read so far.
    fn specs(&self) -> &'p [Arg] {
        let facts = Facts {
            flags: &self.reading.flags,
            args: &[],
            words: &self.positionals,
            subcommand: &self.reading.subcommand,
            outside: self.outside,
            ignores_case: self.node.syntax.ignores_case(),
        };
        let form = self.node.forms.iter().find(|form| facts.holds(&form.when));
        form.map_or(&self.node.args, |form| &form.args)
    }

    fn positional(&mut self, word: &'w Word) {
        if self.positionals.is_empty() && !self.node.commands.is_empty() && !self.ended && self.descend(word) {
            return;
        }
        self.positionals.push(Cow::Borrowed(word));
        if starts_command(self.specs(), &self.positionals) {
            if word.literal() == Some("--") {
                // `docker exec c -- sh`: it only parts the words.
                self.positionals.pop();
                self.ended = true;
                return;
            }
            self.positionals.extend(self.rest.iter().map(Cow::Borrowed));
            self.rest = &[];
        } else if matches!(self.node.syntax, Syntax::Posix | Syntax::Powershell) {
            self.ended = true;
        }
    }

    /// Goes to a subcommand. False when the word is an argument.
    fn descend(&mut self, word: &'w Word) -> bool {
        let lower = word.literal().filter(|_| self.node.syntax.ignores_case()).map(str::to_ascii_lowercase);
        let Some(text) = lower.as_deref().or(word.literal()) else {
            if word.unknowns().next().is_some() && self.node.args.is_empty() && self.node.forms.is_empty() {
                self.reading.unknown_subcommand = Some(word);
                self.reading.listed = false;
            }
            return false;
        };
        if let Some(command) = self.next_command(text) {
            self.any_words = self.node.any_words().or(self.any_words);
            self.pattern = self.node.pattern(text);
            self.node = command.program(self.knowledge);
            self.reading.chain.push(self.node);
            self.reading.subcommand.push(command.told(text).to_owned());
            self.reading.subcommand_words.push(word);
            return true;
        }
        if !self.node.args.is_empty() || !self.node.forms.is_empty() {
            return false;
        }
        self.reading.help |= text == "help";
        self.reading.listed = false;
        self.reading.unlisted_subcommand = Some(word);
        self.reading.subcommand.push(text.to_owned());
        self.reading.subcommand_words.push(word);
        self.node = Program::nothing();
        self.reading.chain.push(self.node);
        true
    }

    /// The subcommand that a word leads to. Where any words may stand in front of a verb, a word that is no verb leads
    /// no further.
    fn next_command(&self, word: &str) -> Option<&'p Command> {
        let any_words = self.node.any_words().or(self.any_words);
        let beside = || self.pattern?.program(self.knowledge).command(word);
        self.node.command(word).or_else(beside).or_else(|| {
            let any = any_words?;
            let is_no_verb = || self.node.args.is_empty().then_some(any);
            any.program(self.knowledge).command(word).or_else(is_no_verb)
        })
    }

    /// Takes the word as an option, with its values. False when it is none.
    fn option(&mut self, word: &'w Word) -> bool {
        let start = word.known_prefix();
        match self.node.syntax {
            Syntax::Plain => false,
            Syntax::Keyword => self.keyword(word, start),
            Syntax::Slash => self.slash(word, start),
            Syntax::Powershell => self.powershell(word, start),
            Syntax::Find => self.exact(word, start, false),
            Syntax::Go => {
                if word.literal() == Some("--") {
                    self.ended = true;
                    return true;
                }
                self.exact(word, start, true)
            }
            Syntax::Gnu | Syntax::Posix | Syntax::Tar => self.gnu(word, start),
        }
    }

    fn gnu(&mut self, word: &'w Word, start: &str) -> bool {
        if let Some(long) = start.strip_prefix("--") {
            if long.is_empty() && word.pieces.len() == 1 {
                self.ended = true;
                self.divided = Some(self.positionals.len());
                return true;
            }
            self.long(word, start);
            return true;
        }
        if start.len() > 1 && start.starts_with('-') {
            let (name, value) = split_value(word, start);
            match self.lookup(name) {
                Some(spec) if name.len() > 2 => self.take(spec, value),
                _ => self.bundle(word, start, false),
            }
            return true;
        }
        if start.starts_with('+')
            && let Some(spec) = self.lookup(start)
        {
            self.take(spec, None);
            return true;
        }
        false
    }

    fn long(&mut self, word: &'w Word, start: &str) {
        let (name, value) = split_value(word, start);
        if let Some(spec) = self.lookup(name).or_else(|| self.abbreviated(name)) {
            return self.take(spec, value);
        }
        let taken_back = name.strip_prefix("--no-").map(|bare| format!("--{bare}"));
        let is_negation = taken_back.is_some_and(|positive| self.lookup(&positive).is_some_and(|spec| spec.negatable));
        self.note_help(name);
        let is_fine = is_negation || matches!(name, "--help" | "--version") || self.lookup("--*").is_some();
        self.reading.listed &= is_fine;
        let values = value.map(|value| (Role::Text, value)).into_iter().collect();
        let name = if word.literal().is_some() { name.to_owned() } else { word.text() };
        self.reading.flags.push(FlagUse { name: Cow::Owned(name), values, taken_back: false });
    }

    /// Single letters behind one dash. `old`: values stand in the next words, never joined (first word of tar).
    fn bundle(&mut self, word: &'w Word, start: &str, old: bool) {
        let letters = start.strip_prefix('-').unwrap_or(start);
        for (at, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            let Some(spec) = self.lookup(&name) else {
                self.note_help(&name);
                // `-5` is a count nearly everywhere.
                self.reading.listed &= letter.is_ascii_digit();
                self.reading.flags.push(FlagUse { name: Cow::Owned(name), values: Vec::new(), taken_back: false });
                continue;
            };
            let behind = start.len() - letters.len() + at + letter.len_utf8();
            let is_last = behind == start.len() && word.pieces.len() == 1;
            if spec.values.is_empty() || is_last || old {
                self.take(spec, None);
            } else {
                return self.take(spec, Some(Cow::Owned(tail(word, behind))));
            }
        }
        if word.pieces.len() > 1 {
            self.reading.listed = false;
        }
    }

    /// `-name`, `-name=value`: no bundles.
    fn exact(&mut self, word: &'w Word, start: &str, joined: bool) -> bool {
        if matches!(start, "(" | ")" | "!" | ",") && !joined {
            self.negated = start == "!";
            return true;
        }
        self.negated |= start == "-not" && !joined;
        if start.len() < 2 || !start.starts_with('-') {
            return false;
        }
        let (name, value) = if joined { split_value(word, start) } else { (start, None) };
        let name = if joined && name.starts_with("--") { name.strip_prefix('-').unwrap_or(name) } else { name };
        if let Some(spec) = self.lookup(name) {
            self.take(spec, value);
            return true;
        }
        self.note_help(name);
        self.reading.listed &= matches!(name, "-help" | "-version" | "--help" | "--version");
        let values = value.map(|value| (Role::Text, value)).into_iter().collect();
        self.reading.flags.push(FlagUse { name: Cow::Owned(name.to_owned()), values, taken_back: false });
        true
    }

    fn keyword(&mut self, word: &'w Word, start: &str) -> bool {
        let Some((name, _)) = start.split_once('=') else { return self.gnu(word, start) };
        let Some(spec) = self.lookup(name) else { return false };
        self.take(spec, Some(Cow::Owned(tail(word, name.len() + 1))));
        true
    }

    fn slash(&mut self, word: &'w Word, start: &str) -> bool {
        if !start.starts_with(['/', '-']) || start.len() < 2 {
            return false;
        }
        let (name, value) = match start.split_once(':') {
            Some((name, _)) => (name, Some(Cow::Owned(tail(word, name.len() + 1)))),
            None => (start, None),
        };
        let lower = name.to_ascii_lowercase();
        match self.lookup(&lower) {
            Some(spec) => self.take(spec, value),
            // A second slash is a path (`/usr/bin`), not an option.
            None if start.matches('/').count() > 1 => return false,
            None => {
                self.reading.help |= lower == "/?";
                self.reading.listed = false;
                self.reading.flags.push(FlagUse { name: Cow::Owned(lower), values: Vec::new(), taken_back: false });
            }
        }
        true
    }

    /// `-Name` or `/Name`, also `--Name`: the first listed option that begins so.
    fn powershell(&mut self, word: &'w Word, start: &str) -> bool {
        let bare = start.trim_start_matches(['-', '/']);
        if bare.len() == start.len() || bare.is_empty() || bare.contains('/') {
            return false;
        }
        let (name, value) = match start.split_once(':') {
            Some((name, _)) => (name, Some(Cow::Owned(tail(word, name.len() + 1)))),
            None => (start, None),
        };
        // Git Bash doubles slashes: `cmd //c`.
        let lower = format!("-{}", name.trim_start_matches(['-', '/']).to_ascii_lowercase());
        let begins = |spec: &&'p OptionSpec| spec.names.iter().any(|known| known.starts_with(&lower));
        match self.lookup(&lower).or_else(|| self.node.options.iter().find(begins)) {
            Some(spec) => self.take(spec, value),
            None => {
                self.reading.help |= matches!(lower.as_str(), "-help" | "-?");
                self.reading.listed = false;
                self.reading.flags.push(FlagUse { name: Cow::Owned(lower), values: Vec::new(), taken_back: false });
            }
        }
        true
    }

    /// `tar xzf file`: the first word is a bundle.
    fn first_word_bundle(&mut self) {
        let Some((first, rest)) = self.rest.split_first() else { return };
        let Some(letters) = first.literal().filter(|text| !text.starts_with('-')) else { return };
        if letters.chars().all(|letter| letter.is_ascii_alphabetic()) {
            self.rest = rest;
            self.bundle(first, letters, true);
        }
    }

    /// Records a listed option, taking its values.
    fn take(&mut self, spec: &'p OptionSpec, joined: Option<Cow<'w, Word>>) {
        let name = spec.names.first().map_or("", String::as_str);
        let mut flag = FlagUse { name: Cow::Borrowed(name), values: Vec::new(), taken_back: false };
        self.reading.filtered |= spec.values.contains(&Role::Filter);
        if spec.values.is_empty() {
            if let Some(value) = joined {
                flag.taken_back = matches!(value.literal(), Some("false" | "no" | "0"));
                flag.values.push((Role::Text, value));
            }
            self.reading.flags.push(flag);
            return;
        }
        let mut roles = spec.values.iter().copied();
        if let Some(value) = joined {
            flag.values.push((roles.next().unwrap_or_default(), value));
        } else if spec.optional {
            roles = [].iter().copied();
        }
        for role in roles {
            if role == Role::CommandUntil {
                self.command_until(&mut flag);
                continue;
            }
            self.value(role, &mut flag);
            while spec.many && self.rest.first().is_some_and(|word| !word.known_prefix().starts_with('-')) {
                self.value(role, &mut flag);
            }
        }
        self.reading.flags.push(flag);
    }

    fn value(&mut self, role: Role, flag: &mut FlagUse<'p, 'w>) {
        if let Some((word, rest)) = self.rest.split_first() {
            self.rest = rest;
            let is_filter = matches!(role, Role::NameFilter | Role::ExtensionFilter | Role::PathFilter);
            let role = if is_filter && std::mem::take(&mut self.negated) { Role::Text } else { role };
            flag.values.push((role, Cow::Borrowed(word)));
        }
    }

    fn command_until(&mut self, flag: &mut FlagUse<'p, 'w>) {
        while let Some((word, rest)) = self.rest.split_first() {
            self.rest = rest;
            // `+` ends only behind `{}`; alone it would be an argument.
            let follows_placeholder =
                flag.values.last().is_some_and(|(_, last)| last.literal().is_some_and(|text| text.contains("{}")));
            match word.literal() {
                Some(";") => return,
                Some("+") if follows_placeholder => return,
                _ => flag.values.push((Role::CommandUntil, Cow::Borrowed(word))),
            }
        }
    }

    fn specs_of_options(&self) -> impl Iterator<Item = &'p OptionSpec> {
        let node = self.node;
        let inherited = self.reading.chain.iter().flat_map(|program| &program.global).collect::<Vec<_>>();
        node.options.iter().chain(inherited)
    }

    fn lookup(&self, name: &str) -> Option<&'p OptionSpec> {
        let named = |spec: &&'p OptionSpec| spec.names.iter().any(|known| known == name);
        self.node
            .options
            .iter()
            .find(named)
            .or_else(|| self.reading.chain.iter().find_map(|program| program.global.iter().find(named)))
    }

    /// The one option that a unique beginning of a long name means.
    fn abbreviated(&self, name: &str) -> Option<&'p OptionSpec> {
        if name.len() < 3 || self.node.syntax == Syntax::Go {
            return None;
        }
        let begins = |spec: &&'p OptionSpec| spec.names.iter().any(|known| known.starts_with(name));
        let mut found = self.specs_of_options().filter(begins);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// `--help` counts for programs with subcommands anywhere, for others only before the first argument: many
    /// programs take it for a file name behind that.
    fn note_help(&mut self, name: &str) {
        let has_subcommand = self.reading.chain.len() > 1;
        let asks = match name {
            "--help" | "--version" | "-help" | "-version" | "--usage" => true,
            "-h" => has_subcommand,
            _ => false,
        };
        self.reading.help |= asks && (has_subcommand || self.positionals.is_empty());
    }
}

fn without_no(name: &str) -> &str {
    name.strip_prefix("--no-").unwrap_or(name)
}

/// `--name=value`: the name, and the value if one is joined.
fn split_value<'w, 's>(word: &'w Word, start: &'s str) -> (&'s str, Option<Cow<'w, Word>>) {
    match start.split_once('=') {
        Some((name, _)) => (name, Some(Cow::Owned(tail(word, name.len() + 1)))),
        None => (start, None),
    }
}

/// The word without the first `bytes` of its leading known text.
pub(super) fn tail(word: &Word, bytes: usize) -> Word {
    let mut pieces = word.pieces.clone();
    if let Some(Piece::Literal(text)) = pieces.first_mut() {
        let rest = text.split_at_checked(bytes).map_or(String::new(), |(_, rest)| rest.to_owned());
        *text = rest;
    }
    pieces.retain(|piece| !matches!(piece, Piece::Literal(text) if text.is_empty()));
    Word { pieces, span: word.span, quoted: word.quoted }
}

/// Whether the last of these words is the first of a nested command.
fn starts_command(specs: &[Arg], words: &[Cow<'_, Word>]) -> bool {
    let last = words.len().saturating_sub(1);
    let mut at = 0;
    for spec in specs.iter().filter(|spec| !spec.divider) {
        if spec.role == Role::Env && spec.many {
            at += words.iter().skip(at).take_while(|word| is_assignment(word)).count();
            continue;
        }
        if at > last {
            return false;
        }
        let is_raw = match spec.role {
            Role::Shell => spec.many,
            role => matches!(role, Role::Command | Role::Task(TaskFile::Npm)),
        };
        if is_raw {
            return at <= last;
        }
        if spec.many {
            return false;
        }
        at += 1;
    }
    false
}

/// `NAME=value`.
pub(super) fn is_assignment(word: &Word) -> bool {
    let start = word.known_prefix();
    let Some((name, _)) = start.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Gives each word its role.
fn assign<'p, 'w>(specs: &'p [Arg], words: Vec<Cow<'w, Word>>) -> Vec<ArgUse<'p, 'w>> {
    let mut args = Vec::with_capacity(words.len());
    let needed = specs.iter().filter(|spec| !spec.optional && !spec.many).count();
    let mut spare = words.len().saturating_sub(needed);
    let mut words = words.into_iter().peekable();
    let mut give = |spec: &'p Arg, word: Cow<'w, Word>| {
        args.push(ArgUse { role: spec.role, name: spec.name.as_deref(), word, is_default: false });
    };
    let mut missing = Vec::new();
    for spec in specs.iter().filter(|spec| !spec.divider) {
        if spec.role == Role::Env && spec.many {
            while let Some(word) = words.next_if(|word| is_assignment(word)) {
                spare = spare.saturating_sub(1);
                give(spec, word);
            }
            continue;
        }
        let count = match (spec.many, spec.optional) {
            (true, _) => std::mem::take(&mut spare),
            (false, true) if spare == 0 => 0,
            (false, true) => {
                spare -= 1;
                1
            }
            (false, false) => 1,
        };
        let before = words.len();
        words.by_ref().take(count).for_each(|word| give(spec, word));
        if before == words.len()
            && let Some(default) = &spec.default
        {
            missing.push((spec, default));
        }
    }
    let rest = words.map(|word| ArgUse { role: Role::Text, name: None, word, is_default: false });
    args.extend(rest);
    args.extend(missing.into_iter().map(|(spec, default)| {
        let word = Cow::Owned(Word::known(default.as_str(), fourseam_shell::Span::default()));
        ArgUse { role: spec.role, name: spec.name.as_deref(), word, is_default: true }
    }));
    args
}
