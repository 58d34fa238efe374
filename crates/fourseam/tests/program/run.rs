//! Runs the program in a home of its own.

use fourseam_core::decision::{Mode, OnError};
use fourseam_core::verdict::Verdict;
use fourseam_hosts::{Event, Host, Reply};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A state folder that goes away with the test.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) exit: i32,
    pub(crate) took: Duration,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn with_policy(text: &str) -> Self {
        let home = Self::new();
        home.write("policy.yaml", text);
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The records of the audit log.
    pub(crate) fn records(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("audit/log.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// `fourseam hook HOST EVENT --home HERE`.
    pub(crate) fn hook(&self, host: &dyn Host, event: &str) -> Command {
        let mut command = program();
        command.args(["hook", host.id(), event, "--home"]).arg(self.folder.path());
        command
    }

    /// A verb by hand.
    pub(crate) fn verb(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(arguments).env("FOURSEAM_HOME", self.folder.path()).current_dir(self.folder.path());
        command
    }
}

/// The program, deaf to the environment of whoever runs the tests.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fourseam"));
    for name in ["FOURSEAM_HOME", "FOURSEAM_MODE", "FOURSEAM_ON_ERROR", "FOURSEAM_FAULT"] {
        command.env_remove(name);
    }
    command
}

/// Runs a command with bytes on standard input.
pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Output {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that has read enough may close the pipe.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Output {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        exit: output.status.code().unwrap_or(-1),
        took: started.elapsed(),
    }
}

/// What the host is told when nobody has anything to say.
pub(crate) fn neutral(host: &dyn Host, event: &Event) -> Reply {
    host.render(event, &Verdict::default().fit(&event.capabilities, Mode::Guard, false))
}

impl Output {
    /// Says nothing to the host; at most a line to the user, where a session starts.
    pub(crate) fn is_neutral(&self, host: &dyn Host, event: &Event) -> bool {
        let neutral = neutral(host, event);
        let said = if event.capabilities.notice && self.notice().is_some() { "" } else { &self.stdout };
        said == neutral.stdout && self.exit == i32::from(neutral.exit)
    }

    /// The line to the user, where nothing else is said.
    pub(crate) fn notice(&self) -> Option<String> {
        let said: Value = serde_json::from_str(&self.stdout).ok()?;
        let said = said.as_object().filter(|said| said.len() == 1)?;
        Some(said.get("systemMessage")?.as_str()?.to_owned())
    }

    /// Is nothing, or one JSON object with nothing around it.
    pub(crate) fn is_well_formed(&self) -> bool {
        self.stdout.is_empty() || serde_json::from_str::<Value>(&self.stdout).is_ok_and(|value| value.is_object())
    }

    /// The host is asked or refused, in words that it takes for such. Where a person is asked anyway, silence asks.
    pub(crate) fn stops(&self, host: &dyn Host, event: &Event) -> bool {
        let says = |word: &str| self.stdout.contains(&format!("\"{word}\""));
        let asked = Verdict::of_failure(OnError::Ask, "x").fit(&event.capabilities, Mode::Guard, false);
        if host.render(event, &asked) == neutral(host, event) && self.is_neutral(host, event) {
            return true;
        }
        self.is_well_formed() && !self.is_neutral(host, event) && (says("ask") || self.denies())
    }

    /// The host is refused.
    pub(crate) fn denies(&self) -> bool {
        self.is_well_formed() && self.stdout.contains("\"deny\"")
    }
}

/// Whether a terminal can be made here; says so where not.
pub(crate) fn has_terminal() -> bool {
    let has = Command::new("script").arg("--version").output().is_ok();
    if !has {
        eprintln!("skipped: there is no `script` to make a terminal with");
    }
    has
}

/// Runs a verb in a pseudo-terminal, with these keys pressed.
pub(crate) fn at_terminal(home: &Home, arguments: &str, keys: &str) -> (String, Option<i32>) {
    let command = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_fourseam"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("FOURSEAM_HOME", home.path("")).env_remove("FOURSEAM_MODE");
    let output = run(&mut script, keys.as_bytes());
    (output.stdout, Some(output.exit))
}
