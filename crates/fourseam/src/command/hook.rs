//! `fourseam hook HOST [EVENT]`: one JSON payload in, one answer in that host's words out. Total: every input
//! gets a well-formed answer. Standard output holds the answer and nothing else.

use crate::again::Sight;
use crate::consult::{Court, consult};
use crate::engine::Engine;
use crate::exit::Outcome;
use crate::home::Home;
use crate::nets;
use crate::policy::{self, Request, Settings};
use crate::session::{self, Remembered, Session};
use crate::situation::Situation;
use crate::world::Machine;
use crate::{audit, clock, hosts, json, judge, output, world};
use fourseam_core::Decided;
use fourseam_core::action::HookCall;
use fourseam_core::decision::{Decision, Mode};
use fourseam_core::judge::JudgeNote;
use fourseam_core::record::{Circumstances, Record, Recorder};
use fourseam_core::verdict::{Opinion, Told, Verdict};
use fourseam_hosts::{Event, Reply};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Largest payload that is read.
const INPUT_LIMIT: u64 = 16 * 1024 * 1024;

/// Arguments of `hook`, for the help text; the hot path reads them by hand.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Agent that calls: `claude-code`, `codex`, `gemini-cli`, `cursor`, ...
    host: String,
    /// Event, for payloads that do not name one
    event: Option<String>,
    /// Absolute state folder [default: ~/.fourseam]
    #[arg(long, value_name = "DIR")]
    home: Option<std::path::PathBuf>,
}

/// Reached only when `hook` is not the first argument.
pub(crate) fn explain_use(args: &Args) -> Outcome {
    let Args { host, event: _, home: _ } = args;
    let _ = writeln!(anstream::stderr(), "error: `hook` must be the first argument: `fourseam hook {host}`");
    Outcome::Failed
}

/// Answers one call. `arguments` are those after `hook`.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let started = Instant::now();
    let asked = Asked::read(arguments);
    let Some(host) = fourseam_hosts::find(&asked.host) else {
        // Which words the caller understands is not known; exit code 2 with a reason stops the call on most hosts.
        output::complain(&format!("unknown host `{}`; known hosts: {}", asked.host, hosts::ids()));
        return ExitCode::from(2);
    };
    let settings = asked.home.as_ref().map(Settings::remembered).unwrap_or_default().tightened();
    let crash_note = asked.home.as_ref().and_then(|home| crash_note(home, &asked));
    let mut situation = Situation::new(host, asked.event.as_deref(), settings, crash_note);
    nets::arm(situation.prepared().clone());
    let judged = nets::catching(|| weigh(&mut situation, &asked));
    let mut judged = judged.unwrap_or_else(|trouble| Judged::failed(&situation, &trouble));
    judged.troubles.extend(asked.trouble.as_ref().map(|trouble| situation.place(trouble)));
    let record_first = situation.settings().audit_required;
    if record_first {
        match record(&asked, &situation, &judged, started) {
            Ok(troubles) => judged.troubles.extend(troubles.iter().map(|trouble| situation.place(trouble))),
            Err(trouble) => judged = Judged::failed(&situation, &trouble),
        }
    }
    let reply = reply(&situation, &judged.told);
    nets::answering(reply.exit);
    let heard = output::answer(&reply, &judged.troubles);
    let exit = if heard { reply.exit } else { unheard(&reply, &judged.told) };
    nets::answered(exit);
    if !record_first {
        let troubles = record(&asked, &situation, &judged, started).unwrap_or_else(|trouble| vec![trouble]);
        troubles.iter().for_each(|trouble| output::complain(&situation.place(trouble)));
    }
    ExitCode::from(exit)
}

/// The exit code where the answer could not be written. A refusal is one by its exit code alone then, on hosts too that
/// take it from the answer.
fn unheard(reply: &Reply, told: &Told) -> u8 {
    match told.said() {
        Decision::Ask | Decision::Deny => 2,
        Decision::Abstain | Decision::Allow => reply.exit,
    }
}

/// Writes the record of a call, unless the same tool use has one already. Gives back what is wrong with the log.
///
/// # Errors
/// When the record is lost, and why.
fn record(asked: &Asked, situation: &Situation, judged: &Judged, started: Instant) -> Result<Vec<String>, String> {
    let home = asked.home.as_ref().ok_or("audit log: there is no state folder")?;
    let sight = |call| Sight { host: situation.host(), entry: &asked.host, call, told: &judged.told };
    if situation.call().is_some_and(|call| sight(call).is_second(home)) {
        return Ok(Vec::new());
    }
    let limits = audit::Limits::of(&situation.settings().audit_files);
    nets::catching(|| audit::append_within(home, &judged.record(situation, started.elapsed()), &limits))
        .and_then(|written| written)
}

/// What the command line says.
#[derive(Default)]
struct Asked {
    host: String,
    event: Option<String>,
    home: Option<Home>,
    /// What is wrong with it.
    trouble: Option<String>,
}

impl Asked {
    fn read(mut arguments: impl Iterator<Item = OsString>) -> Self {
        let mut asked = Self::default();
        let mut words = Vec::new();
        let mut named_home = None;
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if text == "--home" {
                named_home = Some(arguments.next().unwrap_or_default());
            } else if let Some(folder) = text.strip_prefix("--home=") {
                named_home = Some(folder.into());
            } else {
                words.push(text.into_owned());
            }
        }
        if let Some(folder) = named_home {
            asked.trouble = Some(format!("`--home {}` is not an absolute folder", folder.to_string_lossy()));
            asked.home = Home::at(folder);
        }
        if asked.home.is_some() {
            asked.trouble = None;
        } else {
            asked.home = Home::of_environment();
        }
        let mut words = words.into_iter();
        asked.host = words.next().unwrap_or_default();
        asked.event = words.next();
        asked
    }
}

/// A verdict, fitted to the host, and what went wrong on the way to it.
struct Judged {
    told: Told,
    troubles: Vec<String>,
    /// What a judge said, if one was asked.
    note: Option<JudgeNote>,
}

impl Judged {
    /// A call that could not be judged: `on_error` where something is about to run, silence elsewhere.
    fn failed(situation: &Situation, trouble: &str) -> Self {
        Self { told: situation.fit(situation.failure(trouble)), troubles: vec![situation.place(trouble)], note: None }
    }

    fn record(&self, situation: &Situation, took: Duration) -> Record {
        let call = situation.call();
        let circumstances = Circumstances {
            time: clock::now(),
            agent: situation.host().id().to_owned(),
            event: situation.event().name.to_owned(),
            project: call.and_then(|call| world::project_root(call.cwd.as_deref()?)),
            world: situation.answers().take(),
            mode: situation.settings().mode,
            on_error: Some(situation.settings().on_error),
            policy: situation.settings().hash.clone(),
            troubles: self.troubles.clone(),
            micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            judge: self.note.clone(),
        };
        Record::new(call, &self.told, circumstances)
    }
}

/// The record that stays behind when a signal ends the call, made before there is a call.
fn crash_note(home: &Home, asked: &Asked) -> Option<nets::Note> {
    let told = Verdict::default().fit(&Event::UNKNOWN.capabilities, Mode::Guard, false);
    let circumstances = Circumstances {
        time: clock::now(),
        agent: asked.host.clone(),
        event: asked.event.clone().unwrap_or_default(),
        troubles: vec!["ended by a signal: crash, runaway loop or hang".to_owned()],
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Circumstances::default()
    };
    audit::note(home, &Record::new(None, &told, circumstances))
}

/// From the payload on standard input to a fitted verdict. Keeps `situation` up to date on the way, for the nets.
fn weigh(situation: &mut Situation, asked: &Asked) -> Judged {
    let read = read_call(situation, asked);
    if read.is_ok() {
        nets::inject();
    }
    // What to do on error is the policy's to say, so it is loaded even without a call. Watched events are few and in
    // no hurry: there the compiled policy is checked.
    let engine = Engine::load(&Request {
        home: asked.home.as_ref(),
        cwd: situation.call().and_then(|call| call.cwd.as_deref()),
        anew: situation.event().capabilities.point.is_none(),
    });
    situation.learn(engine.settings());
    let troubles = problems_of(&engine, situation);
    if let Err(trouble) = read {
        let mut judged = Judged::failed(situation, &trouble);
        judged.troubles.extend(troubles);
        return judged;
    }
    let mut judged = match situation.call() {
        Some(call) => judged(situation, &engine, call, asked),
        None => Judged { told: situation.fit(Verdict::default()), troubles: Vec::new(), note: None },
    };
    judged.troubles.splice(0..0, troubles);
    if situation.event().capabilities.notice {
        let notice = notice(situation.settings(), asked.home.as_ref(), &judged.troubles);
        judged.told = judged.told.with_notice(notice);
    }
    judged
}

/// What is wrong with the policy: the first of it, as every call says it anew.
fn problems_of(engine: &Engine, situation: &Situation) -> Vec<String> {
    const MOST: usize = 5;
    let problems = engine.problems();
    let first = problems.iter().take(MOST).map(|problem| situation.place(&policy::one_line(problem)));
    let left = problems.len().saturating_sub(MOST);
    let rest = (left > 0).then(|| situation.place(&format!("policy: and {left} more: `fourseam lint` lists them")));
    first.chain(rest).collect()
}

/// What the host is told of a call. At a gate with what is remembered of the session and what a person lets pass.
fn judged(situation: &Situation, engine: &Engine, call: &HookCall, asked: &Asked) -> Judged {
    let home = asked.home.as_ref();
    let world = Machine::in_session(home.and_then(|home| Session::of(home, call)));
    let gate = situation.event().capabilities.gate;
    let decided = engine.decide(call, &Recorder::new(&world, situation.answers()));
    let (opinion, note) = opinion(engine, call, &decided, situation, asked);
    let verdict = decided.draft.settle(opinion);
    let told = match home {
        Some(home) if gate => {
            let analysis = &decided.analysis;
            let around = Remembered { home, call, analysis, world: &world, settings: situation.settings() };
            around.tell(situation.fit(around.lift(verdict)))
        }
        Some(home) => {
            session::ran(home, call);
            situation.fit(verdict)
        }
        None => situation.fit(verdict),
    };
    let troubles = world.troubles().iter().map(|trouble| situation.place(trouble)).collect();
    Judged { told, troubles, note }
}

/// What has a say beside the rules: a broken policy at a gate, or else a judge where they leave a question.
fn opinion(
    engine: &Engine,
    call: &HookCall,
    decided: &Decided,
    situation: &Situation,
    asked: &Asked,
) -> (Option<Opinion>, Option<JudgeNote>) {
    if situation.event().capabilities.gate
        && let Some(failure) = engine.failure()
    {
        return (Some(failure), None);
    }
    let consulted = engine.judge().and_then(|settings| {
        let court = Court::new(asked.home.as_ref(), settings, engine, call.cwd.as_deref());
        consult(&court, call, decided, || nets::wait_for(judge::budget(settings)))
    });
    consulted.map_or((None, None), |consulted| (consulted.opinion, Some(consulted.note)))
}

/// What the user is told at the start of a session: that the guard is live, and how.
fn notice(settings: &Settings, home: Option<&Home>, troubles: &[String]) -> String {
    let mode = match (settings.mode, home.and_then(policy::switch::paused_until)) {
        (Mode::Dry, Some(until)) => format!("mode dry: paused until {}", clock::at(until)),
        (Mode::Dry, None) => "mode dry: it only records".to_owned(),
        (mode @ (Mode::Guard | Mode::On), _) => format!("mode {}", mode.word()),
    };
    let version = env!("CARGO_PKG_VERSION");
    let line = format!("fourseam {version} is live, {mode}, policy {}", settings.hash);
    [line].into_iter().chain(troubles.iter().cloned()).collect::<Vec<_>>().join("; ")
}

fn read_call(situation: &mut Situation, asked: &Asked) -> Result<(), String> {
    let envelope = json::parse_lenient(&read_input()?)?;
    situation.meet(&envelope);
    let call = situation.host().parse(&envelope, asked.event.as_deref()).map_err(|error| error.to_string())?;
    situation.arrive(call, asked.event.as_deref())
}

fn read_input() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(INPUT_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read standard input: {error}"))?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err(format!("payload is larger than {INPUT_LIMIT} bytes"));
    }
    Ok(bytes)
}

/// The host's words; where an adapter fails at that, the answer that was prepared before the call.
fn reply(situation: &Situation, told: &Told) -> Reply {
    nets::catching(|| situation.render(told)).unwrap_or_else(|_| situation.prepared().reply.clone())
}
