//! What flows out of one command: to the network, and to whoever reads its output.

use super::analyst::Analyst;
use super::call::Understood;
use super::effect::{EffectKind, Place, Taint};
use super::effects::Taken;
use super::flow::Taints;
use super::program::{Output, Program, Role, StdinUse};
use super::sources::Sources;

impl Analyst<'_> {
    /// What leaves with the network effects of a command.
    pub(super) fn sent(&self, understood: &Understood<'_, '_, '_>, taken: Taken) -> Taints {
        let call = understood.call;
        let sources = Sources::new(self, call.walk, call.command);
        let mut sent = taken;
        // A credential in a header or option is how one logs in; in the address or the content it is what is sent.
        let outputs = call.words.iter().fold(Taints::NONE, |all, word| all.with(sources.outputs(word)));
        sent.add(outputs);
        let reading = &understood.reading;
        for (_, word) in reading.words().filter(|(role, _)| matches!(role, Role::Url | Role::Payload | Role::Host)) {
            sent.add(sources.taints(word));
        }
        match self.stdin_use(understood) {
            StdinUse::Send | StdinUse::Data => sent.with(call.input.taints),
            // What is handed to a command on another machine leaves this one.
            StdinUse::Inherited if reading.chain.iter().any(|program| program.place == Some(Place::Remote)) => {
                sent.with(call.input.taints)
            }
            StdinUse::Ignored
            | StdinUse::Code(_)
            | StdinUse::Arguments
            | StdinUse::Lines
            | StdinUse::Paths
            | StdinUse::Schedule
            | StdinUse::Inherited => sent,
        }
    }

    /// Adds what is sent to the network effects of a command.
    pub(super) fn taint_effects(&mut self, from: usize, invocation: usize, sent: Taints) {
        for effect in self.out.effects.iter_mut().skip(from) {
            if effect.invocation != Some(invocation)
                || !matches!(effect.kind, EffectKind::Network | EffectKind::Publish)
            {
                continue;
            }
            let all = Taints::from(effect.taint.as_slice()).with(sent);
            effect.taint = all.list();
        }
    }

    /// What standard input is to a command.
    pub(super) fn stdin_use(&self, understood: &Understood<'_, '_, '_>) -> StdinUse {
        let facts = understood.facts();
        let leaf = understood.reading.leaf();
        leaf.and_then(|leaf| leaf.stdin.iter().find(|rule| facts.holds(&rule.when)))
            .map_or(StdinUse::Data, |rule| rule.stdin)
    }

    pub(super) fn output_taints(&self, understood: &Understood<'_, '_, '_>) -> Taints {
        let facts = understood.facts();
        let rules = understood.reading.chain.iter().flat_map(|program| &program.output);
        rules.filter(|rule| facts.holds(&rule.when)).fold(Taints::NONE, |all, rule| {
            all.with(match rule.output {
                Output::Nothing => Taints::NONE,
                Output::Download => Taint::Download.into(),
                Output::Decoded => Taint::Decoded.into(),
                Output::Environment => Taint::Environment.into(),
                Output::Secret => Taint::Secret.into(),
                Output::Setup => Taints::SETUP,
            })
        })
    }

    /// What the output of a command carries.
    pub(super) fn output(&self, understood: &Understood<'_, '_, '_>, taken: Taken, started: Taints) -> Taints {
        let facts = understood.facts();
        let own = self.output_taints(understood).with(started);
        let is_silent = |program: &&Program| {
            program.output.iter().any(|rule| rule.output == Output::Nothing && facts.holds(&rule.when))
        };
        if understood.reading.chain.iter().any(is_silent) {
            return own;
        }
        let mut flow = own.with(taken).with(self.words_taints(understood.call));
        if matches!(
            self.stdin_use(understood),
            StdinUse::Data | StdinUse::Inherited | StdinUse::Arguments | StdinUse::Lines
        ) {
            flow.add(understood.call.input.taints);
        }
        flow
    }
}
