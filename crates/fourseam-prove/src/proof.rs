//! Proves one host: configures its client, wires it with `fourseam install`, and tries every scenario; or, where the
//! client is not here, asks the adapter alone.

use crate::client::{Client, Permission, Voice};
use crate::model::Model;
use crate::process::Limits;
use crate::program::Program;
use crate::replay;
use crate::scenario::{Path, Scenario};
use crate::session::{Judged, Outcome, Session};
use crate::stage::Stage;
use fourseam_hosts::Host;
use fourseam_hosts::proof::{CaseProof, HostProof, PathProof, State};
use std::io;
use std::time::Duration;

/// How long one start of a client may take.
const SESSION: Duration = Duration::from_secs(120);
/// How long one host may take in all.
const HOST: Duration = Duration::from_secs(600);

/// Runs the client through the scenarios.
///
/// # Errors
/// When the stage cannot be laid or the client cannot be wired or started.
pub fn in_client(
    client: &dyn Client,
    program: &Program,
    stage: &Stage,
    scenarios: &[Scenario],
) -> io::Result<HostProof> {
    let limits = Limits { time: SESSION };
    let version = program.version(stage, limits);
    let model = Model::start(HOST)?;
    client.configure(stage, &model.url())?;
    stage.install(client.host(), limits)?;
    let mut cases: Vec<(Path, CaseProof)> = Vec::new();
    let scenarios: Vec<Scenario> = scenarios.iter().filter(|it| it.is_for(client.host())).cloned().collect();
    for voice in client.voices().iter().copied() {
        stage.clear()?;
        let permission = Permission::Everything;
        let session = Session { client, program, stage, model: &model, permission, voice, says: "", limits };
        let outcomes = session.attempt(&scenarios)?;
        cases.extend(scenarios.iter().zip(&outcomes).filter_map(|(tried, outcome)| case(tried, outcome, voice)));
    }
    let paths = Path::ALL.map(|path| {
        let of = cases.iter().filter(|(of, _)| *of == path).map(|(_, case)| case.clone());
        path_proof(path, client.host(), of.collect())
    });
    Ok(HostProof { host: client.host().to_owned(), version, paths: paths.into() })
}

/// Answers the payloads of a client that is not here. `absent`: why there is none, and what a user can do about it.
///
/// # Errors
/// When the guard cannot be started.
pub fn of_adapter(
    host: &dyn Host,
    stage: &Stage,
    scenarios: &[Scenario],
    absent: (&str, &str),
) -> io::Result<HostProof> {
    let limits = Limits { time: SESSION };
    let recorded = replay::of_host(host.id())?;
    let mut paths = Vec::new();
    for path in Path::ALL {
        let mut cases = Vec::new();
        for scenario in scenarios.iter().filter(|it| it.path == path && it.is_for(host.id())) {
            let Some(recorded) = &recorded else { continue };
            let Some(answer) = recorded.replay(host, stage, scenario, limits)? else { continue };
            cases.push(CaseProof { id: scenario.id.clone(), passed: answer.is_ok(), why: answer.err() });
        }
        let source = recorded.as_ref().map_or("", |recorded| recorded.source.as_str());
        paths.push(adapter_proof(path, cases, source, absent));
    }
    Ok(HostProof { host: host.id().to_owned(), version: None, paths })
}

/// Where the client could not be configured, wired or started at all.
#[must_use]
pub fn of_failure(host: &dyn Host, error: &io::Error) -> HostProof {
    let path = |path: Path| PathProof {
        path: path.name().to_owned(),
        state: State::NotEnforced,
        reason: Some(error.to_string()),
        mend: Some("start the client by hand once, to see what it says".to_owned()),
        cases: Vec::new(),
    };
    HostProof { host: host.id().to_owned(), version: None, paths: Path::ALL.map(path).into() }
}

fn adapter_proof(path: Path, cases: Vec<CaseProof>, source: &str, (reason, mend): (&str, &str)) -> PathProof {
    let failed = cases.iter().find_map(|case| Some(format!("{}: {}", case.id, case.why.as_deref()?)));
    let state = if failed.is_some() { State::NotEnforced } else { State::AdapterOnly };
    let what =
        if cases.is_empty() { "no payload of this kind is known".to_owned() } else { format!("payloads {source}") };
    let reason = failed.unwrap_or_else(|| format!("{reason}; {what}"));
    PathProof { path: path.name().to_owned(), state, reason: Some(reason), mend: Some(mend.to_owned()), cases }
}

/// `None`: nothing could be tried in this dialect.
fn case(scenario: &Scenario, outcome: &Outcome, voice: Voice) -> Option<(Path, CaseProof)> {
    let why = match &outcome.judged {
        Judged::Proven => None,
        Judged::Failed(what) => Some(what.clone()),
        Judged::NotReached(how) => Some(format!("the client ended before: {how}")),
        Judged::NoSuchTool(_) => return None,
    };
    let id = format!("{}{}", scenario.id, voice.suffix());
    Some((scenario.path, CaseProof { id, passed: why.is_none(), why }))
}

fn path_proof(path: Path, host: &str, cases: Vec<CaseProof>) -> PathProof {
    let failed = cases.iter().find(|case| !case.passed);
    let reason = failed.map(|case| format!("{}: {}", case.id, case.why.as_deref().unwrap_or_default()));
    let reason = reason.or_else(|| cases.is_empty().then(|| "the client has no tool that could be tried".to_owned()));
    let mend = failed.map(|_| format!("run `fourseam doctor`, then `fourseam install --host {host}`"));
    let state = if failed.is_none() && !cases.is_empty() { State::Verified } else { State::NotEnforced };
    PathProof { path: path.name().to_owned(), state, reason, mend, cases }
}
