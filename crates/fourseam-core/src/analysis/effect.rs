//! The words an analysis is told in: effects, targets, places, unknowns. Describes; never judges.

use serde::{Deserialize, Serialize};

/// What an action does.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Analysis {
    /// The commands that would run, wrappers removed, in order. Empty for actions that are not commands.
    pub invocations: Vec<Invocation>,
    /// What they do, or what an edit, fetch or MCP call does.
    pub effects: Vec<Effect>,
    /// What could not be understood, and why.
    pub unknowns: Vec<Unknown>,
    /// What detectors found in texts.
    pub findings: Vec<Finding>,
    /// What the action puts into files, by path, where that is not of this text alone.
    #[serde(skip)]
    pub(crate) carried: std::collections::BTreeMap<String, Vec<Taint>>,
    /// Where the text of a tool's result comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<super::Origin>,
}

impl Analysis {
    /// What the action puts into a file, as far as it matters later.
    #[must_use]
    pub fn carried(&self, path: &str) -> Vec<Taint> {
        self.carried.get(path).cloned().unwrap_or_default()
    }
}

/// One command as it would run, read with what is known of its program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Invocation {
    /// Program name without directory, alias resolved (`/usr/bin/gsed` is `sed`). Empty when not known.
    pub program: String,
    /// The program word as written, where it holds a path.
    pub program_path: Option<String>,
    /// Subcommand words, aliases resolved (`["state", "rm"]`).
    pub subcommand: Vec<String>,
    /// Options in order, in their first listed spelling (`-f` of git push is `--force`).
    pub flags: Vec<Flag>,
    /// Positional arguments in order, as text (unknown parts as written).
    pub args: Vec<String>,
    /// `NAME=value` in front, as text.
    pub assignments: Vec<(String, String)>,
    /// Canonical text: program and subcommand, then options and arguments in written order; quotes resolved, known
    /// variables substituted, nested commands and text for people left out.
    pub text: String,
    /// A form that changes nothing (`--dry-run`, `--help`).
    pub harmless: bool,
    /// Known program and form that only reads, all words known.
    pub read_only: bool,
    /// fourseam knows this program's arguments.
    pub known: bool,
    /// Where it runs.
    pub place: Place,
    /// Wrappers it was unwrapped from, outermost first (`sudo`, `bash -c`).
    pub through: Vec<String>,
    /// Byte range in the command line.
    pub span: (u32, u32),
}

/// One option of an invocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flag {
    /// First listed spelling, dashes included; as written when the program does not list it.
    pub name: String,
    /// Value, as text.
    pub value: Option<String>,
}

/// One thing that is done to one target.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    /// Kind.
    pub kind: EffectKind,
    /// Finer word from program data (`force-push`, `drop`, `send`, `download`).
    pub verb: String,
    /// To what; `None` when the effect has no single target (`shutdown`).
    pub target: Option<Target>,
    /// Reaches everything below the target.
    pub recursive: bool,
    /// Where it happens.
    pub place: Place,
    /// What flows into it.
    pub taint: Vec<Taint>,
    /// Index into [`Analysis::invocations`]; `None` for actions that are not commands.
    pub invocation: Option<usize>,
}

/// Kinds of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// Something goes away.
    Delete,
    /// An existing file's content is replaced or cut.
    Overwrite,
    /// A file is made or added to.
    Write,
    /// A file is read.
    Read,
    /// Code is run: verb `inline`, `script`, `remote`, `decoded`.
    Execute,
    /// Bytes travel: verb `send`, `receive`, `listen`, `tunnel`.
    Network,
    /// Rights change or are raised.
    Privilege,
    /// Something will run later by itself.
    Persist,
    /// Something is made visible to others.
    Publish,
    /// Version control history, refs or working tree.
    Vcs,
    /// A database.
    Database,
    /// Cloud, cluster, containers.
    Infrastructure,
    /// Processes, services, the machine itself.
    Process,
    /// A guard, its files or its switches.
    Tamper,
}

/// Where an effect happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// This machine.
    #[default]
    Local,
    /// A container, pod or other sandbox.
    Container,
    /// Another machine.
    Remote,
}

/// What an effect is done to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "target")]
pub enum Target {
    /// A file or folder.
    Path(PathUse),
    /// A URL.
    Url {
        /// As written.
        url: String,
    },
    /// A host name or address.
    Host {
        /// As written.
        host: String,
    },
    /// A statement given to a database.
    Sql {
        /// Its class.
        class: SqlClass,
        /// The statement, shortened.
        text: String,
    },
    /// A named thing: branch, namespace, bucket, table, service, package.
    Resource {
        /// As written.
        name: String,
    },
}

/// How a path is used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PathUse {
    /// As written, decoded.
    pub written: String,
    /// Absolute and normalised, where it could be resolved. A glob stays in (`/home/ana/*`).
    pub resolved: Option<String>,
    /// Every class that holds, most telling first. Never empty.
    pub classes: Vec<PathClass>,
    /// Holds a glob.
    pub glob: bool,
    /// Some part is not known; `classes` are of what it may be at worst.
    pub unknown: bool,
    /// Version control can bring it back: tracked and unchanged. `None`: not known or not asked.
    pub restorable: Option<bool>,
}

/// What kind of place a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathClass {
    /// The file system root, or all below it.
    Root,
    /// A raw device.
    Device,
    /// System folders (`/etc`, `/usr`, `C:\Windows`).
    System,
    /// A home folder itself, or all below it.
    HomeRoot,
    /// A path in the home folder, outside the project.
    Home,
    /// The project's root folder itself, or all below it.
    ProjectRoot,
    /// A path in the project.
    Project,
    /// Version control data (`.git`).
    Vcs,
    /// Build output and caches that a build makes again.
    Ignored,
    /// A named path below a temporary folder.
    Temp,
    /// A temporary folder itself, or all below it.
    TempRoot,
    /// A folder that holds the project, or a sibling of it.
    Parent,
    /// Anywhere else.
    Outside,
    /// Keys, tokens, credentials.
    Secret,
    /// Runs by itself later: profiles, hooks, cron, CI.
    Autostart,
    /// Configuration of a coding agent.
    AgentConfig,
    /// fourseam's own files.
    Guard,
    /// Nothing is known of it.
    Unknown,
}

/// Class of a statement given to a database, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SqlClass {
    /// `DROP`, `FLUSHALL`, `dropDatabase()`.
    Drop,
    /// `TRUNCATE`.
    Truncate,
    /// `DELETE` or `UPDATE` of all rows.
    Unbounded,
    /// `GRANT`, `REVOKE`, users and roles.
    Grant,
    /// Other changes of the schema.
    Ddl,
    /// Changes of some rows.
    Write,
    /// Reads.
    Read,
    /// Runs a program or reads and writes files of the server.
    Execute,
    /// Not understood.
    Unknown,
}

/// What flows into an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taint {
    /// The content of a secret file or variable.
    Secret,
    /// The environment as a whole.
    Environment,
    /// Bytes from the network.
    Download,
    /// Decoded or decrypted text.
    Decoded,
    /// The content of files of the project.
    Files,
}

/// Something that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// Why, and with it how much it matters.
    pub class: UnknownClass,
    /// The text in question, shortened.
    pub text: String,
    /// Index into [`Analysis::invocations`], if it belongs to one.
    pub invocation: Option<usize>,
}

/// Classes of what was not understood. The pack `opaque` decides each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownClass {
    /// The program of a command is not known.
    CommandWord,
    /// A target of a deletion, overwrite or the like is not known.
    DangerousArgument,
    /// Text that a shell or `eval` would run is not known.
    ShellCode,
    /// Decoded text is run and could not be decoded here.
    DecodedCode,
    /// Code of another language that could not be read.
    Code,
    /// A script file that could not be read.
    ScriptFile,
    /// A syntax error, or a text past a bound.
    Unparsed,
    /// Nesting, size or time went past the bound.
    Limit,
    /// A program fourseam does not know.
    Program,
    /// Commands that are typed into a shell or interpreter later, where no hook may see them.
    Typed,
    /// A subcommand that fourseam does not know, of a program that it does.
    Subcommand,
}

/// What a detector found in a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Detector id (`hidden-unicode`).
    pub detector: String,
    /// 0.0 to 1.0.
    pub confidence: f32,
    /// What was found, without the secret itself.
    pub message: String,
    /// Byte range in the text.
    pub span: (u32, u32),
}
