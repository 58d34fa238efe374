//! Proves one host: lays a stage, configures the client, wires it with `fourseam install`, and tries every scenario.

use crate::client::{Client, Permission};
use crate::model::Model;
use crate::process::Limits;
use crate::program::Program;
use crate::scenario::{Path, Scenario};
use crate::session::{Judged, Outcome, Session};
use crate::stage::Stage;
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
    let session = Session { client, program, stage, model: &model, permission: Permission::Everything, limits };
    let outcomes = session.attempt(scenarios)?;
    let paths = Path::ALL.map(|path| {
        let of = scenarios.iter().zip(&outcomes).filter(|(scenario, _)| scenario.path == path);
        path_proof(path, client.host(), of.map(|(scenario, outcome)| case(scenario, outcome)).collect())
    });
    Ok(HostProof { host: client.host().to_owned(), version, paths: paths.into() })
}

fn case(scenario: &Scenario, outcome: &Outcome) -> CaseProof {
    let why = match &outcome.judged {
        Judged::Proven => None,
        Judged::Failed(what) => Some(what.clone()),
        Judged::NotReached(how) => Some(format!("the client ended before: {how}")),
        Judged::NoSuchTool(why) => Some((*why).to_owned()),
    };
    CaseProof { id: scenario.id.clone(), passed: why.is_none(), why }
}

fn path_proof(path: Path, host: &str, cases: Vec<CaseProof>) -> PathProof {
    let failed = cases.iter().find(|case| !case.passed);
    let reason = failed.map(|case| format!("{}: {}", case.id, case.why.as_deref().unwrap_or_default()));
    let mend = failed.map(|_| format!("run `fourseam doctor`, then `fourseam install --host {host}`"));
    let state = if failed.is_none() { State::Verified } else { State::NotEnforced };
    PathProof { path: path.name().to_owned(), state, reason, mend, cases }
}
