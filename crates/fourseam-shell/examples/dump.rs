//! Prints what is read of each argument: for looking at, not for machines.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![allow(clippy::print_stdout, reason = "prints")]

use fourseam_shell::{Scope, parse};

fn main() {
    for text in std::env::args().skip(1) {
        let scope = Scope::default().with_cwd("/home/ana/project").with_variable("HOME", "/home/ana");
        let script = parse(&text, &scope);
        println!("== {text}");
        for (index, command) in script.commands.iter().enumerate() {
            let words: Vec<String> = command.words.iter().map(|word| format!("{:?}", word.text())).collect();
            println!(
                "  {index}: {} | {:?} cwd={:?} stdin={:?}",
                words.join(" "),
                command.inside,
                command.cwd.as_ref().map(|cwd| cwd.text()),
                command.stdin
            );
            for redirect in &command.redirects {
                println!("      {:?} {:?}", redirect.kind, redirect.target.text());
            }
            for assignment in &command.assignments {
                println!("      {}={:?}", assignment.name, assignment.value.text());
            }
        }
        for opaque in &script.opaque {
            println!("  opaque {opaque:?}");
        }
    }
}
