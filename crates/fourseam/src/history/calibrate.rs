//! The log under another policy, and its judge's answers under other thresholds: what would change, and how sure that is.

use super::decider::{key, verdicts_of_both};
use crate::show;
use fourseam_core::action::HookCall;
use fourseam_core::analysis;
use fourseam_core::decision::Decision;
use fourseam_core::judge::{Answer, Bars, Question, Questions, Thresholds, opine};
use fourseam_core::policy::Policy;
use fourseam_core::record::{Record, RecordedWorld};
use fourseam_core::verdict::Verdict;
use fourseam_core::world::FixedWorld;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// What would change under another policy.
#[derive(Default, Serialize)]
pub(crate) struct Comparison {
    /// Calls that were decided again.
    pub(crate) calls: usize,
    /// Calls that could not be: cut, of an unknown form, or with a secret taken out.
    pub(crate) left_out: usize,
    /// Decisions of the policy in force, and of the other, in the order of [`WORDS`].
    pub(crate) before: [usize; 4],
    pub(crate) after: [usize; 4],
    /// Every action that would newly pass, and every one that would newly be stopped.
    pub(crate) looser: Vec<Change>,
    pub(crate) stricter: Vec<Change>,
}

/// The decisions that are counted.
pub(crate) const WORDS: [Decision; 4] = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];

/// An action that would be decided otherwise.
#[derive(Serialize)]
pub(crate) struct Change {
    pub(crate) action: String,
    pub(crate) count: usize,
    pub(crate) before: Decision,
    pub(crate) after: Decision,
    /// The rule that decides after, or decided before where none does.
    pub(crate) rule: String,
}

/// Decides tool calls of the log under two policies, each alike only once.
pub(crate) struct Comparer<'p> {
    before: &'p Policy,
    after: &'p Policy,
    calls: Vec<HookCall>,
    /// What each is in words, and how often it was made.
    told: Vec<(String, usize)>,
    known: HashMap<[u8; 32], usize>,
    left_out: usize,
}

impl<'p> Comparer<'p> {
    pub(crate) fn new(before: &'p Policy, after: &'p Policy) -> Self {
        Self { before, after, calls: Vec::new(), told: Vec::new(), known: HashMap::new(), left_out: 0 }
    }

    /// Takes a tool call in.
    pub(crate) fn add(&mut self, record: &Record) {
        let Some(call) = record.call().filter(|_| record.cut == 0) else {
            self.left_out += 1;
            return;
        };
        let number = *self.known.entry(key(&call)).or_insert_with(|| {
            self.calls.push(call);
            self.told.push((show::action(&record.action).unwrap_or_default(), 0));
            self.calls.len() - 1
        });
        if let Some((_, count)) = self.told.get_mut(number) {
            *count += 1;
        }
    }

    /// The comparison, most frequent changes first.
    pub(crate) fn finish(self) -> Comparison {
        let Self { before, after, calls, told, left_out, .. } = self;
        let mut comparison = Comparison { left_out, ..Comparison::default() };
        let mut changes: BTreeMap<(String, Decision, Decision, String), usize> = BTreeMap::new();
        let strongest = |verdict: &Verdict| verdict.reasons().first().map(|reason| reason.rule.clone());
        for ((was, would), (action, count)) in verdicts_of_both(&calls, before, after).iter().zip(told) {
            let (before, after) = (was.decision(), would.decision());
            comparison.calls += count;
            for (slot, word) in WORDS.iter().enumerate() {
                let add = |counts: &mut [usize; 4], decision: Decision| {
                    counts.get_mut(slot).into_iter().for_each(|sum| *sum += if decision == *word { count } else { 0 });
                };
                add(&mut comparison.before, before);
                add(&mut comparison.after, after);
            }
            if before != after {
                let rule = strongest(would).or_else(|| strongest(was)).unwrap_or_default();
                *changes.entry((action, before, after, rule)).or_default() += count;
            }
        }
        for ((action, before, after, rule), count) in changes {
            let change = Change { action, count, before, after, rule };
            // Abstain leaves the call to the agent, so an allow is looser than it.
            let list =
                if after < Decision::Ask && (before >= Decision::Ask || after == Decision::Allow) || after < before {
                    &mut comparison.looser
                } else {
                    &mut comparison.stricter
                };
            list.push(change);
        }
        for list in [&mut comparison.looser, &mut comparison.stricter] {
            list.sort_by_key(|change| std::cmp::Reverse((change.before, change.count)));
        }
        comparison
    }
}

/// The judge's answers under some thresholds.
#[derive(Serialize)]
pub(crate) struct Setting {
    pub(crate) allow_max: f64,
    pub(crate) risk_max: f64,
    pub(crate) deny_min: f64,
    /// Opinions: allow, ask, deny, none.
    pub(crate) allowed: usize,
    pub(crate) asked: usize,
    pub(crate) denied: usize,
    pub(crate) none: usize,
    /// Of the allowed, how many ran when they were judged: someone let them.
    pub(crate) allowed_that_ran: usize,
}

/// An answer of the log, what was asked, and whether the call then ran.
pub(crate) struct Answered<'r> {
    question: Question<'r>,
    bars: Bars,
    answer: &'r Answer,
    ran: bool,
}

impl<'r> Answered<'r> {
    /// The answer of a record; `None` where it has none, or its call cannot be told again.
    pub(crate) fn of(record: &'r Record, questions: &'r Questions, ran: bool) -> Option<Self> {
        let note = record.judge.as_ref()?;
        let call = record.call()?;
        let nothing = FixedWorld::default();
        let world = RecordedWorld::new(&record.world, &nothing);
        let analysis = analysis::analyse(&call, fourseam_packs::knowledge(), &world);
        let question = questions.about(note.kind, &call, &analysis, None);
        Some(Self { question, bars: Bars::of(&analysis, false), answer: note.answer.as_ref()?, ran })
    }
}

/// What answers would have meant under some thresholds.
pub(crate) fn under(thresholds: Thresholds, answered: &[Answered<'_>]) -> Setting {
    let Thresholds { allow_max, risk_max, deny_min, .. } = thresholds;
    let mut setting =
        Setting { allow_max, risk_max, deny_min, allowed: 0, asked: 0, denied: 0, none: 0, allowed_that_ran: 0 };
    for Answered { question, bars, answer, ran } in answered {
        let opinion = opine(question, answer, &thresholds, *bars);
        match opinion.map_or(Decision::Abstain, |opinion| opinion.reason.decision) {
            Decision::Abstain => setting.none += 1,
            Decision::Allow => {
                setting.allowed += 1;
                setting.allowed_that_ran += usize::from(*ran);
            }
            Decision::Ask => setting.asked += 1,
            Decision::Deny => setting.denied += 1,
        }
    }
    setting
}

/// The 95 % interval of a share after `hits` of `all`, after Wilson. In percent.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn interval(hits: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 100.0);
    }
    let (share, n, z) = (hits as f64 / all as f64, all as f64, 1.96_f64);
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + z * z / n;
    (100.0 * ((middle - spread) / whole).max(0.0), 100.0 * ((middle + spread) / whole).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn intervals_hold_the_share_and_narrow_with_more() {
        let (low, high) = interval(5, 10);
        assert!((low - 23.7).abs() < 0.1 && (high - 76.3).abs() < 0.1, "{low} {high}");
        let (low, high) = interval(0, 100);
        assert!(low < 1e-9 && (high - 3.7).abs() < 0.1, "{low} {high}");
        assert_eq!(interval(0, 0), (0.0, 100.0));
    }
}
