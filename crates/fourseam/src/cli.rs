//! The command line for people. One arm a verb; what a verb does stands in `command/<verb>.rs`.

use crate::command;
use crate::exit::{Failure, Outcome};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// One policy in front of every coding agent.
#[derive(Parser)]
#[command(name = "fourseam", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Let one refused action pass, once (a person at a terminal only)
    AllowOnce(command::allow_once::Args),
    /// Check the audit log, and print its end to keep elsewhere
    Audit(command::audit::Args),
    /// Show what a policy, or other thresholds of the judge, would have done to the log
    Calibrate(command::calibrate::Args),
    /// Say what the policy thinks of a command
    Check(command::check::Args),
    /// Show one dangerous command in every agent's own words, with nothing installed
    Demo(command::demo::Args),
    /// Say whether every agent on this machine is live, and what mends it if not
    Doctor(command::doctor::Args),
    /// Show what a command would do: commands, effects, unknowns
    Explain(command::explain::Args),
    /// Answer one hook call of an agent (called by the agent: JSON on standard input)
    Hook(command::hook::Args),
    /// Write a starter policy
    Init(command::init::Args),
    /// Wire the agents on this machine
    Install(command::install::Args),
    /// Ask the policy's judge about a command, an edit or a call of an MCP tool
    Judge(command::judge::Args),
    /// Say what is wrong or odd about a policy
    Lint(command::lint::Args),
    /// Show what was recorded: calls, decisions, rules
    Log(command::log::Args),
    /// Show or switch how much agents are told (a person at a terminal only)
    Mode(command::mode::Args),
    /// Show what of the policy agents can be told in their own rules, or write it
    Native(command::native::Args),
    /// Tell agents nothing for a while (a person at a terminal only)
    Pause(command::pause::Args),
    /// Show the policy in force, or the schema of policy files
    Policy(command::policy::Args),
    /// Run the agents of this machine against a scripted model, and say where the guard holds
    #[cfg(feature = "prove")]
    Prove(command::prove::Args),
    /// Show what the policy would have said to past sessions
    Replay(command::replay::Args),
    /// Count what happened: by agent, tool and rule, as text, JSON or a page
    Report(command::report::Args),
    /// List the rules, or show a rule or a pack
    Rule(command::rule::Args),
    /// Look for secrets, hidden characters and instructions in a text (standard input)
    Scan(command::scan::Args),
    /// Show which agents are wired, and the mode
    Status(command::status::Args),
    /// Propose narrow rules for what you let run again and again
    Suggest(command::suggest::Args),
    /// Run the cases of rules
    Test(command::test::Args),
    /// Let a project's policy do more than add rules (a person at a terminal only)
    Trust(command::trust::Args),
    /// Take the wiring out of agents, and fourseam off this machine
    Uninstall(command::uninstall::Args),
}

impl Verb {
    fn run(self) -> Result<Outcome, Failure> {
        match self {
            Self::AllowOnce(args) => command::allow_once::run(&args),
            Self::Audit(args) => command::audit::run(&args),
            Self::Calibrate(args) => command::calibrate::run(&args),
            Self::Check(args) => command::check::run(&args),
            Self::Demo(args) => command::demo::run(&args),
            Self::Doctor(args) => command::doctor::run(&args),
            Self::Explain(args) => command::explain::run(&args),
            Self::Hook(args) => Ok(command::hook::explain_use(&args)),
            Self::Init(args) => command::init::run(&args),
            Self::Install(args) => command::install::run(&args),
            Self::Judge(args) => command::judge::run(&args),
            Self::Lint(args) => command::lint::run(&args),
            Self::Log(args) => command::log::run(&args),
            Self::Mode(args) => command::mode::run(&args),
            Self::Native(args) => command::native::run(&args),
            Self::Pause(args) => command::pause::run(&args),
            Self::Policy(args) => command::policy::run(&args),
            #[cfg(feature = "prove")]
            Self::Prove(args) => command::prove::run(&args),
            Self::Replay(args) => command::replay::run(&args),
            Self::Report(args) => command::report::run(&args),
            Self::Rule(args) => command::rule::run(&args),
            Self::Scan(args) => command::scan::run(&args),
            Self::Status(args) => command::status::run(&args),
            Self::Suggest(args) => command::suggest::run(&args),
            Self::Test(args) => command::test::run(&args),
            Self::Trust(args) => command::trust::run(&args),
            Self::Uninstall(args) => command::uninstall::run(&args),
        }
    }
}

/// Reads the command line, runs the verb, says what went wrong.
pub(crate) fn run() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => cli.verb.run(),
        // `--help` and `--version` are "errors" of the parser that succeed.
        Err(error) => {
            let failed = error.use_stderr();
            let _ = error.print();
            Ok(if failed { Outcome::Failed } else { Outcome::Done })
        }
    };
    outcome.unwrap_or_else(|failure| failure.tell()).code()
}
