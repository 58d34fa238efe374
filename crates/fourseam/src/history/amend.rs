//! An entry more in a list of the user's policy, everything else byte for byte as it was.

/// The policy with an entry added under a top-level key; `None` where the list is not written as a block.
/// `entry`: YAML that begins with `- `, without indent.
pub(crate) fn added(policy: &str, key: &str, entry: &str) -> Option<String> {
    let lines: Vec<&str> = policy.split_inclusive('\n').collect();
    let head = format!("{key}:");
    let Some(at) = lines.iter().position(|line| line.starts_with(&head)) else {
        let mut text = policy.to_owned();
        if text.trim().is_empty() {
            "version: 1\n".clone_into(&mut text);
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        return Some(format!("{text}{head}\n{}", indented(entry, "  ")));
    };
    let after = lines.get(at)?.strip_prefix(&head)?.trim();
    if !after.is_empty() && !after.starts_with('#') {
        return None;
    }
    let rest = lines.get(at + 1..)?;
    // The block ends where a line stands at the margin that is no entry of it.
    let belongs = |line: &&str| line.trim().is_empty() || line.starts_with([' ', '-']) || line.starts_with('#');
    let block = rest.iter().take_while(|line| belongs(line)).count();
    // Blank lines and comments at its end belong to what follows.
    let is_loose = |line: &&&str| line.trim().is_empty() || line.starts_with('#');
    let loose = rest.iter().take(block).rev().take_while(is_loose).count();
    let first = rest.iter().take(block).find(|line| line.trim_start().starts_with("- "));
    let indent = first.map_or("  ", |line| line.get(..line.len() - line.trim_start().len()).unwrap_or("  "));
    let (before, behind) = lines.split_at_checked(at + 1 + block - loose)?;
    let mut text = before.concat();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&indented(entry, indent));
    text.push_str(&behind.concat());
    Some(text)
}

fn indented(entry: &str, indent: &str) -> String {
    entry.lines().map(|line| format!("{indent}{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::added;

    const ENTRY: &str = "- id: my/x\n  decision: allow\n";

    #[test]
    fn entries_are_added_where_they_belong() {
        for (before, want) in [
            ("", "version: 1\nrules:\n  - id: my/x\n    decision: allow\n"),
            ("version: 1", "version: 1\nrules:\n  - id: my/x\n    decision: allow\n"),
            (
                "version: 1\nrules: # mine\n    - id: a/b # kept\n      reason: x\n\n# next\nmode: on\n",
                "version: 1\nrules: # mine\n    - id: a/b # kept\n      reason: x\n    - id: my/x\n      decision: allow\n\n# next\nmode: on\n",
            ),
            ("rules:\n- id: a/b\n  reason: x", "rules:\n- id: a/b\n  reason: x\n- id: my/x\n  decision: allow\n"),
        ] {
            assert_eq!(added(before, "rules", ENTRY).as_deref(), Some(want));
        }
        assert_eq!(added("rules: []\n", "rules", ENTRY), None);
    }
}
