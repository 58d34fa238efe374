//! `fourseam allow-once CODE`: shows a person what was refused, in full, and lets exactly that pass once.

use crate::exit::{Failure, Outcome};
use crate::grants::{self, Binding, Code, Pending};
use crate::home::Home;
use crate::policy::{self, Request};
use crate::{clock, person, show};
use fourseam_core::decision::Mode;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};

/// Arguments of `allow-once`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The code in the text of the refusal
    code: String,
}

/// Shows, asks, grants.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    person::needed("`fourseam allow-once`")?;
    if !io::stdout().is_terminal() {
        return Err(Failure::new("`fourseam allow-once` shows what it lets pass, and standard output is no terminal")
            .help("run it without a pipe or redirection"));
    }
    let home = Home::of_environment().filter(Home::exists).ok_or_else(|| Failure::new("fourseam is not installed"))?;
    let pending = pending(&home, &args.code)?;
    let mut out = anstream::stdout().lock();
    show::pending(&mut out, &pending)?;
    out.flush()?;
    drop(out);
    still_the_same(&home, &pending.binding)?;
    let minutes = grants::LASTS / 60;
    if !person::agrees(&format!("Let exactly this pass, once, within {minutes} minutes?"))? {
        record(&home, "no", &pending)?;
        writeln!(anstream::stdout(), "Nothing was changed; it stays refused.")?;
        return Ok(Outcome::Deny);
    }
    record(&home, "yes", &pending)?;
    grants::grant(&home, pending.binding.clone())?;
    pending.remove(&home);
    writeln!(
        anstream::stdout(),
        "It may pass once within {minutes} minutes. Tell the agent to try it again, unchanged."
    )?;
    Ok(Outcome::Done)
}

fn pending(home: &Home, typed: &str) -> Result<Pending, Failure> {
    let code = Code::parse(typed).ok_or_else(|| {
        Failure::new(format!("`{typed}` is no code"))
            .help("a code has eight letters and digits and stands in the text of the refusal")
    })?;
    grants::find(home, &code).ok_or_else(|| {
        Failure::new(format!("no refusal waits under `{code}`")).help(
            "a code holds for an hour after the refusal and is gone once it was used; let the agent try again for a new one",
        )
    })
}

/// A grant for what is there no more would never be used; so the person learns of it now.
fn still_the_same(home: &Home, binding: &Binding) -> Result<(), Failure> {
    let again = "let the agent try again, and look at what it tries then";
    let request = Request { home: Some(home), cwd: binding.cwd.as_deref(), anew: false };
    if policy::load(&request).settings.hash != binding.policy {
        return Err(Failure::new("the policy has changed since this was refused").help(again));
    }
    for (path, hash) in &binding.scripts {
        if grants::hash_of(path) != *hash {
            return Err(Failure::new(format!("`{path}` has changed since this was refused")).help(again));
        }
    }
    Ok(())
}

/// Puts on record what the person said. Before the grant: what cannot be recorded is not granted.
fn record(home: &Home, said: &str, pending: &Pending) -> Result<(), Failure> {
    let Binding { host, session, cwd, action, .. } = &pending.binding;
    let rules: Vec<&str> = pending.reasons.iter().map(|why| why.rule.as_str()).collect();
    let input: Value = json!({ "said": said, "refused": clock::at(pending.at), "rules": rules, "agent": host,
        "session": session, "cwd": cwd, "of": action, "key": pending.binding.key() });
    super::mode::record(home, "allow-once", Mode::default(), &input)
}
