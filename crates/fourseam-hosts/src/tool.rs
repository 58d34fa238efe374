//! A tool and its input into an action. Each host says what kind of tool a name is; how the input of a kind may be
//! spelled is known here, once, for all of them.

use crate::read::Fields;
use fourseam_core::action::{Action, Dialect, Edit, Shell};
use fourseam_core::patch;
use serde_json::Value;

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Runs a command line.
    Shell(Dialect),
    /// Types text into a shell that is already open.
    Typed(Dialect),
    /// Reads one file.
    Read,
    /// Looks through files; reads what it is pointed at.
    Search,
    /// Writes a whole file.
    Write,
    /// Replaces parts of a file.
    Edit,
    /// Deletes a file.
    Delete,
    /// Applies a patch of several files.
    Patch,
    /// Fetches from the web.
    WebFetch,
    /// Searches the web.
    WebSearch,
    /// Starts a sub-agent.
    Subagent,
    /// Reads a resource of an MCP server.
    McpResource,
    /// The host's own plans, lists, questions and agents: what comes back is its own text.
    Own,
}

const PATH: &[&str] =
    &["file_path", "path", "filePath", "notebook_path", "target_file", "absolute_path", "uri", "filename", "file"];
const CONTENT: &[&str] = &["content", "contents", "file_text", "fileText"];
const OLD: &[&str] = &["old_string", "old_str", "oldString", "old_text", "oldText"];
const NEW: &[&str] = &["new_string", "new_str", "newString", "new_text", "newText", "new_source"];
const COMMAND: &[&str] = &["command", "cmd", "command_line", "commandLine", "script"];
const DIRECTORY: &[&str] = &["workdir", "working_directory", "workingDirectory", "dir_path", "directory", "cwd"];
const BACKGROUND: &[&str] = &["run_in_background", "is_background", "isBackground", "background"];

/// The action of a tool call; `None` when the input lacks what this kind of tool cannot do without.
pub(crate) fn action(kind: Kind, input: &Value) -> Option<Action> {
    let fields = Fields(input);
    match kind {
        Kind::Shell(dialect) => shell(fields, dialect),
        Kind::Typed(dialect) => {
            let command = fields.text(&["input", "chars", "text"])?.to_owned();
            Some(Action::Shell(Shell { command, dialect, cwd: None, background: false }))
        }
        Kind::Read => Some(Action::FileRead { path: path(fields)? }),
        Kind::Search => Some(Action::FileRead { path: fields.id(&["path", "dir_path", "directory"])? }),
        Kind::Write => {
            let path = path(fields)?;
            match fields.text(CONTENT) {
                Some(content) => Some(Action::FileWrite { path, content: content.to_owned() }),
                None => Some(Action::FileEdit { path, edits: edits(fields) }),
            }
        }
        Kind::Edit => {
            let path = path(fields)?;
            let edits = edits(fields);
            match fields.text(CONTENT) {
                Some(content) if edits.is_empty() => Some(Action::FileWrite { path, content: content.to_owned() }),
                _ => Some(Action::FileEdit { path, edits }),
            }
        }
        Kind::Delete => Some(Action::FileDelete { path: path(fields)? }),
        Kind::Patch => {
            let text =
                input.as_str().or_else(|| fields.text(&["command", "input", "patch", "patchText", "patch_text"]))?;
            Some(patch::parse(text))
        }
        Kind::WebFetch => web_fetch(fields),
        Kind::WebSearch => Some(Action::WebSearch { query: fields.id(&["query", "search_term", "q"])? }),
        Kind::Subagent => Some(Action::Subagent {
            kind: fields.id(&["subagent_type", "agent_type", "agent_name", "agentType"]),
            prompt: fields.text(&["prompt", "message", "task", "description"])?.to_owned(),
        }),
        Kind::McpResource => {
            let server = fields.id(&["server", "server_name", "serverName"])?;
            Some(Action::McpCall { server, tool: "read_mcp_resource".to_owned(), arguments: input.clone() })
        }
        Kind::Own => None,
    }
}

/// The action of a file tool whose name says nothing, told by the shape of its input.
pub(crate) fn by_shape(input: &Value) -> Option<Action> {
    let fields = Fields(input);
    let changes = fields.has(OLD) || fields.has(NEW) || fields.has(CONTENT) || fields.list(&["edits"]).is_some();
    if changes { action(Kind::Edit, input) } else { None }
}

fn path(fields: Fields) -> Option<String> {
    fields.id(PATH).or_else(|| match fields.list(&["paths", "files", "include", "file_paths"])? {
        [only] => only.as_str().map(str::to_owned).or_else(|| Fields(only).id(PATH)),
        _ => None,
    })
}

fn shell(fields: Fields, dialect: Dialect) -> Option<Action> {
    let command = command_text(fields.get(COMMAND)?)?;
    let background = fields.flag(BACKGROUND) || fields.text(&["mode"]) == Some("async");
    Some(Action::Shell(Shell { command, dialect, cwd: fields.id(DIRECTORY), background }))
}

/// A command line that came as text, or as the words of a program call.
fn command_text(value: &Value) -> Option<String> {
    let words = match value {
        Value::String(text) => return Some(text.clone()),
        Value::Array(items) => items.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?,
        _ => return None,
    };
    match words.as_slice() {
        // `["bash", "-lc", TEXT]` runs the text.
        [shell, flags, text]
            if shell.rsplit('/').next().is_some_and(|name| name.ends_with("sh"))
                && flags.starts_with('-')
                && flags.ends_with('c') =>
        {
            Some((*text).to_owned())
        }
        _ => Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn edits(fields: Fields) -> Vec<Edit> {
    let one = |fields: Fields| {
        (fields.has(OLD) || fields.has(NEW)).then(|| Edit {
            old: fields.text(OLD).unwrap_or_default().to_owned(),
            new: fields.text(NEW).unwrap_or_default().to_owned(),
        })
    };
    if let Some(list) = fields.list(&["edits", "replacements"]) {
        return list.iter().filter_map(|item| one(Fields(item))).collect();
    }
    if let Some(diff) = fields.text(&["diff"]) {
        return patch::edits_of_diff(diff);
    }
    one(fields).into_iter().collect()
}

fn web_fetch(fields: Fields) -> Option<Action> {
    let prompt = fields.text(&["prompt"]).map(str::to_owned);
    let named = fields.list(&["urls"]).unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned);
    let mut urls: Vec<String> = fields.id(&["url", "uri", "link"]).into_iter().chain(named).collect();
    if urls.is_empty() {
        // Gemini CLI takes the addresses from the text of the prompt.
        urls = prompt.as_deref().map(urls_in).unwrap_or_default();
    }
    (!urls.is_empty() || prompt.is_some()).then_some(Action::WebFetch { urls, prompt })
}

/// Every web address in a text.
fn urls_in(text: &str) -> Vec<String> {
    let end = |c: char| c.is_whitespace() || "\"'`<>()[]{}|".contains(c);
    text.split(end)
        .filter_map(|word| {
            let lower = word.to_ascii_lowercase();
            let start = ["http://", "https://"].iter().filter_map(|scheme| lower.find(scheme)).min()?;
            word.get(start..).map(|url| url.trim_end_matches(['.', ',', ';', ':', '!', '?']).to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_command_may_be_text_or_words() {
        for (command, text) in [
            (json!("git status"), "git status"),
            (json!(["bash", "-lc", "rm -rf build && ls"]), "rm -rf build && ls"),
            (json!(["/bin/sh", "-c", "ls"]), "ls"),
            (json!(["git", "commit", "-m", "it's done"]), r"git commit -m 'it'\''s done'"),
        ] {
            let Some(Action::Shell(shell)) = action(Kind::Shell(Dialect::Posix), &json!({ "command": command })) else {
                unreachable!("a shell call")
            };
            assert_eq!(shell.command, text);
        }
    }

    #[test]
    fn addresses_are_found_in_prose() {
        assert_eq!(
            urls_in("compare https://a.example.com/x, (http://b.example.com) and url=HTTPS://c.example.com/?q=1."),
            ["https://a.example.com/x", "http://b.example.com", "HTTPS://c.example.com/?q=1"]
        );
    }

    #[test]
    fn the_spellings_of_a_file_change_are_one() {
        let edit = |input| action(Kind::Edit, &input);
        let expected =
            Some(Action::FileEdit { path: "a.rs".into(), edits: vec![Edit { old: "x".into(), new: "y".into() }] });
        for input in [
            json!({ "file_path": "a.rs", "old_string": "x", "new_string": "y" }),
            json!({ "path": "a.rs", "old_str": "x", "new_str": "y" }),
            json!({ "filePath": "a.rs", "oldString": "x", "newString": "y" }),
            json!({ "target_file": "a.rs", "edits": [{ "old_string": "x", "new_string": "y" }] }),
            json!({ "file_path": "a.rs", "diff": "@@ -1 +1 @@\n-x\n+y\n" }),
        ] {
            assert_eq!(edit(input), expected);
        }
    }
}
