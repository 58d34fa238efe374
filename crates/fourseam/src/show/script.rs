//! The commands of a text as a tree: decoded words, redirects, standard input, and what could not be read.

use super::{dim, one_line, painted};
use anstyle::{AnsiColor, Style};
use fourseam_shell::{Assignment, Command, Frame, Piece, Redirect, RedirectKind, Script, Span, Stdin, Why, Word};
use std::io::{self, Write};

/// Every command in the order it would run, set in by where it stands, then the parts that could not be read.
pub(crate) fn script(out: &mut dyn Write, text: &str, script: &Script) -> io::Result<()> {
    for (number, command) in script.commands.iter().enumerate() {
        let indent = "  ".repeat(command.inside.len() + 1);
        writeln!(out, "{indent}{}", line(number, command))?;
        for detail in details(command) {
            writeln!(out, "{indent}    {}", dim(&detail))?;
        }
    }
    for opaque in &script.opaque {
        let part = slice(text, opaque.span);
        writeln!(out, "  {} {}: {}", not_understood("not read:"), why(opaque.why), one_line(part))?;
    }
    Ok(())
}

fn line(number: usize, command: &Command) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(command.assignments.iter().map(assignment));
    parts.extend(command.words.iter().map(word));
    parts.extend(command.redirects.iter().map(redirect));
    if command.background {
        parts.push("&".to_owned());
    }
    let not = if command.negated { "! " } else { "" };
    format!("{} {not}{}", dim(&format!("{number}:")), parts.join(" "))
}

fn details(command: &Command) -> Vec<String> {
    let mut details = Vec::new();
    if let Some(frame) = command.inside.last() {
        details.push(format!("in {}", frame_name(frame)));
    }
    if command.pipeline.len > 1 {
        details.push(format!("{} of {} in a pipeline", command.pipeline.index + 1, command.pipeline.len));
    }
    match &command.stdin {
        Stdin::Inherited => {}
        Stdin::Text(text) => details.push(format!("reads the text {}", quoted(&text.text()))),
        Stdin::File(path) => details.push(format!("reads the file {}", word(path))),
        Stdin::Pipe(from) => details.push(format!("reads the output of {}", numbers(from))),
    }
    if command.cwd.is_none() {
        details.push("in a folder that is not known".to_owned());
    }
    details
}

/// A word as the shell would hand it over, quoted where a reader would take it for two; unknown parts stand out.
fn word(word: &Word) -> String {
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-./:=@%+,".contains(c));
    if let Some(text) = word.literal() {
        return if plain(text) { text.to_owned() } else { quoted(text) };
    }
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) if plain(text) => text.clone(),
        Piece::Literal(text) => quoted(text),
        Piece::Glob(glob) => painted(&one_line(glob), Style::new().fg_color(Some(AnsiColor::Cyan.into()))),
        Piece::Unknown(unknown) => not_understood(&one_line(&unknown.source)),
    };
    word.pieces.iter().map(piece).collect()
}

fn quoted(text: &str) -> String {
    format!("'{}'", one_line(text).replace('\'', "'\\''"))
}

fn assignment(assignment: &Assignment) -> String {
    format!("{}={}", assignment.name, word(&assignment.value))
}

fn redirect(redirect: &Redirect) -> String {
    let sign = match redirect.kind {
        RedirectKind::Read => "<",
        RedirectKind::Write => ">",
        RedirectKind::Clobber => ">|",
        RedirectKind::Append => ">>",
        RedirectKind::ReadWrite => "<>",
        RedirectKind::WriteBoth => "&>",
        RedirectKind::AppendBoth => "&>>",
        RedirectKind::Duplicate => ">&",
    };
    let fd = redirect.fd.map(|fd| fd.to_string()).unwrap_or_default();
    format!("{fd}{sign} {}", word(&redirect.target))
}

fn frame_name(frame: &Frame) -> String {
    match frame {
        Frame::Subshell => "a subshell".to_owned(),
        Frame::Group => "a group".to_owned(),
        Frame::Function(name) => format!("the function {}", one_line(name)),
        Frame::FunctionDefinition(name) => format!("the function {}, which is not called", one_line(name)),
        Frame::Loop => "a loop".to_owned(),
        Frame::Condition => "a condition".to_owned(),
        Frame::Substitution => "a substitution".to_owned(),
        Frame::ProcessSubstitution => "a process substitution".to_owned(),
        Frame::Heredoc => "a heredoc".to_owned(),
        Frame::Eval => "eval".to_owned(),
        Frame::Trap => "a trap".to_owned(),
        Frame::Coproc => "a coprocess".to_owned(),
        Frame::Alias(name) => format!("the alias {}", one_line(name)),
    }
}

fn why(why: Why) -> &'static str {
    match why {
        Why::Syntax => "syntax error",
        Why::Residue => "shell code in a literal",
        Why::CommandWord => "the program is not known",
        Why::Code => "the code is not known",
        Why::Limit => "past a limit",
        Why::Characters => "characters that are not what they look like",
    }
}

fn numbers(commands: &[usize]) -> String {
    commands.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

fn not_understood(text: &str) -> String {
    painted(text, Style::new().fg_color(Some(AnsiColor::Yellow.into())))
}

fn slice(text: &str, span: Span) -> &str {
    let range = usize::try_from(span.start).unwrap_or(usize::MAX)..usize::try_from(span.end).unwrap_or(usize::MAX);
    text.get(range).unwrap_or_default()
}
