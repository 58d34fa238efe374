//! Cuts a view into sentences and answers questions about the words in one. Judges nothing.

use super::grammar::{COMMANDED, INFINITIVES, LEADS, NO_COMMAND, is_in};
use super::lexicon::{Concept, Concepts, Hit};
use std::ops::Range;

/// A stretch of text that says one thing.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    /// Where it is in the view.
    pub(super) start: usize,
    /// Its words of the lexicon, positions in the view.
    pub(super) hits: &'a [Hit],
    /// Everything its words stand for.
    pub(super) concepts: Concepts,
    /// A paragraph ends before it.
    pub(super) opens_paragraph: bool,
}

/// Longer sentences are cut: no instruction is so long, and tables and minified code have no full stops.
const LONGEST: usize = 480;

/// The sentences that hold at least one word of the lexicon, in order. Linear.
pub(super) fn sentences<'a>(text: &'a str, hits: &'a [Hit]) -> Vec<Sentence<'a>> {
    let mut sentences = Vec::new();
    let mut rest_hits = hits;
    let mut start = 0;
    let mut opens_paragraph = true;
    while start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let length = sentence_length(rest);
        let end = start + length;
        let count = rest_hits.partition_point(|hit| hit.start < end);
        let (own, others) = rest_hits.split_at_checked(count).unwrap_or((rest_hits, &[]));
        if !own.is_empty() {
            let mut concepts = Concepts::default();
            own.iter().for_each(|hit| concepts.add(hit.concepts));
            sentences.push(Sentence {
                text: text.get(start..end).unwrap_or_default(),
                start,
                hits: own,
                concepts,
                opens_paragraph,
            });
        }
        opens_paragraph =
            rest.get(..length).is_some_and(|sentence| sentence.ends_with("\n\n")) || own.is_empty() && opens_paragraph;
        rest_hits = others;
        start = end;
    }
    sentences
}

/// How long the first sentence of `text` is, its end mark and following line ends included.
fn sentence_length(text: &str) -> usize {
    let mut previous = ' ';
    let mut before_previous = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '\n' => true,
            // A single letter before the stop is an abbreviation or an initial.
            '.' => {
                next.is_none_or(|next| matches!(next, ' ' | '\n' | '"' | '<' | '`' | ')'))
                    && (!previous.is_alphabetic() || before_previous.is_alphanumeric())
            }
            '!' | '?' => next.is_none_or(|next| matches!(next, ' ' | '\n' | '"' | '<' | ')')),
            '。' | '！' | '？' | '；' => true,
            _ => at >= LONGEST && c == ' ' || at >= 2 * LONGEST,
        };
        if ends {
            let blanks = text.get(end..).map_or(0, |rest| rest.len() - rest.trim_start_matches('\n').len());
            return end + blanks;
        }
        before_previous = previous;
        previous = c;
    }
    text.len()
}

impl<'a> Sentence<'a> {
    pub(super) fn has(&self, concept: Concept) -> bool {
        self.concepts.has(concept)
    }

    pub(super) fn has_any(&self, concepts: &[Concept]) -> bool {
        self.concepts.meets(Concepts::of(concepts))
    }

    /// The words that stand for one of the concepts.
    pub(super) fn of(&self, concepts: &[Concept]) -> impl Iterator<Item = &'a Hit> + use<'a> {
        let wanted = Concepts::of(concepts);
        self.hits.iter().filter(move |hit| hit.concepts.meets(wanted))
    }

    /// A word of `first` and, after it and at most `gap` bytes on, a word of `second`.
    pub(super) fn then(&self, first: &[Concept], second: &[Concept], gap: usize) -> Option<(&'a Hit, &'a Hit)> {
        self.of(first)
            .find_map(|a| self.of(second).find(|b| b.start >= a.end && b.start - a.end <= gap).map(|b| (a, b)))
    }

    /// The text from the start of the sentence to `at` (a position in the view).
    pub(super) fn before(&self, at: usize) -> &'a str {
        self.text.get(..at.saturating_sub(self.start)).unwrap_or_default()
    }

    /// The text from `at` (a position in the view) to the end.
    pub(super) fn after(&self, at: usize) -> &'a str {
        self.text.get(at.saturating_sub(self.start)..).unwrap_or_default()
    }

    /// The word itself.
    pub(super) fn word(&self, hit: &Hit) -> &'a str {
        self.text.get(hit.start.saturating_sub(self.start)..hit.end.saturating_sub(self.start)).unwrap_or_default()
    }

    /// Where it is in the view.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// A negation stands shortly before the word and belongs to it.
    pub(super) fn is_negated(&self, hit: &Hit) -> bool {
        let own_script = !hit.english && !self.text.is_ascii();
        self.of(&[Concept::Not]).any(|not| {
            let before = not.end <= hit.start && hit.start - not.end <= 24 && self.is_one_clause(not.end, hit.start);
            // Japanese and Korean negate after the verb.
            let after = own_script
                && not.start >= hit.end
                && not.start - hit.end <= 12
                && is_cjk(self.text)
                && self.is_one_clause(hit.end, not.start);
            // So does German, at the end of the clause.
            let at_end = !hit.english
                && not.start >= hit.end
                && not.start - hit.end <= 40
                && is_in("nicht niet", self.word(not))
                && self.is_one_clause(hit.end, not.start);
            before || after || at_end
        }) || self.word(hit).starts_with("no ")
    }

    fn is_one_clause(&self, from: usize, to: usize) -> bool {
        let between = self.text.get(from.saturating_sub(self.start)..to.saturating_sub(self.start)).unwrap_or_default();
        !between.contains([',', ';', ':', '(', '、', '，'])
    }

    /// The word stands where a command has its verb: at the start of a clause, after `must`, `and`, `please`. In
    /// other languages than English every verb counts.
    pub(super) fn is_commanded(&self, verb: &Hit) -> bool {
        if !verb.english {
            return true;
        }
        let word = self.word(verb);
        let starts = || {
            ["start", "begin", "keep", "continue"]
                .iter()
                .any(|start| self.before(verb.start).trim_end().ends_with(start))
        };
        if word.ends_with("ing") && word.len() > 5 {
            return starts();
        }
        if word.starts_with("must be ") || word.starts_with("be ") {
            return true;
        }
        // A piece of a name: `db-reset`, `files.delete`.
        let joined = self.before(verb.start).strip_suffix(['-', '.', '/']);
        if joined.is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric())) {
            return false;
        }
        let before = self.before(verb.start).trim_end();
        if before.is_empty()
            || before.ends_with([
                ':', ';', ',', '.', '-', '(', '>', '[', '{', '*', '#', '"', '\'', '`', '!', '?', '|', '/', '—', '，',
                '\n',
            ])
        {
            return true;
        }
        let mut words =
            before.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).rev();
        let (last, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // `it will overwrite` tells what happens; `you will overwrite` commands.
        if last == "will" && !is_in(COMMANDED, second) {
            return false;
        }
        let leads = |word| is_in(LEADS, word);
        // Once an AI is named, a bare verb is what it shall do.
        let named = || self.of(&[Concept::Ai, Concept::Agent, Concept::Name]).any(|ai| ai.end <= verb.start);
        leads(last)
            || word.len() > 3 && !word.ends_with('s') && !is_in(NO_COMMAND, last) && named()
            || last.len() > 4 && last.ends_with("ly")
            || last == "to" && (is_in(INFINITIVES, second) || second.is_empty())
            || last == "it" && is_in("have let make", second)
            || last == "be" && (leads(second) || is_in(INFINITIVES, second))
    }
}

/// Bytes between two words.
pub(super) fn distance(a: &Hit, b: &Hit) -> usize {
    if a.start <= b.start { b.start.saturating_sub(a.end) } else { a.start.saturating_sub(b.end) }
}

fn is_cjk(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}'))
}
