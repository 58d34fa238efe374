//! Which records a person wants to see. One set of options for every verb that reads the log.

use crate::clock;
use fourseam_core::decision::Decision;
use fourseam_core::record::Record;

/// A choice of records. Everything that is set must hold; nothing set means all.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Filter {
    /// Only from then on: `30m`, `2h`, `7d`, or a time in UTC (`2026-11-30`, `2026-11-30T08:00`)
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Since>,
    /// Only of this agent
    #[arg(long, value_name = "HOST")]
    pub(crate) agent: Option<String>,
    /// Only of this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Only where this was decided, or told the agent: `abstain`, `allow`, `ask`, `deny`
    #[arg(long, value_name = "DECISION", value_parser = decision)]
    pub(crate) decision: Option<Decision>,
    /// Only where this rule matched (`git/force-push`), or a rule of this pack (`git`)
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<String>,
    /// Only of the project in this folder, or of those below it
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub(crate) project: Option<String>,
}

impl Filter {
    /// Whether a record is wanted.
    pub(crate) fn admits(&self, record: &Record) -> bool {
        let Self { since, agent, session, decision, rule, project } = self;
        since.as_ref().is_none_or(|since| since.admits(&record.time))
            && agent.as_ref().is_none_or(|agent| *agent == record.agent)
            && session.as_ref().is_none_or(|session| record.session.as_ref() == Some(session))
            && decision.is_none_or(|decision| [record.decision, record.told].contains(&decision))
            && rule.as_ref().is_none_or(|rule| {
                record.rules.iter().chain(&record.dry_rules).any(|id| {
                    id.strip_prefix(rule.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                })
            })
            && project.as_ref().is_none_or(|folder| {
                record.project.as_ref().is_some_and(|own| fourseam_core::world::is_below(own, folder))
            })
    }
}

/// The earliest time wanted: the beginning of an RFC 3339 time in UTC, as records write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Since(String);

impl Since {
    fn admits(&self, time: &str) -> bool {
        time >= self.0.as_str()
    }
}

impl std::str::FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(ago) = seconds(text) {
            return Ok(Self(clock::at(clock::seconds().saturating_sub(ago)).trim_end_matches('Z').to_owned()));
        }
        let time = text.trim_end_matches('Z');
        if is_time(time) {
            return Ok(Self(time.replace(' ', "T")));
        }
        Err(format!("`{text}` is no time: `30m`, `2h`, `7d`, `2026-11-30` or `2026-11-30T08:00` (UTC)"))
    }
}

/// Seconds of a span: a number and `s`, `m`, `h`, `d` or `w`.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let unit = text.chars().last()?;
    let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
    let each = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    number.checked_mul(each)
}

/// Whether a text is the beginning of `2026-11-30T08:00:00.000`, cut between its parts, with a `T` or a blank.
fn is_time(text: &str) -> bool {
    const FORM: &str = "dddd-dd-ddTdd:dd:dd.ddd";
    let fits = text.len() <= FORM.len()
        && text.chars().zip(FORM.chars()).all(|(c, form)| match form {
            'd' => c.is_ascii_digit(),
            'T' => c == 'T' || c == ' ',
            sign => c == sign,
        });
    fits && [4, 7, 10, 13, 16, 19, 23].contains(&text.len())
}

fn decision(word: &str) -> Result<Decision, String> {
    let all = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];
    let found = all.into_iter().find(|decision| decision.word() == word);
    found.ok_or_else(|| format!("`{word}` is none of `abstain`, `allow`, `ask`, `deny`"))
}

fn folder(path: &str) -> Result<String, String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    Ok(path.to_string_lossy().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    fn since(text: &str) -> Since {
        text.parse().unwrap()
    }

    #[test]
    fn times_of_a_person() {
        let record = "2026-11-30T08:00:00.250Z";
        for (text, want) in [
            ("2026-11-30", true),
            ("2026-11", true),
            ("2026-11-30T08:00", true),
            ("2026-11-30 08:00:00", true),
            ("2026-11-30T08:00:00Z", true),
            ("2026-11-30T08:00:00.251Z", false),
            ("2026-12-01", false),
            ("9999w", true),
        ] {
            assert_eq!(since(text).admits(record), want, "{text}");
        }
        for text in ["", "x", "7", "d", "2026-1", "2026-11-30T08:00:00+02:00", "yesterday", "99999999999999999999d"] {
            assert!(text.parse::<Since>().is_err(), "{text}");
        }
    }
}
