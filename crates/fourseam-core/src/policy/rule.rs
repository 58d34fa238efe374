//! One rule as it is written: what it demands, what it says, and its cases.

use super::case::Case;
use super::condition::{Condition, Test};
use super::diagnostic::{Level, Place};
use super::keys;
use super::native::{self, Form, Kind, Written};
use super::reader::{Fields, Reader};
use super::words::Word;
use super::yaml::Node;
use crate::decision::{Decision, Mode};
use serde::{Deserialize, Serialize};

/// A rule with everything that its file says of it.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `pack/rule-name`.
    pub id: String,
    /// A short name for lists; the reason where there is none.
    pub title: Option<String>,
    /// What a match means.
    pub decision: Decision,
    /// How bad a match is, for people; not used in deciding.
    pub severity: Option<Severity>,
    /// What the agent is told.
    pub reason: String,
    /// What could happen, for people who ask.
    pub why: Option<String>,
    /// A safer way.
    pub instead: Option<String>,
    /// Pages to read.
    pub references: Vec<String>,
    /// Whether it is on by default.
    pub maturity: Maturity,
    /// Version it came with.
    pub since: Option<String>,
    /// It is only tried out: matches are logged and not enforced.
    pub dry: bool,
    /// A judge may turn its question into an allow.
    pub judge_may_allow: bool,
    /// Its cases.
    pub cases: Cases,
    /// The rule as it is written, without the indent.
    pub text: String,
    /// Where it starts.
    pub place: Place,
    pub(super) when: Condition,
    pub(super) unless: Option<Condition>,
    pub(super) native: Written,
}

/// How bad a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A nuisance.
    Low,
    /// Work is lost.
    Medium,
    /// Much is lost.
    High,
    /// Cannot be made good.
    Critical,
}

/// How settled a rule or pack is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Maturity {
    /// On by default.
    #[default]
    Stable,
    /// Off unless enabled.
    Preview,
    /// On, and will go.
    Deprecated,
}

/// The cases of a rule.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// The rule matches these.
    pub hit: Vec<Case>,
    /// The rule does not match these.
    pub miss: Vec<Case>,
    /// The rule should match these and does not yet.
    pub gap: Vec<Case>,
}

impl Rule {
    /// What of it agents are also told in their own rules, as it is written.
    #[must_use]
    pub fn forms(&self) -> Vec<Form> {
        self.native.iter().flat_map(|(kind, text)| native::parse(*kind, text).unwrap_or_default()).collect()
    }
}

impl Severity {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }
}

impl Word for Severity {
    const WORDS: &'static [(&'static str, Self)] =
        &[("low", Self::Low), ("medium", Self::Medium), ("high", Self::High), ("critical", Self::Critical)];
}

impl Maturity {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Preview => "preview",
            Self::Deprecated => "deprecated",
        }
    }
}

impl Word for Maturity {
    const WORDS: &'static [(&'static str, Self)] =
        &[("stable", Self::Stable), ("preview", Self::Preview), ("deprecated", Self::Deprecated)];
}

/// Every key of a rule and what it means, in the order of the documentation.
pub(super) const RULE_KEYS: [(&str, &str); 18] = [
    ("id", "`pack/rule-name` in kebab case; in a pack file the pack may be left out. Names the bad act."),
    ("title", "A short name for lists."),
    ("decision", "deny, ask or allow. The strongest match wins."),
    ("severity", "`block` is read as deny; or low, medium, high, critical next to a decision."),
    ("reason", "What the agent is told: what is wrong, in one sentence it can act on."),
    ("why", "What could happen, for people."),
    ("instead", "A safer way. Commands in backticks must not be denied themselves."),
    ("references", "Pages to read."),
    ("maturity", "stable, preview (off unless enabled) or deprecated."),
    ("since", "Version it came with."),
    ("mode", "`dry`: matches are logged and not enforced."),
    ("judge", "`may-allow`: a judge, if there is one, may turn the question of this rule into an allow."),
    ("when", "What must hold: every key."),
    ("unless", "What must not hold."),
    ("pattern", "Short for a `when` with only this key; with `when`, one more thing that must hold."),
    ("raw_pattern", "As `pattern`, on the raw text."),
    (
        "native",
        "What of it agents are also told in their own rules: lists under `run` (words, ` *` at the end for whatever \
         follows), `read`, `write` (paths from `/` or `~/`, `/**` for all below) and `fetch` (host names). Deny rules only.",
    ),
    ("cases", "`hit`, `miss` and `gap` lists: a command line, or a map with tool, input, cwd and world."),
];

/// Reads one rule. `pack`: the pack of the file, for ids without one.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node, pack: Option<&str>, end: Option<u32>) -> Option<Rule> {
    reader.enter_rule(None);
    let known = RULE_KEYS.map(|(key, _)| key);
    let fields = reader.map(node, "a rule", &known)?;
    let id = rule_id(reader, fields, pack);
    // Problems are told under the id as written even where it is not a good one.
    reader.enter_rule(id.clone().or_else(|| fields.get("id").and_then(Node::scalar).map(str::to_owned)));
    let errors =
        |reader: &Reader<'_>| reader.diagnostics.iter().filter(|problem| problem.level == Level::Error).count();
    let errors_before = errors(reader);
    let (decision, severity) = decision(reader, fields);
    let when = when(reader, fields);
    let unless = fields.get("unless").map(|node| keys::condition(reader, node));
    let mut text = |key: &str| fields.get(key).and_then(|node| reader.text(node, key));
    let (title, reason, why, instead, since) =
        (text("title"), text("reason"), text("why"), text("instead"), text("since"));
    if fields.get("reason").is_none() {
        reader.error(
            "missing-key",
            fields.place,
            "no `reason`: say what is wrong, in one sentence the agent can act on",
        );
    }
    let references =
        fields.get("references").map_or_else(Vec::new, |node| reader.texts(node, "references").unwrap_or_default());
    let maturity = fields.get("maturity").and_then(|node| reader.word(node, "maturity")).unwrap_or_default();
    let dry = fields.get("mode").is_some_and(|node| read_mode(reader, node));
    let judge_may_allow = fields.get("judge").is_some_and(|node| read_judge(reader, node, decision));
    let native = fields.get("native").map_or_else(Written::new, |node| read_native(reader, node, decision));
    let cases = fields.get("cases").map_or_else(Cases::default, |node| read_cases(reader, node));
    let text = reader.excerpt(node.place.line, end);
    let good = errors(reader) == errors_before;
    reader.enter_rule(None);
    if !good {
        return None;
    }
    Some(Rule {
        id: id?,
        title,
        decision: decision?,
        severity,
        reason: reason?,
        why,
        instead,
        references,
        maturity,
        since,
        dry,
        judge_may_allow,
        cases,
        text,
        place: node.place,
        when: when?,
        unless: unless.flatten(),
        native,
    })
}

fn rule_id(reader: &mut Reader<'_>, fields: Fields<'_>, pack: Option<&str>) -> Option<String> {
    let Some(node) = fields.get("id") else {
        reader.error("missing-key", fields.place, "a rule without `id`");
        return None;
    };
    let written = reader.text(node, "id")?;
    let id = match pack {
        Some(pack) if !written.contains('/') => format!("{pack}/{written}"),
        _ => written,
    };
    let parts: Vec<&str> = id.split('/').collect();
    let good = matches!(parts.as_slice(), [pack, name] if is_kebab(pack) && is_kebab(name));
    if !good {
        reader.error("bad-id", node.place, format!("`{id}` is not of the form `pack/rule-name` in kebab case"));
    } else if pack.is_some_and(|pack| parts.first() != Some(&pack)) {
        reader.error("bad-id", node.place, format!("`{id}` is of another pack than its file"));
    } else {
        return Some(id);
    }
    None
}

/// Lower case letters, digits and single hyphens between them.
pub(super) fn is_kebab(text: &str) -> bool {
    text.split('-').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
}

fn decision(reader: &mut Reader<'_>, fields: Fields<'_>) -> (Option<Decision>, Option<Severity>) {
    let severity = fields.get("severity");
    let blocks = severity.is_some_and(|node| node.scalar() == Some("block"));
    let severity = match severity {
        Some(node) if !blocks => {
            let words: Vec<&str> = ["block"].into_iter().chain(Severity::WORDS.iter().map(|(word, _)| *word)).collect();
            reader
                .words(node, "severity", &words)
                .and_then(|words| words.first().and_then(|word| Severity::of_word(word)))
        }
        _ => None,
    };
    let decision = match fields.get("decision") {
        Some(node) => match reader.word(node, "decision") {
            Some(Decision::Abstain) => {
                reader.error("unknown-word", node.place, "a rule decides `deny`, `ask` or `allow`");
                None
            }
            Some(decision) if blocks && decision != Decision::Deny => {
                reader.error(
                    "unknown-word",
                    node.place,
                    "`severity: block` is read as deny, `decision` says otherwise",
                );
                None
            }
            decision => decision,
        },
        None if blocks => Some(Decision::Deny),
        None => {
            reader.error("missing-key", fields.place, "no `decision` (deny, ask or allow)");
            None
        }
    };
    (decision, severity)
}

/// The plain forms of a deny rule.
fn read_native(reader: &mut Reader<'_>, node: &Node, decision: Option<Decision>) -> Written {
    if decision.is_some_and(|decision| decision != Decision::Deny) {
        reader.error("native-not-deny", node.place, "`native` is for deny rules: other decisions cannot be told so");
    }
    let known = Kind::WORDS.map(|(word, _)| word);
    let Some(fields) = reader.map(node, "`native`", &known) else { return Written::new() };
    let mut written = Written::new();
    for (word, kind) in Kind::WORDS {
        let Some(node) = fields.get(word) else { continue };
        for text in reader.texts(node, word).unwrap_or_default() {
            match native::parse(kind, &text) {
                Ok(_) => written.push((kind, text)),
                Err(why) => reader.error("bad-native", node.place, why),
            }
        }
    }
    written
}

/// `when`, `pattern` and `raw_pattern` together.
fn when(reader: &mut Reader<'_>, fields: Fields<'_>) -> Option<Condition> {
    let mut parts = Vec::new();
    if let Some(node) = fields.get("when") {
        parts.push(keys::condition(reader, node)?);
    }
    if let Some(node) = fields.get("pattern") {
        parts.push(Condition::Test(Test::Pattern(keys::patterns(reader, node, "pattern")?)));
    }
    if let Some(node) = fields.get("raw_pattern") {
        parts.push(Condition::Test(Test::RawPattern(keys::patterns(reader, node, "raw_pattern")?)));
    }
    if parts.is_empty() {
        reader.error("missing-key", fields.place, "neither `when` nor `pattern`: the rule would match everything");
        return None;
    }
    Some(Condition::All(parts))
}

fn read_mode(reader: &mut Reader<'_>, node: &Node) -> bool {
    match reader.word::<Mode>(node, "mode") {
        Some(Mode::Dry) => true,
        Some(Mode::Guard | Mode::On) => {
            reader.error("unknown-word", node.place, "`mode` of a rule is `dry` or left out");
            false
        }
        None => false,
    }
}

fn read_judge(reader: &mut Reader<'_>, node: &Node, decision: Option<Decision>) -> bool {
    let may_allow = reader.words(node, "judge", &["may-allow"]).is_some();
    if may_allow && decision.is_some_and(|decision| decision != Decision::Ask) {
        reader.error("unknown-word", node.place, "`judge: may-allow` is for rules that ask");
        return false;
    }
    may_allow
}

fn read_cases(reader: &mut Reader<'_>, node: &Node) -> Cases {
    let Some(fields) = reader.map(node, "`cases`", &["hit", "miss", "gap"]) else { return Cases::default() };
    let mut cases = |key: &str| {
        fields.get(key).map_or_else(Vec::new, |node| {
            reader.list(node, key, |reader, node| match Case::of_yaml(node) {
                Ok(case) => Some(case),
                Err(message) => {
                    reader.error("bad-case", node.place, message);
                    None
                }
            })
        })
    };
    Cases { hit: cases("hit"), miss: cases("miss"), gap: cases("gap") }
}
