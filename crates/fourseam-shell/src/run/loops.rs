//! Loops: item by item where the items are known, else as often as values still change.

use super::choices::Choices;
use super::flow::as_value;
use super::{Outcome, Output, Run};
use crate::ir::{Command, Piece, Span, Stdin, UnknownFrom, Word};
use crate::scope::{Entry, State, Value, assigned};
use crate::tree::{For, Kind, List};
use std::rc::Rc;

/// Items of a loop that are followed one by one, by how many loops are around it.
const MAX_ITEMS: [usize; 3] = [64, 16, 6];

/// Lines of a known text that a loop reads one by one.
const MAX_LINES: usize = 32;

impl Run {
    pub(super) fn for_command(&mut self, command: &For, span: Span) -> Outcome {
        let items: Vec<Word> = match &command.words {
            Some(words) => words.iter().flat_map(|word| self.words_of(word)).collect(),
            None => self.positional_words(),
        };
        // What is tried again are the items; inside the body every command has choices of its own.
        let choices = std::mem::replace(&mut self.choices, Choices::none());
        let outcome = self.for_items(command, span, &items);
        self.choices = choices;
        outcome
    }

    fn for_items(&mut self, command: &For, span: Span, items: &[Word]) -> Outcome {
        let most = *MAX_ITEMS.get(usize::try_from(self.loops).unwrap_or(usize::MAX)).unwrap_or(&2);
        let open_ended = items.iter().any(|item| item.unknowns().any(|unknown| unknown.may_split) || item.has_glob());
        if open_ended {
            // A glob or an unknown stands for any number of items: what one leaves reaches the next.
            self.repeated(|run| {
                for item in items.iter().take(most) {
                    run.assign(&command.name, Value::Text(as_value(&command.name, &item.pieces)));
                    run.list(&command.body);
                }
                Outcome::unknown()
            });
            return Outcome::unknown();
        }
        let mark = self.changed.len();
        let mut ends = Vec::new();
        if items.is_empty() {
            ends.push(self.state.clone());
        }
        let left_early = std::mem::take(&mut self.left_early);
        let mut all = Outcome::silent(None);
        let (followed, rest) = items.split_at_checked(most).unwrap_or((items, &[]));
        // One number is like another, unless it chooses an element of an array.
        let alike = !self.state.has_arrays && rest.iter().all(is_number);
        let last = if alike { rest.last() } else { None };
        self.loops += 1;
        for item in followed.iter().chain(last) {
            if !self.spend(1, span) {
                break;
            }
            let pieces = as_value(&command.name, &item.pieces);
            self.assign(&command.name, Value::Text(pieces));
            let outcome = self.list(&command.body);
            all = all.then(&outcome);
            self.state.dead = false;
        }
        if !rest.is_empty() && !alike || items.is_empty() {
            self.assign(&command.name, Value::Text(vec![assigned(&command.name, Vec::new())]));
            self.list(&command.body);
            self.state.dead = false;
        }
        self.loops -= 1;
        if !rest.is_empty() || items.is_empty() {
            all.output = Output::unknown();
        }
        ends.push(std::mem::take(&mut self.state));
        ends.append(&mut std::mem::replace(&mut self.left_early, left_early));
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        all
    }

    pub(super) fn loop_command(&mut self, head: &List, body: &List) -> Outcome {
        if let Some(lines) = self.known_lines(head) {
            return self.loop_over_lines(head, body, lines);
        }
        self.repeated(|run| {
            run.list(head);
            run.list(body)
        })
    }

    /// The lines of a known text that a loop reads one by one.
    fn known_lines(&self, head: &List) -> Option<Vec<String>> {
        let [and_or] = head.as_slice() else { return None };
        let ([], [command]) = (and_or.rest.as_slice(), and_or.first.members.as_slice()) else { return None };
        let Kind::Simple(simple) = &command.kind else { return None };
        let crate::tree::Argument::Word(word) = simple.words.first()? else { return None };
        let Stdin::Text(text) = &self.stdin else { return None };
        if word.bare() != Some("read") || !command.redirects.is_empty() {
            return None;
        }
        let lines: Vec<String> = text.literal()?.lines().map(str::to_owned).collect();
        (lines.len() <= MAX_LINES).then_some(lines)
    }

    fn loop_over_lines(&mut self, head: &List, body: &List, lines: Vec<String>) -> Outcome {
        let stdin = self.stdin.clone();
        let mark = self.changed.len();
        let mut ends = Vec::new();
        let mut all = Outcome::silent(None);
        for (at, line) in lines.iter().enumerate() {
            let rest = lines.get(at + 1..).unwrap_or_default().join("\n");
            self.stdin = Stdin::Text(Word::known(format!("{line}\n"), Span::default()));
            self.list(head);
            self.stdin = Stdin::Text(Word::known(rest, Span::default()));
            all = all.then(&self.list(body));
            ends.push(self.state.clone());
            self.state.dead = false;
        }
        self.stdin = stdin;
        ends.push(std::mem::take(&mut self.state));
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        all
    }

    /// A body that runs any number of times. It is followed once from the state before, and once more with every name
    /// it changes having any of its values so far, if that writes down anything new.
    pub(super) fn repeated(&mut self, body: impl Fn(&mut Self) -> Outcome) -> Outcome {
        let before = self.state.clone();
        let mark = self.changed.len();
        let left_early = std::mem::take(&mut self.left_early);
        self.loops += 1;
        let first = self.script.commands.len();
        body(self);
        self.state.dead = false;
        let changes = self.changed.get(mark..).unwrap_or_default().to_vec();
        let mut ends = vec![before.clone(), self.state.clone()];
        if !changes.is_empty() && self.loops <= 2 {
            let second = self.script.commands.len();
            let opaque = self.script.opaque.len();
            self.state = State::merged(ends.clone(), &changes);
            body(self);
            self.state.dead = false;
            if self.adds_nothing(first, second) {
                self.script.commands.truncate(second);
                self.script.opaque.truncate(opaque);
                self.point_back(&changes, second, second - first);
            }
            ends.push(self.state.clone());
        }
        self.loops -= 1;
        ends.append(&mut std::mem::replace(&mut self.left_early, left_early));
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        Outcome::unknown()
    }

    /// Whether the commands from `second` on say the same as those from `first` to `second`.
    fn adds_nothing(&self, first: usize, second: usize) -> bool {
        let old = self.script.commands.get(first..second).unwrap_or_default();
        let new = self.script.commands.get(second..).unwrap_or_default();
        old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_command(old, new))
    }

    /// Values that came from commands at `from` or later came from those `by` before them.
    fn point_back(&mut self, names: &[Rc<str>], from: usize, by: usize) {
        let moved = |command: &mut usize| {
            if *command >= from {
                *command = command.saturating_sub(by);
            }
        };
        for name in names {
            let Some(entry) = self.state.get(name) else { continue };
            let mut values = entry.values.to_vec();
            for value in &mut values {
                let pieces: Vec<&mut Piece> = match value {
                    Value::Text(pieces) => pieces.iter_mut().collect(),
                    Value::Array(elements) => elements.iter_mut().flat_map(|(_, pieces)| pieces).collect(),
                    Value::NotKnown | Value::Unset | Value::Function(_) => continue,
                };
                for piece in pieces {
                    if let Piece::Unknown(unknown) = piece {
                        match &mut unknown.from {
                            UnknownFrom::Assigned { commands, .. }
                            | UnknownFrom::Output(commands)
                            | UnknownFrom::Process(commands) => commands.iter_mut().for_each(moved),
                            UnknownFrom::Variable(_) | UnknownFrom::Other => {}
                        }
                    }
                }
            }
            let entry = Entry { values: Rc::from(values), ..entry.clone() };
            self.narrow(name, entry);
        }
    }
}

fn is_number(word: &Word) -> bool {
    word.literal().is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether two commands are written down the same way. Which commands a value came from does not matter: in the second
/// round they are others.
fn same_command(one: &Command, other: &Command) -> bool {
    let shape = |word: &Word| (word.text(), word.pieces.len());
    let input = |command: &Command| match &command.stdin {
        Stdin::Text(text) | Stdin::File(text) => Some(shape(text)),
        Stdin::Inherited | Stdin::Pipe(_) => None,
    };
    let words = |command: &Command| {
        let targets = command.redirects.iter().map(|redirect| &redirect.target);
        let values = command.assignments.iter().map(|assignment| &assignment.value);
        command.words.iter().chain(targets).chain(values).chain(&command.cwd).map(shape).collect::<Vec<_>>()
    };
    one.span == other.span
        && one.words.len() == other.words.len()
        && words(one) == words(other)
        && input(one) == input(other)
}
