//! `fourseam scan`: what the detectors find in a text, as if a tool had given it back; with a judge in the policy, also how
//! probable an injection is.

use crate::consult::{Court, consult_about};
use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::show;
use fourseam_core::Decided;
use fourseam_core::action::{Action, Dialect, HookCall, Point, ToolResult};
use fourseam_core::analysis::Finding;
use fourseam_core::detect::{self, Part};
use fourseam_core::judge::{JudgeNote, Kind};
use fourseam_core::policy::Case;
use serde_json::{Value, json};
use std::io::{self, Read, Write};

/// Largest text that is read.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Arguments of `scan`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Ask no judge, even if the policy has one
    #[arg(long)]
    no_judge: bool,
}

/// Scans standard input. Exit code 1 when something was found.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LARGEST).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let findings = detect::scan(Part::ToolOutput, &text);
    let note = if args.no_judge { None } else { ask(&text)? };
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{}",
            json!({ "findings": findings, "judge": note, "p_injection": note.as_ref().map(injection) })
        )?;
    } else {
        print(&mut out, &text, &findings, note.as_ref())?;
    }
    Ok(match (&note, findings.is_empty()) {
        (Some(note), _) if note.trouble.is_some() => Outcome::Failed,
        (_, true) => Outcome::Done,
        (_, false) => Outcome::Warnings,
    })
}

/// What the judge of the policy says; nothing without one.
fn ask(text: &str) -> Result<Option<JudgeNote>, Failure> {
    let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
    let engine = Engine::by_hand(Some(&cwd))?;
    let Some(settings) = engine.judge() else { return Ok(None) };
    let home = Home::of_environment();
    let call = result(text, cwd);
    let analysis =
        fourseam_core::analysis::analyse(&call, fourseam_packs::knowledge(), &crate::world::Machine::default());
    let decided = Decided { draft: Default::default(), analysis };
    let court = Court::new(home.as_ref(), settings, &engine, call.cwd.as_deref());
    Ok(consult_about(&court, Kind::Result, &call, &decided).map(|consulted| consulted.note))
}

/// A text as the result of a command.
fn result(text: &str, cwd: String) -> HookCall {
    let mut call = Case::of_command("", Dialect::Posix, Some(cwd)).call;
    call.point = Some(Point::ToolResult);
    let of = Box::new(std::mem::replace(&mut call.action, Action::Output { text: String::new() }));
    call.action =
        Action::ToolResult(ToolResult { of, text: text.to_owned(), raw: Value::Null, failed: false, own: false });
    call
}

fn injection(note: &JudgeNote) -> Option<f64> {
    note.answer.as_ref().map(|answer| answer.risk("injection"))
}

fn print(out: &mut dyn Write, text: &str, findings: &[Finding], note: Option<&JudgeNote>) -> io::Result<()> {
    for finding in findings {
        let line =
            1 + text.bytes().take(usize::try_from(finding.span.0).unwrap_or(0)).filter(|byte| *byte == b'\n').count();
        let Finding { detector, confidence, message, .. } = finding;
        writeln!(out, "line {line}  {detector}  {confidence:.2}  {}", show::one_line(message))?;
    }
    if findings.is_empty() {
        writeln!(out, "nothing found")?;
    }
    match note {
        None => Ok(()),
        Some(JudgeNote { trouble: Some(trouble), .. }) => writeln!(out, "judge failed: {trouble}"),
        Some(note) => writeln!(out, "judge {}: injection {:.2}", note.model, injection(note).unwrap_or(0.5)),
    }
}
