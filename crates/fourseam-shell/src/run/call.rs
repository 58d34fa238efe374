//! Aliases and functions: a name that stands for other commands.

use super::{Outcome, Run};
use crate::ir::{Frame, Span, Why, Word};
use crate::scope::{self, Entry, SharedFunction, State, Value, alias_entry, function_entry};
use crate::tree::{self, Argument, Simple};
use std::rc::Rc;

impl Run {
    /// The name of the alias the first word is, unless it is being expanded.
    pub(super) fn alias_of(&self, simple: &Simple) -> Option<String> {
        let Argument::Word(word) = simple.words.first().filter(|_| self.state.has_definitions)? else { return None };
        let name = word.bare()?;
        let entry = alias_entry(name);
        self.state.get(&entry)?;
        (!self.active.contains(&entry)).then(|| name.to_owned())
    }

    /// A command whose first word is an alias, read anew with its value in place. Whether aliases are on is not known, so
    /// the command as written is followed too.
    pub(super) fn alias(&mut self, name: &str, simple: &Simple, redirects: &[tree::Redirect], span: Span) {
        let entry = alias_entry(name);
        let Some(values) = self.state.get(&entry).map(|found| Rc::clone(&found.values)) else { return };
        self.active.push(entry);
        let before = self.state.clone();
        for value in values.iter() {
            let Value::Text(pieces) = value else { continue };
            let text = Word { pieces: pieces.clone(), span, quoted: false };
            let Some(text) = text.literal() else {
                self.opaque(Why::Code, span, self.current);
                continue;
            };
            let depth = self.depth.min(crate::read::MAX_DEPTH);
            let tree = crate::read::read(text, crate::read::Base::Fixed(span), depth);
            self.faults(&tree.faults);
            let frame = Frame::Alias(name.to_owned());
            self.deeper(span, |run| run.framed(frame, |run| run.aliased(tree.list, simple, redirects)));
            self.state = before.clone();
            if text.ends_with([' ', '\t']) && simple.words.len() > 1 {
                // The word behind such an alias may be an alias too.
                let behind = Simple { assignments: Vec::new(), words: simple.words.iter().skip(1).cloned().collect() };
                self.simple(&behind, &[], span);
            }
        }
        self.active.pop();
    }

    /// The commands of an alias; the last one takes the words and redirects that stand behind the name.
    fn aliased(&mut self, mut list: tree::List, simple: &Simple, redirects: &[tree::Redirect]) -> Outcome {
        let last = list.last_mut().map(|and_or| match and_or.rest.last_mut() {
            Some((_, pipeline)) => pipeline,
            None => &mut and_or.first,
        });
        if let Some(command) = last.and_then(|last| last.members.last_mut()) {
            command.redirects.extend(redirects.iter().cloned());
            if let tree::Kind::Simple(head) = &mut command.kind {
                head.words.extend(simple.words.iter().skip(1).cloned());
            }
        }
        self.list(&list)
    }

    /// Calls every function the name may stand for.
    pub(crate) fn call(&mut self, name: &str, words: &[Word], span: Span) -> Option<Outcome> {
        if !self.state.has_definitions {
            return None;
        }
        let entry = function_entry(name);
        let values = Rc::clone(&self.state.get(&entry)?.values);
        // A function that calls itself was followed once already.
        if self.active.iter().filter(|active| **active == entry).count() >= 2 {
            return Some(Outcome::unknown());
        }
        let mut outcome: Option<Outcome> = None;
        let mark = self.changed.len();
        let before = self.state.clone();
        let mut ends = Vec::new();
        for value in values.iter() {
            let Value::Function(SharedFunction(function)) = value else { continue };
            self.called.insert(Rc::as_ptr(function));
            self.state = before.clone();
            self.active.push(entry.clone());
            let this = self.deeper(span, |run| run.body(name, function, words));
            self.active.pop();
            ends.push(std::mem::take(&mut self.state));
            outcome = Some(outcome.map_or(this, |_| Outcome::unknown()));
        }
        if ends.is_empty() {
            self.state = before;
            return None;
        }
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        outcome
    }

    fn body(&mut self, name: &str, function: &Rc<tree::Function>, words: &[Word]) -> Outcome {
        let numbered = words.iter().skip(1).enumerate().map(|(at, word)| ((at + 1).to_string(), word.pieces.clone()));
        let positional = self.state.get(scope::POSITIONAL).cloned();
        self.set(scope::POSITIONAL, Entry::new(Value::Array(numbered.collect()), false));
        let left_early = std::mem::take(&mut self.left_early);
        let mark = self.changed.len();
        let mut outcome = self.framed(Frame::Function(name.to_owned()), |run| run.command(&function.body));
        let mut ends = std::mem::replace(&mut self.left_early, left_early);
        if !ends.is_empty() {
            outcome.success = None;
        }
        ends.push(std::mem::take(&mut self.state));
        for end in &mut ends {
            end.dead = false;
        }
        self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        let level = self.active.len();
        while self.locals.last().is_some_and(|(at, ..)| *at >= level) {
            if let Some((_, name, hidden)) = self.locals.pop() {
                self.set(&name, hidden);
            }
        }
        self.set(scope::POSITIONAL, positional.unwrap_or_else(|| Entry::new(Value::NotKnown, false)));
        outcome
    }
}
