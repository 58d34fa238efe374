//! Effects of actions that are not commands: edits, reads, patches, fetches, MCP calls. What their content does is
//! told by the detectors and rules, not here.

use super::analyst::{Analyst, Found};
use super::effect::{EffectKind, PathClass, PathUse, Place, Target};
use super::flow::Taints;
use super::path::{Follow, Origin, Origins, Resolver};
use crate::action::{Edit, FileOperation};
use crate::world::Known;
use fourseam_shell::{Span, Unknown, Word};

/// How the entries of the guard in an agent's settings are told from others: the beginning of their command, and the
/// name of the program.
const GUARD_NAMES: [&str; 2] = [": fourseam ", "fourseam"];
/// Longest settings file that is compared.
const MOST_SETTINGS: usize = 256 * 1024;

/// A path that a tool names: nothing in it is expanded but `~`.
struct Plain;

impl Origins for Plain {
    fn origin(&self, _unknown: &Unknown) -> Origin {
        Origin::Anything
    }

    fn is_changed(&self, _path: &str) -> bool {
        false
    }

    fn linked(&self, _path: &str, _last: bool) -> Option<String> {
        None
    }
}

impl Analyst<'_> {
    /// A path as a tool names it.
    pub(super) fn named_path(&self, path: &str, cwd: Option<&str>, follow: Follow) -> PathUse {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let resolver = Resolver { setting: &self.setting, world: self.world, origins: &Plain, bases: Vec::new() };
        let cwd = cwd.map(|cwd| Word::known(cwd, Span::default()));
        resolver.with_cwd(cwd.as_ref()).resolve(&Word::known(path, Span::default()), follow)
    }

    /// An effect of a tool on a file.
    pub(super) fn tool_file(&mut self, kind: EffectKind, verb: &str, path: &str, cwd: Option<&str>) {
        let follow = if kind == EffectKind::Delete { Follow::Itself } else { Follow::Links };
        let path = self.named_path(path, cwd, follow);
        self.file_effect(kind, verb, path, false, Place::Local, None);
    }

    /// A file that a tool writes whole.
    pub(super) fn tool_write(&mut self, path: &str, cwd: Option<&str>) {
        let named = self.named_path(path, cwd, Follow::Links);
        let kind = self.write_kind(&named);
        self.file_effect(kind, "write", named, false, Place::Local, None);
    }

    /// A whole file comes in place of what is there.
    pub(super) fn replaced(&mut self, path: &str, content: &str, cwd: Option<&str>) {
        let named = self.named_path(path, cwd, Follow::Links);
        let Some(resolved) = named.resolved.filter(|_| named.classes.contains(&PathClass::AgentConfig)) else { return };
        if let Known::Yes(text) = self.world.text(&resolved, MOST_SETTINGS) {
            self.entry_taken(path, &text, content, cwd);
        }
    }

    /// An agent's settings name the guard less often than before: an entry of its hooks is gone, or calls something else.
    pub(super) fn entry_taken(&mut self, path: &str, old: &str, new: &str, cwd: Option<&str>) {
        let named = self.named_path(path, cwd, Follow::Links);
        let fewer = |text: &str| new.matches(text).count() < old.matches(text).count();
        if named.classes.contains(&PathClass::AgentConfig) && GUARD_NAMES.iter().any(|name| fewer(name)) {
            let target = Some(Target::Path(named));
            let verb = "guard-entry".to_owned();
            let found = Found { kind: EffectKind::Tamper, verb, target, recursive: false, taints: Taints::NONE };
            self.effect(found, Place::Local, None);
        }
    }

    pub(super) fn patch(&mut self, operations: &[FileOperation], cwd: Option<&str>) {
        for operation in operations {
            match operation {
                FileOperation::Add { path, content } => {
                    self.tool_file(EffectKind::Write, "write", path, cwd);
                    self.content(path, content, cwd);
                }
                FileOperation::Update { path, moved_to, edits } => {
                    self.tool_file(EffectKind::Overwrite, "edit", path, cwd);
                    self.edits(moved_to.as_deref().unwrap_or(path), edits, cwd);
                    if let Some(to) = moved_to {
                        self.tool_file(EffectKind::Delete, "move", path, cwd);
                        self.tool_write(to, cwd);
                    }
                }
                FileOperation::Delete { path } => self.tool_file(EffectKind::Delete, "delete", path, cwd),
            }
        }
    }

    /// An effect of a tool on a file or folder with all below it.
    pub(super) fn tool_tree(&mut self, kind: EffectKind, verb: &str, path: &str, cwd: Option<&str>) {
        let path = self.named_path(path, cwd, Follow::Itself);
        self.file_effect(kind, verb, path, true, Place::Local, None);
    }

    /// What edits add to a file.
    pub(super) fn edits(&mut self, path: &str, edits: &[Edit], cwd: Option<&str>) {
        for edit in edits {
            self.content(path, &edit.added(), cwd);
            self.entry_taken(path, &edit.old, &edit.new, cwd);
        }
    }
}
