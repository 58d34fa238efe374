//! A proof for people: as text, or as tables for a report.

use fourseam_hosts::proof::{HostProof, PathProof, Proof, State};
use std::io::{self, Write};

/// As text. What is the same on every way of a host is said once.
pub(crate) fn proof(out: &mut dyn Write, proof: &Proof) -> io::Result<()> {
    writeln!(out, "fourseam {}, policy {}, {}; network: {}", proof.fourseam, proof.policy, proof.date, proof.network)?;
    for host in &proof.hosts {
        writeln!(out, "\n{}", title(host))?;
        let mut said = None;
        for path in &host.paths {
            writeln!(out, "  {:<10} {} ({})", path.path, state(host, path), count(path))?;
            let about = (path.reason.as_deref(), path.mend.as_deref());
            if said == Some(about) {
                continue;
            }
            for (label, text) in [("reason", about.0), ("mend", about.1)] {
                if let Some(text) = text {
                    writeln!(out, "    {label}: {text}")?;
                }
            }
            said = Some(about);
        }
        for limit in fourseam_hosts::find(&host.host).map_or(&[][..], |host| host.limits()) {
            writeln!(out, "  note: {}; {}", limit.what, limit.answer)?;
        }
    }
    Ok(())
}

/// As a Markdown report.
pub(crate) fn proof_as_markdown(out: &mut dyn Write, proof: &Proof) -> io::Result<()> {
    writeln!(out, "# What fourseam was seen to refuse\n")?;
    writeln!(out, "| | |\n|---|---|")?;
    let versions = [
        ("fourseam", &proof.fourseam),
        ("policy", &proof.policy),
        ("date", &proof.date),
        ("network of the clients", &proof.network),
    ];
    versions.iter().try_for_each(|(name, value)| writeln!(out, "| {name} | {value} |"))?;
    writeln!(out, "\n| agent | version | way | result | cases | reason | mend |\n|---|---|---|---|---|---|---|")?;
    for host in &proof.hosts {
        for path in &host.paths {
            let version = host.version.as_deref().unwrap_or("not here");
            let text = |text: &Option<String>| text.as_deref().unwrap_or_default().replace('|', "\\|");
            let (reason, mend) = (text(&path.reason), text(&path.mend));
            let (way, result, cases) = (&path.path, state(host, path), count(path));
            writeln!(out, "| {} | {version} | {way} | {result} | {cases} | {reason} | {mend} |", title(host))?;
        }
    }
    writeln!(out, "\n## What cannot be enforced\n\n| agent | what | what is done about it |\n|---|---|---|")?;
    for host in &proof.hosts {
        for limit in fourseam_hosts::find(&host.host).map_or(&[][..], |host| host.limits()) {
            writeln!(out, "| {} | {} | {} |", title(host), limit.what, limit.answer)?;
        }
    }
    Ok(())
}

fn title(host: &HostProof) -> &str {
    fourseam_hosts::find(&host.host).map_or(host.host.as_str(), |host| host.title())
}

fn state(host: &HostProof, path: &PathProof) -> String {
    match (path.state, &host.version) {
        (State::Verified, Some(version)) => format!("VERIFIED IN CLIENT {version}"),
        (State::Verified, None) => "VERIFIED IN CLIENT of unknown version".to_owned(),
        (State::AdapterOnly, _) => "ADAPTER ONLY".to_owned(),
        (State::NotEnforced, _) => "NOT ENFORCED".to_owned(),
    }
}

fn count(path: &PathProof) -> String {
    let passed = path.cases.iter().filter(|case| case.passed).count();
    format!("{passed} of {}", path.cases.len())
}
