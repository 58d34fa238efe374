//! Conditions that always hold (`1=1`, `id > 0`): whether a `WHERE` bounds anything.

use super::lex::{Kind, Token};

/// The condition holds for every row, as far as can be seen. `depth` bounds parentheses.
pub(super) fn holds(condition: &[Token<'_>], depth: usize) -> bool {
    if condition.is_empty() || depth > 8 {
        return condition.is_empty();
    }
    split(condition, "OR").iter().any(|side| split(side, "AND").iter().all(|atom| atom_holds(atom, depth)))
}

/// The pieces between one operator, outside of parentheses.
fn split<'t, 'a>(tokens: &'t [Token<'a>], operator: &str) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0i32;
    tokens
        .split(|token| {
            if token.is_op('(') {
                depth += 1;
            } else if token.is_op(')') {
                depth -= 1;
            }
            depth == 0 && token.is(operator)
        })
        .collect()
}

fn atom_holds(atom: &[Token<'_>], depth: usize) -> bool {
    match atom {
        [open, inner @ .., close] if open.is_op('(') && close.is_op(')') => holds(inner, depth + 1),
        [only] => only.is("TRUE") || only.kind == Kind::Number && only.source != "0",
        [not, only] => not.is("NOT") && (only.is("FALSE") || only.source == "0"),
        [left, equals, right] if equals.is_op('=') => {
            left.source == right.source && left.kind != Kind::Op('?') || both_numbers(left, right, |a, b| a == b)
        }
        [left, like, right] if like.is_any(&["LIKE", "ILIKE"]) => left.name().is_some() && right.string() == Some("%"),
        [left, op, right] if op.is_op('<') => both_numbers(left, right, |a, b| a < b),
        [left, op, right] if op.is_op('>') => both_numbers(left, right, |a, b| a > b) || is_key(left) && is_low(right),
        [left, op, equals, right] if op.is_op('>') && equals.is_op('=') => is_key(left) && is_low(right),
        [left, op, equals, right] if (op.is_op('<') && equals.is_op('>')) || (op.is_op('!') && equals.is_op('=')) => {
            is_key(left) && is_low(right)
                || left.kind == right.kind && left.name().is_none() && left.source != right.source
        }
        [left, is, not, null] => is.is("IS") && not.is("NOT") && null.is("NULL") && is_key(left),
        _ => false,
    }
}

fn both_numbers(left: &Token<'_>, right: &Token<'_>, compare: impl Fn(f64, f64) -> bool) -> bool {
    match (left.source.parse(), right.source.parse()) {
        (Ok(left), Ok(right)) => compare(left, right),
        _ => false,
    }
}

/// A column that is a key by its name.
fn is_key(token: &Token<'_>) -> bool {
    token.name().is_some_and(|name| name.eq_ignore_ascii_case("id") || name.eq_ignore_ascii_case("rowid"))
}

fn is_low(token: &Token<'_>) -> bool {
    matches!(token.source, "0" | "1" | "''")
}
