//! What commands do: as they would run, what they were unwrapped from, effects with place and path class, data flows,
//! unknowns.

use super::{dim, one_line, painted, word_of};
use anstyle::{AnsiColor, Style};
use fourseam_core::analysis::{Analysis, Effect, Invocation, Place, Target, UnknownClass};
use std::io::{self, Write};

/// The commands with their effects, then effects of no command, findings and unknowns.
pub(crate) fn analysis(out: &mut dyn Write, analysis: &Analysis) -> io::Result<()> {
    for (number, invocation) in analysis.invocations.iter().enumerate() {
        writeln!(out, "  {}", invocation_line(invocation))?;
        let effects = analysis.effects.iter().filter(|effect| effect.invocation == Some(number));
        effects.map(effect_line).try_for_each(|line| writeln!(out, "      {line}"))?;
    }
    let loose = analysis.effects.iter().filter(|effect| effect.invocation.is_none());
    loose.map(effect_line).try_for_each(|line| writeln!(out, "  {line}"))?;
    for finding in &analysis.findings {
        writeln!(out, "  found {}: {}", finding.detector, one_line(&finding.message))?;
    }
    for unknown in &analysis.unknowns {
        let label = painted("unknown", Style::new().fg_color(Some(AnsiColor::Yellow.into())));
        writeln!(out, "  {label} {}: {}", unknown_reason(unknown.class), one_line(&unknown.text))?;
    }
    Ok(())
}

fn invocation_line(invocation: &Invocation) -> String {
    let mut notes = Vec::new();
    if !invocation.through.is_empty() {
        notes.push(format!("through {}", invocation.through.join(", ")));
    }
    match invocation.place {
        Place::Local => {}
        Place::Container | Place::Remote => notes.push(word_of(&invocation.place)),
    }
    if invocation.harmless {
        notes.push("changes nothing".to_owned());
    }
    if invocation.read_only {
        notes.push("only reads".to_owned());
    }
    if !invocation.known {
        notes.push("program not known".to_owned());
    }
    let notes = if notes.is_empty() { String::new() } else { format!("  ({})", notes.join("; ")) };
    let text = if invocation.text.is_empty() { dim("(code)") } else { one_line(&invocation.text) };
    format!("{text}{}", dim(&notes))
}

fn effect_line(effect: &Effect) -> String {
    let kind = painted(&word_of(&effect.kind), Style::new().bold());
    let verb = if effect.verb.is_empty() { String::new() } else { format!(" {}", effect.verb) };
    let deep = if effect.recursive { " and all below" } else { "" };
    let target = effect.target.as_ref().map(target).unwrap_or_default();
    let place = match effect.place {
        Place::Local => String::new(),
        Place::Container | Place::Remote => format!(" ({})", word_of(&effect.place)),
    };
    let taint: Vec<String> = effect.taint.iter().map(word_of).collect();
    let flows = if taint.is_empty() { String::new() } else { format!(" <- {}", taint.join(", ")) };
    format!("{kind}{verb}{target}{deep}{place}{flows}")
}

fn target(target: &Target) -> String {
    match target {
        Target::Path(path) => {
            let classes: Vec<String> = path.classes.iter().map(word_of).collect();
            let resolved = path.resolved.as_ref().filter(|resolved| **resolved != path.written);
            let resolved = resolved.map(|resolved| format!(" = {}", one_line(resolved))).unwrap_or_default();
            let restorable = if path.restorable == Some(true) { ", git can restore it" } else { "" };
            let unknown = if path.unknown { ", partly not known" } else { "" };
            let written = one_line(&path.written);
            format!(" {written}{resolved} {}", dim(&format!("[{}{restorable}{unknown}]", classes.join(", "))))
        }
        Target::Url { url } => format!(" {}", one_line(url)),
        Target::Host { host } => format!(" {}", one_line(host)),
        Target::Sql { class, text } => format!(" {}: {}", word_of(class), one_line(text)),
        Target::Resource { name } => format!(" {}", one_line(name)),
    }
}

fn unknown_reason(class: UnknownClass) -> &'static str {
    match class {
        UnknownClass::CommandWord => "which program runs",
        UnknownClass::DangerousArgument => "what a dangerous program is given",
        UnknownClass::ShellCode => "shell code",
        UnknownClass::DecodedCode => "decoded code",
        UnknownClass::Code => "code of another language",
        UnknownClass::ScriptFile => "a script that cannot be read",
        UnknownClass::Unparsed => "text that cannot be read",
        UnknownClass::Limit => "past a limit",
        UnknownClass::Program => "what a program does",
        UnknownClass::Typed => "what is typed later",
        UnknownClass::Subcommand => "subcommand",
    }
}
