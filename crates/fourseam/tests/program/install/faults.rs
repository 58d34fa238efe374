//! Disks that are full or read-only, runs that are killed, and runs at the same time: a file of an agent is as it was or
//! as it is to be, never half.

use super::{CODEX, Machine, Snapshot, assert_same, usual};
use crate::run::run;
use fourseam_hosts::HOSTS;
use fourseam_hosts::install::Scope;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Every agent's file is one of these two states of it.
#[track_caller]
fn assert_whole(machine: &Machine, before: &Snapshot, installed: &Snapshot, label: &str) {
    for host in HOSTS {
        let file = machine.file(*host, Scope::User);
        let now = std::fs::read(&file).ok();
        let of = |snapshot: &Snapshot| snapshot.get(&file).map(|(_, bytes)| bytes.clone());
        assert!(now == of(before) || now == of(installed), "{label} {}: {now:?}", host.id());
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_run_that_is_killed_leaves_whole_files_and_the_next_one_goes_on() {
    // How often each point is passed.
    for point in ["copied", "half", "written", "renamed"] {
        let machine = Machine::with(usual);
        machine.program("codex", CODEX);
        let before = machine.snapshot();
        let mut command = machine.verb(&["install", "--all", "--yes"]);
        command.env("FOURSEAM_FAULT", format!("stop:{point}")).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "stopped\n");
        child.kill().unwrap();
        child.wait().unwrap();
        let killed = machine.snapshot();
        machine.done(&["install", "--all", "--yes"]);
        let installed = machine.snapshot();
        for (path, (_, bytes)) in &killed {
            let name = path.file_name().unwrap().to_str().unwrap();
            if before.contains_key(path) && !path.is_dir() {
                let whole =
                    [&before, &installed].iter().any(|snapshot| snapshot.get(path).is_some_and(|of| of.1 == *bytes));
                assert!(whole, "{point}: {}", path.display());
            }
            assert!(!name.contains(".fourseam-") || !installed.contains_key(path), "{point}: {name} is left behind");
        }
        assert_eq!(machine.run(&["status"]).exit, 0, "{point}");
        machine.done(&["uninstall", "--yes"]);
        assert_same(&before, &machine.snapshot(), point);
    }
}

#[cfg(debug_assertions)]
#[test]
fn an_uninstall_that_is_killed_is_finished_by_the_next_one() {
    for point in ["half", "written", "renamed"] {
        let machine = Machine::with(usual);
        let before = machine.snapshot();
        machine.done(&["install", "--all", "--yes"]);
        let installed = machine.snapshot();
        let mut command = machine.verb(&["uninstall", "--yes"]);
        command.env("FOURSEAM_FAULT", format!("stop:{point}")).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_whole(&machine, &before, &installed, point);
        machine.done(&["uninstall", "--yes"]);
        assert_same(&before, &machine.snapshot(), point);
    }
}

#[test]
fn runs_at_the_same_time_wait_for_each_other() {
    let machine = Machine::with(usual);
    machine.program("codex", CODEX);
    let before = machine.snapshot();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| machine.done(&["install", "--all", "--yes"]));
        }
    });
    assert_eq!(machine.run(&["status"]).exit, 0);
    for host in HOSTS {
        let text = machine.text(*host);
        let alone = Machine::with(usual);
        alone.done(&["install", "--yes", "--host", host.id()]);
        let (here, there) = (machine.home().to_str().unwrap(), alone.home().to_str().unwrap());
        assert_eq!(text.replace(here, "HOME"), alone.text(*host).replace(there, "HOME"), "{}", host.id());
    }
    std::thread::scope(|scope| {
        for verb in ["install", "uninstall", "install", "uninstall"] {
            let machine = &machine;
            scope.spawn(move || {
                let all = if verb == "install" { vec![verb, "--all", "--yes"] } else { vec![verb, "--yes"] };
                machine.done(&all);
            });
        }
    });
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "after all");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_nothing_is_lost() {
    let machine = Machine::with(usual);
    // Root may write everywhere: such a test runs as nobody, with a program that nobody can read.
    let exe = machine.home().join("program");
    std::fs::copy(env!("CARGO_BIN_EXE_fourseam"), &exe).unwrap();
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let root = machine.root.path();
    if is_root {
        let chown = Command::new("chown").args(["-R", "65534:65534"]).arg(root).status();
        assert!(chown.unwrap().success());
    }
    let claude = machine.file(HOSTS[0], Scope::User);
    let shut = |mode: &str| {
        assert!(Command::new("chmod").arg(mode).arg(claude.parent().unwrap()).status().unwrap().success());
    };
    shut("a-w");
    let before = machine.snapshot();
    let as_user = |arguments: &[&str]| {
        let mut command = machine.verb_of(&exe, arguments);
        if is_root {
            command.uid(65534).gid(65534);
        }
        run(&mut command, b"")
    };
    let output = as_user(&["install", "--all", "--yes"]);
    assert_eq!(output.exit, 3, "{output:?}");
    assert!(output.stdout.contains("Claude Code: left alone") && output.stdout.contains("denied"), "{output:?}");
    assert!(output.stdout.contains("Gemini CLI: wired"), "{output:?}");
    assert_eq!(std::fs::read(&claude).unwrap(), before[&claude].1);
    shut("u+w");
    assert_eq!(as_user(&["install", "--all", "--yes"]).exit, 0);
    shut("a-w");
    let output = as_user(&["uninstall", "--yes"]);
    assert!(output.exit == 3 && output.stdout.contains("claude-code: left alone"), "{output:?}");
    assert!(machine.exe().exists(), "the program stays as long as an agent calls it");
    shut("u+w");
    assert_eq!(as_user(&["uninstall", "--yes"]).exit, 0);
    shut("a-w");
    assert_same(&before, &machine.snapshot(), "read-only");
    shut("u+w");
}

/// Mounts a small disk on `$D`, puts `$T` into it and fills it up, then installs. Prints what is there afterwards.
const FULL: &str = r#"
mount -t tmpfs -o size=64k none "$D" || exit 77
[ -z "$T" ] || cp "$T" "$D/settings.json"
cat /dev/zero >"$D/filler" 2>/dev/null
"$F" install --yes --host claude-code; echo "exit $?"
ls -A "$D"; [ -z "$T" ] || cmp "$T" "$D/settings.json"
"#;

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let machine = Machine::with(usual);
    let claude = machine.file(HOSTS[0], Scope::User);
    let before = machine.snapshot();
    let on_full_disk = |folder: &Path, text: &str| {
        let mut command = machine.verb_of(Path::new("unshare"), &["-m", "sh", "-c", FULL]);
        command.env("D", folder).env("T", text).env("F", env!("CARGO_BIN_EXE_fourseam"));
        run(&mut command, b"")
    };
    let copy = machine.root.path().join("settings.json");
    std::fs::copy(&claude, &copy).unwrap();
    let output = on_full_disk(claude.parent().unwrap(), copy.to_str().unwrap());
    if output.exit == 77 || output.stderr.contains("unshare") {
        eprintln!("NOT TESTED, for want of the right to mount: a full disk");
        return;
    }
    assert!(output.stdout.contains("Claude Code: left alone") && output.stdout.contains("No space left"), "{output:?}");
    assert!(output.stdout.ends_with("exit 3\nfiller\nsettings.json\n") && output.exit == 0, "{output:?}");
    std::fs::remove_dir_all(machine.home().join(".fourseam")).unwrap();
    // A program that cannot be copied is not wired.
    let state = machine.home().join(".fourseam");
    std::fs::create_dir(&state).unwrap();
    let output = on_full_disk(&state, "");
    assert!(output.stdout.contains("exit 3") && output.stderr.contains("cannot be written"), "{output:?}");
    std::fs::remove_dir(&state).unwrap();
    assert_same(&before, &machine.snapshot(), "full disk");
}

#[test]
fn a_limit_on_file_sizes_is_told_and_nothing_is_lost() {
    let machine = Machine::with(usual);
    let before = machine.snapshot();
    let exe = env!("CARGO_BIN_EXE_fourseam");
    let script = "ulimit -f 64; \"$F\" install --all --yes";
    let output = run(machine.verb_of(Path::new("sh"), &["-c", script]).env("F", exe), b"");
    assert_ne!(output.exit, 0, "{output:?}");
    for host in HOSTS {
        let file = machine.file(*host, Scope::User);
        assert_eq!(std::fs::read(&file).ok(), before.get(&file).map(|(_, bytes)| bytes.clone()), "{}", host.id());
    }
    assert!(!machine.exe().exists());
    machine.done(&["install", "--all", "--yes"]);
    machine.done(&["uninstall", "--yes"]);
    assert_same(&before, &machine.snapshot(), "limit");
}
