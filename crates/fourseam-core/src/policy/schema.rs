//! The JSON Schema and the reference of the language, both made from the tables that files are read with.

use super::condition::Facet;
use super::keys::{COMBINING, KEYS, Key, Takes};
use super::rule::{Maturity, RULE_KEYS, Severity};
use super::settings::SETTING_KEYS;
use super::source::{OVERRIDE_KEYS, PACK_KEYS, POLICY_KEYS};
use super::words::Word;
use crate::decision::{Decision, Mode, OnError};
use crate::judge::JudgeSettings;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The JSON Schema of a policy file, for editors.
#[must_use]
pub fn json_schema() -> Value {
    let policy = POLICY_KEYS.iter().chain(&SETTING_KEYS).map(|(key, about)| (*key, described(value_of(key), about)));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fourseam policy",
        "type": "object",
        "additionalProperties": false,
        "properties": policy.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>(),
        "$defs": {
            "rule": object(&RULE_KEYS, &["id", "reason"]),
            "override": object(&OVERRIDE_KEYS, &["rule", "decision", "reason"]),
            "pack": object(&PACK_KEYS, &["pack", "rules"]),
            "condition": condition_schema(),
            "case": { "anyOf": [{ "type": "string" }, { "type": "object" }] },
            "texts": texts(),
        },
    })
}

/// The reference of all keys in Markdown, as it stands in the README of the packs.
#[must_use]
pub fn reference() -> String {
    let mut page = String::new();
    let mut table = |title: &str, rows: &[(&str, &str)]| {
        let _ = write!(page, "### {title}\n\n| key | meaning |\n|---|---|\n");
        for (key, about) in rows {
            let _ = writeln!(page, "| `{key}` | {about} |");
        }
        page.push('\n');
    };
    table("A pack", &PACK_KEYS);
    table("A rule", &RULE_KEYS);
    table("A policy file", &[POLICY_KEYS.as_slice(), &SETTING_KEYS].concat());
    table("`judge` of a policy file", &JudgeSettings::KEYS);
    table("An override", &OVERRIDE_KEYS);
    page.push_str("### `when` and `unless`\n\n");
    let facets = [
        (Facet::Invocation, "The command"),
        (Facet::Effect, "One of its effects"),
        (Facet::Unknown, "Something not understood"),
        (Facet::Finding, "Something a detector found"),
        (Facet::Call, "The call"),
    ];
    for (facet, title) in facets {
        let _ = write!(page, "**{title}**\n\n| key | example | takes | meaning |\n|---|---|---|---|\n");
        for key in KEYS.iter().filter(|key| key.facet() == facet) {
            let example = key.example.replace('|', "\\|");
            let _ = writeln!(page, "| `{}` | `{example}` | {} | {} |", key.name, key.takes_words(), key.about);
        }
        page.push('\n');
    }
    page.push_str("**Combining**\n\n| key | meaning |\n|---|---|\n");
    for (key, about) in COMBINING {
        let _ = writeln!(page, "| `{key}` | {about} |");
    }
    page
}

impl Key {
    fn takes_words(&self) -> String {
        match &self.takes {
            Takes::Globs(_) => "glob or list".to_owned(),
            Takes::Texts(_) => "text or list".to_owned(),
            Takes::Patterns(_) => "regex or list".to_owned(),
            Takes::Words(words, _) => words().join(", "),
            Takes::Switch(_) => "true, false".to_owned(),
            Takes::SwitchOrAny(_) => "true, false, any".to_owned(),
            Takes::Count(_) => "number, or `{min, max}`".to_owned(),
            Takes::NamedGlobs(_) => "map of names and globs".to_owned(),
            Takes::NamesOrMap(_) => "name or list (any of them), or map of names and globs (all of them)".to_owned(),
            Takes::Share(_) => "0.0 to 1.0".to_owned(),
        }
    }

    fn schema(&self) -> Value {
        match &self.takes {
            Takes::Globs(_) | Takes::Texts(_) | Takes::Patterns(_) => texts(),
            Takes::Words(words, _) => one_or_list(json!({ "enum": words() })),
            Takes::Switch(_) => json!({ "type": "boolean" }),
            Takes::SwitchOrAny(_) => json!({ "enum": [true, false, "any"] }),
            Takes::Count(_) => {
                let number = json!({ "type": "integer", "minimum": 0 });
                json!({ "anyOf": [number, {
                    "type": "object", "additionalProperties": false, "properties": { "min": number, "max": number },
                }] })
            }
            Takes::NamedGlobs(_) => named(),
            Takes::NamesOrMap(_) => json!({ "anyOf": [texts(), named()] }),
            Takes::Share(_) => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        }
    }
}

fn condition_schema() -> Value {
    let mut keys: Map<String, Value> =
        KEYS.iter().map(|key| (key.name.to_owned(), described(key.schema(), key.about))).collect();
    for (key, about) in COMBINING {
        let condition = json!({ "$ref": "#/$defs/condition" });
        let value =
            if key == "not" { condition } else { json!({ "type": "array", "minItems": 1, "items": condition }) };
        keys.insert(key.to_owned(), described(value, about));
    }
    json!({ "type": "object", "additionalProperties": false, "minProperties": 1, "properties": keys })
}

fn object(keys: &[(&str, &str)], required: &[&str]) -> Value {
    let keys: Map<String, Value> =
        keys.iter().map(|(key, about)| ((*key).to_owned(), described(value_of(key), about))).collect();
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": keys })
}

/// The values of keys outside conditions. A key that is not named here takes a text.
fn value_of(key: &str) -> Value {
    let list_of = |name: &str| json!({ "type": "array", "items": { "$ref": format!("#/$defs/{name}") } });
    let map_of = |value: Value| json!({ "type": "object", "additionalProperties": value });
    let keys = |keys: Value| json!({ "type": "object", "additionalProperties": false, "properties": keys });
    let switch = json!({ "enum": ["on", "off"] });
    let number = json!({ "type": "integer", "minimum": 0 });
    match key {
        "version" => json!({ "const": 1 }),
        "mode" => words::<Mode>(&[]),
        "on_error" => words::<OnError>(&[]),
        "decision" => words::<Decision>(&["abstain"]),
        "maturity" => words::<Maturity>(&[]),
        "severity" => {
            let words: Vec<&str> = ["block"].into_iter().chain(Severity::WORDS.iter().map(|(word, _)| *word)).collect();
            json!({ "enum": words })
        }
        "locked" => json!({ "anyOf": [{ "type": "boolean" }, texts()] }),
        "packs" => keys(json!({ "enable": texts(), "disable": texts() })),
        "rules" => list_of("rule"),
        "overrides" => list_of("override"),
        "environments" => {
            let whole = keys(json!({ "words": texts(), "around": { "type": "boolean" } }));
            map_of(json!({ "anyOf": [texts(), whole] }))
        }
        "when" | "unless" => json!({ "$ref": "#/$defs/condition" }),
        "pattern" | "raw_pattern" | "references" => texts(),
        "cases" => keys(json!({ "hit": list_of("case"), "miss": list_of("case"), "gap": list_of("case") })),
        "native" => keys(json!({ "run": texts(), "read": texts(), "write": texts(), "fetch": texts() })),
        "points" => keys(json!({
            "edits": switch, "mcp": switch, "web": switch, "prompt": switch, "output": switch,
            "result": { "enum": ["off", "network", "on", "all"] },
            "result_min": { "type": "integer", "minimum": 0 },
        })),
        "inject_action" => json!({ "enum": ["warn", "block"] }),
        "audit" => keys(json!({
            "required": { "type": "boolean" },
            "file_mib": number, "file_days": number, "keep_mib": number, "keep_days": number,
        })),
        "judge" => json!({ "anyOf": [judge(), { "const": "may-allow" }] }),
        "hosts" => map_of(keys(json!({ "ask": { "enum": ["native", "deny"] } }))),
        _ => json!({ "type": "string" }),
    }
}

/// The settings of the judge; on a rule, `judge` is one word.
fn judge() -> Value {
    let share = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    let price = json!({ "type": "number", "minimum": 0 });
    let value = |key: &str| match key {
        "backend" => json!({ "enum": ["none", "openai", "anthropic", "jev"] }),
        "timeout_ms" => json!({ "type": "integer", "minimum": 100, "maximum": 20000 }),
        "on_error" => words::<OnError>(&[]),
        "points" => json!({ "type": "array", "items": { "enum": ["shell", "edit", "mcp", "result"] } }),
        "thresholds" => json!({ "type": "object", "additionalProperties": false, "properties": {
            "allow_max": share, "risk_max": share, "deny_min": share, "inject_min": share,
        } }),
        "cache_hours" => json!({ "type": "integer", "minimum": 0 }),
        "price_in" | "price_out" => price.clone(),
        _ => json!({ "type": "string" }),
    };
    let keys: Map<String, Value> =
        JudgeSettings::KEYS.iter().map(|(key, about)| ((*key).to_owned(), described(value(key), about))).collect();
    json!({ "type": "object", "additionalProperties": false, "required": ["backend"], "properties": keys })
}

fn words<W: Word>(without: &[&str]) -> Value {
    let words: Vec<&str> = W::WORDS.iter().map(|(word, _)| *word).filter(|word| !without.contains(word)).collect();
    json!({ "enum": words })
}

fn described(mut value: Value, about: &str) -> Value {
    if let Value::Object(object) = &mut value {
        object.insert("description".to_owned(), about.into());
    }
    value
}

fn one_or_list(item: Value) -> Value {
    json!({ "anyOf": [item, { "type": "array", "minItems": 1, "items": item }] })
}

fn texts() -> Value {
    one_or_list(json!({ "type": ["string", "number", "boolean"] }))
}

fn named() -> Value {
    json!({ "type": "object", "additionalProperties": { "anyOf": [{ "const": true }, { "type": "null" }, texts()] } })
}
