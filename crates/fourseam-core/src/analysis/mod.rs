//! What an action does: commands, effects on resolved targets, unknowns. Describes; the policy decides.

mod acts;
mod analyst;
mod call;
mod effect;
mod effects;
mod environment;
mod files;
mod flow;
mod matching;
mod mcp;
mod nested;
mod origin;
mod outputs;
mod path;
mod paths;
mod program;
mod prompt;
mod reading;
mod scripts;
mod sources;
mod tasks;
mod url;
mod walk;
mod written;

pub use effect::*;
pub use origin::Origin;
pub use program::*;

use crate::action::{Action, Dialect, HookCall, Shell, ToolResult};
use crate::code::Language;
use crate::detect::{self, Part};
use crate::spelling::Translated;
use crate::world::World;
use analyst::{Analyst, Context};

/// Says what an action does. Total: what is not understood comes back as an unknown.
#[must_use]
pub fn analyse(call: &HookCall, knowledge: &dyn Knowledge, world: &dyn World) -> Analysis {
    analyse_as(call, knowledge, world, Looks::default())
}

/// In which results instructions are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looks {
    /// Also in those of commands that work in the project alone.
    pub local: bool,
    /// Not in texts shorter than this many bytes.
    pub least: u32,
}

/// As [`analyse`], where the policy says in which results to look.
#[must_use]
pub fn analyse_as(call: &HookCall, knowledge: &dyn Knowledge, world: &dyn World, looks: Looks) -> Analysis {
    let own = match &call.action {
        Action::Shell(shell) => shell.cwd.as_deref(),
        _ => None,
    };
    let cwd = own.or(call.cwd.as_deref());
    let world = &Translated::new(world, cwd);
    let cwd = cwd.map(|cwd| world.spelling.plain(cwd));
    let cwd = cwd.as_deref();
    let mut analyst = Analyst::new(cwd, knowledge, world, world.spelling);
    match &call.action {
        Action::Shell(shell) => command_line(&mut analyst, shell, cwd),
        Action::FileRead { path } => analyst.tool_file(EffectKind::Read, "read", path, cwd),
        Action::FileWrite { path, content } => {
            analyst.tool_write(path, cwd);
            analyst.content(path, content, cwd);
            analyst.replaced(path, content, cwd);
        }
        Action::FileEdit { path, edits } => {
            analyst.tool_file(EffectKind::Overwrite, "edit", path, cwd);
            analyst.edits(path, edits, cwd);
        }
        Action::FileDelete { path } => analyst.tool_file(EffectKind::Delete, "delete", path, cwd),
        Action::Patch { operations, incomplete } => {
            analyst.patch(operations, cwd);
            if *incomplete {
                analyst.unknown(UnknownClass::Unparsed, "patch", None);
            }
        }
        Action::WebFetch { urls, .. } => urls.iter().for_each(|url| analyst.fetch(url)),
        Action::WebSearch { query } => analyst.out.findings = url::text_findings(query),
        Action::McpCall { server, tool, arguments } => analyst.mcp(server, tool, arguments, cwd),
        Action::Subagent { prompt, .. } => analyst.out.findings = detect::scan(Part::ToolOutput, prompt),
        Action::Prompt { text } => analyst.prompt(text, cwd),
        Action::ToolResult(result) => {
            let origin = origin::of(result, call, knowledge, world);
            analyst.out.origin = Some(origin);
            analyst.out.findings = detect::scan(part_of(result, origin, looks), &result.text);
        }
        Action::Output { text } => analyst.out.findings = detect::scan(Part::FinalAnswer, text),
        Action::Other { .. } => {}
    }
    analyst.note_carried();
    analyst.out
}

/// What a result is to the detectors. Secrets and hidden characters are looked for in every one.
fn part_of(result: &ToolResult, origin: Origin, looks: Looks) -> Part {
    let is_long = result.text.len() >= looks.least as usize;
    match origin {
        Origin::Outside if is_long => Part::ToolOutput,
        Origin::Local if is_long && looks.local => Part::ToolOutput,
        Origin::Trusted | Origin::Local | Origin::Outside => Part::OwnOutput,
    }
}

fn command_line(analyst: &mut Analyst<'_>, shell: &Shell, cwd: Option<&str>) {
    let context = Context::default();
    let scope = analyst.scope(&shell.command, cwd);
    match shell.dialect {
        Dialect::Posix => {
            analyst.text(&shell.command, &scope, &context);
            for (path, text) in analyst.changes.texts() {
                analyst.content(&path, &text, cwd);
            }
        }
        Dialect::PowerShell => analyst.code_line(Language::PowerShell, &shell.command, scope),
        Dialect::Cmd => analyst.code_line(Language::Cmd, &shell.command, scope),
    }
}
