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
    /// Folder of the call: that of the project's policy in plain words.
    pub(crate) cwd: Option<&'a str>,
}

impl<'a> Court<'a> {
    /// The judge of a policy, for calls in a folder.
    pub(crate) fn new(
        home: Option<&'a Home>,
        settings: &'a JudgeSettings,
        engine: &Engine,
        cwd: Option<&'a str>,
    ) -> Self {
        Self { home, settings, trusted: engine.trusts_project(), cwd }
    }

    /// The policy in plain words: the user's, and the project's if the user has trusted exactly that.
    fn policy_text(&self) -> Option<String> {
        let of_project =
            self.cwd.and_then(|cwd| policy::words_of_project(cwd, self.home)).filter(LayerFile::is_trusted);
        let texts: Vec<String> =
            self.settings.policy_text.clone().into_iter().chain(of_project.map(|file| file.text)).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
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
    let question = questions.about(kind, call, &decided.analysis, court.policy_text().as_deref());
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
