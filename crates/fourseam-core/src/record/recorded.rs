//! A record as a call and a world, to decide it again.

use super::{Answers, Record};
use crate::action::{Action, HookCall};
use crate::past::Past;
use crate::world::{Known, PathFact, Repository, World};
use std::cell::RefCell;

impl Record {
    /// The call, as far as the log has it. `None` when the payload could not be read, or is of a form that this version
    /// does not know.
    #[must_use]
    pub fn call(&self) -> Option<HookCall> {
        let action: Action = serde_json::from_value(self.action.clone()).ok()?;
        Some(HookCall {
            host: self.agent.clone(),
            event: self.event.clone(),
            point: self.point,
            session: self.session.clone(),
            cwd: self.cwd.clone().or_else(|| self.project.clone()),
            permission_mode: self.permission_mode.clone(),
            agent_id: self.agent_id.clone(),
            call_id: self.call_id.clone(),
            tool: self.tool.clone(),
            stop_hook_active: self.sent_back,
            action,
        })
    }

    /// Whether a secret was taken out of what a decision looks at.
    #[must_use]
    pub fn is_redacted(&self) -> bool {
        let holds = |text: String| text.contains("[redacted");
        holds(self.action.to_string()) || serde_json::to_string(&self.world).is_ok_and(holds)
    }
}

/// The machine as a record has it. What was not asked then, or had no answer, is not known; of the session nothing is.
pub struct RecordedWorld<'a> {
    then: &'a Answers,
    now: &'a dyn World,
    lost: RefCell<Vec<String>>,
    past: Past,
}

impl<'a> RecordedWorld<'a> {
    /// `now` is asked only for long texts, and believed only where they are still the same.
    #[must_use]
    pub fn new(then: &'a Answers, now: &'a dyn World) -> Self {
        Self { then, now, lost: RefCell::default(), past: Past::default() }
    }

    /// Paths of texts that were asked for, are not in the record, and are not what they were.
    #[must_use]
    pub fn lost(&self) -> Vec<String> {
        self.lost.borrow().clone()
    }
}

impl World for RecordedWorld<'_> {
    fn home(&self) -> Option<String> {
        self.then.home.clone()
    }

    fn variable(&self, name: &str) -> Known<Option<String>> {
        self.then.variables.get(name).map_or(Known::Unknown, |value| Known::Yes(value.clone()))
    }

    fn path(&self, path: &str) -> Known<PathFact> {
        listed(&self.then.paths, path).map_or(Known::Unknown, |fact| Known::Yes(fact.into()))
    }

    fn repository(&self, path: &str) -> Known<Option<Repository>> {
        let tree = listed(&self.then.repositories, path);
        tree.map_or(Known::Unknown, |tree| Known::Yes(tree.as_ref().map(Repository::from)))
    }

    fn restorable(&self, path: &str) -> Known<bool> {
        listed(&self.then.restorable, path).map_or(Known::Unknown, |fact| Known::Yes(*fact))
    }

    fn text(&self, path: &str, limit: usize) -> Known<String> {
        let Some(then) = self.then.texts.iter().find(|text| text.path == path) else { return Known::Unknown };
        if let Some(text) = &then.text {
            return Known::Yes(text.clone());
        }
        let now = self.now.text(path, limit).ok();
        match now.filter(|text| blake3::hash(text.as_bytes()).to_hex().as_str() == then.hash) {
            Some(text) => Known::Yes(text),
            None => {
                self.lost.borrow_mut().push(path.to_owned());
                Known::Unknown
            }
        }
    }

    fn past(&self) -> &Past {
        &self.past
    }
}

fn listed<'a, T>(list: &'a [(String, T)], path: &str) -> Option<&'a T> {
    list.iter().find(|(known, _)| known == path).map(|(_, fact)| fact)
}

/// A fact that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is about: a variable, a path.
    pub about: String,
    /// What it was.
    pub then: String,
    /// What it is.
    pub now: String,
}

impl Answers {
    /// What is not any more as it was.
    #[must_use]
    pub fn differences(&self, now: &dyn World) -> Vec<Difference> {
        let mut found = Vec::new();
        let mut compare = |about: String, then: String, now: String| {
            if then != now {
                found.push(Difference { about, then, now });
            }
        };
        compare("home folder".to_owned(), said(&self.home), said(&now.home()));
        for (name, value) in &self.variables {
            // A secret is not in the record, so it cannot be held against what is there now.
            if !value.as_ref().is_some_and(|value| value.contains("[redacted")) {
                compare(format!("variable `{name}`"), said(value), known(now.variable(name), |value| said(&value)));
            }
        }
        for (path, fact) in &self.paths {
            let say = |fact: PathFact| match fact {
                PathFact::Missing => "missing".to_owned(),
                PathFact::File => "a file".to_owned(),
                PathFact::Folder => "a folder".to_owned(),
                PathFact::Link(end) => format!("a link to {}", said(&end)),
                PathFact::Special => "a device, socket or pipe".to_owned(),
            };
            compare(format!("`{path}`"), say(fact.into()), known(now.path(path), say));
        }
        for (path, tree) in &self.repositories {
            let say = |tree: Option<Repository>| match tree {
                Some(tree) => format!("`{}` on branch {}", tree.root, said(&tree.branch)),
                None => "none".to_owned(),
            };
            let then = say(tree.as_ref().map(Repository::from));
            compare(format!("repository of `{path}`"), then, known(now.repository(path), say));
        }
        for (path, restorable) in &self.restorable {
            let about = format!("`{path}` can be restored from version control");
            compare(about, restorable.to_string(), known(now.restorable(path), |fact| fact.to_string()));
        }
        for text in &self.texts {
            let hash = |text: String| blake3::hash(text.as_bytes()).to_hex().to_string();
            let now = known(now.text(&text.path, MOST_READ), hash);
            compare(format!("text of `{}`", text.path), text.hash.clone(), now);
        }
        found
    }
}

/// Bytes of a text that is compared.
const MOST_READ: usize = 16 * 1024 * 1024;

fn said(value: &Option<String>) -> String {
    value.as_ref().map_or_else(|| "none".to_owned(), |value| format!("`{value}`"))
}

fn known<T>(fact: Known<T>, say: impl FnOnce(T) -> String) -> String {
    match fact {
        Known::Yes(fact) => say(fact),
        Known::Unknown => "not known".to_owned(),
    }
}
