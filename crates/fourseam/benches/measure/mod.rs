//! Starts whole processes and measures them, one beside the other. Shared by the benches; says nothing itself.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4 as _;

/// A folder for one run, with a program that does nothing in it.
pub(crate) struct Bench {
    folder: PathBuf,
}

/// A program that is measured, and what it reads.
pub(crate) struct Subject {
    pub(crate) name: String,
    words: Vec<String>,
    stdin: PathBuf,
    /// A home of its own, for programs that keep something there.
    home: PathBuf,
    pub(crate) took: Vec<Duration>,
}

/// What one run cost.
pub(crate) struct Cost {
    pub(crate) took: Duration,
    /// Bytes of memory at the peak.
    pub(crate) memory: u64,
}

impl Bench {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fourseam-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// Where a state folder or a file of this name stands.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A program that does nothing, made by the same compiler.
    pub(crate) fn empty(&self) -> Subject {
        let (source, program) = (self.path("empty.rs"), self.path("empty"));
        std::fs::write(&source, "fn main() {}").unwrap();
        let compiled = Command::new("rustc").args(["-O", "-o"]).arg(&program).arg(&source).status().unwrap();
        assert!(compiled.success(), "rustc cannot compile an empty program");
        self.subject("empty Rust process", &[program.to_str().unwrap()], "")
    }

    /// One call of Claude Code's `Bash`, before it runs, with the state folder `home`.
    pub(crate) fn hook(&self, name: &str, home: &str, command: &str) -> Subject {
        self.ours(name, home, "PreToolUse", &[CALL.0, &in_json(command), CALL.1], 0)
    }

    /// A command that is a list of words of `bytes` in all.
    pub(crate) fn words(&self, name: &str, home: &str, bytes: usize) -> Subject {
        self.ours(name, home, "PreToolUse", &[CALL.0, "echo ", "word ", CALL.1], bytes)
    }

    /// What came back from a tool: a page of so many bytes of ordinary text.
    pub(crate) fn result(&self, name: &str, home: &str, bytes: usize) -> Subject {
        let line = "A page about gardens, with some words on each line, and a number such as 4711.\\n";
        self.ours(name, home, "PostToolUse", &[RESULT.0, "", line, RESULT.1], bytes)
    }

    /// A call of the hook. The last but one of the parts of its payload is repeated up to so many bytes.
    fn ours(&self, name: &str, home: &str, event: &str, payload: &[&str], bytes: usize) -> Subject {
        let home = self.path(home);
        std::fs::create_dir_all(&home).unwrap();
        let words = [program(), "hook", "claude-code", event, "--home", home.to_str().unwrap()];
        let subject = self.subject(name, &words, "");
        let mut file = BufWriter::new(File::create(&subject.stdin).unwrap());
        let (end, parts) = payload.split_last().unwrap();
        parts.iter().for_each(|part| file.write_all(part.as_bytes()).unwrap());
        let repeated = parts.last().unwrap();
        (1..bytes / repeated.len()).for_each(|_| file.write_all(repeated.as_bytes()).unwrap());
        file.write_all(end.as_bytes()).unwrap();
        subject
    }

    /// Any program.
    pub(crate) fn subject(&self, name: &str, words: &[&str], stdin: &str) -> Subject {
        let file = self.path(&format!("{}.stdin", name.replace(|c: char| !c.is_alphanumeric(), "-")));
        std::fs::write(&file, stdin).unwrap();
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Subject { name: name.to_owned(), words, stdin: file, home: self.folder.clone(), took: Vec::new() }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Subject {
    /// Runs once.
    pub(crate) fn run(&self) -> Cost {
        // A file and not a pipe, written piece by piece: a child's peak begins with that of its parent, which stays small.
        let stdin = File::open(&self.stdin).unwrap();
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).env("HOME", &self.home).stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        let used = command.spawn().unwrap().wait4().unwrap();
        Cost { took: started.elapsed(), memory: used.rusage.maxrss }
    }

    /// Runs once as the last words of another program. None: that program is not here.
    pub(crate) fn under(&self, words: &[&str]) -> Option<Output> {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(&self.words).stdin(File::open(&self.stdin).unwrap());
        command.output().ok()
    }

    /// Milliseconds that this share of the runs stayed below.
    pub(crate) fn at(&mut self, percent: usize) -> f64 {
        self.took.sort_unstable();
        self.took[(self.took.len() * percent / 100).min(self.took.len() - 1)].as_secs_f64() * 1e3
    }
}

/// Runs all of them in turns, so that what else the machine does hits each of them alike.
pub(crate) fn rounds(subjects: &mut [Subject], runs: usize) {
    for round in 0..runs + runs / 10 {
        for subject in subjects.iter_mut() {
            // Slow programs need fewer runs to be told apart from fast ones.
            if subject.took.len() > 30 && subject.took[30] > Duration::from_millis(15) && round % 10 != 0 {
                continue;
            }
            let cost = subject.run();
            if round >= runs / 10 {
                subject.took.push(cost.took);
            }
        }
    }
}

/// The program under measure.
pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_fourseam")
}

/// Puts a table between the marks `<!-- NAME -->` and `<!-- end -->` of the page that `FOURSEAM_BENCH_PAGE` names.
pub(crate) fn publish(name: &str, table: &str) {
    println!("{table}");
    let Some(page) = std::env::var_os("FOURSEAM_BENCH_PAGE") else { return };
    let mark = format!("<!-- {name} -->\n");
    let text = std::fs::read_to_string(Path::new(&page)).unwrap();
    let (before, rest) = text.split_once(&mark).unwrap();
    let (_, after) = rest.split_once("<!-- end -->\n").unwrap();
    std::fs::write(page, format!("{before}{mark}{table}\n<!-- end -->\n{after}")).unwrap();
}

/// The payload of a call of `Bash` in Claude Code.
pub(crate) fn payload(command: &str) -> String {
    [CALL.0, &in_json(command), CALL.1].concat()
}

const CALL: (&str, &str) = (
    r#"{"session_id":"s","transcript_path":"/tmp/t","cwd":"/tmp","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":""#,
    r#""},"tool_use_id":"t"}"#,
);

const RESULT: (&str, &str) = (
    r#"{"session_id":"s","transcript_path":"/tmp/t","cwd":"/tmp","permission_mode":"default","hook_event_name":"PostToolUse","tool_name":"WebFetch","tool_input":{"url":"https://www.example.com/a","prompt":"p"},"tool_response":{"result":""#,
    r#""},"tool_use_id":"t"}"#,
);

fn in_json(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
