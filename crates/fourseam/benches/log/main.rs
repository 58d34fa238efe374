//! The verbs that read a whole log or all old sessions, on 100,000 rows and as many calls: seconds, and memory at the peak.
//! With `FOURSEAM_BENCH_PAGE` set to a file it writes its table there.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a bench starts processes, prints, may panic, and uses a part of the shared module"
)]

#[path = "../measure/mod.rs"]
mod measure;

use measure::Bench;
use std::fs::File;
use std::io::{BufWriter, Write};

const ROWS: usize = 100_000;

/// Calls of one old session.
const CALLS: usize = 2_000;

/// What agents run, `{}` being a number; what is decided of it, and the rule that says so.
const COMMANDS: [(&str, &str, &str); 12] = [
    ("git status", "abstain", ""),
    ("cargo test -p core", "abstain", ""),
    ("npm run build", "abstain", ""),
    ("python3 -m pytest tests/test_{}.py", "abstain", ""),
    ("git commit -m 'fix {}'", "abstain", ""),
    ("kubectl get pods -n ns{}", "abstain", ""),
    ("sed -n 1,{}p src/main.rs", "abstain", ""),
    ("frobnicate --list {}", "abstain", ""),
    ("git push origin feature/{}", "abstain", ""),
    ("npm publish --access public", "ask", "publish/package-published"),
    ("git reset --hard HEAD~{}", "ask", "git/changes-discarded"),
    ("psql -c 'DROP DATABASE app{}'", "deny", "database/dropped"),
];

fn main() {
    let bench = Bench::new("log");
    let home = bench.path("home");
    std::fs::create_dir_all(home.join("audit")).unwrap();
    log(&mut BufWriter::new(File::create(home.join("audit/log.jsonl")).unwrap()));
    let sessions = bench.path("sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    let files: Vec<String> = (0..ROWS / CALLS)
        .map(|number| {
            let file = sessions.join(format!("{number}.jsonl"));
            session(number, &mut BufWriter::new(File::create(&file).unwrap()));
            file.to_str().unwrap().to_owned()
        })
        .collect();
    let variable = format!("FOURSEAM_HOME={}", home.display());
    let replay: Vec<&str> = std::iter::once("replay").chain(files.iter().map(String::as_str)).collect();
    let verbs: [&[&str]; 4] = [&["report"], &["calibrate"], &["suggest"], &replay];
    let mut table = String::from("| verb | time | memory at the peak |\n|---|---|---|\n");
    for words in verbs {
        let words: Vec<&str> = [&["env", &variable, measure::program()], words].concat();
        let verb = bench.subject(&format!("fourseam {}", words[3]), &words, "");
        let cost = verb.run();
        let (seconds, memory) = (cost.took.as_secs_f64(), cost.memory as f64 / 1024.0 / 1024.0);
        table.push_str(&format!("| `{}` | {seconds:.2} s | {memory:.0} MiB |\n", verb.name));
    }
    measure::publish("log", &table);
}

/// The rows of a month, in which a call that ran has a second row for its result, as a log has.
///
/// Row by row: the peak of a child begins with that of its parent, which stays small.
fn log(log: &mut impl Write) {
    for number in 0..ROWS {
        let (call, result) = (number / 2, number % 2 == 1);
        let (command, decision, rule) = command(call);
        let rules = if rule.is_empty() { String::new() } else { format!("\"{rule}\"") };
        let shell = format!(
            "{{\"action\":\"shell\",\"command\":\"{command}\",\"dialect\":\"posix\",\"cwd\":null,\"background\":false}}"
        );
        let (event, action, decision, rules) = if result {
            let result = format!("{{\"action\":\"tool-result\",\"of\":{shell},\"text\":\"ok\",\"failed\":false}}");
            ("PostToolUse", result, "abstain", String::new())
        } else {
            ("PreToolUse", shell, decision, rules)
        };
        let (day, second) = (1 + number * 29 / ROWS, number % 60);
        writeln!(
            log,
            "{{\"seq\":{},\"prev\":\"{:064x}\",\"schema\":2,\"time\":\"2026-11-{day:02}T08:{:02}:{second:02}.123Z\",\
             \"agent\":\"claude-code\",\"session\":\"s{}\",\"call_id\":\"c{call}\",\"project\":\"/home/ana/p{}\",\"mode\":\"guard\",\
             \"policy\":\"0123456789abcdef\",\"micros\":1800,\"version\":\"0.1.0\",\"event\":\"{event}\",\"tool\":\"Bash\",\
             \"action\":{action},\"decision\":\"{decision}\",\"told\":\"{decision}\",\"rules\":[{rules}],\"reason\":\"x\"}}",
            number + 1,
            number,
            number / 60 % 60,
            call / 60,
            call / 60 % 12,
        )
        .unwrap();
    }
}

/// A session of Claude Code, as its file has it.
fn session(number: usize, file: &mut impl Write) {
    for call in number * CALLS..(number + 1) * CALLS {
        let (command, _, _) = command(call);
        writeln!(
            file,
            "{{\"type\":\"assistant\",\"sessionId\":\"s{number}\",\"cwd\":\"/home/ana/p\",\"timestamp\":\"2026-11-30T08:00:00.000Z\",\
             \"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t{call}\",\"name\":\"Bash\",\
             \"input\":{{\"command\":\"{command}\"}}}}]}}}}"
        )
        .unwrap();
    }
}

fn command(call: usize) -> (String, &'static str, &'static str) {
    // A prime step, so that neighbours differ.
    let (command, decision, rule) = COMMANDS[call * 7 % COMMANDS.len()];
    (command.replace("{}", &(call % 3000).to_string()), decision, rule)
}
