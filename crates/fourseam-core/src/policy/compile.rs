//! Policy files to one rule set. What is broken is left out and told; what an untrusted project may not say is too.

use super::condition::{Condition, Test};
use super::diagnostic::{Diagnostic, Level, Place};
use super::gate::Index;
use super::glob;
use super::rule::Rule;
use super::set::{Looks, RuleSet, Stored, StoredOverride, StoredRule};
use super::settings::Part;
use super::source::{self, File, Layer, Source};
use crate::decision::Decision;

/// A compiled policy and what came up.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The rules of all files, as far as they are not broken.
    pub set: RuleSet,
    /// What is wrong, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// Layers with errors: an earlier good set should stay in force. A broken project layer is left out and not
    /// listed here.
    pub broken: Vec<Layer>,
}

/// Compiles the files of one or more layers. `base`: the sets that will be in force with the result.
#[must_use]
pub fn compile(sources: &[Source<'_>], base: &[&RuleSet]) -> Compiled {
    let mut draft = Draft::new(base);
    for source in sources {
        draft.add(source);
    }
    draft.finish()
}

/// A hash of everything that a compiled set is made from, for [`RuleSet::to_file`]. `version`: that of the binary.
#[must_use]
pub fn key(sources: &[Source<'_>], base: &[&RuleSet], version: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&bytes.len().to_le_bytes());
        hasher.update(bytes);
    };
    part(version.as_bytes());
    for set in base {
        part(set.as_bytes());
    }
    for source in sources {
        part(source.layer.word().as_bytes());
        part(source.file.as_bytes());
        part(source.text.as_bytes());
        part(&[u8::from(source.trusted)]);
    }
    *hasher.finalize().as_bytes()
}

/// What an untrusted project may at most write.
const MOST_PROJECT_BYTES: usize = 64 * 1024;
const MOST_PROJECT_RULES: usize = 100;
const MOST_PROJECT_PATTERN: usize = 300;

/// A set being put together.
struct Draft {
    stored: Stored<'static>,
    rules: Vec<StoredRule>,
    /// Ids so far, with where they come from, those of the base included.
    ids: Vec<(String, Layer)>,
    diagnostics: Vec<Diagnostic>,
    broken: Vec<Layer>,
}

impl Draft {
    fn new(base: &[&RuleSet]) -> Self {
        let mut draft = Self {
            stored: Stored::default(),
            rules: Vec::new(),
            ids: Vec::new(),
            diagnostics: Vec::new(),
            broken: Vec::new(),
        };
        draft.ids = base.iter().flat_map(|set| set.rules()).map(|rule| (rule.id, rule.layer)).collect();
        draft
    }

    fn add(&mut self, source: &Source<'_>) {
        let (mut file, mut diagnostics) = source::read(source);
        let mut notes = Notes { source, diagnostics: &mut diagnostics };
        self.check_ids(&mut file, &mut notes);
        let is_broken = notes.diagnostics.iter().any(|problem| problem.level == Level::Error);
        if source.layer == Layer::Project && !source.trusted {
            restrict(&mut file, &mut notes);
        }
        self.diagnostics.append(&mut diagnostics);
        match (source.layer, is_broken) {
            (Layer::Project, true) => self.diagnostics.push(ignored(source)),
            (Layer::Builtin | Layer::Organisation | Layer::User, true) => {
                self.broken.push(source.layer);
                self.take(file, source.layer);
            }
            (_, false) => self.take(file, source.layer),
        }
    }

    /// Ids are unique within a layer, and nobody takes the name of a rule of another layer.
    fn check_ids(&mut self, file: &mut File, notes: &mut Notes<'_, '_>) {
        for rule in &file.rules {
            if let Some((_, layer)) = self.ids.iter().find(|(id, _)| *id == rule.id) {
                let message = format!("the id `{}` is taken by a rule of the {} layer", rule.id, layer.word());
                notes.error("duplicate-id", rule.place, Some(&rule.id), message);
            } else {
                self.ids.push((rule.id.clone(), notes.source.layer));
            }
        }
    }

    fn take(&mut self, file: File, layer: Layer) {
        let slot = match layer {
            Layer::Builtin => None,
            Layer::Organisation => Some(0),
            Layer::User => Some(1),
            Layer::Project => Some(2),
        };
        if let Some(part) = slot.and_then(|slot| self.stored.settings.get_mut(slot)) {
            *part = file.settings;
        }
        let with_layer = |names: Vec<(String, Place)>| names.into_iter().map(move |(name, _)| (layer, name));
        self.stored.enable.extend(with_layer(file.enable));
        self.stored.disable.extend(with_layer(file.disable));
        self.stored.locked.extend(file.locked.into_iter().map(|glob| (layer, glob)));
        if let Some(pack) = file.pack.filter(|pack| pack.locked) {
            self.stored.locked.push((layer, format!("{}/*", pack.name)));
        }
        self.stored.environments.extend(file.environments);
        self.stored.overrides.extend(file.overrides.into_iter().map(|it| StoredOverride {
            rule: it.rule,
            layer,
            decision: it.decision,
            when: it.when,
            unless: it.unless,
            until: it.until,
        }));
        self.rules.extend(file.rules.into_iter().map(|rule| stored_rule(rule, layer)));
    }

    fn finish(self) -> Compiled {
        Compiled { set: encode(self.rules, self.stored), diagnostics: self.diagnostics, broken: self.broken }
    }
}

/// Rules and what stands beside them as a set. The order of files and rules must not matter, so it does not reach it.
pub(super) fn encode(mut rules: Vec<StoredRule>, stored: Stored<'_>) -> RuleSet {
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    let mut index = Index::default();
    for (number, rule) in (0u16..).zip(&rules) {
        index.add(number, &rule.when);
    }
    let encoded: Vec<Vec<u8>> = rules.iter().map(|rule| postcard::to_allocvec(rule).unwrap_or_default()).collect();
    let rules = encoded.iter().map(Vec::as_slice).collect();
    RuleSet::encode(&index.store(Stored { rules, ..stored }))
}

fn stored_rule(rule: Rule, layer: Layer) -> StoredRule {
    let conditions = || std::iter::once(&rule.when).chain(&rule.unless);
    let looks = Looks::of(conditions());
    let spares_harmless = !conditions().any(speaks_of_harmless);
    StoredRule {
        layer,
        looks,
        spares_harmless,
        id: rule.id,
        decision: rule.decision,
        reason: rule.reason,
        instead: rule.instead,
        dry: rule.dry,
        judge_may_allow: rule.judge_may_allow,
        maturity: rule.maturity,
        when: rule.when,
        unless: rule.unless,
        native: rule.native,
    }
}

/// Whether a condition says which harmless forms it means.
pub(super) fn speaks_of_harmless(condition: &Condition) -> bool {
    condition.tests().iter().any(|test| matches!(test, Test::Harmless(_)))
}

/// Problems of one file that show only when it is put with others.
struct Notes<'n, 's> {
    source: &'n Source<'s>,
    diagnostics: &'n mut Vec<Diagnostic>,
}

impl Notes<'_, '_> {
    fn error(&mut self, code: &'static str, place: Place, rule: Option<&str>, message: impl Into<String>) {
        let diagnostic = Diagnostic::of_source(self.source, Level::Error, code, place);
        self.diagnostics.push(Diagnostic { rule: rule.map(str::to_owned), message: message.into(), ..diagnostic });
    }
}

/// Takes out what an untrusted project may not say: it only adds ask and deny rules with cases, within limits.
fn restrict(file: &mut File, notes: &mut Notes<'_, '_>) {
    if notes.source.text.len() > MOST_PROJECT_BYTES || file.rules.len() > MOST_PROJECT_RULES {
        let message = format!(
            "a project that is not trusted has at most {MOST_PROJECT_BYTES} bytes of policy and {MOST_PROJECT_RULES} \
             rules: all of it is ignored"
        );
        notes.error("project-limit", Place::default(), None, message);
        *file = File::default();
    }
    file.rules.retain(|rule| {
        let problem = refused_rule(rule);
        if let Some(problem) = problem {
            let message = format!("{problem} in a project that is not trusted: the rule is ignored");
            notes.error("project-limit", rule.place, Some(&rule.id), message);
        }
        problem.is_none()
    });
    for (key, there) in [
        ("overrides", !file.overrides.is_empty()),
        ("packs", !file.enable.is_empty() || !file.disable.is_empty()),
        ("locked", !file.locked.is_empty()),
        ("environments", !file.environments.is_empty()),
        ("mode, on_error, points, inject_action, audit, judge or hosts", file.settings != Part::default()),
        ("pack", file.pack.is_some()),
    ] {
        if there {
            let message = format!("a project that is not trusted may not set `{key}`: it is ignored");
            notes.error("project-limit", Place::default(), None, message);
        }
    }
    *file = File { rules: std::mem::take(&mut file.rules), ..File::default() };
}

/// What keeps a rule out of an untrusted project.
fn refused_rule(rule: &Rule) -> Option<&'static str> {
    if rule.decision == Decision::Allow {
        return Some("no allow rules");
    }
    if rule.cases.hit.is_empty() || rule.cases.miss.is_empty() {
        return Some("no rules without `cases` with a `hit` and a `miss`");
    }
    (longest_pattern(rule) > MOST_PROJECT_PATTERN).then_some("no regex of more than 300 characters")
}

fn longest_pattern(rule: &Rule) -> usize {
    let tests = [Some(&rule.when), rule.unless.as_ref()].into_iter().flatten().flat_map(Condition::tests);
    let patterns = tests.flat_map(|test| match test {
        Test::Pattern(patterns) | Test::RawPattern(patterns) | Test::ArgPattern(patterns) => patterns.as_slice(),
        _ => &[],
    });
    patterns.map(String::len).max().unwrap_or(0)
}

fn ignored(source: &Source<'_>) -> Diagnostic {
    Diagnostic {
        message: "the project's policy has errors and is ignored".to_owned(),
        help: Some("`fourseam lint` shows them".to_owned()),
        ..Diagnostic::of_source(source, Level::Warning, "project-ignored", Place::default())
    }
}

/// Whether an id is named by an entry of `packs.enable`, `packs.disable` or `locked`: a pack, an id, or a glob of ids.
pub(super) fn is_named(id: &str, entry: &str) -> bool {
    id.split('/').next() == Some(entry) || glob::matches(entry, id)
}
