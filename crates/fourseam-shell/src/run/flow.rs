//! Lists, pipelines and compound commands: the order in which things run, and what differs afterwards.

use super::{Outcome, Run};
use crate::ir::{Frame, Piece, Pipeline as Position, Span, Stdin, Word};
use crate::scope::{Entry, SharedFunction, State, Value, assigned, function_entry};
use crate::tree::{AndOr, Arm, Command, Connector, Function, Kind, List, Pipeline, Word as Written};
use std::rc::Rc;

impl Run {
    pub(crate) fn list(&mut self, list: &List) -> Outcome {
        let mut all = Outcome::silent(Some(true));
        for and_or in list {
            let unreached = self.state.dead;
            let outcome = self.and_or(and_or);
            if !unreached {
                all = all.then(&outcome);
            }
        }
        all
    }

    fn and_or(&mut self, and_or: &AndOr) -> Outcome {
        let background = self.background;
        self.background |= and_or.background;
        let mut outcome = self.pipeline(&and_or.first);
        for (connector, pipeline) in &and_or.rest {
            let runs = match connector {
                Connector::And => outcome.success,
                Connector::Or => outcome.success.map(|success| !success),
            };
            let mark = self.changed.len();
            let before = self.state.clone();
            let second = self.framed(Frame::Condition, |run| run.pipeline(pipeline));
            let after = std::mem::take(&mut self.state);
            outcome = match runs {
                Some(true) => {
                    self.state = after;
                    outcome.then(&second)
                }
                Some(false) => {
                    self.state = before;
                    outcome
                }
                None => {
                    self.state = State::merged(vec![after, before], self.changed.get(mark..).unwrap_or_default());
                    match connector {
                        // A chain of `&&` is there to succeed: its output is that of all its members.
                        Connector::And => Outcome { success: None, ..outcome.then(&second) },
                        Connector::Or => outcome.or(&second),
                    }
                }
            };
        }
        self.background = background;
        if and_or.background {
            outcome.success = Some(true);
        }
        outcome
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Outcome {
        let outer = self.pipeline;
        let negated = self.negated;
        let mut outcome = Outcome::silent(Some(true));
        if let [single] = pipeline.members.as_slice() {
            self.pipeline = outer.filter(|position| position.len > 1).or_else(|| Some(self.new_pipeline(0, 1)));
            self.negated = pipeline.negated;
            outcome = self.command(single);
        } else if !pipeline.members.is_empty() {
            outcome = self.members(&pipeline.members, pipeline.negated);
        }
        self.pipeline = outer;
        self.negated = negated;
        if pipeline.negated {
            outcome.success = outcome.success.map(|success| !success);
        }
        outcome
    }

    fn new_pipeline(&mut self, index: u32, len: u32) -> Position {
        self.pipelines += 1;
        Position { id: self.pipelines, index, len }
    }

    /// The members of a pipeline, each in its own shell. zsh runs the last one in the current shell, so what that one
    /// changes may remain.
    fn members(&mut self, members: &[Command], negated: bool) -> Outcome {
        let mut position = self.new_pipeline(0, u32::try_from(members.len()).unwrap_or(u32::MAX));
        let before = self.state.clone();
        let mark = self.changed.len();
        let stdin = self.stdin.clone();
        let mut outcome = Outcome::silent(Some(true));
        for (index, member) in members.iter().enumerate() {
            position.index = u32::try_from(index).unwrap_or(u32::MAX);
            self.pipeline = Some(position);
            self.negated = negated;
            let first = self.script.commands.len();
            if index > 0 {
                self.leave_subshell(before.clone(), mark);
            }
            outcome = self.command(member);
            self.stdin = match outcome.output.single() {
                Some(pieces) => Stdin::Text(Word { pieces: pieces.clone(), span: member.span, quoted: false }),
                None => Stdin::Pipe((first..self.script.commands.len()).collect()),
            };
        }
        self.stdin = stdin;
        let last = self.state.clone();
        self.leave_subshell(before, mark);
        let parent = std::mem::take(&mut self.state);
        self.state = State::merged(vec![parent, last], self.changed.get(mark..).unwrap_or_default());
        outcome
    }

    pub(crate) fn command(&mut self, command: &Command) -> Outcome {
        match &command.kind {
            Kind::Simple(simple) => self.simple(simple, &command.redirects, command.span),
            Kind::Subshell(_)
            | Kind::Group(_)
            | Kind::If(..)
            | Kind::For(_)
            | Kind::ArithmeticFor(..)
            | Kind::Loop(..)
            | Kind::Case(..)
            | Kind::Arithmetic(_)
            | Kind::Test(_)
            | Kind::Function(_)
            | Kind::Coproc(_) => self.deeper(command.span, |run| run.compound(command)),
        }
    }

    fn compound(&mut self, command: &Command) -> Outcome {
        if !self.spend(1, command.span) {
            return Outcome::unknown();
        }
        let stdin = self.stdin.clone();
        let descriptors = self.descriptors.clone();
        let (destination, slot) = self.redirects_of_compound(&command.redirects, command.span);
        let mut outcome = self.kind(&command.kind, command.span);
        self.stdin = stdin;
        self.descriptors = descriptors;
        if let Some(slot) = slot {
            self.keep_writes(slot, &outcome);
        }
        outcome.output = destination.reached(outcome.output);
        outcome
    }

    fn kind(&mut self, kind: &Kind, span: Span) -> Outcome {
        match kind {
            Kind::Simple(simple) => self.simple(simple, &[], span),
            Kind::Subshell(list) => self.subshell(|run| run.framed(Frame::Subshell, |run| run.list(list))),
            Kind::Group(list) => self.framed(Frame::Group, |run| run.list(list)),
            Kind::If(branches, otherwise) => self.if_command(branches, otherwise),
            Kind::For(command) => {
                self.framed(Frame::Loop, |run| run.every_choice(1, span, |run| run.for_command(command, span)))
            }
            Kind::ArithmeticFor(expressions, body) => self.framed(Frame::Loop, |run| {
                for expression in expressions {
                    run.for_expressions(expression);
                }
                run.repeated(|run| run.list(body))
            }),
            Kind::Loop(head, body) => self.framed(Frame::Loop, |run| run.loop_command(head, body)),
            Kind::Case(subject, arms) => self.case_command(subject, arms),
            Kind::Arithmetic(expression) => self.every_choice(1, span, |run| {
                let value = run.arithmetic_value(expression);
                Outcome::silent(value.map(|value| value != 0))
            }),
            Kind::Test(words) => {
                for word in words {
                    let word = self.single(word);
                    if let Some(text) = word.literal() {
                        self.embedded(text);
                    }
                }
                Outcome::silent(None)
            }
            Kind::Function(function) => {
                self.defined.push(Rc::clone(function));
                let entry = Entry::new(Value::Function(SharedFunction(Rc::clone(function))), false);
                self.set(&function_entry(&function.name), entry);
                Outcome::silent(Some(true))
            }
            Kind::Coproc(command) => self.subshell(|run| {
                run.framed(Frame::Coproc, |run| {
                    let background = std::mem::replace(&mut run.background, true);
                    run.command(command);
                    run.background = background;
                });
                Outcome::silent(Some(true))
            }),
        }
    }

    /// Every condition is followed, then every branch in the state its condition leaves.
    fn if_command(&mut self, branches: &[(List, List)], otherwise: &List) -> Outcome {
        let mark = self.changed.len();
        let mut ends = Vec::new();
        let mut outcome: Option<Outcome> = None;
        let mut decided = false;
        self.inside.push(Frame::Condition);
        for (condition, body) in branches {
            let head = self.list(condition);
            let before = self.state.clone();
            let way = self.list(body);
            let end = std::mem::replace(&mut self.state, before);
            if decided || head.success == Some(false) {
                continue;
            }
            ends.push(end);
            outcome = Some(outcome.map_or(way.clone(), |other: Outcome| other.or(&way)));
            decided = head.success == Some(true);
        }
        let way = self.list(otherwise);
        self.inside.pop();
        if !decided {
            ends.push(std::mem::take(&mut self.state));
            outcome = Some(outcome.map_or(way.clone(), |other: Outcome| other.or(&way)));
        }
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        outcome.unwrap_or(Outcome::unknown())
    }

    /// Every arm is followed. Where subject and patterns are known, only the arms that may be taken count afterwards.
    fn case_command(&mut self, subject: &Written, arms: &[Arm]) -> Outcome {
        let subject = self.single(subject);
        let mark = self.changed.len();
        let before = self.state.clone();
        let exact = arms.iter().all(|arm| !arm.falls_through);
        let mut decided = false;
        let mut ends = Vec::new();
        let mut outcome: Option<Outcome> = None;
        self.inside.push(Frame::Condition);
        for arm in arms {
            let taken = self.arm_is_taken(&subject, &arm.patterns);
            let way = self.list(&arm.body);
            let end = std::mem::replace(&mut self.state, before.clone());
            if exact && (decided || taken == Some(false)) {
                continue;
            }
            decided |= taken == Some(true);
            outcome = Some(outcome.map_or(way.clone(), |other: Outcome| other.or(&way)));
            if arm.falls_through {
                let changed = self.changed.get(mark..).unwrap_or_default();
                self.state = State::merged(vec![before.clone(), end.clone()], changed);
            }
            ends.push(end);
        }
        self.inside.pop();
        if !decided || !exact {
            ends.push(before);
            let nothing = Outcome::silent(Some(true));
            outcome = Some(outcome.map_or(nothing.clone(), |other| other.or(&nothing)));
        }
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        outcome.unwrap_or_else(Outcome::unknown)
    }

    /// Whether one of the patterns matches, if that is known.
    fn arm_is_taken(&mut self, subject: &Word, patterns: &[Written]) -> Option<bool> {
        let mut all_known = true;
        let mut taken = false;
        for pattern in patterns {
            match (self.pattern(pattern), subject.literal()) {
                (Some(pattern), _) if pattern.matches_anything() => taken = true,
                (Some(pattern), Some(text)) => match pattern.matches_all(text) {
                    Some(matches) => taken |= matches,
                    None => all_known = false,
                },
                (Some(_) | None, _) => all_known = false,
            }
        }
        if taken { Some(true) } else { all_known.then_some(false) }
    }

    /// The body of a function that nobody calls.
    pub(crate) fn definition(&mut self, function: &Rc<Function>) {
        self.state.dead = false;
        let positional = self.state.get(crate::scope::POSITIONAL).cloned();
        self.set(crate::scope::POSITIONAL, Entry::new(Value::NotKnown, false));
        self.active.push(function_entry(&function.name));
        // The frame is outside, so that what the body traps carries it too.
        self.framed(Frame::FunctionDefinition(function.name.clone()), |run| {
            run.subshell(|run| run.command(&function.body))
        });
        self.active.pop();
        if let Some(entry) = positional {
            self.set(crate::scope::POSITIONAL, entry);
        }
    }
}

/// Pieces as a variable of this name holds them.
pub(crate) fn as_value(name: &str, pieces: &[Piece]) -> Vec<Piece> {
    use crate::ir::UnknownFrom::{Assigned, Other, Output, Process, Variable};
    let renamed = |piece: &Piece| match piece {
        Piece::Unknown(unknown) => match &unknown.from {
            Output(commands) => assigned(name, commands.clone()),
            Other => assigned(name, Vec::new()),
            Variable(_) | Assigned { .. } | Process(_) => piece.clone(),
        },
        Piece::Literal(_) | Piece::Glob(_) => piece.clone(),
    };
    pieces.iter().map(renamed).collect()
}
