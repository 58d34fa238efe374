//! Programs that change or choose lines: `tr`, `cut`, `head`, `tail`, `grep`, `sed`, `awk`.

use crate::escape;

pub(super) fn by_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => change(line) + "\n",
            None => change(line),
        })
        .collect()
}

pub(super) fn tr(arguments: &[&str], text: &str) -> Option<String> {
    match arguments {
        ["-d" | "--delete", set] => {
            let set = tr_set(set)?;
            Some(text.chars().filter(|found| !set.contains(found)).collect())
        }
        ["-s", set] => {
            let set = tr_set(set)?;
            let mut last = None;
            Some(text.chars().filter(|found| last.replace(*found) != Some(*found) || !set.contains(found)).collect())
        }
        [from, to] if !from.starts_with('-') || from.len() == 1 => {
            let (from, to) = (tr_set(from)?, tr_set(to)?);
            let last = to.last()?;
            let change = |found: char| match from.iter().rposition(|other| *other == found) {
                Some(at) => *to.get(at).unwrap_or(last),
                None => found,
            };
            Some(text.chars().map(change).collect())
        }
        _ => None,
    }
}

/// `a-z`, `[:upper:]`, escapes.
fn tr_set(set: &str) -> Option<Vec<char>> {
    let plain = match set {
        "[:upper:]" => "A-Z",
        "[:lower:]" => "a-z",
        "[:digit:]" => "0-9",
        "[:alpha:]" => "A-Za-z",
        "[:alnum:]" => "A-Za-z0-9",
        "[:space:]" => " \t\n\r",
        "[:blank:]" => " \t",
        _ if set.contains("[:") || set.contains("[=") || set.contains('*') => return None,
        _ => set,
    };
    let text: Vec<char> = escape::format(plain).chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at) {
        match (text.get(at + 1), text.get(at + 2)) {
            (Some('-'), Some(last)) if first <= last => {
                all.extend((*first..=*last).take(512));
                at += 3;
            }
            _ => {
                all.push(*first);
                at += 1;
            }
        }
    }
    Some(all)
}

/// `cut -c2-5`, `cut -d: -f1`.
pub(super) fn cut(arguments: &[&str], text: &str) -> Option<String> {
    let mut delimiter = '\t';
    let mut list = None;
    let mut characters = false;
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let (option, value) = word.split_at_checked(2)?;
        let value = if value.is_empty() { *rest.next()? } else { value };
        match option {
            "-c" | "-b" => (characters, list) = (true, Some(value)),
            "-f" => list = Some(value),
            "-d" => delimiter = value.chars().next()?,
            _ => return None,
        }
    }
    let ranges = ranges(list?)?;
    let chosen = |position: usize| ranges.iter().any(|(first, last)| (*first..=*last).contains(&position));
    Some(by_line(text, |line| {
        if characters {
            return line.chars().enumerate().filter(|(at, _)| chosen(at + 1)).map(|(_, found)| found).collect();
        }
        if !line.contains(delimiter) {
            return line.to_owned();
        }
        let fields = line.split(delimiter).enumerate().filter(|(at, _)| chosen(at + 1));
        fields.map(|(_, field)| field).collect::<Vec<_>>().join(&delimiter.to_string())
    }))
}

/// `1,3-5,7-`.
fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    list.split(',')
        .map(|range| match range.split_once('-') {
            None => range.parse().ok().map(|at| (at, at)),
            Some((first, last)) => {
                let first = if first.is_empty() { 1 } else { first.parse().ok()? };
                let last = if last.is_empty() { usize::MAX } else { last.parse().ok()? };
                Some((first, last))
            }
        })
        .collect()
}

/// `head -n 2`, `tail -1`, `tail -c 3`.
pub(super) fn head_or_tail(arguments: &[&str], text: &str, head: bool) -> Option<String> {
    let (bytes, count) = match arguments {
        [] => (false, "10"),
        ["-n", count] | ["--lines", count] => (false, *count),
        ["-c", count] | ["--bytes", count] => (true, *count),
        [word] => match word.strip_prefix("-c") {
            Some(count) => (true, count),
            None => (false, word.strip_prefix("-n").or_else(|| word.strip_prefix('-'))?),
        },
        _ => return None,
    };
    let (from_start, count) = count.strip_prefix('+').map_or((false, count), |count| (true, count));
    let count: usize = count.parse().ok()?;
    let units: Vec<&str> = if bytes {
        text.is_ascii().then_some(())?;
        text.split("").filter(|unit| !unit.is_empty()).collect()
    } else {
        text.split_inclusive('\n').collect()
    };
    let kept = match (head, from_start) {
        (true, true) => return None,
        (true, false) => units.get(..count.min(units.len()))?,
        (false, true) => units.get(count.saturating_sub(1).min(units.len())..)?,
        (false, false) => units.get(units.len().saturating_sub(count)..)?,
    };
    Some(kept.concat())
}

/// `grep text`, `grep -v text`, with a text that holds no operator of regular expressions.
pub(super) fn grep(arguments: &[&str], text: &str) -> Option<String> {
    let (inverted, pattern) = match arguments {
        [pattern] | ["-F" | "-E" | "-e", pattern] if !pattern.starts_with('-') => (false, pattern),
        ["-v", pattern] if !pattern.starts_with('-') => (true, pattern),
        _ => return None,
    };
    let all = matches!(*pattern, "" | "." | ".*");
    if !all && pattern.contains(is_operator) {
        return None;
    }
    Some(text.split_inclusive('\n').filter(|line| (all || line.contains(pattern)) != inverted).collect())
}

fn is_operator(found: char) -> bool {
    ".*[]^$\\+?(){}|&".contains(found)
}

/// `sed 's/a/b/g'` with texts that hold no operator of regular expressions, anchors apart; `sed -n 1p`.
pub(super) fn sed(arguments: &[&str], text: &str) -> Option<String> {
    let script = match arguments {
        ["-n", "p"] => return Some(text.to_owned()),
        ["-n", line] => {
            let number: usize = line.strip_suffix('p')?.parse().ok()?;
            return Some(text.split_inclusive('\n').nth(number.checked_sub(1)?).unwrap_or_default().to_owned());
        }
        [script] if !script.starts_with('-') => script,
        ["-e" | "-E" | "-r", script] => script,
        _ => return None,
    };
    let mut result = text.to_owned();
    for command in script.split(';').map(str::trim).filter(|command| !command.is_empty()) {
        let mut rest = command.strip_prefix('s')?.chars();
        let delimiter = rest.next()?;
        let parts: Vec<&str> = rest.as_str().split(delimiter).collect();
        let [from, to, flags] = parts.as_slice() else { return None };
        let (at_start, from) = from.strip_prefix('^').map_or((false, *from), |from| (true, from));
        let (at_end, from) = from.strip_suffix('$').map_or((false, from), |from| (true, from));
        if from.contains(is_operator) || to.contains(['&', '\\']) || from.is_empty() && !at_start && !at_end {
            return None;
        }
        let once = |line: &str| match (at_start, at_end) {
            (true, true) => {
                if line == from {
                    (*to).to_owned()
                } else {
                    line.to_owned()
                }
            }
            (true, false) => line.strip_prefix(from).map_or_else(|| line.to_owned(), |rest| format!("{to}{rest}")),
            (false, true) => line.strip_suffix(from).map_or_else(|| line.to_owned(), |rest| format!("{rest}{to}")),
            (false, false) => line.replacen(from, to, 1),
        };
        result = match *flags {
            "g" if !at_start && !at_end => result.replace(from, to),
            "" | "g" => by_line(&result, once),
            _ => return None,
        };
    }
    Some(result)
}

/// `awk '{print $2}'`.
pub(super) fn awk(arguments: &[&str], text: &str) -> Option<String> {
    let [script] = arguments else { return None };
    let inside = script.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let field = inside.strip_prefix("print")?.trim();
    if field.is_empty() || field == "$0" {
        return Some(text.to_owned());
    }
    let number: usize = field.strip_prefix('$')?.parse().ok()?;
    Some(by_line(text, |line| line.split_whitespace().nth(number.wrapping_sub(1)).unwrap_or_default().to_owned()))
}

/// `awk 'BEGIN { print "text" }'`.
pub(super) fn awk_begin(arguments: &[&str]) -> Option<String> {
    let [script, ..] = arguments else { return None };
    let inside = script.trim().strip_prefix("BEGIN")?.trim().strip_prefix('{')?.split('}').next()?.trim();
    let (end, text) = match inside.strip_prefix("printf") {
        Some(text) => ("", text),
        None => ("\n", inside.strip_prefix("print")?),
    };
    let text = text.trim().trim_matches(['(', ')', ';']).trim().strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['"', '%'])).then(|| escape::format(text) + end)
}
