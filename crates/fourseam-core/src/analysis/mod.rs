//! What an action does: commands, effects on resolved targets, unknowns. Describes; the policy decides.

mod analyst;
mod call;
mod effect;
mod effects;
mod files;
mod flow;
mod matching;
mod nested;
mod path;
mod program;
mod reading;
mod scripts;
mod sources;
mod tasks;
mod walk;

pub use effect::*;
pub use program::*;

use crate::action::{Action, Dialect, HookCall, Shell};
use crate::code::Language;
use crate::world::World;
use analyst::{Analyst, Context};

/// Says what an action does. Total: what is not understood comes back as an unknown.
#[must_use]
pub fn analyse(call: &HookCall, knowledge: &dyn Knowledge, world: &dyn World) -> Analysis {
    let own = match &call.action {
        Action::Shell(shell) => shell.cwd.as_deref(),
        _ => None,
    };
    let cwd = own.or(call.cwd.as_deref());
    let mut analyst = Analyst::new(cwd, knowledge, world);
    match &call.action {
        Action::Shell(shell) => command_line(&mut analyst, shell, cwd),
        Action::FileRead { path } => analyst.tool_file(EffectKind::Read, "read", path, cwd),
        Action::FileWrite { path, .. } => analyst.tool_write(path, cwd),
        Action::FileEdit { path, .. } => analyst.tool_file(EffectKind::Overwrite, "edit", path, cwd),
        Action::FileDelete { path } => analyst.tool_file(EffectKind::Delete, "delete", path, cwd),
        Action::Patch { operations, incomplete } => {
            analyst.patch(operations, cwd);
            if *incomplete {
                analyst.unknown(UnknownClass::Unparsed, "patch", None);
            }
        }
        Action::WebFetch { urls, .. } => urls.iter().for_each(|url| analyst.fetch(url)),
        Action::WebSearch { .. }
        | Action::McpCall { .. }
        | Action::Subagent { .. }
        | Action::Prompt { .. }
        | Action::ToolResult(_)
        | Action::Output { .. }
        | Action::Other { .. } => {}
    }
    analyst.out
}

fn command_line(analyst: &mut Analyst<'_>, shell: &Shell, cwd: Option<&str>) {
    let context = Context::default();
    let scope = analyst.scope(&shell.command, cwd);
    match shell.dialect {
        Dialect::Posix => {
            analyst.text(&shell.command, &scope, &context);
        }
        Dialect::PowerShell => analyst.code_line(Language::PowerShell, &shell.command, scope),
        Dialect::Cmd => analyst.code_line(Language::Cmd, &shell.command, scope),
    }
}
