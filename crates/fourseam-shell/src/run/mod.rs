//! Follows a syntax tree as bash would run it and writes down every command with its expanded words.
//!
//! Both ways of every condition are followed. A variable that may have several values is tried with each of them, up
//! to a bound, and the command is written down once for each; beyond the bound one of its values is not known.

mod arithmetic;
mod assign;
mod brace;
mod builtin;
mod call;
mod choices;
mod declare;
mod expand;
mod fields;
mod files;
mod flow;
mod folders;
mod input;
mod loops;
mod output;
mod parameter;
mod pattern;
mod redirect;
mod simple;
mod text;

use crate::ir::{Frame, Opaque, Piece, Pipeline, Scope, Script, Span, Stdin, Why, Word};
use crate::read::{self, Base, Tree};
use crate::scope::{Case, Entry, State, Value};
use crate::tree::Function;
use choices::Choices;
pub(crate) use output::{Outcome, Output};
use std::collections::HashSet;
use std::rc::Rc;

/// How deep commands may nest while they are followed: functions, `eval`, substitutions, compound commands.
const MAX_DEPTH: u32 = 100;

/// Texts longer than this are read in part: no system passes that much to a shell in one piece.
const MAX_TEXT: usize = 256 * 1024;

/// Values longer than this are not kept.
pub(crate) const MAX_VALUE: usize = 128 * 1024;

/// Nor are values of more pieces.
pub(crate) const MAX_PIECES: usize = 64;

/// Reads `text` and follows it.
pub(crate) fn run(text: &str, scope: &Scope) -> Script {
    let mut run = Run::new(text.len(), scope);
    let (text, rest) = within_bounds(text);
    if let Some(at) = text.find('\0') {
        run.opaque(Why::Characters, span(at, at + 1), None);
    }
    let tree = read::read(text, Base::Exact, 0);
    run.tree(&tree);
    if let Some(end) = rest {
        run.opaque(Why::Limit, span(text.len(), end), None);
    }
    run.finish();
    run.script
}

/// The part of a text that is read: whole lines. Where it ends if there is more.
fn within_bounds(text: &str) -> (&str, Option<usize>) {
    if text.len() <= MAX_TEXT {
        return (text, None);
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    let head = head.rfind('\n').and_then(|line| head.get(..=line)).unwrap_or(head);
    (head, Some(text.len()))
}

fn span(start: usize, end: usize) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: offset(start), end: offset(end) }
}

/// The state of following one text.
pub(crate) struct Run {
    pub(crate) script: Script,
    pub(crate) state: State,
    /// Every name that was changed, in order: the names that may differ between two ways are a tail of it.
    pub(crate) changed: Vec<Rc<str>>,
    pub(crate) stdin: Stdin,
    /// Descriptors above 2 that read a known text or file.
    pub(crate) descriptors: Vec<(u32, Stdin)>,
    pub(crate) inside: Vec<Frame>,
    pub(crate) pipeline: Option<Pipeline>,
    pub(crate) pipelines: u32,
    pub(crate) background: bool,
    pub(crate) negated: bool,
    pub(crate) choices: Choices,
    /// Texts given to `trap`, run at the end of their shell.
    pub(crate) traps: Vec<(Word, Span)>,
    /// Every function that was defined, and those that were called.
    pub(crate) defined: Vec<Rc<Function>>,
    pub(crate) called: HashSet<*const Function>,
    /// Functions and aliases being expanded.
    pub(crate) active: Vec<String>,
    /// Variables that `local` hid: how deep in functions, name, what it hid.
    pub(crate) locals: Vec<(usize, String, Entry)>,
    /// States in which the innermost function or loop was left early.
    pub(crate) left_early: Vec<State>,
    /// How often something was left early: what was to come after it may not run.
    pub(crate) leaves: usize,
    pub(crate) depth: u32,
    pub(crate) loops: u32,
    fuel: usize,
    exhausted: bool,
    /// The command whose words are being expanded.
    pub(crate) current: Option<usize>,
}

impl Run {
    fn new(size: usize, scope: &Scope) -> Self {
        Self {
            script: Script::default(),
            state: State::clone(&scope.0),
            changed: Vec::new(),
            stdin: Stdin::Inherited,
            descriptors: Vec::new(),
            inside: Vec::new(),
            pipeline: None,
            pipelines: 0,
            background: false,
            negated: false,
            choices: Choices::none(),
            traps: Vec::new(),
            defined: Vec::new(),
            called: HashSet::new(),
            active: Vec::new(),
            locals: Vec::new(),
            left_early: Vec::new(),
            leaves: 0,
            depth: 0,
            loops: 0,
            fuel: 40_000 + size * 2,
            exhausted: false,
            current: None,
        }
    }

    /// Follows a whole text: its faults, then its commands.
    pub(crate) fn tree(&mut self, tree: &Tree) -> Outcome {
        self.faults(&tree.faults);
        self.list(&tree.list)
    }

    /// What remains when the text is through: traps, and functions nobody called.
    fn finish(&mut self) {
        self.run_traps(0);
        let mut next = 0;
        while let Some(function) = self.defined.get(next).cloned() {
            next += 1;
            if self.called.insert(Rc::as_ptr(&function)) {
                self.definition(&function);
            }
        }
        self.run_traps(0);
    }

    /// Runs the traps set since there were `before` of them.
    pub(crate) fn run_traps(&mut self, before: usize) {
        for (text, span) in self.traps.split_off(before.min(self.traps.len())) {
            self.state.dead = false;
            self.code(&text, span, Frame::Trap);
        }
    }

    pub(crate) fn faults(&mut self, faults: &[(Why, Span)]) {
        for (why, span) in faults {
            self.opaque(*why, *span, None);
        }
    }

    pub(crate) fn opaque(&mut self, why: Why, span: Span, command: Option<usize>) {
        let opaque = Opaque { why, span, command };
        if !self.script.opaque.contains(&opaque) {
            self.script.opaque.push(opaque);
        }
    }

    /// Counts work. When there is none left, the rest of the text is opaque.
    pub(crate) fn spend(&mut self, amount: usize, span: Span) -> bool {
        if self.exhausted {
            return false;
        }
        match self.fuel.checked_sub(amount) {
            Some(left) => {
                self.fuel = left;
                true
            }
            None => {
                self.exhausted = true;
                self.opaque(Why::Limit, span, None);
                false
            }
        }
    }

    /// Runs `follow` one level deeper, or notes that the bound was reached.
    pub(crate) fn deeper(&mut self, span: Span, follow: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if self.depth >= MAX_DEPTH {
            self.opaque(Why::Limit, span, None);
            return Outcome::unknown();
        }
        self.depth += 1;
        let outcome = follow(self);
        self.depth -= 1;
        outcome
    }

    /// Runs `follow` inside one more frame.
    pub(crate) fn framed<T>(&mut self, frame: Frame, follow: impl FnOnce(&mut Self) -> T) -> T {
        self.inside.push(frame);
        let result = follow(self);
        self.inside.pop();
        result
    }

    /// Runs `follow` in a child of the shell: what it changes is gone afterwards.
    pub(crate) fn subshell<T>(&mut self, follow: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.clone();
        let mark = self.changed.len();
        let traps = self.traps.len();
        let left_early = std::mem::take(&mut self.left_early);
        let result = follow(self);
        self.run_traps(traps);
        self.left_early = left_early;
        self.leave_subshell(before, mark);
        result
    }

    /// Gives back the state of the parent, apart from the files that were written since `mark`.
    pub(crate) fn leave_subshell(&mut self, parent: State, mark: usize) {
        let child = std::mem::replace(&mut self.state, parent);
        if child.files == 0 {
            return;
        }
        for name in self.changed.get(mark..).unwrap_or_default() {
            if let Some(entry) = child.get(name).filter(|_| crate::scope::is_file(name)) {
                self.state.set(name, entry.clone());
            }
        }
    }

    /// Text run by `eval` and its kind, in the current shell. Pieces that are not known stand for any code, which is
    /// noted; what is known around them is read all the same.
    pub(crate) fn code(&mut self, text: &Word, span: Span, frame: Frame) -> Outcome {
        let mut source = String::new();
        let mut all_known = true;
        for piece in &text.pieces {
            match piece {
                Piece::Literal(known) | Piece::Glob(known) => source.push_str(known),
                Piece::Unknown(unknown) => {
                    all_known = false;
                    let name = format!("__unknown_{}", self.changed.len());
                    source.push_str(&format!("${{{name}}}"));
                    let value = Value::Text(vec![Piece::Unknown(unknown.clone())]);
                    self.set(&name, Entry::new(value, false));
                }
            }
        }
        if !all_known {
            self.opaque(Why::Code, span, self.current);
            if text.pieces.iter().all(|piece| matches!(piece, Piece::Unknown(_))) {
                return Outcome::unknown();
            }
        }
        if source.len() > MAX_VALUE || !self.spend(1 + source.len() / 64, span) {
            self.opaque(Why::Limit, span, self.current);
            return Outcome::unknown();
        }
        self.deeper(span, |run| {
            let tree = read::read(&source, Base::Fixed(span), run.depth.min(read::MAX_DEPTH));
            run.framed(frame, |run| run.tree(&tree))
        })
    }

    /// Gives a name its value. Where the name cannot take it (`readonly`), the old value may hold too.
    pub(crate) fn set(&mut self, name: &str, mut entry: Entry) {
        if let Some(before) = self.state.get(name).filter(|before| before.readonly || before.case.is_some()) {
            entry.case = entry.case.or(before.case);
            if before.readonly {
                let all = before.values.iter().chain(entry.values.iter()).cloned().collect();
                entry.values = crate::scope::bounded(name, all);
                entry.readonly = true;
            }
        }
        if let Some(case) = entry.case {
            entry.values = entry.values.iter().map(|value| with_case(value, case)).collect();
        }
        self.narrow(name, entry);
    }

    /// Puts an entry in place as it is.
    pub(crate) fn narrow(&mut self, name: &str, entry: Entry) {
        let name: Rc<str> = Rc::from(name);
        self.state.set(&name, entry);
        self.changed.push(name);
    }
}

/// A value in the letter case its variable gives it.
fn with_case(value: &Value, case: Case) -> Value {
    let Value::Text(pieces) = value else { return value.clone() };
    let change = |piece: &Piece| match piece {
        Piece::Literal(text) => Piece::Literal(match case {
            Case::Upper => text.to_uppercase(),
            Case::Lower => text.to_lowercase(),
        }),
        Piece::Glob(_) | Piece::Unknown(_) => piece.clone(),
    };
    Value::Text(pieces.iter().map(change).collect())
}
