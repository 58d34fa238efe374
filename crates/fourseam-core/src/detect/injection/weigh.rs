//! Weighs the signs of neighbouring sentences together. Text that talks about injections, quotes them or tests for
//! them weighs less; no single phrase is enough where ordinary texts use it too.

use super::harm;
use super::learned::{self, Features, Sum};
use super::lexicon::{Concept, Concepts, Hit};
use super::sentence::{Sentence, sentences};
use super::signs::{Kind, Sign, Signs};
use std::ops::Range;

/// A stretch of a view that reads like instructions to an agent.
#[derive(Debug)]
pub(super) struct Weighed {
    pub(super) range: Range<usize>,
    /// 3.0 and more is a finding.
    pub(super) score: f32,
    pub(super) signs: Signs,
}

/// How many sentences, and how many bytes, one instruction spans at most.
const SENTENCES: usize = 5;
const BYTES: usize = 800;

/// Stretches with a score of at least `least`, in order, none overlapping. `hidden`: the text was not meant to be seen.
pub(super) fn weigh(text: &str, hits: &[Hit], least: f32, hidden: bool) -> Vec<Weighed> {
    let sentences = sentences(text, hits);
    let mut read = Read {
        signs: signs_of_all(&sentences, hidden),
        features: vec![None; sentences.len()],
        starts: sentences.iter().map(|sentence| sentence.start).collect(),
        sentences,
        sum: Sum::new(),
    };
    let mut found: Vec<Weighed> = Vec::new();
    for first in 0..read.sentences.len() {
        let Some(best) = read.best_from(first) else { continue };
        if best.score < least {
            continue;
        }
        match found.last_mut() {
            Some(last) if last.range.end > best.range.start => {
                if best.score > last.score {
                    *last = best;
                }
            }
            Some(_) | None => found.push(best),
        }
    }
    found
}

/// A view's sentences and what is known of each.
struct Read<'a> {
    sentences: Vec<Sentence<'a>>,
    starts: Vec<usize>,
    signs: Vec<Signs>,
    /// Those that were needed so far.
    features: Vec<Option<Features>>,
    sum: Sum,
}

impl Read<'_> {
    /// Signs and learned weights together: what they say of the best stretches that start with the sentence `first`.
    fn best_from(&mut self, first: usize) -> Option<Weighed> {
        let is_short = self.sentences.len() <= SHORT;
        self.signs.get(first).filter(|own| is_short || own.any())?;
        let by_signs = best_by_signs(first, &self.sentences, &self.signs)?;
        let (commands, is_signed) = (commands(&by_signs.signs), by_signs.score >= LEAST_BY_SIGNS);
        let bound = match (commands && is_signed, is_short) {
            (true, _) => BOUND,
            (false, true) => BOUND_OF_WORDS,
            // In long texts some stretch always sounds like an order, so that words alone say nothing.
            (false, false) => return Some(Weighed { score: by_signs.score.min(SUSPECTED), ..by_signs }),
        };
        let odds = self.best_odds(first);
        Some(Weighed { score: blend(by_signs.score, odds, bound), ..by_signs })
    }

    /// The log odds of the stretch that starts with the sentence `first` and speaks most for an injection.
    fn best_odds(&mut self, first: usize) -> f32 {
        self.sum.begin();
        let mut best = f32::MIN;
        for at in first..stretch_end(&self.starts, first) {
            if let (Some(sentence), Some(features)) = (self.sentences.get(at), self.features.get_mut(at)) {
                let features = features.get_or_insert_with(|| learned::features(sentence));
                best = best.max(self.sum.add(features));
            }
        }
        best
    }
}

/// Someone is commanded, or an address is to be filled.
fn commands(signs: &Signs) -> bool {
    let sum = signs.sum(Kind::Command) + signs.sum(Kind::Company) + signs.sum(Kind::Hidden);
    sum >= 0.5 || signs.weight(Sign::Beacon) >= 1.5
}

/// 3.0 is a finding. The share of the signs, and where the bounds are, were chosen on texts that neither had seen. What the
/// signs alone find stays a finding unless the words speak clearly against it.
fn blend(by_signs: f32, odds: f32, bound: f32) -> f32 {
    let sum = odds + by_signs.clamp(-2.0, 5.0) * SHARE_OF_SIGNS - bound;
    let score = sum.mul_add(STEEPNESS, 3.0);
    if by_signs >= 3.0 && odds > CLEARLY_AGAINST { score.max(3.0) } else { score.max(by_signs.min(SUSPECTED)) }
}

/// Up to so many sentences a text is short.
const SHORT: usize = 12;
const LEAST_BY_SIGNS: f32 = 1.0;
const SHARE_OF_SIGNS: f32 = 0.8;
const BOUND: f32 = 0.95;
const BOUND_OF_WORDS: f32 = 1.25;
const STEEPNESS: f32 = 0.6;
const CLEARLY_AGAINST: f32 = -4.0;
/// What signs alone suspect is told, as no finding yet: a judge is not asked about such texts.
const SUSPECTED: f32 = 2.9;

/// Where a stretch that starts with the sentence `first` ends at the latest, of sentences that start at `starts`.
pub(super) fn stretch_end(starts: &[usize], first: usize) -> usize {
    let from = starts.get(first).copied().unwrap_or_default();
    let near = starts.iter().skip(first).take(SENTENCES).take_while(|start| **start - from <= BYTES).count();
    first + near
}

/// The best stretch that starts with the sentence `first` by its signs; of equals the shortest.
fn best_by_signs(first: usize, sentences: &[Sentence], signs: &[Signs]) -> Option<Weighed> {
    let start = sentences.get(first)?.start;
    let mut joined = Signs::default();
    let mut best: Option<Weighed> = None;
    for (at, sentence) in sentences.iter().enumerate().skip(first).take(SENTENCES) {
        let own = signs.get(at)?;
        if at > first && (sentence.start - start > BYTES || !reaches_over(&joined, own, sentence)) {
            break;
        }
        // A closing mark and then a heading are one imitation.
        let imitates = joined.weight(Sign::FakeTurn) >= 2.0 && own.weight(Sign::FakeTurn) >= 1.0;
        joined.join(own);
        if imitates {
            joined.raise(Sign::FakeTurn, 3.0);
        }
        let score = score(&joined) - discussion(sentences, first, at);
        if best.as_ref().is_none_or(|best| score > best.score) {
            best = Some(Weighed { range: start..sentence.range().end, score, signs: joined });
        }
    }
    best
}

/// A command goes on in the next sentence; what only keeps such company does not. A new paragraph goes on after an
/// imitated turn or where it commands itself.
fn reaches_over(joined: &Signs, next: &Signs, sentence: &Sentence) -> bool {
    let commands = joined.sum(Kind::Command) >= 1.25
        || next.sum(Kind::Command) >= 1.25
        || joined.weight(Sign::Authority) >= 1.0
        || joined.weight(Sign::FakeTurn) >= 1.0
        || next.weight(Sign::Hush) >= 1.25;
    let turn = joined.weight(Sign::FakeTurn) >= 1.0
        || next.weight(Sign::FakeTurn) >= 1.0
        || joined.weight(Sign::Override) >= 2.0;
    commands && (!sentence.opens_paragraph || turn)
}

/// Command, company and harm together. Speaking to an agent alone, or a risky command alone, stays below a finding.
fn score(signs: &Signs) -> f32 {
    let mut agency = signs.sum(Kind::Command) + signs.sum(Kind::Company).min(2.5);
    // `Assistant: ...` in a transcript is a speaker, and not called as well.
    if signs.weight(Sign::FakeTurn) < 1.5 {
        agency -= signs.weight(Sign::FakeTurn).min(signs.weight(Sign::Address));
    }
    let risky = signs.weight(Sign::Risky);
    let harm = (signs.sum(Kind::Harm) - risky).clamp(risky, 3.0);
    let sum = agency + harm + signs.sum(Kind::Hidden);
    let is_strong = [
        (Sign::Override, 2.0),
        (Sign::Verdict, 2.0),
        (Sign::Puzzle, 2.0),
        (Sign::Conceal, 2.0),
        (Sign::FakeTurn, 2.0),
        (Sign::Beacon, 2.0),
        (Sign::Steer, 2.0),
    ]
    .iter()
    .any(|(sign, least)| signs.weight(*sign) >= *least);
    let is_strong = is_strong
        || signs.weight(Sign::Conceal).max(signs.weight(Sign::Hush)) >= 1.25 && signs.weight(Sign::Address) >= 1.5
        || signs.weight(Sign::Conceal) >= 1.25 && signs.weight(Sign::Hijack) >= 1.0
        || signs.weight(Sign::Persona) >= 1.5 && signs.weight(Sign::Override) >= 1.0
        || signs.weight(Sign::Falsify) >= 1.0 && signs.weight(Sign::Address) >= 1.5
        || signs.weight(Sign::Hush) >= 2.0;
    let distinct = Sign::ALL.iter().filter(|sign| sign.kind() != Kind::Harm && signs.weight(**sign) >= 1.0).count();
    let is_bait = signs.weight(Sign::Beacon) >= 2.0 && (agency > 0.0 || signs.weight(Sign::Beacon) > 2.1);
    if agency < 1.0 && !is_bait || harm < 0.75 && !is_strong && distinct < 3 { sum.min(2.5) } else { sum }
}

/// What the words of texts about attacks take off: in the stretch itself and in the sentences next to it.
fn discussion(sentences: &[Sentence], first: usize, last: usize) -> f32 {
    let (mut weight, mut often) = (0.0, 0);
    for (at, sentence) in sentences.iter().enumerate().skip(first.saturating_sub(1)).take(last + 3 - first) {
        let inside = at >= first && at <= last;
        for hit in sentence.of(&[Concept::Talk, Concept::Talkish]) {
            if is_part_of_name(sentence, hit) {
                continue;
            }
            let share = if inside { 1.0 } else { 0.6 };
            if hit.concepts.has(Concept::Talk) {
                weight += share;
            } else {
                often += 1;
            }
        }
    }
    // Of the words that other texts use too, the first says nothing.
    for _ in 1..often {
        weight += 0.35;
    }
    f32::min(weight, 2.5)
}

/// `collect.example.com`, `docs/example.md`.
fn is_part_of_name(sentence: &Sentence, hit: &Hit) -> bool {
    let before = sentence.before(hit.start);
    let after = sentence.after(hit.end);
    let follows =
        |mark: char| after.strip_prefix(mark).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
    before.ends_with(['.', '/', '@', '-', '_']) || follows('.') || follows('@') || follows('-')
}

/// The signs of each sentence. Those far from every sign of agency have none: harm alone is no finding.
fn signs_of_all(sentences: &[Sentence], hidden: bool) -> Vec<Signs> {
    let near = if hidden { vec![true; sentences.len()] } else { is_near_agency(sentences) };
    let talks: Vec<bool> = sentences.iter().map(talks).collect();
    let mut comment: Option<usize> = None;
    let mut all = Vec::with_capacity(sentences.len());
    for (at, (sentence, is_near)) in sentences.iter().zip(near).enumerate() {
        let mut signs = Signs::default();
        if is_near {
            let near = [at.checked_sub(1), Some(at), Some(at + 1)].into_iter().flatten();
            let discussed = near.filter_map(|near| talks.get(near)).any(|talks| *talks);
            let in_comment = comment.is_some_and(|opened| sentence.start - opened <= COMMENT);
            let place = match (hidden, in_comment) {
                (true, _) => 1.5,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
            signs = signs_of(sentence, discussed, place);
        }
        comment = comment_is_open(sentence, comment);
        all.push(signs);
    }
    all
}

/// Words without which a sentence neither commands an agent nor keeps such company.
const AGENCY: Concepts = Concepts::of(&[
    Concept::Drop,
    Concept::Undone,
    Concept::Turn,
    Concept::Head,
    Concept::Speaker,
    Concept::Ai,
    Concept::Agent,
    Concept::Name,
    Concept::AiSelf,
    Concept::Persona,
    Concept::Pose,
    Concept::Hijack,
    Concept::Puzzle,
    Concept::Judge,
    Concept::Trigger,
    Concept::Authority,
    Concept::Granted,
    Concept::NoAsk,
    Concept::Not,
    Concept::Hush,
    Concept::Veil,
    Concept::Link,
    Concept::Falsify,
    Concept::Steer,
]);

/// Which sentences are near one with such a word.
fn is_near_agency(sentences: &[Sentence]) -> Vec<bool> {
    let mut relevant = vec![false; sentences.len()];
    let mut marked = 0;
    for (at, sentence) in sentences.iter().enumerate() {
        let alone = sentence.text.contains("\"description\":");
        if alone || sentence.concepts.meets(AGENCY) {
            let end = (at + SENTENCES).min(sentences.len());
            let start = at.saturating_sub(SENTENCES - 1).max(marked);
            relevant.iter_mut().take(end).skip(start).for_each(|near| *near = true);
            marked = end;
        }
    }
    relevant
}

/// What hides for longer than this is no comment but a mark that was not closed, or something else.
const COMMENT: usize = 4096;

/// Where the HTML comment opened that is still open after the sentence.
fn comment_is_open(sentence: &Sentence, before: Option<usize>) -> Option<usize> {
    let marks = sentence.of(&[Concept::Hidden, Concept::Shown]);
    let last = marks.filter(|hit| hit.concepts.has(Concept::Shown) || sentence.word(hit) == "<!--").last();
    last.map_or(before, |last| (!last.concepts.has(Concept::Shown)).then_some(last.start))
}

/// The sentence is about attacks, tells of one or tests for one.
fn talks(sentence: &Sentence) -> bool {
    if !sentence.has_any(&[Concept::Talk, Concept::Talkish, Concept::Narrate, Concept::Test]) {
        return false;
    }
    sentence
        .of(&[Concept::Talk, Concept::Talkish, Concept::Narrate, Concept::Test])
        .any(|hit| !is_part_of_name(sentence, hit))
}

/// The signs of one sentence. `place`: what being in a hidden place weighs.
fn signs_of(sentence: &Sentence, discussed: bool, place: f32) -> Signs {
    let mut signs = signs_of_unquoted(sentence, discussed);
    if sentence.has(Concept::Narrate) {
        signs.scale(0.3);
    }
    if harm::asks_first(sentence) {
        signs.scale_harm(0.4);
    }
    // What a parameter's description asks for, it asks of the agent.
    let asks = signs.weight(Sign::Leak) >= 2.0
        || sentence.has(Concept::Must) && signs.weight(Sign::Leak).max(signs.weight(Sign::Contact)) >= 0.75;
    if asks && sentence.text.contains("\"description\":") {
        signs.raise(Sign::Trigger, 1.0);
    }
    signs.raise(Sign::Hidden, place);
    // Comments and hidden elements are ordinary; commands in them are not.
    if signs.sum(Kind::Command) < 1.0 && signs.sum(Kind::Company) + signs.sum(Kind::Harm) < 1.5 {
        signs.clear(Sign::Hidden);
    }
    signs
}

/// The signs without those of words that are only mentioned: quoted in a text about attacks, short strings of code,
/// patterns.
fn signs_of_unquoted(sentence: &Sentence, discussed: bool) -> Signs {
    let quotes = quotes(sentence.text);
    let is_pattern = ["\\s+", "\\s*", "(?:", "(?i", ")?"].iter().any(|mark| sentence.text.contains(mark));
    if quotes.is_empty() && !is_pattern {
        return Signs::of(sentence);
    }
    let is_mentioned = |hit: &Hit| {
        let at = hit.start - sentence.start;
        let in_quote = |quote: &Quote| {
            let mention = discussed || quote.is_short_code || quote.is_short && hit.concepts.meets(PHRASES);
            quote.range.contains(&at) && mention
        };
        is_pattern || quotes.iter().any(in_quote)
    };
    let kept: Vec<Hit> = sentence.hits.iter().filter(|hit| !is_mentioned(hit)).copied().collect();
    let mut concepts = Concepts::default();
    kept.iter().for_each(|hit| concepts.add(hit.concepts));
    Signs::of(&Sentence { hits: &kept, concepts, ..*sentence })
}

/// Words that in a short quotation are cited, not said.
const PHRASES: Concepts = Concepts::of(&[
    Concept::Drop,
    Concept::Undone,
    Concept::Persona,
    Concept::Pose,
    Concept::AiSelf,
    Concept::Hijack,
    Concept::Head,
    Concept::Speaker,
]);

/// A quotation in a sentence.
struct Quote {
    range: Range<usize>,
    /// A few words between quotation marks (not of code).
    is_short: bool,
    /// A short string of source code: an item of a list, an argument, a compared value.
    is_short_code: bool,
}

fn quotes(text: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        match open {
            Some((from, mark)) if c == closing(mark) && !(c == '\'' && next.is_alphanumeric()) => {
                quotes.extend(quote(text, from, at));
                open = None;
            }
            None if matches!(c, '"' | '`' | '«' | '「' | '『') || c == '\'' && !previous.is_alphanumeric() => {
                open = Some((at, c))
            }
            Some(_) | None => {}
        }
        previous = c;
    }
    if let Some((from, mark)) = open
        && mark != '\''
    {
        quotes.extend(quote(text, from, text.len()));
    }
    quotes
}

fn closing(open: char) -> char {
    match open {
        '«' => '»',
        '「' => '」',
        '『' => '』',
        same => same,
    }
}

/// A value of JSON is no quotation; everything else between quotation marks is.
fn quote(text: &str, from: usize, to: usize) -> Option<Quote> {
    let before = text.get(..from)?.trim_end();
    let is_json_value = before.ends_with("\":") || before.ends_with("\\\":") || before.ends_with('\\');
    let prefixed =
        ["r", "f", "b", "u"].iter().any(|prefix| before.rsplit([' ', '(', '[', ',', '=']).next() == Some(prefix));
    let code = before.ends_with(['[', '(', ',', '=', '{']) || prefixed;
    let few = to - from <= 60;
    let is_short = few && !text.get(from..)?.starts_with('`');
    (!is_json_value).then_some(Quote { range: from + 1..to, is_short, is_short_code: few && (code || prefixed) })
}
