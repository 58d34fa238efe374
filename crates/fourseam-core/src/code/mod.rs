//! Readers of code that travels inside commands: SQL, database shells, interpreters, PowerShell, cmd.
//!
//! Pure and total: any text in any language gives a [`Reading`], bounded in size, depth and steps. A reader
//! says what the code does, never whether it may; what it cannot follow is an unknown, never silence.
//! The languages' own limits stand in the documents of their modules.

mod applescript;
mod cmd;
mod display;
mod redis;
mod reverse_shell;
mod script;
mod sed;
mod sql;
mod text;

pub(crate) use script::text_ops::percent_decoded;
pub use text::{Part, Text};

use crate::analysis::{EffectKind, SqlClass, Taint, UnknownClass};
use serde::{Deserialize, Serialize};

/// Longest text that is read, in bytes. More is an unknown of class `limit`.
pub const MAX_TEXT: usize = 256 * 1024;

/// Reads `text` as code of `language`.
#[must_use]
pub fn read(language: Language, text: &str) -> Reading {
    if text.len() > MAX_TEXT {
        return Reading::unknown(UnknownClass::Limit, format!("{} bytes of code", text.len()));
    }
    let mut reading = read_as(language, text);
    reverse_shell::tell(&mut reading);
    reading
}

fn read_as(language: Language, text: &str) -> Reading {
    match language {
        Language::Sql | Language::Cql => sql::read(text),
        Language::Redis => redis::read(text),
        Language::Python => script::python(text),
        Language::JavaScript => script::javascript(text),
        Language::Mongo => script::mongo(text),
        Language::Php => script::php(text),
        Language::Ruby => script::ruby(text),
        Language::PowerShell => script::powershell(text),
        Language::PowerShellEncoded => script::powershell_encoded(text),
        Language::Cmd => cmd::read(text),
        Language::Perl => script::perl(text),
        Language::Lua => script::lua(text),
        Language::R => script::r(text),
        Language::Awk => script::awk(text),
        // jq reads its input and the environment, and prints: it has no way to do anything else.
        Language::Jq => Reading::default(),
        Language::Sed => sed::read(text),
        Language::AppleScript => applescript::read(text),
    }
}

/// A language that has a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// SQL of every server, with the meta commands of psql, mysql, sqlite3, duckdb, sqlcmd, sqlplus.
    Sql,
    /// The JavaScript of mongosh and mongo.
    Mongo,
    /// Commands of redis-cli and valkey-cli, one a line.
    Redis,
    /// Cassandra's CQL with the meta commands of cqlsh.
    Cql,
    /// Python.
    Python,
    /// JavaScript and TypeScript of node, deno, bun.
    JavaScript,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// PHP, with or without `<?php`.
    Php,
    /// Lua.
    Lua,
    /// R.
    R,
    /// awk.
    Awk,
    /// jq filters.
    Jq,
    /// sed scripts.
    Sed,
    /// PowerShell, Windows and core.
    PowerShell,
    /// PowerShell in base 64 of UTF-16, as `-EncodedCommand` takes it.
    PowerShellEncoded,
    /// `cmd.exe` command lines and batch files.
    Cmd,
    /// AppleScript.
    AppleScript,
}

/// What a text was read as: what it does and what could not be followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What the code does, in reading order.
    pub acts: Vec<Act>,
    /// What could not be followed, with the text in question, shortened. A target of an act that is not
    /// known is not repeated here: it is seen in the act's [`Text`].
    pub unknowns: Vec<(UnknownClass, String)>,
}

/// One thing that code does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// An effect on a target.
    Effect {
        /// Kind.
        kind: EffectKind,
        /// Finer word (`delete`, `send`, `remote`).
        verb: &'static str,
        /// To what.
        target: ActTarget,
        /// Reaches everything below the target.
        recursive: bool,
        /// What flows into it.
        taint: Vec<Taint>,
    },
    /// A statement for a database. Reads of one text are one act.
    Sql {
        /// Its class.
        class: SqlClass,
        /// The statement: comments removed, white space collapsed, shortened.
        text: String,
    },
    /// Text handed to a shell. Unknown parts are written `${unknown_text}`, environment variables `${NAME}`.
    Shell {
        /// Source text to read as shell.
        text: String,
        /// All of it is known.
        known: bool,
        /// What flows into it.
        taint: Vec<Taint>,
    },
    /// A program started without a shell, program first. Words with unknown parts say so.
    Command {
        /// Program and arguments.
        argv: Vec<Text>,
        /// What flows into its standard input or arguments.
        taint: Vec<Taint>,
    },
    /// Code of another language, known in full, that runs.
    Code {
        /// Language.
        language: Language,
        /// Its text.
        text: String,
    },
}

/// To what an effect is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActTarget {
    /// A file or folder, as the code names it; relative to the working directory. `~` is not active in it.
    Path(Text),
    /// A URL.
    Url(Text),
    /// A host name or address.
    Host(Text),
    /// A named thing: service, registry key, table, scheduled task, variable.
    Resource(Text),
    /// None to name.
    None,
}

impl Reading {
    /// A reading that is one unknown.
    #[must_use]
    pub fn unknown(class: UnknownClass, text: impl Into<String>) -> Self {
        Self { acts: Vec::new(), unknowns: vec![(class, text.into())] }
    }

    /// Adds what another text gave.
    pub fn merge(&mut self, other: Reading) {
        for act in other.acts {
            self.act(act);
        }
        for (class, text) in other.unknowns {
            self.doubt(class, &text);
        }
    }

    /// Adds an act, unless the very same one is there or the bound is reached (then it says so once).
    pub(crate) fn act(&mut self, act: Act) {
        if self.acts.len() >= MAX_ACTS {
            self.doubt(UnknownClass::Limit, "more acts than are told");
        } else if !self.acts.contains(&act) {
            self.acts.push(act);
        }
    }

    /// Adds an unknown.
    pub(crate) fn doubt(&mut self, class: UnknownClass, text: &str) {
        let entry = (class, shorten(text));
        if self.unknowns.len() < MAX_ACTS && !self.unknowns.contains(&entry) {
            self.unknowns.push(entry);
        }
    }
}

const MAX_ACTS: usize = 256;
const MAX_SHOWN: usize = 200;

/// At most 200 bytes of a text, for display.
fn shorten(text: &str) -> String {
    let text = text.trim();
    let mut end = text.len().min(MAX_SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text.split_at_checked(end) {
        Some((head, "")) => head.to_owned(),
        Some((head, _)) => format!("{head}..."),
        None => String::new(),
    }
}
