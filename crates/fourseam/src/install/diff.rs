//! What changes in a file, line by line, for people. Long lines are cut: hook commands are long.

use crate::show::{one_line, painted};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use std::path::Path;

/// Lines of context around a change.
const CONTEXT: usize = 2;
/// Characters of a line that are shown.
const WIDTH: usize = 110;
/// Largest product of line counts that is compared in full; beyond it, what lies between the common ends is one change.
const LARGEST: usize = 4_000_000;

/// One line of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    Same(&'a str),
    Gone(&'a str),
    New(&'a str),
}

/// Prints the difference between two texts of a file, long lines cut. `None`: no file.
pub(crate) fn diff(out: &mut dyn Write, path: &Path, before: Option<&str>, after: Option<&str>) -> io::Result<()> {
    diff_of_width(out, path, (before, after), WIDTH)
}

/// As [`diff`], every line whole: for texts that a person is asked to agree to.
pub(crate) fn diff_whole(out: &mut dyn Write, path: &Path, before: Option<&str>, after: &str) -> io::Result<()> {
    diff_of_width(out, path, (before, Some(after)), usize::MAX)
}

fn diff_of_width(
    out: &mut dyn Write,
    path: &Path,
    (before, after): (Option<&str>, Option<&str>),
    width: usize,
) -> io::Result<()> {
    let shown = one_line(&path.display().to_string());
    let what = match (before, after) {
        (None, _) => "new file ",
        (_, None) => "goes away: ",
        (Some(_), Some(_)) => "",
    };
    writeln!(out, "{}", painted(&format!("{what}{shown}"), Style::new().bold()))?;
    let lines = compare(before.unwrap_or_default(), after.unwrap_or_default());
    let near = |at: usize| {
        lines
            .get(at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len()))
            .unwrap_or_default()
            .iter()
            .any(|line| !matches!(line, Line::Same(_)))
    };
    let mut skipped = false;
    for (at, line) in lines.iter().enumerate() {
        if !near(at) {
            skipped = true;
            continue;
        }
        if std::mem::take(&mut skipped) {
            writeln!(out, "  ...")?;
        }
        match line {
            Line::Same(text) => writeln!(out, "    {}", cut(text, width))?,
            Line::Gone(text) => writeln!(out, "  {}", coloured("- ", &cut(text, width), AnsiColor::Red))?,
            Line::New(text) => writeln!(out, "  {}", coloured("+ ", &cut(text, width), AnsiColor::Green))?,
        }
    }
    if skipped { writeln!(out, "  ...") } else { Ok(()) }
}

fn coloured(mark: &str, text: &str, colour: AnsiColor) -> String {
    painted(&format!("{mark}{text}"), Style::new().fg_color(Some(colour.into())))
}

fn cut(line: &str, width: usize) -> String {
    let line = one_line(line.trim_end_matches(['\r', '\n']));
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width - 1).chain(['…']).collect()
}

/// The lines of both texts in order, by their longest common subsequence.
fn compare<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old.iter().skip(head).rev().zip(new.iter().skip(head).rev()).take_while(|(a, b)| a == b).count();
    let middle = |all: &[&'a str]| all.get(head..all.len() - tail).unwrap_or_default().to_vec();
    let mut lines: Vec<Line<'a>> = old.iter().take(head).copied().map(Line::Same).collect();
    lines.extend(changed(&middle(&old), &middle(&new)));
    lines.extend(old.iter().skip(old.len() - tail).copied().map(Line::Same));
    lines
}

fn changed<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    if old.len().saturating_mul(new.len()) > LARGEST {
        return old.iter().copied().map(Line::Gone).chain(new.iter().copied().map(Line::New)).collect();
    }
    // Length of the longest common subsequence of what is left of both from each pair of places on.
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    let at = |lengths: &[u32], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or_default();
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let length = if a == b {
                at(&lengths, i + 1, j + 1) + 1
            } else {
                at(&lengths, i + 1, j).max(at(&lengths, i, j + 1))
            };
            if let Some(place) = lengths.get_mut(i * width + j) {
                *place = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    loop {
        match (old.get(i), new.get(j)) {
            (None, None) => return lines,
            (Some(a), Some(b)) if a == b => {
                lines.push(Line::Same(a));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), b) if b.is_none() || at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) => {
                lines.push(Line::Gone(a));
                i += 1;
            }
            (_, Some(b)) => {
                lines.push(Line::New(b));
                j += 1;
            }
            (Some(_), None) => return lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::diff;
    use std::path::Path;

    fn shown(before: Option<&str>, after: Option<&str>) -> String {
        let mut out = Vec::new();
        let written = diff(&mut out, Path::new("/x/a.json"), before, after);
        assert!(written.is_ok());
        anstream::adapter::strip_str(&String::from_utf8_lossy(&out)).to_string()
    }

    #[test]
    fn only_what_changes_is_shown_with_what_is_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let new = "1\n2\n3\n4\nx\n6\n7\n8\ny\n";
        let want = "/x/a.json\n  ...\n    3\n    4\n  - 5\n  + x\n    6\n    7\n    8\n  + y\n";
        assert_eq!(shown(Some(old), Some(new)), want);
        assert_eq!(shown(None, Some("a\n")), "new file /x/a.json\n  + a\n");
        assert_eq!(shown(Some("a\r\n"), None), "goes away: /x/a.json\n  - a\n");
    }

    #[test]
    fn a_file_cannot_draw_on_the_terminal() {
        let text = shown(None, Some("\u{1b}[2Jx\n"));
        assert_eq!(text, "new file /x/a.json\n  + \\u{1b}[2Jx\n");
    }
}
