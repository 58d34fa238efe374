//! What functions of libraries do with their arguments: the words the languages' tables are written in.
//!
//! Numbers are positions of arguments. For methods the receiver is argument 0.

use super::value::Taints;
use crate::analysis::SqlClass;

/// What calling a function does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    /// Deletes a path; with all below it if an option `recursive` or `force` of the call says so.
    Delete(usize),
    /// Deletes every argument.
    DeleteAll,
    /// Deletes a path and all below it.
    DeleteTree(usize),
    /// Deletes every argument and all below it.
    DeleteTrees,
    /// Moves from one path to another.
    Move(usize, usize),
    /// Copies from one path to another.
    Copy(usize, usize),
    /// Makes a link at a path.
    Link(usize),
    /// Opens a path; the mode is the next argument.
    Open(usize),
    /// Reads a file.
    ReadFile(usize),
    /// Replaces the content of a file.
    Overwrite(usize),
    /// Adds to a file.
    Append(usize),
    /// Makes a file or folder.
    Create(usize),
    /// Unpacks an archive into a folder.
    Extract(usize),
    /// Changes rights or owner of a path.
    Rights(usize),

    /// Gives a text to a shell.
    Shell(usize),
    /// Starts a program: a list of words, or a text that a shell reads if an option `shell` says so.
    Spawn(usize),
    /// Starts a program: its name, then its arguments as a list or one by one.
    Program(usize),
    /// As `Program`, but the first argument behind the name is the name it is told (`execl`).
    Exec(usize),
    /// One text for a shell, or several words without one (`system` of Perl and Ruby).
    System,
    /// Changes the working directory.
    ChangeFolder(usize),
    /// Ends a process.
    Kill(usize),

    /// Runs a text as code of this language.
    Eval(usize),
    /// Runs the last argument as code (`new Function(..)`); gives a function.
    Define,
    /// Loads a module by name.
    Import(usize),
    /// Runs a file as code.
    RunFile(usize),
    /// A function or class by its name as text.
    Named(usize),
    /// A member by name: `getattr(object, name)`.
    Member,
    /// Code as a value, of the option `text` or the first argument.
    Source,
    /// Calls a member by name: `send(:name, ..)`; argument 0 is the receiver.
    Send,
    /// All names as a dictionary, given by a call.
    Scope,
    /// All names as a dictionary, a value.
    Globals,
    /// Code that cannot be followed here.
    Obscure,
    /// Makes objects of bytes; runs code if they are hostile.
    Deserialize(usize),
    /// Calls an argument with those behind it.
    Call(usize),
    /// Calls an argument with a list of arguments.
    CallList(usize, usize),
    /// Calls an argument with each element of another.
    MapCall(usize, usize),

    /// Fetches a URL; sends if data goes with it.
    Request(usize),
    /// Sends to a URL.
    Post(usize),
    /// Asks a server to delete what a URL names.
    Remove(usize),
    /// Fetches a URL into a file.
    Download(usize, usize),
    /// Opens a connection to a host.
    Connect(usize),
    /// Sends on an open connection.
    Transmit,
    /// Waits for connections.
    Listen,

    /// All variables of the environment.
    Environment,
    /// One variable of the environment.
    Variable(usize),
    /// The home folder.
    Home,
    /// A fresh path in the folder for temporary files.
    Temporary,
    /// A leading `~` becomes the home folder.
    ExpandHome(usize),
    /// Joins the parts of a path.
    Join,
    /// Gives an argument back, in another form.
    Same(usize),
    /// Paths that match a pattern.
    Glob(usize),
    /// Names in a folder.
    Names(usize),
    /// Paths in a folder.
    Entries(usize),
    /// All paths below a folder, as tuples of folder, folder names, file names.
    Walk(usize),
    /// The folder of a path.
    Parent(usize),
    /// Undoes an encoding.
    Decode(Decoding, usize),
    /// A character by its number.
    Character,
    /// The number of a character.
    Ordinal(usize),
    /// All arguments as one text.
    Concat,
    /// Replaces a text by another in a third.
    Replace,
    /// A format with `%s`, then what it takes.
    Sprintf,
    /// A separator, then what it stands between.
    JoinWith,
    /// All arguments as a list.
    Collect,
    /// Backwards.
    Reverse(usize),
    /// A text, always the same.
    Constant(&'static str),
    /// A value with this data in it that is not known further.
    Brings(Taints),

    /// Gives a statement to a database.
    Sql(usize),
    /// Gives a statement to a database if the text looks like one.
    MaybeSql(usize),
    /// Deletes all rows of a table through an object mapper.
    DeleteRows,
    /// Always a statement of this class.
    Statement(SqlClass),
    /// Deletes or changes the documents that a filter picks; an empty one picks all.
    Documents(usize),
    /// Documents through a pipeline; some stages write.
    Aggregate(usize),
    /// A command for the server, as a dictionary.
    DatabaseCommand(usize),
    /// Runs a program or code by its name without effect that matters; arguments are only evaluated.
    Quiet,
}

/// An encoding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decoding {
    /// Base 64, either alphabet.
    Base64,
    /// Hexadecimal digits.
    Hex,
    /// Letters moved by 13.
    Rot13,
    /// `%41`.
    Percent,
    /// Given by the argument behind the data: `base64`, `hex`, others.
    Named,
    /// Compressed, encrypted: not undone here.
    Other,
}
