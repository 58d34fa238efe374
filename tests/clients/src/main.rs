//! The end-to-end tests: every scenario of `setups/` in every real client, wired by `fourseam install`, against a scripted
//! model on loopback, with no other network. Prints a table of scenarios and clients in which every cell is a pass, a
//! failure, or an explanation kept as data beside the scenario. `run.sh` installs the clients and starts this.

mod judge;
mod setup;
mod stand;
mod table;

use clap::Parser;
use fourseam_prove::client;
use fourseam_prove::{Program, namespace::Namespace};
use setup::{Guard, Setup};
use stand::{Ground, Player, perform};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use table::{Cell, Column, Table};

/// Everything went as wanted or as explained.
const GREEN: u8 = 0;
/// Something did not.
const RED: u8 = 1;
/// The tests could not be run.
const BROKEN: u8 = 2;
/// Nothing could be tested here.
const SKIPPED: u8 = 3;

/// Runs the scenarios in the real clients.
#[derive(Parser)]
struct Args {
    /// The program under test
    #[arg(long)]
    fourseam: PathBuf,
    /// Folders with clients; `node` is looked for beside the client, then on PATH
    #[arg(long, required = true)]
    bin: Vec<PathBuf>,
    /// Where throw-away homes are made; not in a temporary folder, which some clients treat in a way of its own
    #[arg(long)]
    ground: PathBuf,
    /// The hosts; every one of them has to be in the folders
    #[arg(long, value_delimiter = ',', required = true)]
    host: Vec<String>,
    /// Only these setups
    #[arg(long, value_delimiter = ',')]
    setup: Vec<String>,
    /// Clients at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Set in the copy of this program that runs in the network namespace
    #[arg(long, hide = true)]
    inside: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = if args.inside { test(&args) } else { in_namespace() };
    ExitCode::from(done.unwrap_or_else(|error| {
        say(&format!("error: {error}"));
        BROKEN
    }))
}

/// Starts this program again with nothing but loopback.
fn in_namespace() -> io::Result<u8> {
    let namespace = match Namespace::find() {
        Ok(namespace) => namespace,
        Err(why) => {
            say(&format!("SKIPPED: the real clients are NOT tested: no network namespace: {why}"));
            return Ok(SKIPPED);
        }
    };
    let arguments = std::env::args_os().skip(1).chain([OsString::from("--inside")]);
    let status = namespace.command(&std::env::current_exe()?, arguments).status()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(BROKEN))
}

/// One client in one setup.
struct Job<'a> {
    column: usize,
    setup: usize,
    player: &'a Player,
}

fn test(args: &Args) -> io::Result<u8> {
    let setups: Vec<Setup> = setup::all().map_err(io::Error::other)?;
    let wanted = |setup: &Setup| args.setup.is_empty() || args.setup.contains(&setup.id);
    let setups: Vec<Setup> = setups.into_iter().filter(wanted).collect();
    if setups.is_empty() {
        return Err(io::Error::other("there is no such setup"));
    }
    let players = players(args)?;
    std::fs::create_dir_all(&args.ground)?;
    let ground = Ground { root: args.ground.canonicalize()?, fourseam: args.fourseam.canonicalize()? };
    let columns = players.iter().map(|player| Column::of(player, ground.version(player)));
    let mut table = Table::of(columns.collect(), &setups);
    // What waits for a time limit goes first, so that no worker is left alone with it at the end.
    let mut order: Vec<usize> = (0..setups.len()).collect();
    order.sort_by_key(|number| setups.get(*number).is_none_or(|setup| setup.guard != Guard::Hangs));
    let mut queue = VecDeque::new();
    for setup in order {
        for (column, player) in players.iter().enumerate() {
            queue.push_back(Job { column, setup, player });
        }
    }
    let (queue, shared) = (Mutex::new(queue), Mutex::new(&mut table));
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| work(&queue, &setups, &ground, &shared));
        }
    });
    say(&table.to_string());
    Ok(if table.is_green() { GREEN } else { RED })
}

fn work(queue: &Mutex<VecDeque<Job<'_>>>, setups: &[Setup], ground: &Ground, table: &Mutex<&mut Table>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(job) = job else { return };
        let Some(setup) = setups.get(job.setup) else { return };
        let start = Instant::now();
        let cells = perform(ground, job.player, setup);
        let failed = cells.iter().filter(|cell| matches!(cell, Cell::Failed(_))).count();
        say(&format!("{} {}: {failed} failed, {} s", job.player.name(), setup.id, start.elapsed().as_secs()));
        table.lock().unwrap_or_else(PoisonError::into_inner).fill(job.setup, job.column, cells);
    }
}

/// The clients, in the order given, each in all its dialects.
fn players(args: &Args) -> io::Result<Vec<Player>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut players = Vec::new();
    for host in &args.host {
        let missing = || io::Error::other(format!("`{host}` is not in the folders of `--bin`"));
        let client = client::find(host).ok_or_else(missing)?;
        let names = fourseam_hosts::find(host).ok_or_else(missing)?.install().programs();
        // A client has to be one of the pinned ones; only `node` may be the machine's own.
        let has_it = |folder: &&PathBuf| names.iter().any(|name| folder.join(name).is_file());
        let own = std::path::absolute(args.bin.iter().find(has_it).ok_or_else(missing)?)?;
        let search: Vec<PathBuf> = [own].into_iter().chain(std::env::split_paths(&path)).collect();
        let program = Program::find(names, &search).ok_or_else(missing)?;
        players.extend(client.voices().iter().map(|voice| Player { client, program: program.clone(), voice: *voice }));
    }
    Ok(players)
}

fn say(text: &str) {
    // Nobody is left to be told when standard output is gone.
    let _ = writeln!(io::stdout(), "{text}");
}
