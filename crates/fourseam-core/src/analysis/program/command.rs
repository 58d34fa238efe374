//! Subcommands: their names, and where what is known of them stands.

use super::{Glob, Knowledge, Program};
use serde::{Deserialize, Serialize};

/// A subcommand under its names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Name, by which it is told; may be a pattern.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// What is known of it. Its own name there is empty.
    pub body: Body,
}

/// Where the description of a subcommand stands. Many subcommands share one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// Here.
    Here(Box<Program>),
    /// At [`Knowledge::stored`].
    Stored(u32),
}

/// The name of a subcommand that stands for any number of words.
const ANY_WORDS: &str = "**";

impl Command {
    /// What is known of the subcommand.
    pub fn program<'p>(&'p self, knowledge: &'p dyn Knowledge) -> &'p Program {
        match &self.body {
            Body::Here(program) => program,
            Body::Stored(at) => knowledge.stored(*at).unwrap_or(Program::nothing()),
        }
    }

    /// Goes by this name.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Stands for any number of words.
    #[must_use]
    pub fn is_any_words(&self) -> bool {
        self.name == ANY_WORDS
    }

    /// The word by which it is told: its name, or the word itself where the name is a pattern.
    #[must_use]
    pub fn told<'a>(&'a self, word: &'a str) -> &'a str {
        if self.name.contains(['*', '?']) { word } else { &self.name }
    }

    fn matches(&self, word: &str) -> bool {
        let matches = |name: &String| name.contains(['*', '?']) && Glob(name.clone()).matches(word);
        !self.is_any_words() && std::iter::once(&self.name).chain(&self.aliases).any(matches)
    }
}

impl Program {
    /// The subcommand of a word: one of that name, else the first whose pattern matches (`delete-*`).
    #[must_use]
    pub fn command(&self, word: &str) -> Option<&Command> {
        let named = self.commands.iter().find(|command| command.is_called(word) && !command.is_any_words());
        named.or_else(|| self.pattern(word))
    }

    /// The first subcommand whose pattern matches a word.
    #[must_use]
    pub fn pattern(&self, word: &str) -> Option<&Command> {
        self.commands.iter().find(|command| command.matches(word))
    }

    /// The subcommand that stands for any number of words (`**`).
    #[must_use]
    pub fn any_words(&self) -> Option<&Command> {
        self.commands.iter().find(|command| command.is_any_words())
    }
}
