//! Simple commands: words, assignments and redirects are expanded, then the command is written down.

use super::{Outcome, Run};
use crate::ir::{Command, Piece, Pipeline, Scope, Span, Stdin, Unknown, UnknownFrom, Why, Word};
use crate::scope::{self, State, Value};
use crate::tree::{self, Argument, PartKind, Simple};
use std::rc::Rc;

/// What one command costs, so that no text gives more commands than memory allows.
const COST: usize = 9;

impl Run {
    /// Writes the command down once for every combination of the values its words may have.
    pub(crate) fn simple(&mut self, simple: &Simple, redirects: &[tree::Redirect], span: Span) -> Outcome {
        let cost = COST + simple.words.len() / 2;
        self.every_choice(cost, span, |run| run.once(simple, redirects, span))
    }

    /// Follows something once for every combination of the values that what is expanded in it may have.
    pub(crate) fn every_choice(
        &mut self,
        cost: usize,
        span: Span,
        mut once: impl FnMut(&mut Self) -> Outcome,
    ) -> Outcome {
        if !self.spend(cost, span) {
            return Outcome::unknown();
        }
        let outer = std::mem::take(&mut self.choices);
        let before = self.state.clone();
        let mark = self.changed.len();
        let mut outcome = once(self);
        let mut ends = Vec::new();
        while self.choices.advance() && self.spend(cost, span) {
            ends.push(std::mem::replace(&mut self.state, before.clone()));
            let other = once(self);
            outcome = outcome.or(&other);
        }
        if !ends.is_empty() {
            ends.push(std::mem::take(&mut self.state));
            self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        }
        self.choices = outer;
        outcome
    }

    /// One combination.
    fn once(&mut self, simple: &Simple, redirects: &[tree::Redirect], span: Span) -> Outcome {
        if let Some(name) = self.alias_of(simple) {
            self.alias(&name, simple, redirects, span);
        }
        let slot = self.reserve(span);
        let outer = self.current.replace(slot);
        let stdin = self.stdin.clone();
        let descriptors = self.descriptors.clone();

        let mut words = Vec::new();
        let mut arrays = Vec::new();
        for argument in &simple.words {
            match argument {
                Argument::Word(word) => words.extend(self.words_of(word)),
                Argument::Assignment(assignment) => {
                    let (declared, array) = self.declared(assignment);
                    words.extend(declared);
                    arrays.extend(array);
                }
            }
        }
        let (redirects, destination) = self.redirects_of_program(redirects);
        let redirected = !redirects.is_empty();
        let restore = self.prefix(&simple.assignments, words.is_empty(), slot);

        self.check_program(&words, span, slot);
        let cwd = self.cwd();
        if let Some(command) = self.script.commands.get_mut(slot) {
            command.redirects = redirects;
            command.stdin = self.stdin.clone();
            command.cwd = cwd;
            command.scope = Scope(Rc::new(self.state.clone()));
        }
        let mut outcome = self.effect(&words, arrays, span, slot);
        let moves_stdin = words.len() == 1 && words.first().and_then(Word::literal) == Some("exec");
        if let Some(command) = self.script.commands.get_mut(slot) {
            command.words = words;
            command.output = outcome.output.single().map(|pieces| Word { pieces: pieces.clone(), span, quoted: false });
        }
        self.other_readings(slot);
        self.feed_processes(slot, &outcome);
        self.keep_writes(slot, &outcome);
        for (name, entry) in restore {
            self.set(&name, entry);
        }
        if !moves_stdin {
            self.stdin = stdin;
            self.descriptors = descriptors;
        }
        self.current = outer;
        outcome.output = destination.reached(outcome.output);
        if redirected {
            outcome.success = None;
        }
        outcome
    }

    /// A place for a command, so that it stands before the commands in its words.
    pub(super) fn reserve(&mut self, span: Span) -> usize {
        let pipeline = self.pipeline.unwrap_or(Pipeline { id: 0, index: 0, len: 1 });
        self.script.commands.push(Command {
            words: Vec::new(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            stdin: Stdin::Inherited,
            output: None,
            cwd: None,
            scope: Scope::default(),
            inside: self.inside.clone(),
            pipeline,
            background: self.background,
            negated: self.negated,
            span,
        });
        self.script.commands.len() - 1
    }

    /// What the same words are to a shell that reads them differently.
    fn other_readings(&mut self, slot: usize) {
        self.without_empty_variables(slot);
        let Some(command) = self.script.commands.get(slot) else { return };
        let Some(program) = command.words.first().and_then(Word::literal) else { return };
        let mut other = if let Some(name) = program.strip_prefix('=').filter(|name| !name.is_empty()) {
            // zsh: the path of the program of that name.
            let word = Word::known(name, command.span);
            let mut other = command.clone();
            other.words.splice(0..1, [word]);
            other
        } else if program == "repeat" && command.words.len() > 2 {
            // zsh: `repeat 3 command`.
            let mut other = command.clone();
            other.words.drain(0..2);
            other
        } else {
            return;
        };
        other.output = None;
        self.script.commands.push(other);
    }

    /// `r${nothing}m` is `rm` where the variable is not set: written down once more without it.
    fn without_empty_variables(&mut self, slot: usize) {
        let Some(command) = self.script.commands.get(slot) else { return };
        let Some(program) = command.words.first().filter(|program| program.pieces.len() > 1) else { return };
        let may_be_empty =
            |piece: &Piece| matches!(piece, Piece::Unknown(Unknown { from: UnknownFrom::Variable(_), .. }));
        let rest: Vec<Piece> = program.pieces.iter().filter(|piece| !may_be_empty(piece)).cloned().collect();
        if rest.is_empty() || rest.len() == program.pieces.len() {
            return;
        }
        let mut command = command.clone();
        if let Some(program) = command.words.first_mut() {
            program.pieces = merged(rest);
        }
        self.script.commands.push(command);
    }

    /// The working directory, if it is known.
    pub(super) fn cwd(&mut self) -> Option<Word> {
        let value = self.value(scope::CWD);
        match value {
            Value::Text(pieces) => Some(Word { pieces, span: Span::default(), quoted: false }),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => None,
        }
    }

    /// Notes a program that is not known, or that no shell reads as it looks.
    fn check_program(&mut self, words: &[Word], span: Span, slot: usize) {
        let Some(program) = words.first() else { return };
        if program.unknowns().next().is_some() || program.has_glob() {
            self.opaque(Why::CommandWord, span, Some(slot));
        } else if program.literal().is_some_and(|name| name.chars().any(is_deceptive)) {
            self.opaque(Why::Characters, span, Some(slot));
        }
    }

    /// Whether the commands of this part are those of `>( )`.
    pub(crate) fn is_output_process(kind: &PartKind) -> bool {
        matches!(kind, PartKind::Process(body) if body.source.starts_with('>'))
    }
}

/// Neighbouring literals as one.
pub(crate) fn merged(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (all.last_mut(), piece) {
            (Some(Piece::Literal(last)), Piece::Literal(text)) => last.push_str(&text),
            (_, Piece::Literal(text)) if text.is_empty() => {}
            (_, piece) => all.push(piece),
        }
    }
    all
}

pub(crate) fn size(pieces: &[Piece]) -> usize {
    let length = |piece: &Piece| match piece {
        Piece::Literal(text) | Piece::Glob(text) => text.len(),
        Piece::Unknown(unknown) => unknown.source.len(),
    };
    pieces.iter().map(length).sum()
}

/// Several values with blanks between them.
pub(crate) fn joined<'a>(values: impl Iterator<Item = &'a [Piece]>, span: Span) -> Word {
    let mut pieces = Vec::new();
    for (at, value) in values.enumerate() {
        if at > 0 {
            pieces.push(Piece::Literal(" ".to_owned()));
        }
        pieces.extend_from_slice(value);
    }
    Word { pieces: merged(pieces), span, quoted: false }
}

/// Characters that hide what a name is: blanks that do not separate, marks without width, controls.
fn is_deceptive(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}'
        | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
        || character.is_control()
}
