//! What rules are tried on: one call with its analysis, and the subjects it yields.

use super::environment::Environment;
use super::pattern::Built;
use super::set::Looks;
use crate::action::{Action, Edit, FileOperation, HookCall};
use crate::analysis::{Analysis, Effect, Finding, Invocation, Target, Unknown};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One call and its analysis.
pub(super) struct Scene<'a> {
    pub(super) call: &'a HookCall,
    pub(super) analysis: &'a Analysis,
    /// Environments and the words that tell them.
    pub(super) environments: &'a [Environment],
    /// What `raw_pattern` is tried on.
    pub(super) raw: Vec<Cow<'a, str>>,
    pub(super) regexes: Built,
    /// What each `raw_pattern` said of the raw texts: they are the same for every subject, and there may be thousands.
    raw_said: RefCell<BTreeMap<String, bool>>,
}

/// What a rule is tried with: the call, and at most one command, effect, unknown and finding of it.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) invocation: Option<(usize, &'a Invocation)>,
    pub(super) effect: Option<(usize, &'a Effect)>,
    pub(super) unknown: Option<&'a Unknown>,
    pub(super) finding: Option<&'a Finding>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(call: &'a HookCall, analysis: &'a Analysis, environments: &'a [Environment]) -> Self {
        let raw = raw_texts(&call.action);
        Self { call, analysis, environments, raw, regexes: Built::default(), raw_said: RefCell::default() }
    }

    /// Whether a pattern matches somewhere in the raw texts.
    pub(super) fn raw_matches(&self, pattern: &str) -> bool {
        let known = self.raw_said.borrow().get(pattern).copied();
        known.unwrap_or_else(|| {
            let matches = self.regexes.matches(pattern, self.raw.iter().map(AsRef::as_ref));
            self.raw_said.borrow_mut().insert(pattern.to_owned(), matches);
            matches
        })
    }

    /// The subjects for a rule that looks at these facets: each effect, unknown and finding it looks at, each with its
    /// command; each command that has none of them; the call where there is nothing else.
    pub(super) fn subjects(&'a self, looks: Looks) -> Vec<Subject<'a>> {
        let Analysis { invocations, effects, unknowns, findings, carried: _, origin: _ } = self.analysis;
        let mut subjects = Vec::new();
        let mut tried = vec![false; invocations.len()];
        let mut with_invocation = |index: Option<usize>| {
            let index = index?;
            if let Some(tried) = tried.get_mut(index) {
                *tried = true;
            }
            Some((index, invocations.get(index)?))
        };
        if looks.at_effects {
            for (index, effect) in effects.iter().enumerate() {
                let invocation = with_invocation(effect.invocation);
                subjects.push(Subject { invocation, effect: Some((index, effect)), ..self.whole() });
            }
        }
        if looks.at_unknowns {
            for unknown in unknowns {
                let invocation = with_invocation(unknown.invocation);
                subjects.push(Subject { invocation, unknown: Some(unknown), ..self.whole() });
            }
        }
        if looks.at_findings {
            subjects.extend(findings.iter().map(|finding| Subject { finding: Some(finding), ..self.whole() }));
        }
        if looks.at_invocations || looks.at_effects || looks.at_unknowns {
            let alone = invocations.iter().enumerate().zip(&tried).filter(|(_, tried)| !**tried);
            subjects.extend(alone.map(|(invocation, _)| Subject { invocation: Some(invocation), ..self.whole() }));
        }
        if subjects.is_empty() {
            subjects.push(self.whole());
        }
        subjects
    }

    fn whole(&'a self) -> Subject<'a> {
        Subject { scene: self, invocation: None, effect: None, unknown: None, finding: None }
    }

    /// The effects of a command.
    pub(super) fn effects_of(&self, invocation: usize) -> impl Iterator<Item = &'a Effect> {
        self.analysis.effects.iter().filter(move |effect| effect.invocation == Some(invocation))
    }
}

impl<'a> Subject<'a> {
    /// The texts that `pattern` is tried on: the command, and the SQL given to a database.
    pub(super) fn texts(&self) -> Vec<&'a str> {
        let mut texts = Vec::new();
        if let Some((_, invocation)) = self.invocation {
            texts.push(invocation.text.as_str());
        }
        match (self.effect, self.invocation) {
            (Some((_, effect)), _) => texts.extend(sql_of(effect)),
            (None, Some((index, _))) => texts.extend(self.scene.effects_of(index).filter_map(sql_of)),
            (None, None) => {
                let alone = self.scene.analysis.effects.iter().filter(|effect| effect.invocation.is_none());
                texts.extend(alone.filter_map(sql_of));
            }
        }
        texts
    }
}

/// The statement that an effect gives to a database.
pub(super) fn sql_of(effect: &Effect) -> Option<&str> {
    match &effect.target {
        Some(Target::Sql { text, .. }) => Some(text),
        Some(Target::Path(_) | Target::Url { .. } | Target::Host { .. } | Target::Resource { .. }) | None => None,
    }
}

/// The texts of an action as they were sent.
fn raw_texts(action: &Action) -> Vec<Cow<'_, str>> {
    let new = |edits: &[Edit]| edits.iter().map(|edit| Cow::Owned(edit.added())).collect::<Vec<_>>();
    let within = |value: &Value| strings(value).into_iter().map(Cow::Owned).collect();
    match action {
        Action::Shell(shell) => vec![(&shell.command).into()],
        Action::FileRead { path } | Action::FileDelete { path } => vec![path.into()],
        Action::FileWrite { content, .. } => vec![content.into()],
        Action::FileEdit { edits, .. } => new(edits),
        Action::Patch { operations, .. } => operations
            .iter()
            .flat_map(|operation| match operation {
                FileOperation::Add { content, .. } => vec![content.into()],
                FileOperation::Update { edits, .. } => new(edits),
                FileOperation::Delete { .. } => Vec::new(),
            })
            .collect(),
        Action::WebFetch { urls, prompt } => urls.iter().chain(prompt).map(Cow::from).collect(),
        Action::WebSearch { query } => vec![query.into()],
        Action::McpCall { arguments, .. } => within(arguments),
        Action::Subagent { prompt, .. } => vec![prompt.into()],
        Action::Prompt { text } | Action::Output { text } => vec![text.into()],
        Action::ToolResult(result) => vec![(&result.text).into()],
        Action::Other { input, .. } => within(input),
    }
}

/// Every text in a JSON value.
pub(super) fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(value) => vec![value.to_string()],
        Value::Number(number) => vec![number.to_string()],
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(entries) => entries.values().flat_map(strings).collect(),
    }
}
