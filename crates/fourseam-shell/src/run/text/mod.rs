//! Programs that only make text: what they write when their arguments and input are known.

mod decode;
mod lines;
mod print;

use super::{MAX_PIECES, MAX_VALUE, Outcome, Output};
use crate::ir::{Piece, Stdin, Word};
use decode::{base32, base64, xxd};
use lines::{awk, awk_begin, by_line, cut, grep, head_or_tail, sed, tr};
use print::{echo, printf};

/// What a command writes on standard output, and whether it succeeds, as far as both are known.
pub(crate) fn output(words: &[Word], stdin: &Stdin) -> Outcome {
    let Some(program) = words.first().and_then(Word::literal) else { return Outcome::unknown() };
    let name = program.rsplit('/').next().unwrap_or(program);
    let words = words.get(1..).unwrap_or_default();
    match name {
        ":" | "true" => return Outcome::silent(Some(true)),
        "false" => return Outcome::silent(Some(false)),
        "echo" => return Outcome { output: Output::of(echo(words).filter(|pieces| few(pieces))), success: Some(true) },
        "printf" => return Outcome { output: Output::of(printf(words).filter(|pieces| few(pieces))), success: None },
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
        .filter(|text| text.len() <= MAX_VALUE)
        .map(|text| if text.is_empty() { Vec::new() } else { vec![Piece::Literal(text)] });
    Outcome { output: Output::of(output), success: None }
}

/// A text of many pieces, most of them not known, helps nobody.
fn few(pieces: &[Piece]) -> bool {
    pieces.len() <= MAX_PIECES
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
