//! What a policy sets besides rules, and how the layers' settings become one.

use super::diagnostic::Level;
use super::reader::{Fields, Reader};
use super::set::RuleSet;
use super::words::Word;
use super::yaml::{Node, Value};
use crate::action::Action;
use crate::analysis::Looks;
use crate::decision::{Mode, OnError};
use crate::judge::JudgeSettings;
use serde::{Deserialize, Serialize};

/// The settings in force.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How much the host is told.
    pub mode: Mode,
    /// What to answer when fourseam itself fails.
    pub on_error: OnError,
    /// Which guards are on.
    pub points: Points,
    /// What to do about an instruction found in a result.
    pub inject_action: InjectAction,
    /// A call that cannot be recorded counts as a failure.
    pub audit_required: bool,
    /// When files of the audit log are set aside, and when they go.
    pub audit_files: AuditFiles,
    /// The judge, if there is one.
    pub judge: Option<JudgeSettings>,
    /// Hosts whose own way of asking the user has accepted (`hosts.<id>.ask: native`).
    pub native_ask: Vec<String>,
}

/// When files of the audit log are set aside, and when they go. 0 everywhere: never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditFiles {
    /// A file of this many MiB is set aside.
    pub file_mib: u32,
    /// A file this many days old is set aside.
    pub file_days: u32,
    /// The oldest of those set aside go when all are larger than this many MiB.
    pub keep_mib: u32,
    /// A file that was set aside goes when its last record is this many days old.
    pub keep_days: u32,
}

impl Default for AuditFiles {
    fn default() -> Self {
        Self { file_mib: 64, file_days: 30, keep_mib: 1024, keep_days: 0 }
    }
}

/// Which guards are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    /// Edits of files.
    pub edits: bool,
    /// Calls of MCP tools.
    pub mcp: bool,
    /// Fetches and searches.
    pub web: bool,
    /// Prompts.
    pub prompt: bool,
    /// Results.
    pub result: ResultScan,
    /// Results shorter than this many bytes are not looked through for instructions.
    pub result_min: u32,
    /// The final answer.
    pub output: bool,
}

/// Which results are scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultScan {
    /// None.
    Off,
    /// Pages, MCP servers, files, and commands that reach the network, read files or are not known. Secrets and hidden
    /// characters are looked for in all.
    Network,
    /// All.
    On,
}

/// What to do about an instruction found in a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum InjectAction {
    /// Tell the agent.
    #[default]
    Warn,
    /// Keep it from the agent where the host can.
    Block,
}

impl Points {
    /// Whether calls of this kind are guarded. Where they are not, only locked rules hold.
    ///
    /// Commands, reads and sub-agents are always guarded.
    pub(super) fn guard(self, action: &Action) -> bool {
        match action {
            Action::FileWrite { .. } | Action::FileEdit { .. } | Action::FileDelete { .. } | Action::Patch { .. } => {
                self.edits
            }
            Action::McpCall { .. } => self.mcp,
            Action::WebFetch { .. } | Action::WebSearch { .. } => self.web,
            Action::Prompt { .. } => self.prompt,
            Action::ToolResult(_) => self.result != ResultScan::Off,
            Action::Output { .. } => self.output,
            Action::Shell(_) | Action::FileRead { .. } | Action::Subagent { .. } | Action::Other { .. } => true,
        }
    }

    /// In which results instructions are looked for.
    pub(crate) fn looks(self) -> Looks {
        Looks { local: self.result == ResultScan::On, least: self.result_min }
    }
}

impl Default for Points {
    fn default() -> Self {
        Self {
            edits: true,
            mcp: true,
            web: true,
            prompt: true,
            result: ResultScan::Network,
            result_min: 0,
            output: true,
        }
    }
}

impl Word for ResultScan {
    const WORDS: &'static [(&'static str, Self)] =
        &[("off", Self::Off), ("network", Self::Network), ("on", Self::On), ("all", Self::On)];
}

impl Word for InjectAction {
    const WORDS: &'static [(&'static str, Self)] = &[("warn", Self::Warn), ("block", Self::Block)];
}

/// What one layer sets. `None`: nothing said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    mode: Option<Mode>,
    on_error: Option<OnError>,
    points: PointsPart,
    inject_action: Option<InjectAction>,
    audit_required: Option<bool>,
    audit_files: AuditFilesPart,
    judge: Option<String>,
    /// Host id, and whether its own way of asking is accepted.
    asks: Vec<(String, bool)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct AuditFilesPart {
    file_mib: Option<u32>,
    file_days: Option<u32>,
    keep_mib: Option<u32>,
    keep_days: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct PointsPart {
    edits: Option<bool>,
    mcp: Option<bool>,
    web: Option<bool>,
    prompt: Option<bool>,
    result: Option<ResultScan>,
    result_min: Option<u32>,
    output: Option<bool>,
}

/// The keys of a policy that are settings, and what they mean.
pub(super) const SETTING_KEYS: [(&str, &str); 7] = [
    ("mode", "dry (log only), guard (enforce ask and deny) or on (also answer allow where that is safe)."),
    ("on_error", "abstain, ask or deny: the answer when fourseam itself fails."),
    (
        "points",
        "Which guards are on: edits, mcp, web, prompt, output (on, off), result (off, network, all; with `result_min`: bytes).",
    ),
    ("inject_action", "warn or block: what to do about an instruction found in a result."),
    (
        "audit",
        "`required: true`: a call that cannot be recorded counts as a failure. A file of the log is set aside at `file_mib` or `file_days`; old ones go past `keep_mib` in all or `keep_days` of age; 0: never.",
    ),
    ("judge", "The optional model: `backend` (none, openai, anthropic, jev) and its settings."),
    ("hosts", "By host id: `ask: native` accepts the host's own way of asking."),
];

/// What a layer says that wants no judge.
const NO_JUDGE: &str = "{}";

/// Reads the settings of one layer.
pub(super) fn read(reader: &mut Reader<'_>, fields: Fields<'_>) -> Part {
    let audit = fields.get("audit").and_then(|node| reader.map(node, "`audit`", &AUDIT_KEYS));
    let mut audit_number = |key: &str| reader.number(audit?.get(key)?, key);
    let audit_files = AuditFilesPart {
        file_mib: audit_number("file_mib"),
        file_days: audit_number("file_days"),
        keep_mib: audit_number("keep_mib"),
        keep_days: audit_number("keep_days"),
    };
    Part {
        mode: fields.get("mode").and_then(|node| reader.word(node, "mode")),
        on_error: fields.get("on_error").and_then(|node| reader.word(node, "on_error")),
        points: fields.get("points").map_or_else(PointsPart::default, |node| read_points(reader, node)),
        inject_action: fields.get("inject_action").and_then(|node| reader.word(node, "inject_action")),
        audit_required: audit.and_then(|fields| reader.switch(fields.get("required")?, "required")),
        audit_files,
        judge: fields.get("judge").and_then(|node| read_judge(reader, node)),
        asks: fields.get("hosts").map_or_else(Vec::new, |node| read_hosts(reader, node)),
    }
}

const AUDIT_KEYS: [&str; 5] = ["required", "file_mib", "file_days", "keep_mib", "keep_days"];

fn read_points(reader: &mut Reader<'_>, node: &Node) -> PointsPart {
    let known = ["edits", "mcp", "web", "prompt", "result", "result_min", "output"];
    let Some(fields) = reader.map(node, "`points`", &known) else { return PointsPart::default() };
    let result = fields.get("result").and_then(|node| reader.word(node, "result"));
    let result_min = fields.get("result_min").and_then(|node| reader.number(node, "result_min"));
    let mut switch = |key: &str| {
        let node = fields.get(key)?;
        let words = reader.words(node, key, &["on", "off"])?;
        Some(words.first().is_some_and(|word| word == "on"))
    };
    PointsPart {
        edits: switch("edits"),
        mcp: switch("mcp"),
        web: switch("web"),
        prompt: switch("prompt"),
        output: switch("output"),
        result,
        result_min,
    }
}

fn read_judge(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let known = JudgeSettings::KEYS.map(|(key, _)| key);
    let fields = reader.map(node, "`judge`", &known)?;
    let Some(backend) = fields.get("backend") else {
        reader.error("missing-key", node.place, "`judge` without `backend` (none, openai, anthropic, jev)");
        return None;
    };
    let backend = reader.words(backend, "backend", &["none", "openai", "anthropic", "jev"])?;
    if backend.iter().any(|backend| backend == "none") {
        return Some(NO_JUDGE.to_owned());
    }
    let json = node.json().to_string();
    match JudgeSettings::of_json(&json) {
        Ok(_) => Some(json),
        Err(message) => {
            reader.error("bad-judge", node.place, format!("`judge`: {message}"));
            None
        }
    }
}

fn read_hosts(reader: &mut Reader<'_>, node: &Node) -> Vec<(String, bool)> {
    let Value::Map(entries) = &node.value else {
        reader.error("wrong-type", node.place, format!("`hosts` is a map of host ids, not {}", node.kind()));
        return Vec::new();
    };
    let mut asks = Vec::new();
    for entry in entries {
        let Some(fields) = reader.map(&entry.value, &format!("host `{}`", entry.key), &["ask"]) else { continue };
        let Some(node) = fields.get("ask") else { continue };
        if let Some(words) = reader.words(node, "ask", &["native", "deny"]) {
            asks.push((entry.key.clone(), words.first().is_some_and(|word| word == "native")));
        }
    }
    if entries.is_empty() {
        reader.report(Level::Warning, "empty-list", node.place, "`hosts` names no host", None);
    }
    asks
}

/// What the layers set, organisation, user and project, over all sets: each layer speaks in one of them.
pub(super) fn parts(sets: &[RuleSet]) -> [Part; 3] {
    let mut all: [Part; 3] = Default::default();
    for settings in sets.iter().filter_map(RuleSet::settings) {
        for (slot, part) in all.iter_mut().zip(settings) {
            if part != Part::default() {
                *slot = part;
            }
        }
    }
    all
}

/// Whether a layer says something of a key of [`described`].
pub(super) fn says(part: &Part, key: &str) -> bool {
    match key {
        "mode" => part.mode.is_some(),
        "on_error" => part.on_error.is_some(),
        "points" => part.points != PointsPart::default(),
        "inject_action" => part.inject_action.is_some(),
        "audit" => part.audit_required.is_some() || part.audit_files != AuditFilesPart::default(),
        "judge" => part.judge.is_some(),
        "hosts" => !part.asks.is_empty(),
        _ => false,
    }
}

fn described_judge(judge: &JudgeSettings) -> String {
    format!("{{ backend: {}, model: {}, url: {} }}", judge.backend.word(), judge.model, judge.url())
}

/// Settings in the words of a policy file, by key.
pub(super) fn described(settings: &Settings) -> Vec<(&'static str, String)> {
    fn word<W: Word + PartialEq>(value: W) -> &'static str {
        W::WORDS.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
    }
    let switch = |on: bool| if on { "on" } else { "off" };
    let (points, files) = (settings.points, settings.audit_files);
    let asks: Vec<String> = settings.native_ask.iter().map(|host| format!("{host}: {{ ask: native }}")).collect();
    vec![
        ("mode", word(settings.mode).to_owned()),
        ("on_error", word(settings.on_error).to_owned()),
        (
            "points",
            format!(
                "{{ edits: {}, mcp: {}, web: {}, prompt: {}, result: {}, result_min: {}, output: {} }}",
                switch(points.edits),
                switch(points.mcp),
                switch(points.web),
                switch(points.prompt),
                word(points.result),
                points.result_min,
                switch(points.output),
            ),
        ),
        ("inject_action", word(settings.inject_action).to_owned()),
        (
            "audit",
            format!(
                "{{ required: {}, file_mib: {}, file_days: {}, keep_mib: {}, keep_days: {} }}",
                settings.audit_required, files.file_mib, files.file_days, files.keep_mib, files.keep_days,
            ),
        ),
        ("judge", settings.judge.as_ref().map_or_else(|| "{ backend: none }".to_owned(), described_judge)),
        ("hosts", if asks.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", asks.join(", ")) }),
    ]
}

/// When files are set aside, the nearest layer says; how long they are kept, the organisation sets a floor.
fn audit_files(organisation: &Part, user: &Part, project: &Part) -> AuditFiles {
    type Pick = fn(&AuditFilesPart) -> Option<u32>;
    let default = AuditFiles::default();
    let own = |pick: Pick| pick(&project.audit_files).or(pick(&user.audit_files));
    let set = |pick: Pick, default| pick(&organisation.audit_files).or(own(pick)).unwrap_or(default);
    let keep = |pick: Pick, default| match (pick(&organisation.audit_files), own(pick)) {
        // For ever is the longest.
        (Some(floor), Some(own)) if own != 0 && floor != 0 => floor.max(own),
        (Some(_), Some(_)) => 0,
        (floor, own) => own.or(floor).unwrap_or(default),
    };
    AuditFiles {
        file_mib: set(|part| part.file_mib, default.file_mib),
        file_days: set(|part| part.file_days, default.file_days),
        keep_mib: keep(|part| part.keep_mib, default.keep_mib),
        keep_days: keep(|part| part.keep_days, default.keep_days),
    }
}

/// A mode, or the organisation's where that is higher.
pub(super) fn at_least(organisation: &Part, mode: Mode) -> Mode {
    organisation.mode.map_or(mode, |floor| floor.max(mode))
}

/// The settings of all layers. The organisation's mode, `on_error`, `inject_action` and `audit` are floors; what else
/// it sets holds. Between the others the nearest layer holds.
pub(super) fn merge(organisation: &Part, user: &Part, project: &Part) -> Settings {
    fn floor<T: Ord + Copy + Default>(organisation: Option<T>, user: Option<T>, project: Option<T>) -> T {
        let own = project.or(user).or(organisation).unwrap_or_default();
        organisation.map_or(own, |floor| floor.max(own))
    }
    let parts = (organisation, user, project);
    let points = Points::default();
    let point = |pick: fn(&PointsPart) -> Option<bool>, default| {
        pick(&parts.0.points).or(pick(&parts.2.points)).or(pick(&parts.1.points)).unwrap_or(default)
    };
    let asks = |host: &String| {
        [parts.0, parts.2, parts.1]
            .iter()
            .find_map(|part| part.asks.iter().find(|(id, _)| id == host).map(|(_, native)| *native))
            .unwrap_or(false)
    };
    let mut native_ask: Vec<String> =
        [parts.0, parts.1, parts.2].iter().flat_map(|part| part.asks.iter().map(|(host, _)| host.clone())).collect();
    native_ask.sort();
    native_ask.dedup();
    native_ask.retain(asks);
    Settings {
        mode: floor(organisation.mode, user.mode, project.mode),
        on_error: floor(organisation.on_error, user.on_error, project.on_error),
        inject_action: floor(organisation.inject_action, user.inject_action, project.inject_action),
        audit_required: floor(organisation.audit_required, user.audit_required, project.audit_required),
        audit_files: audit_files(organisation, user, project),
        points: Points {
            edits: point(|p| p.edits, points.edits),
            mcp: point(|p| p.mcp, points.mcp),
            web: point(|p| p.web, points.web),
            prompt: point(|p| p.prompt, points.prompt),
            output: point(|p| p.output, points.output),
            result: (organisation.points.result)
                .or(project.points.result)
                .or(user.points.result)
                .unwrap_or(points.result),
            result_min: (organisation.points.result_min)
                .or(project.points.result_min)
                .or(user.points.result_min)
                .unwrap_or(points.result_min),
        },
        judge: (organisation.judge.as_deref())
            .or(project.judge.as_deref())
            .or(user.judge.as_deref())
            .and_then(|json| JudgeSettings::of_json(json).ok()),
        native_ask,
    }
}
