//! What `install` does to the files of a machine, and that `uninstall` undoes it byte for byte.

use super::{CODEX, Machine, assert_same, link_elsewhere, usual};
use crate::run::run;
use fourseam_hosts::install::Scope;
use fourseam_hosts::{HOSTS, Host};
use std::os::unix::fs::PermissionsExt;

/// A way to write a file, and its name.
type Manner = (&'static str, fn(String) -> String);

/// Ways in which a file may be written.
const MANNERS: &[Manner] = &[
    ("as it is", |text| text),
    ("carriage returns", |text| text.replace('\n', "\r\n")),
    ("byte order mark", |text| format!("\u{feff}{text}")),
    ("no last line break", |text| text.trim_end().to_owned()),
    ("comments and trailing commas", |text| {
        format!("// mine\n{}", text.replacen('{', "{ // here, } too\n", 1).replace("2e3]", "2e3, ]"))
    }),
    ("tabs", |text| text.replace("  ", "\t")),
    ("one line", |text| text.split_whitespace().collect::<Vec<_>>().join(" ")),
    ("empty object", |_| "{}".to_owned()),
    ("empty", |_| String::new()),
    ("hooks empty", |_| "{\n    \"hooks\": {}\n}\n".to_owned()),
];

#[test]
fn installed_twice_and_uninstalled_a_machine_is_as_it_was() {
    for (label, manner) in MANNERS {
        let machine = Machine::with(|host| usual(host).map(manner));
        for host in HOSTS {
            if let Some(text) = usual(*host) {
                machine.write(&machine.file(*host, Scope::Project), &manner(text));
            }
        }
        machine.write(&machine.home().join(".codex/config.toml"), "model = \"x\" # mine\r\n\r\n[a]\r\nb = 1");
        let claude = machine.file(HOSTS[0], Scope::User);
        std::fs::set_permissions(&claude, std::fs::Permissions::from_mode(0o600)).unwrap();
        link_elsewhere(&machine, &claude);
        machine.program("codex", CODEX);
        let before = machine.snapshot();
        for scope in ["user", "project"] {
            machine.done(&["install", "--all", "--yes", "--scope", scope]);
            let once = machine.snapshot();
            assert_ne!(before, once, "{label}");
            machine.done(&["install", "--all", "--yes", "--scope", scope]);
            assert_same(&once, &machine.snapshot(), &format!("{label}, {scope}, twice"));
        }
        machine.done(&["uninstall", "--yes"]);
        assert_same(&before, &machine.snapshot(), label);
    }
}

#[test]
fn on_a_bare_machine_nothing_is_left_behind() {
    let machine = Machine::new();
    let before = machine.snapshot();
    let told = machine.done(&["install", "--all", "--yes"]);
    for host in HOSTS {
        assert!(told.contains(&format!("{}: wired", host.title())), "{told}");
        let text = machine.text(*host);
        assert!(text.contains(machine.exe().to_str().unwrap()), "{text}");
    }
    assert_eq!(std::fs::read_to_string(machine.home().join(".fourseam/state")).unwrap(), "guard\nask\n");
    assert_eq!(machine.run(&["status"]).exit, 0);
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "bare");
}

#[test]
fn each_agent_is_told_the_human_step_that_is_left() {
    let machine = Machine::with(usual);
    let told = machine.done(&["install", "--all", "--yes"]);
    let of = |host: &dyn Host| {
        let start = told.find(&format!("{}: wired", host.title())).unwrap();
        told.get(start..)
            .unwrap()
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with(' '))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for host in HOSTS {
        let said = of(*host);
        assert_eq!(said.contains("started anew"), host.install().restart(), "{said}");
        for step in host.install().steps(Scope::User) {
            assert!(said.contains(step), "{}: {said}", host.id());
        }
    }
}

#[test]
fn only_agents_that_are_there_are_wired_unless_all_are_asked_for() {
    let machine = Machine::new();
    let output = machine.run(&["install", "--yes"]);
    assert_eq!(output.exit, 3);
    assert!(output.stderr.contains("no agent was found") && output.stderr.contains("--host"), "{output:?}");
    machine.program("qwen", "exit 0");
    std::fs::create_dir(machine.home().join(".cursor")).unwrap();
    machine.done(&["install", "--yes"]);
    let wired: Vec<&str> =
        HOSTS.iter().filter(|host| machine.file(**host, Scope::User).exists()).map(|host| host.id()).collect();
    assert_eq!(wired, ["cursor", "qwen-code"]);
    machine.done(&["install", "--yes", "--host", "claude,codex"]);
    assert!(machine.file(HOSTS[0], Scope::User).exists() && machine.file(HOSTS[1], Scope::User).exists());
    let output = machine.run(&["install", "--yes", "--host", "clippy"]);
    assert!(output.exit == 3 && output.stderr.contains("unknown host `clippy`"), "{output:?}");
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    let shown = machine.done(&["install", "--all", "--dry-run"]);
    assert_same(&before, &machine.snapshot(), "dry run");
    for host in HOSTS {
        assert!(shown.contains(machine.file(*host, Scope::User).to_str().unwrap()), "{shown}");
    }
    assert!(shown.contains("+ ") && shown.contains("new file ") && !shown.contains('\u{1b}'), "{shown}");
    machine.done(&["install", "--all", "--yes"]);
    let installed = machine.snapshot();
    let shown = machine.done(&["uninstall", "--dry-run"]);
    assert!(shown.contains("- ") && shown.contains("goes away: "), "{shown}");
    assert_same(&installed, &machine.snapshot(), "dry run of uninstall");
}

#[test]
fn a_file_that_cannot_be_parsed_is_left_alone_and_the_others_are_wired() {
    let machine = Machine::with(usual);
    let (claude, gemini) = (machine.file(HOSTS[0], Scope::User), machine.home().join(".gemini/settings.json"));
    machine.write(&claude, "{\n  \"model\": \"x\",\n  \"hooks\": {,}\n}\n");
    std::fs::write(&gemini, b"{ \"a\": \"\xff\" }").unwrap();
    let before = machine.snapshot();
    let output = machine.run(&["install", "--all", "--yes"]);
    assert_eq!(output.exit, 3);
    assert!(output.stdout.contains(&format!("`{}`: line 3, column 13: ", claude.display())), "{output:?}");
    assert!(output.stdout.contains("not UTF-8 text; it is left alone"), "{output:?}");
    assert!(output.stdout.contains("Qwen Code: wired"), "{output:?}");
    for path in [&claude, &gemini] {
        assert_eq!(std::fs::read(path).unwrap(), before[path].1);
    }
    assert_eq!(machine.run(&["status"]).exit, 1);
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "broken files");
}

#[test]
fn what_others_change_after_install_stays_after_uninstall() {
    let machine = Machine::with(usual);
    machine.done(&["install", "--all", "--yes"]);
    for host in HOSTS.iter().filter(|host| host.id() != "opencode") {
        let file = machine.file(*host, Scope::User);
        let changed = machine.text(*host).replace("lint", "format").replacen('{', "{\n  \"added\": true,", 1);
        std::fs::write(&file, changed).unwrap();
    }
    machine.done(&["uninstall", "--yes"]);
    for host in HOSTS.iter().filter(|host| host.id() != "opencode") {
        let want = usual(*host).unwrap().replace("lint", "format").replacen('{', "{\n  \"added\": true,", 1);
        assert_eq!(machine.text(*host), want, "{}", host.id());
    }
    // The bytes of before are still there to look at.
    assert!(std::fs::read_dir(machine.home().join(".fourseam/backups")).unwrap().count() >= 6);
    machine.done(&["uninstall", "--yes", "--purge"]);
    assert!(!machine.home().join(".fourseam").exists());
}

#[test]
fn a_program_that_moved_changes_our_entries_alone() {
    let machine = Machine::with(usual);
    machine.done(&["install", "--all", "--yes"]);
    let claude = HOSTS[0];
    let file = machine.file(claude, Scope::User);
    std::fs::write(&file, machine.text(claude).replace("dark", "light")).unwrap();
    let moved = machine.home().join(".cargo/bin/fourseam");
    std::fs::create_dir_all(moved.parent().unwrap()).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_fourseam"), &moved).unwrap();
    assert_eq!(run(&mut machine.verb_of(&moved, &["status"]), b"").exit, 1);
    assert_eq!(run(&mut machine.verb_of(&moved, &["install", "--all", "--yes"]), b"").exit, 0);
    for host in HOSTS {
        let text = machine.text(*host);
        assert!(text.contains(moved.to_str().unwrap()), "{}: {text}", host.id());
        assert!(!text.contains(machine.exe().to_str().unwrap()), "{}: {text}", host.id());
    }
    assert_eq!(run(&mut machine.verb_of(&moved, &["uninstall", "--yes"]), b"").exit, 0);
    assert_eq!(machine.text(claude), usual(claude).unwrap().replace("dark", "light"));
    assert_eq!(machine.text(HOSTS[4]), usual(HOSTS[4]).unwrap());
    assert!(moved.exists(), "what install did not make stays");
}

#[test]
fn codex_is_asked_for_its_hashes_and_trusts_us_until_we_go() {
    let machine = Machine::with(usual);
    let config = machine.home().join(".codex/config.toml");
    machine.program("codex", CODEX);
    let before = machine.snapshot();
    let told = machine.done(&["install", "--yes", "--host", "codex"]);
    assert!(!told.contains("left to do"), "{told}");
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(
        text.contains("trusted_hash = \"sha256:aa\"") && text.contains(".codex/hooks.json:pre_tool_use:0:0"),
        "{text}"
    );
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "codex");
    // What does not answer is said, with the step that is then left.
    machine.program("codex", "exit 0");
    let output = machine.run(&["install", "--yes", "--host", "codex"]);
    assert_eq!(output.exit, 3);
    assert!(output.stdout.contains("Codex CLI: wired") && output.stdout.contains("error: Codex"), "{output:?}");
    assert!(output.stdout.contains("left to do: trust the hooks"), "{output:?}");
}

#[test]
fn places_that_others_can_write_to_are_refused() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    let output =
        run(machine.verb(&["install", "--all", "--yes"]).env("FOURSEAM_HOME", machine.project().join("x")), b"");
    assert!(output.exit == 3 && output.stderr.contains("is inside this project"), "{output:?}");
    let output = run(machine.verb(&["install", "--yes", "--scope", "project"]).current_dir(machine.home()), b"");
    assert!(output.exit == 3 && output.stderr.contains("is your home folder, not a project"), "{output:?}");
    let output = run(
        machine.verb(&["install", "--all", "--yes"]).env("HOME", "/nonexistent").env("FOURSEAM_HOME", "/tmp/x"),
        b"",
    );
    assert!(output.exit == 3 && output.stderr.contains("is in a temporary folder"), "{output:?}");
    assert_same(&before, &machine.snapshot(), "refused");
}

#[test]
fn the_agents_own_variables_move_its_folder() {
    let machine = Machine::new();
    let moved = machine.home().join("elsewhere");
    let mut install = machine.verb(&["install", "--yes", "--host", "claude-code"]);
    assert_eq!(run(install.env("CLAUDE_CONFIG_DIR", &moved), b"").exit, 0);
    assert!(moved.join("settings.json").exists() && !machine.home().join(".claude").exists());
    // The ledger knows where, also where the variable is not set any more.
    machine.done(&["uninstall", "--yes"]);
    assert!(!moved.exists());
}
