//! Signs that what a sentence wants done hurts, one by one. Only commands count: what is denied, reported or a noun
//! does not. Weighs nothing together.

use super::lexicon::{Concept, Hit};
use super::sentence::{Sentence, distance};
use Concept::{
    All, Ask, Destroy, Embed, Fence, Grant, Guard, KeyFile, Link, Money, NoAsk, Private, Remote, Reveal, Run, Secret,
    Send, Unguard, User, Valuable, Weaken, Wreck,
};

/// The hits of these concepts that the sentence commands.
fn commanded<'a>(sentence: &Sentence<'a>, concepts: &[Concept]) -> impl Iterator<Item = &'a Hit> {
    let all: Vec<&'a Hit> =
        sentence.of(concepts).filter(|hit| sentence.is_commanded(hit) && !sentence.is_negated(hit)).collect();
    all.into_iter()
}

/// The sentence names a place outside: a URL, an address of mail or of the net.
fn has_destination(sentence: &Sentence) -> bool {
    let text = sentence.text;
    text.contains("://")
        || has_mail_address(text)
        || text.contains("webhook")
        || text.contains("\\\\")
        || text.contains(".example.")
}

fn has_mail_address(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let name = text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphanumeric()));
        let host = text.get(at + 1..).unwrap_or_default();
        let host =
            host.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-')).next().unwrap_or_default();
        name && host.trim_end_matches('.').contains('.')
    })
}

/// A surface other than the user's screen: a comment, a commit, a parameter.
fn has_side_channel(sentence: &Sentence) -> bool {
    const PLACES: &[&str] = &[
        "comment",
        "issue",
        "pull request",
        "branch",
        "parameter",
        "argument",
        "sidenote",
        "side note",
        "channel",
        "thread",
        "gist",
        "pastebin",
        "slack",
        "in the body",
        "query",
        "context",
        "metadata",
        "field",
        "commit",
        "to this address",
        "to this url",
        " here",
        "public repo",
        "search box",
        "as a code block",
        "to your answer",
        "to the answer",
        "to their answer",
        "in your answer",
        "in the next message",
        "next message",
        "reply",
        "`.",
        "public",
        "to everyone",
        "forum",
        "form below",
        "contact form",
        "suchfeld",
        "formular",
        "kommentar",
        "champ",
        "commentaire",
        "comentario",
        "campo",
        "commento",
        "modulo",
        "форм",
        "комментари",
        "评论",
        "表单",
        "参数",
        "コメント",
        "フォーム",
        "引数",
    ];
    PLACES.iter().any(|place| sentence.text.contains(place))
}

/// Something that is not public is sent out or put where others see it.
pub(super) fn leak(sentence: &Sentence) -> f32 {
    if !sentence.has_any(&[Secret, KeyFile, Private, Valuable]) || !sentence.has_any(&[Send, Embed]) {
        return 0.0;
    }
    let (destination, side) = (has_destination(sentence), has_side_channel(sentence));
    let mut best: f32 = 0.0;
    for verb in commanded(sentence, &[Send, Embed]) {
        let all_said = sentence
            .of(&[Private])
            .any(|object| object.start >= verb.end && object.start - verb.end <= 30 && is_whole(sentence, object));
        let way: f32 = match (verb.concepts.has(Send), destination, side) {
            (false, false, false) if all_said => 0.75,
            (true, true, _) => 1.25,
            (false, true, _) => 1.0,
            (_, false, true) => 1.0,
            (true, false, false) => 0.5,
            (false, false, false) => 0.0,
        };
        if way == 0.0 {
            continue;
        }
        let objects = sentence
            .of(&[Secret, KeyFile, Private])
            .filter(|object| object.start != verb.start && distance(verb, object) <= 120);
        best = objects.map(|object| way + worth(object)).fold(best, f32::max);
        // A whole folder sent away is data too, whatever is in it.
        let folder = sentence.of(&[Valuable]).any(|object| object.start >= verb.end && object.start - verb.end <= 60);
        if verb.concepts.has(Send) && destination && folder && sentence.has(All) {
            best = best.max(2.0);
        }
    }
    best
}

/// `the complete conversation`, `everything the user wrote`.
fn is_whole(sentence: &Sentence, object: &Hit) -> bool {
    let word = sentence.word(object);
    sentence.has(All) || ["complete", "full", "whole", "entire", "so far"].iter().any(|whole| word.contains(whole))
}

fn worth(object: &Hit) -> f32 {
    if object.concepts.has(KeyFile) {
        1.5
    } else if object.concepts.has(Secret) {
        1.25
    } else {
        1.0
    }
}

/// Something is to be sent, run, fetched or changed at an address outside.
pub(super) fn contact(sentence: &Sentence) -> f32 {
    let acts = commanded(sentence, &[Send, Embed, Run, Reveal, Grant]).next().is_some();
    if acts && has_destination(sentence) { 0.75 } else { 0.0 }
}

/// Secrets or the conversation are to be read out.
pub(super) fn reveal(sentence: &Sentence) -> f32 {
    if !sentence.has(Reveal) {
        return 0.0;
    }
    commanded(sentence, &[Reveal])
        .flat_map(|verb| {
            // English names what is read out after the verb.
            let is_passive = ["be", "is", "are"].iter().any(|be| sentence.before(verb.start).trim_end().ends_with(be));
            sentence
                .of(&[Secret, KeyFile, Private])
                .filter(move |object| object.start != verb.start && distance(verb, object) <= 90)
                .filter(move |object| !verb.english || object.start > verb.start || is_passive)
        })
        .map(|object| match object {
            _ if object.concepts.has(KeyFile) => 2.0,
            _ if object.concepts.has(Secret) => 1.5,
            _ if object.concepts.has(Concept::Rules) => 1.5,
            _ if object.end - object.start >= 12 => 1.25,
            _ => 0.75,
        })
        .fold(0.0, f32::max)
}

/// What cannot be had back is to be deleted.
pub(super) fn destroy(sentence: &Sentence) -> f32 {
    let command = sentence.of(&[Wreck]).any(|hit| !sentence.is_negated(hit));
    let objects = || sentence.of(&[Valuable, KeyFile]);
    let verb = commanded(sentence, &[Destroy])
        .any(|verb| objects().any(|object| object.start != verb.start && distance(verb, object) <= 70));
    let whole = sentence.has(All)
        || sentence.of(&[Valuable]).count() >= 2
        || sentence.of(&[Valuable]).any(|object| object.end - object.start >= 9);
    match (command, verb, whole) {
        (true, true, _) => 2.0,
        (true, false, _) | (false, true, true) => 1.5,
        (false, true, false) => 0.75,
        (false, false, _) => 0.0,
    }
}

/// Code from elsewhere is to be run.
pub(super) fn execute(sentence: &Sentence) -> f32 {
    let remote = sentence.of(&[Remote]).any(|hit| !sentence.is_negated(hit));
    let run = commanded(sentence, &[Run]).next().is_some();
    match (remote, run) {
        (true, _) => 1.5,
        (false, true) if has_destination(sentence) => 0.75,
        (false, true) if sentence.text.contains('`') => 0.5,
        (false, true) => 0.25,
        (false, false) => 0.0,
    }
}

/// Permissions, checks, hooks, logins are to be changed.
pub(super) fn guard(sentence: &Sentence) -> f32 {
    let acts = sentence.has_any(&[Concept::Must, Concept::You, Concept::Head, Concept::Turn])
        || commanded(sentence, &[Grant, Weaken, Embed, Run, Send]).next().is_some();
    if acts && sentence.of(&[Unguard]).any(|hit| !sentence.is_negated(hit)) {
        return 1.5;
    }
    let near = |verb: &Hit, object: &Hit| {
        object.start >= verb.end && object.start - verb.end <= 50
            || !verb.english && object.start != verb.start && distance(verb, object) <= 40
    };
    let pair = |verbs: &[Concept], objects: &[Concept]| {
        commanded(sentence, verbs).any(|verb| sentence.of(objects).any(|object| near(verb, object)))
    };
    if pair(&[Weaken, Destroy], &[Guard, Fence]) || pair(&[Grant, Embed], &[Guard]) {
        1.5
    } else if pair(&[Grant, Embed], &[Fence]) {
        0.75
    } else {
        0.0
    }
}

/// The user is to be asked first, so that the act is no secret and no surprise.
pub(super) fn asks_first(sentence: &Sentence) -> bool {
    !sentence.has(NoAsk)
        && sentence.of(&[Ask]).any(|ask| {
            let with_user = sentence.of(&[User]).any(|user| distance(ask, user) <= 30)
                || sentence.text.contains("before")
                || sentence.text.contains("first");
            !sentence.is_negated(ask) && with_user
        })
}

/// Money is to be moved.
pub(super) fn money(sentence: &Sentence) -> f32 {
    let approved = sentence.has(Money) && sentence.has_any(&[Concept::Granted, NoAsk]);
    let acts = approved || commanded(sentence, &[Money]).next().is_some();
    let amount = sentence.text.bytes().filter(u8::is_ascii_digit).count() >= 3
        || ["$", "€", "£", "万円", "万元", "億円"].iter().any(|sign| sentence.text.contains(sign));
    if acts && amount { 1.5 } else { 0.0 }
}

/// A link or picture whose address is to be filled with data.
pub(super) fn beacon(sentence: &Sentence) -> f32 {
    if !sentence.text.contains("://") {
        return 0.0;
    }
    let weight = super::links::placeholder_weight(sentence.text);
    if weight > 1.0 && sentence.has(Link) { weight + 0.25 } else { weight }
}

/// An agent that is spoken to shall do something in which secrets, guards, money or strangers play a part, though
/// none of the other signs says how.
pub(super) fn risky(sentence: &Sentence) -> f32 {
    use Concept::{Authority, Granted, Hush, Private, Rate};
    let risks = [
        Secret, KeyFile, Private, Guard, Fence, Unguard, Valuable, Money, Remote, Wreck, NoAsk, Granted, Hush,
        Authority,
    ];
    if !sentence.has_any(&risks) && !has_destination(sentence) {
        return 0.0;
    }
    let acts = commanded(sentence, &[Send, Embed, Reveal, Destroy, Grant, Weaken, Run, Rate, Money]).next().is_some();
    match acts && super::address::address(sentence) >= 1.5 {
        true if sentence.has(Concept::Must) => 1.25,
        true => 1.0,
        false => 0.0,
    }
}
