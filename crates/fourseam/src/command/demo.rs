//! `fourseam demo`: one dangerous command as each host's real payload, and the bytes each host gets back.
//! Reads and writes nothing of the user's.

use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::{hosts, show};
use fourseam_core::policy::Case;
use fourseam_core::verdict::Verdict;
use fourseam_hosts::{HOSTS, Host};
use std::io::Write;

/// Arguments of `demo`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Another command to show
    #[arg(default_value = "psql -c 'DROP DATABASE app'")]
    command: String,
}

/// Shows what every host is told of one command.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let engine = Engine::built_in();
    let mut out = anstream::stdout().lock();
    writeln!(out, "The agent wants to run: {}\n", show::one_line(&args.command))?;
    for (number, host) in HOSTS.iter().enumerate() {
        let verdict = verdict(&engine, *host, &args.command)?;
        if number == 0 {
            show::verdict(&mut out, &args.command, &verdict)?;
        }
        let event = host.default_event();
        writeln!(out, "\n{} calls `fourseam hook {} {}` with", host.title(), host.id(), event.name)?;
        writeln!(out, "  stdin:  {}", host.sample(&args.command))?;
        show::reply(&mut out, *host, event.name, &hosts::tell(*host, event, verdict, engine.settings()))?;
    }
    Ok(Outcome::Done)
}

fn verdict(engine: &Engine, host: &dyn Host, command: &str) -> Result<Verdict, Failure> {
    let call = host.parse(&host.sample(command), None).map_err(|error| Failure::new(error.to_string()))?;
    Ok(engine.verdict(&call, &Case::example_world()))
}
