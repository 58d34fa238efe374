//! `fourseam hook HOST [EVENT]`: one JSON payload in, one answer in that host's words out. Total: every input
//! gets a well-formed answer. Standard output holds the answer and nothing else.

use crate::engine::Engine;
use crate::exit::Outcome;
use crate::home::Home;
use crate::json;
use crate::policy::Settings;
use crate::world::Machine;
use fourseam_core::action::HookCall;
use fourseam_core::verdict::{Told, Verdict};
use fourseam_hosts::{Event, HOSTS, Host, Reply};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;

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
    let Args { host, event, home } = args;
    let _ = (event, home);
    let _ = writeln!(anstream::stderr(), "error: `hook` must be the first argument: `fourseam hook {host}`");
    Outcome::Failed
}

/// Answers one call. `arguments` are those after `hook`.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let asked = Asked::read(arguments);
    let Some(host) = asked.host else {
        let _ = writeln!(std::io::stderr(), "fourseam: unknown host `{}`; see `fourseam help hook`", asked.name);
        return ExitCode::from(2);
    };
    let answer = answer(host, &asked);
    print(&answer)
}

/// What the command line says.
struct Asked {
    name: String,
    host: Option<&'static dyn Host>,
    event: Option<String>,
    home: Option<Home>,
}

impl Asked {
    fn read(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut words = Vec::new();
        let mut home = None;
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            if argument == "--home" {
                home = arguments.next().and_then(Home::at);
            } else {
                words.push(argument.to_string_lossy().into_owned());
            }
        }
        let mut words = words.into_iter();
        let name = words.next().unwrap_or_default();
        Self { host: fourseam_hosts::find(&name), name, event: words.next(), home: home.or_else(Home::of_environment) }
    }
}

/// An answer and what is to be said about how it came about.
struct Answer {
    reply: Reply,
    troubles: Vec<String>,
}

/// From the payload on standard input to the host's words.
fn answer(named: &'static dyn Host, asked: &Asked) -> Answer {
    match read_call(named, asked) {
        Ok((host, event, call)) => decide(host, &event, &call, asked),
        Err(trouble) => {
            let event = event_named(named, asked.event.as_deref()).unwrap_or_else(|| *named.default_event());
            let settings = Engine::load(asked.home.as_ref(), None).settings().clone();
            let told = fit(failed(&event, &settings, &trouble), named, &event, &settings);
            Answer { reply: named.render(&event, &told), troubles: vec![trouble] }
        }
    }
}

/// The call, who makes it, and at which event.
fn read_call(named: &'static dyn Host, asked: &Asked) -> Result<(&'static dyn Host, Event, HookCall), String> {
    let envelope = json::parse_lenient(&read_input()?)?;
    let host = caller(named, &envelope);
    let call = host.parse(&envelope, asked.event.as_deref()).map_err(|error| error.to_string())?;
    let event = event_named(host, Some(&call.event)).or_else(|| event_named(host, asked.event.as_deref()));
    match event {
        Some(event) => Ok((host, event, call)),
        None => Err(format!("unknown event `{}`", call.event)),
    }
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

/// Hosts run each other's hook files, so the payload says who calls; the command line decides where it fits.
fn caller(named: &'static dyn Host, envelope: &Value) -> &'static dyn Host {
    if named.recognises(envelope) {
        return named;
    }
    HOSTS.iter().copied().find(|host| host.recognises(envelope)).unwrap_or(named)
}

fn event_named(host: &dyn Host, name: Option<&str>) -> Option<Event> {
    host.events().iter().find(|event| Some(event.name) == name).copied()
}

fn decide(host: &'static dyn Host, event: &Event, call: &HookCall, asked: &Asked) -> Answer {
    let engine = Engine::load(asked.home.as_ref(), call.cwd.as_deref());
    let verdict = engine.draft(call, &Machine::default()).settle(None);
    let told = fit(verdict, host, event, engine.settings());
    Answer { reply: host.render(event, &told), troubles: engine.problems().to_vec() }
}

fn fit(verdict: Verdict, host: &dyn Host, event: &Event, settings: &Settings) -> Told {
    verdict.fit(&event.capabilities, settings.mode, settings.asks_in(host.id()))
}

/// `on_error` where something is about to run, silence elsewhere.
fn failed(event: &Event, settings: &Settings, trouble: &str) -> Verdict {
    if event.capabilities.gate {
        Verdict::of_failure(settings.on_error, &format!("fourseam could not judge this call: {trouble}"))
    } else {
        Verdict::default()
    }
}

/// Writes the answer, once.
fn print(answer: &Answer) -> ExitCode {
    let mut stderr = std::io::stderr().lock();
    for trouble in &answer.troubles {
        let _ = writeln!(stderr, "fourseam: {trouble}");
    }
    let _ = stderr.write_all(answer.reply.stderr.as_bytes());
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(answer.reply.stdout.as_bytes()).and_then(|()| stdout.flush());
    ExitCode::from(answer.reply.exit)
}
