//! Random settings files: JSON with comments, odd spacing, trailing commas, both line breaks, and hooks of others.

use fourseam_hosts::{HOSTS, find};
use proptest::prelude::*;
use serde_json::Value;

/// A text of random shape: what it says and how it is spaced.
#[derive(Clone, Debug)]
enum Json {
    Word(&'static str),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        prop_oneof![Just("null"), Just("true"), Just("1.50"), Just("-2e3")].prop_map(Json::Word),
        "[a-z {}\\[\\],:/*é]{0,8}".prop_map(Json::Text),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::List),
            proptest::collection::vec(("[a-zé]{0,5}", inner), 0..4).prop_map(Json::Object),
        ]
    })
}

/// A settings file: other keys, and perhaps `hooks` with events of the host and of others.
fn settings(host: &'static str) -> impl Strategy<Value = Json> {
    let names: Vec<String> =
        find(host).unwrap().events().iter().map(|event| event.name).chain(["Another"]).map(str::to_owned).collect();
    let events = proptest::collection::btree_map(
        proptest::sample::select(names),
        proptest::collection::vec(json(), 0..3).prop_map(Json::List),
        0..5,
    );
    let hooks = events.prop_map(|events| ("hooks".to_owned(), Json::Object(events.into_iter().collect())));
    let others = proptest::collection::vec(("[a-gi-z]{1,5}", json()), 0..4);
    (others, proptest::option::of(hooks), any::<bool>()).prop_map(|(mut members, hooks, first)| {
        if let Some(hooks) = hooks {
            members.insert(if first { 0 } else { members.len() }, hooks);
        }
        Json::Object(members)
    })
}

/// Takes its choices from a list, again and again.
struct Printer<'a> {
    choices: std::iter::Cycle<std::slice::Iter<'a, u8>>,
    newline: &'static str,
    comments: bool,
    out: String,
}

impl Printer<'_> {
    fn pick(&mut self) -> u8 {
        *self.choices.next().unwrap()
    }

    fn space(&mut self) {
        let newline = self.newline;
        let text = match (self.pick() % 9, self.comments) {
            (0..=2, _) => String::new(),
            (3, _) => " ".to_owned(),
            (4, _) => newline.to_owned(),
            (5, _) => format!("{newline}    "),
            (6, _) => format!("\t{newline}\t"),
            (7, true) => " /* , } */ ".to_owned(),
            (8, true) => format!("// ] , \"x{newline}  "),
            _ => "  ".to_owned(),
        };
        self.out.push_str(&text);
    }

    fn print(&mut self, json: &Json) {
        match json {
            Json::Word(word) => self.out.push_str(word),
            Json::Text(text) => self.out.push_str(&Value::from(text.as_str()).to_string()),
            Json::List(items) => self.members('[', ']', items, |printer, item| printer.print(item)),
            Json::Object(members) => self.members('{', '}', members, |printer, (name, value)| {
                printer.out.push_str(&Value::from(name.as_str()).to_string());
                printer.space();
                printer.out.push(':');
                printer.space();
                printer.print(value);
            }),
        }
    }

    fn members<T>(&mut self, open: char, close: char, members: &[T], one: impl Fn(&mut Self, &T)) {
        self.out.push(open);
        for (number, member) in members.iter().enumerate() {
            if number > 0 {
                self.out.push(',');
            }
            self.space();
            one(self, member);
            self.space();
        }
        if self.comments && !members.is_empty() && self.pick().is_multiple_of(4) {
            self.out.push(',');
            self.space();
        } else if members.is_empty() {
            self.space();
        }
        self.out.push(close);
    }
}

fn printed(json: &Json, choices: &[u8], crlf: bool, bom: bool, comments: bool) -> String {
    let newline = if crlf { "\r\n" } else { "\n" };
    let mut printer = Printer { choices: choices.iter().cycle(), newline, comments, out: String::new() };
    if bom {
        printer.out.push('\u{feff}');
    }
    printer.space();
    printer.print(json);
    printer.space();
    printer.out
}

/// A settings file of a host with a JSON hook file.
pub(crate) fn settings_of(host: &'static str) -> impl Strategy<Value = String> {
    let choices = proptest::collection::vec(any::<u8>(), 1..40);
    (settings(host), choices, any::<[bool; 3]>())
        .prop_map(|(json, choices, [crlf, bom, comments])| printed(&json, &choices, crlf, bom, comments))
}

/// Hosts whose hook file is JSON, by id.
pub(crate) fn hosts() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.id()).filter(|id| *id != "opencode").collect()
}

/// A host with a JSON hook file, by id, and a text for it.
#[allow(dead_code, reason = "the tests of the program take a text for each host")]
pub(crate) fn any_settings() -> impl Strategy<Value = (&'static str, String)> {
    proptest::sample::select(hosts()).prop_flat_map(|host| settings_of(host).prop_map(move |text| (host, text)))
}
