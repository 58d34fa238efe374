//! Instructions of a hook call, counted by callgrind and compared with those that are on record: what a noisy machine
//! cannot blur. Where there is no valgrind, or another compiler, nothing is compared, and that is said.

use crate::Check;
use crate::measure::{Bench, Subject};
use std::fmt::Write as _;
use std::process::Command;

/// `rustc 1.x.y`, then a line for each call: its instructions, and what it is.
const RECORD: &str = include_str!("instructions.txt");

/// Instructions that a call may take, in those on record.
const SLACK: f64 = 1.05;

pub(crate) fn checks(bench: &Bench) -> Vec<Check> {
    let subjects = [
        bench.hook("git status", "counted", "git status"),
        bench.hook("rm -rf /", "counted", "rm -rf /"),
        bench.hook(
            "a script",
            "counted",
            "for f in *.txt; do sed -i s/a/b/ \"$f\" && git add \"$f\"; done; python3 -c 'print(1)'",
        ),
        bench.words("a command of 2 KiB", "counted", 2 * 1024),
        bench.result("a result of 2 KiB", "counted", 2 * 1024),
    ];
    let compiler = compiler();
    let counted: Vec<(String, Option<u64>)> =
        subjects.iter().map(|subject| (subject.name.clone(), count(subject))).collect();
    if std::env::var_os("FOURSEAM_BENCH_RECORD").is_some() {
        record(&compiler, &counted);
    }
    counted.into_iter().map(|(name, now)| check(&name, now, &compiler)).collect()
}

fn check(name: &str, now: Option<u64>, compiler: &str) -> Check {
    let what = format!("instructions of {name}");
    let mut lines = RECORD.lines();
    let same_compiler = lines.next() == Some(compiler);
    let recorded = lines.find_map(|line| {
        let (count, of) = line.split_once(' ')?;
        (of == name).then(|| count.parse::<f64>().ok())?
    });
    let unchecked =
        |why: &str| Check { what: what.clone(), measured: why.to_owned(), limit: "-".to_owned(), holds: None };
    match (now, recorded) {
        (None, _) => unchecked("no valgrind, or too slow a machine"),
        (Some(_), None) => unchecked("none on record"),
        (Some(_), Some(_)) if !same_compiler => unchecked("recorded with another compiler"),
        (Some(now), Some(recorded)) => Check::new(what, now as f64 / 1e6, recorded * SLACK / 1e6, " M"),
    }
}

/// None: valgrind is not here, or the call was ended by the timers of its nets, which do not know of valgrind: then it says
/// something else than it does otherwise.
fn count(subject: &Subject) -> Option<u64> {
    const TRIES: usize = 5;
    // The first run leaves behind what later ones find.
    subject.run();
    let said = subject.under(&["env"])?.stdout;
    (0..TRIES).find_map(|_| {
        let output = subject.under(&["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])?;
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        let count = report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())?;
        (output.stdout == said).then_some(count)
    })
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn record(compiler: &str, counted: &[(String, Option<u64>)]) {
    let mut text = format!("{compiler}\n");
    for (name, count) in counted {
        if let Some(count) = count {
            let _ = writeln!(text, "{count} {name}");
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/budgets/instructions.txt"), text).unwrap();
}
