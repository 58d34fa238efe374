//! Packs and rules as pages for people. The one text behind `fourseam rule` and `docs/rules/`.

use super::case::Case;
use super::rule::Rule;
use super::source::Pack;
use std::fmt::Write;

impl Pack {
    /// The page of the pack, in Markdown.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}\n", self.title, self.about);
        if self.locked {
            page.push_str("\nThis pack is locked: it cannot be disabled, and its rules cannot be overridden.\n");
        }
        for rule in &self.rules {
            let _ = write!(page, "\n{}", rule.page());
        }
        page
    }
}

impl Rule {
    /// The rule's part of the page of its pack, in Markdown. The heading is the second half of its id.
    #[must_use]
    pub fn page(&self) -> String {
        let name = self.id.split('/').next_back().unwrap_or_default();
        let mut facts = vec![format!("**{}**", self.decision.word())];
        facts.extend(self.severity.map(|severity| format!("severity {}", severity.word())));
        if self.maturity != super::Maturity::default() {
            facts.push(self.maturity.word().to_owned());
        }
        if self.dry {
            facts.push("only tried out".to_owned());
        }
        facts.extend(self.since.as_ref().map(|version| format!("since {version}")));
        let mut page = format!("## {name}\n\n`{}` · {}\n", self.id, facts.join(" · "));
        for text in [Some(&self.reason), self.why.as_ref()].into_iter().flatten() {
            let _ = write!(page, "\n{text}\n");
        }
        if let Some(instead) = &self.instead {
            let _ = write!(page, "\nInstead: {instead}\n");
        }
        let _ = write!(page, "\n{}", fenced("yaml", self.condition_text()));
        let forms = self.forms();
        if !forms.is_empty() {
            page.push_str("\nAlso told to agents in their own rules, where they can say it:\n\n");
            for form in forms {
                let _ = writeln!(page, "- {}", code(&form.to_string()));
            }
        }
        examples(&mut page, "Matches", &self.cases.hit);
        examples(&mut page, "Does not match", &self.cases.miss);
        if !self.cases.gap.is_empty() {
            page.push_str("\nKnown gaps:\n\n");
            for gap in &self.cases.gap {
                let _ = writeln!(page, "- {}: {}", code(&gap.label), gap.why.as_deref().unwrap_or("not matched yet"));
            }
        }
        if !self.references.is_empty() {
            page.push_str("\nSee also:\n\n");
            for reference in &self.references {
                let _ = writeln!(page, "- <{reference}>");
            }
        }
        page
    }

    /// What the rule demands, as it is written.
    fn condition_text(&self) -> &str {
        let starts = ["when:", "unless:", "pattern:", "raw_pattern:"];
        // Other keys may stand between these; the text runs from the first of them to the next key that is not one.
        let lines: Vec<&str> = self.text.lines().collect();
        let is_key = |line: &str| !line.starts_with([' ', '#', '-']) && line.contains(':');
        let wanted = |line: &str| starts.iter().any(|start| line.starts_with(start));
        let first = lines.iter().position(|line| wanted(line));
        let Some(first) = first else { return &self.text };
        let rest = lines.iter().skip(first).position(|line| is_key(line) && !wanted(line));
        let end = rest.map_or(lines.len(), |length| first + length);
        let offset = |line: usize| lines.iter().take(line).map(|line| line.len() + 1).sum::<usize>();
        self.text.get(offset(first)..offset(end).min(self.text.len())).unwrap_or(&self.text).trim_end()
    }
}

fn examples(page: &mut String, title: &str, cases: &[Case]) {
    if cases.is_empty() {
        return;
    }
    let _ = write!(page, "\n{title}:\n\n");
    for case in cases {
        let label = &case.label;
        let why = case.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        if label.contains('\n') {
            let text: Vec<String> = fenced("sh", label).lines().map(|line| format!("  {line}\n")).collect();
            let _ = write!(page, "- \n{}", text.concat());
        } else {
            let _ = writeln!(page, "- {}{why}", code(label));
        }
    }
}

/// Text as inline code, whatever backticks it holds.
fn code(text: &str) -> String {
    let mut fence = "`".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn fenced(language: &str, text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{text}\n{fence}\n")
}
