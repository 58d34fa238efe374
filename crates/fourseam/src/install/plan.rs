//! What `install` is about to do: the program, and the change of each agent's hook file. Changes nothing itself.

use super::{Around, Edit, Program, Target, edit};
use crate::exit::Failure;
use crate::home::Home;
use fourseam_hosts::Host;
use fourseam_hosts::install::{self, Scope, Wiring};

/// Everything that is about to be done.
#[derive(PartialEq)]
pub(crate) struct Plan {
    /// The program that gets wired.
    pub(crate) program: Program,
    /// One for each agent.
    pub(crate) steps: Vec<Step>,
}

/// The hook file of one agent.
pub(crate) struct Step {
    /// The agent.
    pub(crate) target: Target,
    /// How many of its events get an entry.
    pub(crate) events: usize,
    /// Whether nothing of ours is in the file yet.
    pub(crate) clean: bool,
    /// The change; or why the file is left alone.
    pub(crate) edit: Result<Edit, String>,
}

/// A step is the same when it would do the same.
impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.target.file == other.target.file && self.edit == other.edit
    }
}

impl Plan {
    /// Reads the hook files. `native_ask`: whether the user accepted a host's own way of asking.
    ///
    /// # Errors
    /// When nothing can be wired at all.
    pub(crate) fn make(
        hosts: &[&'static dyn Host],
        scope: Scope,
        home: &Home,
        around: &Around,
        native_ask: impl Fn(&str) -> bool,
    ) -> Result<Self, Failure> {
        let program = Program::decide(home, around)?;
        let mut steps = Vec::new();
        for host in hosts {
            let wiring = wiring(&program, home, scope, native_ask(host.id()))?;
            steps.push(step(around.target(*host, scope)?, &wiring));
        }
        Ok(Self { program, steps })
    }

    /// Whether anything would be written.
    pub(crate) fn changes(&self) -> bool {
        self.program.is_copied() || self.steps.iter().any(|step| step.edit.as_ref().is_ok_and(Edit::changes))
    }

    /// Whether a file has to be left alone.
    pub(crate) fn has_failures(&self) -> bool {
        self.steps.iter().any(|step| step.edit.is_err())
    }
}

fn wiring(program: &Program, home: &Home, scope: Scope, native_ask: bool) -> Result<Wiring, Failure> {
    let text = |path: &std::path::Path| {
        let shown = path.display();
        path.to_str().map(str::to_owned).ok_or_else(|| Failure::new(format!("the path `{shown}` is not UTF-8 text")))
    };
    let program = match scope {
        Scope::User => install::Program::Installed { exe: text(&program.exe)?, home: text(home.path())? },
        Scope::Project => install::Program::OfEachUser,
    };
    Ok(Wiring { program, native_ask })
}

fn step(target: Target, wiring: &Wiring) -> Step {
    let install = target.host.install();
    let events = install.wired(wiring).len();
    let read = || -> Result<(Edit, bool), String> {
        let before = edit::read(&target.file).map_err(|error| error.to_string())?;
        let text = before.as_deref().map(std::str::from_utf8).transpose().map_err(|_| "it is not UTF-8 text")?;
        let clean = match text {
            Some(text) => install.found(text).map_err(|error| error.to_string())?.is_empty(),
            None => true,
        };
        let after = install.plan(text, wiring).map_err(|error| error.to_string())?;
        Ok((Edit { path: target.file.clone(), before, after: Some(after.into_bytes()) }, clean))
    };
    match read() {
        Ok((edit, clean)) => Step { events, clean, edit: Ok(edit), target },
        Err(why) => Step { events, clean: false, edit: Err(why), target },
    }
}
