//! Whether a sentence speaks to an AI: by a call, by duty, by condition. Weighs nothing together.

use super::super::view::floor;
use super::grammar::{ARTICLES, CALLING, CONDITIONS, FOR, GREETING, MESSAGES, TELLING, YOU_ARE, is_in};
use super::lexicon::{Concept, Hit};
use super::sentence::{Sentence, distance};

/// How clearly the sentence speaks to an AI.
pub(super) fn address(sentence: &Sentence) -> f32 {
    if !sentence.has_any(&[Concept::Ai, Concept::Agent, Concept::Name, Concept::AiSelf]) {
        return 0.0;
    }
    let as_self = if sentence.has(Concept::AiSelf) { 1.5 } else { 0.0 };
    let by_kind = sentence
        .of(&[Concept::Ai, Concept::Agent])
        .filter(|hit| is_spoken_to(sentence, hit) || is_obliged(sentence, hit))
        .map(|hit| if hit.concepts.has(Concept::Ai) { 1.75 } else { 1.5 });
    let by_name = sentence
        .of(&[Concept::Name])
        .filter(|hit| is_called(sentence, hit, 0) || is_condition(sentence, hit))
        .map(|_| 1.5);
    by_kind.chain(by_name).fold(as_self, f32::max)
}

/// It is called, it is the addressee, or the condition is its own.
pub(super) fn is_spoken_to(sentence: &Sentence, hit: &Hit) -> bool {
    is_called(sentence, hit, 6) || is_addressee(sentence, hit) || is_condition(sentence, hit)
}

/// `assistants must`, `the agent is required to`, `ИИ должен`.
pub(super) fn is_obliged(sentence: &Sentence, hit: &Hit) -> bool {
    let foreign = !hit.english && !sentence.text.is_ascii();
    sentence.of(&[Concept::Must]).any(|must| {
        let after = must.start >= hit.end && must.start - hit.end <= 60;
        let between = sentence.after(hit.end).get(..must.start.saturating_sub(hit.end)).unwrap_or_default();
        let own = ![" i ", " we ", " users ", " developers ", " they "].iter().any(|other| between.contains(other));
        after && own && !between.contains([',', ';', ':', '(', '`']) || foreign && distance(must, hit) <= 90
    })
}

/// `AI assistant: ...`, `To the AI reading this page: ...`, `@assistant ...`: a call, and then a command. At most
/// `between` words stand between the name and the mark that ends the call.
fn is_called(sentence: &Sentence, hit: &Hit, between: usize) -> bool {
    let before = sentence.before(hit.start);
    if before.ends_with('@') {
        return true;
    }
    let clause =
        before.rsplit([':', '.', ';', '"', '(', '>', '!', '?', '\n', '，', '：', '。']).next().unwrap_or(before);
    let words: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_calling = |word: &&str| is_in(CALLING, word) || *word == "my" && hit.concepts.has(Concept::Ai);
    if words.len() > 7 || !words.iter().all(is_calling) || before.trim_end().ends_with(',') {
        return false;
    }
    let after = sentence.after(hit.end);
    let call = after.get(..floor(after, 60)).unwrap_or(after);
    let named = call.split(['.', '\n', '`', '"', '(', '?', '|', '{', '。']).next().unwrap_or(call);
    let Some(end) = named.find([':', ',', '!', '，', '：', '、']).or_else(|| named.find(" - ")) else {
        return false;
    };
    let is_short = named.get(..end).is_some_and(|words| words.split_whitespace().count() <= between);
    let greets = words.iter().any(|word| is_in(GREETING, word));
    let next = sentence.after(hit.end + end + 1).split_whitespace().next().unwrap_or_default();
    let tells = words.is_empty() && is_in(TELLING, next);
    is_short && (greets || tells || commands_after(sentence, hit.end + end))
}

/// A verb in the imperative, a duty, a claim or `you` follows.
fn commands_after(sentence: &Sentence, at: usize) -> bool {
    use Concept::{
        Destroy, Drop, Embed, Grant, Granted, Hush, Money, Must, NoAsk, Not, Puzzle, Rate, Reveal, Run, Send, Tell,
        Trigger, Weaken, Wreck, You,
    };
    let verbs = [Drop, Send, Embed, Reveal, Destroy, Run, Grant, Weaken, Money, Rate, Puzzle, Tell];
    let clear = [Concept::Praise, Not, Hush, Must, You, NoAsk, Trigger, Granted, Wreck];
    sentence.of(&clear).any(|word| word.start >= at)
        || sentence.of(&verbs).any(|verb| verb.start >= at && sentence.is_commanded(verb))
}

/// `instructions for the assistant`, `task for the agent`, `致AI助手`.
fn is_addressee(sentence: &Sentence, hit: &Hit) -> bool {
    let before = sentence.before(hit.start);
    let tail = before.get(floor(before, before.len().saturating_sub(40))..).unwrap_or(before);
    let has_one_of = |words: &[&str]| words.iter().any(|word| tail.contains(word));
    has_one_of(FOR) && has_one_of(MESSAGES) || ["致", "给", "對", "对"].iter().any(|word| tail.ends_with(word))
}

/// `if an AI reads this`, `when the assistant processes this event`, `the bot that reads this`, `you are an agent`.
fn is_condition(sentence: &Sentence, hit: &Hit) -> bool {
    let foreign = !sentence.text.is_ascii();
    let before = sentence.before(hit.start);
    if is_said_to_be(before) {
        return true;
    }
    let reads = sentence.of(&[Concept::Reads]).any(|verb| {
        let on_reading =
            ["by", "after", "upon", "on"].iter().any(|word| sentence.before(verb.start).trim_end().ends_with(word));
        verb.start >= hit.end && verb.start - hit.end <= 40 || (foreign || on_reading) && distance(verb, hit) <= 40
    });
    let mut near = before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).rev().take(5);
    let this = sentence.has(Concept::Here)
        || ["reads this", "reading this", "handles this", "handling this", "reads these"]
            .iter()
            .any(|this| sentence.text.contains(this));
    let happens = ["you happen to be", "you might be", "you could be"].iter().any(|own| before.contains(own));
    happens || reads && (this || near.any(|word| is_in(CONDITIONS, word)))
}

/// `you are a file cleaner ` stands before it.
fn is_said_to_be(before: &str) -> bool {
    YOU_ARE.iter().filter_map(|own| before.rfind(own).and_then(|at| before.get(at + own.len()..))).any(|between| {
        let words: Vec<&str> = between.split_whitespace().collect();
        words.len() <= 4 && words.first().is_none_or(|first| is_in(ARTICLES, first))
    })
}
