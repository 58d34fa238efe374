//! Redirects: what arrives on standard input, and where standard output goes.

use super::choices::Choices;
use super::simple::merged;
use super::{Outcome, Output, Run};
use crate::ir::{Piece, Redirect, RedirectKind, Scope, Span, Stdin, Unknown, UnknownFrom, Word};
use crate::scope::State;
use crate::tree::{self, Target};
use std::rc::Rc;

/// Where redirects take standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Where it goes anyway.
    Here,
    File,
    /// Some descriptor or terminal.
    Elsewhere,
}

impl Destination {
    /// What of an output arrives where standard output goes anyway.
    pub(crate) fn reached(self, output: Output) -> Output {
        match self {
            Self::Here => output,
            Self::File => Output::silent(),
            Self::Elsewhere if output == Output::silent() => output,
            Self::Elsewhere => Output::unknown(),
        }
    }
}

impl Run {
    /// As `redirects`. They are expanded in the child when the program is not part of the shell, so what they assign may
    /// be lost.
    pub(super) fn redirects_of_program(&mut self, redirects: &[tree::Redirect]) -> (Vec<Redirect>, Destination) {
        let before = self.state.clone();
        let mark = self.changed.len();
        let result = self.redirects(redirects);
        if self.changed.len() > mark {
            let after = std::mem::take(&mut self.state);
            self.state = State::merged(vec![after, before], self.changed.get(mark..).unwrap_or_default());
        }
        result
    }

    /// Expands redirects and sets what arrives on standard input. Says where standard output goes.
    fn redirects(&mut self, redirects: &[tree::Redirect]) -> (Vec<Redirect>, Destination) {
        let mut all = Vec::new();
        let mut destination = Destination::Here;
        for redirect in redirects {
            let (kind, target) = match &redirect.target {
                Target::Heredoc(body) => {
                    let text = body.get().map(|body| self.heredoc(body)).unwrap_or_default();
                    self.put_input(redirect.fd, Stdin::Text(text));
                    continue;
                }
                Target::HereString(word) => {
                    let mut text = self.single(word);
                    text.pieces.push(Piece::Literal("\n".to_owned()));
                    text.pieces = merged(text.pieces);
                    self.put_input(redirect.fd, Stdin::Text(text));
                    continue;
                }
                Target::File(kind, word) => (*kind, self.target(word)),
            };
            if let Some(other) = self.redirected(redirect.fd, kind, &target) {
                destination = other;
            }
            all.push(Redirect { kind, fd: redirect.fd, target, span: redirect.span });
        }
        (all, destination)
    }

    /// What a redirect means for standard input, and where it takes standard output, if it does.
    fn redirected(&mut self, fd: Option<u32>, kind: RedirectKind, target: &Word) -> Option<Destination> {
        let name = target.literal();
        let of_output = fd.unwrap_or(1) == 1;
        let to_file = match name {
            Some("1" | "/dev/stdout" | "/dev/fd/1") => Destination::Here,
            Some(path) if path.starts_with("/dev/") && path != "/dev/null" => Destination::Elsewhere,
            Some(_) | None => Destination::File,
        };
        match kind {
            RedirectKind::Read => {
                let input = match name {
                    Some("/dev/stdin" | "/dev/fd/0") => self.stdin.clone(),
                    _ => match self.process_input(target) {
                        Some(input) => input,
                        None => self.file(target).map_or_else(|| Stdin::File(target.clone()), Stdin::Text),
                    },
                };
                self.put_input(fd, input);
                None
            }
            RedirectKind::ReadWrite => {
                self.put_input(fd, Stdin::File(target.clone()));
                (fd == Some(1)).then_some(to_file)
            }
            RedirectKind::Duplicate => {
                let number = name.and_then(|name| name.parse().ok());
                let known = self.descriptors.iter().find(|(open, _)| Some(*open) == number);
                if let (Some(0), Some((_, input))) = (fd, known) {
                    self.stdin = input.clone();
                }
                // Another descriptor may lead back to where standard output went: `{ echo x >&2; } 2>&1`.
                (of_output && number.is_some_and(|number: u32| number > 1)).then_some(Destination::Elsewhere)
            }
            RedirectKind::Write | RedirectKind::Clobber | RedirectKind::Append => of_output.then_some(to_file),
            RedirectKind::WriteBoth | RedirectKind::AppendBoth => Some(to_file),
        }
    }

    fn put_input(&mut self, fd: Option<u32>, input: Stdin) {
        match fd {
            None | Some(0) => self.stdin = input,
            Some(number) => {
                self.descriptors.retain(|(open, _)| *open != number);
                self.descriptors.push((number, input));
            }
        }
    }

    /// What is read through `<( )`: the text its commands write, if that is known.
    pub(crate) fn process_input(&self, word: &Word) -> Option<Stdin> {
        let [Piece::Unknown(Unknown { from: UnknownFrom::Process(commands), source, .. })] = word.pieces.as_slice()
        else {
            return None;
        };
        if source.starts_with('>') {
            return None;
        }
        Some(self.process_text(commands).map_or_else(|| Stdin::Pipe(commands.clone()), Stdin::Text))
    }

    /// The redirects of a compound command are those of a command without words in front of its body, which is given back.
    pub(crate) fn redirects_of_compound(
        &mut self,
        redirects: &[tree::Redirect],
        span: Span,
    ) -> (Destination, Option<usize>) {
        if redirects.is_empty() {
            return (Destination::Here, None);
        }
        let outer = std::mem::replace(&mut self.choices, Choices::none());
        let slot = self.reserve(span);
        let current = self.current.replace(slot);
        let before = self.stdin.clone();
        let (redirects, destination) = self.redirects(redirects);
        let cwd = self.cwd();
        let mut kept = Some(slot);
        if redirects.is_empty() && slot + 1 == self.script.commands.len() {
            self.script.commands.pop();
            kept = None;
        } else if let Some(command) = self.script.commands.get_mut(slot) {
            command.redirects = redirects;
            command.stdin = before;
            command.cwd = cwd;
            command.scope = Scope(Rc::new(self.state.clone()));
        }
        self.current = current;
        self.choices = outer;
        (destination, kept)
    }

    /// Commands behind `>( )` read what this command writes, and what reaches `tee` reaches those behind its arguments.
    pub(super) fn feed_processes(&mut self, slot: usize, outcome: &Outcome) {
        let Some(command) = self.script.commands.get(slot) else { return };
        let Some(output) = outcome.output.single() else { return };
        let processes = command.words.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
        let fed: Vec<usize> = processes
            .flat_map(Word::unknowns)
            .filter(|unknown| unknown.source.starts_with('>'))
            .flat_map(|unknown| match &unknown.from {
                UnknownFrom::Process(commands) => commands.clone(),
                UnknownFrom::Variable(_)
                | UnknownFrom::Assigned { .. }
                | UnknownFrom::Output(_)
                | UnknownFrom::Other => Vec::new(),
            })
            .collect();
        let text = Word { pieces: output.clone(), span: command.span, quoted: false };
        for index in fed {
            if let Some(reader) = self.script.commands.get_mut(index)
                && matches!(&reader.stdin, Stdin::Pipe(from) if from.as_slice() == [slot])
            {
                reader.stdin = Stdin::Text(text.clone());
            }
        }
    }
}
