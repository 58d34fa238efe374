//! Facts of the machine that hang, never end or are huge: an answer in time, in little memory, and no fact that was not
//! had makes it weaker.

use crate::run::{Home, Output, run};
use fourseam_hosts::{HOSTS, Host};
use std::fs::File;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;

/// Below the wall time at which a net would step in; the machine may be busy.
const IN_TIME: Duration = Duration::from_millis(2900);

/// Scripts that could not be read are let pass by default; here they are asked about, so that it shows.
const POLICY: &str =
    "version: 1\nrules:\n  - { id: t/unread, decision: ask, when: { unknown: script-file }, reason: Unread. }\n";

/// A home with a work folder full of traps.
fn traps() -> Home {
    let home = Home::with_policy(POLICY);
    home.write("work/.git/HEAD", "ref: refs/heads/main\n");
    home.write("work/run.sh", "psql -c 'DROP DATABASE app'\n");
    let work = home.path("work");
    assert!(Command::new("mkfifo").arg(work.join("fifo")).status().unwrap().success());
    for (target, name) in [("self", "self"), ("b", "a"), ("a", "b"), ("/dev/zero", "zero"), ("fifo", "to-fifo")] {
        symlink(target, work.join(name)).unwrap();
    }
    File::create(work.join("huge")).unwrap().set_len(1 << 30).unwrap();
    std::fs::create_dir(work.join("loop")).unwrap();
    symlink(".", work.join("loop/again")).unwrap();
    home
}

/// A call in the work folder, with this much memory at most.
fn call(home: &Home, host: &dyn Host, command: &str) -> Output {
    let event = host.default_event();
    let mut payload = host.sample(command);
    for name in ["cwd", "directory"] {
        if payload.get(name).is_some() {
            payload[name] = home.path("work").to_str().into();
        }
    }
    if payload.get("workspace_roots").is_some() {
        payload["workspace_roots"] = serde_json::json!([home.path("work")]);
    }
    let hook = home.hook(host, event.name);
    let mut limited = Command::new("sh");
    // Address space, in KiB: far less than what the huge ones would take.
    limited.args(["-c", "ulimit -v 400000; exec \"$0\" \"$@\""]).arg(hook.get_program()).args(hook.get_args());
    let output = run(&mut limited, payload.to_string().as_bytes());
    let place = format!("{} `{command}`: {output:?}", host.id());
    assert!(output.took < IN_TIME && !output.stderr.contains("too long"), "{place}");
    assert!(output.is_well_formed() && !output.stderr.contains("internal error"), "{place}");
    output
}

#[test]
fn scripts_that_hang_or_are_huge_are_not_read() {
    let home = traps();
    let files = ["./fifo", "./to-fifo", "./self", "./a", "./huge", "./loop/again/again/gone"];
    for (turn, file) in files.iter().enumerate() {
        for (number, command) in ["bash", "sh -e", "source", "python3", "env bash"].iter().enumerate() {
            let host = HOSTS[(turn + number) % HOSTS.len()];
            let output = call(&home, host, &format!("{command} {file}"));
            assert!(output.stops(host, host.default_event()), "{} `{command} {file}`: {output:?}", host.id());
        }
    }
    let host = HOSTS[0];
    let output = call(&home, host, "bash ./run.sh");
    assert!(output.denies(), "what can be read is read: {output:?}");
    // Standard input of the command is not ours.
    for file in ["/dev/stdin", "/proc/self/fd/0", "/dev/fd/0", "/dev/zero", "./zero"] {
        let output = call(&home, host, &format!("bash {file} < ./huge"));
        assert!(!output.denies(), "{file}: {output:?}");
    }
}

#[test]
fn files_that_hang_or_are_huge_delay_no_answer() {
    let home = traps();
    let commands = [
        "cat fifo",
        "cat < to-fifo",
        "curl --data @fifo https://up.example.com/in",
        "curl -T huge https://up.example.com/in",
        "git apply fifo",
        "psql -f fifo",
        "psql -f huge",
        "make -f fifo",
        "python3 -c 'print(1)' < /dev/zero",
        "xargs rm -rf < fifo",
        "rm -rf loop/again/again/again/again",
        "rm -rf a self",
        "cp /dev/zero out",
        "cat /proc/self/fd/0 /proc/kmsg",
        "cd self && rm -rf x",
        "tar -xf fifo",
    ];
    for (turn, command) in commands.iter().enumerate() {
        call(&home, HOSTS[turn % HOSTS.len()], command);
    }
    for host in HOSTS {
        call(&home, *host, "source fifo; rm -rf loop");
    }
}

#[test]
fn deep_and_wide_folders_delay_no_answer() {
    let home = traps();
    let wide = home.path("work/wide");
    std::fs::create_dir(&wide).unwrap();
    for number in 0..50_000 {
        File::create(wide.join(format!("{number}.txt"))).unwrap();
    }
    for (turn, command) in
        ["rm -rf wide/*", "rm -rf wide", "cat wide/*.txt", "ls wide", "rm -rf wide/?.txt"].iter().enumerate()
    {
        call(&home, HOSTS[turn % HOSTS.len()], command);
    }
    let deep = "a/".repeat(4_000);
    for host in HOSTS {
        // Reading it takes its time in a build for tests, which grows with its length alone.
        call(&home, *host, &format!("rm -rf {}x", deep.split_at(2000).0));
        let mut payload = host.sample("rm -rf x");
        for name in ["cwd", "directory"] {
            if payload.get(name).is_some() {
                payload[name] = format!("/{deep}").into();
            }
        }
        let output = run(&mut home.hook(*host, host.default_event().name), payload.to_string().as_bytes());
        assert!(output.took < IN_TIME && !output.stderr.contains("CPU time"), "{}: {output:?}", host.id());
    }
}

/// A file system that answers no call: FUSE without a server. Signals do not reach a thread that waits for it.
#[test]
fn a_dead_mount_is_answered_in_time() {
    let home = traps();
    std::fs::create_dir(home.path("work/dead")).unwrap();
    std::thread::scope(|scope| {
        for host in HOSTS {
            scope.spawn(|| refused_in_dead_mount(&home, *host, "work/dead/sub"));
        }
        scope.spawn(|| refused_in_dead_mount(&home, HOSTS[0], "work"));
    });
    // A user who chose that failures say nothing is told nothing.
    let silent = traps();
    std::fs::create_dir(silent.path("work/dead")).unwrap();
    silent.write("policy.yaml", "version: 1\non_error: abstain\n");
    call(&silent, HOSTS[0], "true");
    let Some(output) = in_dead_mount(&silent, HOSTS[0], "work/dead/sub") else { return };
    assert!(output.is_neutral(HOSTS[0], HOSTS[0].default_event()), "{output:?}");
}

fn refused_in_dead_mount(home: &Home, host: &dyn Host, cwd: &str) {
    let Some(output) = in_dead_mount(home, host, cwd) else { return };
    assert!(output.denies(), "{} {cwd}: {output:?}", host.id());
}

/// A call of a script on the dead mount, from this folder. `None` where no such mount can be made.
fn in_dead_mount(home: &Home, host: &dyn Host, cwd: &str) -> Option<Output> {
    let mut payload = host.sample(&format!("bash {}/run.sh", home.path("work/dead").display()));
    for name in ["cwd", "directory"] {
        if payload.get(name).is_some() {
            payload[name] = home.path(cwd).to_str().into();
        }
    }
    let name = format!("payload-{}-{}", host.id(), cwd.len());
    home.write(&name, &payload.to_string());
    let script = "exec 3<>/dev/fuse || exit 99
        mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 dead \"$1/work/dead\" || exit 99
        \"$2\" hook \"$3\" \"$4\" --home \"$1\" < \"$1/$5\" 3>&-";
    let event = host.default_event().name;
    let hook = home.hook(host, event);
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, "sh"]).arg(home.path("")).arg(hook.get_program());
    let output = run(command.args([host.id(), event, &name]), b"");
    if output.exit == 99 || output.stderr.contains("unshare") || output.stderr.contains("/dev/fuse") {
        eprintln!("SKIPPED: no dead mount can be made here: {}", output.stderr);
        return None;
    }
    let place = format!("{} {cwd}: {output:?}", host.id());
    assert!(output.stderr.contains("took too long"), "{place}");
    assert!(output.took < Duration::from_secs(20), "{place}");
    Some(output)
}
