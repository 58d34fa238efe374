//! `fourseam pause`: for a while agents are told nothing, and what they do is only recorded.

use super::mode::{describe, record};
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::policy::{self, switch};
use crate::{clock, person};
use fourseam_core::decision::Mode;
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// Arguments of `pause`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long (`90s`, `10m`, `2h`; at most 24h), or `end`
    #[arg(value_parser = wanted)]
    time: Wanted,
}

/// What a person can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    For(Duration),
    End,
}

/// Begins or ends a pause.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    person::needed("`fourseam pause`")?;
    let home = Home::of_environment().filter(Home::exists).ok_or_else(|| Failure::new("fourseam is not installed"))?;
    let mode = policy::mode_with(&home, switch::mode(&home));
    match args.time {
        Wanted::For(time) => {
            if policy::mode_with(&home, Some(Mode::Dry)) != Mode::Dry {
                return Err(Failure::new("your organisation's policy sets a mode, so there is no pause"));
            }
            let until = switch::pause(&home, time)?;
            record(&home, "pause", Mode::Dry, &json!({ "until": clock::at(until) }))?;
        }
        Wanted::End => {
            switch::end_pause(&home)?;
            record(&home, "pause", mode, &json!({ "until": "now" }))?;
        }
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", describe(&home))?;
    Ok(Outcome::Done)
}

fn wanted(text: &str) -> Result<Wanted, String> {
    if text == "end" {
        return Ok(Wanted::End);
    }
    let wrong = || format!("`{text}` is no time: a number and `s`, `m` or `h`, at most 24h");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let number: u64 = text.strip_suffix(unit).unwrap_or_default().parse().map_err(|_| wrong())?;
    let seconds = match unit {
        's' => Some(1),
        'm' => Some(60),
        'h' => Some(3600),
        _ => None,
    };
    let time = seconds.and_then(|seconds| number.checked_mul(seconds)).map(Duration::from_secs).ok_or_else(wrong)?;
    if time.is_zero() || time > switch::LONGEST_PAUSE { Err(wrong()) } else { Ok(Wanted::For(time)) }
}

#[cfg(test)]
mod tests {
    use super::{Wanted, wanted};
    use std::time::Duration;

    #[test]
    fn times_of_a_person() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("24h", 86_400)] {
            assert_eq!(wanted(text), Ok(Wanted::For(Duration::from_secs(seconds))));
        }
        assert_eq!(wanted("end"), Ok(Wanted::End));
        for text in ["", "10", "0m", "25h", "m", "-1m", "10d", "99999999999999999999h", "1.5h", "1mm"] {
            assert!(wanted(text).is_err(), "{text}");
        }
    }
}
