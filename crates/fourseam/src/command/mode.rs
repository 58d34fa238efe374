//! `fourseam mode`: shows or switches how much agents are told. Changes state only, never what is wired.

use crate::audit;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::policy::{self, switch};
use crate::{clock, person};
use fourseam_core::decision::Mode;
use serde_json::{Value, json};
use std::io::Write;

/// Arguments of `mode`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// `dry` (log only), `guard` (enforce ask and deny), `on` (also answer allow where that is safe), or `policy` (as the
    /// policy says) [default: show the mode]
    #[arg(value_parser = wanted)]
    mode: Option<Wanted>,
}

/// What a person can ask for.
#[derive(Clone, Copy)]
enum Wanted {
    Mode(Mode),
    Policy,
}

/// Shows the mode, or switches it.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let home = Home::of_environment().ok_or_else(|| Failure::new("`HOME` is not an absolute path"))?;
    match args.mode {
        None => {}
        Some(wanted) => {
            person::needed("`fourseam mode`")?;
            if !home.exists() {
                return Err(Failure::new("fourseam is not installed").help("`fourseam install` asks for the mode"));
            }
            match wanted {
                Wanted::Mode(mode) => set(&home, mode)?,
                Wanted::Policy => switch::set_mode(&home, None)?,
            }
            refresh(&home);
            let mode = policy::mode_with(&home, switch::mode(&home));
            record(&home, "mode", mode, &json!({ "mode": mode.word() }))?;
        }
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", describe(&home))?;
    Ok(Outcome::Done)
}

/// Switches the mode. The switch is kept only where it says something else than the policy.
///
/// # Errors
/// When the organisation sets a higher one, or the switch cannot be written.
pub(crate) fn set(home: &Home, mode: Mode) -> Result<(), Failure> {
    let own = policy::mode_with(home, None);
    let reached = policy::mode_with(home, Some(mode));
    if reached != mode {
        let (word, floor) = (mode.word(), reached.word());
        return Err(Failure::new(format!("mode `{word}` is lower than your organisation allows"))
            .help(format!("its policy sets `mode: {floor}`")));
    }
    switch::set_mode(home, (own != mode).then_some(mode))?;
    Ok(())
}

/// The mode in force and where it comes from.
pub(crate) fn describe(home: &Home) -> String {
    let switched = switch::mode(home);
    let mode = policy::mode_with(home, switched).word();
    let from = if switched.is_some() { "switched with `fourseam mode`" } else { "as the policy says" };
    match switch::paused_until(home) {
        Some(until) if policy::mode_with(home, Some(Mode::Dry)) == Mode::Dry => {
            format!("mode dry: paused until {}, then {mode}", clock::at(until))
        }
        Some(_) | None => format!("mode {mode}, {from}"),
    }
}

/// Puts on record what a person switched.
pub(crate) fn record(home: &Home, verb: &str, mode: Mode, input: &Value) -> Result<(), Failure> {
    audit::append(home, &audit::of_fourseam(verb, mode, input)).map_err(Failure::new)
}

/// Writes the state file anew.
fn refresh(home: &Home) {
    let _ = policy::load(&policy::Request { home: Some(home), ..policy::Request::default() });
}

fn wanted(word: &str) -> Result<Wanted, String> {
    match word {
        "policy" => Ok(Wanted::Policy),
        other => policy::mode_named(other).map(Wanted::Mode).map_err(|why| format!("{why}, `policy`")),
    }
}
