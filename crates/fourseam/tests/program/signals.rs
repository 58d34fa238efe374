//! Signals from outside, and pipes that are closed: a gate never becomes an open one.

use crate::run::{Home, Output, run};
use fourseam_hosts::{Event, HOSTS, Host};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const POLICY: &str = "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: Marked. }\n";

/// Signals by which someone ends a process, by name and number.
const ENDINGS: [(&str, u32); 6] = [("TERM", 15), ("INT", 2), ("HUP", 1), ("QUIT", 3), ("USR1", 10), ("USR2", 12)];

fn payload(host: &dyn Host, event: &Event, command: &str) -> String {
    let mut payload = host.sample(command);
    payload["hook_event_name"] = event.name.into();
    payload.to_string()
}

/// An event of the host where nothing is about to run.
fn quiet_event(host: &dyn Host) -> &'static Event {
    host.events().iter().find(|event| !event.capabilities.gate && event.capabilities.point.is_some()).unwrap()
}

fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn kill(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
}

/// Waits until a process has the nets up: until it catches this signal.
fn wait_for_nets(child: &Child, signal: u32) {
    let end = Instant::now() + Duration::from_secs(20);
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
        u64::from_str_radix(caught, 16).unwrap() & (1 << (signal - 1)) != 0
    };
    while !catches() {
        assert!(Instant::now() < end, "no handler of signal {signal}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn finish(child: Child, started: Instant) -> Output {
    let output = child.wait_with_output().unwrap();
    Output {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        exit: output.status.code().unwrap_or(-1),
        took: started.elapsed(),
    }
}

/// A call that waits for the rest of its payload when the signal comes.
fn ended(command: &mut Command, (name, number): (&str, u32), payload: &str) -> Output {
    let started = Instant::now();
    let mut child = start(command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&payload.as_bytes()[..payload.len() / 2]).unwrap();
    wait_for_nets(&child, number);
    kill(&child, name);
    // The pipe stays open: only the signal ends the call.
    let output = finish(child, started);
    drop(stdin);
    output
}

#[test]
fn a_call_that_is_ended_from_outside_refuses_at_gates_and_is_silent_elsewhere() {
    std::thread::scope(|scope| {
        for (turn, host) in HOSTS.iter().enumerate() {
            scope.spawn(move || {
                let home = Home::new();
                for signal in ENDINGS {
                    let gate = host.default_event();
                    let text = payload(*host, gate, "true");
                    let output = ended(&mut home.hook(*host, gate.name), signal, &text);
                    assert!(output.denies(), "{} {signal:?}: {output:?}", host.id());
                    assert!(output.stderr.contains("was ended by a signal"), "{} {signal:?}: {output:?}", host.id());
                }
                let quiet = quiet_event(*host);
                let signal = ENDINGS[turn % ENDINGS.len()];
                let output = ended(&mut home.hook(*host, quiet.name), signal, &payload(*host, quiet, "true"));
                assert!(output.is_neutral(*host, quiet), "{} {signal:?}: {output:?}", host.id());
                // All are on record once the next call has merged them.
                let gate = host.default_event();
                run(&mut home.hook(*host, gate.name), payload(*host, gate, "true").as_bytes());
                let records = home.records();
                let ended =
                    records.iter().filter(|record| record["troubles"].to_string().contains("ended by a signal"));
                assert_eq!(ended.count(), ENDINGS.len() + 1, "{}: {records:?}", host.id());
            });
        }
    });
}

#[test]
fn what_the_policy_says_of_failures_holds_for_signals() {
    for text in ["version: 1\non_error: abstain\n", "version: 1\nmode: dry\n"] {
        for (turn, host) in HOSTS.iter().enumerate() {
            let home = Home::with_policy(text);
            let gate = host.default_event();
            // A call that succeeds leaves behind what the nets need to know.
            run(&mut home.hook(*host, gate.name), payload(*host, gate, "true").as_bytes());
            let signal = ENDINGS[turn % ENDINGS.len()];
            let output = ended(&mut home.hook(*host, gate.name), signal, &payload(*host, gate, "true"));
            assert!(output.is_neutral(*host, gate), "{text} {} {signal:?}: {output:?}", host.id());
        }
    }
}

/// Planted failures are in debug builds only.
#[cfg(debug_assertions)]
#[test]
fn a_call_that_is_ended_at_work_refuses() {
    let home = Home::new();
    for (turn, host) in HOSTS.iter().enumerate() {
        let gate = host.default_event();
        let (name, number) = ENDINGS[turn % ENDINGS.len()];
        let started = Instant::now();
        let mut child = start(home.hook(*host, gate.name).env("FOURSEAM_FAULT", "hang"));
        child.stdin.take().unwrap().write_all(payload(*host, gate, "true").as_bytes()).unwrap();
        wait_for_nets(&child, number);
        std::thread::sleep(Duration::from_millis(50));
        kill(&child, name);
        let output = finish(child, started);
        assert!(output.denies() && output.stderr.contains("ended by a signal"), "{} {name}: {output:?}", host.id());
    }
}

#[test]
fn a_signal_that_is_to_be_ignored_is() {
    let home = Home::with_policy(POLICY);
    let host = HOSTS[0];
    let gate = host.default_event();
    let hook = home.hook(host, gate.name);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(hook.get_program()).args(hook.get_args());
    let started = Instant::now();
    let mut child = start(&mut shell);
    wait_for_nets(&child, 15);
    kill(&child, "HUP");
    std::thread::sleep(Duration::from_millis(20));
    child.stdin.take().unwrap().write_all(payload(host, gate, "echo marked").as_bytes()).unwrap();
    let output = finish(child, started);
    assert!(output.denies() && output.stdout.contains("Marked."), "{output:?}");
}

#[test]
fn an_answer_that_is_out_stays_out_and_its_record_is_written() {
    let host = HOSTS[0];
    let gate = host.default_event();
    for round in 0..40_u64 {
        let home = Home::with_policy(POLICY);
        let started = Instant::now();
        let mut child = start(&mut home.hook(host, gate.name));
        wait_for_nets(&child, 15);
        child.stdin.take().unwrap().write_all(payload(host, gate, "echo marked").as_bytes()).unwrap();
        // From before the payload is read to after the record is written.
        std::thread::sleep(Duration::from_micros(round * 701));
        let _ = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
        let output = finish(child, started);
        // One whole answer, of the judgement or of the net.
        assert!(output.denies() && output.exit == 2, "{round}: {output:?}");
        run(&mut home.hook(host, gate.name), payload(host, gate, "echo next").as_bytes());
        assert_eq!(home.records().len(), 2, "{round}: {:?}", home.records());
    }
}

/// The program with a redirection in front, as a shell does it.
fn with(home: &Home, host: &dyn Host, redirection: &str) -> Command {
    let hook = home.hook(host, host.default_event().name);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}")]).arg(hook.get_program()).args(hook.get_args());
    shell
}

#[test]
fn closed_outputs_change_no_exit_code() {
    for host in HOSTS {
        let home = Home::with_policy(POLICY);
        let gate = host.default_event();
        for command in ["echo marked", "echo plain"] {
            let text = payload(*host, gate, command);
            let want = run(&mut home.hook(*host, gate.name), text.as_bytes());
            for redirection in ["2>&-", ">&-", ">/dev/full", "2>/dev/full", ">&- 2>&-"] {
                let output = run(&mut with(&home, *host, redirection), text.as_bytes());
                let place = format!("{} {command} {redirection}: {output:?}", host.id());
                // Where the refusal stands in the answer alone, one that could not be given is not exit code 0. What is
                // written to an output that was closed from the start goes nowhere, and cannot be told from one read.
                let unheard = redirection == ">/dev/full" && command.contains("marked");
                let exit = if unheard && want.exit == 0 { 2 } else { want.exit };
                assert_eq!(output.exit, exit, "{place}");
                if redirection.starts_with('2') {
                    assert_eq!(output.stdout, want.stdout, "{place}");
                }
            }
        }
        // A client that went away: nobody reads either pipe.
        let mut child = start(&mut home.hook(*host, gate.name));
        drop((child.stdout.take(), child.stderr.take()));
        child.stdin.take().unwrap().write_all(payload(*host, gate, "echo marked").as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{}", host.id());
        assert_eq!(home.records().last().unwrap()["decision"], "deny", "{}", host.id());
    }
}

#[test]
fn a_closed_input_is_no_payload() {
    for host in HOSTS {
        let home = Home::new();
        let output = run(&mut with(&home, *host, "<&-"), b"");
        assert!(output.stops(*host, host.default_event()), "{}: {output:?}", host.id());
    }
}

#[test]
fn verbs_end_quietly_when_nobody_reads_on() {
    let home = Home::with_policy(POLICY);
    for arguments in [&["check", "echo marked"][..], &["rule"], &["explain", "echo a"], &["log"], &["audit", "verify"]]
    {
        let mut child = start(&mut home.verb(arguments));
        drop((child.stdin.take(), child.stdout.take()));
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        let exit = child.wait().unwrap().code();
        assert_eq!(told, "", "{arguments:?}");
        // As of a tool that SIGPIPE ends, or 0 where there was nothing to say.
        assert!(matches!(exit, Some(141 | 0)), "{arguments:?}: {exit:?}");
    }
}
