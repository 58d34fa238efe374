//! SQL of every common server, and the meta commands of its shells. Says which class each statement has.
//!
//! Limits: a lexer and the order of keywords, no grammar. Where servers read the same text differently
//! (backslashes in strings, `#`, `--x`, `/*! .. */`) both readings count. Bodies of functions and triggers are not
//! run by their creation and are not read; `DO` blocks and `EXECUTE 'text'` are. Stored procedures that are called
//! are writes. A transaction that ends in `ROLLBACK` softens changes of rows only, since some servers commit
//! changes of the schema at once. A statement that begins with no known verb has class `unknown`.

mod always;
mod class;
mod lex;
mod meta;
mod statement;
mod verbs;

use super::{Act, Reading, shorten};
use crate::analysis::SqlClass;
use lex::{Dialect, Kind, Lexer, Token};
use statement::{Session, Statement};

/// Reads SQL as every client would.
pub(super) fn read(text: &str) -> Reading {
    nested(text, 0)
}

const MAX_DEPTH: usize = 4;

fn nested(text: &str, depth: usize) -> Reading {
    let mut reading = read_as(text, Dialect::Standard, depth);
    if servers_differ(text) {
        let mut other = read_as(text, Dialect::Mysql, depth);
        // Junk in one reading is what the other understood.
        if !other.acts.iter().any(is_unknown) {
            reading.acts.retain(|act| !is_unknown(act));
        } else if !reading.acts.iter().any(is_unknown) {
            other.acts.retain(|act| !is_unknown(act));
        }
        reading.merge(other);
    }
    reading
}

fn is_unknown(act: &Act) -> bool {
    matches!(act, Act::Sql { class: SqlClass::Unknown, .. })
}

fn servers_differ(text: &str) -> bool {
    text.contains(['#', '\\'])
        || text.contains("/*!")
        || text.contains("/*M!")
        || text.match_indices("--").any(|(at, _)| {
            text.get(at + 2..).and_then(|rest| rest.chars().next()).is_some_and(|c| !c.is_whitespace() && c != '-')
        })
}

fn read_as(text: &str, dialect: Dialect, depth: usize) -> Reading {
    let mut lexer = Lexer::new(text, dialect);
    let mut session = Session::new(depth);
    loop {
        lexer.skip_blank();
        if lexer.rest().is_empty() {
            return session.finish();
        }
        if let Some(line) = meta::line(lexer.rest()) {
            lexer.skip(line.len());
            meta::read(line, &mut session);
        } else {
            let tokens = statement_tokens(&mut lexer, &mut session);
            if !tokens.is_empty() {
                session.statement(&Statement { text: canonical(&tokens), tokens });
            }
        }
    }
}

/// The tokens up to the end of the statement; a meta command behind it is read with it.
fn statement_tokens<'a>(lexer: &mut Lexer<'a>, session: &mut Session) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut blocks = 0usize;
    loop {
        let before = lexer.rest();
        if !tokens.is_empty() && before.starts_with('\n') && ends_batch(before) {
            lexer.skip_blank();
            lexer.take_line();
            return tokens;
        }
        let Some(token) = lexer.next_token() else { return tokens };
        if token.is_op(';') && blocks == 0 {
            return tokens;
        }
        if token.is_op('\\') && lexer.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '!') {
            let line = lexer.take_line();
            meta::backslash(line, session);
            if meta::ends_statement(line) {
                return tokens;
            }
            continue;
        }
        if has_body(&tokens) {
            if token.is_any(&["BEGIN", "CASE"]) {
                blocks += 1;
            } else if token.is("END") {
                blocks = blocks.saturating_sub(1);
            }
        }
        tokens.push(token);
    }
}

/// A line that holds only `GO` or `/`, as sqlcmd and sqlplus end a batch.
fn ends_batch(rest: &str) -> bool {
    let line = rest.trim_start_matches(['\n', '\r']).split('\n').next().unwrap_or_default().trim();
    line.eq_ignore_ascii_case("go") || line == "/"
}

/// `CREATE FUNCTION` and the like, whose `BEGIN .. END` holds semicolons.
fn has_body(tokens: &[Token<'_>]) -> bool {
    const BODIES: [&str; 5] = ["FUNCTION", "PROCEDURE", "TRIGGER", "PACKAGE", "EVENT"];
    tokens.first().is_some_and(|token| token.is_any(&["CREATE", "ALTER"]))
        && tokens.iter().take(8).any(|token| token.is_any(&BODIES))
}

/// The statement as one line: comments out, white space collapsed.
fn canonical(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        if token.spaced && !text.is_empty() {
            text.push(' ');
        }
        match &token.kind {
            Kind::Text(content) if token.source.starts_with('$') => {
                text.push_str(&content.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            Kind::Text(_) | Kind::Word | Kind::Name(_) | Kind::Number | Kind::Op(_) => text.push_str(token.source),
        }
        if text.len() > 400 {
            break;
        }
    }
    shorten(&text)
}

/// The text begins as a statement does.
pub(super) fn looks_like(text: &str) -> bool {
    const VERBS: [&str; 14] = [
        "select", "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke", "with",
        "copy", "merge", "explain",
    ];
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(first)) && words.next().is_some()
}
