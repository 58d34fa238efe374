//! Programs that are part of the shell: what they change in it. What other programs do is not known here.

use super::declare::split_assignment;
use super::{Outcome, Output, Run};
use crate::ir::{Frame, Piece, RedirectKind, Span, Stdin, UnknownFrom, Why, Word};
use crate::scope::{Entry, POSITIONAL, Value, alias_entry, assigned, function_entry};

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
        let is_process = |word: &Word| word.unknowns().any(|unknown| matches!(unknown.from, UnknownFrom::Process(_)));
        if !words.iter().any(is_process) && (self.state.files == 0 || !reads_files) {
            return super::text::output(words, &self.stdin);
        }
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
            // `X=$(command)` succeeds as its command does.
            let alone = slot + 1 == self.script.commands.len();
            return Outcome::silent(alone.then_some(true));
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
        self.leaves += 1;
        if early {
            self.left_early.push(self.state.clone());
        }
        self.state.dead = true;
        Outcome::silent(None)
    }
}

fn split_alias(pieces: &[Piece]) -> Option<(String, Vec<Piece>)> {
    match split_assignment(pieces) {
        (Some(name), _, Some(value)) => Some((name, value)),
        _ => None,
    }
}
