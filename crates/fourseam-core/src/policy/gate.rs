//! Which rules can match an analysis at all: a rule is tried only when a token that it needs is there.
//! May let a rule through in vain; never keeps one out that would match.

use super::condition::{Condition, Test};
use super::pattern;
use super::set::{Numbers, Stored};
use super::words::Word;
use crate::action::Action;
use crate::analysis::{EffectKind, UnknownClass};
use std::collections::{BTreeMap, BTreeSet};

/// What must be there for a condition to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Gate {
    /// Nothing in particular.
    Open,
    /// At least one of these.
    Needs(BTreeSet<Token>),
}

/// Something an analysis has or has not. Ordered: the rarer, the smaller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Program(String),
    Verb(String),
    Unknown(&'static str),
    McpCall,
    Finding,
    /// A lower-case text in a command, statement or raw text.
    Keyword(String),
    Effect(&'static str),
    AnyEffect,
    AnyInvocation,
}

/// The index of a set, being built.
#[derive(Default)]
pub(super) struct Index {
    /// As the bytes of [`Numbers`].
    tokens: BTreeMap<String, Vec<u8>>,
    keywords: BTreeMap<String, Vec<u8>>,
    always: Vec<u16>,
}

impl Index {
    /// Adds a rule by what its `when` needs.
    pub(super) fn add(&mut self, rule: u16, when: &Condition) {
        let Gate::Needs(tokens) = gate(when) else {
            self.always.push(rule);
            return;
        };
        for token in tokens {
            let rules = match token {
                Token::Keyword(text) => self.keywords.entry(text),
                token => self.tokens.entry(token.name()),
            };
            rules.or_default().extend_from_slice(&rule.to_le_bytes());
        }
    }

    /// Puts the index into a set, which borrows its texts.
    pub(super) fn store<'s>(&'s self, stored: Stored<'s>) -> Stored<'s> {
        let borrowed = |entries: &'s BTreeMap<String, Vec<u8>>| {
            entries.iter().map(|(text, rules)| (text.as_str(), Numbers(rules))).collect()
        };
        let (index, keywords) = (borrowed(&self.tokens), borrowed(&self.keywords));
        Stored { index, keywords, always: self.always.clone(), ..stored }
    }
}

impl Token {
    fn name(&self) -> String {
        match self {
            Self::Program(name) => format!("program {name}"),
            Self::Verb(verb) => format!("verb {verb}"),
            Self::Unknown(class) => format!("unknown {class}"),
            Self::McpCall => "mcp".to_owned(),
            Self::Finding => "finding".to_owned(),
            Self::Keyword(text) => format!("keyword {text}"),
            Self::Effect(kind) => format!("effect {kind}"),
            Self::AnyEffect => "effect".to_owned(),
            Self::AnyInvocation => "invocation".to_owned(),
        }
    }
}

fn gate(condition: &Condition) -> Gate {
    match condition {
        // One of the parts is enough to look for: the rarest.
        Condition::All(parts) => parts.iter().map(gate).min_by_key(cost).unwrap_or(Gate::Open),
        Condition::Any(parts) => {
            let mut all = BTreeSet::new();
            for part in parts {
                match gate(part) {
                    Gate::Open => return Gate::Open,
                    Gate::Needs(tokens) => all.extend(tokens),
                }
            }
            Gate::Needs(all)
        }
        Condition::Not(_) => Gate::Open,
        Condition::Test(test) => test_gate(test),
    }
}

/// How often a gate lets something through in vain, roughly.
fn cost(gate: &Gate) -> u32 {
    let rank = |token: &Token| match token {
        Token::Program(_) => 1,
        Token::Verb(_) | Token::Unknown(_) | Token::McpCall | Token::Finding => 2,
        Token::Keyword(_) => 3,
        Token::Effect(_) => 4,
        Token::AnyEffect => 5,
        Token::AnyInvocation => 6,
    };
    match gate {
        Gate::Open => 7,
        Gate::Needs(tokens) => tokens.iter().map(rank).max().unwrap_or(0),
    }
}

fn test_gate(test: &Test) -> Gate {
    let needs = |tokens: Vec<Token>| Gate::Needs(tokens.into_iter().collect());
    match test {
        Test::Command(globs) => {
            literal_tokens(globs, Token::Program).map_or_else(|| needs(vec![Token::AnyInvocation]), needs)
        }
        Test::Verb(globs) => literal_tokens(globs, Token::Verb).map_or_else(|| needs(vec![Token::AnyEffect]), needs),
        Test::Subcommand(_)
        | Test::AnyFlag(_)
        | Test::AllFlags(_)
        | Test::NoFlag(_)
        | Test::OnlyFlags(_)
        | Test::Flag(_)
        | Test::Arg(_)
        | Test::ArgGlob(_)
        | Test::ArgPattern(_)
        | Test::ArgCount(_)
        | Test::Through(_)
        | Test::Assignment(_)
        | Test::ReadOnly(_)
        | Test::Harmless(Some(_)) => needs(vec![Token::AnyInvocation]),
        Test::Effect(kinds) => needs(kinds.iter().map(|kind| Token::Effect(effect_word(*kind))).collect()),
        Test::Path(_)
        | Test::PathClass(_)
        | Test::Recursive(_)
        | Test::Restorable(_)
        | Test::Resource(_)
        | Test::Url(_)
        | Test::HostName(_)
        | Test::Sql(_)
        | Test::Taint(_) => needs(vec![Token::AnyEffect]),
        Test::Unknown(classes) => needs(classes.iter().map(|class| Token::Unknown(unknown_word(*class))).collect()),
        Test::Finding(_) | Test::Confidence(_) => needs(vec![Token::Finding]),
        Test::McpServer(_) | Test::McpTool(_) => needs(vec![Token::McpCall]),
        Test::Pattern(patterns) | Test::RawPattern(patterns) => pattern_gate(patterns),
        Test::Harmless(None)
        | Test::Place(_)
        | Test::Argument(_)
        | Test::Tool(_)
        | Test::Point(_)
        | Test::Host(_)
        | Test::PermissionMode(_)
        | Test::Environment(_) => Gate::Open,
    }
}

/// Tokens of globs that are all plain texts.
fn literal_tokens(globs: &[String], token: fn(String) -> Token) -> Option<Vec<Token>> {
    globs.iter().map(|glob| (!glob.contains(['*', '?', '[', '\\'])).then(|| token(glob.clone()))).collect()
}

fn pattern_gate(patterns: &[String]) -> Gate {
    let mut tokens = BTreeSet::new();
    for pattern in patterns {
        match pattern::keywords(pattern) {
            Some(keywords) => tokens.extend(keywords.into_iter().map(Token::Keyword)),
            None => return Gate::Open,
        }
    }
    Gate::Needs(tokens)
}

/// The rules of a set that can match, in the order of the set.
pub(super) fn candidates(stored: &Stored<'_>, present: &Present<'_>) -> Vec<u16> {
    let mut found: BTreeSet<u16> = stored.always.iter().copied().collect();
    for token in &present.tokens {
        if let Ok(at) = stored.index.binary_search_by(|(name, _)| (*name).cmp(token.as_str())) {
            found.extend(stored.index.get(at).into_iter().flat_map(|(_, rules)| rules.iter()));
        }
    }
    let longest = stored.keywords.iter().map(|(keyword, _)| keyword.len()).max().unwrap_or(0);
    present.windows(longest, |window| {
        for (keyword, rules) in &stored.keywords {
            if memchr::memmem::find(window, keyword.as_bytes()).is_some() {
                found.extend(rules.iter());
            }
        }
    });
    found.into_iter().collect()
}

/// What one analysis has.
pub(super) struct Present<'a> {
    tokens: BTreeSet<String>,
    texts: Vec<&'a str>,
}

impl<'a> Present<'a> {
    /// `texts`: everything that patterns may be tried on.
    pub(super) fn new(action: &Action, analysis: &'a crate::analysis::Analysis, texts: Vec<&'a str>) -> Self {
        let mut tokens = Vec::new();
        for invocation in &analysis.invocations {
            tokens.extend([Token::Program(invocation.program.clone()), Token::AnyInvocation]);
        }
        for effect in &analysis.effects {
            let verb = Token::Verb(effect.verb.clone());
            tokens.extend([Token::Effect(effect_word(effect.kind)), verb, Token::AnyEffect]);
        }
        tokens.extend(analysis.unknowns.iter().map(|unknown| Token::Unknown(unknown_word(unknown.class))));
        if !analysis.findings.is_empty() {
            tokens.push(Token::Finding);
        }
        if matches!(action, Action::McpCall { .. }) {
            tokens.push(Token::McpCall);
        }
        Self { tokens: tokens.iter().map(Token::name).collect(), texts }
    }

    /// Shows the texts in lower case, window by window: a copy of a long text as a whole would weigh as much as the call.
    /// Windows overlap, so that whatever has up to `longest` bytes stands in one of them.
    fn windows(&self, longest: usize, mut show: impl FnMut(&[u8])) {
        const WINDOW: usize = 64 * 1024;
        let mut window = Vec::new();
        for text in &self.texts {
            for chunk in text.as_bytes().chunks(WINDOW) {
                window.extend(chunk.iter().map(u8::to_ascii_lowercase));
                if window.len() >= WINDOW {
                    show(&window);
                    window.drain(..window.len().saturating_sub(longest));
                }
            }
            window.push(b'\n');
        }
        show(&window);
    }
}

fn effect_word(kind: EffectKind) -> &'static str {
    EffectKind::WORDS.iter().find(|(_, value)| *value == kind).map_or("", |(word, _)| word)
}

fn unknown_word(class: UnknownClass) -> &'static str {
    UnknownClass::WORDS.iter().find(|(_, value)| *value == class).map_or("", |(word, _)| word)
}
