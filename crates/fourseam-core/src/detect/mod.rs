//! Detectors: each finds one kind of thing in a text. They find; the policy decides.
//!
//! A new detector is one file and one line in [`DETECTORS`].

mod exfil_link;
mod hidden_unicode;
mod injection;
pub mod secrets;
mod view;
mod windows;

use crate::analysis::Finding;

/// What a text is to the agent. A detector says which parts it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The result of a tool call: a page, a file, the output of a command, a row of a database.
    ToolOutput,
    /// The result of a tool call whose text the user, the host or the agent itself wrote.
    OwnOutput,
    /// What the user, or an agent on behalf of the user, asks for.
    Prompt,
    /// What an edit adds to a file.
    FileContent,
    /// Names, descriptions and schemas of tools that a server offers.
    ToolDescription,
    /// The agent's final answer.
    FinalAnswer,
    /// A command line, an argument of an MCP call, a URL or a search query.
    Command,
}

/// Finds one kind of thing in a text. Pure and total: any text, any length, no errors.
pub trait Detector: Sync {
    /// Kebab-case id, the same word as the file's name: `secrets`.
    fn id(&self) -> &'static str;

    /// The parts this detector reads.
    fn reads(&self) -> &'static [Part];

    /// What it finds in a text of one of the parts it reads, in order of place, spans into `text`.
    /// Messages never hold a secret. Time grows linearly with the text.
    fn scan(&self, text: &str) -> Vec<Finding>;
}

/// Every detector, sorted by id.
pub const DETECTORS: &[&dyn Detector] =
    &[&exfil_link::ExfilLink, &hidden_unicode::HiddenUnicode, &injection::Injection, &secrets::Secrets];

/// What all detectors that read this part find in a text, in order of place. Texts over 1 MiB are read at both ends
/// and in samples between.
#[must_use]
pub fn scan(part: Part, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for window in windows::windows(text) {
        let offset = span(window.start, window.start).0;
        let piece = text.get(window).unwrap_or_default();
        for detector in DETECTORS.iter().filter(|detector| detector.reads().contains(&part)) {
            findings.extend(detector.scan(piece).into_iter().map(|mut finding| {
                finding.span = (finding.span.0.saturating_add(offset), finding.span.1.saturating_add(offset));
                finding
            }));
        }
    }
    findings.sort_by_key(|finding| finding.span);
    findings
}

/// A byte range as findings carry it. Texts past 4 GiB are never read whole, so the cut does not happen.
fn span(start: usize, end: usize) -> (u32, u32) {
    (u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detectors_are_sorted_unique_and_kebab_case() {
        let ids: Vec<&str> = DETECTORS.iter().map(|detector| detector.id()).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(ids, sorted);
        for id in ids {
            assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{id}");
        }
    }

    #[test]
    fn every_detector_reads_something_and_survives_odd_texts() {
        for detector in DETECTORS {
            assert!(!detector.reads().is_empty(), "{}", detector.id());
            for text in ["", "\u{feff}", "\0\0", "日本", "=\"", "-----BEGIN ", "a\u{202e}"] {
                detector.scan(text);
            }
        }
    }
}
