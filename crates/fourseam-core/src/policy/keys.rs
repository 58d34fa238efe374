//! The keys of `when` and `unless`: one table from which they are read, documented and put into the JSON Schema.

use super::condition::{Condition, Count, Facet, Named, Test};
use super::diagnostic::{Level, Place, nearest};
use super::pattern;
use super::reader::Reader;
use super::words::Word;
use super::yaml::{Entry, Node, Value};
use crate::action::Point;
use crate::analysis::{EffectKind, PathClass, Place as EffectPlace, SqlClass, Taint, UnknownClass};

/// One key of `when`.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// What it means, in one sentence.
    pub(super) about: &'static str,
    /// An example value, as YAML.
    pub(super) example: &'static str,
    pub(super) takes: Takes,
}

/// What a key takes, and the test that it makes of it.
pub(super) enum Takes {
    /// One glob or several.
    Globs(fn(Vec<String>) -> Test),
    /// One text or several, compared as they are.
    Texts(fn(Vec<String>) -> Test),
    /// One regex or several.
    Patterns(fn(Vec<String>) -> Test),
    /// One word or several of a fixed set.
    Words(fn() -> Vec<&'static str>, fn(&[String]) -> Test),
    /// true or false.
    Switch(fn(bool) -> Test),
    /// true, false or `any`.
    SwitchOrAny(fn(Option<bool>) -> Test),
    /// A number, or `{min, max}`.
    Count(fn(Count) -> Test),
    /// A map of names and value globs; `true` means any value.
    NamedGlobs(fn(Vec<Named>) -> Test),
    /// One name glob or several, or a map as in `NamedGlobs`.
    NamesOrMap(fn(Vec<Named>) -> Test),
    /// A share from 0.0 to 1.0.
    Share(fn(u8) -> Test),
}

macro_rules! words_of {
    ($enum:ident, $test:ident) => {
        Takes::Words(
            || $enum::WORDS.iter().map(|(word, _)| *word).collect(),
            |words| Test::$test(words.iter().filter_map(|word| $enum::of_word(word)).collect()),
        )
    };
}

const fn key(name: &'static str, takes: Takes, example: &'static str, about: &'static str) -> Key {
    Key { name, about, example, takes }
}

/// Every key but `any`, `all` and `not`, in the order of the documentation.
pub(super) static KEYS: &[Key] = &[
    // The command.
    key("command", Takes::Globs(Test::Command), "[terraform, tofu]", "Name of the program, without folder."),
    key(
        "subcommand",
        Takes::Texts(Test::Subcommand),
        "[state rm, destroy]",
        "First subcommand words, aliases resolved; each word is a glob.",
    ),
    key("any_flag", Takes::Globs(Test::AnyFlag), "[--force, --mirror]", "At least one of these options is given."),
    key("all_flags", Takes::Globs(Test::AllFlags), "[--all, --force]", "All of these options are given."),
    key("no_flag", Takes::Globs(Test::NoFlag), "[--dry-run]", "None of these options is given."),
    key("only_flags", Takes::Globs(Test::OnlyFlags), "[--verbose]", "No option but these is given; there may be none."),
    key(
        "flag",
        Takes::NamedGlobs(Test::Flag),
        "{ --context: '*prod*' }",
        "Options with their values; every entry must hold, `true` means any value.",
    ),
    key("arg", Takes::Texts(Test::Arg), "[main, master]", "A positional argument is exactly this."),
    key("arg_glob", Takes::Globs(Test::ArgGlob), "'feature/*'", "A positional argument matches this glob."),
    key("arg_pattern", Takes::Patterns(Test::ArgPattern), "'^\\+'", "A positional argument matches this regex."),
    key("arg_count", Takes::Count(Test::ArgCount), "{ max: 0 }", "How many positional arguments there are."),
    key("through", Takes::Globs(Test::Through), "[xargs, 'find*']", "A wrapper that the command was taken out of."),
    key(
        "assignment",
        Takes::NamesOrMap(Test::Assignment),
        "{ RAILS_ENV: production }",
        "A variable set in front of the command.",
    ),
    key("place", words_of!(EffectPlace, Place), "[local, remote]", "Where it happens."),
    key(
        "read_only",
        Takes::Switch(Test::ReadOnly),
        "true",
        "A known program in a form that only reads, with every word known and no effect but reads.",
    ),
    key(
        "harmless",
        Takes::SwitchOrAny(Test::Harmless),
        "any",
        "Forms that change nothing (`--dry-run`, `--help`). Without this key a rule never matches them.",
    ),
    key(
        "pattern",
        Takes::Patterns(Test::Pattern),
        "'psql\\b.*\\bprod'",
        "Regex on the canonical text of the command, and on SQL given to a database.",
    ),
    // Its effects.
    key("effect", words_of!(EffectKind, Effect), "[delete, overwrite]", "Kind of effect."),
    key("verb", Takes::Globs(Test::Verb), "force-push", "Finer word of the effect, from the program's data."),
    key(
        "path",
        Takes::Globs(Test::Path),
        "['*.tfstate', '~/.kube/**']",
        "Glob on the resolved path; `*` stays in a folder, `**` does not; without a leading `/` or `~` it may start anywhere.",
    ),
    key("path_class", words_of!(PathClass, PathClass), "[root, home-root]", "Class of the path; one of its classes."),
    key("recursive", Takes::Switch(Test::Recursive), "true", "The effect reaches everything below its target."),
    key(
        "restorable",
        Takes::Switch(Test::Restorable),
        "false",
        "Version control can bring it back. Not known counts as false.",
    ),
    key(
        "resource",
        Takes::Globs(Test::Resource),
        "'*prod*'",
        "Name of a branch, bucket, namespace, table, package, ...",
    ),
    key(
        "url",
        Takes::Globs(Test::Url),
        "['https://example.com/*', '*.example.com']",
        "Glob on the URL; without `/` on its host.",
    ),
    key("host_name", Takes::Globs(Test::HostName), "['*.example.com']", "Glob on a host name, also that of a URL."),
    key("sql", words_of!(SqlClass, Sql), "[drop, truncate]", "Class of the statement given to a database."),
    key("taint", words_of!(Taint, Taint), "[secret]", "What flows into the effect."),
    // What was not understood, what was found.
    key("unknown", words_of!(UnknownClass, Unknown), "[shell-code]", "Something was not understood, by class."),
    key("finding", Takes::Globs(Test::Finding), "hidden-unicode", "A detector found something, by its id."),
    key("confidence", Takes::Share(Test::Confidence), "0.8", "The finding is at least this sure."),
    // The call.
    key("tool", Takes::Globs(Test::Tool), "[write, edit]", "Tool: canonical name, or the host's own."),
    key("mcp_server", Takes::Globs(Test::McpServer), "github", "MCP server; upper and lower case are the same."),
    key("mcp_tool", Takes::Globs(Test::McpTool), "'delete_*'", "MCP tool; upper and lower case are the same."),
    key(
        "argument",
        Takes::NamesOrMap(Test::Argument),
        "{ branch: main }",
        "Argument of an MCP or other tool call by name (`a.b` for nested ones, `*` for any).",
    ),
    key("point", words_of!(Point, Point), "[tool-call]", "Intervention point."),
    key("host", Takes::Globs(Test::Host), "claude-code", "Id of the agent that asks."),
    key("permission_mode", Takes::Globs(Test::PermissionMode), "bypass*", "The agent's own permission mode."),
    key(
        "environment",
        Takes::Texts(Test::Environment),
        "production",
        "Names of contexts, profiles, hosts, resources, connection strings or files say so; for production also folders and what the line has loaded or selected before.",
    ),
    key(
        "raw_pattern",
        Takes::Patterns(Test::RawPattern),
        "'(?i)begin private key'",
        "Regex on the raw text: the command line as sent, the content of a write, the arguments of a call.",
    ),
];

/// The keys that combine others.
pub(super) const COMBINING: [(&str, &str); 3] = [
    ("any", "A list of conditions of which at least one holds."),
    ("all", "A list of conditions that all hold."),
    ("not", "A condition that does not hold."),
];

/// Reads a `when` or `unless`: all of its keys hold.
pub(super) fn condition(reader: &mut Reader<'_>, node: &Node) -> Option<Condition> {
    let Value::Map(entries) = &node.value else {
        reader.error("wrong-type", node.place, format!("a condition is a map of keys, not {}", node.kind()));
        return None;
    };
    if entries.is_empty() {
        reader.error("empty-condition", node.place, "a condition without keys would match everything");
        return None;
    }
    let parts: Vec<Option<Condition>> = entries.iter().map(|entry| part(reader, entry)).collect();
    Some(Condition::All(parts.into_iter().collect::<Option<_>>()?))
}

fn part(reader: &mut Reader<'_>, entry: &Entry) -> Option<Condition> {
    let Entry { key, key_place, value } = entry;
    match key.as_str() {
        "any" => Some(Condition::Any(conditions(reader, value, key)?)),
        "all" => Some(Condition::All(conditions(reader, value, key)?)),
        "not" => Some(Condition::Not(Box::new(condition(reader, value)?))),
        name => match KEYS.iter().find(|known| known.name == name) {
            Some(known) => known.read(reader, value).map(Condition::Test),
            None => {
                unknown_key(reader, name, *key_place);
                None
            }
        },
    }
}

fn conditions(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<Vec<Condition>> {
    let Value::List(items) = &node.value else {
        reader.error("wrong-type", node.place, format!("`{key}` is a list of conditions, not {}", node.kind()));
        return None;
    };
    if items.is_empty() {
        reader.error("empty-list", node.place, format!("`{key}` is an empty list"));
        return None;
    }
    let parts: Vec<Option<Condition>> = items.iter().map(|item| condition(reader, item)).collect();
    parts.into_iter().collect()
}

fn unknown_key(reader: &mut Reader<'_>, name: &str, place: Place) {
    let known = || KEYS.iter().map(|key| key.name).chain(COMBINING.iter().map(|(name, _)| *name));
    let help = match nearest(name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known keys: {}", known().collect::<Vec<_>>().join(", ")),
    };
    reader.report(Level::Error, "unknown-key", place, format!("unknown key `{name}` in a condition"), Some(help));
}

impl Key {
    /// The facet of a subject that the key looks at.
    pub(super) fn facet(&self) -> Facet {
        match self.takes {
            Takes::Globs(make) | Takes::Texts(make) | Takes::Patterns(make) => make(Vec::new()).facet(),
            Takes::Words(_, make) => make(&[]).facet(),
            Takes::Switch(make) => make(true).facet(),
            Takes::SwitchOrAny(make) => make(None).facet(),
            Takes::Count(make) => make(Count { min: 0, max: 0 }).facet(),
            Takes::NamedGlobs(make) | Takes::NamesOrMap(make) => make(Vec::new()).facet(),
            Takes::Share(make) => make(0).facet(),
        }
    }

    fn read(&self, reader: &mut Reader<'_>, node: &Node) -> Option<Test> {
        let key = self.name;
        match self.takes {
            Takes::Globs(make) => reader.globs(node, key).map(make),
            Takes::Texts(make) => reader.texts(node, key).map(make),
            Takes::Patterns(make) => patterns(reader, node, key).map(make),
            Takes::Words(words, make) => reader.words(node, key, &words()).map(|words| make(&words)),
            Takes::Switch(make) => reader.switch(node, key).map(make),
            Takes::SwitchOrAny(make) if node.scalar() == Some("any") => Some(make(None)),
            Takes::SwitchOrAny(make) => reader.switch(node, key).map(|value| make(Some(value))),
            Takes::Count(make) => count(reader, node, key).map(make),
            Takes::NamedGlobs(make) => reader.named_globs(node, key).map(make),
            Takes::NamesOrMap(make) => match node.value {
                Value::Map(_) => reader.named_globs(node, key).map(make),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                    // A list of names means any of them; a map means all of its entries.
                    let names = reader.globs(node, key)?;
                    Some(make(vec![Named { names, values: Vec::new() }]))
                }
            },
            Takes::Share(make) => share(reader, node, key).map(make),
        }
    }
}

/// One regex or several, each checked.
pub(super) fn patterns(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<Vec<String>> {
    let texts = reader.texts(node, key)?;
    let mut good = true;
    for text in &texts {
        if let Err(error) = pattern::check(text) {
            good = false;
            let mut place = match &node.value {
                Value::List(items) => {
                    items.iter().find(|item| item.scalar() == Some(text)).map_or(node.place, |n| n.place)
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => node.place,
            };
            // Quoted on one line, the pattern starts one character behind the quote.
            place.column += u32::try_from(error.offset).unwrap_or(0) + 1;
            place.length = 1;
            reader.report(Level::Error, "bad-regex", place, format!("`{key}`: {}", error.message), error.help);
        }
    }
    good.then_some(texts)
}

fn count(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<Count> {
    match node.value {
        Value::Map(_) => {
            let fields = reader.map(node, &format!("`{key}`"), &["min", "max"])?;
            let mut read =
                |name: &str, default| fields.get(name).map_or(Some(default), |node| reader.number(node, name));
            Some(Count { min: read("min", 0)?, max: read("max", u32::MAX)? })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            reader.number(node, key).map(|number| Count { min: number, max: number })
        }
    }
}

fn share(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<u8> {
    let share = node.scalar().and_then(|text| text.parse::<f32>().ok()).filter(|share| (0.0..=1.0).contains(share));
    if share.is_none() {
        reader.error("wrong-type", node.place, format!("`{key}` is a number from 0.0 to 1.0"));
    }
    share.map(|share| (share * 100.0).round() as u8)
}
