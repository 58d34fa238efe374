//! What a rule demands of a subject, compiled. Data only: whether it holds is said in `holds`.

use crate::action::Point;
use crate::analysis::{EffectKind, PathClass, Place, SqlClass, Taint, UnknownClass};
use serde::{Deserialize, Serialize};

/// A condition over one subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Condition {
    /// Every one holds. Holds when empty.
    All(Vec<Condition>),
    /// At least one holds.
    Any(Vec<Condition>),
    /// Does not hold.
    Not(Box<Condition>),
    /// One key of `when`.
    Test(Test),
}

/// One key of `when` with its value. Lists hold when any of their entries does, unless the key says otherwise.
/// Texts are globs unless said otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Test {
    Command(Vec<String>),
    /// Each entry is the words of a prefix of the subcommand.
    Subcommand(Vec<String>),
    AnyFlag(Vec<String>),
    AllFlags(Vec<String>),
    NoFlag(Vec<String>),
    OnlyFlags(Vec<String>),
    Flag(Vec<Named>),
    /// Exact texts.
    Arg(Vec<String>),
    ArgGlob(Vec<String>),
    /// Regexes.
    ArgPattern(Vec<String>),
    ArgCount(Count),
    Through(Vec<String>),
    Assignment(Vec<Named>),
    ReadOnly(bool),
    /// `None`: whatever it is.
    Harmless(Option<bool>),
    Place(Vec<Place>),
    Effect(Vec<EffectKind>),
    Verb(Vec<String>),
    /// Path globs.
    Path(Vec<String>),
    PathClass(Vec<PathClass>),
    Recursive(bool),
    Restorable(bool),
    Resource(Vec<String>),
    Url(Vec<String>),
    HostName(Vec<String>),
    Sql(Vec<SqlClass>),
    Taint(Vec<Taint>),
    Unknown(Vec<UnknownClass>),
    Finding(Vec<String>),
    /// Percent.
    Confidence(u8),
    McpServer(Vec<String>),
    McpTool(Vec<String>),
    Argument(Vec<Named>),
    Tool(Vec<String>),
    Point(Vec<Point>),
    Host(Vec<String>),
    PermissionMode(Vec<String>),
    /// Names of environments.
    Environment(Vec<String>),
    /// Regexes on canonical text and SQL.
    Pattern(Vec<String>),
    /// Regexes on the raw text.
    RawPattern(Vec<String>),
}

/// Something that has a name and a value: one of the names must be there, with one of the values.
/// Every entry of a list of these must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Named {
    pub(super) names: Vec<String>,
    /// Globs; none: any value.
    pub(super) values: Vec<String>,
}

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Count {
    pub(super) min: u32,
    pub(super) max: u32,
}

/// The part of a subject that a key looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facet {
    /// The call as a whole.
    Call,
    /// A command that would run.
    Invocation,
    /// One effect.
    Effect,
    /// One thing that was not understood.
    Unknown,
    /// One finding of a detector.
    Finding,
}

impl Condition {
    /// Every test in it, negated ones included.
    pub(super) fn tests(&self) -> Vec<&Test> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::tests).collect(),
            Self::Not(part) => part.tests(),
            Self::Test(test) => vec![test],
        }
    }
}

impl Test {
    /// The part of a subject that it looks at.
    pub(super) fn facet(&self) -> Facet {
        match self {
            Self::Command(_)
            | Self::Subcommand(_)
            | Self::AnyFlag(_)
            | Self::AllFlags(_)
            | Self::NoFlag(_)
            | Self::OnlyFlags(_)
            | Self::Flag(_)
            | Self::Arg(_)
            | Self::ArgGlob(_)
            | Self::ArgPattern(_)
            | Self::ArgCount(_)
            | Self::Through(_)
            | Self::Assignment(_)
            | Self::ReadOnly(_)
            | Self::Harmless(_)
            | Self::Place(_)
            | Self::Pattern(_) => Facet::Invocation,
            Self::Effect(_)
            | Self::Verb(_)
            | Self::Path(_)
            | Self::PathClass(_)
            | Self::Recursive(_)
            | Self::Restorable(_)
            | Self::Resource(_)
            | Self::Url(_)
            | Self::HostName(_)
            | Self::Sql(_)
            | Self::Taint(_) => Facet::Effect,
            Self::Unknown(_) => Facet::Unknown,
            Self::Finding(_) | Self::Confidence(_) => Facet::Finding,
            Self::McpServer(_)
            | Self::McpTool(_)
            | Self::Argument(_)
            | Self::Tool(_)
            | Self::Point(_)
            | Self::Host(_)
            | Self::PermissionMode(_)
            | Self::Environment(_)
            | Self::RawPattern(_) => Facet::Call,
        }
    }
}
