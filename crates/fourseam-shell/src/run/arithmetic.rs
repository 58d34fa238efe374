//! Arithmetic on known values.

use super::Run;
use super::parameter::literal;
use crate::ir::Piece;
use crate::scope::{Value, assigned};
use crate::tree::Word as Written;

/// How deep brackets may nest, and how far one variable may name another.
const MAX_DEPTH: u32 = 24;

impl Run {
    /// The value of an expression, if everything in it is known. Assignments in it hold.
    pub(crate) fn arithmetic_value(&mut self, expression: &Written) -> Option<i64> {
        let word = self.single(expression);
        match word.literal() {
            Some(text) => {
                let text = text.to_owned();
                self.evaluate(&text)
            }
            None => {
                self.forget_assigned(&word.text());
                None
            }
        }
    }

    /// The expressions of `for ((...))`: what they assign takes values that are not followed.
    pub(crate) fn for_expressions(&mut self, expression: &Written) {
        let word = self.single(expression);
        self.forget_assigned(&word.text());
    }

    /// The key of an array element: a number, or the text as it stands. Empty when it is not known.
    pub(crate) fn arithmetic_key(&mut self, name: &str, subscript: &Written) -> String {
        let word = self.single(subscript);
        let Some(text) = word.literal() else { return String::new() };
        let associative = match self.state.get(name).map(|entry| entry.values.as_ref()) {
            Some([Value::Array(elements)]) => elements.iter().any(|(key, _)| key.parse::<i64>().is_err()),
            _ => false,
        };
        let text = text.trim().to_owned();
        if associative || text.parse::<i64>().is_ok() {
            return text;
        }
        // `a[i]` counts with `i`; `a[key]` of an associative array is the text itself.
        let number = match self.state.get(&text) {
            Some(_) => self.evaluate(&text),
            None if text.bytes().all(|byte| byte.is_ascii_alphabetic()) => None,
            None => self.evaluate(&text),
        };
        number.map_or(text, |number| number.to_string())
    }

    pub(crate) fn evaluate(&mut self, text: &str) -> Option<i64> {
        self.embedded(text);
        let mut parser = Expression { run: self, text: text.as_bytes(), at: 0, depth: 0 };
        let value = parser.comma();
        parser.blanks();
        let whole = parser.at >= text.len();
        if value.is_none() || !whole {
            self.forget_assigned(text);
            return None;
        }
        value
    }

    /// Variables that a text which could not be evaluated may assign are no longer known.
    fn forget_assigned(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(|found: char| found.is_ascii_alphabetic() || found == '_') {
            let from = rest.get(at..).unwrap_or_default();
            let length = from.find(|found: char| !found.is_ascii_alphanumeric() && found != '_').unwrap_or(from.len());
            let (name, after) = from.split_at_checked(length).unwrap_or((from, ""));
            let before = rest.get(..at).unwrap_or_default().trim_end();
            let next = after.trim_start();
            let operator = next.trim_start_matches(['+', '-', '*', '/', '%', '<', '>', '&', '^', '|']);
            let assigns = operator.starts_with('=')
                && !operator.starts_with("==")
                && !next.starts_with("<=")
                && !next.starts_with(">=");
            let steps =
                next.starts_with("++") || next.starts_with("--") || before.ends_with("++") || before.ends_with("--");
            if assigns || steps {
                self.assign(name, Value::Text(vec![assigned(name, Vec::new())]));
            }
            rest = after;
        }
    }
}

struct Expression<'a> {
    run: &'a mut Run,
    text: &'a [u8],
    at: usize,
    depth: u32,
}

/// Operators of two operands, loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Expression<'_> {
    fn comma(&mut self) -> Option<i64> {
        let mut value = self.assignment()?;
        while self.take(",") {
            value = self.assignment()?;
        }
        Some(value)
    }

    fn assignment(&mut self) -> Option<i64> {
        let start = self.at;
        if let Some(name) = self.name() {
            for operator in ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "="] {
                if self.starts_with(operator) && !(operator == "=" && self.starts_with("==")) {
                    self.at += operator.len();
                    let right = self.deeper(Self::assignment)?;
                    let value = match operator.strip_suffix('=') {
                        None | Some("") => right,
                        Some(operator) => apply(operator, self.variable(&name)?, right)?,
                    };
                    self.run.assign(&name, Value::Text(vec![Piece::Literal(value.to_string())]));
                    return Some(value);
                }
            }
            self.at = start;
        }
        self.ternary()
    }

    fn ternary(&mut self) -> Option<i64> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Some(condition);
        }
        let yes = self.deeper(Self::assignment)?;
        if !self.take(":") {
            return None;
        }
        let no = self.deeper(Self::assignment)?;
        Some(if condition != 0 { yes } else { no })
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.operator_here(operator)) {
            self.at += operator.len();
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right)?;
        }
        Some(left)
    }

    /// Whether this very operator stands here, not a longer one that begins the same way.
    fn operator_here(&mut self, operator: &str) -> bool {
        self.blanks();
        if !self.starts_with(operator) {
            return false;
        }
        let next = self.text.get(self.at + operator.len());
        match operator {
            "|" | "&" => next != Some(&operator.as_bytes().first().copied().unwrap_or(0)) && next != Some(&b'='),
            "<" | ">" => !matches!(next, Some(b'<' | b'>')),
            "*" => !matches!(next, Some(b'*' | b'=')),
            "+" | "-" | "/" | "%" | "^" | "<<" | ">>" => next != Some(&b'='),
            _ => true,
        }
    }

    fn power(&mut self) -> Option<i64> {
        let base = self.unary()?;
        if self.take("**") {
            let exponent = self.deeper(Self::power)?;
            return base.checked_pow(u32::try_from(exponent).ok()?);
        }
        Some(base)
    }

    fn unary(&mut self) -> Option<i64> {
        self.blanks();
        for step in ["++", "--"] {
            let start = self.at;
            if self.take(step) {
                if let Some(name) = self.name() {
                    return self.step(&name, step).map(|(_, after)| after);
                }
                self.at = start;
            }
        }
        match self.text.get(self.at) {
            Some(b'-') => self.after_sign(|value| value.checked_neg()),
            Some(b'+') => self.after_sign(Some),
            Some(b'!') => self.after_sign(|value| Some(i64::from(value == 0))),
            Some(b'~') => self.after_sign(|value| Some(!value)),
            _ => self.primary(),
        }
    }

    fn after_sign(&mut self, change: impl Fn(i64) -> Option<i64>) -> Option<i64> {
        self.at += 1;
        change(self.deeper(Self::unary)?)
    }

    fn primary(&mut self) -> Option<i64> {
        if self.take("(") {
            let value = self.deeper(Self::comma)?;
            return self.take(")").then_some(value);
        }
        if let Some(name) = self.name() {
            for step in ["++", "--"] {
                if self.take(step) {
                    return self.step(&name, step).map(|(before, _)| before);
                }
            }
            if self.text.get(self.at) == Some(&b'[') {
                return None;
            }
            return self.variable(&name);
        }
        self.number()
    }

    fn step(&mut self, name: &str, step: &str) -> Option<(i64, i64)> {
        let before = self.variable(name)?;
        let after = before.checked_add(if step == "++" { 1 } else { -1 })?;
        self.run.assign(name, Value::Text(vec![Piece::Literal(after.to_string())]));
        Some((before, after))
    }

    fn variable(&mut self, name: &str) -> Option<i64> {
        match self.run.value(name) {
            Value::Unset => Some(0),
            Value::Text(pieces) => {
                let text = literal(&pieces)?;
                self.run.embedded(&text);
                if text.trim().is_empty() {
                    return Some(0);
                }
                let depth = self.depth + 1;
                if depth > MAX_DEPTH {
                    return None;
                }
                let mut inner = Expression { run: self.run, text: text.as_bytes(), at: 0, depth };
                let value = inner.comma()?;
                inner.blanks();
                (inner.at >= text.len()).then_some(value)
            }
            Value::NotKnown | Value::Array(_) | Value::Function(_) => None,
        }
    }

    fn number(&mut self) -> Option<i64> {
        self.blanks();
        let start = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'_' | b'@'))
        {
            self.at += 1;
        }
        let text = std::str::from_utf8(self.text.get(start..self.at)?).ok()?;
        if let Some((base, digits)) = text.split_once('#') {
            let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
            return i64::from_str_radix(digits, base).ok();
        }
        if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            return i64::from_str_radix(hex, 16).ok();
        }
        match text.strip_prefix('0') {
            Some(octal) if !octal.is_empty() => i64::from_str_radix(octal, 8).ok(),
            _ => text.parse().ok(),
        }
    }

    fn name(&mut self) -> Option<String> {
        self.blanks();
        let start = self.at;
        if !self.text.get(start).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
            return None;
        }
        while self.text.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            self.at += 1;
        }
        let name = std::str::from_utf8(self.text.get(start..self.at)?).ok()?.to_owned();
        self.blanks();
        Some(name)
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<i64>) -> Option<i64> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn starts_with(&self, token: &str) -> bool {
        self.text.get(self.at..).is_some_and(|rest| rest.starts_with(token.as_bytes()))
    }

    fn take(&mut self, token: &str) -> bool {
        self.blanks();
        let here = self.starts_with(token);
        if here {
            self.at += token.len();
        }
        here
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
        ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        _ => return None,
    })
}
