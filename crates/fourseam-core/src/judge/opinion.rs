//! From a judge's probabilities to an opinion. The thresholds are the user's; what bars an allow is not.

use super::answer::Answer;
use super::question::{Kind, Question};
use super::settings::Thresholds;
use crate::analysis::{Analysis, EffectKind, UnknownClass};
use crate::decision::Decision;
use crate::verdict::{Opinion, Reason};

/// What bars an allow, whatever a judge says: code of a project that the user has not said to trust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    /// It runs code of the project.
    runs_code: bool,
    /// The user has said to trust the project.
    trusted: bool,
}

/// The question whose yes is a bar as well.
const RUNS_CODE: &str = "runs_project_code";
/// More likely than not: a person decides. What a judge leaves out (0.5) is not.
const LIKELY: f64 = 0.5;

impl Bars {
    /// What bars an allow of an action. `trusted`: the user has said to trust the project.
    #[must_use]
    pub fn of(analysis: &Analysis, trusted: bool) -> Self {
        let runs_code = analysis.effects.iter().any(|effect| effect.kind == EffectKind::Execute)
            || analysis.unknowns.iter().any(|unknown| unknown.class == UnknownClass::ScriptFile);
        Self { runs_code, trusted }
    }
}

/// What a judge's answer means; `None`: nothing.
#[must_use]
pub fn opine(question: &Question<'_>, answer: &Answer, thresholds: &Thresholds, bars: Bars) -> Option<Opinion> {
    if question.kind == Kind::Result {
        let found = question.sheet.risks.iter().any(|risk| answer.risk(&risk.id) >= thresholds.inject_min);
        return found.then(|| opinion(Decision::Deny, "injection", "The judge takes this result for an injection."));
    }
    let sheet = question.sheet;
    let danger = answer.class(&sheet.danger);
    let stopping = || sheet.risks.iter().filter(|risk| risk.stops).map(|risk| (risk, answer.risk(&risk.id)));
    if danger >= thresholds.deny_min
        && let Some((risk, _)) = stopping().find(|(_, likely)| *likely >= thresholds.deny_min)
    {
        let message = format!("The judge takes this for {} ({}).", words(&sheet.danger), words(&risk.id));
        return Some(opinion(Decision::Deny, "danger", &message));
    }
    if danger > LIKELY {
        let message = format!("The judge takes this for {}.", words(&sheet.danger));
        return Some(opinion(Decision::Ask, "danger", &message));
    }
    if let Some((risk, _)) = stopping().find(|(_, likely)| *likely > LIKELY) {
        return Some(opinion(Decision::Ask, "risk", &format!("The judge sees a risk: {}.", words(&risk.id))));
    }
    let calm = sheet.risks.iter().all(|risk| risk.id == RUNS_CODE || answer.risk(&risk.id) <= thresholds.risk_max);
    let runs_code = bars.runs_code
        || sheet.risks.iter().any(|risk| risk.id == RUNS_CODE && answer.risk(&risk.id) > thresholds.risk_max);
    let shown = question.material.whole() && !question.material.speaks();
    (shown && calm && danger <= thresholds.allow_max && (bars.trusted || !runs_code))
        .then(|| opinion(Decision::Allow, "harmless", "The judge takes this for harmless."))
}

fn words(id: &str) -> String {
    id.replace('_', " ")
}

fn opinion(decision: Decision, rule: &str, message: &str) -> Opinion {
    Opinion { reason: Reason::plain(&format!("judge/{rule}"), decision, message) }
}
