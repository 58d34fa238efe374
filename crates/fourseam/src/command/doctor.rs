//! `fourseam doctor`: whether every agent on this machine is live, what is wrong, and what mends it. Changes nothing.

use crate::doctor::{self, Finding, Health};
use crate::exit::{Failure, Outcome};
use crate::show::{one_line, painted};
use anstyle::{AnsiColor, Style};
use fourseam_hosts::HOSTS;
use serde_json::json;
use std::io::{self, Write};

/// Arguments of `doctor`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// One JSON object for programs
    #[arg(long)]
    json: bool,
}

/// Prints what every check found. Exit code 0 when every agent that was found is live, 1 when not.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let findings = doctor::examine()?;
    let live = !findings.iter().any(Finding::is_broken);
    let mut out = anstream::stdout().lock();
    if args.json {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(out, "{}", json!({ "fourseam": version, "live": live, "findings": findings }))?;
    } else {
        show(&mut out, &findings)?;
    }
    Ok(if live { Outcome::Done } else { Outcome::Warnings })
}

fn show(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    let hosts = HOSTS.iter().map(|host| (Some(host.id()), host.title()));
    for (id, title) in std::iter::once((None, "fourseam")).chain(hosts) {
        let own: Vec<&Finding> = findings.iter().filter(|finding| finding.host == id).collect();
        if own.is_empty() {
            continue;
        }
        writeln!(out, "{}", painted(title, Style::new().bold()))?;
        for Finding { check, found, health, .. } in own {
            let (word, colour) = match health {
                Health::Fine => ("ok", AnsiColor::Green),
                Health::Note => ("note", AnsiColor::Yellow),
                Health::Broken { .. } => ("broken", AnsiColor::Red),
            };
            let word = painted(&format!("{word:6}"), Style::new().fg_color(Some(colour.into())));
            writeln!(out, "  {word}  {:13} {}", check.word(), one_line(found))?;
            if let Health::Broken { mend } = health {
                writeln!(out, "          mend: {}", one_line(mend))?;
            }
        }
    }
    match findings.iter().filter(|finding| finding.is_broken()).count() {
        0 => writeln!(out, "every agent that was found is live"),
        1 => writeln!(out, "1 thing to mend"),
        count => writeln!(out, "{count} things to mend"),
    }
}
