//! `fourseam prove`: runs the agents of this machine against a scripted model, and says on which ways the guard holds.

use crate::doctor::proven;
use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::{clock, hosts, show};
use fourseam_hosts::proof::{HostProof, Proof, State};
use fourseam_hosts::{HOSTS, Host};
use fourseam_prove::namespace::Namespace;
use fourseam_prove::{Program, Scenario, Stage, client, mcp, proof};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Arguments of `prove`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Agents to prove [default: all; of those that are not here, the adapter alone]
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// One JSON object instead of text
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Tables for a report
    #[arg(long)]
    markdown: bool,
    /// Leave what was run in this folder, which must not be there yet
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Already in a network namespace of its own
    #[arg(long, hide = true)]
    alone: bool,
    /// Serve the MCP tools of a proof
    #[arg(long, hide = true, value_name = "LOG")]
    mcp_server: Option<PathBuf>,
}

/// Proves, prints, and says by the exit code whether every client that was run held (0) or not (2).
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if let Some(log) = &args.mcp_server {
        mcp::serve(io::stdin().lock(), io::stdout().lock(), log)?;
        return Ok(Outcome::Done);
    }
    let chosen = chosen(&args.host)?;
    let network = match Namespace::find() {
        _ if args.alone => "loopback only (a network namespace)".to_owned(),
        Ok(namespace) => return in_namespace(&namespace),
        Err(why) => format!("NOT cut off: {why}"),
    };
    let room = Room::make(args.keep.as_deref())?;
    let proof = Proof {
        fourseam: env!("CARGO_PKG_VERSION").to_owned(),
        policy: Engine::built_in().settings().hash.clone(),
        date: clock::today(),
        network,
        hosts: prove_all(&chosen, &room)?,
    };
    if let Some(home) = Home::of_environment().filter(Home::exists) {
        proven::keep(&home, &proof)?;
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&proof).map_err(|error| Failure::new(error.to_string()))?)?;
    } else if args.markdown {
        show::proof_as_markdown(&mut out, &proof)?;
    } else {
        show::proof(&mut out, &proof)?;
    }
    let broken = proof.hosts.iter().flat_map(|host| &host.paths).any(|path| path.state == State::NotEnforced);
    Ok(if broken { Outcome::Errors } else { Outcome::Done })
}

fn chosen(names: &[String]) -> Result<Vec<&'static dyn Host>, Failure> {
    if names.is_empty() {
        return Ok(HOSTS.to_vec());
    }
    let named = names.iter().map(|name| hosts::named(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(HOSTS.iter().copied().filter(|host| named.iter().any(|of| of.id() == host.id())).collect())
}

/// The same command again, where nothing but loopback can be reached.
#[expect(clippy::disallowed_types, reason = "starts this program again; no hook call comes here")]
fn in_namespace(namespace: &Namespace) -> Result<Outcome, Failure> {
    let arguments = std::env::args_os().skip(1).chain(["--alone".into()]);
    let mut command: std::process::Command = namespace.command(&std::env::current_exe()?, arguments);
    let status = command.status()?;
    match status.code() {
        Some(0) => Ok(Outcome::Done),
        Some(2) => Ok(Outcome::Errors),
        Some(3) => Ok(Outcome::Failed),
        code => Err(Failure::new(format!("the proof ended with {code:?} in its network namespace"))),
    }
}

/// The folder in which stages are laid. It goes with its content, unless it was asked for.
struct Room {
    folder: PathBuf,
    keep: bool,
}

impl Room {
    fn make(keep: Option<&Path>) -> Result<Self, Failure> {
        let own = || std::env::temp_dir().join(format!("fourseam-prove-{}", std::process::id()));
        let folder = std::path::absolute(keep.map_or_else(own, Path::to_owned))?;
        std::fs::create_dir(&folder).map_err(|error| {
            Failure::new(format!("`{}` cannot be made: {error}", folder.display()))
                .help("name a folder that is not there")
        })?;
        Ok(Self { folder, keep: keep.is_some() })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Proves hosts, two at a time: clients wait most of their time.
fn prove_all(hosts: &[&'static dyn Host], room: &Room) -> Result<Vec<HostProof>, Failure> {
    let scenarios = fourseam_prove::prove_set().map_err(|error| Failure::new(error.to_string()))?;
    let next = AtomicUsize::new(0);
    let proven = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(host) = hosts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let _ = writeln!(io::stderr(), "{} ...", host.title());
                    let proof = prove(*host, room, &scenarios);
                    proven.lock().unwrap_or_else(PoisonError::into_inner).push((host.id(), proof));
                }
            });
        }
    });
    let mut proven = proven.into_inner().unwrap_or_else(PoisonError::into_inner);
    proven.sort_by_key(|(id, _)| *id);
    proven.into_iter().map(|(_, proof)| proof).collect()
}

fn prove(host: &dyn Host, room: &Room, scenarios: &[Scenario]) -> Result<HostProof, Failure> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let search: Vec<PathBuf> = std::env::split_paths(&search).filter(|folder| folder.is_absolute()).collect();
    let client = client::find(host.id());
    let program = Program::find(host.install().programs(), &search);
    let folders = program.as_ref().map(|program| program.path.clone()).unwrap_or_default();
    let stage = Stage::lay(&room.folder.join(host.id()), &std::env::current_exe()?, &folders)?;
    let proven = match (client, &program) {
        (Some(client), Some(program)) => proof::in_client(client, program, &stage, scenarios),
        (Some(_), None) => {
            let mend = format!("put `{}` on `PATH`", host.install().programs().join("` or `"));
            proof::of_adapter(host, &stage, scenarios, ("the client is not here", &mend))
        }
        (None, _) => {
            let reason = "this client cannot be run against a model on loopback";
            proof::of_adapter(host, &stage, scenarios, (reason, "try one refused command by hand"))
        }
    };
    Ok(proven.unwrap_or_else(|error| proof::of_failure(host, &error)))
}
