//! `docs/hosts.md` is made from the tables of the hosts. `FOURSEAM_WRITE_DOCS=1 cargo test -p fourseam-hosts --test docs`
//! writes it; without the variable a drift fails.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests may panic and read files")]

use fourseam_core::action::Point;
use fourseam_core::capabilities::{AskSupport, Capabilities, ReplaceSupport};
use fourseam_core::decision::{Decision, Mode};
use fourseam_core::verdict::{Draft, Opinion, Reason, Told};
use fourseam_hosts::install::{Program, Scope, Wiring};
use fourseam_hosts::proof::{self, Proof, State};
use fourseam_hosts::{HOSTS, Host};
use std::fmt::Write;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hosts.md");

const HEAD: &str = "\
# Hosts

What each agent obeys, what was proven in it, and how `fourseam install` wires it. This page is made from the code and
from the last proof (`crates/fourseam-hosts/proof.json`); what was run in the real client and what was only read is in the
README of each host's folder under `crates/fourseam-hosts/src`.

`fourseam prove` runs the same proof on your machine: the real client, in a home folder of its own, with a scripted model
on loopback that tries a refused and a harmless call on each way to the machine. *Verified in the client* means that the
refused one was not done, that the model was told the rule, and that the harmless one was done, in the client's most
permissive mode. *Adapter only* means that the client was not run: its payloads were answered rightly.

A *gate* stands before something that runs: there a failure of fourseam is a refusal. `ask: no` means that an ask is told
as a deny; `opt-in`, that it is so unless `hosts.<id>.ask: native` is set. Events that are only watched are not listed.
";

#[test]
fn the_page_is_what_the_tables_say() {
    let page = page();
    if std::env::var_os("FOURSEAM_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let found = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        found == page,
        "docs/hosts.md is out of date: run `FOURSEAM_WRITE_DOCS=1 cargo test -p fourseam-hosts --test docs`"
    );
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    let proof = proof::last().unwrap();
    for host in HOSTS {
        section(&mut page, *host, &proof).unwrap();
    }
    page.push_str(AFTERWARDS);
    for host in HOSTS {
        after_the_fact(&mut page, *host).unwrap();
    }
    page
}

const AFTERWARDS: &str = "
## Results, prompts and answers

There nobody is asked any more. A rule that decides `ask` warns: a text for the agent beside the result or prompt, a line for
the user beside the prompt or answer. One that decides `deny` keeps the text back as far as the host can: of a result that
holds secrets only the secrets are taken out, any other is replaced by a notice; a prompt is not sent; after an answer the
agent is sent back, once. `inject_action: warn`, the default, makes a warning of what rules say of instructions and hidden
characters in results; with `block` they are kept back too. Where a host can do less, the stronger becomes the weaker:

| host | event | ask | deny |
|---|---|---|---|
";

fn after_the_fact(page: &mut String, host: &dyn Host) -> std::fmt::Result {
    let wired = wired(host, false);
    for event in host.events().iter().filter(|event| wired.contains(&event.name)) {
        let can = &event.capabilities;
        let silent = host.render(event, &told(can, Decision::Abstain));
        let is_heard = |decision| host.render(event, &told(can, decision)) != silent;
        let asked = if is_heard(Decision::Ask) { "warned" } else { "recorded only" };
        let denied = match can.point {
            None | Some(Point::ToolCall) => continue,
            Some(Point::ToolResult) => match can.replace {
                ReplaceSupport::All => "replaced",
                ReplaceSupport::Mcp => "replaced where it is an MCP tool's, else warned",
                ReplaceSupport::No => asked,
            },
            Some(Point::Prompt | Point::Output) if !is_heard(Decision::Deny) => "recorded only",
            Some(Point::Prompt) => "blocked",
            Some(Point::Output) => "sent back once",
        };
        writeln!(page, "| {} | `{}` | {asked} | {denied} |", host.title(), event.name)?;
    }
    Ok(())
}

fn told(can: &Capabilities, decision: Decision) -> Told {
    let (rule, message) = ("shop/plums".to_owned(), "Plums.".to_owned());
    let reason = Reason { rule, decision, message, instead: None, matched: String::new(), span: None };
    let opinion = (decision != Decision::Abstain).then_some(Opinion { reason });
    Draft::default().settle(opinion).fit(can, Mode::Guard, false)
}

fn section(page: &mut String, host: &dyn Host, proof: &Proof) -> std::fmt::Result {
    let names = [&[host.id()], host.aliases()].concat().join("`, `");
    writeln!(page, "\n## {}\n\nOn the command line: `{names}`.\n", host.title())?;
    proven(page, host, proof)?;
    writeln!(page, "| event | point | gate | deny | ask | allow | rewrite | context | replace | wired |")?;
    writeln!(page, "|---|---|---|---|---|---|---|---|---|---|")?;
    let always = wired(host, false);
    let asking = wired(host, true);
    for event in host.events() {
        let Some(point) = event.capabilities.point else { continue };
        let wire = match (always.contains(&event.name), asking.contains(&event.name)) {
            (true, _) => "yes",
            (false, true) => "opt-in",
            (false, false) => "",
        };
        writeln!(page, "| `{}` | {} | {} | {wire} |", event.name, point_word(point), cells(&event.capabilities))?;
    }
    limits(page, host)?;
    let place = |scope| {
        let place = host.install().place(scope);
        format!("{}/{}", place.folder, place.file)
    };
    writeln!(page, "\n- Files: `~/{}`, in a project `{}`.", place(Scope::User), place(Scope::Project))?;
    if let Some(variable) = host.install().place(Scope::User).variable {
        writeln!(page, "- `{variable}` moves the first.")?;
    }
    if let Some(folder) = host.install().place(Scope::User).config {
        writeln!(page, "- With `XDG_CONFIG_HOME`, the first is below `$XDG_CONFIG_HOME/{folder}`.")?;
    }
    if let Some(native) = host.install().native() {
        let place = native.place();
        writeln!(page, "- Rules of its own (`fourseam native`): `~/{}/{}`.", place.folder, place.file)?;
    }
    if host.install().restart() {
        writeln!(page, "- A running session has to be started anew.")?;
    }
    for (scope, label) in [(Scope::User, "left to do"), (Scope::Project, "left to do in a project")] {
        let steps = host.install().steps(scope);
        if !steps.is_empty() && (scope == Scope::User || steps != host.install().steps(Scope::User)) {
            writeln!(page, "- {label}: {}.", steps.join("; "))?;
        }
    }
    Ok(())
}

/// What was seen in the client, from the last proof.
fn proven(page: &mut String, host: &dyn Host, proof: &Proof) -> std::fmt::Result {
    let Some(of) = proof.hosts.iter().find(|of| of.host == host.id()) else { return Ok(()) };
    let all = |state| of.paths.iter().filter(|path| path.state == state).map(|path| path.path.as_str()).collect();
    let lists: [(Vec<&str>, &str); 3] = [
        (all(State::Verified), "verified in the client"),
        (all(State::AdapterOnly), "adapter only"),
        (all(State::NotEnforced), "not enforced"),
    ];
    match &of.version {
        Some(version) => writeln!(page, "Newest version proven: **{version}**, {}.\n", proof.date)?,
        None => writeln!(page, "Proven in no version of the client.\n")?,
    }
    for (paths, what) in lists.iter().filter(|(paths, _)| !paths.is_empty()) {
        writeln!(page, "- {what}: {}", paths.join(", "))?;
    }
    writeln!(page)
}

fn limits(page: &mut String, host: &dyn Host) -> std::fmt::Result {
    writeln!(page, "\n| cannot be enforced | what is done about it |\n|---|---|")?;
    host.limits().iter().try_for_each(|limit| writeln!(page, "| {} | {} |", limit.what, limit.answer))
}

fn wired(host: &dyn Host, native_ask: bool) -> Vec<&'static str> {
    let wiring = Wiring { program: Program::OfEachUser, native_ask };
    host.install().wired(&wiring).iter().map(|event| event.name).collect()
}

fn point_word(point: Point) -> &'static str {
    match point {
        Point::Prompt => "prompt",
        Point::ToolCall => "tool-call",
        Point::ToolResult => "tool-result",
        Point::Output => "output",
    }
}

fn cells(can: &Capabilities) -> String {
    let yes = |flag| if flag { "yes" } else { "" };
    let ask = match can.ask {
        AskSupport::Native => "yes",
        AskSupport::OptIn => "opt-in",
        AskSupport::No => "no",
    };
    let replace = match can.replace {
        ReplaceSupport::No => "",
        ReplaceSupport::Mcp => "MCP",
        ReplaceSupport::All => "yes",
    };
    [yes(can.gate), yes(can.deny), ask, yes(can.allow), yes(can.rewrite), yes(can.context), replace].join(" | ")
}
