//! Whether what came of a scenario is what had to come of it.

use crate::setup::Expect;
use fourseam_prove::{Judged, Outcome};

/// How the guard names itself in everything that it says to a model.
const OURS: &[&str] = &["(fourseam, rule ", "fourseam asks:", "`fourseam install`"];
/// How much of each end of a text is shown.
const SHOWN: usize = 250;

/// Judges. `heard`: everything that the requests to the model held beside results.
///
/// # Errors
/// What happened instead.
pub(crate) fn judge(expect: &Expect, outcome: &Outcome, heard: &str) -> Result<(), String> {
    if let Expect::Unsaid(text) = expect {
        return match (outcome.made, heard.contains(text.as_str())) {
            (false, false) => Ok(()),
            (true, _) => Err("it was done".to_owned()),
            (false, true) => Err("the prompt reached the model".to_owned()),
        };
    }
    match &outcome.judged {
        Judged::NoSuchTool(why) => {
            let as_said = matches!(expect, Expect::NoTool(text) if why.contains(text.as_str()));
            return if as_said { Ok(()) } else { Err(format!("the client has no tool for it: {why}")) };
        }
        Judged::NotReached(how) => {
            let as_said = matches!(expect, Expect::Ends(text) if how.contains(text.as_str())) && !outcome.made;
            return if as_said { Ok(()) } else { Err(format!("the client ended before: {}", short(how))) };
        }
        Judged::Proven | Judged::Failed(_) => {}
    }
    let told = outcome.told.as_deref().unwrap_or_default();
    let is_so = match expect {
        Expect::Refused(rule) => !outcome.made && told.contains(&format!("fourseam, rule {rule})")),
        Expect::Stopped(text) => !outcome.made && told.contains(text.as_str()),
        Expect::Runs => outcome.made && !OURS.iter().any(|ours| told.contains(ours)),
        Expect::Told(these, none) => {
            let holds = |text: &String| told.contains(text) || heard.contains(text);
            outcome.made && these.iter().all(holds) && !none.iter().any(holds)
        }
        Expect::Ends(_) | Expect::NoTool(_) | Expect::Unsaid(_) => false,
    };
    if is_so {
        return Ok(());
    }
    let made = if outcome.made { "it was done" } else { "it was not done" };
    Err(format!("{made}; the model was told: {}", short(told)))
}

/// A text, the middle of a long one left out.
fn short(text: &str) -> String {
    let length = text.chars().count();
    let shown: String = if length <= 2 * SHOWN {
        text.to_owned()
    } else {
        let end = text.chars().skip(length - SHOWN);
        text.chars().take(SHOWN).chain(" ... ".chars()).chain(end).collect()
    };
    shown.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::setup::Expect;
    use fourseam_prove::{Judged, Outcome};

    #[test]
    fn only_the_wanted_end_is_green() {
        let refusal = "Refused by policy (fourseam, rule git/x): no";
        let both = |told: &str, not: &str| Expect::Told(vec![told.to_owned()], vec![not.to_owned()]);
        let rule = || Expect::Refused("git/x".to_owned());
        for (expect, made, told, green) in [
            (rule(), false, refusal, true),
            (rule(), true, refusal, false),
            (rule(), false, "Refused by policy (fourseam, rule git/xy): no", false),
            (rule(), false, "outside the workspace", false),
            (Expect::Stopped("asks".to_owned()), false, "fourseam asks: this", true),
            (Expect::Stopped("asks".to_owned()), true, "fourseam asks: this", false),
            (both("data", "secret"), true, "a remark on data", true),
            (both("heard", "secret"), true, "data", true),
            (both("data", "heard"), true, "data", false),
            (Expect::Unsaid("heard".to_owned()), false, "", false),
            (Expect::Unsaid("other".to_owned()), false, "", true),
            (Expect::Unsaid("other".to_owned()), true, "", false),
            (both("data", "secret"), true, "a remark", false),
            (both("data", "secret"), true, "data and secret", false),
            (both("data", "secret"), false, "data", false),
            (Expect::Runs, true, "done", true),
            (Expect::Runs, false, "done", false),
            (Expect::Runs, true, refusal, false),
            (Expect::NoTool("none".to_owned()), true, "done", false),
            (Expect::Ends(String::new()), false, "done", false),
        ] {
            let outcome = Outcome { judged: Judged::Proven, made, told: Some(told.to_owned()) };
            assert_eq!(judge(&expect, &outcome, "heard").is_ok(), green, "{expect:?} {made} {told}");
        }
    }

    #[test]
    fn a_client_that_did_not_come_to_it_is_green_only_where_that_is_wanted() {
        let outcome = |how: &str| Outcome { judged: Judged::NotReached(how.to_owned()), made: false, told: None };
        for expect in [Expect::Runs, Expect::Stopped(String::new()), Expect::NoTool(String::new())] {
            assert!(judge(&expect, &outcome("exit code 1"), "").is_err());
        }
        let ends = Expect::Ends("it took too long".to_owned());
        assert!(judge(&ends, &outcome("it took too long: ..."), "").is_ok());
        assert!(judge(&ends, &outcome("exit code 1"), "").is_err());
    }
}
