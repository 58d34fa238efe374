//! The verdict and its way to a host: draft, settle, fit. The one place where a decision is made;
//! everyone else only carries it. Knows no host by name.

use crate::action::{Point, ToolResult};
use crate::capabilities::{AskSupport, Capabilities};
use crate::decision::{Decision, Mode, OnError};
use crate::past::Deed;
use crate::policy::InjectAction;
use crate::remedy::{CUT_OUT, Found, INSTRUCTIONS, Replacement};
use serde::Serialize;

/// Why a decision was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// Rule id (`git/force-push`).
    pub rule: String,
    /// What this rule wants.
    pub decision: Decision,
    /// What is wrong, in one sentence.
    pub message: String,
    /// A safer way, if there is one.
    pub instead: Option<String>,
    /// The text that matched, shortened.
    pub matched: String,
    /// Byte range in the command line, where there is one.
    pub span: Option<(u32, u32)>,
}

impl Reason {
    /// A reason that is no rule's: of a judge, of the session, of a failure. It points at no text.
    #[must_use]
    pub fn plain(rule: &str, decision: Decision, message: impl Into<String>) -> Self {
        Self {
            rule: rule.to_owned(),
            decision,
            message: message.into(),
            instead: None,
            matched: String::new(),
            span: None,
        }
    }
}

/// What the rules say, before a judge was asked. Made by [`crate::policy::Policy::evaluate`].
#[must_use]
#[derive(Clone, Debug, Default)]
pub struct Draft {
    reasons: Vec<Reason>,
    dry_reasons: Vec<Reason>,
    doubt: Doubt,
    grounds: Grounds,
    found: Vec<Found>,
}

/// What bars an opinion that would allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// Which command runs, or what code, is not known.
    pub(crate) of_what_runs: bool,
    /// Every rule that asks says that a judge may allow (`judge: may-allow`).
    pub(crate) judge_may_allow: bool,
}

/// What the rules that ask or deny were about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grounds {
    /// One of them is locked: nobody but who locked it can let this pass.
    pub(crate) locked: bool,
    /// What would be done.
    pub(crate) deeds: Vec<Deed>,
}

/// A decision with its reasons.
#[must_use]
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdict {
    decision: Decision,
    reasons: Vec<Reason>,
    /// Reasons of rules that are only tried out (`mode: dry`).
    dry_reasons: Vec<Reason>,
    /// What the reasons were made from, where detectors found something.
    #[serde(skip)]
    found: Vec<Found>,
    #[serde(skip)]
    grounds: Grounds,
}

/// How a person has let an action pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lift {
    /// Allowed it once, by hand.
    Once,
    /// Said yes to exactly this before, in this session, and it ran.
    ApprovedBefore,
}

/// What a host is told. Never weaker than the verdict, except in mode dry, where it is nothing, and at a tool's result,
/// where the policy says what a refusal is ([`Told::with_result`]).
///
/// Before a tool runs, ask and deny are what they say. At a prompt, a result or an answer nobody is asked: ask is a
/// warning that goes with the text, deny keeps the text back as far as the host can.
#[must_use]
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    said: Decision,
    verdict: Verdict,
    text: String,
    notice: Option<String>,
    /// May hold what was just taken out, in its old form: never written anywhere.
    #[serde(skip)]
    replacement: Option<Replacement>,
}

/// The opinion of a judge: a decision it would make. It never weakens a deny.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// What the judge would do.
    pub reason: Reason,
}

impl Draft {
    /// A draft of what matched.
    pub(crate) fn new(reasons: Vec<Reason>, dry_reasons: Vec<Reason>, doubt: Doubt) -> Self {
        Self { reasons, dry_reasons, doubt, grounds: Grounds::default(), found: Vec::new() }
    }

    /// With what the rules that ask or deny were about.
    pub(crate) fn with_grounds(self, grounds: Grounds) -> Self {
        Self { grounds, ..self }
    }

    /// With one reason more. Since the strongest wins, it cannot weaken.
    pub(crate) fn with_reason(mut self, reason: Reason) -> Self {
        // A judge lifts the question of a rule that says so, and of no other.
        self.doubt.judge_may_allow &= reason.decision < Decision::Ask;
        self.reasons.push(reason);
        self
    }

    /// With what detectors found for the rules that matched.
    pub(crate) fn with_found(self, found: Vec<Found>) -> Self {
        Self { found, ..self }
    }

    /// What the rules decide.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.reasons.iter().map(|reason| reason.decision).max().unwrap_or_default()
    }

    /// Whether every rule that asks says that a judge may allow.
    #[must_use]
    pub fn judge_may_allow(&self) -> bool {
        self.decision() == Decision::Ask && self.doubt.judge_may_allow
    }

    /// Settles the draft, with an opinion if one was asked.
    ///
    /// An opinion that asks or denies adds its reason; since the strongest wins, it cannot weaken. One that allows
    /// counts where nothing matched, or where every rule that asks lets a judge allow, and never where it is not known
    /// what runs.
    pub fn settle(self, opinion: Option<Opinion>) -> Verdict {
        let (before, liftable) = (self.decision(), self.judge_may_allow());
        let Self { mut reasons, dry_reasons, doubt, grounds, found } = self;
        if let Some(Opinion { reason }) = opinion {
            match reason.decision {
                Decision::Ask | Decision::Deny => reasons.push(reason),
                Decision::Abstain => {}
                Decision::Allow if doubt.of_what_runs => {}
                Decision::Allow if before <= Decision::Allow => reasons.push(reason),
                Decision::Allow if liftable => reasons = vec![reason],
                Decision::Allow => {}
            }
        }
        Verdict { grounds, found, ..Verdict::of(reasons, dry_reasons) }
    }
}

impl Verdict {
    fn of(mut reasons: Vec<Reason>, dry_reasons: Vec<Reason>) -> Self {
        // A stable sort by strength: the first reason is the one to tell.
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
        let decision = reasons.first().map_or(Decision::Abstain, |reason| reason.decision);
        Self { decision, reasons, dry_reasons, grounds: Grounds::default(), found: Vec::new() }
    }

    /// The verdict when fourseam itself failed: `on_error`, with what went wrong.
    pub fn of_failure(on_error: OnError, message: &str) -> Self {
        Self::of(vec![Reason::plain("fourseam/failure", on_error.into(), message)], Vec::new())
    }

    /// The decision.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// Every reason, strongest first.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// Reasons of rules that are only tried out.
    #[must_use]
    pub fn dry_reasons(&self) -> &[Reason] {
        &self.dry_reasons
    }

    /// What would be done that a rule asks about or refuses.
    #[must_use]
    pub fn deeds(&self) -> &[Deed] {
        &self.grounds.deeds
    }

    /// Whether the user can let this pass: something is asked or refused, no locked rule has a part in it, and it is not
    /// that fourseam failed.
    #[must_use]
    pub fn can_be_lifted(&self) -> bool {
        let is_own = |reason: &Reason| reason.decision >= Decision::Ask && reason.rule.starts_with("fourseam/");
        self.decision >= Decision::Ask && !self.grounds.locked && !self.reasons.iter().any(is_own)
    }

    /// The verdict of an action that a person has let pass: no opinion, so that the host's own rules apply. What cannot
    /// be lifted stays as it is, and a yes to a question lifts no deny.
    pub fn lifted(self, by: Lift) -> Self {
        let (rule, message) = match by {
            Lift::Once => ("fourseam/allow-once", "The user allowed this once."),
            Lift::ApprovedBefore => {
                ("session/approved-before", "The user approved exactly this before, in this session.")
            }
        };
        if !self.can_be_lifted() || (by == Lift::ApprovedBefore && self.decision != Decision::Ask) {
            return self;
        }
        let of_person = Reason::plain(rule, Decision::Abstain, message);
        let lifted = self.reasons.into_iter().filter(|reason| reason.decision >= Decision::Ask);
        let lifted = lifted.map(|reason| Reason { decision: Decision::Abstain, ..reason });
        Self { grounds: self.grounds, ..Self::of(std::iter::once(of_person).chain(lifted).collect(), self.dry_reasons) }
    }

    /// Fits the verdict to what the host can say at this event.
    ///
    /// `ask_opt_in`: the user accepted the host's unsafe ask. Never weakens: ask becomes deny where it cannot
    /// be asked, allow becomes silence where it cannot be said safely. In mode dry the host is told nothing. After the
    /// fact an ask is a warning, which needs no support.
    pub fn fit(self, capabilities: &Capabilities, mode: Mode, ask_opt_in: bool) -> Told {
        let can_ask = match capabilities.ask {
            AskSupport::Native => true,
            AskSupport::OptIn => ask_opt_in,
            AskSupport::No => is_after_the_fact(capabilities.point),
        };
        let said = match (mode, self.decision) {
            (Mode::Dry, _) | (_, Decision::Abstain) => Decision::Abstain,
            (Mode::On, Decision::Allow) if capabilities.allow => Decision::Allow,
            (Mode::Guard | Mode::On, Decision::Allow) => Decision::Abstain,
            (Mode::Guard | Mode::On, Decision::Ask) if can_ask => Decision::Ask,
            (Mode::Guard | Mode::On, Decision::Ask | Decision::Deny) => Decision::Deny,
        };
        let text = text_for(said, &self, capabilities.point);
        Told { said, verdict: self, text, notice: None, replacement: None }
    }

    /// What a reason wants done with a tool's result.
    fn fate(&self, reason: &Reason, inject: InjectAction) -> Fate {
        let found = self.found.iter().find(|found| found.rule == reason.rule);
        let detector = found.map_or("", |found| found.detector.as_str());
        match (reason.decision, inject) {
            (Decision::Abstain | Decision::Allow, _) => Fate::Goes,
            (Decision::Ask, _) => Fate::Warned,
            (Decision::Deny, InjectAction::Warn) if INSTRUCTIONS.contains(&detector) => Fate::Warned,
            (Decision::Deny, _) if detector == CUT_OUT => Fate::Cleaned,
            (Decision::Deny, InjectAction::Warn | InjectAction::Block) => Fate::Withheld,
        }
    }
}

/// What becomes of a tool's result, the gentlest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Goes,
    Warned,
    Cleaned,
    Withheld,
}

/// Nobody can be asked any more, or nothing runs by it.
fn is_after_the_fact(point: Option<Point>) -> bool {
    match point {
        Some(Point::Prompt | Point::ToolResult | Point::Output) => true,
        Some(Point::ToolCall) | None => false,
    }
}

impl Told {
    /// The decision the host is told.
    #[must_use]
    pub fn said(&self) -> Decision {
        self.said
    }

    /// With the way in which the user can let this pass, where it is refused. No decision is made of it.
    pub fn with_way(mut self, command: &str) -> Self {
        if self.said == Decision::Deny {
            self.text.push_str(" To let exactly this pass once, the user can run `");
            self.text.push_str(command);
            self.text.push_str("` in their own terminal; try it again, unchanged, only when they say that they did.");
        }
        self
    }

    /// With what becomes of the result that it is about: a warning beside it, the result without its secrets, or a notice
    /// in its place. Where the host cannot replace it, a warning is all there is.
    pub fn with_result(self, result: &ToolResult, inject: InjectAction, capabilities: &Capabilities) -> Self {
        if self.said != Decision::Deny || capabilities.point != Some(Point::ToolResult) {
            return self;
        }
        let verdict = &self.verdict;
        let fate = verdict.reasons.iter().map(|reason| verdict.fate(reason, inject)).max().unwrap_or(Fate::Goes);
        let can_replace = capabilities.replace.is_of(&result.of);
        let replacement = match fate {
            Fate::Goes | Fate::Warned => None,
            _ if !can_replace => None,
            Fate::Cleaned => {
                let secrets: Vec<&Found> = verdict.found.iter().filter(|found| found.detector == CUT_OUT).collect();
                Some(Replacement::cleaned(result, &secrets))
            }
            Fate::Withheld => {
                Some(Replacement::withheld(result, format!("[fourseam kept this result back. {}]", self.text)))
            }
        };
        let said = if replacement.is_some() { Decision::Deny } else { Decision::Ask };
        Self { said, replacement, ..self }
    }

    /// What the agent reads in the place of the result, if it is replaced.
    #[must_use]
    pub fn replacement(&self) -> Option<&Replacement> {
        self.replacement.as_ref()
    }

    /// With a line for the user, where the host can show one ([`Capabilities::notice`]). No decision is made of it.
    pub fn with_notice(self, line: String) -> Self {
        Self { notice: Some(line), ..self }
    }

    /// The line for the user.
    #[must_use]
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The verdict before it was fitted.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The text for the agent or the person: what, why, what instead, who can lift it. Empty for abstain.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The text of a refusal, question or warning. It must not read like a passing fault, which agents retry.
fn text_for(said: Decision, verdict: &Verdict, point: Option<Point>) -> String {
    let Some(reason) = verdict.reasons.first() else { return String::new() };
    let message = &reason.message;
    let mut text = match said {
        Decision::Abstain => return String::new(),
        Decision::Ask | Decision::Deny if point == Some(Point::ToolResult) => return warning("result", verdict),
        Decision::Ask if point == Some(Point::Prompt) => return warning("prompt", verdict),
        Decision::Ask if point == Some(Point::Output) => return warning("answer", verdict),
        Decision::Allow => format!("fourseam: {message} [{}]", reason.rule),
        Decision::Ask => format!("fourseam asks: {message} [{}]", reason.rule),
        Decision::Deny => format!("Refused by policy (fourseam, rule {}): {message}", reason.rule),
    };
    for remark in verdict.reasons.iter().skip(1).filter(|other| other.rule.starts_with("session/")) {
        text.push(' ');
        text.push_str(&remark.message);
    }
    add_instead(reason, &mut text);
    if said == Decision::Deny && point == Some(Point::ToolCall) {
        text.push_str(match verdict.decision {
            Decision::Ask => {
                " This needs a person's yes, and this agent cannot ask here: stop and tell the user what you want to run \
                 and why, so that they can run it themselves or change the policy. Do not try it another way."
            }
            Decision::Abstain | Decision::Allow | Decision::Deny => {
                " This is a decision, not an error: do not retry it or try it another way. Only the user can lift it, \
                 by running it themselves or by changing the policy."
            }
        });
    }
    text
}

/// What is wrong with a text, for every rule that says so.
fn warning(what: &str, verdict: &Verdict) -> String {
    let mut text = format!("Warning of the policy guard fourseam about this {what}:");
    for reason in verdict.reasons.iter().filter(|reason| reason.decision >= Decision::Ask) {
        text.push(' ');
        text.push_str(&reason.message);
        if verdict.found.iter().any(|found| found.rule == reason.rule) && !reason.matched.is_empty() {
            text.push_str(" (");
            text.push_str(&reason.matched);
            text.push(')');
        }
        add_instead(reason, &mut text);
        text.push_str(" [");
        text.push_str(&reason.rule);
        text.push(']');
    }
    text
}

fn add_instead(reason: &Reason, text: &mut String) {
    if let Some(instead) = &reason.instead {
        text.push_str(" Instead: ");
        text.push_str(instead);
        if !instead.ends_with(['.', '!', '?']) {
            text.push('.');
        }
    }
}
