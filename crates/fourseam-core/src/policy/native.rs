//! What of the deny rules can be said in the few words that coding agents have for rules of their own: command lines,
//! files, hosts. Only what the whole policy denies wherever it holds; the rest is listed with the reason. Knows no host.

use super::Policy;
use super::case::{Case, EXAMPLE_PROJECT};
use super::condition::{Condition, Test};
use super::glob;
use super::never::{name, plain_tests};
use super::set::{Stored, StoredRule};
use super::source::Layer;
use super::switches::Switches;
use super::trial::decide_case;
use crate::action::{Action, Dialect, Edit};
use crate::analysis::{EffectKind, Knowledge};
use crate::decision::Decision;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A deny rule in force, and what of it holds in plain forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeRule {
    /// Rule id.
    pub rule: String,
    /// What the rule says to an agent.
    pub reason: String,
    /// Forms that the policy denies wherever they match.
    pub forms: Vec<Form>,
    /// Forms that it does not, each with the reason.
    pub left_out: Vec<(Form, String)>,
    /// Why the rule has no forms at all.
    pub silent: Option<String>,
}

/// A plain form of what is denied.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A command of exactly these words; with `open`, more words may follow.
    Run {
        /// Words as they are typed, without quotes; `*` is itself.
        words: Vec<String>,
        /// Whatever follows.
        open: bool,
    },
    /// Reading a file.
    Read(FormPath),
    /// Changing or deleting a file.
    Write(FormPath),
    /// Fetching from a host, by its exact name.
    Fetch(String),
}

/// A file, or everything in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormPath {
    /// Begins with `/` or `~/`.
    pub path: String,
    /// Everything below it, at any depth.
    pub below: bool,
}

/// The key of `native` under which a form is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    Run,
    Read,
    Write,
    Fetch,
}

impl Kind {
    pub(super) const WORDS: [(&'static str, Self); 4] =
        [("run", Self::Run), ("read", Self::Read), ("write", Self::Write), ("fetch", Self::Fetch)];
}

/// The forms of a rule as they are written: not expanded, since deciding does not need them.
pub(super) type Written = Vec<(Kind, String)>;

/// Every deny rule in force of the built-in packs, the organisation and the user. A project's rules are for its own
/// folder, which a host's rules of a user cannot say.
#[must_use]
pub fn native_rules(policy: &Policy, knowledge: &dyn Knowledge) -> Vec<NativeRule> {
    let sets: Vec<Stored<'_>> = policy.sets.iter().filter_map(|set| set.decode()).collect();
    let switches = Switches::new(&sets, policy.today.as_deref(), policy.previews);
    let rules = policy.sets.iter().flat_map(super::RuleSet::rules);
    let in_force = rules.filter(|rule| {
        rule.decision == Decision::Deny && !rule.dry && rule.layer != Layer::Project && switches.off(rule).is_none()
    });
    in_force.map(|rule| native_rule(&rule, &switches, policy, knowledge)).collect()
}

fn native_rule(rule: &StoredRule, switches: &Switches<'_>, policy: &Policy, knowledge: &dyn Knowledge) -> NativeRule {
    let mut native = NativeRule {
        rule: rule.id.clone(),
        reason: rule.reason.clone(),
        forms: Vec::new(),
        left_out: Vec::new(),
        silent: None,
    };
    if switches.is_lifted_somewhere(rule) {
        native.silent = Some("an override of your policy lifts it in places".to_owned());
        return native;
    }
    match forms_of(rule) {
        Err(why) => native.silent = Some(why),
        Ok(forms) => {
            for form in forms {
                match let_through(&form, policy, knowledge) {
                    None => native.forms.push(form),
                    Some(sample) => native.left_out.push((form, format!("the policy lets `{sample}` pass"))),
                }
            }
        }
    }
    native
}

/// The forms that a rule names, or else those that its conditions amount to.
fn forms_of(rule: &StoredRule) -> Result<Vec<Form>, String> {
    if rule.native.is_empty() {
        return derived(rule);
    }
    Ok(rule.native.iter().flat_map(|(kind, text)| parse(*kind, text).unwrap_or_default()).collect())
}

/// The forms of a rule whose conditions are nothing but a program with its subcommand, files, or a host.
fn derived(rule: &StoredRule) -> Result<Vec<Form>, String> {
    if rule.unless.is_some() {
        return Err("it has exceptions (`unless`)".to_owned());
    }
    let tests = plain_tests(&rule.when).ok_or("its conditions are alternatives")?;
    let harmless = tests.iter().any(|test| matches!(test, Test::Harmless(None)));
    let of_command = |commands: &[String], subcommands: &[String]| {
        if !harmless {
            return Err("it spares forms that change nothing (`--help`), unless it says `harmless: any`".to_owned());
        }
        let plain = |word: &String| is_word(word) && !word.contains('*');
        let subcommand_words = subcommands.iter().flat_map(|words| words.split(' ').map(str::to_owned));
        if !commands.iter().cloned().chain(subcommand_words).all(|word| plain(&word)) {
            return Err("it names programs by a pattern".to_owned());
        }
        let lines = commands.iter().flat_map(|command| match subcommands {
            [] => vec![vec![command.clone()]],
            several => several.iter().map(|words| line(command, words)).collect(),
        });
        Ok(lines.map(|words| Form::Run { words, open: true }).collect())
    };
    let spoken: Vec<&Test> = tests.into_iter().filter(|test| !matches!(test, Test::Harmless(None))).collect();
    match spoken.as_slice() {
        [Test::Command(commands)] => of_command(commands, &[]),
        [Test::Command(commands), Test::Subcommand(words)] | [Test::Subcommand(words), Test::Command(commands)] => {
            of_command(commands, words)
        }
        [Test::Effect(kinds), Test::Path(globs)] | [Test::Path(globs), Test::Effect(kinds)] => of_files(kinds, globs),
        [Test::HostName(names)] => names.iter().map(|name| fetch(name)).collect(),
        other => Err(why_not(other, &rule.when)),
    }
}

fn line(command: &str, words: &str) -> Vec<String> {
    std::iter::once(command).chain(words.split(' ')).map(str::to_owned).collect()
}

fn of_files(kinds: &[EffectKind], globs: &[String]) -> Result<Vec<Form>, String> {
    let has = |kind: EffectKind| kinds.contains(&kind);
    let paths = || globs.iter().map(|glob| path(glob)).collect::<Result<Vec<_>, _>>();
    let mut forms = Vec::new();
    if has(EffectKind::Read) {
        forms.extend(paths()?.into_iter().map(Form::Read));
    }
    if has(EffectKind::Write) && has(EffectKind::Overwrite) && has(EffectKind::Delete) {
        forms.extend(paths()?.into_iter().map(Form::Write));
    }
    if forms.is_empty() { Err("it does not mean every change of the file".to_owned()) } else { Ok(forms) }
}

/// What a host's own rules cannot look at.
fn why_not(tests: &[&Test], when: &Condition) -> String {
    let mut names: Vec<&str> =
        if tests.is_empty() { Vec::new() } else { tests.iter().map(|test| name(test)).collect() };
    if names.is_empty() {
        names = when.tests().into_iter().map(name).collect();
    }
    names.dedup();
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    format!("no agent's own rules can look at {} together", names.join(", "))
}

/// Reads a form as it is written; braces stand for several.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(kind: Kind, text: &str) -> Result<Vec<Form>, String> {
    glob::expand_braces(text)
        .iter()
        .map(|text| match kind {
            Kind::Run => run(text),
            Kind::Read => path(text).map(Form::Read),
            Kind::Write => path(text).map(Form::Write),
            Kind::Fetch => fetch(text),
        })
        .collect()
}

fn run(text: &str) -> Result<Form, String> {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let open = words.len() > 1 && words.last().is_some_and(|word| word == "*");
    if open {
        words.pop();
    }
    match words.iter().find(|word| !is_word(word)) {
        Some(word) => Err(format!("`{word}` is no plain word: letters, digits and `._/~=+:@%,*-`, one blank between")),
        None => Ok(Form::Run { words, open }),
    }
}

/// Whether every shell, and every agent's reader of command lines, takes a word for itself.
fn is_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "._/~=+:@%,*-".contains(c))
}

fn path(text: &str) -> Result<FormPath, String> {
    let (path, below) = match text.strip_suffix("/**") {
        Some(folder) => (folder, true),
        None => (text, false),
    };
    let rooted = path.starts_with('/') || path.starts_with("~/");
    if rooted && is_word(path) && !path.contains('*') {
        return Ok(FormPath { path: path.to_owned(), below });
    }
    Err(format!("`{text}` is no plain path: from `/` or `~/`, with `/**` at most at its end"))
}

fn fetch(text: &str) -> Result<Form, String> {
    let plain = is_word(text) && !text.contains(['*', '/', '~', ':', '@', '%', '=', '+', ',']);
    if plain { Ok(Form::Fetch(text.to_owned())) } else { Err(format!("`{text}` is no plain name of a host")) }
}

/// Something that the form would stop and the policy lets pass.
pub(super) fn let_through(form: &Form, policy: &Policy, knowledge: &dyn Knowledge) -> Option<String> {
    let denied = |case: &Case| decide_case(case, policy, knowledge).decision() == Decision::Deny;
    samples(form).into_iter().find(|case| !denied(case)).map(|case| case.label)
}

/// What may follow the words of a form that is open. Options that make commands harmless are among it.
const TAILS: &[&str] = &[
    " a",
    " a b",
    " -x",
    " -n",
    " -h",
    " --help",
    " -help",
    " --version",
    " --dry-run",
    " --dry-run=client",
    " --test",
    " -- a",
    " . ..",
    " --yes",
];
/// Folders that a command may be given in.
const FOLDERS: &[&str] = &[EXAMPLE_PROJECT, "/home/ana", "/tmp/test/dev", "/srv/staging"];
/// What stands below a folder.
const BELOW: &[&str] = &["/a", "/a/b.txt", "/.c"];

/// Calls that match a form: as many kinds of them as agents were seen to take for it.
pub(super) fn samples(form: &Form) -> Vec<Case> {
    match form {
        Form::Run { words, open } => {
            let line = words.join(" ");
            let tails: &[&str] = if *open { TAILS } else { &[] };
            let followed = tails.iter().map(|tail| shell(&format!("{line}{tail}"), EXAMPLE_PROJECT));
            FOLDERS.iter().map(|folder| shell(&line, folder)).chain(followed).collect()
        }
        Form::Read(path) => each(path, |path| {
            vec![
                call(Action::FileRead { path: path.to_owned() }, "read", path),
                shell(&format!("cat {path}"), EXAMPLE_PROJECT),
            ]
        }),
        Form::Write(path) => each(path, |path| {
            let edit = Edit { old: "a".to_owned(), new: "b".to_owned() };
            let write = Action::FileWrite { path: path.to_owned(), content: "a\n".to_owned() };
            let changes = [
                call(write, "write", path),
                call(Action::FileEdit { path: path.to_owned(), edits: vec![edit] }, "edit", path),
                call(Action::FileDelete { path: path.to_owned() }, "delete", path),
            ];
            let lines = ["echo a > @", "rm -f @", "touch @", "sed -i s/a/b/ @", "cp a @", "mv @ a", "chmod 644 @"];
            let lines = lines.map(|line| shell(&line.replace('@', path), EXAMPLE_PROJECT));
            changes.into_iter().chain(lines).collect()
        }),
        Form::Fetch(host) => ["", "/", "/a/b?c=d", ":8080/"]
            .iter()
            .map(|rest| format!("http://{host}{rest}"))
            .flat_map(|url| {
                let line = shell(&format!("curl -s {url}"), EXAMPLE_PROJECT);
                [call(Action::WebFetch { urls: vec![url.clone()], prompt: None }, "fetch", &url), line]
            })
            .collect(),
    }
}

fn each(path: &FormPath, calls: impl Fn(&str) -> Vec<Case>) -> Vec<Case> {
    let ends: &[&str] = if path.below { BELOW } else { &[""] };
    ends.iter().flat_map(|end| calls(&format!("{}{end}", path.path))).collect()
}

fn shell(line: &str, folder: &str) -> Case {
    Case::of_command(line, Dialect::Posix, Some(folder.to_owned()))
}

fn call(action: Action, verb: &str, what: &str) -> Case {
    Case::of_action(action, format!("{verb} {what}"))
}

impl fmt::Display for Form {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run { words, open } => write!(out, "{}{}", words.join(" "), if *open { " *" } else { "" }),
            Self::Read(path) => write!(out, "read {path}"),
            Self::Write(path) => write!(out, "write {path}"),
            Self::Fetch(host) => write!(out, "fetch {host}"),
        }
    }
}

impl fmt::Display for FormPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.path, if self.below { "/**" } else { "" })
    }
}
