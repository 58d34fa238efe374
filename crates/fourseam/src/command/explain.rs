//! `fourseam explain`: what a command would do, as fourseam understands it. Judges nothing.
//!
//! With `--json` one object: `command` (the text), `script` (commands, words, redirects and opaque parts, spans in bytes
//! of the text; `null` for PowerShell and cmd.exe), `analysis` (invocations, effects, unknowns, findings) and `micros`. Keys are added, never renamed.

use crate::exit::{Failure, Outcome};
use crate::shell_name::ShellName;
use crate::show;
use crate::world::Machine;
use fourseam_core::action::Dialect;
use fourseam_core::analysis::{self, Analysis};
use fourseam_core::policy::Case;
use fourseam_core::world::World;
use fourseam_shell::{Scope, Script};
use serde_json::json;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Arguments of `explain`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The command line to explain
    #[arg(allow_hyphen_values = true)]
    command: String,
    /// Shell the command is written for
    #[arg(long, value_enum, default_value = "bash")]
    shell: ShellName,
    /// Folder the command would run in [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What was understood of a command, and how long each part took.
struct Explained {
    /// For shells of the POSIX family alone.
    script: Option<Script>,
    parse: Duration,
    analysis: Analysis,
    analyse: Duration,
}

/// Analyses a command and prints what was understood.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let cwd = match &args.cwd {
        Some(folder) => std::path::absolute(folder)?,
        None => std::env::current_dir()?,
    };
    let explained = explain(&args.command, args.shell.dialect(), &cwd.to_string_lossy());
    let mut out = anstream::stdout().lock();
    if args.json {
        let Explained { script, parse, analysis, analyse } = &explained;
        let micros = json!({"parse": micros(*parse), "analyse": micros(*analyse)});
        let value = json!({"command": args.command, "script": script, "analysis": analysis, "micros": micros});
        writeln!(out, "{value}")?;
    } else {
        print(&mut out, &args.command, &explained)?;
    }
    Ok(Outcome::Done)
}

fn explain(command: &str, dialect: Dialect, cwd: &str) -> Explained {
    let world = Machine::default();
    let mut scope = Scope::default().with_cwd(cwd);
    if let Some(home) = world.home() {
        scope = scope.with_variable("HOME", &home);
    }
    let started = Instant::now();
    let script = match dialect {
        Dialect::Posix => Some(fourseam_shell::parse(command, &scope)),
        Dialect::PowerShell | Dialect::Cmd => None,
    };
    let parse = started.elapsed();
    let case = Case::of_command(command, dialect, Some(cwd.to_owned()));
    let started = Instant::now();
    let analysis = analysis::analyse(&case.call, fourseam_packs::knowledge(), &world);
    Explained { script, parse, analysis, analyse: started.elapsed() }
}

fn print(out: &mut dyn Write, command: &str, explained: &Explained) -> io::Result<()> {
    if let Some(script) = &explained.script {
        writeln!(out, "commands in the text")?;
        show::script(out, command, script)?;
    }
    writeln!(out, "what would run")?;
    show::analysis(out, &explained.analysis)?;
    let (parse, analyse) = (micros(explained.parse), micros(explained.analyse));
    writeln!(out, "read in {parse} \u{b5}s, analysed in {analyse} \u{b5}s")
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}
