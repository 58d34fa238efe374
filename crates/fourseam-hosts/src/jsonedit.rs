//! Adding to and taking from objects and arrays of a JSON text with comments, every other byte as it was. Knows nothing
//! of hooks.
//!
//! Taking away undoes adding exactly. A member goes to the end of its container, after a comment that stands there, and
//! brings its comma with it: in front, or behind where the text has trailing commas. White space always stands between
//! it and what was there, so that a container which begins with its first member at once can be told to be new.

use crate::install::EditError;
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;

/// The mark some editors put at the start of a file.
pub(crate) const BOM: &str = "\u{feff}";

/// Reads a text. `None` when it holds no value at all.
///
/// # Errors
/// When it is not JSON, comments and trailing commas allowed.
pub(crate) fn parse(text: &str) -> Result<Option<Value<'_>>, EditError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    parse_to_ast(text, &CollectOptions::default(), &options).map(|parsed| parsed.value).map_err(|error| EditError {
        what: error.kind().to_string().to_lowercase(),
        at: Some((error.line_display(), error.column_display())),
    })
}

/// An object or array and its members, as byte ranges.
#[derive(Debug)]
pub(crate) struct Container {
    /// After the opening bracket.
    open: usize,
    /// Before the closing bracket.
    close: usize,
    /// Each member: an element, or a property with its name.
    pub(crate) members: Vec<Range<usize>>,
}

impl Container {
    pub(crate) fn of_object(object: &Object) -> Self {
        let members = object.properties.iter().map(|property| property.start()..property.end()).collect();
        Self { open: object.start() + 1, close: object.end() - 1, members }
    }

    pub(crate) fn of_array(array: &Array) -> Self {
        let members = array.elements.iter().map(|element| element.start()..element.end()).collect();
        Self { open: array.start() + 1, close: array.end() - 1, members }
    }

    /// Whether the first member stands directly after the bracket, which [`Container::append`] never makes.
    pub(crate) fn begins_at_once(&self) -> bool {
        self.members.first().is_some_and(|first| first.start == self.open)
    }

    /// The text with a member more at the end. `member` is given the space between its own members: a line break and
    /// their indent, or a blank.
    pub(crate) fn append(&self, text: &str, member: impl FnOnce(&str) -> String) -> String {
        let before = self.members.last().map_or(self.open, |last| last.end);
        let gap = Gap::read(text, before..self.close);
        let newline = newline(text);
        let (space, inner) = match self.several_lines(text, &gap) {
            true => {
                let indent = self.indent(text);
                (format!("{newline}{indent}"), format!("{newline}{indent}  "))
            }
            false => (" ".to_owned(), " ".to_owned()),
        };
        let member = space + &member(&inner);
        let (comma_before, comma_after) = match (self.members.is_empty(), gap.comma) {
            (true, _) => ("", ""),
            (false, None) => (",", ""),
            (false, Some(_)) => ("", ","),
        };
        let (start, end) = (text.get(..before), text.get(gap.last..));
        let between = text.get(before..gap.last);
        [start, Some(comma_before), between, Some(&member), Some(comma_after), end].into_iter().flatten().collect()
    }

    /// The text without a member.
    pub(crate) fn remove(&self, text: &str, index: usize) -> String {
        let Some(member) = self.members.get(index) else { return text.to_owned() };
        let previous = index.checked_sub(1).and_then(|index| self.members.get(index));
        let before = previous.map_or(self.open, |previous| previous.end);
        let next = self.members.get(index + 1).map_or(self.close, |next| next.start);
        let (left, right) = (Gap::read(text, before..member.start), Gap::read(text, member.end..next));
        // A comma behind it is its own, or that of a member which has come after it.
        let comma = right.comma.or(left.comma);
        let cuts = [Some(left.last..member.end), comma.map(|comma| comma..comma + 1)];
        without(text, cuts.into_iter().flatten().collect())
    }

    /// Whether the end of the container has a line of its own.
    fn several_lines(&self, text: &str, gap: &Gap) -> bool {
        text.get(gap.last..self.close).is_some_and(|rest| rest.contains('\n'))
    }

    /// Indent of the members: that of the last one, else two spaces more than the line of the bracket.
    fn indent(&self, text: &str) -> String {
        if let Some(last) = self.members.last()
            && let Some((indent, true)) = line_start(text, last.start)
        {
            return indent.to_owned();
        }
        format!("{}  ", line_start(text, self.close).map_or("", |(indent, _)| indent))
    }
}

/// What stands between two members, or between a member and a bracket.
struct Gap {
    /// Where the comma is.
    comma: Option<usize>,
    /// End of the last thing that is not white space: a comma, a comment, or what stands before the gap.
    last: usize,
}

impl Gap {
    fn read(text: &str, range: Range<usize>) -> Self {
        let mut gap = Self { comma: None, last: range.start };
        let mut at = range.start;
        while let Some(rest) = text.get(at..range.end).filter(|rest| !rest.is_empty()) {
            let length = if rest.starts_with("//") {
                rest.find(['\n', '\r']).unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            };
            if rest.starts_with(',') {
                gap.comma = gap.comma.or(Some(at));
            }
            at += length;
            if !rest.starts_with(char::is_whitespace) {
                gap.last = at;
            }
        }
        gap
    }
}

/// The text with a range replaced.
pub(crate) fn replace(text: &str, range: Range<usize>, with: &str) -> String {
    [text.get(..range.start), Some(with), text.get(range.end..)].into_iter().flatten().collect()
}

/// The line break of a text.
pub(crate) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// White space at the start of the line of a place, and whether nothing else stands before the place.
fn line_start(text: &str, at: usize) -> Option<(&str, bool)> {
    let before = text.get(..at)?;
    let line = before.rsplit('\n').next().unwrap_or(before);
    let indent = line.get(..line.len() - line.trim_start().len())?;
    Some((indent, indent.len() == line.len()))
}

fn without(text: &str, mut cuts: Vec<Range<usize>>) -> String {
    cuts.sort_by_key(|cut| cut.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for cut in cuts {
        out.extend(text.get(at..cut.start));
        at = at.max(cut.end);
    }
    out.extend(text.get(at..));
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    fn container(text: &str) -> Container {
        match parse(text).unwrap().unwrap() {
            Value::Object(object) => Container::of_object(&object),
            Value::Array(array) => Container::of_array(&array),
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn a_member_is_added_in_the_style_of_the_text_and_taken_away_without_a_trace() {
        for (text, expected) in [
            ("{}", r#"{ "x": 1}"#),
            ("{ }", r#"{ "x": 1 }"#),
            ("{\n}", "{\n  \"x\": 1\n}"),
            ("{\r\n}\r\n", "{\r\n  \"x\": 1\r\n}\r\n"),
            (r#"{"a": 1}"#, r#"{"a": 1, "x": 1}"#),
            ("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"x\": 1\n}"),
            ("{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  \"x\": 1,\n}"),
            ("{\n  \"a\": 1 // one\n}", "{\n  \"a\": 1, // one\n  \"x\": 1\n}"),
            ("{\n  \"a\": 1, // one\n}", "{\n  \"a\": 1, // one\n  \"x\": 1,\n}"),
            ("{\n  // nothing\n}", "{\n  // nothing\n  \"x\": 1\n}"),
            ("{ /* , */ }", r#"{ /* , */ "x": 1 }"#),
            (r#"{"a": 1 , }"#, r#"{"a": 1 , "x": 1, }"#),
            (r#"{"a": "//,"}"#, r#"{"a": "//,", "x": 1}"#),
        ] {
            let added = container(text).append(text, |_| r#""x": 1"#.to_owned());
            assert_eq!(added, expected);
            let whole = container(&added);
            assert_eq!(whole.remove(&added, whole.members.len() - 1), text, "{added}");
            assert!(!whole.begins_at_once() || container(text).begins_at_once(), "{added}");
        }
    }

    #[test]
    fn a_member_in_the_middle_takes_its_own_comma() {
        for (text, index, expected) in [
            ("[1, 2, 3]", 1, "[1, 3]"),
            ("[1, 2, 3]", 0, "[ 2, 3]"),
            ("[\n  1, // one\n  2, // two\n  3\n]", 1, "[\n  1, // one // two\n  3\n]"),
            ("[1, 2, ]", 1, "[1, ]"),
            ("[1, ]", 0, "[ ]"),
        ] {
            assert_eq!(container(text).remove(text, index), expected);
        }
    }

    #[test]
    fn an_error_has_its_place() {
        for (text, at) in [("{\"a\": }", (1, 7)), ("{\n  \"a\": 1\n  \"b\": 2\n}", (2, 9)), ("{'a': 1}", (1, 2))] {
            assert_eq!(parse(text).unwrap_err().at, Some(at), "{text}");
        }
    }
}
