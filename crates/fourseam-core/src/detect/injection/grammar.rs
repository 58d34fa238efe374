//! Function words by which a sentence commands, calls or only tells. Lists are words parted by blanks.

/// The word is in the list.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// Words after which an English verb is a command.
pub(super) const LEADS: &str = "and then must should shall please now also just you always first next immediately or will instead \
    only with simply kindly hereby either both but not never so ai agents assistants llms assistant agent bot let";

/// Words before `will` by which it commands.
pub(super) const COMMANDED: &str = "you agent agents assistant assistants ai model bot and ais llms then";

/// Words before `to` after which a verb is a command.
pub(super) const INFINITIVES: &str = "required need needs have has had ought are is instructed obliged obligated asked authorised \
    authorized permitted allowed supposed expected sure assistant agent model bot ai agents assistants want wants order proceed \
    remember ahead you task goal mission job agreed step instructions necessary fail forget ready free told action objective tools try";

/// Words before a verb by which it is only possible, reported or another's.
pub(super) const TOLD_OF: &str =
    "can could may might would will i we they he she it users people cannot which who that i'll we'll";

/// Words before `to` by which a verb is a possibility.
pub(super) const POSSIBLE: &str = "used how way possible option able";

/// Words that may stand before a name that is called: `Note to all AI agents: ...`.
pub(super) const CALLING: &str = "note notes to the for dear cher chere liebe lieber querido querida estimado estimada caro cara achtung atencion atencao attenzione уважаемый дорогой hey hi hello attention all any every important message instruction \
    instructions reminder notice as a an if you are reviewers using please ok okay urgent task hint todo info automated is ai \
    nota al para el la los hinweis den die alle l aux au a las alos an agli alla pour le les per gli o os внимание для side effect and other language future \
    safety security policy guard permission coding processing";

/// Words that greet, after which no command has to follow in the same sentence.
pub(super) const GREETING: &str = "dear hey hi hello attention note внимание hinweis nota cher chere liebe lieber querido querida estimado \
    estimada caro cara achtung atencion atencao attenzione уважаемый дорогой reminder notice";

/// Words that make a condition or a generality of what follows.
pub(super) const CONDITIONS: &str = "if when whenever once as before after any every all wenn falls sobald si cuando quand lorsque se quando если когда";

/// `you are`, in front of what the reader is said to be.
pub(super) const YOU_ARE: &[&str] =
    &["you are ", "you're ", "du bist ", "tu es ", "vous etes ", "eres ", "voce e ", "voce for ", "sei ", "ты ", "вы "];

/// Articles that may follow `you are`.
pub(super) const ARTICLES: &str = "a an the ein eine un une una um uma";

/// `this`, `it`: what is not to be told.
pub(super) const THIS: &str = "this it these them that so anything das dies lo esto cela questo isso об это";

/// Words that take a step away.
pub(super) const WITHOUT: &str = "without ohne sans sin sem senza без skip";

/// `your`: the reader's own.
pub(super) const YOUR: &str = "your deine deinen tes vos tus sus suas seus tue твои ваши 你的 您的 あなたの 당신의";

/// Nouns of messages that are for someone.
pub(super) const MESSAGES: &[&str] = &[
    "note",
    "hint",
    "todo",
    "tip ",
    "memo",
    "faq",
    "thing ",
    "rule",
    "anforderung",
    "要求",
    "fixme",
    "notiz",
    "consejo",
    "aviso",
    "remarque",
    "заметка",
    "памятка",
    "message",
    "instructions",
    "task",
    "notice",
    "reminder",
    "attention",
    "important",
    "request",
    "directive",
    "hinweis",
    "nachricht",
    "anweisung",
    "nota",
    "mensaje",
    "instruccion",
    "instruc",
    "mensagem",
    "consigne",
    "messaggio",
    "istruzion",
    "инструкц",
    "сообщение",
    "указани",
];

/// Prepositions by which they are.
pub(super) const FOR: &[&str] =
    &[" to ", " for ", " an ", " fur ", " para ", " pour ", " a ", " al ", " per ", " all", " для ", "("];

/// Words after a call by which it tells rather than lists: `Model, the reviewer is asleep.`
pub(super) const TELLING: &str = "the your this our my we i it there now here that";

/// Words after which a verb is no command even where an AI was named before.
pub(super) const NO_COMMAND: &str = "the a an of his her its their our my we i they he she it can could may might would which that who to \
    for from in on by no did does do has have had is are was were been be not never and or users people as with";
