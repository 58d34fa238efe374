//! What is known about programs, as looked up while a command is analysed. Data only: no verdicts, no parsing
//! of command lines. Written by people in YAML (`fourseam-packs/programs/`, see the README there), read by
//! [`source`], stored compiled.

mod command;
mod condition;
mod notation;
pub mod source;

pub use command::{Body, Command};
pub use condition::{Condition, Glob, Reference};

use super::effect::{EffectKind, Place};
use crate::code::Language;
use serde::{Deserialize, Serialize};

/// Where program knowledge is looked up.
pub trait Knowledge {
    /// What is known of a program, by its name without directory. Aliases give the program they stand for.
    fn program(&self, name: &str) -> Option<&Program>;

    /// The description of a subcommand that stands elsewhere ([`Body::Stored`]).
    fn stored(&self, _at: u32) -> Option<&Program> {
        None
    }
}

/// A program, or one subcommand of one: both are described the same way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Name. Every invocation is told by this name, whatever alias was used. Empty for subcommands.
    pub name: String,
    /// Other names of the same program.
    pub aliases: Vec<String>,
    /// How its options are spelled.
    pub syntax: Syntax,
    /// Options that stand at this level only. For a program with subcommands: in front of them.
    pub options: Vec<OptionSpec>,
    /// Options that may stand here and behind every subcommand.
    pub global: Vec<OptionSpec>,
    /// Roles of the positional arguments.
    pub args: Vec<Arg>,
    /// Other roles under a condition; the first that holds replaces `args`.
    pub forms: Vec<Form>,
    /// What it does, beside what the roles imply.
    pub effects: Vec<EffectRule>,
    /// Values that are run as commands or code, where a role cannot say it.
    pub runs: Vec<Run>,
    /// What it does with standard input; the first that holds. None holds: the text is data.
    pub stdin: Vec<StdinRule>,
    /// What its output carries, beside what it reads.
    pub output: Vec<OutputRule>,
    /// When it changes nothing.
    pub harmless: Condition,
    /// When it only reads. Never, unless said.
    pub read_only: Condition,
    /// When its path effects reach everything below their targets.
    pub recursive: Condition,
    /// Where the commands run that it starts. `None`: where it runs itself.
    pub place: Option<Place>,
    /// Subcommands.
    pub commands: Vec<Command>,
}

/// How a program's options are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Syntax {
    /// `-x`, `-xyz`, `-ovalue`, `--long`, `--long=value`, unique prefixes of long names; among the arguments too.
    #[default]
    Gnu,
    /// As `gnu`, but the first positional argument ends the options.
    Posix,
    /// `-long value`, `-long=value`, no bundles; two dashes mean the same (terraform, java, go tools).
    Go,
    /// `-long value` without `=` and bundles, among the arguments too (find).
    Find,
    /// `name=value` words (dd). Names are listed without dashes.
    Keyword,
    /// As `gnu`, and the first word is a bundle even without a dash (tar).
    Tar,
    /// Windows: `/x`, `/x:value`, case ignored.
    Slash,
    /// `-Name value`, `-Name:value`, case ignored, any beginning of a name; the first positional argument ends the
    /// options (powershell).
    Powershell,
    /// No options at all: every word is positional.
    Plain,
}

impl Syntax {
    /// Upper and lower case are the same.
    pub(crate) fn ignores_case(self) -> bool {
        match self {
            Self::Slash | Self::Powershell => true,
            Self::Gnu | Self::Posix | Self::Go | Self::Find | Self::Keyword | Self::Tar | Self::Plain => false,
        }
    }
}

/// One option.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OptionSpec {
    /// Spellings, dashes included. The first is the canonical one.
    pub names: Vec<String>,
    /// Roles of its values, in order. Empty: takes none.
    pub values: Vec<Role>,
    /// The value may be missing, and only counts when joined (`--color=auto`, `-i.bak`).
    pub optional: bool,
    /// Takes words up to the next option.
    pub many: bool,
    /// `--no-NAME` takes it back.
    pub negatable: bool,
}

/// One positional argument.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arg {
    /// What it is.
    pub role: Role,
    /// A name of its own, for rules of this program.
    pub name: Option<String>,
    /// Takes any number of words, leaving enough for what follows.
    pub many: bool,
    /// May be missing when there are too few words for all.
    pub optional: bool,
    /// What it is when it is missing.
    pub default: Option<String>,
    /// Not an argument: `--` stands here, when it is written.
    pub divider: bool,
}

/// Roles of the arguments under a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// When.
    pub when: Condition,
    /// Roles.
    pub args: Vec<Arg>,
}

/// What an argument or the value of an option is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Data that does nothing.
    #[default]
    Text,
    /// A path that is only looked at, or that an effect of the program names. Implies nothing.
    Path,
    /// A file whose content is read.
    Read,
    /// A file that is made or replaced.
    Write,
    /// A file that is added to.
    Append,
    /// A file that is changed in place.
    Edit,
    /// A file or device whose content is lost.
    Overwrite,
    /// A path that goes away.
    Delete,
    /// A path that goes away because it stands elsewhere afterwards.
    Move,
    /// A file whose content leaves the machine.
    Upload,
    /// Text that leaves the machine; `@file` and `-` as curl reads them.
    Payload,
    /// A source of a copy: a path, `host:path`, or a URL of a store (`s3://`).
    From,
    /// The destination of a copy, like `From`.
    To,
    /// Working directory of the program.
    Cwd,
    /// A folder to start a search in; what the search finds replaces `{}`.
    Root,
    /// A pattern of file names that narrows a search.
    NameFilter,
    /// An extension of file names, without dot, that narrows a search.
    ExtensionFilter,
    /// A pattern of whole paths that narrows a search.
    PathFilter,
    /// What a link that is made leads to.
    Link,
    /// Something else that narrows a search.
    Filter,
    /// Text for people: messages, patterns, what `echo` prints. Left out of the canonical text of a command.
    Prose,
    /// A URL.
    Url,
    /// A host name or address.
    Host,
    /// A named thing: branch, namespace, bucket, service.
    Resource,
    /// A package to install: a name, a path or a URL.
    Package,
    /// An image of a container. Where the command that follows starts with no known program, the image's own is meant.
    Image,
    /// The program in front of the words of the command.
    Entrypoint,
    /// A `NAME=value` word. With `...`: only as many as have that form.
    Env,
    /// The words of a command, up to the end.
    Command,
    /// The words of a command, up to `;` or `+`.
    CommandUntil,
    /// Text that the shell runs. With `...`: the words joined by blanks.
    Shell,
    /// Text that an interpreter runs.
    Code(Code),
    /// A file that an interpreter runs.
    Script(Code),
    /// The name of a task in the project's own task file.
    Task(TaskFile),
    /// The text in a nested command that each found target replaces.
    Placeholder,
}

/// What code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Code {
    /// sh, bash, zsh.
    Shell,
    /// A language with a reader.
    Language(Language),
    /// A patch in the form of `apply_patch`, which the program applies.
    Patch,
    /// Anything else: it is an unknown.
    Other,
}

/// Files that hold named tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskFile {
    /// `Makefile`.
    Make,
    /// `scripts` of `package.json`.
    Npm,
    /// `justfile`.
    Just,
    /// `Taskfile.yml`.
    Task,
}

/// One effect of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectRule {
    /// Kind.
    pub kind: EffectKind,
    /// Finer word.
    pub verb: String,
    /// To what. `None`: no single target.
    pub on: Option<Selection>,
    /// When.
    pub when: Condition,
}

/// Which arguments or values are meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// Where they stand.
    pub of: Reference,
    /// Only those that match; with it, nothing happens when none does.
    pub only: Option<Glob>,
    /// What stands behind the first occurrence of this text, instead of the whole.
    pub after: Option<String>,
    /// The role to take them in, instead of their own.
    pub role: Option<Role>,
}

/// A value that is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// As what: [`Role::Shell`], [`Role::Code`] or [`Role::Script`].
    pub as_role: Role,
    /// Which values.
    pub of: Selection,
    /// Where the program itself runs, though what it starts runs elsewhere.
    pub here: bool,
    /// When.
    pub when: Condition,
}

/// What a program does with standard input, under a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StdinRule {
    /// What.
    pub stdin: StdinUse,
    /// When.
    pub when: Condition,
}

/// What a program does with standard input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StdinUse {
    /// Reads it as data, which shows in its output.
    #[default]
    Data,
    /// Does not read it.
    Ignored,
    /// Runs it as code.
    Code(Code),
    /// Each word is an argument of the command it starts (xargs).
    Arguments,
    /// Each line is a command line (parallel).
    Lines,
    /// Each line is a path that is read (`tar -T -`).
    Paths,
    /// Each line is a time and a command line (crontab).
    Schedule,
    /// It leaves the machine.
    Send,
    /// It is handed on to the command it starts (sudo, ssh).
    Inherited,
}

/// What a program's output carries, under a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputRule {
    /// What.
    pub output: Output,
    /// When.
    pub when: Condition,
}

/// What a program's output carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// Nothing of what it reads (`wc`, `rm`).
    Nothing,
    /// Bytes from the network.
    Download,
    /// Decoded or decrypted text.
    Decoded,
    /// The environment.
    Environment,
    /// A credential.
    Secret,
    /// Shell code that sets itself up (`ssh-agent -s`, `direnv hook bash`), harmless when run.
    Setup,
}

impl Program {
    /// A program of which nothing is known.
    #[must_use]
    pub fn nothing() -> &'static Self {
        static NOTHING: Program = Program::EMPTY;
        &NOTHING
    }

    const EMPTY: Self = Self {
        name: String::new(),
        aliases: Vec::new(),
        syntax: Syntax::Gnu,
        options: Vec::new(),
        global: Vec::new(),
        args: Vec::new(),
        forms: Vec::new(),
        effects: Vec::new(),
        runs: Vec::new(),
        stdin: Vec::new(),
        output: Vec::new(),
        harmless: Condition::Never,
        read_only: Condition::Never,
        recursive: Condition::Never,
        place: None,
        commands: Vec::new(),
    };

    /// Goes by this name.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }
}
