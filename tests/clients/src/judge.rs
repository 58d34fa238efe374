//! Whether what came of a scenario is what had to come of it.

use crate::setup::Expect;
use fourseam_prove::{Judged, Outcome};

/// How the guard names itself in everything that it says to a model.
const OURS: &[&str] = &["(fourseam, rule ", "fourseam asks:", "`fourseam install`"];
/// How much of a text is shown.
const SHOWN: usize = 300;

/// Judges.
///
/// # Errors
/// What happened instead.
pub(crate) fn judge(expect: &Expect, outcome: &Outcome) -> Result<(), String> {
    match &outcome.judged {
        Judged::NoSuchTool(why) => {
            let as_said = matches!(expect, Expect::NoTool(text) if why.contains(text.as_str()));
            return if as_said { Ok(()) } else { Err(format!("the client has no tool for it: {why}")) };
        }
        Judged::NotReached(why) => return Err(format!("the client ended before: {}", start(why))),
        Judged::Proven | Judged::Failed(_) => {}
    }
    let told = outcome.told.as_deref().unwrap_or_default();
    let is_so = match expect {
        Expect::Refused(rule) => !outcome.made && told.contains(&format!("fourseam, rule {rule})")),
        Expect::Stopped(text) => !outcome.made && told.contains(text.as_str()),
        Expect::Runs => outcome.made && !OURS.iter().any(|ours| told.contains(ours)),
        Expect::NoTool(_) => false,
    };
    if is_so {
        return Ok(());
    }
    let made = if outcome.made { "it was done" } else { "it was not done" };
    Err(format!("{made}; the model was told: {}", start(told)))
}

fn start(text: &str) -> String {
    text.chars().take(SHOWN).collect::<String>().replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::setup::Expect;
    use fourseam_prove::{Judged, Outcome};

    #[test]
    fn only_the_wanted_end_is_green() {
        let refusal = "Refused by policy (fourseam, rule git/x): no";
        let rule = || Expect::Refused("git/x".to_owned());
        for (expect, made, told, green) in [
            (rule(), false, refusal, true),
            (rule(), true, refusal, false),
            (rule(), false, "Refused by policy (fourseam, rule git/xy): no", false),
            (rule(), false, "outside the workspace", false),
            (Expect::Stopped("asks".to_owned()), false, "fourseam asks: this", true),
            (Expect::Stopped("asks".to_owned()), true, "fourseam asks: this", false),
            (Expect::Runs, true, "done", true),
            (Expect::Runs, false, "done", false),
            (Expect::Runs, true, refusal, false),
            (Expect::NoTool("none".to_owned()), true, "done", false),
        ] {
            let outcome = Outcome { judged: Judged::Proven, made, told: Some(told.to_owned()) };
            assert_eq!(judge(&expect, &outcome).is_ok(), green, "{expect:?} {made} {told}");
        }
    }

    #[test]
    fn a_client_that_did_not_come_to_it_is_never_green() {
        for expect in [Expect::Runs, Expect::Stopped(String::new()), Expect::NoTool(String::new())] {
            let judged = Judged::NotReached("exit code 1".to_owned());
            assert!(judge(&expect, &Outcome { judged, made: false, told: None }).is_err());
        }
    }
}
