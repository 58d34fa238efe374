//! The `apply_patch` format into file operations. Reads as the tools that apply it do, and says when it could not
//! read to the end; never fails.

use crate::action::{Action, Edit, FileOperation};

/// Reads a patch, as [`Action::Patch`].
#[must_use]
pub fn parse(text: &str) -> Action {
    let (operations, incomplete) = read(text);
    Action::Patch { operations, incomplete }
}

/// The operations of a patch, and whether it could not be read to its end.
pub(crate) fn read(text: &str) -> (Vec<FileOperation>, bool) {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.line(line.strip_suffix('\r').unwrap_or(line));
    }
    reader.finish()
}

/// Reads a unified diff of one file as replacements, one for each run of changed lines.
#[must_use]
pub fn edits_of_diff(diff: &str) -> Vec<Edit> {
    let mut edits = Changes::default();
    let mut in_hunk = false;
    for line in diff.lines() {
        if line.starts_with("@@") {
            in_hunk = true;
            edits.close();
        } else if in_hunk {
            edits.line(line);
        }
    }
    edits.close();
    edits.done
}

/// What a hunk line belongs to.
#[derive(Default, PartialEq)]
enum Section {
    /// Before `*** Begin Patch`.
    #[default]
    Before,
    /// Between two files.
    Between,
    /// In the content of a new file.
    Add,
    /// In the changes of a file.
    Update,
    /// After `*** End Patch`.
    After,
}

#[derive(Default)]
struct Reader {
    section: Section,
    operations: Vec<FileOperation>,
    changes: Changes,
    unread: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        match self.section {
            Section::Before => match line.trim() {
                "*** Begin Patch" => self.section = Section::Between,
                // A patch may come wrapped in the heredoc that would feed it to the tool.
                text if text.is_empty() || text.contains("<<") => {}
                _ => self.unread = true,
            },
            Section::After => {
                let word = line.trim();
                self.unread |= !word.is_empty() && (word.contains(char::is_whitespace) || word.starts_with("***"));
            }
            Section::Add => match line.strip_prefix('+') {
                Some(content) => self.add(content),
                None => self.header(line),
            },
            Section::Update => {
                if line.starts_with("@@") {
                    self.changes.close();
                } else if !self.changes.line(line) {
                    self.header(line);
                }
            }
            Section::Between => self.header(line),
        }
    }

    fn header(&mut self, line: &str) {
        let line = line.trim();
        if let Some(path) = line.strip_prefix("*** Add File:") {
            self.open(Section::Add, FileOperation::Add { path: path.trim().to_owned(), content: String::new() });
        } else if let Some(path) = line.strip_prefix("*** Delete File:") {
            self.open(Section::Between, FileOperation::Delete { path: path.trim().to_owned() });
        } else if let Some(path) = line.strip_prefix("*** Update File:") {
            let path = path.trim().to_owned();
            self.open(Section::Update, FileOperation::Update { path, moved_to: None, edits: Vec::new() });
        } else if let Some(path) = line.strip_prefix("*** Move to:") {
            match self.operations.last_mut() {
                Some(FileOperation::Update { moved_to, .. }) => *moved_to = Some(path.trim().to_owned()),
                Some(FileOperation::Add { .. } | FileOperation::Delete { .. }) | None => self.unread = true,
            }
        } else if line == "*** End Patch" {
            self.close();
            self.section = Section::After;
        } else if line != "*** End of File" && !line.is_empty() {
            self.unread = true;
        }
    }

    fn open(&mut self, section: Section, operation: FileOperation) {
        self.close();
        self.section = section;
        self.operations.push(operation);
    }

    fn add(&mut self, line: &str) {
        if let Some(FileOperation::Add { content, .. }) = self.operations.last_mut() {
            content.push_str(line);
            content.push('\n');
        }
    }

    /// Gives the changes read so far to the file they belong to.
    fn close(&mut self) {
        self.changes.close();
        let changes = std::mem::take(&mut self.changes.done);
        if let Some(FileOperation::Update { edits, .. }) = self.operations.last_mut() {
            edits.extend(changes);
        }
    }

    fn finish(mut self) -> (Vec<FileOperation>, bool) {
        self.close();
        (self.operations, self.unread || self.section != Section::After)
    }
}

/// Runs of `-` and `+` lines. Context ends a run.
#[derive(Default)]
struct Changes {
    old: Vec<String>,
    new: Vec<String>,
    done: Vec<Edit>,
}

impl Changes {
    /// Takes a line of a hunk; false when it is none.
    fn line(&mut self, line: &str) -> bool {
        if let Some(text) = line.strip_prefix('-') {
            self.old.push(text.to_owned());
        } else if let Some(text) = line.strip_prefix('+') {
            self.new.push(text.to_owned());
        } else if line.is_empty() || line.starts_with(' ') {
            self.close();
        } else {
            return false;
        }
        true
    }

    fn close(&mut self) {
        if !self.old.is_empty() || !self.new.is_empty() {
            self.done.push(Edit { old: self.old.join("\n"), new: self.new.join("\n") });
            self.old.clear();
            self.new.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_read_in_order() {
        let action = parse(
            "*** Begin Patch\r\n*** Add File: a.txt\r\n+one\r\n+two\r\n*** Delete File: b.txt\n*** Update File: c.rs\n\
             *** Move to: d.rs\n@@ fn main\n keep\n-old\n+new\n keep\n-gone\n*** End of File\n*** End Patch\n",
        );
        let Action::Patch { operations, incomplete } = action else { unreachable!("a patch") };
        assert!(!incomplete);
        assert_eq!(
            operations,
            [
                FileOperation::Add { path: "a.txt".into(), content: "one\ntwo\n".into() },
                FileOperation::Delete { path: "b.txt".into() },
                FileOperation::Update {
                    path: "c.rs".into(),
                    moved_to: Some("d.rs".into()),
                    edits: vec![
                        Edit { old: "old".into(), new: "new".into() },
                        Edit { old: "gone".into(), new: String::new() },
                    ],
                },
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, operations, incomplete) in [
            ("", 0, true),
            ("rm -rf x", 0, true),
            ("*** Begin Patch\n*** Delete File: a\n", 1, true),
            ("*** Begin Patch\n*** Rename File: a\n*** Delete File: b\n*** End Patch", 1, true),
            ("*** Begin Patch\n*** Add File: a\n+x\nstray\n*** End Patch", 1, true),
            ("*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: b", 1, true),
            ("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n", 1, false),
            (" *** Begin Patch\n  *** Delete File: a  \n*** End Patch ", 1, false),
        ] {
            let Action::Patch { operations: read, incomplete: unread } = parse(text) else { unreachable!("a patch") };
            assert_eq!((read.len(), unread), (operations, incomplete), "{text:?}");
        }
    }

    #[test]
    fn a_header_inside_a_change_is_context() {
        let Action::Patch { operations, .. } =
            parse("*** Begin Patch\n*** Update File: a\n@@\n *** Delete File: b\n-x\n+y\n*** End Patch")
        else {
            unreachable!("a patch")
        };
        assert_eq!(operations.len(), 1);
    }

    #[test]
    fn a_unified_diff_gives_its_changes() {
        let edits = edits_of_diff("--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n");
        assert_eq!(edits, [Edit { old: "two".into(), new: "TWO".into() }]);
    }
}
