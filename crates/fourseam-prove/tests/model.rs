//! The scripted model over the wire, in each protocol.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use fourseam_prove::Model;
use fourseam_prove::model::{Call, Script, Task};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn model() -> Model {
    let model = Model::start(Duration::from_secs(30)).unwrap();
    let task = |tag: &str, calls: Vec<Call>| Task { tag: tag.to_owned(), calls, end: format!("end of {tag}") };
    let patch = Call::text("apply_patch", "*** Begin Patch");
    let calls = vec![Call::json("shell", json!({"command": "ls"})), patch.within("files")];
    model.play(Script { tasks: vec![task("MAIN", calls), task("PART", vec![Call::json("read", json!({}))])] });
    model
}

fn send(model: &Model, path: &str, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(model.url().trim_start_matches("http://")).unwrap();
    write!(stream, "POST {path} HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n").unwrap();
    stream.write_all(body).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn post(model: &Model, path: &str, body: &Value) -> String {
    let body = body.to_string();
    let answer = send(model, path, &format!("Content-Length: {}", body.len()), body.as_bytes());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    body.to_owned()
}

/// Paths, a first request, and a second one with the result `seen` of the first call, in every protocol.
fn requests() -> [(&'static str, Value, Value); 4] {
    let tools = json!([{"name": "shell"}]);
    let user = json!({"role": "user", "content": "MAIN: go"});
    let anthropic_result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x",
        "content": [{"type": "text", "text": "seen"}]}]});
    let gemini_user = json!({"role": "user", "parts": [{"text": "MAIN: go"}]});
    let gemini_result = json!({"role": "user", "parts": [{"functionResponse": {"name": "shell",
        "response": {"output": "seen"}}}]});
    let output = json!({"type": "function_call_output", "call_id": "x", "output": "seen"});
    [
        (
            "/v1/messages",
            json!({"tools": tools, "messages": [user]}),
            json!({"tools": tools, "messages": [user, anthropic_result]}),
        ),
        ("/v1/responses", json!({"tools": tools, "input": [user]}), json!({"tools": tools, "input": [user, output]})),
        (
            "/v1/chat/completions",
            json!({"tools": tools, "messages": [user]}),
            json!({"tools": tools, "messages": [user, {"role": "tool", "content": "seen"}]}),
        ),
        (
            "/v1beta/models/m:generateContent",
            json!({"tools": tools, "contents": [gemini_user]}),
            json!({"tools": tools, "contents": [gemini_user, gemini_result]}),
        ),
    ]
}

#[test]
fn every_protocol_gets_the_calls_in_turn() {
    let model = model();
    for (path, first, second) in requests() {
        let answer = post(&model, path, &first);
        assert!(answer.contains("shell") && answer.contains("command") && answer.contains("ls"), "{path}: {answer}");
        let answer = post(&model, path, &second);
        assert!(answer.contains("apply_patch") && answer.contains("*** Begin Patch"), "{path}: {answer}");
        assert_eq!(model.told("MAIN", 0).as_deref(), Some("seen"), "{path}");
        assert_eq!(model.told("MAIN", 1), None);
    }
}

#[test]
fn streams_hold_the_same() {
    let model = model();
    for (path, mut first, _) in requests() {
        let path = path.replace(":generateContent", ":streamGenerateContent?alt=sse");
        first["stream"] = json!(true);
        let answer = post(&model, &path, &first);
        assert!(answer.contains("data: {") && answer.ends_with("\n\n") && answer.contains("shell"), "{path}: {answer}");
    }
}

#[test]
fn a_conversation_is_known_by_its_tag_and_only_with_tools() {
    let model = model();
    let ask = |system: &str, tools: Value| {
        post(&model, "/v1/messages", &json!({"system": system, "tools": tools, "messages": []}))
    };
    assert!(ask("do PART", json!([{}])).contains("\"read\""));
    assert!(ask("do MAIN, then PART", json!([{}])).contains("\"shell\""));
    assert!(ask("do MAIN", json!([])).contains("\"done\""));
    assert!(ask("something else", json!([{}])).contains("\"done\""));
    assert_eq!(model.requests(), 4);
}

#[test]
fn bodies_in_chunks_and_unknown_paths() {
    let model = model();
    let body = json!({"tools": [{}], "system": "PART", "messages": []}).to_string();
    let (one, two) = body.split_at(9);
    let chunks = format!("{:x}\r\n{one}\r\n{:x};x=y\r\n{two}\r\n0\r\n\r\n", one.len(), two.len());
    assert!(send(&model, "/v1/messages", "Transfer-Encoding: chunked", chunks.as_bytes()).contains("\"read\""));
    assert!(send(&model, "/v1/other", "Content-Length: 2", b"{}").starts_with("HTTP/1.1 404"));
    assert!(send(&model, "/v1/messages/count_tokens", "Content-Length: 2", b"{}").contains("input_tokens"));
    assert!(send(&model, "/v1/messages", "Content-Length: 3", b"\xff{}").contains("done"));
}

#[test]
fn it_listens_on_loopback_and_stops() {
    let model = model();
    let address = model.url().trim_start_matches("http://").to_owned();
    assert!(address.starts_with("127.0.0.1:"));
    drop(model);
    assert!(TcpStream::connect(&address).is_err());

    let short = Model::start(Duration::from_millis(50)).unwrap();
    let address = short.url().trim_start_matches("http://").to_owned();
    let end = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(&address).is_ok() {
        assert!(Instant::now() < end, "it goes on after its time");
        std::thread::sleep(Duration::from_millis(20));
    }
}
