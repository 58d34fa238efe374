//! As much of HTTP/1.1 as the clients need: requests with a length or in chunks, answers with a length.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The longest body that is read.
const LONGEST: u64 = 64 << 20;
/// The longest line of a head.
const LONGEST_LINE: u64 = 64 << 10;
/// How long an idle connection is kept.
const PATIENCE: Duration = Duration::from_secs(300);

/// A client's connection.
pub(super) struct Connection {
    reader: BufReader<TcpStream>,
    stream: TcpStream,
}

/// One request.
pub(super) struct Request {
    /// `POST`.
    pub(super) method: String,
    /// Path without the query.
    pub(super) path: String,
    /// Body.
    pub(super) body: Vec<u8>,
}

/// One answer.
pub(super) struct Answer {
    status: &'static str,
    kind: &'static str,
    body: String,
}

impl Answer {
    /// One JSON value.
    pub(super) fn json(value: &Value) -> Self {
        Self { status: "200 OK", kind: "application/json", body: value.to_string() }
    }

    /// A stream of server-sent events, sent in one piece.
    pub(super) fn events(body: String) -> Self {
        Self { status: "200 OK", kind: "text/event-stream", body }
    }

    /// A path that is not served.
    pub(super) fn unknown() -> Self {
        Self { status: "404 Not Found", kind: "application/json", body: "{}".to_owned() }
    }
}

impl Connection {
    pub(super) fn of(stream: TcpStream) -> io::Result<Self> {
        // An accepted socket may inherit that the listener does not wait.
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { reader: BufReader::new(stream.try_clone()?), stream })
    }

    /// The next request; `None` when the client has gone.
    pub(super) fn request(&mut self) -> io::Result<Option<Request>> {
        let first = self.line()?;
        let mut words = first.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
        let mut length = 0;
        let mut chunked = false;
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
                _ => {}
            }
        }
        let body = if chunked { self.chunks()? } else { self.bytes(length)? };
        let path = target.split('?').next().unwrap_or_default().to_owned();
        Ok(Some(Request { method: method.to_owned(), path, body }))
    }

    pub(super) fn send(&mut self, answer: &Answer) -> io::Result<()> {
        let Answer { status, kind, body } = answer;
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
        self.stream.write_all(head.as_bytes())?;
        self.stream.write_all(body.as_bytes())?;
        self.stream.flush()
    }

    /// A line of a head, without its end. Empty at the end of input.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        (&mut self.reader).take(LONGEST_LINE).read_line(&mut line)?;
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let size = self.line()?;
            let size = u64::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16).unwrap_or(0);
            body.extend(self.bytes(size)?);
            self.line()?;
            if size == 0 {
                return Ok(body);
            }
            too_long(body.len() as u64)?;
        }
    }

    fn bytes(&mut self, length: u64) -> io::Result<Vec<u8>> {
        too_long(length)?;
        let mut bytes = Vec::new();
        (&mut self.reader).take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn too_long(length: u64) -> io::Result<()> {
    if length > LONGEST { Err(io::Error::new(ErrorKind::InvalidData, "the request is too long")) } else { Ok(()) }
}
