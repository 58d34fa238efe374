//! What a call of an MCP tool does, by what its arguments are: a command is run, a path is a file, SQL is SQL, a URL
//! is fetched. Names of tools are matched by rules, not here, but for what they say is done to a path.

use super::acts::sql_verb;
use super::analyst::{Analyst, Context, Found};
use super::effect::{EffectKind, Place, Target};
use super::flow::Taints;
use super::{url, written};
use crate::code::{self, Act, Language};
use crate::detect::{self, Part};
use serde_json::Value;

/// Names of arguments that a shell runs.
const COMMAND_KEYS: &[&str] =
    &["command", "cmd", "cli_command", "shell_command", "bash", "command_line", "commandline"];
/// Names of arguments that are paths, where the value or the server says so.
const PATH_KEYS: &[&str] = &[
    "path",
    "paths",
    "file",
    "file_path",
    "filepath",
    "filename",
    "files",
    "source",
    "destination",
    "src",
    "dst",
    "dest",
    "target",
    "directory",
    "dir",
    "folder",
    "old_path",
    "new_path",
    "from",
    "to",
    "uri",
    "target_file",
    "absolute_path",
    "location",
];
/// Names of arguments that hold statements.
const SQL_KEYS: &[&str] = &["sql", "query", "statement", "queries", "q", "sql_query", "command"];
/// Names of arguments that hold code, where the tool runs some.
const CODE_KEYS: &[&str] =
    &["code", "script", "source_code", "python", "python_code", "javascript", "expression", "function"];
/// Names of arguments that hold what is written to a path.
const CONTENT_KEYS: &[&str] = &[
    "content",
    "contents",
    "text",
    "data",
    "new_string",
    "new_text",
    "newtext",
    "new_str",
    "file_text",
    "insert_text",
];
/// Names of arguments that hold what goes from a path.
const OLD_KEYS: &[&str] = &["old_string", "old_text", "oldtext", "old_str", "old"];
/// Deepest nesting of arguments that is looked into.
const MAX_DEPTH: u8 = 6;

/// What the name of a tool says is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Read,
    Write,
    Delete,
    Move,
}

/// One argument, with the names it stands under.
struct Leaf<'v> {
    key: String,
    text: &'v str,
}

impl Analyst<'_> {
    /// Everything an MCP call does that its arguments tell.
    pub(super) fn mcp(&mut self, server: &str, tool: &str, arguments: &Value, cwd: Option<&str>) {
        let mut leaves = Vec::new();
        collect("", arguments, &mut leaves, 0);
        let words = words_of(tool);
        let deed = deed(&words);
        let is_search = is_search(server, &words);
        let is_file_server =
            ["file", "fs", "desktop", "disk", "editor"].iter().any(|part| server.to_lowercase().contains(part));
        let content: Vec<&str> =
            leaves.iter().filter(|leaf| CONTENT_KEYS.contains(&leaf.key.as_str())).map(|leaf| leaf.text).collect();
        let old: Vec<&str> =
            leaves.iter().filter(|leaf| OLD_KEYS.contains(&leaf.key.as_str())).map(|leaf| leaf.text).collect();
        if let Some(command) = command_of(arguments, &leaves) {
            self.text(&command, &self.scope(&command, cwd), &Context::default());
        }
        let language = code_language(server, &words);
        for leaf in &leaves {
            let key = leaf.key.as_str();
            if let Some(language) = language.filter(|_| CODE_KEYS.contains(&key)) {
                let (code, shell) = without_magic(language, leaf.text);
                self.code_line(language, &code, self.scope(&code, cwd));
                self.text(&shell, &self.scope(&shell, cwd), &Context::default());
            } else if is_url(leaf.text) {
                self.fetch(leaf.text);
            } else if PATH_KEYS.contains(&key) && is_path(leaf.text, is_file_server) {
                self.mcp_path(deed, key, leaf.text, &content, cwd);
                if deed == Deed::Write {
                    self.mcp_settings(leaf.text, &old, &content, cwd);
                }
            } else if SQL_KEYS.contains(&key) && !is_search && looks_like_sql(leaf.text) {
                self.statements(leaf.text);
            }
            let found = detect::scan(Part::Command, leaf.text);
            self.out.findings.extend(found);
        }
    }

    fn mcp_path(&mut self, deed: Deed, key: &str, path: &str, content: &[&str], cwd: Option<&str>) {
        let is_goal = matches!(key, "destination" | "dst" | "dest" | "new_path" | "to");
        match deed {
            Deed::Delete => self.tool_tree(EffectKind::Delete, "delete", path, cwd),
            Deed::Move if !is_goal => self.tool_tree(EffectKind::Delete, "move", path, cwd),
            Deed::Write | Deed::Move => {
                self.tool_write(path, cwd);
                content.iter().for_each(|content| self.content(path, content, cwd));
            }
            Deed::Read => self.tool_file(EffectKind::Read, "read", path, cwd),
        }
    }

    /// What a change of a path does to the guard's entries in it.
    fn mcp_settings(&mut self, path: &str, old: &[&str], content: &[&str], cwd: Option<&str>) {
        match (old, content) {
            ([], []) => {}
            ([], content) => self.replaced(path, &content.join("\n"), cwd),
            (old, content) => self.entry_taken(path, &old.join("\n"), &content.join("\n"), cwd),
        }
    }

    /// Statements given to a database.
    fn statements(&mut self, text: &str) {
        let reading = code::read(Language::Sql, text);
        for (class, text) in reading.unknowns {
            self.unknown(class, &text, None);
        }
        for act in reading.acts {
            if let Act::Sql { class, text } = act {
                let verb = sql_verb(class).to_owned();
                let target = Some(Target::Sql { class, text });
                let found = Found { kind: EffectKind::Database, verb, target, recursive: false, taints: Taints::NONE };
                self.effect(found, Place::Local, None);
            }
        }
    }

    /// A page or service that is asked.
    pub(super) fn fetch(&mut self, address: &str) {
        let target = Some(Target::Url { url: address.to_owned() });
        let verb = "receive".to_owned();
        let found = Found { kind: EffectKind::Network, verb, target, recursive: false, taints: Taints::NONE };
        self.effect(found, Place::Local, None);
        self.out.findings.extend(url::findings(address));
    }

    /// What is put into a file: what it does when it is run, and what detectors find in it.
    pub(super) fn content(&mut self, path: &str, added: &str, cwd: Option<&str>) {
        let named = self.named_path(path, cwd, super::path::Follow::Links);
        let found = detect::scan(Part::FileContent, added);
        self.out.findings.extend(found);
        self.out.effects.extend(written::effects(self, &named, added));
    }
}

/// The command line of the arguments: one text, or a program with a list of words beside it.
fn command_of(arguments: &Value, leaves: &[Leaf<'_>]) -> Option<String> {
    let command = leaves.iter().find(|leaf| COMMAND_KEYS.contains(&leaf.key.as_str()))?.text;
    let words = arguments.get("args").or_else(|| arguments.get("arguments")).and_then(Value::as_array);
    let Some(words) = words else { return Some(command.to_owned()) };
    let words = words.iter().filter_map(Value::as_str).map(quoted);
    Some(std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" "))
}

/// The language of the code that a tool runs, as its name or that of its server tells.
fn code_language(server: &str, words: &[String]) -> Option<Language> {
    let runs = ["run", "exec", "execute", "eval", "evaluate", "start"];
    if !words.iter().any(|word| runs.contains(&word.as_str())) {
        return None;
    }
    let server = words_of(server);
    let says = |list: &[&str]| words.iter().chain(&server).any(|word| list.contains(&word.as_str()));
    if says(&["python", "jupyter", "ipython", "notebook", "cell", "pyodide"]) {
        Some(Language::Python)
    } else if says(&[
        "js",
        "javascript",
        "node",
        "nodejs",
        "typescript",
        "deno",
        "bun",
        "evaluate",
        "browser",
        "puppeteer",
        "playwright",
    ]) {
        Some(Language::JavaScript)
    } else {
        None
    }
}

/// Code without the lines that a notebook gives to the shell (`!ls`), and those.
fn without_magic(language: Language, text: &str) -> (String, String) {
    let is_magic = |line: &&str| language == Language::Python && line.trim_start().starts_with('!');
    let (shell, code): (Vec<&str>, Vec<&str>) = text.lines().partition(is_magic);
    let shell: Vec<&str> = shell.iter().map(|line| line.trim_start().trim_start_matches('!')).collect();
    (code.join("\n"), shell.join("\n"))
}

/// A word as the shell reads it back.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn collect<'v>(key: &str, value: &'v Value, leaves: &mut Vec<Leaf<'v>>, depth: u8) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) => leaves.push(Leaf { key: key.to_lowercase().replace('-', "_"), text }),
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, leaves, depth + 1)),
        Value::Object(entries) => entries.iter().for_each(|(key, value)| collect(key, value, leaves, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A tool that looks for words: what they say is not done. Servers of databases search with statements.
fn is_search(server: &str, words: &[String]) -> bool {
    const DATABASES: &[&str] = &[
        "sql",
        "postgres",
        "pg",
        "db",
        "database",
        "supabase",
        "bigquery",
        "snowflake",
        "clickhouse",
        "duckdb",
        "neon",
    ];
    let server = server.to_lowercase();
    let is_of_database = server.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|part| {
        DATABASES.contains(&part) || part.ends_with("sql") || part.ends_with("sqlite") || part.ends_with("db")
    });
    let looks = ["search", "find", "lookup", "suggest", "docs", "documentation", "ask", "recall"];
    !is_of_database && words.iter().any(|word| looks.contains(&word.as_str()))
}

/// The words of a tool's name, lower case: at capitals and at what is no letter.
fn words_of(tool: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in tool.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let mut word = String::new();
        for letter in part.chars() {
            if letter.is_ascii_uppercase() && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.push(letter.to_ascii_lowercase());
        }
        words.push(word);
    }
    words
}

/// What a tool's name says.
fn deed(words: &[String]) -> Deed {
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if says(&["delete", "remove", "rm", "unlink", "rmdir", "destroy", "purge", "trash", "wipe", "erase"]) {
        Deed::Delete
    } else if says(&["move", "rename", "mv"]) {
        Deed::Move
    } else if says(&[
        "write", "create", "edit", "update", "append", "put", "save", "insert", "patch", "replace", "modify", "copy",
        "upload", "set", "touch", "mkdir",
    ]) {
        Deed::Write
    } else {
        Deed::Read
    }
}

fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_word = scheme.len() > 1
        && scheme.len() < 12
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '+');
    is_word && (rest.starts_with("//") || scheme == "data") && !text.contains(char::is_whitespace)
}

/// A path of this machine: it looks like one, or the server works on files.
fn is_path(text: &str, is_file_server: bool) -> bool {
    let looks = text.starts_with(['/', '~', '.']) || text.get(1..3).is_some_and(|drive| matches!(drive, ":\\" | ":/"));
    !text.is_empty() && !text.contains('\n') && (looks || is_file_server)
}

fn looks_like_sql(text: &str) -> bool {
    let words = [
        "select", "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke", "with", "do",
        "call", "merge", "replace", "explain", "begin", "copy", "set", "vacuum", "--", "/*", "comment", "exec",
        "execute",
    ];
    let start = text.trim_start().to_lowercase();
    words.iter().any(|word| {
        start
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_'))
    })
}
