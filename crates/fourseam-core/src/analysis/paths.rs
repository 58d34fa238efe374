//! Effects on files: the facts that matter for them, and what their content carries.

use super::analyst::{Analyst, Found};
use super::effect::{EffectKind, PathClass, PathUse, Place, Taint, Target, UnknownClass};
use super::flow::Taints;
use super::path::is_harmless_device;
use crate::world::{Known, PathFact};

impl Analyst<'_> {
    /// Tells an effect on a path, with the facts that matter for it.
    pub(super) fn file_effect(
        &mut self,
        kind: EffectKind,
        verb: &str,
        mut path: PathUse,
        recursive: bool,
        place: Place,
        invocation: Option<usize>,
    ) {
        let loses = matches!(kind, EffectKind::Delete | EffectKind::Overwrite);
        let changes = loses || kind == EffectKind::Write;
        if changes && path.resolved.as_deref().is_some_and(is_harmless_device) {
            return;
        }
        let recursive = recursive || path.glob && path.written.contains("**");
        if loses && path.classes.contains(&PathClass::Unknown) {
            self.unknown(UnknownClass::DangerousArgument, &path.written, invocation);
        }
        if loses && place == Place::Local {
            path.restorable = self.restorable(&path);
        }
        let target = Some(Target::Path(path));
        self.effect(Found { kind, verb: verb.to_owned(), target, recursive, taints: Taints::NONE }, place, invocation);
    }

    /// Whether version control brings a path back; asked only where the answer can matter.
    fn restorable(&self, path: &PathUse) -> Option<bool> {
        let resolved = path.resolved.as_deref().filter(|_| !path.glob && !path.unknown)?;
        let is_asked = path.classes.contains(&PathClass::Project) && !path.classes.contains(&PathClass::Ignored);
        if !is_asked || self.changes.of(resolved).is_some() {
            return None;
        }
        self.world.restorable(resolved).ok()
    }

    /// Whether a write makes a file or replaces one.
    pub(super) fn write_kind(&self, path: &PathUse) -> EffectKind {
        let Some(resolved) = path.resolved.as_deref().filter(|_| !path.glob) else { return EffectKind::Overwrite };
        if self.changes.of(resolved).is_some() {
            return EffectKind::Write;
        }
        match self.world.path(resolved) {
            Known::Yes(PathFact::Missing | PathFact::Folder) => EffectKind::Write,
            Known::Yes(PathFact::File | PathFact::Link(_) | PathFact::Special) | Known::Unknown => {
                EffectKind::Overwrite
            }
        }
    }

    /// What the content of a path carries.
    pub(super) fn content_taints(&self, path: &PathUse) -> Taints {
        let mut taints = Taints::NONE;
        if path.classes.contains(&PathClass::Secret) {
            taints.add(Taint::Secret);
        }
        if path.resolved.as_deref().is_some_and(|path| path.starts_with("/proc/") && path.ends_with("/environ")) {
            taints.add(Taint::Environment);
        }
        if let Some(resolved) = &path.resolved {
            match self.changes.of(resolved) {
                Some(change) => return taints.with(change.taints),
                None => taints.add(self.changes.below(resolved).with(self.remembered(resolved))),
            }
        }
        taints.add(Taint::Files);
        taints
    }

    /// What earlier actions of the session put into a file.
    pub(super) fn remembered(&self, path: &str) -> Taints {
        self.world.past().written(path).map_or(Taints::NONE, Taints::from)
    }

    /// Notes what the files that are written carry, for later actions of the session. What is added to a file leaves in it
    /// what was there.
    pub(super) fn note_carried(&mut self) {
        for effect in &self.out.effects {
            let Some(Target::Path(PathUse { resolved: Some(path), .. })) = &effect.target else { continue };
            if !matches!(effect.kind, EffectKind::Write | EffectKind::Overwrite) {
                continue;
            }
            let mut taints = self.changes.of(path).map_or(Taints::NONE, |change| change.taints);
            if matches!(effect.verb.as_str(), "append" | "edit") {
                taints.add(self.remembered(path));
            }
            let lasting: Vec<Taint> = taints.list().into_iter().filter(|taint| *taint != Taint::Files).collect();
            if !lasting.is_empty() {
                self.out.carried.insert(path.clone(), lasting);
            }
        }
    }
}
