//! Regexes of rules: checked when a policy is compiled, built when a rule is tried. Linear time, no look-around.

use regex_lite::{Regex, RegexBuilder};
use regex_syntax::ast::ErrorKind;
use regex_syntax::hir::{Class, Hir, HirKind};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a pattern is refused.
pub(super) struct PatternError {
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Byte offset in the pattern.
    pub(super) offset: usize,
}

/// Checks a pattern with both engines that may run it.
///
/// # Errors
/// When it is not a regex, or uses what neither engine has.
pub(super) fn check(pattern: &str) -> Result<(), PatternError> {
    if let Err(error) = regex_syntax::Parser::new().parse(pattern) {
        return Err(refused(&error));
    }
    let failed = |message: String| PatternError { message, help: None, offset: 0 };
    build(pattern).map_err(|error| failed(format!("invalid regex: {error}")))?;
    Ok(())
}

fn refused(error: &regex_syntax::Error) -> PatternError {
    let (what, offset, help) = match error {
        regex_syntax::Error::Parse(error) => {
            let help = match error.kind() {
                ErrorKind::UnsupportedLookAround => Some("write the exception under `unless` instead of `(?!...)`"),
                ErrorKind::UnsupportedBackreference => Some("a regex here cannot look back at what it matched"),
                _ => None,
            };
            (error.kind().to_string(), error.span().start.offset, help)
        }
        regex_syntax::Error::Translate(error) => (error.kind().to_string(), error.span().start.offset, None),
        other => (other.to_string(), 0, None),
    };
    PatternError { message: format!("invalid regex: {what}"), help: help.map(str::to_owned), offset }
}

/// Builds a pattern. The bound keeps the time on long texts small, whatever a policy writes.
fn build(pattern: &str) -> Result<Regex, regex_lite::Error> {
    RegexBuilder::new(pattern).size_limit(LARGEST).build()
}

/// Largest built regex, in bytes.
const LARGEST: usize = 128 * 1024;

/// Regexes built so far, by pattern: a rule that is never tried never costs its regex.
#[derive(Default)]
pub(super) struct Built(RefCell<BTreeMap<String, Option<Rc<Regex>>>>);

impl Built {
    /// Whether a pattern matches somewhere in one of the texts. Never for a pattern that `check` refuses.
    pub(super) fn matches<'t>(&self, pattern: &str, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let known = self.0.borrow().get(pattern).cloned();
        let regex = known.unwrap_or_else(|| {
            let regex = build(pattern).ok().map(Rc::new);
            self.0.borrow_mut().insert(pattern.to_owned(), regex.clone());
            regex
        });
        regex.is_some_and(|regex| texts.into_iter().any(|text| regex.is_match(text)))
    }
}

/// Lower-case texts of which at least one stands in everything the pattern matches, upper and lower case being the
/// same. `None`: there are no such texts, or too many.
pub(super) fn keywords(pattern: &str) -> Option<Vec<String>> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut keywords = required(&hir)?;
    keywords.sort();
    keywords.dedup();
    Some(keywords)
}

/// More alternatives than this cost more to look for than the regex costs to run.
const MOST_KEYWORDS: usize = 16;

fn required(hir: &Hir) -> Option<Vec<String>> {
    let found = match hir.kind() {
        HirKind::Concat(parts) => best_of_sequence(parts),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(required(part)?);
            }
            Some(all)
        }
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Literal(_) | HirKind::Class(_) => text_of(hir).map(|text| vec![text]),
        HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => None,
    }?;
    let usable = found.len() <= MOST_KEYWORDS && found.iter().all(|text| text.len() >= 2);
    usable.then_some(found)
}

/// The longest-lived requirement of a sequence: neighbouring literals joined, or one of its parts.
fn best_of_sequence(parts: &[Hir]) -> Option<Vec<String>> {
    let mut candidates: Vec<Vec<String>> = parts.iter().filter_map(required).collect();
    let mut run = String::new();
    for part in parts {
        match text_of(part) {
            Some(text) => run.push_str(&text),
            // An assertion stands between texts without taking any.
            None if matches!(part.kind(), HirKind::Look(_)) => {}
            None => candidates.push(vec![std::mem::take(&mut run)]),
        }
    }
    candidates.push(vec![run]);
    candidates.into_iter().max_by_key(|texts| texts.iter().map(String::len).min().unwrap_or(0))
}

/// The one text, in lower case, that a literal or a class like `[Aa]` stands for.
fn text_of(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            text.is_ascii().then(|| text.to_ascii_lowercase())
        }
        HirKind::Class(Class::Unicode(class)) => {
            let mut chars = class.iter().flat_map(|range| range.start()..=range.end());
            let first = chars.next()?.to_ascii_lowercase();
            // `(?i)k` also means the Kelvin sign; regex-lite, which runs the pattern, knows only the letter.
            let same = chars.take(4).all(|c| c.to_ascii_lowercase() == first || KELVIN_AND_LONG_S.contains(&c));
            (first.is_ascii() && same).then(|| first.to_string())
        }
        HirKind::Class(Class::Bytes(_))
        | HirKind::Empty
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => None,
    }
}

const KELVIN_AND_LONG_S: [char; 2] = ['\u{212A}', '\u{017F}'];

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    #[test]
    fn keywords_stand_in_every_match() {
        for (pattern, want) in [
            (r"psql\b.*\bprod", Some(vec!["prod"])),
            (r"(?i)drop\s+(table|database)", Some(vec!["database", "table"])),
            (r"(terraform|tofu)\s+destroy", Some(vec!["destroy"])),
            (r"a|b", None),
            (r".*", None),
            (r"\bgit\b", Some(vec!["git"])),
            (r"(rm|del)\b", Some(vec!["del", "rm"])),
            (r"x?y+z", None),
        ] {
            let want = want.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(keywords(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn look_around_is_refused_with_advice() {
        let error = check("a(?!b)").err().unwrap();
        assert!(error.message.contains("look-around"), "{}", error.message);
        assert_eq!(error.offset, 1);
        assert!(error.help.unwrap().contains("unless"));
        assert!(check(r"(a)\1").is_err());
        assert!(check("(").is_err());
        assert!(check("((a{100}){100}){100}").is_err());
    }
}
