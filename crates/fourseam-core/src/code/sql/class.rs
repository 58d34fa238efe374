//! The class of a part of a statement by the order of its keywords. Keeps nothing between statements.

use super::always;
use super::has_body;
use super::lex::Token;
use super::verbs;
use crate::analysis::SqlClass;

/// The worse of two classes.
pub(super) fn worse(a: SqlClass, b: SqlClass) -> SqlClass {
    if rank(a) >= rank(b) { a } else { b }
}

fn rank(class: SqlClass) -> u8 {
    match class {
        SqlClass::Read => 0,
        SqlClass::Write => 1,
        SqlClass::Unknown => 2,
        SqlClass::Ddl => 3,
        SqlClass::Grant => 4,
        SqlClass::Execute => 5,
        SqlClass::Unbounded => 6,
        SqlClass::Truncate => 7,
        SqlClass::Drop => 8,
    }
}

pub(super) fn skip_open<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let open = tokens.iter().take_while(|token| token.is_op('(') || token.is_op('{')).count();
    tokens.get(open..).unwrap_or_default()
}

/// The tokens that stand in no parentheses of their own.
pub(super) fn at_depth_zero<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t Token<'a>> {
    let mut depth = 0i32;
    tokens.iter().filter(move |token| {
        if token.is_op('(') {
            depth += 1;
        } else if token.is_op(')') {
            depth -= 1;
        }
        depth <= 0 && !token.is_op(')')
    })
}

/// `EXPLAIN`: `Some(None)` only plans, `Some(Some(rest))` runs the rest, `None` is no `EXPLAIN`.
#[expect(clippy::option_option, reason = "three answers: no explain, plan only, runs this")]
pub(super) fn explained<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<Option<&'t [Token<'a>]>> {
    tokens.first().filter(|token| token.is("EXPLAIN"))?;
    const VERBS: [&str; 9] = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "CREATE", "EXECUTE"];
    let verb = tokens.iter().position(|token| token.is_any(&VERBS)).unwrap_or(tokens.len());
    let options = tokens.get(1..verb).unwrap_or_default();
    let runs = options.iter().enumerate().any(|(at, token)| {
        token.is("ANALYZE")
            && !options.get(at + 1).is_some_and(|next| next.is_any(&["FALSE", "OFF"]) || next.source == "0")
    });
    Some(tokens.get(verb..).filter(|_| runs))
}

/// A statement cut where a verb with its object stands inside it: data-changing `WITH`, `IF .. THEN`, and
/// statements that nothing separates. Each part ends where its parentheses close.
pub(super) fn parts<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut starts = vec![0];
    if !has_body(tokens) {
        starts.extend((1..tokens.len()).filter(|at| begins(tokens, *at)).take(MOST_PARTS));
    }
    let mut ends = starts.iter().skip(1).copied().collect::<Vec<_>>();
    ends.push(tokens.len());
    let slices = starts.iter().zip(ends).filter_map(|(start, end)| {
        // A part in parentheses reaches to their end, the first one over everything.
        let end = if *start == 0 { end } else { closing(tokens, *start).min(end) };
        tokens.get(*start..end)
    });
    slices.collect()
}

/// Parts of one statement that are looked at; more are one too many, which the caller says.
pub(super) const MOST_PARTS: usize = 256;

fn closing(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        if token.is_op('(') {
            depth += 1;
        } else if token.is_op(')') {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return at,
            }
        }
    }
    tokens.len()
}

/// A verb with its object stands here.
fn begins(tokens: &[Token<'_>], at: usize) -> bool {
    let Some([before, verb, object]) = at.checked_sub(1).and_then(|from| tokens.get(from..from + 3)) else {
        return false;
    };
    let alters = tokens.first().is_some_and(|token| token.is("ALTER"));
    let after_block = before.is_any(&["BEGIN", "THEN", "ELSE", "LOOP", "AS", "DO", "ON", "OFF"])
        || before.is_op(')')
        || before.is_op('(');
    if before.is_op('.') || before.is_op('#') || before.is_any(&["GRANT", "REVOKE"]) {
        return false;
    }
    if verb.is("DROP") {
        let kind = tokens.get(at + 1..).unwrap_or_default().iter().find(|token| !is_qualifier(token));
        return !alters
            && kind.is_some_and(|kind| {
                kind.is_any(&verbs::DATA) || kind.is_any(&verbs::DEFINITIONS) || kind.is_any(&verbs::PRINCIPALS)
            });
    }
    if verb.is("UPDATE") {
        return !object.is("SET")
            && !before.is_any(&["FOR", "KEY", "OF", "OR", "BEFORE", "AFTER", "ON"])
            && object.name().is_some()
            && tokens.get(at + 1..).unwrap_or_default().iter().take(8).any(|token| token.is("SET"));
    }
    verb.is("DELETE") && object.is("FROM")
        || verb.is("TRUNCATE") && (object.is("TABLE") || after_block && object.name().is_some() && !object.is("ON"))
        || verb.is_any(&["INSERT", "REPLACE", "MERGE"]) && object.is_any(&["INTO", "OVERWRITE"])
        || verb.is("ALTER") && object.is_any(&["TABLE", "DATABASE", "USER", "ROLE", "LOGIN", "SYSTEM"])
        || verb.is_any(&["EXEC", "EXECUTE"])
            && (after_block || verb.is("EXEC"))
            && !object.is_any(&["ON", "FUNCTION", "PROCEDURE", "AS"])
}

fn is_qualifier(token: &Token<'_>) -> bool {
    token.is_any(&verbs::QUALIFIERS) || token.is_any(&["TEMP", "TEMPORARY", "IF", "NOT", "EXISTS"])
}

/// The kind of object behind a verb and its qualifiers.
fn object_kind<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t Token<'a>> {
    tokens.iter().skip(1).find(|token| !is_qualifier(token))
}

/// The name of the object a statement is about: `x` of `DROP TABLE IF EXISTS x`, `DELETE FROM x`, `UPDATE x`.
pub(super) fn object_name<'t>(tokens: &'t [Token<'_>]) -> Option<&'t str> {
    let mut rest = tokens.iter().skip(1).skip_while(|token| {
        is_qualifier(token) || token.is_any(&["TABLE", "VIEW", "FROM", "INTO", "ONLY"]) || token.is_op('.')
    });
    let first = rest.next()?;
    if first.is_op('#') { rest.next().and(Some("#")) } else { first.name() }
}

pub(super) fn dropped(tokens: &[Token<'_>]) -> SqlClass {
    match object_kind(tokens) {
        Some(kind) if kind.is_any(&verbs::DATA) => {
            let temporary = tokens.iter().take(3).any(|token| token.is_any(&["TEMP", "TEMPORARY"]));
            if temporary { SqlClass::Write } else { SqlClass::Drop }
        }
        Some(kind) if kind.is_any(&verbs::DEFINITIONS) => SqlClass::Ddl,
        Some(kind) if kind.is_any(&verbs::PRINCIPALS) => SqlClass::Grant,
        Some(_) => SqlClass::Drop,
        None => SqlClass::Unknown,
    }
}

pub(super) fn created(tokens: &[Token<'_>]) -> SqlClass {
    let head = tokens.get(..6.min(tokens.len())).unwrap_or_default();
    let temporary = head.iter().any(|token| token.is_any(&["TEMP", "TEMPORARY"]));
    let replaces = head.iter().any(|token| token.is("REPLACE"));
    let foreign = tokens
        .iter()
        .skip_while(|token| !token.is("LANGUAGE"))
        .nth(1)
        .is_some_and(|language| !language.is_any(&["SQL", "PLPGSQL", "JAVASCRIPT", "JS"]));
    match object_kind(tokens) {
        Some(kind) if kind.is("TABLE") && replaces && !temporary => SqlClass::Drop,
        Some(kind) if kind.is_any(&["USER", "ROLE", "GROUP", "LOGIN", "CREDENTIAL"]) => SqlClass::Grant,
        Some(kind) if kind.is("FUNCTION") && (foreign || tokens.iter().any(|token| token.is("SONAME"))) => {
            SqlClass::Execute
        }
        Some(_) if temporary => SqlClass::Write,
        Some(_) => SqlClass::Ddl,
        None => SqlClass::Unknown,
    }
}

pub(super) fn altered(tokens: &[Token<'_>]) -> SqlClass {
    const RUNS: [&str; 5] = [
        "archive_command",
        "restore_command",
        "archive_cleanup_command",
        "recovery_end_command",
        "ssl_passphrase_command",
    ];
    let any = |words: &[&str]| tokens.iter().any(|token| token.is_any(words));
    let pair = |a: &str, b: &[&str]| {
        tokens.iter().zip(tokens.iter().skip(1)).any(|(first, second)| first.is(a) && second.is_any(b))
    };
    match object_kind(tokens) {
        Some(kind) if kind.is_any(&["USER", "ROLE", "GROUP", "LOGIN", "DEFAULT"]) => SqlClass::Grant,
        Some(kind) if kind.is("SYSTEM") && any(&RUNS) => SqlClass::Execute,
        Some(_) if pair("OWNER", &["TO"]) => SqlClass::Grant,
        Some(_) if pair("DROP", &["PARTITION", "PARTITIONS"]) => SqlClass::Drop,
        Some(_) if pair("TRUNCATE", &["PARTITION"]) => SqlClass::Truncate,
        // ClickHouse changes rows by `ALTER TABLE t DELETE WHERE ..`.
        Some(_) => match tokens.iter().position(|token| token.is_any(&["DELETE", "UPDATE"])) {
            Some(at) if any(&["WHERE"]) && tokens.get(at..).is_some_and(is_unbounded) => SqlClass::Unbounded,
            _ => SqlClass::Ddl,
        },
        None => SqlClass::Unknown,
    }
}

pub(super) fn set(tokens: &[Token<'_>]) -> SqlClass {
    match tokens.get(1) {
        Some(token) if token.is("PASSWORD") => SqlClass::Grant,
        Some(token) if token.is_any(&["GLOBAL", "PERSIST", "@@GLOBAL", "@@PERSIST"]) => SqlClass::Write,
        _ => SqlClass::Read,
    }
}

pub(super) fn pragma(tokens: &[Token<'_>]) -> SqlClass {
    const SESSION: [&str; 16] = [
        "foreign_keys",
        "journal_mode",
        "synchronous",
        "cache_size",
        "temp_store",
        "busy_timeout",
        "mmap_size",
        "query_only",
        "recursive_triggers",
        "case_sensitive_like",
        "threads",
        "locking_mode",
        "defer_foreign_keys",
        "wal_autocheckpoint",
        "memory_limit",
        "automatic_index",
    ];
    let changes = tokens.iter().any(|token| token.is_op('='));
    let session = tokens.get(1).is_some_and(|token| token.is_any(&SESSION));
    if changes && !session { SqlClass::Write } else { SqlClass::Read }
}

/// The worst function that is called by name.
pub(super) fn called(tokens: &[Token<'_>]) -> SqlClass {
    let calls = tokens.iter().zip(tokens.iter().skip(1)).filter(|(_, open)| open.is_op('('));
    calls.filter_map(|(name, _)| verbs::function(name.name()?)).fold(SqlClass::Read, worse)
}

/// `DELETE` or `UPDATE` of all rows: no `WHERE`, or one that always holds.
pub(super) fn is_unbounded(tokens: &[Token<'_>]) -> bool {
    let top: Vec<&Token<'_>> = at_depth_zero(tokens).collect();
    let Some(at) = top.iter().position(|token| token.is("WHERE")) else {
        return !top.iter().any(|token| token.is_any(&["LIMIT", "TOP", "FETCH"]));
    };
    let start = tokens.iter().position(|token| top.get(at).is_some_and(|found| std::ptr::eq(*found, token)));
    let condition = start.and_then(|start| tokens.get(start + 1..)).unwrap_or_default();
    let end = condition
        .iter()
        .position(|token| token.is_any(&["RETURNING", "ORDER", "LIMIT", "OPTION"]))
        .unwrap_or(condition.len());
    condition.get(..end).is_some_and(|condition| always::holds(condition, 0))
}
