//! `fourseam audit`: what it prints of a log, and its exit codes.

use crate::run::{Home, Output, run};
use fourseam_hosts::HOSTS;

fn filled(count: usize) -> Home {
    let home = Home::new();
    let host = HOSTS[0];
    for number in 0..count {
        let payload = host.sample(&format!("echo {number}")).to_string();
        run(&mut home.hook(host, host.default_event().name), payload.as_bytes());
    }
    home
}

fn audit(home: &Home, arguments: &[&str]) -> Output {
    let mut words = vec!["audit"];
    words.extend(arguments);
    run(&mut home.verb(&words), b"")
}

#[test]
fn verify_says_what_it_found_and_what_that_proves() {
    let home = filled(3);
    let output = audit(&home, &["verify"]);
    assert_eq!(output.exit, 0, "{output:?}");
    assert!(output.stdout.contains("1 file, records 1 to 3\nnothing was changed"), "{output:?}");
    assert!(output.stdout.contains("A program that runs as you can write the whole log anew"), "{output:?}");
    let path = home.path("audit/log.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("echo 1", "echo 9")).unwrap();
    let output = audit(&home, &["verify"]);
    assert_eq!(output.exit, 2, "{output:?}");
    assert!(output.stdout.contains("log.jsonl:2`: record 2: the line was changed"), "{output:?}");
    // A torn line is a warning.
    std::fs::write(&path, text + "{\"seq\":4,").unwrap();
    let output = audit(&home, &["verify"]);
    assert!(output.exit == 1 && output.stdout.contains("log.jsonl:4`: the line is torn"), "{output:?}");
}

#[test]
fn a_head_kept_elsewhere_is_held_against_the_log() {
    let home = filled(2);
    let output = audit(&home, &["head"]);
    assert_eq!((output.exit, output.stdout.lines().count()), (0, 1), "{output:?}");
    let head = output.stdout.trim();
    let other = filled(3);
    assert_eq!(audit(&home, &["verify", "--head", head]).exit, 0);
    assert_eq!(audit(&other, &["verify"]).exit, 0);
    let output = audit(&other, &["verify", "--head", head]);
    assert!(
        output.exit == 2 && output.stdout.contains("record 2: not the record that the kept head names"),
        "{output:?}"
    );
    let output = audit(&home, &["verify", "--head", "nonsense"]);
    assert!(output.exit == 3 && output.stderr.contains("`nonsense` is no line of `fourseam audit head`"), "{output:?}");
}
