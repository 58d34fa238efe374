//! Rules of a host's own: what of the policy it is told in its own words, so that it holds where no hook runs. Text in,
//! text out; which forms there are is the core's to say.

use crate::hookfile::{object, wrong};
use crate::install::{EditError, Place};
use crate::jsonedit::{self, BOM, Container};
use fourseam_core::policy::Form;
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;

/// How a host is told rules of its own.
pub trait Native: Sync {
    /// The user's file that holds them.
    fn place(&self) -> Place;
    /// How they stand in it.
    fn keep(&self) -> Keep;
    /// The form in the host's words.
    ///
    /// # Errors
    /// Why the host would read it otherwise, or has no words for it.
    fn say(&self, form: &Form, home: &str) -> Result<String, &'static str>;
    /// What a person should know of rules that were written.
    fn notes(&self) -> &'static [&'static str];
}

/// How rules stand in a file.
pub enum Keep {
    /// In a file that is ours alone: one line each, made with its policy rule.
    File(fn(&Said) -> String),
    /// As strings in the list `permissions.deny` of a JSON file.
    List {
        /// Whether the file may be made where there is none.
        fresh: bool,
    },
}

/// One rule in a host's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Id of the policy's rule.
    pub rule: String,
    /// What it says to an agent.
    pub reason: String,
    /// The host's words.
    pub words: String,
}

/// First line of a file of ours, in this and every later release.
const MARK: &str = "# fourseam: written by `fourseam native`, taken away by `fourseam uninstall`\n";

/// The text with exactly these rules of ours, and which of them are ours: what others wrote already is theirs. `ours`:
/// the words of those that stand there now.
///
/// # Errors
/// When the text cannot be read, or something else stands where they have to go.
pub fn plan(
    native: &dyn Native,
    current: Option<&str>,
    said: &[Said],
    ours: &[String],
) -> Result<(Option<String>, Vec<String>), EditError> {
    match native.keep() {
        Keep::File(line) => {
            if current.is_some_and(|text| !text.starts_with(MARK)) {
                return Err(EditError { what: "the file is not one that fourseam wrote".to_owned(), at: None });
            }
            let lines: Vec<String> = said.iter().map(line).collect();
            let text = (!lines.is_empty()).then(|| format!("{MARK}{}", lines.concat()));
            Ok((text, said.iter().map(|said| said.words.clone()).collect()))
        }
        Keep::List { fresh } => {
            let mut wanted: Vec<String> = Vec::new();
            for said in said {
                if !wanted.contains(&said.words) {
                    wanted.push(said.words.clone());
                }
            }
            list(current, &wanted, ours, fresh)
        }
    }
}

/// The text without our rules; `None` when nothing else is left of what [`plan`] made.
///
/// # Errors
/// When the text cannot be read.
pub fn remove(native: &dyn Native, current: &str, ours: &[String]) -> Result<Option<String>, EditError> {
    match native.keep() {
        Keep::File(_) => Ok((!current.starts_with(MARK)).then(|| current.to_owned())),
        Keep::List { .. } => {
            let (bom, text) = split_bom(current);
            Ok(without(text, ours)?.map(|text| format!("{bom}{text}")))
        }
    }
}

/// Whether a file that is ours alone is there.
#[must_use]
pub fn is_ours(native: &dyn Native, current: &str) -> bool {
    match native.keep() {
        Keep::File(_) => current.starts_with(MARK),
        Keep::List { .. } => false,
    }
}

fn list(
    current: Option<&str>,
    wanted: &[String],
    ours: &[String],
    fresh: bool,
) -> Result<(Option<String>, Vec<String>), EditError> {
    let (bom, mut text) = current.map(split_bom).map_or(("", None), |(bom, text)| (bom, Some(text.to_owned())));
    // Where one of ours is stale, all of them are put in anew: what is new is known by how it begins.
    if ours.iter().any(|words| !wanted.contains(words)) {
        text = text.map(|text| without(&text, ours)).transpose()?.flatten();
    }
    let Some(text) = text else {
        return match (wanted, fresh) {
            ([], _) => Ok((None, Vec::new())),
            (_, true) => Ok((Some(format!("{{{}}}\n", permissions(wanted, "\n  "))), wanted.to_vec())),
            (_, false) => Err(EditError { what: "the file is not there: start the agent once".to_owned(), at: None }),
        };
    };
    let there = denied(&text)?;
    let new: Vec<String> = wanted.iter().filter(|words| !there.contains(words)).cloned().collect();
    let kept = wanted.iter().filter(|words| new.contains(words) || ours.contains(words)).cloned().collect();
    Ok((Some(format!("{bom}{}", with(&text, &new)?)), kept))
}

/// A new `permissions`. It begins directly after its brackets, which [`Container::append`] never makes: so [`without`]
/// knows it again.
fn permissions(words: &[String], space: &str) -> String {
    format!("\"permissions\": {{{}}}", deny(words, space))
}

fn deny(words: &[String], space: &str) -> String {
    let words: Vec<String> = words.iter().map(|words| quoted(words)).collect();
    format!("\"deny\": [{}]", words.join(&format!(",{space}")))
}

/// The text with these rules at the end of the list.
fn with(text: &str, words: &[String]) -> Result<String, EditError> {
    let Some((first, rest)) = words.split_first() else { return Ok(text.to_owned()) };
    let Some(root) = jsonedit::parse(text)? else {
        return Err(EditError { what: "the file holds no settings".to_owned(), at: None });
    };
    let root = object(&root, text, "the file")?;
    let Some(place) = member(root, "permissions") else {
        return Ok(Container::of_object(root).append(text, |space| permissions(words, space)));
    };
    let place = object(place, text, "`permissions`")?;
    match member(place, "deny") {
        None => Ok(Container::of_object(place).append(text, |space| deny(words, space))),
        Some(Value::Array(list)) => with(&Container::of_array(list).append(text, |_| quoted(first)), rest),
        Some(other) => Err(wrong(text, other, "`permissions.deny`", "an array")),
    }
}

/// The text without these rules; `None` when it was made for them alone.
fn without(text: &str, words: &[String]) -> Result<Option<String>, EditError> {
    let mut text = text.to_owned();
    loop {
        let Some(root) = jsonedit::parse(&text)? else { return Ok(Some(text)) };
        let Some(root) = root.as_object() else { return Ok(Some(text)) };
        let Some((place, list)) = list_of(root) else { return Ok(Some(text)) };
        let is_ours = |element: &Value| string(element).is_some_and(|text| words.iter().any(|words| words == text));
        let Some(last) = list.elements.iter().rposition(is_ours) else { return Ok(Some(text)) };
        let container = Container::of_array(list);
        let next = if !container.begins_at_once() || !list.elements.iter().all(is_ours) {
            container.remove(&text, last)
        } else if !Container::of_object(place).begins_at_once() || place.properties.len() > 1 {
            without_member(&text, place, "deny")
        } else if root.properties.len() > 1 || !is_fresh(&text, root) {
            without_member(&text, root, "permissions")
        } else {
            return Ok(None);
        };
        text = next;
    }
}

/// Whether a file was made for our rules alone.
fn is_fresh(text: &str, root: &Object) -> bool {
    root.start() == 0 && Container::of_object(root).begins_at_once() && text.get(root.end()..) == Some("\n")
}

fn without_member(text: &str, object: &Object, name: &str) -> String {
    let index = object.properties.iter().rposition(|property| property.name.as_str() == name);
    index.map_or_else(|| text.to_owned(), |index| Container::of_object(object).remove(text, index))
}

/// The rules in the list, anybody's.
fn denied(text: &str) -> Result<Vec<String>, EditError> {
    let Some(root) = jsonedit::parse(text)? else { return Ok(Vec::new()) };
    let list = root.as_object().and_then(list_of);
    Ok(list.map(|(_, list)| list.elements.iter().filter_map(string).map(str::to_owned).collect()).unwrap_or_default())
}

/// `permissions`, and `permissions.deny` in it.
fn list_of<'a, 'b>(root: &'b Object<'a>) -> Option<(&'b Object<'a>, &'b Array<'a>)> {
    let place = member(root, "permissions")?.as_object()?;
    Some((place, member(place, "deny")?.as_array()?))
}

fn member<'a, 'b>(object: &'b Object<'a>, name: &str) -> Option<&'b Value<'a>> {
    object.properties.iter().rfind(|property| property.name.as_str() == name).map(|property| &property.value)
}

fn string<'b>(value: &'b Value) -> Option<&'b str> {
    value.as_string_lit().map(|text| text.value.as_ref())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn split_bom(text: &str) -> (&str, &str) {
    text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest))
}

/// The path of a form with the home folder in it.
pub(crate) fn absolute(path: &str, home: &str) -> String {
    path.strip_prefix('~').map_or_else(|| path.to_owned(), |rest| format!("{home}{rest}"))
}
