//! A proof tells a client that obeys from one that does not. The client here is this test program itself, started anew.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use fourseam_prove::client::{Client, Orders, Permission, Said, Voice};
use fourseam_prove::model::Call;
use fourseam_prove::{Attempt, Judged, Limits, Model, Outcome, Program, Session, Stage, prove_set};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// How the client behaves.
#[derive(Clone, Copy)]
enum Manner {
    /// It runs every command.
    RunsAll,
    /// It refuses what drops a database, in the guard's words.
    Obeys,
    /// It refuses everything by itself.
    RunsNothing,
    /// It leaves after the first call.
    Leaves,
}

struct Odd(Manner);

impl Client for Odd {
    fn host(&self) -> &'static str {
        "odd"
    }

    fn configure(&self, _: &Stage, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn order(&self, _: &Stage, orders: &Orders, command: &mut Command) {
        let manner = match self.0 {
            Manner::RunsAll => "runs-all",
            Manner::Obeys => "obeys",
            Manner::RunsNothing => "runs-nothing",
            Manner::Leaves => "leaves",
        };
        command.args(["--exact", "client", "--ignored", "--nocapture"]).env("ODD_MANNER", manner);
        command.env("ODD_MODEL", orders.model).env("ODD_PROMPT", orders.prompt);
    }

    fn voices(&self) -> &'static [Voice] {
        &[Voice::Plain]
    }

    fn say(&self, attempt: &Attempt, _: &str, _: Voice) -> Result<Said, &'static str> {
        match attempt {
            Attempt::Shell(command) => {
                Ok(Said { calls: vec![Call::json("shell", json!({"command": command}))], task: None })
            }
            _ => Err("it has a shell alone"),
        }
    }
}

fn outcomes(manner: Manner) -> Vec<(String, Outcome)> {
    let folder = tempfile::tempdir().unwrap();
    let own = std::env::current_exe().unwrap();
    let stage = Stage::lay(folder.path(), &own, &[]).unwrap();
    let model = Model::start(Duration::from_secs(60)).unwrap();
    let session = Session {
        client: &Odd(manner),
        program: &Program { file: own, path: Vec::<PathBuf>::new() },
        stage: &stage,
        model: &model,
        permission: Permission::Everything,
        voice: Voice::Plain,
        says: "",
        limits: Limits { time: Duration::from_secs(20) },
    };
    let mut scenarios = prove_set().unwrap();
    scenarios.retain(|scenario| scenario.is_for("odd"));
    let outcomes = session.attempt(&scenarios).unwrap();
    assert_eq!(outcomes.len(), scenarios.len());
    let shell = |outcome: &Outcome| !matches!(outcome.judged, Judged::NoSuchTool(_));
    scenarios.into_iter().map(|scenario| scenario.id).zip(outcomes).filter(|(_, outcome)| shell(outcome)).collect()
}

#[test]
fn a_client_that_obeys_is_proven() {
    let outcomes = outcomes(Manner::Obeys);
    assert_eq!(outcomes.len(), 5);
    assert!(outcomes.iter().all(|(_, outcome)| outcome.judged == Judged::Proven), "{outcomes:?}");
}

#[test]
fn a_client_that_runs_everything_is_not() {
    for (id, outcome) in outcomes(Manner::RunsAll) {
        assert!(outcome.made, "{id}");
        let good = id == "shell-harmless";
        assert_eq!(outcome.judged == Judged::Proven, good, "{id}: {outcome:?}");
    }
}

#[test]
fn a_client_that_refuses_by_itself_proves_nothing() {
    for (id, outcome) in outcomes(Manner::RunsNothing) {
        assert!(matches!(&outcome.judged, Judged::Failed(why) if why.contains("Tool not found")), "{id}: {outcome:?}");
    }
}

#[test]
fn a_client_that_ends_early_is_started_again() {
    let outcomes = outcomes(Manner::Leaves);
    assert_eq!(outcomes.iter().filter(|(_, outcome)| outcome.judged == Judged::Proven).count(), 5, "{outcomes:?}");
}

/// The client. Not a test: run only by the tests above, which set its environment.
#[test]
#[ignore = "is the client of the other tests"]
fn client() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let (manner, model) = (variable("ODD_MANNER"), variable("ODD_MODEL"));
    if model.is_empty() {
        return;
    }
    let mut messages = vec![json!({"role": "user", "content": variable("ODD_PROMPT")})];
    loop {
        let body = json!({"model": "odd", "tools": [{"type": "function"}], "messages": messages});
        let message = post(&model, &body)["choices"][0]["message"].clone();
        let Some(call) = message["tool_calls"].get(0).cloned() else { return };
        let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
        let command = arguments["command"].as_str().unwrap();
        let dropped = command.contains("DROP") || command.contains("cleanup");
        let result = match manner.as_str() {
            "runs-nothing" => "Tool not found".to_owned(),
            "obeys" | "leaves" if dropped => "Refused by policy (fourseam, rule database/dropped): no".to_owned(),
            _ => run(command),
        };
        messages.push(message);
        messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": result}));
        if manner == "leaves" && messages.len() > 3 {
            post(&model, &json!({"model": "odd", "tools": [{}], "messages": messages}));
            return;
        }
    }
}

fn run(command: &str) -> String {
    let output = Command::new("/bin/sh").args(["-c", command]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn post(model: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(model.trim_start_matches("http://")).unwrap();
    let body = body.to_string();
    let length = body.len();
    write!(stream, "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}
