//! `fourseam judge`: asks the policy's judge about one action, whatever the rules say, and shows the probabilities, what
//! they mean by the thresholds, and what the hook would answer.

use crate::consult::{Consulted, Court, consult_about};
use crate::engine::Engine;
use crate::exit::{Failure, Outcome};
use crate::home::Home;
use crate::show;
use crate::world::Machine;
use fourseam_core::action::{Action, HookCall};
use fourseam_core::judge::{Answer, JudgeNote, Kind, wanted};
use fourseam_core::policy::Case;
use fourseam_core::verdict::{Opinion, Verdict};
use serde_json::{Value, json};
use std::io::{self, Read, Write};

/// Arguments of `judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The command line to ask about
    #[arg(required_unless_present_any = ["edit", "mcp"], allow_hyphen_values = true)]
    command: Option<String>,
    /// Ask about writing this file; its new content on standard input
    #[arg(long, value_name = "PATH", conflicts_with_all = ["command", "mcp"])]
    edit: Option<String>,
    /// Ask about a call of an MCP tool: `SERVER.TOOL` and its arguments as JSON
    #[arg(long, num_args = 1..=2, value_names = ["TOOL", "JSON"], conflicts_with = "command")]
    mcp: Option<Vec<String>>,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Asks and prints.
pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let cwd = std::env::current_dir()?.to_string_lossy().into_owned();
    let engine = Engine::by_hand(Some(&cwd))?;
    let settings = engine.judge().ok_or_else(|| {
        Failure::new("the policy has no judge").help(
            "set `judge: { backend: openai, model: NAME, url: http://127.0.0.1:11434/v1 }` in ~/.fourseam/policy.yaml",
        )
    })?;
    let (label, call) = action(args, cwd)?;
    let kind = Kind::of(&call.action).ok_or_else(|| Failure::new("a judge is not asked about this kind of action"))?;
    let decided = engine.decide(&call, &Machine::default());
    let asked = wanted(&call, &decided, settings).is_some();
    let home = Home::of_environment();
    let court = Court::new(home.as_ref(), settings, &engine, call.cwd.as_deref());
    let consulted = consult_about(&court, kind, &call, &decided)
        .ok_or_else(|| Failure::new("this build has no questions for a judge"))?;
    let Consulted { note, opinion } = consulted;
    let verdict = decided.draft.settle(opinion.clone().filter(|_| asked));
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", as_json(&note, opinion.as_ref(), asked, &verdict))?;
    } else {
        print(&mut out, &note, opinion.as_ref(), asked)?;
        show::verdict(&mut out, &label, &verdict)?;
    }
    Ok(if note.trouble.is_some() { Outcome::Failed } else { Outcome::Done })
}

fn action(args: &Args, cwd: String) -> Result<(String, HookCall), Failure> {
    let mut case = Case::of_command(args.command.as_deref().unwrap_or_default(), Default::default(), Some(cwd));
    if let Some(path) = &args.edit {
        let mut content = String::new();
        io::stdin().lock().read_to_string(&mut content)?;
        case.call.action = Action::FileWrite { path: path.clone(), content };
        case.label = format!("write {path}");
    }
    if let Some([tool, rest @ ..]) = args.mcp.as_deref() {
        let (server, name) = tool.split_once('.').ok_or_else(|| {
            Failure::new(format!("`{tool}` is not of the form SERVER.TOOL"))
                .help("for instance `--mcp github.create_issue '{}'`")
        })?;
        let text = rest.first().map_or("{}", String::as_str);
        let arguments = serde_json::from_str(text)
            .map_err(|error| Failure::new(format!("the arguments of `{tool}` are not JSON: {error}")))?;
        case.call.action = Action::McpCall { server: server.to_owned(), tool: name.to_owned(), arguments };
        case.label = format!("mcp {tool} {text}");
    }
    Ok((case.label, case.call))
}

fn as_json(note: &JudgeNote, opinion: Option<&Opinion>, asked: bool, verdict: &Verdict) -> Value {
    json!({
        "judge": note,
        "opinion": opinion.map(|opinion| json!({ "decision": opinion.reason.decision, "message": opinion.reason.message })),
        "asked_by_hook": asked,
        "verdict": verdict,
    })
}

fn print(out: &mut dyn Write, note: &JudgeNote, opinion: Option<&Opinion>, asked: bool) -> io::Result<()> {
    let how = if note.cached { "from the cache".to_owned() } else { format!("{} ms", note.micros / 1000) };
    writeln!(out, "judge {} ({how})", note.model)?;
    if let Some(trouble) = &note.trouble {
        writeln!(out, "  failed: {trouble}")?;
    }
    if let Some(Answer { classes, risks }) = &note.answer {
        for (id, likely) in classes.iter().chain(risks) {
            writeln!(out, "  {likely:.2}  {}", id.replace('_', " "))?;
        }
    }
    match opinion {
        Some(opinion) => writeln!(out, "opinion: {} - {}", opinion.reason.decision.word(), opinion.reason.message)?,
        None => writeln!(out, "opinion: none")?,
    }
    if !asked {
        writeln!(out, "the rules leave no question here: in a hook the judge would not be asked")?;
    }
    Ok(())
}
