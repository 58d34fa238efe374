//! The policy in force: layers found on disk, compiled through the cache. What the rules mean is the core's business.

mod cache;
mod layers;
mod state;
pub(crate) mod switch;
mod trust;

use crate::clock;
use crate::home::Home;
use fourseam_core::decision::{Mode, OnError};
use fourseam_core::policy::{AuditFiles, Diagnostic, InjectAction, Layer, Level, Policy, RuleSet};
pub(crate) use layers::{LayerFile, PROJECT, PROJECT_WORDS, of_project, words_of_project};
pub(crate) use trust::{Pinned, Trusted};

/// A policy and what came up while it was loaded.
pub(crate) struct Loaded {
    /// The rules of all layers that could be read.
    pub(crate) policy: Policy,
    /// What the layers and the environment set besides rules.
    pub(crate) settings: Settings,
    /// What is wrong, in the order of the layers.
    pub(crate) problems: Vec<Diagnostic>,
    /// A layer above the project is broken and there is no earlier good version of it: `on_error` applies.
    pub(crate) failed: bool,
    /// The user has trusted the project's policy as it is.
    pub(crate) trusts_project: bool,
}

/// What the layers and the environment set besides rules, as far as the binary needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// How much the host is told.
    pub(crate) mode: Mode,
    /// What to answer when fourseam itself fails.
    pub(crate) on_error: OnError,
    /// Names the policy in the audit log.
    pub(crate) hash: String,
    /// A call that cannot be recorded counts as a failure.
    pub(crate) audit_required: bool,
    /// When files of the audit log are set aside, and when they go.
    pub(crate) audit_files: AuditFiles,
    /// Hosts whose own way of asking the user accepted (`hosts.<id>.ask: native`).
    pub(crate) native_ask: Vec<String>,
    /// What a refusal of an instruction in a result is.
    pub(crate) inject_action: InjectAction,
}

impl Settings {
    /// What the last loaded policy said, before this one is: from the state file, for the nets. Anything odd there
    /// means the defaults.
    pub(crate) fn remembered(home: &Home) -> Self {
        let mut settings = state::read(&home.state()).unwrap_or_default();
        // Where an organisation may have set a floor, only the loaded policy can tell what a pause does.
        if switch::paused_until(home).is_some() && !layers::has_organisation() {
            settings.mode = Mode::Dry;
        }
        settings
    }

    /// With what the environment demands. It can only tighten: a repository can set its clients' environment.
    pub(crate) fn tightened(mut self) -> Self {
        let named = |name| std::env::var(name).ok();
        if let Some(mode) = named("FOURSEAM_MODE").and_then(|word| state::mode_named(&word)) {
            self.mode = self.mode.max(mode);
        }
        if let Some(on_error) = named("FOURSEAM_ON_ERROR").and_then(|word| state::on_error_named(&word)) {
            self.on_error = self.on_error.max(on_error);
        }
        self
    }

    /// Whether the user accepted this host's own way of asking.
    pub(crate) fn asks_in(&self, host: &str) -> bool {
        self.native_ask.iter().any(|id| id == host)
    }

    fn of(policy: &Policy) -> Self {
        let said = policy.settings();
        Self {
            mode: said.mode,
            on_error: said.on_error,
            hash: policy.fingerprint(),
            audit_required: said.audit_required,
            audit_files: said.audit_files,
            native_ask: said.native_ask.clone(),
            inject_action: said.inject_action,
        }
    }
}

/// Which layers are loaded, and how far the cache is believed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Request<'a> {
    /// State folder: the user's layer and the cache. Without one, only the organisation's layer is read.
    pub(crate) home: Option<&'a Home>,
    /// Working directory: the project's layer.
    pub(crate) cwd: Option<&'a str>,
    /// Compile anew and compare with the cache, as at the start of a session.
    pub(crate) anew: bool,
}

/// The files of all layers that a request names, as they are on disk.
pub(crate) fn files(request: &Request<'_>) -> Vec<LayerFile> {
    let mut files = layers::of_people(request.home);
    files.extend(request.cwd.and_then(|cwd| layers::of_project(cwd, request.home)));
    files
}

/// Those of them that cannot be read.
pub(crate) fn unreadable_ones(files: &[LayerFile]) -> Vec<Diagnostic> {
    files.iter().filter_map(|file| Some(unreadable(file, file.unreadable.as_ref()?))).collect()
}

/// Whether the state file says a mode: the tail of the hook command and the nets go by it.
pub(crate) fn state_is_whole(home: &Home) -> bool {
    state::read(&home.state()).is_some()
}

/// The built-in packs alone.
pub(crate) fn built_in() -> Loaded {
    let policy = Policy::new(vec![fourseam_packs::builtin()], Some(clock::today()));
    let settings = Settings::of(&policy);
    Loaded { policy, settings, problems: Vec::new(), failed: false, trusts_project: false }
}

/// Loads every layer. Total: what cannot be read is told in `problems`.
pub(crate) fn load(request: &Request<'_>) -> Loaded {
    let mut sets = vec![fourseam_packs::builtin()];
    let mut problems = Vec::new();
    let failed = add_people_layers(request, &mut sets, &mut problems);
    let of_people = sets.clone();
    let trusts_project = add_project_layer(request, &mut sets, &mut problems);
    let (switched, damage) = request.home.map(switch::read).unwrap_or_default();
    if let (Some(home), Some(why)) = (request.home, damage) {
        problems.push(damaged("mode-damaged", home.mode().display().to_string(), why));
    }
    let in_force = request.home.and_then(|home| switch::in_force(home, switched));
    // Reading what all sets say of settings costs as much as deciding, so it is done twice only where it differs.
    let same = sets.len() == of_people.len() && switched == in_force;
    let policy = Policy::new(sets, Some(clock::today())).with_mode(in_force);
    if let Some(home) = request.home.filter(|home| home.exists()) {
        // For the tail of the hook command, whatever the project; the pause is left out: it must not outlast itself
        // where the program is gone. A home that cannot be written is told by the audit log.
        let _ = if same {
            state::write(home, policy.settings())
        } else {
            state::write(home, Policy::new(of_people, None).with_mode(switched).settings())
        };
    }
    let settings = Settings::of(&policy).tightened();
    Loaded { policy, settings, problems, failed, trusts_project }
}

/// The mode that the organisation and the user get with a switch, or without one.
pub(crate) fn mode_with(home: &Home, switch: Option<Mode>) -> Mode {
    let mut sets = vec![fourseam_packs::builtin()];
    let request = Request { home: Some(home), ..Request::default() };
    add_people_layers(&request, &mut sets, &mut Vec::new());
    Policy::new(sets, None).with_mode(switch).settings().mode
}

/// The mode of this name, for the command line.
///
/// # Errors
/// When there is none of that name.
pub(crate) fn mode_named(name: &str) -> Result<Mode, String> {
    state::mode_named(name).ok_or_else(|| format!("`{name}` is none of `dry`, `guard`, `on`"))
}

/// Adds the layers of the organisation and the user. Where one is broken, the last good version of both decides.
/// Says whether there was none.
fn add_people_layers(request: &Request<'_>, sets: &mut Vec<RuleSet>, problems: &mut Vec<Diagnostic>) -> bool {
    let files: Vec<LayerFile> = layers::of_people(request.home);
    if files.is_empty() {
        return false;
    }
    let compiled = cache::compile(request, &files, sets);
    problems.extend(compiled.diagnostics);
    let broken = !compiled.broken.is_empty() || files.iter().any(|file| file.unreadable.is_some());
    let last_good = if broken { request.home.and_then(cache::last_good) } else { None };
    let failed = broken && last_good.is_none();
    sets.push(last_good.unwrap_or(compiled.set));
    failed
}

/// Adds the layer of the project. A broken one is left out, with a warning. Says whether the user has trusted it.
fn add_project_layer(request: &Request<'_>, sets: &mut Vec<RuleSet>, problems: &mut Vec<Diagnostic>) -> bool {
    let Some(file) = request.cwd.and_then(|cwd| layers::of_project(cwd, request.home)) else { return false };
    let trusted = file.trusted;
    if let (Some(home), Some(why)) = (request.home, &file.trust_damaged) {
        let path = home.trust().display().to_string();
        problems.push(damaged("trust-damaged", path, format!("cannot be read, so no project is trusted: {why}")));
    }
    let compiled = cache::compile(request, &[file], sets);
    problems.extend(compiled.diagnostics);
    sets.push(compiled.set);
    trusted
}

/// A problem on one line, for standard error and the log.
pub(crate) fn one_line(problem: &Diagnostic) -> String {
    let Diagnostic { file, place, rule, message, .. } = problem;
    let place = if place.line > 0 { format!(":{}:{}", place.line, place.column) } else { String::new() };
    let rule = rule.as_ref().map(|rule| format!(" rule `{rule}`:")).unwrap_or_default();
    format!("policy {file}{place}:{rule} {message}")
}

fn unreadable(file: &LayerFile, why: &str) -> Diagnostic {
    let level = if file.layer == Layer::Project { Level::Warning } else { Level::Error };
    Diagnostic { level, ..damaged("unreadable", file.name.clone(), format!("cannot be read: {why}")) }
}

/// A warning about a file as a whole.
fn damaged(code: &'static str, file: String, message: String) -> Diagnostic {
    Diagnostic {
        level: Level::Warning,
        code,
        file,
        place: fourseam_core::policy::Place::default(),
        rule: None,
        message,
        help: None,
        excerpt: String::new(),
    }
}
