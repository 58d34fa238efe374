//! Codex's trust in our hooks: asks Codex itself for the name and hash of each, as its own review screen does. Writes
//! nothing; what is written for the answer is the host's business.
#![expect(clippy::disallowed_types, reason = "asks Codex's own server; no hook call comes here")]

use fourseam_hosts::codex_trust::{self, Listed};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long Codex may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// What Codex says of the hooks in a file.
pub(crate) struct Trust {
    hooks: Vec<Listed>,
}

impl Trust {
    /// Asks Codex. `file`: the user's hook file; hooks of projects are for each user to trust.
    ///
    /// # Errors
    /// When Codex does not answer, in words.
    pub(crate) fn ask(program: &Path, file: &Path, home: &Path) -> Result<Self, String> {
        let answer = Server::start(program, home)?.hooks(home)?;
        let names = [Some(file.to_owned()), file.canonicalize().ok()];
        let of_file = |key: &str| names.iter().flatten().any(|name| key.starts_with(&format!("{}:", name.display())));
        let hooks: Vec<Listed> = codex_trust::listed(&answer).into_iter().filter(|hook| of_file(&hook.key)).collect();
        if hooks.is_empty() {
            return Err("Codex does not list the hooks: perhaps `[features] hooks` is off".to_owned());
        }
        Ok(Self { hooks })
    }

    /// Whether Codex runs all of them.
    pub(crate) fn is_whole(&self) -> bool {
        self.hooks.iter().all(|hook| hook.trusted)
    }

    /// The hooks, to be trusted as they are now.
    pub(crate) fn hooks(&self) -> &[Listed] {
        &self.hooks
    }

    /// The file that keeps the trust.
    pub(crate) fn file(hooks: &Path) -> PathBuf {
        hooks.with_file_name(codex_trust::FILE)
    }
}

/// Codex's own server on standard input and output. It ends when its input does.
struct Server {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Server {
    fn start(program: &Path, home: &Path) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.arg("app-server").current_dir(home).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let shown = program.display();
        let mut child = command.spawn().map_err(|error| format!("`{shown}` cannot be started: {error}"))?;
        let (sender, lines) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Self { child, lines })
    }

    fn hooks(&mut self, cwd: &Path) -> Result<Value, String> {
        let client = json!({ "name": "fourseam", "title": "fourseam", "version": env!("CARGO_PKG_VERSION") });
        self.say(&json!({ "method": "initialize", "id": 1, "params": { "clientInfo": client } }))?;
        self.answer(1)?;
        self.say(&json!({ "method": "initialized" }))?;
        self.say(&json!({ "method": "hooks/list", "id": 2, "params": { "cwds": [cwd] } }))?;
        self.answer(2)
    }

    fn say(&mut self, message: &Value) -> Result<(), String> {
        let stdin = self.child.stdin.as_mut().ok_or("Codex ended")?;
        writeln!(stdin, "{message}").and_then(|()| stdin.flush()).map_err(|error| format!("Codex ended: {error}"))
    }

    fn answer(&self, id: u64) -> Result<Value, String> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|_| "Codex did not answer".to_owned())?;
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if message.get("id") != Some(&Value::from(id)) || message.get("method").is_some() {
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(format!("Codex does not know `hooks/list`: {error}")),
                None => Ok(message),
            };
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let end = Instant::now() + Duration::from_secs(2);
        while Instant::now() < end {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
