//! The program: all input and output. What is decided, and why, is decided in `fourseam-core`.

mod again;
mod audit;
mod cli;
mod clock;
mod command;
mod consult;
mod digest;
mod doctor;
mod engine;
mod exit;
mod file;
mod grants;
mod history;
mod home;
mod hosts;
mod install;
mod json;
mod judge;
mod nets;
mod output;
mod person;
mod policy;
mod session;
mod shell_name;
mod show;
mod situation;
mod world;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // The hot path: a hook call is read by hand, since building the command line parser costs more than the call.
    if arguments.next().is_some_and(|verb| verb == "hook") {
        return command::hook::run(arguments);
    }
    cli::run()
}
