//! Programs that only make text: what they write when their arguments and input are known.

use super::simple::{merged, size};
use super::{Outcome, Output};
use crate::escape;
use crate::ir::{Piece, Stdin, Word};

/// What a command writes on standard output, and whether it succeeds, as far as both are known.
pub(crate) fn output(words: &[Word], stdin: &Stdin) -> Outcome {
    let Some(program) = words.first().and_then(Word::literal) else { return Outcome::unknown() };
    let name = program.rsplit('/').next().unwrap_or(program);
    let words = words.get(1..).unwrap_or_default();
    match name {
        ":" | "true" => return Outcome::silent(Some(true)),
        "false" => return Outcome::silent(Some(false)),
        "echo" => return Outcome { output: Output::of(echo(words)), success: Some(true) },
        "printf" => return Outcome { output: Output::of(printf(words)), success: None },
        "mkdir" | "touch" | "sleep" | "chmod" | "test" | "[" | "wait" | "hash" | "umask" | "shopt" | "export" => {
            return Outcome::silent(None);
        }
        "cat" | "tee" if words.iter().all(|word| is_plain_input(name, word)) => {
            return Outcome { output: Output::of(known_input(stdin)), success: None };
        }
        _ => {}
    }
    let arguments: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
    let Some(arguments) = arguments else { return Outcome::unknown() };
    let text = filter(name, &arguments, stdin);
    let output = text
        .filter(|text| text.len() <= super::MAX_VALUE)
        .map(|text| if text.is_empty() { Vec::new() } else { vec![Piece::Literal(text)] });
    Outcome { output: Output::of(output), success: None }
}

/// An argument that leaves `cat` and `tee` passing on their input.
fn is_plain_input(name: &str, word: &Word) -> bool {
    if name == "tee" {
        return true;
    }
    matches!(word.literal(), Some("-" | "/dev/stdin" | "-u" | "--"))
}

fn known_input(stdin: &Stdin) -> Option<Vec<Piece>> {
    match stdin {
        Stdin::Text(text) => Some(text.pieces.clone()),
        Stdin::Inherited | Stdin::File(_) | Stdin::Pipe(_) => None,
    }
}

fn echo(words: &[Word]) -> Option<Vec<Piece>> {
    let mut escapes = false;
    let mut newline = true;
    let mut rest = words;
    while let Some(option) = rest.first().and_then(Word::literal) {
        let flags = option.strip_prefix('-').filter(|flags| !flags.is_empty());
        let Some(flags) = flags.filter(|flags| flags.bytes().all(|flag| b"neE".contains(&flag))) else { break };
        for flag in flags.bytes() {
            match flag {
                b'n' => newline = false,
                b'e' => escapes = true,
                _ => escapes = false,
            }
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    let mut pieces = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Literal(" ".to_owned()));
        }
        for piece in &word.pieces {
            match piece {
                Piece::Literal(text) if escapes => {
                    let (text, ended) = escape::echo(text);
                    pieces.push(Piece::Literal(text));
                    if ended {
                        return Some(merged(pieces));
                    }
                }
                Piece::Literal(_) | Piece::Unknown(_) | Piece::Glob(_) => pieces.push(piece.clone()),
            }
        }
    }
    if newline {
        pieces.push(Piece::Literal("\n".to_owned()));
    }
    (size(&pieces) <= super::MAX_VALUE).then(|| merged(pieces))
}

/// `printf`: the format is used again until every argument is.
fn printf(words: &[Word]) -> Option<Vec<Piece>> {
    let words = if words.first().and_then(Word::literal) == Some("--") { words.get(1..)? } else { words };
    let format = words.first()?.literal()?;
    let mut arguments = words.get(1..)?.iter();
    let mut pieces = Vec::new();
    loop {
        let before = arguments.len();
        one_round(format, &mut arguments, &mut pieces)?;
        if arguments.len() == 0 {
            return Some(merged(pieces));
        }
        if arguments.len() == before || size(&pieces) > super::MAX_VALUE {
            return if arguments.len() == before { Some(merged(pieces)) } else { None };
        }
    }
}

fn one_round<'a>(format: &str, arguments: &mut impl Iterator<Item = &'a Word>, pieces: &mut Vec<Piece>) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (plain, from) = rest.split_at_checked(at)?;
        pieces.push(Piece::Literal(escape::format(plain)));
        let after = from.get(1..)?;
        let length = after.find(|found: char| !"-+ #0123456789.*".contains(found)).unwrap_or(after.len());
        let (flags, kind) = after.split_at_checked(length)?;
        let mut kinds = kind.chars();
        let kind = kinds.next()?;
        rest = kinds.as_str();
        if kind == '%' {
            pieces.push(Piece::Literal("%".to_owned()));
            continue;
        }
        conversion(kind, flags, arguments.next(), pieces)?;
    }
    pieces.push(Piece::Literal(escape::format(rest)));
    Some(())
}

fn conversion(kind: char, flags: &str, argument: Option<&Word>, pieces: &mut Vec<Piece>) -> Option<()> {
    let Some(argument) = argument else {
        if matches!(kind, 'd' | 'i' | 'u' | 'x' | 'X' | 'o') {
            pieces.push(Piece::Literal("0".to_owned()));
        }
        return Some(());
    };
    match (kind, argument.literal()) {
        ('s', _) if flags.is_empty() => pieces.extend(argument.pieces.iter().cloned()),
        ('s', Some(text)) => pieces.push(Piece::Literal(padded(text, flags)?)),
        ('b', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(escape::echo(text).0)),
        ('q', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(shell_quoted(text))),
        ('c', Some(text)) => pieces.push(Piece::Literal(text.chars().take(1).collect())),
        ('d' | 'i' | 'u', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(number(text)?.to_string())),
        ('x', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(format!("{:x}", number(text)?))),
        ('X', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(format!("{:X}", number(text)?))),
        ('o', Some(text)) if flags.is_empty() => pieces.push(Piece::Literal(format!("{:o}", number(text)?))),
        _ => return None,
    }
    Some(())
}

/// `%10s`, `%-10s`, `%.3s`.
fn padded(text: &str, flags: &str) -> Option<String> {
    let (left, flags) = flags.strip_prefix('-').map_or((false, flags), |flags| (true, flags));
    let (width, precision) = flags.split_once('.').map_or((flags, None), |(width, precision)| (width, Some(precision)));
    let width: usize = if width.is_empty() { 0 } else { width.parse().ok().filter(|width| *width <= 1_000)? };
    let text: String = match precision {
        Some(precision) => text.chars().take(if precision.is_empty() { 0 } else { precision.parse().ok()? }).collect(),
        None => text.to_owned(),
    };
    Some(if left { format!("{text:<width$}") } else { format!("{text:>width$}") })
}

fn number(text: &str) -> Option<i64> {
    if let Some(character) = text.strip_prefix(['\'', '"']) {
        return character.chars().next().map(|character| i64::from(u32::from(character)));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).ok();
    }
    match text.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8).ok(),
        _ => text.parse().ok(),
    }
}

fn shell_quoted(text: &str) -> String {
    let mut quoted = String::new();
    for character in text.chars() {
        if !(character.is_alphanumeric() || "_-./:=,@%+".contains(character)) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted
}

/// Programs that turn their standard input into something else.
fn filter(name: &str, arguments: &[&str], stdin: &Stdin) -> Option<String> {
    match name {
        "basename" => return basename(arguments),
        "dirname" => return dirname(arguments),
        "seq" => return seq(arguments),
        "which" | "command" | "type" => return location(name, arguments),
        "awk" | "gawk" | "mawk" if awk_begin(arguments).is_some() => return awk_begin(arguments),
        _ => {}
    }
    let Stdin::Text(text) = stdin else { return None };
    let text = text.literal()?;
    match name {
        "base64" | "gbase64" => base64(arguments, text),
        "base32" => base32(arguments, text),
        "xxd" => xxd(arguments, text),
        "rev" if arguments.is_empty() => Some(by_line(text, |line| line.chars().rev().collect())),
        "tac" if arguments.is_empty() => Some(text.lines().rev().flat_map(|line| [line, "\n"]).collect()),
        "tr" => tr(arguments, text),
        "cut" => cut(arguments, text),
        "head" => head_or_tail(arguments, text, true),
        "tail" => head_or_tail(arguments, text, false),
        "sed" | "gsed" => sed(arguments, text),
        "sort" | "uniq" if arguments.is_empty() && text.lines().count() <= 1 => Some(text.to_owned()),
        "xargs" if arguments.is_empty() || arguments == ["echo"] => {
            Some(text.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        }
        "grep" | "egrep" | "fgrep" => grep(arguments, text),
        "awk" | "gawk" | "mawk" => awk(arguments, text),
        "openssl"
            if arguments.contains(&"-d")
                && arguments.iter().any(|word| matches!(*word, "base64" | "-base64" | "-a")) =>
        {
            base64(&["-d"], text)
        }
        _ => None,
    }
}

fn by_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => change(line) + "\n",
            None => change(line),
        })
        .collect()
}

/// Text made from bytes; bytes that are no text make it unknown.
fn from_bytes(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}

fn base64(arguments: &[&str], text: &str) -> Option<String> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let decodes = |word: &&str| matches!(*word, "-d" | "-D" | "--decode" | "-di" | "-id" | "-dw0");
    if !arguments.iter().any(decodes) {
        return arguments
            .iter()
            .all(|word| matches!(*word, "-w0" | "-w" | "0" | "--wrap=0"))
            .then(|| encoded(text, ALPHABET));
    }
    if arguments
        .iter()
        .any(|word| !decodes(word) && !matches!(*word, "-i" | "--ignore-garbage" | "-w0" | "-" | "/dev/stdin"))
    {
        return None;
    }
    from_bytes(decoded(text, 6, |byte| ALPHABET.iter().position(|known| *known == byte)))
}

fn base32(arguments: &[&str], text: &str) -> Option<String> {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    if !matches!(arguments, ["-d" | "--decode"]) {
        return None;
    }
    from_bytes(decoded(text, 5, |byte| ALPHABET.iter().position(|known| *known == byte)))
}

/// Digits of `width` bits put together to bytes; what is no digit is left out.
fn decoded(text: &str, width: u32, digit: impl Fn(u8) -> Option<usize>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for value in text.bytes().filter_map(digit).filter_map(|value| u32::try_from(value).ok()) {
        bits = (bits << width) | value;
        held += width;
        if held >= 8 {
            held -= 8;
            bytes.extend(u8::try_from((bits >> held) & 0xff));
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

fn encoded(text: &str, alphabet: &[u8; 64]) -> String {
    let mut result = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for position in 0..4 {
            let digit = usize::try_from((bits >> (18 - 6 * position)) & 63).unwrap_or(0);
            match alphabet.get(digit) {
                Some(letter) if position <= chunk.len() => result.push(char::from(*letter)),
                _ => result.push('='),
            }
        }
    }
    result.push('\n');
    result
}

/// `xxd -r -p`.
fn xxd(arguments: &[&str], text: &str) -> Option<String> {
    let flags: String = arguments.iter().filter_map(|word| word.strip_prefix('-')).collect();
    if !flags.contains('r') || !flags.contains('p') || arguments.iter().any(|word| !word.starts_with('-')) {
        return None;
    }
    let digits: Vec<u8> =
        text.chars().filter_map(|found| found.to_digit(16)).filter_map(|digit| u8::try_from(digit).ok()).collect();
    from_bytes(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit)).collect())
}

fn tr(arguments: &[&str], text: &str) -> Option<String> {
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
fn cut(arguments: &[&str], text: &str) -> Option<String> {
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
fn head_or_tail(arguments: &[&str], text: &str, head: bool) -> Option<String> {
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
fn grep(arguments: &[&str], text: &str) -> Option<String> {
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
fn sed(arguments: &[&str], text: &str) -> Option<String> {
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
fn awk(arguments: &[&str], text: &str) -> Option<String> {
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
fn awk_begin(arguments: &[&str]) -> Option<String> {
    let [script, ..] = arguments else { return None };
    let inside = script.trim().strip_prefix("BEGIN")?.trim().strip_prefix('{')?.split('}').next()?.trim();
    let (end, text) = match inside.strip_prefix("printf") {
        Some(text) => ("", text),
        None => ("\n", inside.strip_prefix("print")?),
    };
    let text = text.trim().trim_matches(['(', ')', ';']).trim().strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['"', '%'])).then(|| escape::format(text) + end)
}

fn basename(arguments: &[&str]) -> Option<String> {
    let (path, suffix) = match arguments {
        [path] if !path.starts_with('-') => (*path, ""),
        [path, suffix] if !path.starts_with('-') => (*path, *suffix),
        _ => return None,
    };
    let trimmed = path.trim_end_matches('/');
    let name = if trimmed.is_empty() && !path.is_empty() { "/" } else { trimmed.rsplit('/').next()? };
    let name = name.strip_suffix(suffix).filter(|stem| !stem.is_empty()).unwrap_or(name);
    Some(format!("{name}\n"))
}

fn dirname(arguments: &[&str]) -> Option<String> {
    let [path] = arguments else { return None };
    if path.starts_with('-') {
        return None;
    }
    let trimmed = path.trim_end_matches('/');
    let folder = match trimmed.rsplit_once('/') {
        _ if trimmed.is_empty() && !path.is_empty() => "/",
        Some((folder, _)) => match folder.trim_end_matches('/') {
            "" => "/",
            folder => folder,
        },
        None => ".",
    };
    Some(format!("{folder}\n"))
}

/// `which rm` and `command -v rm`. The folder is a guess; that it is one of the system's programs is what matters.
fn location(name: &str, arguments: &[&str]) -> Option<String> {
    let program = match (name, arguments) {
        ("which", [program]) | ("command", ["-v", program]) | ("type", ["-p" | "-P", program]) => program,
        _ => return None,
    };
    (!program.starts_with('-') && !program.contains('/')).then(|| format!("/usr/bin/{program}\n"))
}

fn seq(arguments: &[&str]) -> Option<String> {
    let numbers: Option<Vec<i64>> = arguments.iter().map(|word| word.parse().ok()).collect();
    let (first, step, last) = match numbers?.as_slice() {
        [last] => (1, 1, *last),
        [first, last] => (*first, 1, *last),
        [first, step, last] => (*first, *step, *last),
        _ => return None,
    };
    let count = last.checked_sub(first)?.checked_div(step)?;
    if !(0..=1_000).contains(&count) {
        return None;
    }
    Some((0..=count).map(|index| format!("{}\n", first + index * step)).collect())
}
