//! What a judge is asked. The words are data with a version (`questions.yaml` of the packs); this file says when
//! which of them are used.

use super::settings::JudgeSettings;
use super::state::Material;
use crate::action::{Action, HookCall};
use crate::analysis::{Analysis, PathClass, Target};
use crate::decide::Decided;
use crate::decision::Decision;
use serde::{Deserialize, Serialize};

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A command line.
    Shell,
    /// A change of files.
    Edit,
    /// A call of an MCP tool.
    Mcp,
    /// A result.
    Result,
}

/// Every question, one sheet a kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// Goes up with every change of a word; part of the cache's key.
    pub version: u32,
    /// What a judge is told first.
    pub preface: String,
    /// About command lines.
    pub shell: Sheet,
    /// About changes of files.
    pub edit: Sheet,
    /// About calls of MCP tools.
    pub mcp: Sheet,
    /// About results.
    pub result: Sheet,
}

/// The questions of one kind: one choice, and risks that are each likely or not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// What lies in front of the judge.
    pub about: String,
    /// Classes, of which one holds. None for results.
    pub classes: Vec<Item>,
    /// Id of the class that is dangerous.
    pub danger: String,
    /// What may be the case.
    pub risks: Vec<Risk>,
}

/// A class.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// What it means.
    pub means: String,
}

/// Something that may be the case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// Its id.
    pub id: String,
    /// The question, answered yes or no.
    pub asks: String,
    /// Bad enough to refuse, together with the danger class.
    pub stops: bool,
}

/// One question, ready to be sent.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// What it is about.
    pub kind: Kind,
    /// Version of its words.
    pub version: u32,
    /// What the judge is told first.
    pub preface: &'q str,
    /// The questions.
    pub sheet: &'q Sheet,
    /// What lies in front of the judge.
    pub material: Material,
}

impl Kind {
    /// The word used in policies and logs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Edit => "edit",
            Self::Mcp => "mcp",
            Self::Result => "result",
        }
    }

    /// The kind that an action is asked about under; `None`: never.
    #[must_use]
    pub fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Shell(_) => Some(Self::Shell),
            Action::FileWrite { .. } | Action::FileEdit { .. } | Action::FileDelete { .. } | Action::Patch { .. } => {
                Some(Self::Edit)
            }
            Action::McpCall { .. } => Some(Self::Mcp),
            Action::ToolResult(_) => Some(Self::Result),
            Action::FileRead { .. }
            | Action::WebFetch { .. }
            | Action::WebSearch { .. }
            | Action::Subagent { .. }
            | Action::Prompt { .. }
            | Action::Output { .. }
            | Action::Other { .. } => None,
        }
    }
}

impl Questions {
    /// The question about a call. `policy_text`: the user's policy in plain words.
    #[must_use]
    pub fn about(&self, kind: Kind, call: &HookCall, analysis: &Analysis, policy_text: Option<&str>) -> Question<'_> {
        let sheet = self.sheet(kind);
        let material = Material::new(sheet, call, analysis, policy_text);
        Question { kind, version: self.version, preface: &self.preface, sheet, material }
    }

    /// The questions of a kind.
    #[must_use]
    pub fn sheet(&self, kind: Kind) -> &Sheet {
        match kind {
            Kind::Shell => &self.shell,
            Kind::Edit => &self.edit,
            Kind::Mcp => &self.mcp,
            Kind::Result => &self.result,
        }
    }

    /// Checks that ids are unlike and the danger class is one of the classes.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        for kind in [Kind::Shell, Kind::Edit, Kind::Mcp, Kind::Result] {
            let sheet = self.sheet(kind);
            let mut ids: Vec<&str> = sheet.classes.iter().map(|item| item.id.as_str()).collect();
            if !sheet.classes.is_empty() && !ids.contains(&sheet.danger.as_str()) {
                return Err(format!("{}: `danger` is none of the classes", kind.word()));
            }
            ids.extend(sheet.risks.iter().map(|risk| risk.id.as_str()));
            ids.sort_unstable();
            if ids.windows(2).any(|pair| pair.first() == pair.last()) {
                return Err(format!("{}: an id stands twice", kind.word()));
            }
        }
        Ok(())
    }
}

/// Whether the rules left a question that this judge is to be asked, and of which kind.
///
/// They leave one where nothing matched and something was not understood or not classified, and where every rule that
/// asks says that the judge may allow.
#[must_use]
pub fn wanted(call: &HookCall, decided: &Decided, settings: &JudgeSettings) -> Option<Kind> {
    let kind = Kind::of(&call.action).filter(|kind| settings.points.contains(kind))?;
    let open = match decided.draft.decision() {
        Decision::Abstain => is_open(kind, &decided.analysis),
        Decision::Ask => decided.draft.judge_may_allow(),
        Decision::Allow | Decision::Deny => false,
    };
    open.then_some(kind)
}

/// Whether something was not understood or not classified.
fn is_open(kind: Kind, analysis: &Analysis) -> bool {
    let is_unclassified = |target: &Option<Target>| match target {
        Some(Target::Path(path)) => path.unknown || path.classes.contains(&PathClass::Unknown),
        _ => false,
    };
    match kind {
        Kind::Shell | Kind::Edit => {
            !analysis.unknowns.is_empty() || analysis.effects.iter().any(|effect| is_unclassified(&effect.target))
        }
        Kind::Mcp => analysis.effects.is_empty() || !analysis.unknowns.is_empty(),
        // Something was found, and too weak for a rule.
        Kind::Result => !analysis.findings.is_empty(),
    }
}
