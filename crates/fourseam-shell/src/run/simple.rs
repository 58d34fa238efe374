//! Simple commands: words, assignments and redirects are expanded, then the command is written down.

use super::{Outcome, Output, Run};
use crate::ir::{
    Assignment, Command, Frame, Piece, Pipeline, Redirect, RedirectKind, Scope, Span, Stdin, Unknown, UnknownFrom, Why,
    Word,
};
use crate::scope::{self, Entry, SharedFunction, State, Value, alias_entry, function_entry};
use crate::tree::{self, Argument, PartKind, Simple, Target};
use std::rc::Rc;

/// Arrays of more elements are not kept.
const MAX_ELEMENTS: usize = 2_048;

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
    /// Writes the command down once for every combination of the values its words may have.
    pub(crate) fn simple(&mut self, simple: &Simple, redirects: &[tree::Redirect], span: Span) -> Outcome {
        let outer = std::mem::take(&mut self.choices);
        let outcome = if self.spend(2 + simple.words.len() / 2, span) {
            self.combinations(simple, redirects, span)
        } else {
            Outcome::unknown()
        };
        self.choices = outer;
        outcome
    }

    fn combinations(&mut self, simple: &Simple, redirects: &[tree::Redirect], span: Span) -> Outcome {
        let before = self.state.clone();
        let mark = self.changed.len();
        let mut outcome = self.once(simple, redirects, span);
        let mut ends = Vec::new();
        while self.choices.advance() && self.spend(2 + simple.words.len() / 2, span) {
            ends.push(std::mem::replace(&mut self.state, before.clone()));
            let other = self.once(simple, redirects, span);
            if other != outcome {
                outcome = Outcome::unknown();
            }
        }
        if !ends.is_empty() {
            ends.push(std::mem::take(&mut self.state));
            self.state = State::merged(ends, self.changed.get(mark..).unwrap_or_default());
        }
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
        outcome
    }

    /// A place for a command, so that it stands before the commands in its words.
    fn reserve(&mut self, span: Span) -> usize {
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
    fn cwd(&mut self) -> Option<Word> {
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

    /// `NAME=value` in front of a command or on its own. In front of one they hold only while it runs; what they hid is
    /// given back.
    fn prefix(&mut self, assignments: &[tree::Assignment], stay: bool, slot: usize) -> Vec<(String, Entry)> {
        let mut restore = Vec::new();
        for assignment in assignments {
            let hidden = self.state.get(&assignment.name).cloned();
            let (value, shown) = self.assigned_value(assignment);
            if let Some(command) = self.script.commands.get_mut(slot) {
                let name = assignment.name.clone();
                command.assignments.push(Assignment { name, value: shown, span: assignment.span });
            }
            if stay {
                self.assign(&assignment.name, value);
            } else {
                restore.push((assignment.name.clone(), hidden.unwrap_or_else(|| Entry::new(Value::NotKnown, false))));
                self.set(&assignment.name, Entry::new(value, true));
            }
        }
        restore
    }

    /// Gives a variable a value; it stays exported if it was.
    pub(crate) fn assign(&mut self, name: &str, value: Value) {
        let exported = self.state.get(name).is_some_and(|entry| entry.exported) || self.exports_all();
        if let (Value::Text(pieces), true) = (&value, name.starts_with("PS") || name == "PROMPT_COMMAND") {
            self.prompt(&pieces.clone());
        }
        let target = if self.state.has_definitions { self.referred(name) } else { None };
        self.set(target.as_deref().unwrap_or(name), Entry::new(value, exported));
    }

    /// Prompts run the substitutions in them, `PROMPT_COMMAND` is a command.
    pub(crate) fn prompt(&mut self, pieces: &[Piece]) {
        let Some(text) = super::parameter::literal(pieces) else { return };
        if text.contains("$(") || text.contains('`') {
            let span = self.current_span();
            let code = format!(": \"{}\"", text.replace('"', "\\\""));
            self.code(&Word::known(code, span), span, Frame::Eval);
        }
    }

    /// The value of an assignment, and the word that shows it.
    pub(crate) fn assigned_value(&mut self, assignment: &tree::Assignment) -> (Value, Word) {
        if let Some(subscript) = &assignment.subscript {
            return self.assigned_element(assignment, subscript);
        }
        match &assignment.value {
            tree::Value::Scalar(word) => {
                let shown = self.assignment_word(word);
                let mut pieces = flow_value(&assignment.name, &shown);
                if assignment.append {
                    return (self.appended(&assignment.name, pieces), shown);
                }
                if too_big(&pieces) {
                    pieces = vec![scope::assigned(&assignment.name, Vec::new())];
                }
                (Value::Text(pieces), shown)
            }
            tree::Value::Array(elements) => {
                let mut array = match self.state.get(&assignment.name).map(|entry| entry.values.as_ref()) {
                    Some([Value::Array(before)]) if assignment.append => before.clone(),
                    _ => Vec::new(),
                };
                let numbers = array.iter().filter_map(|(key, _)| key.parse::<usize>().ok());
                let mut next = numbers.max().map_or(0, |last| last + 1);
                for (key, word) in elements {
                    let key = key.as_ref().map(|key| self.single(key).text());
                    for field in self.words_of(word) {
                        let pieces = flow_value(&assignment.name, &field);
                        match &key {
                            Some(key) => {
                                put(&mut array, key.clone(), pieces);
                                next = key.parse::<usize>().map_or(next, |number| number.saturating_add(1));
                            }
                            None => {
                                array.push((next.to_string(), pieces));
                                next += 1;
                            }
                        }
                    }
                    if array.len() > MAX_ELEMENTS || !self.spend(1, assignment.span) {
                        array = vec![(String::new(), vec![scope::assigned(&assignment.name, Vec::new())])];
                        break;
                    }
                }
                let shown = joined(array.iter().map(|(_, pieces)| pieces.as_slice()), assignment.span);
                (Value::Array(array), shown)
            }
        }
    }

    fn assigned_element(&mut self, assignment: &tree::Assignment, subscript: &tree::Word) -> (Value, Word) {
        let key = self.arithmetic_key(&assignment.name, subscript);
        let shown = match &assignment.value {
            tree::Value::Scalar(word) => self.assignment_word(word),
            tree::Value::Array(_) => Word::default(),
        };
        let mut array = match self.value(&assignment.name) {
            Value::Array(array) => array,
            Value::Text(pieces) => vec![("0".to_owned(), pieces)],
            Value::NotKnown | Value::Unset | Value::Function(_) => Vec::new(),
        };
        let mut pieces = flow_value(&assignment.name, &shown);
        if assignment.append
            && let Some((_, before)) = array.iter().find(|(other, _)| *other == key) {
                pieces.splice(0..0, before.iter().cloned());
            }
        put(&mut array, key, pieces);
        (Value::Array(array), shown)
    }

    fn appended(&mut self, name: &str, pieces: Vec<Piece>) -> Value {
        match self.value(name) {
            Value::Array(mut array) => {
                match array.first_mut() {
                    Some((_, first)) => first.extend(pieces),
                    None => array.push(("0".to_owned(), pieces)),
                }
                Value::Array(array)
            }
            Value::Text(mut before) => {
                before.extend(pieces);
                if too_big(&before) {
                    before = vec![scope::assigned(name, Vec::new())];
                }
                Value::Text(merged(before))
            }
            Value::Unset => Value::Text(pieces),
            Value::NotKnown | Value::Function(_) => {
                let from = UnknownFrom::Variable(name.to_owned());
                let mut all = vec![Piece::Unknown(Unknown { source: format!("${name}"), from, may_split: false })];
                all.extend(pieces);
                Value::Text(all)
            }
        }
    }

    /// An assignment among the words of `export` and its kind: the words as the program sees them (braces make several),
    /// and the value of an array, which is no word.
    fn declared(&mut self, assignment: &tree::Assignment) -> (Vec<Word>, Option<(String, Value)>) {
        let sign = if assignment.append { "+=" } else { "=" };
        let (value, shown) = match (&assignment.value, &assignment.subscript) {
            (tree::Value::Scalar(word), None) => (None, self.declared_words(word)),
            (tree::Value::Scalar(_) | tree::Value::Array(_), _) => {
                let (value, shown) = self.assigned_value(assignment);
                (Some((assignment.name.clone(), value)), vec![shown])
            }
        };
        let words = shown.into_iter().map(|shown| {
            let mut pieces = vec![Piece::Literal(format!("{}{sign}", assignment.name))];
            pieces.extend(shown.pieces);
            Word { pieces: merged(pieces), span: assignment.span, quoted: shown.quoted }
        });
        (words.collect(), value)
    }

    /// As `redirects`. They are expanded in the child when the program is not part of the shell, so what they assign may
    /// be lost.
    fn redirects_of_program(&mut self, redirects: &[tree::Redirect]) -> (Vec<Redirect>, Destination) {
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
                if let (None | Some(0), Some((_, input))) = (fd, known) {
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
        let [Piece::Unknown(Unknown { from: UnknownFrom::Process(commands), .. })] = word.pieces.as_slice() else {
            return None;
        };
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
        let outer = std::mem::take(&mut self.choices);
        self.choices.given_up = true;
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
    fn feed_processes(&mut self, slot: usize, outcome: &Outcome) {
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
                && matches!(&reader.stdin, Stdin::Pipe(from) if from.as_slice() == [slot]) {
                    reader.stdin = Stdin::Text(text.clone());
                }
        }
    }

    /// The name of the alias the first word is, unless it is being expanded.
    fn alias_of(&self, simple: &Simple) -> Option<String> {
        let Argument::Word(word) = simple.words.first().filter(|_| self.state.has_definitions)? else { return None };
        let name = word.bare()?;
        let entry = alias_entry(name);
        self.state.get(&entry)?;
        (!self.active.contains(&entry)).then(|| name.to_owned())
    }

    /// A command whose first word is an alias, read anew with its value in place. Whether aliases are on is not known, so
    /// the command as written is followed too.
    fn alias(&mut self, name: &str, simple: &Simple, redirects: &[tree::Redirect], span: Span) {
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
        let outcome = self.framed(Frame::Function(name.to_owned()), |run| run.command(&function.body));
        let mut ends = std::mem::replace(&mut self.left_early, left_early);
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

    /// Whether the commands of this part are those of `>( )`.
    pub(crate) fn is_output_process(kind: &PartKind) -> bool {
        matches!(kind, PartKind::Process(body) if body.source.starts_with('>'))
    }
}

fn flow_value(name: &str, word: &Word) -> Vec<Piece> {
    super::flow::as_value(name, &word.pieces)
}

fn put(array: &mut Vec<(String, Vec<Piece>)>, key: String, pieces: Vec<Piece>) {
    match array.iter_mut().find(|(other, _)| *other == key) {
        Some((_, old)) => *old = pieces,
        None => array.push((key, pieces)),
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

/// More than is kept of a value.
fn too_big(pieces: &[Piece]) -> bool {
    pieces.len() > super::MAX_PIECES || size(pieces) > super::MAX_VALUE
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
