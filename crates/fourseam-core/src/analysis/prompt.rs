//! What a prompt brings in: its own text, and the files that it names with `@path`, which agents put into the context.

use super::analyst::Analyst;
use super::path::Follow;
use crate::detect::{self, Part};
use crate::world::Known;

/// Most files that are looked at.
const MOST_FILES: usize = 8;
/// Largest file that is looked at, in bytes.
const LARGEST: usize = 256 * 1024;

impl Analyst<'_> {
    /// A prompt. What is found in a file that it names has the place of the name.
    pub(super) fn prompt(&mut self, text: &str, cwd: Option<&str>) {
        self.out.findings = detect::scan(Part::Prompt, text);
        for (at, name) in named_files(text).take(MOST_FILES) {
            let Some(path) = self.named_path(name, cwd, Follow::Links).resolved else { continue };
            let Known::Yes(content) = self.world.text(&path, LARGEST) else { continue };
            let end = at.saturating_add(name.len());
            let span = [at, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            let found = detect::scan(Part::ToolOutput, &content);
            // A key in a file of one's own is no news; text that steers the agent is.
            let steers = |detector: &str| matches!(detector, "injection" | "hidden-unicode");
            self.out.findings.extend(found.into_iter().filter(|finding| steers(&finding.detector)).map(
                |mut finding| {
                    finding.span = span.into();
                    finding.message = format!("in `{name}`: {}", finding.message);
                    finding
                },
            ));
        }
    }
}

/// The files named with `@path` and where each name begins.
fn named_files(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('@').filter_map(move |(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let rest = text.get(at + 1..)?;
        let name = rest.split(|c: char| c.is_whitespace() || "\"'`,;()<>".contains(c)).next()?;
        let name = name.trim_end_matches(['.', ':', '!', '?']);
        let stands_alone = before.is_none_or(|c| c.is_whitespace() || "\"'`(".contains(c));
        (stands_alone && !name.is_empty()).then_some((at + 1, name))
    })
}

#[cfg(test)]
mod tests {
    use super::named_files;

    #[test]
    fn names_are_found_and_addresses_are_none() {
        let names = |text| named_files(text).map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names("look at @docs/a.md, and @b.txt."), ["docs/a.md", "b.txt"]);
        assert_eq!(names("mail ana@example.com @ noon"), Vec::<&str>::new());
    }
}
