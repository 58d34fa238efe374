//! Whether a judge is to be asked about a call, and what comes of it. The rules of that are the core's; this only
//! brings the policy, the questions and the model together.

use crate::engine::Engine;
use crate::home::Home;
use crate::judge;
use crate::policy::{self, LayerFile};
use fourseam_core::Decided;
use fourseam_core::action::HookCall;
use fourseam_core::decision::Decision;
use fourseam_core::judge::{Bars, JudgeNote, JudgeSettings, Kind, opine, wanted};
use fourseam_core::verdict::{Opinion, Reason};

/// What is needed beside the call.
pub(crate) struct Court<'a> {
    /// State folder: the cache and the breaker.
    pub(crate) home: Option<&'a Home>,
    /// The judge of the policy.
    pub(crate) settings: &'a JudgeSettings,
    /// The user has said to trust the project.
    pub(crate) trusted: bool,
    /// The project's policy in plain words, if it is trusted.
    pub(crate) project_text: Option<String>,
}

impl<'a> Court<'a> {
    /// The judge of a policy, for calls in a folder.
    pub(crate) fn new(home: Option<&'a Home>, settings: &'a JudgeSettings, engine: &Engine, cwd: Option<&str>) -> Self {
        let words = cwd.and_then(|cwd| policy::words_of_project(cwd, home)).filter(LayerFile::is_trusted);
        Self { home, settings, trusted: engine.trusts_project(), project_text: words.map(|file| file.text) }
    }
}

/// What a judge said, for the record, and the opinion that came of it.
pub(crate) struct Consulted {
    /// For the record.
    pub(crate) note: JudgeNote,
    /// For the verdict.
    pub(crate) opinion: Option<Opinion>,
}

/// Asks the judge where the rules left a question. `before` runs just before the network is used.
pub(crate) fn consult(
    court: &Court<'_>,
    call: &HookCall,
    decided: &Decided,
    before: impl FnOnce(),
) -> Option<Consulted> {
    let kind = wanted(call, decided, court.settings)?;
    before();
    consult_about(court, kind, call, decided)
}

/// As [`consult`], whatever the rules say.
pub(crate) fn consult_about(court: &Court<'_>, kind: Kind, call: &HookCall, decided: &Decided) -> Option<Consulted> {
    let questions = fourseam_packs::questions()?;
    let texts: Vec<&str> =
        court.settings.policy_text.as_deref().into_iter().chain(court.project_text.as_deref()).collect();
    let text = (!texts.is_empty()).then(|| texts.join("\n\n"));
    let question = questions.about(kind, call, &decided.analysis, text.as_deref());
    let note = judge::ask(court.home, court.settings, &question);
    let opinion = match (&note.answer, &note.trouble) {
        (Some(answer), _) => {
            opine(&question, answer, &court.settings.thresholds, Bars::of(&decided.analysis, court.trusted))
        }
        // A result is only watched: there a failure is recorded, and no more.
        (None, Some(trouble)) if kind != Kind::Result => on_error(court.settings, trouble),
        (None, _) => None,
    };
    Some(Consulted { note, opinion })
}

/// What a judge that fails means.
fn on_error(settings: &JudgeSettings, trouble: &str) -> Option<Opinion> {
    let decision = Decision::from(settings.on_error);
    let message = format!("The rules leave this open, and the judge did not answer: {trouble}.");
    (decision > Decision::Abstain).then(|| Opinion { reason: Reason::plain("judge/failure", decision, message) })
}
