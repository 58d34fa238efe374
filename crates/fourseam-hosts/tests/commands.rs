//! The same command lines through every host's payload: the action must be the same, whoever calls.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use fourseam_core::action::{Action, Dialect};
use fourseam_hosts::HOSTS;

const COMMANDS: &str = include_str!("commands.txt");

#[test]
fn every_host_gives_the_same_action() {
    // A line is a command; `\n` in it is a line break.
    let commands: Vec<String> = COMMANDS.lines().map(|line| line.replace("\\n", "\n")).collect();
    assert!(commands.len() >= 40, "{}", commands.len());
    for command in &commands {
        for host in HOSTS {
            let call = host.parse(&host.sample(command), None).unwrap();
            let Action::Shell(shell) = &call.action else { unreachable!("{}: {:?}", host.id(), call.action) };
            assert_eq!(&shell.command, command, "{}", host.id());
            assert_eq!((shell.dialect, &shell.cwd, shell.background), (Dialect::Posix, &None, false), "{}", host.id());
            assert_eq!(call.cwd.as_deref(), Some("/home/ana/shop"), "{}", host.id());
        }
    }
}

#[test]
fn a_sample_is_claimed_by_its_host_alone() {
    for host in HOSTS {
        let sample = host.sample("ls");
        let claimed: Vec<&str> =
            HOSTS.iter().filter(|other| other.recognises(&sample)).map(|other| other.id()).collect();
        assert_eq!(claimed, [host.id()]);
        let call = host.parse(&sample, None).unwrap();
        assert_eq!(call.event, host.default_event().name);
    }
}
