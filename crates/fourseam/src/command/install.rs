//! `fourseam install`: wires agents so that every tool call is judged, and changes nothing else in their files.

use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::install::native::Told;
use crate::install::{
    Around, Change, Edit, Ledger, Lock, Part, Plan, Seen, Step, Trust, chosen, diff, edit, scope_named,
};
use crate::person;
use crate::policy::{self, Request, switch};
use fourseam_core::decision::Mode;
use fourseam_hosts::install::Scope;
use fourseam_hosts::{Host, codex_trust};
use std::io::{self, Write};

/// Arguments of `install`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Agents to wire [default: those found on this machine]
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// Wire every agent that fourseam knows, found or not
    #[arg(long, conflicts_with = "host")]
    all: bool,
    /// `user`: your own configuration; `project`: this project's, shared with others
    #[arg(long, default_value = "user", value_parser = scope_named)]
    scope: Scope,
    /// `dry` (log only), `guard` (enforce ask and deny) or `on` (also allow) [default: what the policy says, else guard]
    #[arg(long, value_parser = policy::mode_named)]
    mode: Option<Mode>,
    /// Also write the plainest deny rules as the agents' own rules, which hold where no hook runs (`fourseam native`)
    /// [default: asked at a terminal, else no]
    #[arg(long)]
    native: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Ask nothing
    #[arg(long)]
    yes: bool,
}

/// Shows the plan, asks, and does it.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    let around = Around::of_environment()?;
    let hosts = chosen(&args.host, args.all, &around)?;
    let settings = policy::load(&Request { home: Some(&home), ..Request::default() }).settings;
    let make = || Plan::make(&hosts, args.scope, &home, &around, |host| settings.asks_in(host));
    let mut out = anstream::stdout().lock();
    let plan = make()?;
    show(&mut out, &plan, args)?;
    if args.dry_run {
        if args.native {
            writeln!(out, "and rules of the agents' own, which `fourseam native` shows")?;
        }
        return Ok(if plan.has_failures() { Outcome::Failed } else { Outcome::Done });
    }
    if !args.yes && !person::is_here() {
        return Err(Failure::new("this is no terminal, so nobody can be asked")
            .help("`--yes` does it without asking, `--dry-run` only shows it"));
    }
    check_mode(args, &home)?;
    let mode = args.mode.map_or_else(|| first_mode(args, &home), |mode| Ok(Some(mode)))?;
    if !args.yes && (plan.changes() || mode.is_some()) && !person::agrees("Do this?")? {
        return Err(Failure::new("nothing was changed"));
    }
    let native = wants_native(args, &hosts, &home, &around, mode)?;
    let _lock = Lock::take(&home)?;
    // Another run, or the agent itself, may have written meanwhile.
    let again = make()?;
    if !args.yes && again != plan {
        return Err(Failure::new("a file was changed since it was read").help("run the command again"));
    }
    let outcome = Run { home: &home, around: &around, args, out: &mut out }.all(&again, mode)?;
    if !native.is_empty() && super::native::write(&mut out, &home, &native)? {
        return Ok(Outcome::Failed);
    }
    Ok(outcome)
}

/// What agents are to be told in their own rules. None in mode dry, where nobody is told anything.
fn wants_native(
    args: &Args,
    hosts: &[&'static dyn Host],
    home: &Home,
    around: &Around,
    mode: Option<Mode>,
) -> Result<Vec<Told>, Failure> {
    let dry = mode.unwrap_or_else(|| policy::mode_with(home, switch::mode(home))) == Mode::Dry;
    if args.native && (dry || args.scope == Scope::Project) {
        return Err(Failure::new("rules of agents' own are for modes guard and on, and for your own configuration")
            .help("leave `--native` out; `fourseam native` says more"));
    }
    if dry || args.scope == Scope::Project || !args.native && args.yes {
        return Ok(Vec::new());
    }
    let told = super::native::told(hosts, &super::native::rules()?, around);
    let ledger = Ledger::load(home)?;
    let changes = told.iter().any(|told| told.rewrite(&ledger).is_ok_and(|rewrite| rewrite.is_some()));
    let question = "Also write the plainest deny rules as the agents' own rules, so that they hold where no hook runs? \
                    (`fourseam native` shows them)";
    let wanted = args.native || changes && person::agrees(question)?;
    Ok(if wanted { told } else { Vec::new() })
}

/// A run that may write.
struct Run<'a> {
    home: &'a Home,
    around: &'a Around,
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Run<'_> {
    /// The program first, the hook entries last: nothing is ever wired to a program that is not there.
    fn all(&mut self, plan: &Plan, mode: Option<Mode>) -> Result<Outcome, Failure> {
        let mut ledger = Ledger::load(self.home)?;
        let exe = plan.program.exe.display();
        plan.program.put().map_err(|error| Failure::new(format!("`{exe}` cannot be written: {error}")))?;
        if let Some(mode) = mode {
            super::mode::set(self.home, mode)?;
        }
        // Writes the state file, which the hook entries read where the program is gone.
        let loaded = policy::load(&Request { home: Some(self.home), anew: true, ..Request::default() });
        let mut failed = false;
        for step in &plan.steps {
            let done = step.edit.clone().and_then(|edit| write(&mut ledger, step, &edit));
            let trusted = done.and_then(|()| self.trust(&mut ledger, step));
            failed |= trusted.is_err();
            self.tell(step, trusted)?;
        }
        let Self { out, .. } = self;
        for problem in &loaded.problems {
            writeln!(out, "{problem}")?;
        }
        let mode = loaded.settings.mode.word();
        writeln!(out, "program `{exe}`, mode {mode}; `fourseam status` shows what is wired")?;
        Ok(if failed { Outcome::Failed } else { Outcome::Done })
    }

    /// Codex runs only hooks that were reviewed. The yes to the plan is that review. Says whether a person need not.
    fn trust(&self, ledger: &mut Ledger, step: &Step) -> Result<bool, String> {
        let Seen::Program(program) = &step.target.seen else { return Ok(false) };
        if step.target.host.id() != CODEX || self.args.scope == Scope::Project {
            return Ok(false);
        }
        let hooks = &step.target.file;
        let trust = Trust::ask(program, hooks, &self.around.home)?;
        let path = Trust::file(hooks);
        let said = |error: &dyn std::fmt::Display| format!("`{}`: {error}", path.display());
        let before = edit::read(&path).map_err(|error| said(&error))?;
        let text = before.as_deref().map(std::str::from_utf8).transpose().map_err(|error| said(&error))?;
        let clean = text.is_none_or(|text| codex_trust::untrust(text).is_ok_and(|rest| rest.as_deref() == Some(text)));
        let after = codex_trust::trust(text, trust.hooks()).map_err(|error| said(&error))?;
        let edit = Edit { path: path.clone(), before, after: Some(after.into_bytes()) };
        if !trust.is_whole() && edit.changes() {
            let change = Change { host: CODEX, part: Part::Trust, edit: &edit, clean, rules: &[] };
            ledger.write(&change).map_err(|error| said(&error))?;
        }
        Ok(true)
    }

    /// What was done for an agent, and what is left for a person.
    fn tell(&mut self, step: &Step, done: Result<bool, String>) -> io::Result<()> {
        let Self { out, args, .. } = self;
        let (host, file) = (step.target.host, step.target.file.display());
        let wired = step.edit.as_ref().is_ok_and(|edit| !edit.changes() || edit.after == read_now(edit));
        let what = match (&step.edit, wired) {
            (Err(_), _) | (_, false) => "left alone",
            (Ok(edit), true) if edit.changes() => "wired",
            (Ok(_), true) => "was wired",
        };
        writeln!(out, "{}: {what}, `{file}`", host.title())?;
        let trusted = match done {
            Ok(trusted) => trusted,
            Err(why) => {
                writeln!(out, "  error: {why}")?;
                false
            }
        };
        if !wired {
            return Ok(());
        }
        if step.edit.as_ref().is_ok_and(Edit::changes) && host.install().restart() {
            writeln!(out, "  a running session has to be started anew")?;
        }
        let steps = if trusted { &[] } else { host.install().steps(args.scope) };
        steps.iter().try_for_each(|step| writeln!(out, "  left to do: {step}"))
    }
}

/// The host whose trust in hooks can be written for it.
const CODEX: &str = "codex";

fn read_now(edit: &Edit) -> Option<Vec<u8>> {
    edit::read(&edit.path).ok().flatten()
}

fn write(ledger: &mut Ledger, step: &Step, edit: &Edit) -> Result<(), String> {
    if !edit.changes() {
        return Ok(());
    }
    let change = Change { host: step.target.host.id(), part: Part::Hooks, edit, clean: step.clean, rules: &[] };
    ledger.write(&change).map_err(|error| error.to_string())
}

/// The plan: in full before a question, in short before `--yes`.
fn show(out: &mut dyn Write, plan: &Plan, args: &Args) -> io::Result<()> {
    if plan.program.is_copied() {
        writeln!(out, "copy this program to `{}`", plan.program.exe.display())?;
    }
    for step in &plan.steps {
        let (host, file) = (step.target.host, step.target.file.display());
        match &step.edit {
            Err(why) => writeln!(out, "{}: `{file}`: {why}; it is left alone", host.title())?,
            Ok(edit) if !edit.changes() && args.yes => {}
            Ok(edit) if !edit.changes() => writeln!(out, "{}: `{file}` is as it should be", host.title())?,
            Ok(edit) if !args.yes => {
                let text =
                    |bytes: &Option<Vec<u8>>| bytes.as_deref().map(String::from_utf8_lossy).map(Into::<String>::into);
                diff(out, &edit.path, text(&edit.before).as_deref(), text(&edit.after).as_deref())?;
                if host.id() == CODEX && args.scope == Scope::User && matches!(step.target.seen, Seen::Program(_)) {
                    let trust = Trust::file(&step.target.file);
                    writeln!(out, "and trust these hooks in `{}`, as `/hooks` in Codex does", trust.display())?;
                }
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// On the first installation the person says how careful the start is, unless the policy does.
fn first_mode(args: &Args, home: &Home) -> Result<Option<Mode>, Failure> {
    let says_mode = |line: &fourseam_core::policy::Line| line.name == "mode" && line.from != "default";
    if args.yes || home.state().exists() || policy_lines(home).iter().any(says_mode) {
        return Ok(None);
    }
    loop {
        let said =
            person::answer("Mode: dry (log only, a careful start), guard (enforce) or on (also allow)? [guard] ")?;
        if said.is_empty() {
            return Ok(Some(Mode::Guard));
        }
        match policy::mode_named(&said) {
            Ok(mode) => return Ok(Some(mode)),
            Err(why) => writeln!(io::stderr(), "{why}")?,
        }
    }
}

fn policy_lines(home: &Home) -> Vec<fourseam_core::policy::Line> {
    fourseam_core::policy::overview(&policy::load(&Request { home: Some(home), ..Request::default() }).policy)
}

/// An installation that is there is weakened by a person only.
fn check_mode(args: &Args, home: &Home) -> Result<(), Failure> {
    let now = policy::mode_with(home, switch::mode(home));
    match args.mode {
        Some(mode) if mode < now && home.state().exists() => person::needed("lowering the mode"),
        Some(_) | None => Ok(()),
    }
}
