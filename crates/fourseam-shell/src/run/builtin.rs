//! Programs that are part of the shell: what they change in it. What other programs do is not known here.

use super::parameter::literal;
use super::simple::merged;
use super::{Outcome, Output, Run};
use crate::ir::{Frame, Piece, RedirectKind, Span, Stdin, Unknown, UnknownFrom, Why, Word};
use crate::scope::{
    CWD, Case, Entry, FOLDERS, POSITIONAL, PREVIOUS_CWD, Value, alias_entry, assigned, function_entry, reference_entry,
};
use std::rc::Rc;

/// The entry that says whether every assignment is exported (`set -a`).
const EXPORT_ALL: &str = "/allexport";

/// Programs of `text` that take their input from a file they are given.
const READS_FILES: [&str; 12] =
    ["cat", "base64", "base32", "rev", "tac", "head", "tail", "xxd", "sort", "uniq", "cut", "nl"];

/// Programs that evaluate the subscript of a name they are given.
const TAKES_NAMES: [&str; 12] =
    ["unset", "read", "printf", "test", "[", "let", "declare", "typeset", "local", "export", "readonly", "wait"];

impl Run {
    /// What a command does to the shell, and what it is known to write.
    pub(crate) fn effect(&mut self, words: &[Word], arrays: Vec<(String, Value)>, span: Span, slot: usize) -> Outcome {
        let Some(program) = words.first() else { return self.bare_redirect(slot) };
        let Some(name) = program.literal() else { return Outcome::unknown() };
        if let Some(outcome) = self.call(name, words, span) {
            return outcome;
        }
        if TAKES_NAMES.contains(&name) {
            for word in words.iter().skip(1).filter_map(Word::literal) {
                self.embedded(word);
            }
        }
        match name {
            "command" | "builtin" => self.behind_prefix(words, span, slot),
            "cd" | "chdir" => self.cd(words),
            "pwd" => self.pwd(),
            "pushd" => self.pushd(words),
            "popd" => self.popd(words),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, words, arrays),
            "unset" => self.unset(words),
            "set" => self.set_command(words),
            "shift" => self.shift(words),
            "read" => self.read(words),
            "readarray" | "mapfile" => self.readarray(words),
            "getopts" => self.unknown_variables(words.get(2..3).unwrap_or_default()),
            "let" => self.let_command(words),
            "printf" => self.printf(words),
            "eval" => self.eval(words, span),
            "trap" => self.trap(words, span),
            "source" | "." => self.source(words, span),
            "alias" => self.define_aliases(words),
            "unalias" => self.remove_aliases(words),
            "exit" | "logout" => self.leave(false),
            "return" | "break" | "continue" => self.leave(true),
            "exec" if words.len() > 1 => {
                self.state.dead = true;
                Outcome::unknown()
            }
            _ => self.text_output(words),
        }
    }

    /// What a program that only makes text writes. One that reads `<( )` reads the text in it.
    fn text_output(&mut self, words: &[Word]) -> Outcome {
        let reads_files = words.first().and_then(Word::literal).is_some_and(|name| READS_FILES.contains(&name));
        let mut inputs = Vec::new();
        let mut rest = Vec::new();
        for word in words {
            let written = if reads_files { self.file(word).map(Stdin::Text) } else { None };
            match self.process_input(word).or(written) {
                Some(input) => inputs.push(input),
                None => rest.push(word.clone()),
            }
        }
        match inputs.as_slice() {
            [] => super::text::output(words, &self.stdin),
            [input] => super::text::output(&rest, input),
            _ => Outcome::unknown(),
        }
    }

    /// A command without words writes nothing, but `$(< file)` is what stands in the file.
    fn bare_redirect(&self, slot: usize) -> Outcome {
        let reads = self.script.commands.get(slot).is_some_and(|command| {
            command.redirects.iter().any(|redirect| redirect.kind == RedirectKind::Read)
                && command.assignments.is_empty()
        });
        if !reads {
            return Outcome::silent(Some(true));
        }
        let text = match &self.stdin {
            Stdin::Text(text) => Some(text.pieces.clone()),
            Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
        };
        Outcome { output: Output::of(text), success: None }
    }

    /// Text that is evaluated as arithmetic or as a name with a subscript runs the substitutions in it.
    pub(crate) fn embedded(&mut self, text: &str) {
        if text.contains('[') && (text.contains("$(") || text.contains('`')) {
            let span = self.current_span();
            let code = format!(": \"{}\"", text.replace('"', "\\\""));
            self.code(&Word::known(code, span), span, Frame::Eval);
        }
    }

    pub(crate) fn current_span(&self) -> Span {
        self.current
            .and_then(|current| self.script.commands.get(current))
            .map(|command| command.span)
            .unwrap_or_default()
    }

    /// `command cd x` and `builtin eval y` do what they would do without it, functions apart.
    fn behind_prefix(&mut self, words: &[Word], span: Span, slot: usize) -> Outcome {
        let mut rest = words.get(1..).unwrap_or_default();
        while let Some(option) = rest.first().and_then(Word::literal).filter(|word| word.starts_with('-')) {
            if option.contains(['v', 'V']) {
                return super::text::output(words, &self.stdin);
            }
            rest = rest.get(1..).unwrap_or_default();
            if option == "--" {
                break;
            }
        }
        let Some(name) = rest.first().and_then(Word::literal) else { return Outcome::unknown() };
        let entry = function_entry(name);
        let hidden = self.state.get(&entry).cloned();
        if hidden.is_some() {
            self.set(&entry, Entry::new(Value::NotKnown, false));
        }
        let outcome = self.effect(rest, Vec::new(), span, slot);
        if let Some(hidden) = hidden {
            self.set(&entry, hidden);
        }
        outcome
    }

    fn cd(&mut self, words: &[Word]) -> Outcome {
        let target = words.iter().skip(1).find(|word| !word.literal().is_some_and(is_option));
        let target = match target.and_then(Word::literal) {
            Some("-") => self.value(PREVIOUS_CWD),
            _ => match target {
                None => self.value("HOME"),
                Some(word) => Value::Text(word.pieces.clone()),
            },
        };
        let folder = self.resolved(target);
        self.go_to(folder);
        Outcome::silent(None)
    }

    fn pwd(&mut self) -> Outcome {
        let text = match self.value(CWD) {
            Value::Text(mut pieces) => {
                pieces.push(Piece::Literal("\n".to_owned()));
                Some(merged(pieces))
            }
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => None,
        };
        Outcome { output: Output::of(text), success: Some(true) }
    }

    fn pushd(&mut self, words: &[Word]) -> Outcome {
        let here = self.value(CWD);
        let target = words.iter().skip(1).find(|word| !word.literal().is_some_and(|text| text.starts_with(['-', '+'])));
        let mut stack = self.folders();
        match target {
            Some(word) => {
                stack.push(here);
                let folder = self.resolved(Value::Text(word.pieces.clone()));
                self.go_to(folder);
            }
            None => {
                let top = stack.pop().unwrap_or(Value::NotKnown);
                stack.push(here);
                self.go_to(top);
            }
        }
        self.keep_folders(stack);
        Outcome::unknown()
    }

    fn popd(&mut self, words: &[Word]) -> Outcome {
        let mut stack = self.folders();
        let top = stack.pop().filter(|_| words.len() == 1).unwrap_or(Value::NotKnown);
        self.go_to(top);
        self.keep_folders(stack);
        Outcome::unknown()
    }

    fn folders(&mut self) -> Vec<Value> {
        match self.value(FOLDERS) {
            Value::Array(elements) => elements
                .into_iter()
                .map(|(known, pieces)| if known.is_empty() { Value::NotKnown } else { Value::Text(pieces) })
                .collect(),
            Value::NotKnown | Value::Unset | Value::Text(_) | Value::Function(_) => Vec::new(),
        }
    }

    fn keep_folders(&mut self, stack: Vec<Value>) {
        let elements = stack.into_iter().map(|folder| match folder {
            Value::Text(pieces) => ("known".to_owned(), pieces),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => (String::new(), Vec::new()),
        });
        self.set(FOLDERS, Entry::new(Value::Array(elements.collect()), false));
    }

    fn go_to(&mut self, folder: Value) {
        let before = self.value(CWD);
        self.set(PREVIOUS_CWD, Entry::new(before, true));
        self.set(CWD, Entry::new(folder, true));
    }

    /// A folder seen from the working directory: absolute, dots resolved.
    pub(crate) fn resolved(&mut self, target: Value) -> Value {
        let Value::Text(mut pieces) = target else {
            // `cd` without HOME: the home folder, wherever it is.
            return match target {
                Value::NotKnown => home(),
                Value::Unset | Value::Array(_) | Value::Function(_) | Value::Text(_) => Value::NotKnown,
            };
        };
        match pieces.first() {
            // `cd ""` and `cd $EMPTY` in quotes stay where they are.
            None => return self.value(CWD),
            Some(Piece::Literal(text)) if text.starts_with('/') => {}
            Some(Piece::Unknown(unknown)) => {
                let anchored = matches!(&unknown.from, UnknownFrom::Variable(name) if name == "HOME");
                if !anchored {
                    return Value::NotKnown;
                }
            }
            Some(Piece::Literal(_) | Piece::Glob(_)) => {
                let Value::Text(mut base) = self.value(CWD) else { return Value::NotKnown };
                base.push(Piece::Literal("/".to_owned()));
                base.extend(pieces);
                pieces = merged(base);
            }
        }
        Value::Text(normalised(pieces))
    }

    fn declare(&mut self, name: &str, words: &[Word], arrays: Vec<(String, Value)>) -> Outcome {
        let mut exports = name == "export";
        let mut functions = false;
        let mut reference = false;
        let mut integer = false;
        let mut readonly = name == "readonly";
        let mut case = None;
        let mut operands = words.get(1..).unwrap_or_default();
        while let Some(option) = operands.first().and_then(Word::literal).filter(|word| word.starts_with(['-', '+'])) {
            let on = option.starts_with('-');
            exports = if option.contains('x') { on } else { exports };
            functions |= option.contains('f');
            reference |= option.contains('n') && name != "export";
            integer |= option.contains('i');
            readonly |= option.contains('r') && name != "readonly";
            if name != "export" && name != "readonly" {
                case = if option.contains('u') {
                    Some(Case::Upper)
                } else if option.contains('l') {
                    Some(Case::Lower)
                } else {
                    case
                };
            }
            if name == "export" && option.contains('n') {
                exports = false;
            }
            operands = operands.get(1..).unwrap_or_default();
        }
        if functions {
            return Outcome::silent(None);
        }
        let shown = operands.is_empty();
        let mut arrays = arrays.into_iter().peekable();
        for word in operands {
            let (variable, append, value) = split_assignment(&word.pieces);
            let Some(variable) = variable else {
                if word.literal().is_none() {
                    self.opaque(Why::Code, word.span, self.current);
                }
                continue;
            };
            if name == "local" && !self.active.is_empty() {
                self.make_local(&variable);
            }
            let exported = exports || self.state.get(&variable).is_some_and(|entry| entry.exported) && name != "export";
            let array = arrays.next_if(|(array, _)| *array == variable).map(|(_, value)| value);
            let value = match (array, value) {
                (Some(array), _) => Some(array),
                (None, Some(pieces)) if integer => Some(self.integer(&pieces)),
                (None, Some(pieces)) if append => Some(self.appended_value(&variable, pieces)),
                (None, Some(pieces)) => Some(Value::Text(super::flow::as_value(&variable, &pieces))),
                (None, None) => None,
            };
            match value {
                Some(value @ Value::Text(_)) if reference => {
                    self.set(&reference_entry(&variable), Entry::new(value, false));
                }
                Some(value) => {
                    let case = case.or_else(|| self.state.get(&variable).and_then(|entry| entry.case));
                    let entry = Entry { readonly, case, ..Entry::new(value, exported) };
                    self.set(&variable, entry);
                }
                None => self.mark(name, &variable, Entry { readonly, case, ..Entry::new(Value::Unset, exported) }),
            }
        }
        if shown { Outcome::unknown() } else { Outcome::silent(Some(true)) }
    }

    /// `export X`, `local X`: the value stays, or there is none.
    fn mark(&mut self, command: &str, variable: &str, mut entry: Entry) {
        match self.state.get(variable) {
            Some(before) if command != "local" => entry.values = before.values.clone(),
            None if command == "export" || command == "readonly" => entry.values = Rc::from([Value::NotKnown]),
            Some(_) | None => {}
        }
        self.narrow(variable, entry);
    }

    fn make_local(&mut self, variable: &str) {
        let hidden = self.state.get(variable).cloned().unwrap_or_else(|| Entry::new(Value::NotKnown, false));
        let level = self.active.len();
        if !self.locals.iter().any(|(at, name, _)| *at == level && name == variable) {
            self.locals.push((level, variable.to_owned(), hidden));
        }
    }

    fn integer(&mut self, pieces: &[Piece]) -> Value {
        let value = literal(pieces).and_then(|text| self.evaluate(&text));
        Value::Text(vec![
            value.map_or_else(|| super::expand::other("$((...))"), |value| Piece::Literal(value.to_string())),
        ])
    }

    fn appended_value(&mut self, variable: &str, pieces: Vec<Piece>) -> Value {
        match self.value(variable) {
            Value::Text(mut before) => {
                before.extend(pieces);
                Value::Text(merged(before))
            }
            Value::Unset => Value::Text(pieces),
            Value::NotKnown | Value::Array(_) | Value::Function(_) => Value::Text(vec![assigned(variable, Vec::new())]),
        }
    }

    fn unset(&mut self, words: &[Word]) -> Outcome {
        let mut functions = false;
        for word in words.iter().skip(1) {
            match word.literal() {
                Some(option) if option.starts_with('-') => functions |= option.contains('f'),
                Some(name)
                    if functions
                        || self.state.get(name).is_none() && self.state.get(&function_entry(name)).is_some() =>
                {
                    self.set(&function_entry(name), Entry::new(Value::NotKnown, false));
                }
                Some(name) => self.set(name, Entry::new(Value::Unset, false)),
                None => {}
            }
        }
        Outcome::silent(Some(true))
    }

    fn set_command(&mut self, words: &[Word]) -> Outcome {
        if words.len() < 2 {
            // Lists every variable.
            return Outcome::unknown();
        }
        let mut rest = words.get(1..).unwrap_or_default();
        let mut positional = false;
        while let Some(option) = rest.first().and_then(Word::literal) {
            if option == "--" || option == "-" {
                positional = option == "--" || rest.len() > 1;
                rest = rest.get(1..).unwrap_or_default();
                break;
            }
            if !option.starts_with(['-', '+']) {
                positional = true;
                break;
            }
            if option.contains('a') {
                let value = Value::Text(vec![Piece::Literal(option.get(..1).unwrap_or_default().to_owned())]);
                self.set(EXPORT_ALL, Entry::new(value, false));
            }
            rest = rest.get(if option.contains('o') { 2 } else { 1 }..).unwrap_or_default();
        }
        positional |= !rest.is_empty();
        if positional {
            let numbered = rest.iter().enumerate().map(|(at, word)| ((at + 1).to_string(), word.pieces.clone()));
            self.set(POSITIONAL, Entry::new(Value::Array(numbered.collect()), false));
        }
        Outcome::silent(Some(true))
    }

    /// Whether `set -a` holds.
    pub(crate) fn exports_all(&self) -> bool {
        matches!(self.state.get(EXPORT_ALL).map(|entry| entry.values.as_ref()), Some([Value::Text(on)]) if on.as_slice() == [Piece::Literal("-".to_owned())])
    }

    fn shift(&mut self, words: &[Word]) -> Outcome {
        let count = words.get(1).map_or(Some(1), |word| word.literal()?.parse::<usize>().ok());
        let value = match (self.value(POSITIONAL), count) {
            (Value::Array(elements), Some(count)) => {
                let left = elements.into_iter().skip(count).enumerate();
                Value::Array(left.map(|(at, (_, pieces))| ((at + 1).to_string(), pieces)).collect())
            }
            _ => Value::NotKnown,
        };
        self.set(POSITIONAL, Entry::new(value, false));
        Outcome::silent(None)
    }

    fn read(&mut self, words: &[Word]) -> Outcome {
        let mut names = Vec::new();
        let mut array = false;
        let mut raw = false;
        let mut whole = false;
        let mut rest = words.iter().skip(1);
        while let Some(word) = rest.next() {
            match word.literal() {
                Some(option) if option.starts_with('-') && names.is_empty() => {
                    array |= option.contains('a');
                    raw |= option.contains('r');
                    whole |= option.contains(['d', 'N', 'n', 'u', 't']);
                    let takes_value = option.ends_with(['d', 'i', 'n', 'N', 'p', 't', 'u']);
                    if takes_value {
                        rest.next();
                    }
                }
                Some(name) => names.push(name.to_owned()),
                None => {}
            }
        }
        if names.is_empty() {
            names.push("REPLY".to_owned());
        }
        let line = match &self.stdin {
            Stdin::Text(text) if !whole => {
                text.literal().map(|text| text.lines().next().unwrap_or_default().to_owned())
            }
            Stdin::Text(_) | Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
        };
        let Some(line) = line.filter(|line| raw || !line.contains('\\')) else {
            return self.read_unknown(&names, array);
        };
        let separators = self.separators();
        let mut left = line.trim_matches(|found: char| found.is_whitespace() && separators.contains(found));
        if array {
            let fields = left.split(|found| separators.contains(found)).filter(|field| !field.is_empty());
            let elements =
                fields.enumerate().map(|(at, field)| (at.to_string(), vec![Piece::Literal(field.to_owned())]));
            let value = Value::Array(elements.collect());
            if let Some(name) = names.first() {
                self.assign(name, value);
            }
            return Outcome::silent(Some(true));
        }
        let last = names.len() - 1;
        for (at, name) in names.iter().enumerate() {
            let field = if at == last {
                std::mem::take(&mut left)
            } else {
                let end = left.find(|found| separators.contains(found)).unwrap_or(left.len());
                let (field, after) = left.split_at_checked(end).unwrap_or((left, ""));
                let mut after = after.chars();
                after.next();
                left = after
                    .as_str()
                    .trim_start_matches(|found: char| found.is_whitespace() && separators.contains(found));
                field
            };
            let pieces = if field.is_empty() { Vec::new() } else { vec![Piece::Literal(field.to_owned())] };
            self.assign(name, Value::Text(pieces));
        }
        Outcome::silent(None)
    }

    /// Values that come from standard input and are not known.
    fn read_unknown(&mut self, names: &[String], array: bool) -> Outcome {
        let commands = match &self.stdin {
            Stdin::Pipe(commands) => commands.clone(),
            Stdin::Inherited | Stdin::Text(_) | Stdin::File(_) => Vec::new(),
        };
        // A text that is partly known is kept whole for its only reader.
        let partly = match (&self.stdin, names) {
            (Stdin::Text(text), [_]) if !array && !text.pieces.is_empty() => Some(text.pieces.clone()),
            _ => None,
        };
        for name in names {
            let unknown = vec![assigned(name, commands.clone())];
            let value = match &partly {
                Some(pieces) if literal(pieces).is_none() => Value::Text(super::flow::as_value(name, pieces)),
                _ if array => Value::Array(vec![(String::new(), unknown)]),
                _ => Value::Text(unknown),
            };
            self.assign(name, value);
        }
        Outcome::silent(None)
    }

    fn readarray(&mut self, words: &[Word]) -> Outcome {
        let name = words.iter().skip(1).filter_map(Word::literal).rfind(|word| !word.starts_with('-'));
        let name = name.unwrap_or("MAPFILE").to_owned();
        let lines = match &self.stdin {
            Stdin::Text(text) if words.iter().all(|word| word.literal() != Some("-d")) => text.literal(),
            Stdin::Text(_) | Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
        };
        let value = match lines {
            Some(text) => Value::Array(
                text.lines()
                    .enumerate()
                    .map(|(at, line)| (at.to_string(), vec![Piece::Literal(line.to_owned())]))
                    .collect(),
            ),
            None => {
                self.callback(words);
                return self.read_unknown(&[name], true);
            }
        };
        self.callback(words);
        self.assign(&name, value);
        Outcome::silent(Some(true))
    }

    /// `mapfile -C code`: run for the lines that are read.
    fn callback(&mut self, words: &[Word]) {
        let code = words.iter().skip_while(|word| word.literal() != Some("-C")).nth(1);
        if let Some(code) = code.cloned() {
            let span = self.current_span();
            self.code(&code, span, Frame::Eval);
        }
    }

    fn unknown_variables(&mut self, names: &[Word]) -> Outcome {
        for name in names.iter().filter_map(Word::literal) {
            self.assign(name, Value::Text(vec![assigned(name, Vec::new())]));
        }
        self.assign("OPTARG", Value::Text(vec![assigned("OPTARG", Vec::new())]));
        Outcome::silent(None)
    }

    fn let_command(&mut self, words: &[Word]) -> Outcome {
        for word in words.iter().skip(1) {
            let text = word.text();
            self.evaluate(&text);
        }
        Outcome::silent(None)
    }

    fn printf(&mut self, words: &[Word]) -> Outcome {
        if words.get(1).and_then(Word::literal) != Some("-v") {
            return super::text::output(words, &self.stdin);
        }
        let Some(name) = words.get(2).and_then(Word::literal) else { return Outcome::unknown() };
        let mut rest = vec![Word::known("printf", Span::default())];
        rest.extend_from_slice(words.get(3..).unwrap_or_default());
        let value = super::text::output(&rest, &self.stdin)
            .output
            .single()
            .cloned()
            .unwrap_or_else(|| vec![assigned(name, Vec::new())]);
        let value = super::flow::as_value(name, &value);
        self.assign(name, Value::Text(value));
        Outcome::silent(Some(true))
    }

    fn eval(&mut self, words: &[Word], span: Span) -> Outcome {
        let mut operands = words.get(1..).unwrap_or_default();
        if operands.first().and_then(Word::literal) == Some("--") {
            operands = operands.get(1..).unwrap_or_default();
        }
        let text = super::simple::joined(operands.iter().map(|word| word.pieces.as_slice()), span);
        self.code(&text, span, Frame::Eval)
    }

    fn trap(&mut self, words: &[Word], span: Span) -> Outcome {
        let mut operands = words.iter().skip(1).skip_while(|word| word.literal() == Some("--"));
        let Some(text) = operands.next() else { return Outcome::unknown() };
        let resets = matches!(text.literal(), Some("-" | "" | "-l" | "-p"));
        let Some(signal) = operands.next() else { return Outcome::silent(Some(true)) };
        if !resets {
            if !matches!(signal.literal(), Some("EXIT" | "0")) {
                // It may run at any time from here on, so with the values of now.
                let state = self.state.clone();
                self.code(text, span, Frame::Trap);
                self.state = state;
            }
            self.traps.push((text.clone(), span));
        }
        Outcome::silent(Some(true))
    }

    /// `source` of a text that is known: a here-string on its standard input, or a process substitution.
    fn source(&mut self, words: &[Word], span: Span) -> Outcome {
        let Some(file) = words.get(1) else { return Outcome::unknown() };
        if let Some(text) = self.file(file) {
            return self.code(&text, span, Frame::Eval);
        }
        let input = match file.literal() {
            Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Some(self.stdin.clone()),
            Some(name) => {
                name.strip_prefix("/dev/fd/").and_then(|number| number.parse::<u32>().ok()).and_then(|number| {
                    self.descriptors.iter().find(|(open, _)| *open == number).map(|(_, input)| input.clone())
                })
            }
            None => self.process_input(file),
        };
        let positional = self.state.get(POSITIONAL).cloned();
        if words.len() > 2 {
            let numbered =
                words.iter().skip(2).enumerate().map(|(at, word)| ((at + 1).to_string(), word.pieces.clone()));
            self.set(POSITIONAL, Entry::new(Value::Array(numbered.collect()), false));
        }
        let outcome = match input {
            Some(Stdin::Text(text)) => self.code(&text, span, Frame::Eval),
            Some(Stdin::Pipe(_) | Stdin::Inherited) => {
                self.opaque(Why::Code, span, self.current);
                Outcome::unknown()
            }
            // A file: what is in it is for the caller to look up.
            Some(Stdin::File(_)) | None => Outcome::unknown(),
        };
        if words.len() > 2 {
            self.set(POSITIONAL, positional.unwrap_or_else(|| Entry::new(Value::NotKnown, false)));
        }
        outcome
    }

    fn define_aliases(&mut self, words: &[Word]) -> Outcome {
        for word in words.iter().skip(1) {
            let Some((name, value)) = split_alias(&word.pieces) else { continue };
            self.set(&alias_entry(&name), Entry::new(Value::Text(value), false));
        }
        Outcome::silent(Some(true))
    }

    fn remove_aliases(&mut self, words: &[Word]) -> Outcome {
        for name in words.iter().skip(1).filter_map(Word::literal) {
            let entry = alias_entry(name);
            if self.state.get(&entry).is_some() {
                self.set(&entry, Entry::new(Value::Unset, false));
            }
        }
        Outcome::silent(None)
    }

    /// The shell, the function or the loop ends here.
    fn leave(&mut self, early: bool) -> Outcome {
        if early {
            self.left_early.push(self.state.clone());
        }
        self.state.dead = true;
        Outcome::silent(None)
    }
}

fn home() -> Value {
    let from = UnknownFrom::Variable("HOME".to_owned());
    Value::Text(vec![Piece::Unknown(Unknown { source: "~".to_owned(), from, may_split: false })])
}

fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}

/// `.`, `..` and doubled slashes resolved, as far as the pieces are known.
fn normalised(pieces: Vec<Piece>) -> Vec<Piece> {
    match literal(&pieces) {
        Some(text) => vec![Piece::Literal(crate::scope::normalised(&text))],
        None => pieces,
    }
}

/// `NAME`, `NAME=value` or `NAME+=value`: name, whether it appends, value.
fn split_assignment(pieces: &[Piece]) -> (Option<String>, bool, Option<Vec<Piece>>) {
    let Some(Piece::Literal(first)) = pieces.first() else { return (None, false, None) };
    let Some((name, value)) = first.split_once('=') else {
        let whole = pieces.len() == 1;
        return (whole.then(|| first.clone()), false, None);
    };
    let (name, append) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
    let name = name.split('[').next().unwrap_or(name);
    let mut rest = Vec::new();
    if !value.is_empty() {
        rest.push(Piece::Literal(value.to_owned()));
    }
    rest.extend_from_slice(pieces.get(1..).unwrap_or_default());
    (Some(name.to_owned()), append, Some(rest))
}

fn split_alias(pieces: &[Piece]) -> Option<(String, Vec<Piece>)> {
    match split_assignment(pieces) {
        (Some(name), _, Some(value)) => Some((name, value)),
        _ => None,
    }
}
