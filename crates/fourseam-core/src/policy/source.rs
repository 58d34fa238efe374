//! One policy or pack file, read: head, rules, exceptions, settings. Says what is wrong with it; compiles nothing.

use super::condition::Condition;
use super::diagnostic::{Diagnostic, Level, Place};
use super::environment::Environment;
use super::keys;
use super::reader::{Fields, Reader};
use super::rule::{self, Maturity, Rule};
use super::settings::{self, Part, SETTING_KEYS};
use super::yaml::{self, Entry, Node, Value};
use crate::decision::Decision;
use serde::{Deserialize, Serialize};

/// The layers, from the most general to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Layer {
    /// Packs compiled into the binary.
    Builtin,
    /// The organisation's policy.
    Organisation,
    /// The user's policy.
    User,
    /// The project's policy.
    Project,
}

/// One file of a policy, as text.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// Its layer.
    pub layer: Layer,
    /// Its name in messages.
    pub file: &'t str,
    /// Its text, YAML.
    pub text: &'t str,
    /// The user has trusted exactly this text. Matters for project layers only.
    pub trusted: bool,
}

/// A pack: a set of rules with a name.
#[derive(Clone, Debug, Default)]
pub struct Pack {
    /// Name, the first half of its rules' ids.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// Whether it is on by default.
    pub maturity: Maturity,
    /// It cannot be disabled, and its rules cannot be overridden.
    pub locked: bool,
    /// Its rules.
    pub rules: Vec<Rule>,
}

/// Everything that one file says.
#[derive(Default)]
pub(super) struct File {
    /// The head of a pack file; its rules are in `rules`.
    pub(super) pack: Option<Pack>,
    pub(super) rules: Vec<Rule>,
    pub(super) overrides: Vec<Override>,
    pub(super) settings: Part,
    /// Packs and rules to turn on or off, with their places.
    pub(super) enable: Vec<(String, Place)>,
    pub(super) disable: Vec<(String, Place)>,
    /// Globs of rule ids that nearer layers cannot override or disable.
    pub(super) locked: Vec<String>,
    /// Environments and the words that tell them.
    pub(super) environments: Vec<Environment>,
}

/// An exception to rules.
pub(super) struct Override {
    /// Glob on the rule's id.
    pub(super) rule: String,
    pub(super) decision: Decision,
    pub(super) when: Option<Condition>,
    pub(super) unless: Option<Condition>,
    /// Last day on which it holds, `YYYY-MM-DD`.
    pub(super) until: Option<String>,
    pub(super) place: Place,
}

impl Layer {
    /// The word used in messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Builtin => "built-in",
            Self::Organisation => "organisation",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// Reads a pack file with everything that is wrong with it.
#[must_use]
pub fn read_pack(file: &str, text: &str) -> (Pack, Vec<Diagnostic>) {
    let (mut read, diagnostics) = read(&Source { layer: Layer::Builtin, file, text, trusted: false });
    let mut pack = read.pack.take().unwrap_or_default();
    pack.rules = read.rules;
    (pack, diagnostics)
}

/// The rules of a policy file, in their order, with everything that is wrong with the file.
#[must_use]
pub fn read_rules(source: &Source<'_>) -> (Vec<Rule>, Vec<Diagnostic>) {
    let (file, diagnostics) = read(source);
    (file.rules, diagnostics)
}

/// The keys of a policy file that are not settings, and what they mean.
pub(super) const POLICY_KEYS: [(&str, &str); 6] = [
    ("version", "Version of this schema: 1."),
    ("packs", "`disable` and `enable`: names of built-in packs or ids of their rules."),
    ("rules", "Rules."),
    ("overrides", "Exceptions to rules of the same or a more general layer."),
    ("locked", "Globs of rule ids that nearer layers cannot override or disable (organisation only)."),
    ("environments", "Environment names and the words that tell them, added to the built-in ones."),
];

/// The keys of a pack file, and what they mean.
pub(super) const PACK_KEYS: [(&str, &str); 7] = [
    ("pack", "Name of the pack: the file's name, kebab case."),
    ("title", "Name for people."),
    ("about", "What it is about, in a sentence."),
    ("maturity", "stable, preview (off unless enabled) or deprecated."),
    ("locked", "true: it cannot be disabled, and its rules cannot be overridden."),
    ("environments", "Environment names and the words that tell them."),
    ("rules", "Rules, sorted by id."),
];

/// The keys of an override, and what they mean.
pub(super) const OVERRIDE_KEYS: [(&str, &str); 6] = [
    ("rule", "Id of the rule, or a glob."),
    ("decision", "allow (the rule does not apply), ask or deny."),
    ("when", "Only where this holds."),
    ("unless", "Not where this holds."),
    ("reason", "Why."),
    ("until", "Last day on which it holds, YYYY-MM-DD."),
];

/// Reads one file. What is broken is left out and told.
pub(super) fn read(source: &Source<'_>) -> (File, Vec<Diagnostic>) {
    let mut reader = Reader::new(source.file, source.text);
    let file = match yaml::parse(source.text.trim_start_matches('\u{feff}')) {
        Ok(node) => read_file(&mut reader, &node),
        Err((place, message)) => {
            reader.error("bad-yaml", place, format!("not YAML: {message}"));
            File::default()
        }
    };
    (file, reader.diagnostics)
}

fn read_file(reader: &mut Reader<'_>, node: &Node) -> File {
    match &node.value {
        // An empty file is an empty policy.
        Value::Null => File::default(),
        Value::Map(entries) if entries.iter().any(|entry| entry.key == "pack") => read_pack_file(reader, node),
        Value::Map(_) | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            read_policy(reader, node)
        }
    }
}

fn read_pack_file(reader: &mut Reader<'_>, node: &Node) -> File {
    let Some(fields) = reader.map(node, "a pack", &PACK_KEYS.map(|(key, _)| key)) else { return File::default() };
    let mut text = |key: &str| fields.get(key).and_then(|node| reader.text(node, key)).unwrap_or_default();
    let pack = Pack { name: text("pack"), title: text("title"), about: text("about"), ..Pack::default() };
    if !rule::is_kebab(&pack.name) {
        reader.error("bad-id", fields.place, format!("`{}` is not a pack name in kebab case", pack.name));
    }
    let maturity = fields.get("maturity").and_then(|node| reader.word(node, "maturity")).unwrap_or_default();
    let locked = fields.get("locked").and_then(|node| reader.switch(node, "locked")).unwrap_or_default();
    let mut rules = read_rules_of(reader, fields, Some(&pack.name));
    for rule in &mut rules {
        rule.maturity = rule.maturity.max(maturity);
    }
    let environments = read_environments(reader, fields);
    File { pack: Some(Pack { maturity, locked, ..pack }), rules, environments, ..File::default() }
}

fn read_policy(reader: &mut Reader<'_>, node: &Node) -> File {
    let known: Vec<&str> = POLICY_KEYS.iter().chain(&SETTING_KEYS).map(|(key, _)| *key).collect();
    let Some(fields) = reader.map(node, "a policy", &known) else { return File::default() };
    match fields.get("version") {
        Some(node) if node.scalar() != Some("1") => {
            reader.error("version", node.place, "`version` is 1: this fourseam knows no other");
        }
        Some(_) => {}
        None => {
            let help = Some("put `version: 1` on the first line".to_owned());
            reader.report(Level::Warning, "version", fields.place, "no `version`", help);
        }
    }
    let [enable, disable] = read_switches(reader, fields);
    let overrides = fields.get("overrides").map_or_else(Vec::new, |node| reader.list(node, "overrides", read_override));
    File {
        pack: None,
        rules: read_rules_of(reader, fields, None),
        overrides,
        settings: settings::read(reader, fields),
        enable,
        disable,
        locked: fields.get("locked").and_then(|node| reader.globs(node, "locked")).unwrap_or_default(),
        environments: read_environments(reader, fields),
    }
}

fn read_rules_of(reader: &mut Reader<'_>, fields: Fields<'_>, pack: Option<&str>) -> Vec<Rule> {
    let Some(node) = fields.get("rules") else { return Vec::new() };
    // A rule's text ends where the next rule, or the next key of the file, begins.
    let mut starts: Vec<u32> = fields.entries.iter().map(|entry| entry.key_place.line).collect();
    if let Value::List(items) = &node.value {
        starts.extend(items.iter().map(|item| item.place.line));
    }
    reader.list(node, "rules", |reader, node| {
        let end = starts.iter().copied().filter(|line| *line > node.place.line).min();
        rule::read(reader, node, pack, end)
    })
}

/// `packs.enable` and `packs.disable`.
fn read_switches(reader: &mut Reader<'_>, fields: Fields<'_>) -> [Vec<(String, Place)>; 2] {
    let Some(fields) = fields.get("packs").and_then(|node| reader.map(node, "`packs`", &["enable", "disable"])) else {
        return [Vec::new(), Vec::new()];
    };
    let mut names = |key: &str| {
        fields.get(key).map_or_else(Vec::new, |node| {
            reader.list(node, key, |reader, node| Some((reader.text(node, key)?, node.place)))
        })
    };
    [names("enable"), names("disable")]
}

fn read_override(reader: &mut Reader<'_>, node: &Node) -> Option<Override> {
    let fields = reader.map(node, "an override", &OVERRIDE_KEYS.map(|(key, _)| key))?;
    let mut needed = |key: &str| {
        let node = fields.get(key);
        if node.is_none() {
            reader.error("missing-key", fields.place, format!("an override without `{key}`"));
        }
        node
    };
    let (rule, decision, reason) = (needed("rule"), needed("decision"), needed("reason"));
    let rule = reader.text(rule?, "rule");
    let decision = reader.word(decision?, "decision");
    reader.text(reason?, "reason")?;
    if decision == Some(Decision::Abstain) {
        reader.error("unknown-word", node.place, "an override decides `allow`, `ask` or `deny`");
    }
    let mut conditions = [None, None];
    for (key, condition) in ["when", "unless"].into_iter().zip(&mut conditions) {
        if let Some(node) = fields.get(key) {
            *condition = Some(keys::condition(reader, node)?);
        }
    }
    let [when, unless] = conditions;
    let until = match fields.get("until") {
        Some(node) => Some(read_day(reader, node)?),
        None => None,
    };
    Some(Override { rule: rule?, decision: decision?, when, unless, until, place: node.place })
}

fn read_day(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node, "until")?;
    let good = is_day(&text);
    if !good {
        reader.error("wrong-type", node.place, format!("`until` is a day such as 2027-01-31, not `{text}`"));
    }
    good.then_some(text)
}

/// Whether a text has the form `YYYY-MM-DD`, so that days compare as texts.
pub(super) fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts.as_slice(), [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2)
        && ("01"..="12").contains(month) && ("01"..="31").contains(day))
}

/// Each environment as a list of words, or as a map of `words` and `around`.
fn read_environments(reader: &mut Reader<'_>, fields: Fields<'_>) -> Vec<Environment> {
    let Some(node) = fields.get("environments") else { return Vec::new() };
    let Value::Map(entries) = &node.value else {
        reader.error("wrong-type", node.place, format!("`environments` is a map of names, not {}", node.kind()));
        return Vec::new();
    };
    let mut environments = Vec::new();
    for Entry { key, value, .. } in entries {
        let (words, around) = match value.value {
            Value::Map(_) => {
                let Some(fields) = reader.map(value, &format!("environment `{key}`"), &["words", "around"]) else {
                    continue;
                };
                let around = fields.get("around").and_then(|node| reader.switch(node, "around"));
                (fields.get("words").and_then(|node| reader.texts(node, "words")), around.unwrap_or_default())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                (reader.texts(value, key), false)
            }
        };
        environments.extend(words.map(|words| Environment { name: key.clone(), words, around }));
    }
    environments
}
