//! Whatever comes in: one well-formed answer for that host and event, and a line that says what is wrong and where.

use crate::run::{Home, Output, run};
use fourseam_hosts::{Event, HOSTS, Host};
use std::time::Duration;

/// Inputs that are no payload of any host.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let mut inputs: Vec<(&str, Vec<u8>)> = [
        ("empty", ""),
        ("blank", " \r\n\t"),
        ("cut", "{\"tool_name\":\"Bash\",\"tool_input\":{\"comm"),
        ("list", "[]"),
        ("null", "null"),
        ("number", "42"),
        ("text", "\"x\""),
        ("words", "rm -rf /"),
        ("two objects", "{}{}"),
        ("single quotes", "{'a': 1}"),
    ]
    .map(|(name, text)| (name, text.as_bytes().to_vec()))
    .into();
    inputs.push(("binary", (0..=255).collect()));
    inputs.push(("deep list", "[".repeat(200_000).into_bytes()));
    inputs.push(("deep object", "{\"a\":".repeat(200_000).into_bytes()));
    inputs.push(("too large", vec![b' '; 16 * 1024 * 1024 + 1]));
    inputs
}

fn each_event(mut test: impl FnMut(&'static dyn Host, &'static Event)) {
    for host in HOSTS {
        for event in host.events() {
            test(*host, event);
        }
    }
}

/// The rule for every failure: stop at gates, silence elsewhere, and a line with the place.
fn check(host: &dyn Host, event: &Event, name: &str, output: &Output) {
    let place = format!("{} {} {name}: {output:?}", host.id(), event.name);
    if event.capabilities.gate {
        assert!(output.stops(host, event), "{place}");
    } else {
        assert!(output.is_neutral(host, event), "{place}");
    }
    let line = format!("fourseam: hook {} {}: ", host.id(), event.name);
    assert!(output.stderr.starts_with(&line), "{place}");
}

#[test]
fn what_is_no_payload_stops_gates_and_nothing_else() {
    let home = Home::new();
    let mut times = Vec::new();
    each_event(|host, event| {
        for (name, bytes) in inputs() {
            // The large ones are the same everywhere behind the reader of JSON.
            if bytes.len() > 1000 && event.name != host.default_event().name {
                continue;
            }
            let output = run(&mut home.hook(host, event.name), &bytes);
            check(host, event, name, &output);
            times.push(output.took);
        }
    });
    times.sort();
    let median = times[times.len() / 2];
    assert!(median < Duration::from_millis(100), "{median:?}");
}

#[test]
fn objects_of_the_wrong_shape_stop_gates() {
    let home = Home::new();
    for host in HOSTS {
        let event = host.default_event();
        for text in ["{}", "{\"tool_input\":\"x\"}", "{\"hook_event_name\":{}}"] {
            let output = run(&mut home.hook(*host, event.name), text.as_bytes());
            check(*host, event, text, &output);
        }
    }
}

#[test]
fn an_unknown_event_stops_where_the_command_line_names_a_gate() {
    let home = Home::new();
    for host in HOSTS {
        let event = host.default_event();
        let payload = with(*host, "hook_event_name", "SomethingNew");
        let named = run(&mut home.hook(*host, event.name), payload.as_bytes());
        check(*host, event, "unknown event", &named);
        let bare = run(&mut home.hook(*host, "NoSuchEvent"), payload.as_bytes());
        assert!(bare.is_neutral(*host, &Event::UNKNOWN), "{bare:?}");
        assert!(bare.stderr.contains("unknown event `SomethingNew`"), "{bare:?}");
    }
}

#[test]
fn odd_but_readable_payloads_are_judged() {
    let home = Home::with_policy(
        "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: It is marked. }\n",
    );
    for host in HOSTS {
        let event = host.default_event();
        let sample = host.sample("echo marked").to_string();
        let odd = [
            ("mark", [b"\xef\xbb\xbf", sample.as_bytes()].concat()),
            ("line feed", format!("{sample}\r\n").into_bytes()),
            ("NUL", host.sample("echo \0 marked").to_string().replace("\\u0000", "\0").into_bytes()),
            ("surrogate", sample.replace("marked", "marked \\ud800").into_bytes()),
            ("not UTF-8", [sample.replace("marked", "marked %").as_bytes()].concat()),
            ("gone folder", with_in(&sample, "cwd", "/no/such/folder").into_bytes()),
            ("unknown key", with_in(&sample, "brand_new", "x").into_bytes()),
        ];
        for (name, bytes) in odd {
            let output = run(&mut home.hook(*host, event.name), &bytes);
            assert!(output.denies(), "{} {name}: {output:?}", host.id());
            assert!(output.stderr.contains("t/marked") || output.stdout.contains("t/marked"), "{output:?}");
        }
    }
}

#[test]
fn sixteen_mebibytes_are_read() {
    let home = Home::new();
    for host in HOSTS {
        let event = host.default_event();
        let command = format!("echo {}", "x".repeat(15 * 1024 * 1024));
        let output = run(&mut home.hook(*host, event.name), host.sample(&command).to_string().as_bytes());
        assert!(output.is_well_formed(), "{}: {:.200}", host.id(), output.stdout);
        assert!(!output.stderr.contains("larger than"), "{:.200}", output.stderr);
    }
}

#[test]
fn a_payload_that_never_ends_is_answered_by_the_timer() {
    let home = Home::new();
    let host = HOSTS[0];
    let mut child = home
        .hook(host, host.default_event().name)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Held open until the program has ended by itself.
    let stdin = child.stdin.take();
    let status = child.wait().unwrap();
    drop(stdin);
    assert_eq!(status.code(), Some(2));
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"deny\""), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("took too long"), "{output:?}");
}

#[test]
fn the_payload_says_who_calls() {
    let home = Home::with_policy(
        "version: 1\nrules:\n  - { id: t/marked, decision: deny, raw_pattern: marked, reason: It is marked. }\n",
    );
    for caller in HOSTS {
        let payload = caller.sample("echo marked").to_string();
        for named in HOSTS {
            // The event's name on the command line may pick a dialect, so it is the same in both.
            let event = named.default_event().name;
            let want = run(&mut home.hook(*caller, event), payload.as_bytes());
            let output = run(&mut home.hook(*named, event), payload.as_bytes());
            assert!(output.denies(), "{output:?}");
            let same = (output.stdout == want.stdout, output.exit == want.exit);
            assert_eq!(same, (true, true), "{} named, {} calls: {output:?}", named.id(), caller.id());
        }
    }
}

#[test]
fn a_home_that_is_not_absolute_is_told() {
    let host = HOSTS[0];
    let home = Home::new();
    let output =
        run(&mut home.verb(&["hook", host.id(), "--home", "some/where"]), host.sample("true").to_string().as_bytes());
    assert!(output.is_neutral(host, host.default_event()), "{output:?}");
    assert!(output.stderr.contains("`--home some/where` is not an absolute folder"), "{output:?}");
}

#[test]
fn an_unknown_host_stops_the_call() {
    let home = Home::new();
    let output = run(&mut home.verb(&["hook", "no-such-agent"]), b"{}");
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("unknown host `no-such-agent`"), "{output:?}");
}

/// The host's sample with one key set.
fn with(host: &dyn Host, key: &str, value: &str) -> String {
    with_in(&host.sample("true").to_string(), key, value)
}

fn with_in(payload: &str, key: &str, value: &str) -> String {
    let mut payload: serde_json::Value = serde_json::from_str(payload).unwrap();
    payload[key] = value.into();
    payload.to_string()
}
