//! A model on loopback that replays a script instead of thinking, and keeps what it was told. Speaks Anthropic messages,
//! OpenAI responses and chat completions, and Gemini generateContent, streamed or whole. Listens on 127.0.0.1 alone.

mod conversation;
mod http;
mod script;
mod wire;

pub use script::{Arguments, Call, Script, Task};

use conversation::Conversation;
use http::{Answer, Connection, Request};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the server looks whether it has to stop.
const TICK: Duration = Duration::from_millis(5);

/// The server. It ends when dropped, and by itself after the time it was given.
pub struct Model {
    port: u16,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the server and its connections share.
struct Shared {
    stop: AtomicBool,
    play: Mutex<Play>,
}

/// A script and what came back so far.
#[derive(Default)]
struct Play {
    script: Script,
    told: BTreeMap<(String, usize), String>,
    prompts: Vec<String>,
    requests: usize,
}

impl Shared {
    fn play(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model {
    /// Starts a server on a free port of 127.0.0.1. It ends by itself after `lifetime`.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start(lifetime: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared { stop: AtomicBool::new(false), play: Mutex::default() });
        let end = Instant::now() + lifetime;
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || serve(&listener, &for_thread, end));
        Ok(Self { port, shared, thread: Some(thread) })
    }

    /// `http://127.0.0.1:PORT`, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Puts a script in the place of the last one and forgets what was told before.
    pub fn play(&self, script: Script) {
        *self.shared.play() = Play { script, ..Play::default() };
    }

    /// The result of call `number` (from 0) of the task with this tag, as the model was told it.
    #[must_use]
    pub fn told(&self, tag: &str, number: usize) -> Option<String> {
        self.shared.play().told.get(&(tag.to_owned(), number)).cloned()
    }

    /// User and system text of the newest request of each kind, for what a client adds to a prompt.
    #[must_use]
    pub fn prompts(&self) -> Vec<String> {
        self.shared.play().prompts.clone()
    }

    /// How many requests came since the script began.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.shared.play().requests
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>, end: Instant) {
    while !shared.stop.load(Ordering::SeqCst) && Instant::now() < end {
        match listener.accept() {
            Ok((stream, _)) => {
                let shared = Arc::clone(shared);
                // A connection that breaks is the client's loss: it asks again, or its session ends.
                std::thread::spawn(move || drop(answer_all(stream, &shared)));
            }
            Err(_) => std::thread::sleep(TICK),
        }
    }
    shared.stop.store(true, Ordering::SeqCst);
}

fn answer_all(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let mut connection = Connection::of(stream)?;
    while let Some(request) = connection.request()? {
        if shared.stop.load(Ordering::SeqCst) {
            return Ok(());
        }
        connection.send(&answer(&request, shared))?;
    }
    Ok(())
}

fn answer(request: &Request, shared: &Shared) -> Answer {
    if request.method != "POST" {
        let mock = json!({"id": "mock", "object": "model", "created": 0, "owned_by": "mock"});
        return Answer::json(&json!({"object": "list", "data": [mock], "models": []}));
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let path = request.path.as_str();
    if path.ends_with("/count_tokens") {
        return Answer::json(&json!({"input_tokens": 10}));
    }
    if path.ends_with(":countTokens") {
        return Answer::json(&json!({"totalTokens": 10}));
    }
    let Some(format) = wire::of_path(path, &body) else { return Answer::unknown() };
    let conversation = Conversation::read(&body);
    let (turn, number) = shared.play().turn(&conversation);
    let model = body.get("model").and_then(Value::as_str).unwrap_or("mock");
    format.say(&turn, &wire::Origin { model, number })
}

impl Play {
    /// What is said next. The turn is the number of results in the conversation, so a request that is sent twice gets
    /// the same answer.
    fn turn(&mut self, conversation: &Conversation) -> (script::Turn, usize) {
        self.requests += 1;
        self.prompts.push(conversation.prompt.clone());
        let Some(task) = self.script.task(conversation) else {
            return (script::Turn::Text("done".to_owned()), self.requests);
        };
        for (number, result) in conversation.results.iter().enumerate() {
            self.told.insert((task.tag.clone(), number), result.clone());
        }
        (task.turn(conversation.results.len()), self.requests)
    }
}
