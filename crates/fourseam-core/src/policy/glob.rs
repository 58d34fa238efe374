//! Globs: `*`, `?`, `[a-z]`, `[!a]`, `\x`; braces are expanded when a policy is compiled. Total and without regexes.

/// How far a `*` reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Over everything.
    All,
    /// Not over `/`; `**` does.
    Segment,
}

/// Whether a glob matches a whole text. `*` matches anything.
pub(super) fn matches(glob: &str, text: &str) -> bool {
    run(glob, text, Reach::All)
}

/// As [`matches`], upper and lower case being the same.
pub(super) fn matches_ignoring_case(glob: &str, text: &str) -> bool {
    matches(&glob.to_lowercase(), &text.to_lowercase())
}

/// Whether a path glob matches a whole path. `*` stays within a folder, `**` does not. A glob that starts with `~/`
/// stands for any home folder; one that does not start with `/` or `~` may start at any folder.
pub(super) fn matches_path(glob: &str, path: &str) -> bool {
    if let Some(rest) = glob.strip_prefix("~/") {
        return path.strip_prefix("~/").is_some_and(|path| run(rest, path, Reach::Segment))
            || HOMES.iter().any(|home| run(&format!("{home}/{rest}"), path, Reach::Segment));
    }
    if glob.starts_with('/') || glob.starts_with('~') || glob.starts_with("**") {
        return run(glob, path, Reach::Segment);
    }
    run(glob, path, Reach::Segment) || run(&format!("**/{glob}"), path, Reach::Segment)
}

/// Where home folders are.
const HOMES: [&str; 5] = ["/home/*", "/root", "/Users/*", "?:/Users/*", "/?:/users/*"];

/// Expands `{a,b}` into several globs, at most [`MOST_GLOBS`].
pub(super) fn expand_braces(glob: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![glob.to_owned()];
    while let Some(glob) = open.pop() {
        match first_braces(&glob) {
            Some((before, choices, after)) if done.len() + open.len() + choices.len() <= MOST_GLOBS => {
                open.extend(choices.iter().rev().map(|choice| format!("{before}{choice}{after}")));
            }
            _ if done.contains(&glob) => {}
            _ => done.push(glob),
        }
    }
    done
}

/// How many globs one text with braces may become.
const MOST_GLOBS: usize = 256;

/// The innermost first `{a,b}`: what stands before it, its choices, what stands behind it.
fn first_braces(glob: &str) -> Option<(&str, Vec<&str>, &str)> {
    let (head, after) = glob.split_once('}')?;
    let (before, inside) = head.rsplit_once('{')?;
    if !inside.contains(',') || before.ends_with('\\') {
        return None;
    }
    Some((before, inside.split(',').collect(), after))
}

/// One step of a glob.
enum Step {
    Char(char),
    AnyChar,
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Star,
    /// `**`, and `**/`, which also matches nothing.
    Deep {
        folder: bool,
    },
}

fn steps(glob: &str, reach: Reach) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = glob.chars();
    while let Some(c) = rest.next() {
        steps.push(match c {
            '*' if rest.as_str().starts_with('*') => {
                rest = rest.as_str().trim_start_matches('*').chars();
                let folder = reach == Reach::Segment && rest.as_str().starts_with('/');
                if folder {
                    rest.next();
                }
                Step::Deep { folder }
            }
            '*' => Step::Star,
            '?' => Step::AnyChar,
            '\\' => Step::Char(rest.next().unwrap_or('\\')),
            '[' => match class(rest.as_str()) {
                Some((class, after)) => {
                    rest = after.chars();
                    class
                }
                None => Step::Char('['),
            },
            c => Step::Char(c),
        });
    }
    steps
}

/// The class after a `[`, and what stands behind its `]`.
fn class(text: &str) -> Option<(Step, &str)> {
    let (inside, after) = text.split_once(']')?;
    let (negated, inside) = match inside.strip_prefix(['!', '^']) {
        Some(inside) => (true, inside),
        None => (false, inside),
    };
    if inside.is_empty() {
        return None;
    }
    let chars: Vec<char> = inside.chars().collect();
    let mut ranges = Vec::new();
    let mut rest = chars.as_slice();
    loop {
        match rest {
            [from, '-', to, more @ ..] => {
                ranges.push((*from, *to));
                rest = more;
            }
            [one, more @ ..] => {
                ranges.push((*one, *one));
                rest = more;
            }
            [] => return Some((Step::Class { negated, ranges }, after)),
        }
    }
}

fn run(glob: &str, text: &str, reach: Reach) -> bool {
    if !glob.contains(SPECIAL) {
        return glob == text;
    }
    could_match(glob, text) && walk(glob, text, reach)
}

/// Characters that do not stand for themselves.
const SPECIAL: [char; 5] = ['*', '?', '[', ']', '\\'];

/// Whether the plain texts at both ends of a glob stand at the ends of a text. Most globs fail here, and cheaply.
fn could_match(glob: &str, text: &str) -> bool {
    let before = glob.split(SPECIAL).next().unwrap_or_default();
    let after = glob.rsplit(SPECIAL).next().unwrap_or_default();
    // `**/x` also matches `x`.
    text.starts_with(before) && text.ends_with(after.trim_start_matches('/'))
}

/// Keeps the set of steps that could come next, character by character: no backtracking.
fn walk(glob: &str, text: &str, reach: Reach) -> bool {
    let steps = steps(glob, reach);
    let mut now = vec![false; steps.len() + 1];
    enter(&mut now, &steps, 0);
    for c in text.chars() {
        let mut next = vec![false; steps.len() + 1];
        for (index, step) in steps.iter().enumerate() {
            if now.get(index) != Some(&true) {
                continue;
            }
            match step {
                Step::Char(want) if *want == c => enter(&mut next, &steps, index + 1),
                Step::AnyChar if reach == Reach::All || c != '/' => enter(&mut next, &steps, index + 1),
                Step::Class { negated, ranges } => {
                    if ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated {
                        enter(&mut next, &steps, index + 1);
                    }
                }
                Step::Star if reach == Reach::All || c != '/' => enter(&mut next, &steps, index),
                Step::Deep { folder: false } => enter(&mut next, &steps, index),
                // `**/` eats whole folders: what follows it may start only behind a `/`.
                Step::Deep { folder: true } => {
                    mark(&mut next, index);
                    if c == '/' {
                        enter(&mut next, &steps, index + 1);
                    }
                }
                Step::Char(_) | Step::AnyChar | Step::Star => {}
            }
        }
        now = next;
    }
    now.get(steps.len()) == Some(&true)
}

/// Marks a step and those that can be passed without a character.
fn enter(set: &mut [bool], steps: &[Step], index: usize) {
    mark(set, index);
    if matches!(steps.get(index), Some(Step::Star | Step::Deep { .. })) {
        enter(set, steps, index + 1);
    }
}

fn mark(set: &mut [bool], index: usize) {
    if let Some(slot) = set.get_mut(index) {
        *slot = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_whole_texts() {
        for (glob, text, want) in [
            ("git", "git", true),
            ("git", "gitk", false),
            ("*", "", true),
            ("feature/*", "feature/a/b", true),
            ("*prod*", "my-prod-db", true),
            ("python?.[0-9]*", "python3.12", true),
            ("[!a]b", "ab", false),
            ("[!a]b", "cb", true),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("[", "[", true),
            ("ä*", "äß", true),
        ] {
            assert_eq!(matches(glob, text), want, "{glob} on {text}");
        }
    }

    #[test]
    fn path_globs_stay_in_their_folder() {
        for (glob, path, want) in [
            ("/etc/*", "/etc/passwd", true),
            ("/etc/*", "/etc/ssh/sshd_config", false),
            ("/etc/**", "/etc/ssh/sshd_config", true),
            ("/srv/**/x", "/srv/x", true),
            ("/srv/**/x", "/srv/a/b/x", true),
            ("/srv/**/x", "/srv/ax", false),
            ("*.tfstate", "/home/ana/project/infra/prod.tfstate", true),
            ("*.tfstate", "/home/ana/project/prod.tfstate.d/x", false),
            ("infra/*.tf", "/home/ana/project/infra/a.tf", true),
            ("infra/*.tf", "/home/ana/project/xinfra/a.tf", false),
            ("~/.ssh/*", "/home/ana/.ssh/config", true),
            ("~/.ssh/*", "/Users/ana/.ssh/config", true),
            ("~/.ssh/*", "/srv/.ssh/config", false),
        ] {
            assert_eq!(matches_path(glob, path), want, "{glob} on {path}");
        }
    }

    #[test]
    fn braces_expand() {
        assert_eq!(expand_braces("a{b,c}d"), ["abd", "acd"]);
        assert_eq!(expand_braces("{a,b{c,d}}"), ["a", "bc", "bd"]);
        assert_eq!(expand_braces("{}"), ["{}"]);
    }
}
