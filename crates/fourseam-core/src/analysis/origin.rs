//! Where the text of a tool's result comes from, and with it how far it is trusted. Judges no text.

use super::{Analysis, EffectKind, Knowledge, PathClass, PathUse, Place, Target, analyse};
use crate::action::{Action, HookCall, ToolResult};
use crate::world::World;
use serde::Serialize;

/// Where the text of a result comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The host's own words, or a file of instructions that the user keeps for agents: instructions are what it is for.
    Trusted,
    /// A command that works in the project alone, or the echo of an edit.
    Local,
    /// Anyone: a page, another server, a file that is read, a command that reaches out or is not known.
    #[default]
    Outside,
}

/// Names of files with instructions that agents are started with, lower case.
const INSTRUCTION_FILES: &[&str] = &[
    "agents.md",
    "agents.override.md",
    "agent.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "qwen.md",
    "codex.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".goosehints",
    "conventions.md",
    "memory.md",
];

/// Folders of other people's code, whose instructions are not the user's.
const OTHERS: &[&str] = &["node_modules/", "vendor/", "third_party/", "third-party/", "site-packages/", "submodules/"];

/// Programs whose output others have written, though no command says that they reach out: issues, messages, records,
/// packages, history.
const RELAYS: &[&str] = &[
    "az",
    "aws",
    "bq",
    "br",
    "bundle",
    "composer",
    "confluence",
    "doctl",
    "dig",
    "docker",
    "fly",
    "flyctl",
    "gcloud",
    "gh",
    "git",
    "glab",
    "gsutil",
    "helm",
    "heroku",
    "host",
    "hub",
    "jira",
    "journalctl",
    "kubectl",
    "linear",
    "lynx",
    "mail",
    "mongosh",
    "mutt",
    "mysql",
    "netlify",
    "notmuch",
    "npm",
    "nslookup",
    "oc",
    "pip",
    "pip3",
    "podman",
    "psql",
    "redis-cli",
    "sentry-cli",
    "slack",
    "sqlite3",
    "stripe",
    "supabase",
    "tea",
    "vercel",
    "w3m",
    "whois",
    "yarn",
    "pnpm",
];

/// Subcommands of them that tell only of the machine and the project.
const OWN_NEWS: &[&str] = &[
    "add", "build", "branch", "ci", "commit", "checkout", "init", "install", "lint", "ls", "push", "rebase", "remote",
    "reset", "restore", "run", "stash", "status", "switch", "test", "version",
];

/// Where the text of a result comes from.
pub(super) fn of(result: &ToolResult, call: &HookCall, knowledge: &dyn Knowledge, world: &dyn World) -> Origin {
    if result.own {
        return Origin::Trusted;
    }
    match &*result.of {
        Action::Subagent { .. } => Origin::Trusted,
        Action::FileWrite { .. } | Action::FileEdit { .. } | Action::FileDelete { .. } | Action::Patch { .. } => {
            Origin::Local
        }
        Action::FileRead { .. } | Action::Shell(_) => {
            let of = HookCall { action: (*result.of).clone(), ..call.clone() };
            of_analysis(&analyse(&of, knowledge, world))
        }
        Action::WebFetch { .. }
        | Action::WebSearch { .. }
        | Action::McpCall { .. }
        | Action::Prompt { .. }
        | Action::ToolResult(_)
        | Action::Output { .. }
        | Action::Other { .. } => Origin::Outside,
    }
}

fn of_analysis(analysis: &Analysis) -> Origin {
    let reads: Vec<&PathUse> = analysis
        .effects
        .iter()
        .filter(|effect| effect.kind == EffectKind::Read)
        .filter_map(|effect| match &effect.target {
            Some(Target::Path(path)) => Some(path),
            Some(Target::Url { .. } | Target::Host { .. } | Target::Sql { .. } | Target::Resource { .. }) | None => {
                None
            }
        })
        .collect();
    let reaches_out = analysis.effects.iter().any(|effect| {
        effect.kind == EffectKind::Network || effect.kind == EffectKind::Database || effect.place != Place::Local
    });
    let is_relay = analysis.invocations.iter().any(|it| {
        let own = it.subcommand.first().is_some_and(|word| OWN_NEWS.contains(&word.as_str()));
        !it.known || RELAYS.contains(&it.program.as_str()) && !own
    });
    let all_plain = !reaches_out && !is_relay && analysis.unknowns.is_empty();
    match (all_plain, reads.is_empty()) {
        (true, true) => Origin::Local,
        (true, false) if reads.iter().all(|path| is_for_agents(path)) => Origin::Trusted,
        (true, false) | (false, _) => Origin::Outside,
    }
}

/// A file of instructions in the project or the home folder, none of others' code.
fn is_for_agents(path: &PathUse) -> bool {
    let text = path.resolved.as_ref().unwrap_or(&path.written).replace('\\', "/").to_ascii_lowercase();
    let name = text.rsplit('/').next().unwrap_or_default();
    let named = INSTRUCTION_FILES.contains(&name) || path.classes.contains(&PathClass::AgentConfig);
    let own = path.classes.iter().any(|class| matches!(class, PathClass::Project | PathClass::Home));
    named && own && !path.unknown && !path.glob && !OTHERS.iter().any(|folder| text.contains(folder))
}
