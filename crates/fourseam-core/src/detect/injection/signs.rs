//! What a sentence holds against an agent, as weights. 3.0 in sum is a finding.

use super::{address, agency, harm, sentence::Sentence};

macro_rules! signs {
    ($($(#[$doc:meta])* $variant:ident ($kind:ident, $words:literal),)*) => {
        /// One sign. The order is the order in which messages name them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Sign { $($(#[$doc])* $variant,)* }

        impl Sign {
            pub(super) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// What the text does, for messages.
            pub(super) fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }

            pub(super) fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind,)* }
            }
        }

        const COUNT: usize = [$($words,)*].len();
    };
}

/// What a sign shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The text commands an agent. Reaches over to the sentences that follow.
    Command,
    /// The text goes with commands to agents, but with other texts too. Counts in its own sentence.
    Company,
    /// What is wanted hurts.
    Harm,
    /// Readers do not see it.
    Hidden,
}

signs! {
    Override(Command, "puts earlier instructions aside"),
    FakeTurn(Command, "imitates a turn of the conversation"),
    /// By name, by duty or by condition.
    Address(Command, "speaks to an AI"),
    Persona(Command, "gives it another role"),
    Hijack(Command, "leads it away from its task"),
    Puzzle(Command, "has it decode and obey"),
    Verdict(Command, "dictates a verdict"),
    Conceal(Command, "asks for secrecy towards the user"),
    Steer(Command, "makes a choice for the user"),
    /// An AI is named, no more.
    Mention(Company, "names an AI"),
    Pose(Company, "asks for another role"),
    Trigger(Company, "waits for a moment of its work"),
    Authority(Company, "claims authority"),
    Granted(Company, "claims an approval"),
    NoAsk(Company, "skips the user's consent"),
    Hush(Company, "asks for silence"),
    Falsify(Company, "asks for an untrue report"),
    Leak(Harm, "sends data out"),
    /// To somewhere outside, with nothing named that is not public.
    Contact(Harm, "leads to an outside address"),
    Reveal(Harm, "asks for secrets"),
    Destroy(Harm, "deletes"),
    Execute(Harm, "runs foreign code"),
    Guard(Harm, "weakens a guard"),
    Money(Harm, "moves money"),
    Beacon(Harm, "puts data into a link"),
    /// Of an agent that is spoken to.
    Risky(Harm, "asks for something risky"),
    Hidden(Hidden, "is hidden from readers"),
}

/// The signs of one or more sentences.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs([f32; COUNT]);

impl Signs {
    pub(super) fn of(sentence: &Sentence) -> Self {
        let mut signs = Self::default();
        for sign in Sign::ALL {
            signs.raise(*sign, weight_in(*sign, sentence));
        }
        signs
    }

    pub(super) fn weight(&self, sign: Sign) -> f32 {
        self.0.get(sign as usize).copied().unwrap_or(0.0)
    }

    pub(super) fn raise(&mut self, sign: Sign, weight: f32) {
        if let Some(own) = self.0.get_mut(sign as usize) {
            *own = own.max(weight);
        }
    }

    pub(super) fn clear(&mut self, sign: Sign) {
        if let Some(own) = self.0.get_mut(sign as usize) {
            *own = 0.0;
        }
    }

    /// The stronger of both, sign by sign.
    pub(super) fn join(&mut self, other: &Self) {
        for sign in Sign::ALL {
            self.raise(*sign, other.weight(*sign));
        }
    }

    pub(super) fn scale(&mut self, factor: f32) {
        self.0.iter_mut().for_each(|weight| *weight *= factor);
    }

    /// Takes part of the weight of all harm away.
    pub(super) fn scale_harm(&mut self, factor: f32) {
        for (weight, sign) in self.0.iter_mut().zip(Sign::ALL) {
            if sign.kind() == Kind::Harm {
                *weight *= factor;
            }
        }
    }

    pub(super) fn sum(&self, kind: Kind) -> f32 {
        Sign::ALL.iter().filter(|sign| sign.kind() == kind).map(|sign| self.weight(*sign)).sum()
    }

    pub(super) fn any(&self) -> bool {
        self.0.iter().any(|weight| *weight > 0.0)
    }
}

fn weight_in(sign: Sign, sentence: &Sentence) -> f32 {
    use super::lexicon::Concept;
    let flat = |concept, weight| if sentence.has(concept) { weight } else { 0.0 };
    match sign {
        Sign::Override => agency::override_(sentence),
        Sign::FakeTurn => agency::fake_turn(sentence),
        Sign::Address => address::address(sentence),
        Sign::Persona => flat(Concept::Persona, 1.5),
        Sign::Hijack => flat(Concept::Hijack, 1.5),
        Sign::Puzzle => agency::puzzle(sentence),
        Sign::Verdict => agency::verdict(sentence),
        Sign::Conceal => agency::conceal(sentence),
        Sign::Mention => flat(Concept::Ai, 0.5).max(flat(Concept::Agent, 0.25)).max(flat(Concept::Name, 0.25)),
        Sign::Pose => flat(Concept::Pose, 0.5),
        Sign::Trigger => flat(Concept::Trigger, 1.0),
        Sign::Authority => agency::authority(sentence),
        Sign::Granted => flat(Concept::Granted, 1.25),
        Sign::NoAsk => agency::no_ask(sentence),
        Sign::Hush => agency::hush(sentence),
        Sign::Falsify => agency::falsify(sentence),
        Sign::Steer => agency::steer(sentence),
        Sign::Leak => harm::leak(sentence),
        Sign::Contact => harm::contact(sentence),
        Sign::Reveal => harm::reveal(sentence),
        Sign::Destroy => harm::destroy(sentence),
        Sign::Execute => harm::execute(sentence),
        Sign::Guard => harm::guard(sentence),
        Sign::Money => harm::money(sentence),
        Sign::Beacon => harm::beacon(sentence),
        Sign::Risky => harm::risky(sentence),
        Sign::Hidden => flat(Concept::Hidden, 0.75),
    }
}
