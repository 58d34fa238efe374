//! Hook files of the common form: a JSON object whose `hooks` holds, for each event, a list of entries. Puts our entries
//! into one, takes them out again, finds them. What a host's entry looks like is the host's.
//!
//! So that [`remove`] gives the first bytes back, what was made new is written so that it begins directly after its
//! bracket (`"hooks": {"PreToolUse": [{`), which [`Container::append`] never does with what was there before.

use crate::host::{Event, Host};
use crate::install::{EditError, Wiring};
use crate::jsonedit::{self, BOM, Container};
use crate::tail;
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;

/// An entry for an event: JSON on one line.
pub(crate) struct Entry {
    pub(crate) event: &'static str,
    pub(crate) text: String,
}

impl Entry {
    /// An entry of the form that most hosts share: a group for all tools, with one handler.
    pub(crate) fn group(event: &'static Event, handler: &str) -> Self {
        let matcher = if event.name.contains("Tool") || event.capabilities.gate { "\"matcher\": \"*\", " } else { "" };
        Self { event: event.name, text: format!("{{{matcher}\"hooks\": [{handler}]}}") }
    }

    /// As [`Entry::group`], for hosts that name a handler and count in milliseconds (Qwen Code reads 1000 and more so).
    pub(crate) fn named(host: &dyn Host, event: &'static Event, wiring: &Wiring) -> Self {
        let command = serde_json::Value::from(tail::command(host, event, wiring));
        let handler =
            format!("{{\"type\": \"command\", \"name\": \"fourseam\", \"command\": {command}, \"timeout\": 30000}}");
        Self::group(event, &handler)
    }
}

/// Members that a new file needs beside `hooks`, each with its comma (`"version": 1,`).
pub(crate) type Head = &'static str;

/// The text with these entries, and no other of ours.
pub(crate) fn plan(current: Option<&str>, head: Head, entries: &[Entry]) -> Result<String, EditError> {
    let Some(current) = current else { return Ok(format!("{{{}}}\n", fresh(head, "\n  ", entries))) };
    let (bom, mut text) = split_bom(current);
    match jsonedit::parse(&text)? {
        None if text.trim().is_empty() => return Ok(format!("{bom}{text}{{\t{}}}", fresh(head, "\n  ", entries))),
        None => return Err(EditError { what: "the file holds nothing but comments".to_owned(), at: None }),
        Some(root) => {
            if hooks_of(&root, &text)?.is_none() {
                let root = Container::of_object(object(&root, &text, "the file")?);
                return Ok(bom + &root.append(&text, |space| format!("\"hooks\": {}", events(entries, space))));
            }
        }
    }
    for entry in entries {
        text = with_entry(&text, entry)?;
    }
    for event in found(&text)? {
        if !entries.iter().any(|entry| entry.event == event) {
            text = without_event(&text, &event)?;
        }
    }
    Ok(bom + &text)
}

/// The text without our entries; `None` when it was made by [`plan`] and nothing else has come to it.
pub(crate) fn remove(current: &str, head: Head) -> Result<Option<String>, EditError> {
    let (bom, mut text) = split_bom(current);
    let Some(made) = made(&text, head)? else { return Ok(Some(current.to_owned())) };
    match made {
        Made::File => return Ok(None),
        Made::Value(start) => return Ok(text.get(..start).map(|before| bom + before)),
        Made::Hooks => {
            let root = jsonedit::parse(&text)?;
            if let Some(Value::Object(root)) = &root
                && let Some(index) = root.properties.iter().rposition(|property| property.name.as_str() == "hooks")
            {
                return Ok(Some(bom + &Container::of_object(root).remove(&text, index)));
            }
        }
        Made::Entries => {
            for event in found(&text)? {
                text = without_event(&text, &event)?;
            }
        }
    }
    Ok(Some(bom + &text))
}

/// The events that hold an entry of ours, in the order of the text.
pub(crate) fn found(current: &str) -> Result<Vec<String>, EditError> {
    let (_, text) = split_bom(current);
    let Some(root) = jsonedit::parse(&text)? else { return Ok(Vec::new()) };
    let Ok(Some(hooks)) = hooks_of(&root, &text) else { return Ok(Vec::new()) };
    let mut events: Vec<String> = Vec::new();
    for property in &hooks.properties {
        let name = property.name.as_str();
        if holds_ours(&property.value) && !events.iter().any(|event| event == name) {
            events.push(name.to_owned());
        }
    }
    Ok(events)
}

/// How much of a text is [`plan`]'s own making.
enum Made {
    /// All of it: there was no file.
    File,
    /// The value from this offset on: the file held none.
    Value(usize),
    /// The `hooks` property.
    Hooks,
    /// Entries in what was there.
    Entries,
}

/// `None` when the text holds nothing of ours.
fn made(text: &str, head: Head) -> Result<Option<Made>, EditError> {
    let Some(root) = jsonedit::parse(text)? else { return Ok(None) };
    let Ok(Some(hooks)) = hooks_of(&root, text) else { return Ok(None) };
    if !hooks.properties.iter().any(|property| holds_ours(&property.value)) {
        return Ok(None);
    }
    if !Container::of_object(hooks).begins_at_once() || !hooks.properties.iter().all(|event| is_new(&event.value)) {
        return Ok(Some(Made::Entries));
    }
    let inside = text.get(root.start() + 1..hooks.start()).unwrap_or_default();
    let ends_at_once = hooks.end() + 1 == root.end();
    let rest = text.get(root.end()..).unwrap_or_default();
    let hooks_first = |lead: &str| inside == format!("{lead}{}", lead_of(head, "\n  "));
    Ok(Some(if ends_at_once && root.start() == 0 && rest == "\n" && hooks_first("") {
        Made::File
    } else if ends_at_once && rest.is_empty() && hooks_first("\t") {
        Made::Value(root.start())
    } else {
        Made::Hooks
    }))
}

fn lead_of(head: Head, space: &str) -> String {
    if head.is_empty() { "\"hooks\": ".to_owned() } else { format!("{head}{space}\"hooks\": ") }
}

/// The members of a new file.
fn fresh(head: Head, space: &str, entries: &[Entry]) -> String {
    lead_of(head, space) + &events(entries, &format!("{space}  "))
}

/// The value of a new `hooks`.
fn events(entries: &[Entry], space: &str) -> String {
    let events: Vec<String> = entries.iter().map(property).collect();
    format!("{{{}}}", events.join(&format!(",{space}")))
}

/// The property of an event that had none.
fn property(entry: &Entry) -> String {
    format!("\"{}\": [{}]", entry.event, entry.text)
}

fn with_entry(text: &str, entry: &Entry) -> Result<String, EditError> {
    let Some(root) = jsonedit::parse(text)? else { return Ok(text.to_owned()) };
    let Some(hooks) = hooks_of(&root, text)? else { return Ok(text.to_owned()) };
    let Some(property) = hooks.properties.iter().rfind(|property| property.name.as_str() == entry.event) else {
        return Ok(Container::of_object(hooks).append(text, |_| self::property(entry)));
    };
    let Value::Array(list) = &property.value else {
        return Err(wrong(text, &property.value, &format!("`hooks.{}`", entry.event), "an array"));
    };
    let container = Container::of_array(list);
    match list.elements.iter().position(holds_ours) {
        None => Ok(container.append(text, |_| entry.text.clone())),
        Some(index) => match container.members.get(index) {
            Some(range) if !same_value(text.get(range.clone()).unwrap_or_default(), &entry.text) => {
                Ok(upgraded(text, list, index, entry))
            }
            _ => Ok(text.to_owned()),
        },
    }
}

/// Our entry as it is written now; what others put into its group stays.
fn upgraded(text: &str, list: &Array, index: usize, entry: &Entry) -> String {
    let Some(element) = list.elements.get(index) else { return text.to_owned() };
    if let Some((group, handler)) = shared_group(element)
        && let Some(old) = group.elements.get(handler)
    {
        let new = serde_json::from_str::<serde_json::Value>(&entry.text)
            .ok()
            .and_then(|entry| entry.pointer("/hooks/0").map(ToString::to_string));
        return new.map_or_else(|| text.to_owned(), |new| jsonedit::replace(text, old.start()..old.end(), &new));
    }
    jsonedit::replace(text, element.start()..element.end(), &entry.text)
}

fn without_event(text: &str, event: &str) -> Result<String, EditError> {
    let mut text = text.to_owned();
    loop {
        let Some(root) = jsonedit::parse(&text)? else { return Ok(text) };
        let Some(hooks) = hooks_of(&root, &text)? else { return Ok(text) };
        let place =
            hooks.properties.iter().position(|property| property.name.as_str() == event && holds_ours(&property.value));
        let Some((place, property)) = place.and_then(|place| Some((place, hooks.properties.get(place)?))) else {
            return Ok(text);
        };
        let Value::Array(list) = &property.value else { return Ok(text) };
        let next = if is_new(&property.value) {
            Container::of_object(hooks).remove(&text, place)
        } else {
            let Some(index) = list.elements.iter().position(holds_ours) else { return Ok(text) };
            match list.elements.get(index).and_then(shared_group) {
                Some((group, handler)) => Container::of_array(group).remove(&text, handler),
                None => Container::of_array(list).remove(&text, index),
            }
        };
        text = next;
    }
}

/// The handlers of a group in which others have theirs too, and which of them is ours.
fn shared_group<'a, 'b>(element: &'b Value<'a>) -> Option<(&'b Array<'a>, usize)> {
    let group = element.as_object()?.get_array("hooks")?;
    let ours = group.elements.iter().position(holds_ours)?;
    (group.elements.len() > 1).then_some((group, ours))
}

/// Whether the list of an event was made by [`plan`].
fn is_new(value: &Value) -> bool {
    let Value::Array(list) = value else { return false };
    Container::of_array(list).begins_at_once()
        && list.elements.iter().all(|element| holds_ours(element) && shared_group(element).is_none())
}

/// Whether a command of ours stands in a value.
fn holds_ours(value: &Value) -> bool {
    match value {
        Value::StringLit(text) => tail::is_ours(&text.value),
        Value::Array(array) => array.elements.iter().any(holds_ours),
        Value::Object(object) => object.properties.iter().any(|property| holds_ours(&property.value)),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => false,
    }
}

fn hooks_of<'a, 'b>(root: &'b Value<'a>, text: &str) -> Result<Option<&'b Object<'a>>, EditError> {
    let root = object(root, text, "the file")?;
    let hooks = root.properties.iter().rfind(|property| property.name.as_str() == "hooks");
    hooks.map(|property| object(&property.value, text, "`hooks`")).transpose()
}

pub(crate) fn object<'a, 'b>(value: &'b Value<'a>, text: &str, what: &str) -> Result<&'b Object<'a>, EditError> {
    value.as_object().ok_or_else(|| wrong(text, value, what, "an object"))
}

pub(crate) fn wrong(text: &str, value: &Value, what: &str, expected: &str) -> EditError {
    let before = text.get(..value.start()).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    EditError { what: format!("{what} is not {expected}"), at: Some((line, column)) }
}

fn same_value(one: &str, other: &str) -> bool {
    let read = |text| serde_json::from_str::<serde_json::Value>(text).ok();
    read(one).is_some_and(|one| Some(one) == read(other))
}

fn split_bom(text: &str) -> (String, String) {
    match text.strip_prefix(BOM) {
        Some(rest) => (BOM.to_owned(), rest.to_owned()),
        None => (String::new(), text.to_owned()),
    }
}
