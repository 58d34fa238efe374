//! Expands written words: braces, tildes, parameters, substitutions. What fields they make is in `fields`.

use super::brace::{self, Item};
use super::fields::{self, Atom, Mode};
use super::{Outcome, Output, Run};
use crate::ir::{Frame, Piece, Span, Stdin, Unknown, UnknownFrom, Word};
use crate::scope::{CWD, PREVIOUS_CWD, Value};
use crate::tree::{Body, Part, PartKind, Word as Written};

impl Run {
    /// The words a written word becomes: none, one or several.
    pub(crate) fn words_of(&mut self, word: &Written) -> Vec<Word> {
        if let [Part { kind: PartKind::Text(text), quoted }] = word.parts.as_slice()
            && (*quoted || !text.contains(['*', '?', '[', '{', '~', '(']))
        {
            let pieces = if text.is_empty() { Vec::new() } else { vec![Piece::Literal(text.clone())] };
            return vec![Word { pieces, span: word.span, quoted: *quoted }];
        }
        let Some(alternatives) = brace::expand(&word.parts) else {
            let unknown = Unknown { source: String::from("{...}"), from: UnknownFrom::Other, may_split: true };
            return vec![Word { pieces: vec![Piece::Unknown(unknown)], span: word.span, quoted: false }];
        };
        let mut words = Vec::new();
        for items in alternatives {
            let atoms = self.atoms(&items, false);
            words.extend(self.fields(atoms, word.span, Mode::Words));
        }
        words
    }

    /// One word, whatever is in it: a case subject, a here-string, an operand.
    pub(crate) fn single(&mut self, word: &Written) -> Word {
        self.one(word, false, Mode::Single)
    }

    /// The right side of an assignment.
    pub(crate) fn assignment_word(&mut self, word: &Written) -> Word {
        self.one(word, true, Mode::Single)
    }

    /// The right side of an assignment that is an argument: as an assignment, but braces expand.
    pub(crate) fn declared_words(&mut self, word: &Written) -> Vec<Word> {
        let Some(alternatives) = brace::expand(&word.parts) else { return vec![self.assignment_word(word)] };
        if alternatives.len() == 1 {
            return vec![self.assignment_word(word)];
        }
        let mut words = Vec::new();
        for items in alternatives {
            let atoms = self.atoms(&items, true);
            words.extend(self.fields(atoms, word.span, Mode::Single));
        }
        words
    }

    /// The file of a redirect.
    pub(crate) fn target(&mut self, word: &Written) -> Word {
        self.one(word, false, Mode::Target)
    }

    /// The body of a heredoc.
    pub(crate) fn heredoc(&mut self, body: &Written) -> Word {
        self.framed(Frame::Heredoc, |run| run.one(body, false, Mode::Single))
    }

    fn one(&mut self, word: &Written, assignment: bool, mode: Mode) -> Word {
        let items: Vec<Item> = word.parts.iter().map(Item::Part).collect();
        let atoms = self.atoms(&items, assignment);
        let quoted = word.parts.iter().any(|part| part.quoted);
        let fallback = Word { pieces: Vec::new(), span: word.span, quoted };
        self.fields(atoms, word.span, mode).pop().unwrap_or(fallback)
    }

    fn fields(&mut self, atoms: Vec<Atom>, span: Span, mode: Mode) -> Vec<Word> {
        let ifs = if atoms.iter().any(|atom| matches!(atom, Atom::Value(_) | Atom::Break { .. })) {
            self.separators()
        } else {
            String::new()
        };
        let mut words = fields::split(atoms, &ifs, span, mode);
        let size: usize = words.iter().map(|word| super::simple::size(&word.pieces)).sum();
        if !self.spend(size / 64 + words.len() / 2, span) {
            words.truncate(1);
        }
        words
    }

    /// What `IFS` holds.
    pub(crate) fn separators(&mut self) -> String {
        match self.state.get("IFS").map(|entry| entry.values.as_ref()) {
            Some([Value::Text(pieces)]) => match pieces.as_slice() {
                [] => String::new(),
                [Piece::Literal(text)] => text.clone(),
                _ => " \t\n".to_owned(),
            },
            _ => " \t\n".to_owned(),
        }
    }

    fn atoms(&mut self, items: &[Item], assignment: bool) -> Vec<Atom> {
        let mut atoms = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let last = at + 1 == items.len();
            match item {
                Item::Text(text) => self.source_text(text, at == 0, last, assignment, &mut atoms),
                Item::Part(Part { kind: PartKind::Text(text), quoted: false }) => {
                    self.source_text(text, at == 0, last, assignment, &mut atoms);
                }
                Item::Part(part) => self.part(part, &mut atoms),
            }
        }
        atoms
    }

    /// A part of the word behind an operator of `${...}`.
    pub(crate) fn operand_part(&mut self, part: &Part, atoms: &mut Vec<Atom>) {
        match part {
            Part { kind: PartKind::Text(text), quoted: false } => {
                self.source_text(text, atoms.is_empty(), true, false, atoms)
            }
            part => self.part(part, atoms),
        }
    }

    fn part(&mut self, part: &Part, atoms: &mut Vec<Atom>) {
        match &part.kind {
            PartKind::Text(text) if part.quoted => atoms.push(Atom::Quoted(text.clone())),
            PartKind::Text(text) => atoms.push(Atom::Source(text.clone())),
            PartKind::Parameter(parameter) => self.parameter(parameter, part.quoted, atoms),
            PartKind::Substitution(body) => {
                let pieces = self.substitution(body);
                push_pieces(pieces, part.quoted, atoms);
            }
            PartKind::Process(body) => {
                let piece = self.process(body, Self::is_output_process(&part.kind));
                atoms.push(Atom::Unknown(piece));
            }
            PartKind::Arithmetic(expression, source) => {
                let pieces = match self.arithmetic_value(expression) {
                    Some(value) => vec![Piece::Literal(value.to_string())],
                    None => vec![other(source)],
                };
                push_pieces(pieces, part.quoted, atoms);
            }
        }
    }

    /// Unquoted text of the source, tildes expanded.
    fn source_text(&mut self, text: &str, first: bool, last: bool, assignment: bool, atoms: &mut Vec<Atom>) {
        if !text.contains('~') {
            atoms.push(Atom::Source(text.to_owned()));
            return;
        }
        let mut rest = text;
        let mut may_begin = first;
        if first && !assignment {
            // `NAME=~/x` as an argument expands like an assignment.
            if let Some((name, value)) = text.split_once('=')
                && !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            {
                atoms.push(Atom::Source(format!("{name}=")));
                rest = value;
            }
        }
        loop {
            if may_begin && rest.starts_with('~') {
                let end = rest.find(if assignment { ['/', ':'] } else { ['/', '/'] }).unwrap_or(rest.len());
                let (prefix, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                if !after.is_empty() || last {
                    atoms.push(self.tilde(prefix));
                    rest = after;
                }
            }
            let next = if assignment { rest.find(':').map(|at| at + 1) } else { None };
            match next.and_then(|at| rest.split_at_checked(at)) {
                Some((part, after)) => {
                    atoms.push(Atom::Source(part.to_owned()));
                    rest = after;
                    may_begin = true;
                }
                None => break,
            }
        }
        if !rest.is_empty() {
            atoms.push(Atom::Source(rest.to_owned()));
        }
    }

    fn tilde(&mut self, prefix: &str) -> Atom {
        let name = match prefix {
            "~" => "HOME",
            "~+" => CWD,
            "~-" => PREVIOUS_CWD,
            _ => return Atom::Plain(prefix.to_owned()),
        };
        let from = match self.value(name) {
            Value::Text(pieces) => match pieces.as_slice() {
                [] => return Atom::Plain(String::new()),
                [Piece::Literal(text)] => return Atom::Plain(text.clone()),
                [Piece::Unknown(unknown)] => unknown.from.clone(),
                _ => UnknownFrom::Other,
            },
            Value::NotKnown | Value::Unset if name == "HOME" => UnknownFrom::Variable(name.to_owned()),
            Value::NotKnown | Value::Unset | Value::Array(_) | Value::Function(_) => UnknownFrom::Other,
        };
        Atom::Unknown(Unknown { source: prefix.to_owned(), from, may_split: false })
    }

    /// What `$( )` becomes: the text its commands write, if that is known.
    pub(crate) fn substitution(&mut self, body: &Body) -> Vec<Piece> {
        self.faults(&body.faults);
        let first = self.script.commands.len();
        let span = body.span;
        let outcome = self.inner(body, Frame::Substitution, span);
        let ways = outcome.output.ways();
        let way = match ways {
            [single] => Some(single),
            _ => self.choices.choose(ways.len()).and_then(|index| ways.get(index)),
        };
        match way {
            Some(Some(text)) => {
                let mut pieces = text.clone();
                trim_newlines(&mut pieces);
                pieces
            }
            Some(None) | None => {
                let commands = (first..self.script.commands.len()).collect();
                let from = UnknownFrom::Output(commands);
                vec![Piece::Unknown(Unknown { source: body.source.clone(), from, may_split: false })]
            }
        }
    }

    /// `<( )` or `>( )`: a path; its commands run beside this one.
    fn process(&mut self, body: &Body, output: bool) -> Unknown {
        self.faults(&body.faults);
        let stdin = self.stdin.clone();
        if output {
            self.stdin = Stdin::Pipe(self.current.into_iter().collect());
        }
        let first = self.script.commands.len();
        self.inner(body, Frame::ProcessSubstitution, body.span);
        self.stdin = stdin;
        let commands = (first..self.script.commands.len()).collect();
        Unknown { source: body.source.clone(), from: UnknownFrom::Process(commands), may_split: false }
    }

    fn inner(&mut self, body: &Body, frame: Frame, span: Span) -> Outcome {
        let pipeline = self.pipeline.take();
        let background = std::mem::take(&mut self.background);
        let negated = std::mem::take(&mut self.negated);
        let leaves = self.leaves;
        let mut outcome = self.deeper(span, |run| run.subshell(|run| run.framed(frame, |run| run.list(&body.list))));
        if self.leaves > leaves {
            outcome.output = outcome.output.or(&Output::unknown());
        }
        self.pipeline = pipeline;
        self.background = background;
        self.negated = negated;
        outcome
    }

    /// What the commands of a process substitution write, if all of it is known.
    pub(crate) fn process_text(&self, commands: &[usize]) -> Option<Word> {
        let mut pieces = Vec::new();
        for index in commands {
            let command = self.script.commands.get(*index)?;
            // Only what is written straight into it counts.
            if command.inside.last() != Some(&Frame::ProcessSubstitution) || !command.redirects.is_empty() {
                return None;
            }
            if command.pipeline.index + 1 == command.pipeline.len {
                pieces.extend(command.output.as_ref()?.pieces.iter().cloned());
            }
        }
        (!commands.is_empty()).then(|| Word {
            pieces: super::simple::merged(pieces),
            span: Span::default(),
            quoted: false,
        })
    }
}

/// Pieces of a value where an expansion stands.
pub(crate) fn push_pieces(pieces: Vec<Piece>, quoted: bool, atoms: &mut Vec<Atom>) {
    if quoted && pieces.is_empty() {
        atoms.push(Atom::Quoted(String::new()));
    }
    for piece in pieces {
        atoms.push(match piece {
            Piece::Literal(text) if quoted => Atom::Quoted(text),
            Piece::Literal(text) => Atom::Value(text),
            Piece::Glob(text) => Atom::Glob(text, quoted),
            Piece::Unknown(unknown) => {
                // A quoted list of parameters is still any number of words.
                let list = matches!(unknown.source.as_str(), "$@" | "${@}") && unknown.from == UnknownFrom::Other;
                Atom::Unknown(Unknown { may_split: !quoted || list, ..unknown })
            }
        });
    }
}

/// Something that is not known and has no name.
pub(crate) fn other(source: &str) -> Piece {
    Piece::Unknown(Unknown { source: source.to_owned(), from: UnknownFrom::Other, may_split: false })
}

fn trim_newlines(pieces: &mut Vec<Piece>) {
    while let Some(Piece::Literal(text)) = pieces.last_mut() {
        text.truncate(text.trim_end_matches('\n').len());
        if !text.is_empty() {
            return;
        }
        pieces.pop();
    }
}
