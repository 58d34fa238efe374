//! The state of one analysis: what it may ask, what it has found. Reads texts; [`super::walk`] goes through their
//! commands, [`super::call`] through one command.

use super::effect::{Analysis, Effect, EffectKind, Place, Target, Unknown, UnknownClass};
use super::flow::{Changes, Input, Taints};
use super::path::{Origin, Setting};
use super::program::Knowledge;
use crate::spelling::{Spelling, on_drive};
use crate::world::{Known, World};
use fourseam_shell::{Scope, Word};

/// Nesting of texts, wrappers and scripts that is followed.
const MAX_DEPTH: u8 = 10;
/// Commands that are looked at in one analysis.
const MAX_COMMANDS: usize = 3000;
/// Longest text shown in an unknown.
const MAX_SHOWN: usize = 160;

/// One analysis on its way.
pub(super) struct Analyst<'a> {
    pub(super) knowledge: &'a dyn Knowledge,
    pub(super) world: &'a dyn World,
    pub(super) setting: Setting,
    pub(super) out: Analysis,
    /// Files that the line made or changed.
    pub(super) changes: Changes,
    pub(super) commands: usize,
    /// Variables that the line put into the environment of its later commands, or took out of it (an empty value).
    pub(super) exported: Vec<(String, Word)>,
}

/// Where a text stands that is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub(super) place: Place,
    /// Wrappers around it, outermost first.
    pub(super) through: Vec<String>,
    pub(super) depth: u8,
    /// Span of all its commands, when it is not the command line itself.
    pub(super) span: Option<(u32, u32)>,
    /// What arrives on its standard input.
    pub(super) input: Input,
    /// Parts of it that are not known, by the variable that stands for them.
    pub(super) outer: Vec<Outer>,
    /// Folders of this machine that its commands see elsewhere.
    pub(super) mounts: Vec<Mount>,
    /// Its output does not reach the reader of the command's output.
    pub(super) hidden: bool,
}

/// A folder of this machine that a container sees.
#[derive(Clone, Debug)]
pub(super) struct Mount {
    /// Where the container sees it.
    pub(super) seen: String,
    /// Where it is.
    pub(super) folder: String,
}

/// A part of a nested text that the outer text puts in.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    /// Name of the variable that stands for it.
    pub(super) name: String,
    /// What it may be.
    pub(super) origin: Origin,
    /// What it carries.
    pub(super) taints: Taints,
}

/// An effect as it is found, before it is told.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: EffectKind,
    pub(super) verb: String,
    pub(super) target: Option<Target>,
    pub(super) recursive: bool,
    pub(super) taints: Taints,
}

impl Context {
    /// The context of something that this one starts.
    pub(super) fn deeper(&self) -> Self {
        Self { depth: self.depth.saturating_add(1), ..self.clone() }
    }
}

impl<'a> Analyst<'a> {
    /// `cwd` is in the one form of [`crate::spelling`], and so is what `world` answers.
    pub(super) fn new(
        cwd: Option<&str>,
        knowledge: &'a dyn Knowledge,
        world: &'a dyn World,
        spelling: Spelling,
    ) -> Self {
        let repository = cwd.and_then(|cwd| world.repository(cwd).ok()).flatten();
        let temporary = match world.variable("TMPDIR") {
            Known::Yes(Some(folder)) if folder.starts_with('/') && folder.len() > 1 => Some(trimmed(&folder)),
            Known::Yes(_) | Known::Unknown => None,
        };
        let setting = Setting {
            home: world.home().map(|home| trimmed(&home)),
            project: repository.map(|repository| repository.root).or(cwd.map(str::to_owned)).map(|root| trimmed(&root)),
            temporary,
            spelling,
        };
        Self {
            knowledge,
            world,
            setting,
            out: Analysis::default(),
            changes: Changes::default(),
            commands: 0,
            exported: Vec::new(),
        }
    }

    /// What is known before the first command of the line runs.
    pub(super) fn scope(&self, text: &str, cwd: Option<&str>) -> Scope {
        let mut scope = Scope::default();
        if let Some(home) = &self.setting.home {
            scope = scope.with_variable("HOME", home);
        }
        if let Some(cwd) = cwd {
            scope = scope.with_cwd(cwd).with_variable("PWD", cwd);
        }
        self.with_environment(text, scope)
    }

    /// Reads shell text and everything it would run. Gives what its output carries.
    pub(super) fn text(&mut self, text: &str, scope: &Scope, context: &Context) -> Taints {
        if self.is_exhausted(context, text) {
            return Taints::NONE;
        }
        let script = fourseam_shell::parse(text, scope);
        self.script(&script, context)
    }

    /// Says once that a bound was reached, and whether it was.
    pub(super) fn is_exhausted(&mut self, context: &Context, text: &str) -> bool {
        let exhausted = context.depth >= MAX_DEPTH || self.commands >= MAX_COMMANDS;
        let is_told = || self.out.unknowns.iter().any(|unknown| unknown.class == UnknownClass::Limit);
        if exhausted && !is_told() {
            self.unknown(UnknownClass::Limit, text, None);
        }
        exhausted
    }

    pub(super) fn unknown(&mut self, class: UnknownClass, text: &str, invocation: Option<usize>) {
        let unknown = Unknown { class, text: shortened(text), invocation };
        if !self.out.unknowns.contains(&unknown) {
            self.out.unknowns.push(unknown);
        }
    }

    pub(super) fn effect(&mut self, found: Found, place: Place, invocation: Option<usize>) {
        let Found { kind, verb, target, recursive, taints } = found;
        self.out.effects.push(Effect { kind, verb, target, recursive, place, taint: taints.list(), invocation });
    }

    /// Adds variables of the environment that the text names, where their values are paths: other values may be
    /// secret, and nothing is gained by putting them in.
    fn with_environment(&self, text: &str, mut scope: Scope) -> Scope {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once('$') {
            rest = behind;
            let name = behind.strip_prefix('{').unwrap_or(behind);
            let end = name.find(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
            let Some((name, _)) = name.split_at_checked(end.unwrap_or(name.len())) else { continue };
            let is_asked =
                name.len() > 1 && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
            if !is_asked || matches!(name, "HOME" | "PWD" | "IFS" | "OLDPWD") || super::flow::is_secret_name(name) {
                continue;
            }
            scope = match self.world.variable(name) {
                Known::Yes(Some(value)) if value.starts_with('/') => scope.with_variable(name, &value),
                // With slashes, so that it stays whole where it is read as shell text again.
                Known::Yes(Some(value)) if self.setting.spelling == Spelling::Windows && on_drive(&value).is_some() => {
                    scope.with_variable(name, &value.replace('\\', "/"))
                }
                Known::Yes(None) => scope.with_unset(name),
                Known::Yes(Some(_)) | Known::Unknown => scope,
            };
        }
        scope
    }
}

fn trimmed(path: &str) -> String {
    match path.trim_end_matches('/') {
        "" => "/".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

/// At most [`MAX_SHOWN`] bytes, whole characters.
pub(super) fn shortened(text: &str) -> String {
    let text = text.trim();
    if text.len() <= MAX_SHOWN {
        return text.to_owned();
    }
    let end = (0..=MAX_SHOWN).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.split_at_checked(end).map_or(String::new(), |(head, _)| format!("{head}..."))
}
