//! Commands of the database shells themselves: `\!`, `\copy`, `.shell`, `source`, `:!!`. Not SQL.

use super::statement::{Session, Statement};
use super::{Dialect, Lexer, canonical};
use crate::analysis::{EffectKind, SqlClass, UnknownClass};
use crate::code::Act;

/// The line at the beginning of `rest`, if a shell reads it as a command of its own there.
pub(super) fn line(rest: &str) -> Option<&str> {
    // Most lines are none, which the first words tell: only they are looked at before the line is.
    let end = (0..=MAX_HEAD.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(0);
    let head = rest.get(..end).unwrap_or_default();
    let head = head.split(['\n', '\r']).next().unwrap_or_default();
    let first = head.chars().next()?;
    let second = head.chars().nth(1);
    let letter = second.is_some_and(|c| c.is_ascii_alphabetic());
    let is_meta = match first {
        '.' => letter,
        '!' => true,
        ':' => second == Some('!') || letter && is_word(head, &SQLCMD),
        '@' => second.is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '@' | '.' | '~')),
        _ => is_word(head, &WORDS),
    };
    if !is_meta {
        return None;
    }
    let line = rest.split(['\n', '\r']).next()?;
    let is_sign = !first.is_ascii_alphabetic();
    (is_sign || !line.trim_end().trim_end_matches(';').contains([';', '='])).then_some(line)
}

/// Bytes of a line that tell whether it is a command.
const MAX_HEAD: usize = 64;

/// Commands of sqlcmd behind a colon.
const SQLCMD: [&str; 9] = [":r", ":out", ":error", ":setvar", ":connect", ":on", ":list", ":perftrace", ":exit"];
/// Commands of mysql, sqlplus, snowsql and cqlsh that begin a line as words.
const WORDS: [&str; 10] = ["system", "source", "tee", "notee", "pager", "nopager", "host", "spool", "capture", "start"];

fn is_word(line: &str, words: &[&str]) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default().trim_end_matches(';');
    // `SYSTEM FLUSH LOGS`, `START TRANSACTION` and `START WITH` are statements.
    let statement = line.split_whitespace().nth(1).is_some_and(|next| {
        ["transaction", "transaction;", "with", "flush", "reload", "stop", "start", "drop", "kill", "sync"]
            .iter()
            .any(|word| next.eq_ignore_ascii_case(word))
    });
    !statement && words.iter().any(|word| word.eq_ignore_ascii_case(first))
}

/// Reads one line that [`line`] gave.
pub(super) fn read(line: &str, session: &mut Session) {
    let line = line.trim();
    let body = line.trim_start_matches(['.', ':', '@']);
    let (word, rest) = body.split_once(|c: char| c.is_whitespace()).unwrap_or((body, ""));
    let rest = rest.trim().trim_end_matches(';');
    let file = first_argument(rest);
    if let Some(command) = line.strip_prefix('!').or_else(|| line.strip_prefix(":!!")) {
        return bang(command, session);
    }
    if line.starts_with('@') {
        return script(body.trim_end_matches(';'), session);
    }
    match word.trim_end_matches(';').to_ascii_lowercase().as_str() {
        "shell" | "system" | "sh" | "sys" | "host" | "pager" => shell(rest, session),
        "read" | "r" | "source" | "start" => pipe_or(rest, session, script),
        "output" | "once" | "out" | "log" | "tee" | "spool" | "capture" | "excel" | "trace" => {
            pipe_or(rest, session, |file, session| {
                if !matches!(file, "" | "stdout" | "stderr" | "off" | "on") {
                    session.path(EffectKind::Overwrite, "overwrite", file);
                }
            });
        }
        "import" => pipe_or(rest, session, |_, session| {
            session.path(EffectKind::Read, "read", file);
            changes(SqlClass::Write, line, session);
        }),
        "restore" => changes(SqlClass::Drop, line, session),
        "load" => changes(SqlClass::Execute, line, session),
        "backup" | "save" | "clone" => {
            let file = rest.split_whitespace().last().map(unquote).unwrap_or_default();
            session.path(EffectKind::Overwrite, "overwrite", file);
        }
        "open" if rest.contains("-new") => {
            let file = rest.split_whitespace().last().map(unquote).unwrap_or_default();
            session.path(EffectKind::Overwrite, "overwrite", file);
        }
        "archive" | "ar" => changes(SqlClass::Write, line, session),
        _ => session.read_only(line),
    }
}

/// Reads one meta command of psql or mysql; `text` begins behind the backslash.
pub(super) fn backslash(text: &str, session: &mut Session) {
    let text = text.trim();
    backticks(text, session);
    if let Some(command) = text.strip_prefix('!') {
        return shell(command, session);
    }
    let (word, rest) = text.split_once(|c: char| c.is_whitespace()).unwrap_or((text, ""));
    let rest = rest.trim();
    match word {
        "copy" => copy(rest, session),
        "i" | "ir" | "include" | "include_relative" => script(rest, session),
        "o" | "out" | "g" | "gx" | "w" | "write" => pipe_or(rest, session, |file, session| {
            if !file.is_empty() && !file.starts_with('(') && !matches!(file, "\\G") {
                session.path(EffectKind::Overwrite, "overwrite", file);
            }
        }),
        "gexec" => changes(SqlClass::Unknown, "\\gexec", session),
        "password" => changes(SqlClass::Grant, "\\password", session),
        "lo_import" | "lo_export" | "lo_unlink" => changes(SqlClass::Write, text, session),
        // Of mysql: `\. file`, `\T file`, `\P pager`.
        "T" => session.path(EffectKind::Overwrite, "overwrite", rest),
        "P" if !rest.is_empty() => shell(rest, session),
        _ => session.read_only(&format!("\\{text}")),
    }
}

/// The backslash command sends what stands in front of it.
pub(super) fn ends_statement(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    ["g", "gx", "G", "gexec", "gset", "gdesc", "watch", "crosstabview"].contains(&word)
}

/// `\copy t from|to 'file' | program 'command' | stdin`: as `COPY`, on this side.
fn copy(rest: &str, session: &mut Session) {
    let text = format!("copy {rest}");
    let mut lexer = Lexer::new(&text, Dialect::Standard);
    let tokens: Vec<_> = std::iter::from_fn(|| lexer.next_token()).collect();
    let file = tokens.iter().skip_while(|token| !token.is_any(&["from", "to"])).nth(1);
    if let Some(bare) = file
        .filter(|token| token.string().is_none() && !token.is_any(&["stdin", "stdout", "pstdin", "pstdout", "program"]))
    {
        let path = text.split(bare.source).nth(1).map_or(bare.source, |rest| {
            let tail = rest.split_whitespace().next().unwrap_or_default();
            text.get(text.len() - rest.len() - bare.source.len()..text.len() - rest.len() + tail.len())
                .unwrap_or(bare.source)
        });
        session.path(EffectKind::Write, "copy", path);
    }
    session.statement(&Statement { text: canonical(&tokens), tokens });
}

/// psql runs what stands in backticks of a meta command's arguments.
fn backticks(text: &str, session: &mut Session) {
    for command in text.split('`').skip(1).step_by(2) {
        shell(command, session);
    }
}

fn bang(command: &str, session: &mut Session) {
    // snowsql writes `!system ls`, sqlplus and others `! ls`.
    let command = command.trim_start_matches("system ").trim_start_matches("sys ");
    match command.split_whitespace().next() {
        Some("source" | "load") => script(command.split_whitespace().nth(1).unwrap_or_default(), session),
        Some("set" | "exit" | "quit" | "help" | "options" | "queries" | "result" | "define" | "variables") => {
            session.read_only(command);
        }
        _ => shell(command, session),
    }
}

fn shell(command: &str, session: &mut Session) {
    let command = command.trim().trim_end_matches(';');
    if command.is_empty() {
        return;
    }
    session.shell(unquote(command));
}

/// A file of statements that is read and run.
fn script(file: &str, session: &mut Session) {
    let file = first_argument(file);
    session.path(EffectKind::Execute, "script", file);
    session.reading.doubt(UnknownClass::ScriptFile, file);
}

fn pipe_or(rest: &str, session: &mut Session, otherwise: impl FnOnce(&str, &mut Session)) {
    match rest.trim_start_matches(['"', '\'']).strip_prefix('|') {
        Some(command) => shell(command.trim_end_matches(['"', '\'']), session),
        None => otherwise(first_argument(rest), session),
    }
}

fn changes(class: SqlClass, text: &str, session: &mut Session) {
    session.reading.act(Act::Sql { class, text: text.to_owned() });
}

fn first_argument(rest: &str) -> &str {
    let rest = rest.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = rest.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or_default();
        }
    }
    rest.split_whitespace().find(|word| !word.starts_with("--")).unwrap_or_default()
}

fn unquote(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}
