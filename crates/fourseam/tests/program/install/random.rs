//! Machines with random files of every agent, in both scopes, some of them links: installed twice, told rules of their own,
//! uninstalled, they are as they were.

use super::{CODEX, Machine, assert_same, link_elsewhere};
use crate::settings::{hosts, settings_of};
use fourseam_hosts::find;
use fourseam_hosts::install::Scope;
use proptest::prelude::*;

/// The files of one machine: host, scope, text, whether it is a link.
type Files = Vec<(&'static str, bool, String, bool)>;

fn files() -> impl Strategy<Value = Files> {
    let of_host = |host: &'static str| {
        let one = (settings_of(host), proptest::bool::weighted(0.3), proptest::bool::weighted(0.8));
        proptest::collection::vec(one, 2).prop_map(move |scopes| {
            let named = scopes.into_iter().enumerate();
            let there = named.filter(|(_, (_, _, there))| *there);
            there.map(|(at, (text, link, _))| (host, at == 0, text, link)).collect::<Vec<_>>()
        })
    };
    let all: Vec<_> = hosts().into_iter().map(of_host).collect();
    all.prop_map(|all| all.into_iter().flatten().collect())
}

fn machine(files: &Files) -> Machine {
    let machine = Machine::new();
    for (host, user, text, link) in files {
        let scope = if *user { Scope::User } else { Scope::Project };
        let path = machine.file(find(host).unwrap(), scope);
        machine.write(&path, text);
        if *link {
            link_elsewhere(&machine, &path);
        }
    }
    machine.program("codex", CODEX);
    machine
}

proptest! {
    // A case runs the program five times or six, so there are fewer than elsewhere.
    #![proptest_config(ProptestConfig {
        cases: (ProptestConfig::default().cases / 64).max(1), max_shrink_iters: 8, ..ProptestConfig::default()
    })]

    #[test]
    fn any_machine_is_as_it_was(files in files(), native in proptest::bool::weighted(0.2)) {
        let machine = machine(&files);
        let before = machine.snapshot();
        for scope in ["user", "project"] {
            let install = ["install", "--all", "--yes", "--scope", scope];
            machine.done(&install);
            let once = machine.snapshot();
            machine.done(&install);
            assert_same(&once, &machine.snapshot(), "twice");
        }
        if native {
            machine.done(&["native", "--host", "claude,codex,gemini,qwen", "--write"]);
        }
        machine.done(&["uninstall", "--yes"]);
        assert_same(&before, &machine.snapshot(), "uninstalled");
    }
}
