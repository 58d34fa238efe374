//! One client, many attempts: has the scripted model try one scenario after the other and says what came of each.

use crate::client::{Client, Orders, Permission, Said, Voice};
use crate::model::{Model, Script, Task};
use crate::process::{Ended, Limits};
use crate::program::Program;
use crate::scenario::{Scenario, Wants};
use crate::stage::Stage;
use std::io;

/// Tag of the conversation with the user.
pub(crate) const MAIN: &str = "MAINTASK";
/// What the user asks for. It says nothing, so that no rule about prompts has anything to say.
const PROMPT: &str = "MAINTASK: run the scripted tool calls.";
/// How the sentence of a refusal names the guard.
const OURS: &str = "fourseam, rule ";
/// How much of a client's own output is shown where it ended too early.
const TAIL: usize = 400;

/// A configured and wired client, ready to be run.
pub struct Session<'a> {
    /// The client.
    pub client: &'a dyn Client,
    /// Where it is.
    pub program: &'a Program,
    /// Its folders.
    pub stage: &'a Stage,
    /// Its model.
    pub model: &'a Model,
    /// How much the client lets pass by itself.
    pub permission: Permission,
    /// The dialect of its model.
    pub voice: Voice,
    /// What the user says beside the tag of the task; mostly nothing.
    pub says: &'a str,
    /// For each start of the client.
    pub limits: Limits,
}

/// What came of a scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether it was as wanted.
    pub judged: Judged,
    /// Whether it was done.
    pub made: bool,
    /// The tool's result, as the model was told it.
    pub told: Option<String>,
}

/// Whether a scenario went as wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// As wanted.
    Proven,
    /// Otherwise; what happened.
    Failed(String),
    /// The client ended before; what it said.
    NotReached(String),
    /// The client has no such tool.
    NoSuchTool(&'static str),
}

/// A scenario in the words of the client.
struct Step<'a> {
    number: usize,
    scenario: &'a Scenario,
    said: Said,
}

impl Session<'_> {
    /// Tries them in as few starts of the client as it takes: where a client ends early, the rest is tried in another.
    ///
    /// # Errors
    /// When the client cannot be started.
    pub fn attempt(&self, scenarios: &[Scenario]) -> io::Result<Vec<Outcome>> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; scenarios.len()];
        let mut steps = Vec::new();
        for (number, (scenario, outcome)) in scenarios.iter().zip(&mut outcomes).enumerate() {
            match self.client.say(&scenario.attempt.filled(self.stage), &subtask(scenario), self.voice) {
                Ok(said) => steps.push(Step { number, scenario, said }),
                Err(why) => *outcome = Some(Outcome { judged: Judged::NoSuchTool(why), made: false, told: None }),
            }
        }
        let mut rest: Vec<&Step> = steps.iter().collect();
        let mut in_vain = 0;
        while !rest.is_empty() && in_vain < 2 {
            let ended = self.start(&rest)?;
            let found = self.reached(&rest);
            in_vain = if found.is_empty() { in_vain + 1 } else { 0 };
            // A client that never came to the first one is not asked for it a second time.
            let done = found.len().max(1);
            for (step, outcome) in rest.iter().zip(found) {
                put(&mut outcomes, step.number, outcome);
            }
            let given_up = if in_vain == 2 { rest.len() } else { done };
            rest.iter()
                .take(given_up)
                .for_each(|step| put(&mut outcomes, step.number, self.not_reached(step.scenario, &ended)));
            rest.drain(..done);
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    fn start(&self, steps: &[&Step]) -> io::Result<Ended> {
        let calls = steps.iter().flat_map(|step| step.said.calls.clone()).collect();
        let main = Task { tag: MAIN.to_owned(), calls, end: "finished".to_owned() };
        let tasks = steps.iter().filter_map(|step| {
            let calls = step.said.task.clone()?;
            Some(Task { tag: subtask(step.scenario), calls, end: "finished".to_owned() })
        });
        self.model.play(Script { tasks: [main].into_iter().chain(tasks).collect() });
        let mut command = self.stage.command(&self.program.file);
        let prompt = [PROMPT, self.says].join(" ");
        let prompt = prompt.trim_end();
        let orders = Orders { prompt, permission: self.permission, voice: self.voice, model: &self.model.url() };
        self.client.order(self.stage, &orders, &mut command);
        self.stage.run(command, self.limits)
    }

    /// Outcomes of the steps that the client came to, up to the first that it did not.
    fn reached(&self, steps: &[&Step]) -> Vec<Outcome> {
        let mut calls = 0;
        let mut outcomes = Vec::new();
        for step in steps {
            calls += step.said.calls.len();
            let Some(main) = calls.checked_sub(1).and_then(|last| self.model.told(MAIN, last)) else { break };
            let told = if step.said.task.is_some() {
                self.model.told(&subtask(step.scenario), 0).unwrap_or(main)
            } else {
                main
            };
            outcomes.push(self.judge(step.scenario, told));
        }
        outcomes
    }

    /// What is known of an attempt that the client never told the model of: it may have been done all the same.
    fn not_reached(&self, scenario: &Scenario, ended: &Ended) -> Outcome {
        let how = match ended.code {
            _ if ended.late => "it took too long".to_owned(),
            Some(code) => format!("exit code {code}"),
            None => "a signal ended it".to_owned(),
        };
        let made = scenario.trace.is_there(self.stage, None);
        let said = [&ended.stderr, &ended.stdout].map(|text| end_of(text)).join(" ");
        Outcome { judged: Judged::NotReached(format!("{how}: {}", said.trim())), made, told: None }
    }

    fn judge(&self, scenario: &Scenario, told: String) -> Outcome {
        let made = scenario.trace.is_there(self.stage, Some(&told));
        let refused = told.contains(OURS);
        let judged = match (&scenario.wants, made) {
            (Wants::Refused(rule), false) if told.contains(&format!("{OURS}{rule})")) => Judged::Proven,
            (Wants::Refused(_), true) => Judged::Failed("it was done".to_owned()),
            (Wants::Refused(_), false) => {
                Judged::Failed(format!("it was not done, but not for that rule: {}", start_of(&told)))
            }
            (Wants::Runs, true) if !refused => Judged::Proven,
            (Wants::Runs, _) => Judged::Failed(format!("it was not done: {}", start_of(&told))),
        };
        Outcome { judged, made, told: Some(told) }
    }
}

fn subtask(scenario: &Scenario) -> String {
    format!("SUBTASK-{}-END", scenario.id)
}

fn put(outcomes: &mut [Option<Outcome>], number: usize, outcome: Outcome) {
    if let Some(place) = outcomes.get_mut(number) {
        place.get_or_insert(outcome);
    }
}

fn start_of(text: &str) -> String {
    text.chars().take(TAIL).collect::<String>().replace('\n', " ")
}

fn end_of(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(TAIL);
    text.chars().skip(skip).collect::<String>().replace('\n', " ")
}
